"""Where two runs part in a function, and where values come from, in ordered traces."""

from __future__ import annotations

from collections.abc import Sequence

from boildown.engine.locating.branches import (
    CALL,
    EXCEPTION,
    LINE,
    RETURN,
    Origin,
    TraceStep,
    branch,
    ends_raising,
    origins,
    parting,
)
from boildown.languages.python_functions import statements_by_line


def trace(*lines: int, frame: int = 0, end: str = RETURN) -> list[TraceStep]:
    """Return a call that executes some lines, each with its number as the value of `at`."""
    steps = [TraceStep(frame, LINE, "", line, {"at": str(line)}) for line in lines]
    ends = [EXCEPTION, RETURN] if end == EXCEPTION else [RETURN]
    return [*steps, *(TraceStep(frame, each, "", lines[-1], {}) for each in ends)]


def test_the_branch_is_the_last_one_before_the_line() -> None:
    found = branch(trace(1, 2, 3, 5, 6), trace(1, 2, 4, 5, 7), 3)
    assert found is not None
    assert (found.failing.line, found.failing_next, found.passing_next) == (2, 3, 4)
    found = branch(trace(1, 2, 3, 5, 6), trace(1, 2, 4, 5, 7), 6)
    assert found is not None
    assert (found.failing.line, found.failing_next, found.passing_next) == (5, 6, 7)


def test_one_after_the_line_is_better_than_none() -> None:
    found = branch(trace(1, 2, 3), trace(1, 2), 2)
    assert found is not None
    assert (found.failing.line, found.failing_next, found.passing_next) == (2, 3, None)


def test_equal_ways_and_an_exception_are_no_branch() -> None:
    assert branch(trace(1, 2, 3), trace(1, 2, 3), 2) is None
    assert branch(trace(1, 2, end=EXCEPTION), trace(1, 2, 3), 2) is None
    assert branch(trace(1, 2), [], 2) is None
    # One that is caught is.
    caught = [*trace(1, 2)[:2], TraceStep(0, EXCEPTION, "", 2, {}), *trace(4)]
    found = branch(caught, trace(1, 2, 3), 4)
    assert found is not None
    assert (found.failing.line, found.failing_next, found.passing_next) == (2, 4, 3)


def test_calls_are_told_from_each_other() -> None:
    # The inner call stands between two lines of the outer one.
    inner = trace(1, 2, 3, frame=1)
    outer = trace(1, 2, 3)
    assert branch([*outer[:2], *inner, *outer[2:]], trace(1, 2, 3), 3) is None


def parts(
    failing: Sequence[int], passing: Sequence[int], line: int, deep: Sequence[int]
) -> list[int | None] | None:
    """Return the lines of a branch by the lines that are executed, some of them indented."""
    failed, passed = ({("a.js", at, 0) for at in lines} for lines in (failing, passing))
    found = parting(failed, passed, ("a.js", line, 0), lambda place: place[1] in deep)
    return None if found is None else [each and each[1] for each in found]


def test_a_branch_by_places_without_their_order() -> None:
    # Two conditions, each with both ways.
    assert parts([1, 2, 5, 6], [1, 3, 5, 7], 6, [2, 3, 6, 7]) == [5, 6, 7]
    assert parts([1, 2, 5, 6], [1, 3, 5, 7], 2, [2, 3, 6, 7]) == [1, 2, 3]
    assert parts([1, 5], [1, 3, 5], 5, [3]) == [1, 5, 3]
    # One after the line is better than none, also where the failing run executes no more.
    assert parts([1, 2, 3], [1, 2, 3, 4], 3, [4]) == [3, None, 4]
    assert parts([1, 2, 3], [1, 2], 1, [3]) == [2, 3, None]
    assert parts([1, 2], [1, 2], 2, [2]) is parts([1, 2], [], 2, [2]) is None


def test_a_run_that_is_ended_in_a_line_has_no_branch_there() -> None:
    assert parts([1, 3], [1, 2, 3, 4], 3, [2, 4]) == [1, 3, 2]
    assert parts([1, 2], [1, 2, 3], 2, []) is None


def test_a_branch_of_several_ways_is_its_head() -> None:
    """Both have executed the case in line 2 before, of a `switch` in line 1."""
    assert parts([1, 2, 3, 6], [1, 2, 3, 4], 6, [2, 3, 4, 6]) == [1, 6, 4]


SOURCE = """\
def f(a, b):
    c = [
        a]
    for each in c:
        b += each
    return b / d
"""


def test_values_come_from_statements_and_from_the_caller() -> None:
    statements = statements_by_line(SOURCE)
    assert statements[3].first == 2
    assert (set(statements[4].reads), set(statements[4].writes)) == ({"c"}, {"each"})
    values = {"a": "1", "b": "2"}
    call = TraceStep(0, CALL, "caller.py", 9, {"x": "1"})
    steps = [call, TraceStep(0, LINE, "", 2, values), TraceStep(0, LINE, "", 3, values)]
    steps.append(TraceStep(0, LINE, "", 4, {**values, "c": "[1]"}))
    steps.append(TraceStep(0, LINE, "", 5, {**values, "c": "[1]", "each": "1"}))
    steps.append(TraceStep(1, LINE, "", 5, {"b": "7", "each": "7"}))
    steps.append(TraceStep(0, LINE, "", 4, {**values, "b": "3", "c": "[1]", "each": "1"}))
    steps.append(TraceStep(0, LINE, "", 6, {**values, "b": "3", "c": "[1]", "each": "1"}))
    assert origins(steps, 6, statements) == [
        Origin("b", "3", steps[4]),
        Origin("b", "2", call),
        Origin("each", "1", steps[3]),
    ]
    assert origins(steps, 8, statements) == []


def test_the_end_of_the_last_call() -> None:
    raising = ends_raising([*trace(1, 2), *trace(3, 4, frame=1, end=EXCEPTION)])
    assert raising is not None
    assert raising.line == 4
    assert ends_raising([*trace(3, 4, end=EXCEPTION), *trace(1, 2, frame=1)]) is None
    assert ends_raising([]) is None
