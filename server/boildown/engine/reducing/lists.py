"""Deletes items of a list chunk by chunk, a variant of ddmin.

Chunks of items, halves first and then ever smaller ones, are left out in one sweep each from the
back to the front, for what comes later tends to depend on what came before. Unlike in
ddmin (Zeller and Hildebrandt, TSE 2002) no sweep starts over after a success: the loop over passes
does that, and only for what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from boildown.engine.candidates import Items, items
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Place


@dataclass(frozen=True, slots=True)
class Sweep:
    """One sweep over the items of a list."""

    chunk: int
    """How many items are left out at a time."""
    high: int
    """The item before which the sweep begins."""

    def after(self, hit: int) -> Sweep:
        """Return the rest of the sweep where the candidate with an index was accepted."""
        return Sweep(self.chunk, max(self.high - (hit + 1) * self.chunk, 0))


def deletions(
    problem: Problem, place: Place, start: Sweep | None = None
) -> Iterator[tuple[Sweep, Iterator[Candidate | None]]]:
    """Yield the sweeps over the list at a place of the best tree: all items, chunks, single ones.

    With each come its candidates. They are the sweeps that follow as long as all candidates fail;
    where one was accepted, the rest of its sweep is the `start` of those on the next tree. Costs
    one run per chunk tried: about twice the number of items that must stay times the logarithm of
    the list's length.
    """
    listed = items(problem, place)
    sweep = start or Sweep(len(listed), len(listed))
    while sweep.chunk:
        if sweep.high:
            yield sweep, _backwards(listed, sweep.high, sweep.chunk)
        sweep = Sweep(min(sweep.chunk, len(listed)) // 2, len(listed))


def _backwards(listed: Items, high: int, chunk: int) -> Iterator[Candidate | None]:
    """Leave out one chunk after the other, from before item `high` down to the first."""
    while high > 0:
        yield listed.without([(max(high - chunk, 0), high)])
        high -= chunk
