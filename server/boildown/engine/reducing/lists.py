"""Deletes items of a list chunk by chunk, a variant of ddmin that every tree pass shares.

Chunks of items, halves first and then ever smaller ones, are left out in one sweep each from the
back to the front, for what comes later tends to depend on what came before. Unlike in
ddmin (Zeller and Hildebrandt, TSE 2002) no sweep starts over after a success: the loop over passes
does that, and only for what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from boildown import tree as trees
from boildown.engine.candidates import Items, items
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Place


def delete_items(problem: Problem, place: Place) -> None:
    """Delete items of the list at a place of the best tree: all, then chunks, then single ones.

    Costs one run per chunk tried: about twice the number of items that must stay times the
    logarithm of the list's length.
    """
    listed = items(problem, place)
    chunk = len(listed)
    while chunk:
        high = len(listed)
        while high:
            hit = problem.consider_first(_backwards(listed, high, chunk))
            if hit is None:
                break
            high = max(high - (hit + 1) * chunk, 0)
            listed = items(problem, trees.place_at(problem.tree, place.path()))
        chunk = min(chunk, len(listed)) // 2


def _backwards(listed: Items, high: int, chunk: int) -> Iterator[Candidate | None]:
    """Leave out one chunk after the other, from before item `high` down to the first."""
    while high > 0:
        yield listed.without([(max(high - chunk, 0), high)])
        high -= chunk
