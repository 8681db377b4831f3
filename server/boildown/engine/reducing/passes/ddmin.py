"""Delta debugging over characters: the classic that needs no grammar.

Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002, in
the form that tests complements only and starts over after each success.
"""

from __future__ import annotations

from collections.abc import Iterator

from boildown.engine.candidates import retext
from boildown.engine.problem import Candidate, Problem


def ddmin(problem: Problem) -> None:
    """Leave out one of n equal pieces of the text at a time, with n growing to its length.

    The result is 1-minimal: at the end each single character was left out in vain. Costs O(n²)
    runs in the worst case, O(log n) where the failure sits in one place.
    """
    pieces = 2
    while (length := len(problem.text)) >= 2:
        if problem.consider_first(_complements(problem, pieces)) is not None:
            pieces = max(pieces - 1, 2)
        elif pieces == length:
            return
        else:
            pieces = min(pieces * 2, length)
    # The published algorithm takes for granted that the empty text does not reproduce.
    problem.consider(retext(problem, ""))


def _complements(problem: Problem, pieces: int) -> Iterator[Candidate]:
    text = problem.text
    for piece in range(pieces):
        start, end = (len(text) * k // pieces for k in (piece, piece + 1))
        yield retext(problem, text[:start] + text[end:])
