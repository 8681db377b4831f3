"""The table of the real bugs without a grammar says ratios, and whether the goal is reached."""

from __future__ import annotations

from benchmarks.measured import Measured
from benchmarks.plain import report


def measured(case: str, size: int | None, runs: int, capped: bool = False) -> Measured:
    return Measured(case, "boildown", runs, 1.0, size, size, capped, (), "", None, "")


def test_ratios_and_goal() -> None:
    known = measured("a", 10, 100)
    rows = report(
        [
            (known, measured("a", 20, 150)),
            (known, measured("b", 5, 201)),
            (known, measured("c", 10, 100, capped=True)),
            (known, measured("d", None, 100)),
        ]
    ).splitlines()[2:]
    assert [row.split("|")[-2].strip() for row in rows] == ["yes", "no", "no", ""]
    assert [row.split("|")[4].strip() for row in rows] == ["2.00", "0.50", "1.00", "1.00"]
