"""Leaves out parts of a text that its failing run is likely not to need, many at once.

What a run did not touch is told by the caller. It is a hypothesis: every step is judged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from boildown.engine.candidates import Splice, retext, spliced
from boildown.engine.problem import Candidate, Problem

_MOST_FAILURES = 12
"""Candidates that fail until the other passes go on."""


def leave_out(problem: Problem, guesses: Sequence[Sequence[Splice]]) -> None:
    """Apply the first of some guesses that holds; if none does, parts of the last by halves.

    A guess is splices of the text, apart and ascending. Costs one run if the first holds, else one
    for each and about 2k log(n/k) if k of n parts of the last are needed after all; it is given up
    at `_MOST_FAILURES`.
    """
    text = problem.text
    wanted = (_applied(problem, text, each) for each in guesses[:-1])
    if not guesses or problem.consider_first(wanted) is not None:
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


def _applied(problem: Problem, text: str, splices: Sequence[Splice]) -> Candidate:
    return retext(problem, spliced(text, splices, problem.language.gap))
