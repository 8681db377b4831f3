"""Delta debugging over lines and over characters, for texts that no sweep goes through.

A tree may hide what can be left out: a piece that begins in one part and ends in another. On a
short text the sweeps find such pieces; on a long one only large pieces are worth their runs.

Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, with
one turn for each size of the pieces instead of a new start after each success.
"""

from __future__ import annotations

from boildown.engine.candidates import retext
from boildown.engine.problem import Problem


def lines(problem: Problem) -> None:
    """Leave out half of the lines, a quarter, and so on down to single ones.

    Costs up to 2 n runs for n lines.
    """
    ends = [0]
    for line in problem.text.splitlines(keepends=True):
        ends.append(ends[-1] + len(line))
    _leave_out(problem, ends)


def pieces(problem: Problem) -> None:
    """Leave out half of the characters, a quarter, and so on down to single ones.

    Costs up to 2 n runs for n characters.
    """
    _leave_out(problem, list(range(len(problem.text) + 1)))


def _leave_out(problem: Problem, bounds: list[int]) -> None:
    """Leave out the text between two bounds, of many pieces at once and then of ever fewer."""
    size = (len(bounds) - 1) // 2
    while size:
        high = len(bounds) - 1
        while high > 0:
            low = max(high - size, 0)
            start, end = bounds[low], bounds[high]
            text = problem.text
            if problem.consider(retext(problem, text[:start] + text[end:])):
                bounds[low:] = [bound - (end - start) for bound in bounds[high:]]
            high = low
        size = min(size, len(bounds) - 1) // 2
