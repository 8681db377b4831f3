"""Languages by name, by file name, and by trying."""

from __future__ import annotations

import pytest

from boildown.languages import LanguageError, detect, languages, load_language


def test_the_plain_language_is_always_there() -> None:
    assert load_language("plain").name == "plain"
    assert [each.source for each in languages() if each.name == "plain"] == ["built in"]


def test_an_unknown_language_names_its_neighbours() -> None:
    with pytest.raises(LanguageError, match=r"no language called .plian.\. Did you mean plain"):
        load_language("plian")


@pytest.mark.parametrize(
    ("file_name", "text", "language_id"),
    [
        ("x.txt", "{}", None),
        ("/a/b.TXT", "", "python"),
        ("x.qqq", "what", "plaintext"),
        ("", "", None),
    ],
)
def test_what_nothing_tells_is_plain(file_name: str, text: str, language_id: str | None) -> None:
    assert detect(file_name, text, language_id).name == "plain"
