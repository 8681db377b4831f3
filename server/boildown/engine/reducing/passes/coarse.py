"""Prunes a long text by its outline: brackets, lines, separators and words, without a tree."""

from __future__ import annotations

from collections.abc import Iterator

from boildown.engine.problem import Problem
from boildown.engine.reducing.outline import Outline, outlined
from boildown.engine.reducing.passes.prune import PrunedList, Pruning


def coarse(problem: Problem, enough: int = 0) -> None:
    """Leave out the parts of the text's outline, the heaviest first, as `prune` does on a tree.

    Ends as soon as the text has no more than `enough` characters. Costs about k log(n/k) runs where
    k of n parts have to stay; many a candidate is no word of the language.
    """
    outline = outlined(problem.text)
    pruning = Pruning(problem, _lists(outline, 0, len(problem.text)), free=True)
    while (hit := problem.consider_first(pruning.candidates())) is not None:
        pruning.accept(hit)
        if len(problem.text) <= enough:
            return


def _lists(outline: Outline, low: int, high: int) -> Iterator[PrunedList]:
    """Yield the list that a span is divided into, if it is."""
    division = outline.divided(low, high)
    if division is not None:
        starts, ends = division.starts, division.ends
        inside = lambda at: _lists(outline, starts[at], ends[at])  # noqa: E731
        yield PrunedList(starts, ends, division.cuts, inside)
