"""The table of `make hostile`: a row for each module, which tells what fell."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import hostile


def test_every_module_of_hostile_tests_is_in_the_table() -> None:
    names = {path.name for path in hostile.modules()}
    own = hostile.ROOT / "tests" / "hostile"
    assert {path.name for path in own.glob("test_*.py")} <= names
    assert all((hostile.ROOT / each).exists() for each in hostile.ELSEWHERE)


def test_a_row_tells_what_fell(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "test_it.py"
    module.write_text(
        '"""Numbers that lie.\n\nMore."""\nimport pytest\n'
        "@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_it(n): assert n < 3\n"
        "def test_not(): pytest.skip('no')\n"
    )
    row = hostile.run(module, tmp_path)
    assert row == hostile.Row("Numbers that lie", 3, 2, 1)
    assert hostile.shown(row) == "| Numbers that lie | 3 | 2 | 1 FELL, 1 skipped |"
    assert "assert 3 < 3" in capfd.readouterr().err


def test_a_module_that_cannot_be_run_fell(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text('"""Broken."""\nimport no_such_module\n')
    row = hostile.run(tmp_path / "test_it.py", tmp_path)
    assert (row.fault, row.held) == ("Broken", 0)
    assert row.tried >= 1


def test_the_numbers_are_those_that_tests_read() -> None:
    text = "".join(path.read_text("utf-8") for path in hostile.modules())
    assert [name for name in hostile.ENVIRONMENT if f'"{name}"' in text]
