"""When the benchmark says that a stated bound is refuted; nothing is measured here."""

from __future__ import annotations

import pytest
from benchmarks.book_subjects import SUBJECTS
from benchmarks.books import fails, missed
from benchmarks.generalize import Checked, report


def checked(reproduced: int, trials: int, bound: float = 0.97, holes: int = 2) -> Checked:
    fresh = (trials, reproduced, 3, 1)
    return Checked("case", "auto", "<a>b", holes, 300, 1.5, True, 100, 100, bound, *fresh)


@pytest.mark.parametrize(
    ("reproduced", "trials", "holds"),
    [(200, 200, True), (188, 200, True), (180, 200, False), (0, 0, True), (0, 200, False)],
)
def test_a_bound_is_refuted_only_by_the_upper_limit(
    reproduced: int, trials: int, holds: bool
) -> None:
    assert checked(reproduced, trials).holds is holds


def test_the_report_tells_which_bounds_do_not_hold() -> None:
    rows = {"a": checked(200, 200), "b": checked(100, 200), "c": checked(0, 0, 0.0, 0)}
    figures = {key: vars_of(each) for key, each in rows.items()}
    lines = report({"cases": figures, "books": [], "rhino": []}).splitlines()
    good, bad, none = [line for line in lines if line.startswith("| case | auto")]
    assert good.endswith("| 200/200 | 3 | 1 | 100.0% | yes |")
    assert "| 100/200 | 3 | 1 |" in bad
    assert bad.endswith("| **no** |")
    assert none.endswith("| – | – | – | – | – | – | – |")


def vars_of(each: Checked) -> dict[str, object]:
    return {name: getattr(each, name) for name in Checked.__dataclass_fields__}


def test_half_of_the_calls_count_where_there_are_three_holes() -> None:
    def row(subject: str, tool: str, holes: str, calls: int) -> dict[str, object]:
        return {"subject": subject, "by": tool, "holes": holes, "calls": calls}

    rows = [
        *(row("few", "debuggingbook", "2", 100), row("few", "auto", "2", 90)),
        *(row("good", "debuggingbook", "4", 400), row("good", "auto", "3-4", 200)),
        *(row("bad", "debuggingbook", "4", 400), row("bad", "auto", "4", 201)),
    ]
    assert list(missed(rows)) == ["bad"]


@pytest.mark.parametrize("name", SUBJECTS)
def test_the_programs_fail_on_their_texts_and_not_on_all(name: str) -> None:
    _, text, program = SUBJECTS[name]
    assert fails(program, text)
    assert not fails(program, "1")
