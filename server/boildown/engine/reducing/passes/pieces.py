"""Delta debugging over lines and over characters, for texts that no sweep goes through.

A tree may hide what can be left out: a piece that begins in one part and ends in another. On a
short text the sweeps find such pieces; on a long one only large pieces are worth their runs.

Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, with
one turn for each size of the pieces instead of a new start after each success.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from boildown.engine.candidates import retext
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.ahead import Attempt, try_all


def lines(problem: Problem) -> None:
    """Leave out half of the lines, a quarter, and so on down to single ones.

    Costs up to 2 n runs for n lines.
    """
    ends = [0]
    for line in problem.text.splitlines(keepends=True):
        ends.append(ends[-1] + len(line))
    _try_all(problem, ends)


def pieces(problem: Problem) -> None:
    """Leave out half of the characters, a quarter, and so on down to single ones.

    Costs up to 2 n runs for n characters.
    """
    _try_all(problem, list(range(len(problem.text) + 1)))


def _try_all(problem: Problem, bounds: list[int]) -> None:
    try_all(problem, _leave_out(problem, bounds, (len(bounds) - 1) // 2, len(bounds) - 1))


def _leave_out(problem: Problem, bounds: list[int], size: int, high: int) -> Iterator[Attempt]:
    """Leave out the text between two bounds, of many pieces at once and then of ever fewer.

    Begins with `size` pieces, those before the bound number `high`.
    """
    text = problem.text

    def cuts(size: int, high: int) -> Iterator[Candidate]:
        for end in range(high, 0, -size):
            yield retext(problem, text[: bounds[max(end - size, 0)]] + text[bounds[end] :])

    def accepted(size: int, high: int, hit: int) -> Iterator[Attempt]:
        end = high - hit * size
        low = max(end - size, 0)
        gone = bounds[end] - bounds[low]
        left = [*bounds[:low], *(bound - gone for bound in bounds[end:])]
        return _leave_out(problem, left, size, low)

    while size:
        yield Attempt(cuts(size, high), partial(accepted, size, high))
        high = len(bounds) - 1
        size = min(size, high) // 2
