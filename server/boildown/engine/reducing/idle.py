"""Leaves out parts of a text that its failing run is likely not to need, many at once.

What a run did not touch is told by the caller. It is a hypothesis: every step is judged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from boildown.engine.candidates import Splice, retext, spliced
from boildown.engine.problem import Candidate, Problem

_MOST_FAILURES = 12
"""Candidates that fail until the other passes go on."""


@dataclass(frozen=True, slots=True)
class Idle:
    """Parts of a text that its failing run may not need; splices are apart and ascending."""

    guesses: Sequence[Sequence[Splice]]
    """The boldest first."""
    size: int = 0
    """How many elements of the text it may do without, too, one after the other."""
    without: Callable[[Collection[int]], Sequence[Splice]] = lambda _gone: ()
    """Returns the splices without some of these, with those of the first guess."""


def leave_out(problem: Problem, idle: Idle) -> None:
    """Apply the first of some guesses that holds; if none does, parts of the last by halves.

    Costs one run if the first holds, and one for each element that may go then. Else it costs one
    for each guess and about 2k log(n/k) if k of n parts of the last are needed after all. It is
    given up at `_MOST_FAILURES`, in a row where elements go one after the other.
    """
    text, guesses = problem.text, idle.guesses
    hit = problem.consider_first(_applied(problem, text, each) for each in guesses[:-1])
    if hit == 0:
        _leave_out_elements(problem, text, idle)
    if not guesses or hit is not None:
        return
    applied: list[Splice] = []
    waiting = deque([list(guesses[-1])] if guesses[-1] else [])
    failures = 0
    while waiting and failures < _MOST_FAILURES:
        chunk = waiting.popleft()
        splices = sorted([*applied, *chunk])
        if problem.consider(_applied(problem, text, splices)):
            applied = splices
            continue
        failures += 1
        middle = len(chunk) // 2
        if middle:
            waiting += [chunk[:middle], chunk[middle:]]


def _leave_out_elements(problem: Problem, text: str, idle: Idle) -> None:
    """Do without elements, until too many in a row have to stay."""
    gone: list[int] = []
    at = 0
    while at < idle.size:
        some = range(at, min(at + _MOST_FAILURES, idle.size))
        wanted = (_applied(problem, text, idle.without([*gone, each])) for each in some)
        hit = problem.consider_first(wanted)
        if hit is None:
            return
        gone.append(at + hit)
        at += hit + 1


def _applied(problem: Problem, text: str, splices: Sequence[Splice]) -> Candidate:
    return retext(problem, spliced(text, splices, problem.language.gap))
