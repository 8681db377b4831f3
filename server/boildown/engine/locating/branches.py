"""Where a failing run goes another way than a passing one in a function, and where values are from.

Both are read off an ordered trace of the steps through that one function. Where a runtime tells no
order, but only which places are executed, the way alone is found.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from boildown.folder_text import Place

CALL, LINE, RETURN, EXCEPTION = "call", "line", "return", "exception"
_MOST_ORIGINS = 5


@dataclass(frozen=True, slots=True)
class TraceStep:
    """An event in a function, with the values that its names have before it."""

    frame: int
    """Tells one call of the function from others."""
    event: str
    """CALL is at the line of the caller, with the names of the caller."""
    file: str
    """That of the caller."""
    line: int
    values: Mapping[str, str]
    """Values as text, by the names that they have."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of a function, or the head of one that has others in it."""

    first: int
    """Its first line."""
    reads: Collection[str]
    """The names in it."""
    writes: Collection[str]
    """The names that it gives values."""


@dataclass(frozen=True, slots=True)
class Parting:
    """A step after which a failing run goes another way than a passing one."""

    failing: TraceStep
    passing: TraceStep
    failing_next: int | None
    """The line that comes next; None if the function ends there."""
    passing_next: int | None


@dataclass(frozen=True, slots=True)
class Origin:
    """The statement that a name has its value from."""

    name: str
    value: str
    step: TraceStep
    """Where the statement is; a call if the caller has given the value."""


_Edge = tuple[TraceStep, int | None]


def _edges(steps: Sequence[TraceStep]) -> Iterator[_Edge]:
    """Yield the lines of each call with the lines that come next, in the order of the trace."""
    last: dict[int, TraceStep] = {}
    raised: set[int] = set()
    for step in steps:
        if step.event == EXCEPTION:
            raised.add(step.frame)
        if step.event == LINE:
            if step.frame in last:
                yield last[step.frame], step.line
            last[step.frame] = step
            raised.discard(step.frame)
        # Where an exception ends the call no other way is gone.
        if step.event == RETURN and step.frame in last and step.frame not in raised:
            yield last.pop(step.frame), None


def branch(failing: Sequence[TraceStep], passing: Sequence[TraceStep], line: int) -> Parting | None:
    """Return the last branch by which a failing run comes to a line and a passing one does not.

    If there is none, it is the first one after the line.
    """
    others: dict[int, dict[int | None, TraceStep]] = {}
    for step, after in _edges(passing):
        others.setdefault(step.line, {})[after] = step
    edges = list(_edges(failing))
    parts = [
        (at, step, after)
        for at, (step, after) in enumerate(edges)
        if step.line in others and after not in others[step.line]
    ]
    reached = max((at for at, (step, _after) in enumerate(edges) if step.line == line), default=-1)
    if not parts:
        return None
    before = [each for each in parts if each[0] <= reached]
    _at, step, after = before[-1] if before else parts[0]
    other, there = list(others[step.line].items())[-1]
    return Parting(step, there, after, other)


def parting(
    failing: Collection[Place],
    passing: Collection[Place],
    place: Place,
    depth: Callable[[Place], int],
) -> tuple[Place, Place | None, Place | None] | None:
    """Return the branch of a function at which two runs part, by the places that they execute.

    Where one of them alone executes what stands behind a place of both, the branch is the last
    place of both before that is less deep: `depth` is how far a place is indented. It is the last
    branch up to `place`; if there is none, the first one after. With it stands the place that comes
    next in the failing run, and in the passing one. A loop that one of them leaves later is not
    seen.
    """
    order = sorted({*failing, *passing})
    both = {*failing} & {*passing}

    def coming(at: int, run: Collection[Place]) -> Place | None:
        return next((each for each in order[at:] if each in run), None)

    found = []
    for at, (before, start) in enumerate(itertools.pairwise(order), 1):
        if before not in both or start in both:
            continue
        around = (each for each in reversed(order[:at]) if each in both)
        head = next((each for each in around if depth(each) < depth(start)), None)
        if head is not None:
            found.append((head, coming(at, failing), coming(at, passing)))
    # A failing run that executes nothing more may have been ended there, by no branch.
    before_it = [each for each in found if each[0] <= place and each[1] is not None]
    return before_it[-1] if before_it else next(iter(found), None)


def origins(
    steps: Sequence[TraceStep], line: int, statements: Mapping[int, Statement]
) -> list[Origin]:
    """Return where the names of a line have their values from, the nearest first.

    The line is that of the last step that is there, and the names are followed for one statement
    more. `statements` are by line.
    """
    at = next((n for n in reversed(range(len(steps))) if steps[n].line == line), None)
    if at is None or line not in statements:
        return []
    found: list[Origin] = []
    waiting = [(name, at) for name in sorted(statements[line].reads)]
    for depth in range(2):
        further: list[tuple[str, int]] = []
        for name, before in waiting:
            origin = _origin(steps, name, before, statements)
            if origin is None:
                continue
            where, known = origin
            if all(known != other for other in found):
                found.append(known)
            if known.step.event == LINE and depth == 0:
                further += [(each, where) for each in sorted(statements[known.step.line].reads)]
        waiting = further
    return found[:_MOST_ORIGINS]


def _origin(
    steps: Sequence[TraceStep], name: str, at: int, statements: Mapping[int, Statement]
) -> tuple[int, Origin] | None:
    """Return the step before another one in which a name of it was given its value."""
    now = steps[at]
    if name not in now.values:
        return None
    for where in range(at - 1, -1, -1):
        step = steps[where]
        if step.frame != now.frame:
            continue
        if step.event == CALL:
            return where, Origin(name, now.values[name], step)
        statement = statements.get(step.line)
        if step.event == LINE and statement is not None and name in statement.writes:
            return where, Origin(name, now.values[name], step)
    return None


def ends_raising(steps: Sequence[TraceStep]) -> TraceStep | None:
    """Return the step at which the last call ends by an exception; None if it returns."""
    for before, after in itertools.pairwise(reversed(steps)):
        if before.event == RETURN:
            return after if after.event == EXCEPTION and after.frame == before.frame else None
    return None
