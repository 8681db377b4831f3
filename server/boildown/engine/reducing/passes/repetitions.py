"""Shortens repetitions: runs of the same few characters, such as blanks, dashes or backslashes.

A run within one token has no parts that a tree could leave out, and may be most of the text.
"""

from __future__ import annotations

import re

from boildown.engine.candidates import retext
from boildown.engine.problem import Problem

FEWEST = 16
"""Repetitions that are worth the runs; most indentations and rulers are shorter."""
SMALLEST_SHARE = 50
"""So much of the text is a repetition at least, as its divisor: there are never more of them."""

_REPETITION = re.compile(rf"(.{{1,4}}?)\1{{{FEWEST - 1},}}", re.DOTALL)


def repetitions(problem: Problem) -> None:
    """Leave out half of each run of the same characters, or a quarter, and so on down to one.

    Costs some 2 log2 n runs for n repetitions; of each run no single one can be left out then.
    """
    shortest = len(problem.text) // SMALLEST_SHARE
    found = [match for match in _REPETITION.finditer(problem.text) if len(match[0]) >= shortest]
    # What stands before a run does not move when it is shortened, so the last one is the first.
    for match in reversed(found):
        start, unit = match.start(), len(match[1])
        left = len(match[0]) // unit
        step = left // 2
        while step:
            text = problem.text
            if problem.consider(retext(problem, text[:start] + text[start + step * unit :])):
                left -= step
                step = min(step, left)
            else:
                step //= 2
