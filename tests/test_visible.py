"""Tests of characters that cannot be seen."""

from __future__ import annotations

import pytest

from boildown.visible import quoted


@pytest.mark.parametrize(
    "text",
    ["", "plain", "it's", 'say "a"', 'it\'s "both"', "back\\slash", "line\nbreak\t", "\x1b[1m"],
)
def test_a_quoted_text_is_its_representation(text: str) -> None:
    assert quoted(text) == repr(text)


def test_a_quoted_text_shows_all_that_cannot_be_seen() -> None:
    assert quoted("\u00a0\u2800\u200b") == r"'\u00a0\u2800\u200b'"
