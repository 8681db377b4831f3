"""Tests of the bugs of the field: what two releases of a package make of a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.field import releases
from benchmarks.field.cases import cases, failure

OLD, FIXED = "squeeze==1.0", "squeeze==1.1"
CALL = """
import squeeze

def call(text):
    return squeeze.squeeze(text)
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write two releases: the old one takes blanks out of quotes, and falls over brackets."""
    monkeypatch.setattr(releases, "folder", lambda release: tmp_path / release)
    for release, source in (
        (OLD, "assert '[' not in text; return text.replace(' ', '')"),
        (FIXED, "assert '!' not in text; return text if '\"' in text else text.replace(' ', '')"),
    ):
        (tmp_path / release).mkdir()
        (tmp_path / release / "squeeze.py").write_text(f"def squeeze(text): {source}\n")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a b", ""),
        ('"a b"', "AssertionError in call"),
        ("[", "RuntimeError in call"),
        ('!"a b"', ""),
    ],
    ids=["same", "other", "crash", "rejected"],
)
def test_a_text_fails_where_two_releases_differ(text: str, told: str) -> None:
    assert failure(releases.compared(CALL, OLD, FIXED), text) == told


def test_bugs_have_variations_and_near_misses_and_half_of_them_are_unseen() -> None:
    bugs = cases()
    assert all(len(each.others) >= 3 and len(each.near) >= 3 for each in bugs)
    assert sum(each.unseen for each in bugs) >= len(bugs) // 2
