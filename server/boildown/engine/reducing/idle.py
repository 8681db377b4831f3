"""Leaves out parts of a text that its failing run is likely not to need, many at once.

What a run did not touch is told by the caller. It is a hypothesis: every step is judged.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from boildown.engine.candidates import Splice, retext, spliced
from boildown.engine.problem import Problem

_MOST_FAILURES = 12
"""Candidates that fail until the other passes go on."""


def leave_out(problem: Problem, idle: Sequence[Splice]) -> None:
    """Apply splices of the text, all at once, else by halves.

    `idle` are apart and ascending. Costs one run if the hypothesis holds, about 2k log(n/k) if k of
    n parts are needed after all, and is given up at `_MOST_FAILURES`.
    """
    text = problem.text
    applied: list[Splice] = []
    waiting = deque([list(idle)] if idle else [])
    failures = 0
    while waiting and failures < _MOST_FAILURES:
        chunk = waiting.popleft()
        splices = sorted([*applied, *chunk])
        if problem.consider(retext(problem, spliced(text, splices, problem.language.gap))):
            applied = splices
            continue
        failures += 1
        middle = len(chunk) // 2
        if middle:
            waiting += [chunk[:middle], chunk[middle:]]
