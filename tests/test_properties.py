"""Properties are tried on the same examples on every machine."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn() -> list[tuple[str, int]]:
    """Return the examples of a property."""
    examples = []

    @settings(settings.get_profile("same"))
    @given(st.text(), st.integers())
    def collect(text: str, number: int) -> None:
        examples.append((text, number))

    collect()
    return examples


def test_no_module_that_is_imported_changes_the_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    constants = [item for n in range(1000, 1200) for item in (n, f"word{n}")]
    (tmp_path / "with_constants.py").write_text(f"CONSTANTS = {constants}\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("with_constants")
    assert drawn() == before


def test_neither_the_time_nor_an_earlier_failure_decides() -> None:
    profile = settings.get_profile("same")
    assert (profile.derandomize, profile.database, profile.deadline) == (True, None, None)
