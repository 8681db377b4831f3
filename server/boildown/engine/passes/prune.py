"""Pruning: whatever may be absent is left out, the heaviest first.

Sources: the order is that of Gharachorlu and Sumner, "Pardis: Priority Aware Test Case Reduction",
FASE 2019; the splitting of long lists by weight that of Zhou et al., "WDD: Weighted Delta
Debugging", ICSE 2025. Both are one queue here: what may go together is tried together, and where
it may not, in two halves of equal weight.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from boildown.engine.candidates import Splice, spliced
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Kind, Leaf, Node, Place


def prune(problem: Problem) -> None:
    """Leave out list items and optional parts, trying each at most once.

    Costs about k log(n/k) runs where k of n parts have to stay, so a large input with a small
    cause takes few. What became removable only by a later success is left to the next round.
    """
    pruning = _Pruning(problem)
    while (hit := problem.consider_first(pruning.candidates())) is not None:
        pruning.accept(hit)


@dataclass(slots=True, eq=False)
class _Sequence:
    """A list or option of the tree, with the ranges of its items that are gone."""

    starts: Sequence[int]
    ends: Sequence[int]
    """Where each item starts and ends in the text."""
    cuts: Sequence[int]
    """Where each item's cut starts: at its separator, if there is one."""
    places: Sequence[Place]
    least: int
    gone: list[tuple[int, int]] = field(default_factory=list)

    def without(self, low: int, high: int) -> list[tuple[int, int]]:
        """Return the gone ranges with one more, in order, those that touch joined."""
        joined: list[tuple[int, int]] = []
        for start, end in sorted([*self.gone, (low, high)]):
            if joined and joined[-1][1] >= start:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    def spans(self, gone: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield what to cut from the text so that these ranges are gone."""
        for low, high in gone:
            if low > 0:
                yield self.cuts[low], self.ends[high - 1]
            elif high == len(self.starts):
                yield self.starts[0], self.ends[-1]
            else:
                yield self.starts[0], self.starts[high]


@dataclass(slots=True, eq=False)
class _Unit:
    """Items that are left out together, if they can be."""

    sequence: _Sequence
    low: int
    high: int
    weight: int
    order: int = 0
    """When it was first put into the queue; of two of the same weight the earlier one is first."""
    alive: bool = True


class _Pruning:
    """The queue of units over the tree that the pass began with.

    Candidates are taken ahead of their verdicts, as if each failed. A success puts back what was
    taken after it, so the order is the same however far ahead they are taken.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._text = problem.text
        self._cut: list[_Sequence] = []
        self._queue: list[tuple[int, int, _Unit]] = []
        self._pushed = 0
        self._taken: list[tuple[_Unit, list[_Unit]]] = []
        for unit in self._units_in(Place(problem.tree, 0)):
            self._push(unit)

    def candidates(self) -> Iterator[Candidate | None]:
        """Yield the candidates, the heaviest unit first."""
        self._taken = []
        while self._queue:
            unit = heapq.heappop(self._queue)[2]
            if unit.alive and not self._is_gone(unit):
                parts: list[_Unit] = []
                self._taken.append((unit, parts))
                yield self._candidate(unit)
                for part in self._parts(unit):
                    parts.append(part)
                    self._push(part)

    def accept(self, hit: int) -> None:
        """Note that the candidate with this index was accepted."""
        unit, _ = self._taken[hit]
        if not unit.sequence.gone:
            self._cut.append(unit.sequence)
        unit.sequence.gone = unit.sequence.without(unit.low, unit.high)
        for later, parts in self._taken[hit:]:
            for part in parts:
                part.alive = False
            if later is not unit:
                self._push(later)

    def _push(self, unit: _Unit) -> None:
        if not unit.order:
            self._pushed += 1
            unit.order = self._pushed
        heapq.heappush(self._queue, (-unit.weight, unit.order, unit))

    def _candidate(self, unit: _Unit) -> Candidate | None:
        sequence = unit.sequence
        gone = sequence.without(unit.low, unit.high)
        if len(sequence.starts) - sum(high - low for low, high in gone) < sequence.least:
            return None
        spans = [span for each in self._cut for span in each.spans(each.gone)]
        spans.extend(sequence.spans(gone))
        language = self._problem.language
        wanted = spliced(self._text, _splices(spans), language.gap)
        return Candidate(wanted, lambda: language.parse(wanted).tree)

    def _is_gone(self, unit: _Unit) -> bool:
        start = unit.sequence.starts[unit.low]
        return any(low <= start < high for each in self._cut for low, high in each.spans(each.gone))

    def _parts(self, unit: _Unit) -> Iterator[_Unit]:
        """Yield the units to try where this one has to stay as a whole."""
        sequence = unit.sequence
        if unit.high - unit.low == 1:
            yield from self._units_in(sequence.places[unit.low])
            return
        middle = unit.low + _middle([p.tree.width for p in sequence.places[unit.low : unit.high]])
        for low, high in ((unit.low, middle), (middle, unit.high)):
            yield _unit(sequence, low, high)

    def _units_in(self, place: Place) -> Iterator[_Unit]:
        """Yield the nearest lists and options at and below a place, each as one unit."""
        stack = [place]
        while stack:
            place = stack.pop()
            tree = place.tree
            if isinstance(tree, Leaf) or not tree.width:
                continue
            if tree.kind is Kind.RULE:
                stack.extend(reversed(place.children()))
            elif tree.children:
                sequence = _sequence(place, tree)
                yield _unit(sequence, 0, len(sequence.starts))


def _middle(weights: Sequence[int]) -> int:
    """Return how many of two or more weights, from the left, come nearest to half of them all."""
    sums = list(accumulate(weights))
    return min(range(1, len(sums)), key=lambda count: abs(sums[count - 1] - sums[-1] / 2))


def _unit(sequence: _Sequence, low: int, high: int) -> _Unit:
    return _Unit(sequence, low, high, sequence.ends[high - 1] - sequence.starts[low])


def _sequence(place: Place, tree: Node) -> _Sequence:
    children = place.children()
    step = 2 if tree.separated else 1
    found = children[::step]
    starts = [child.start for child in found]
    cuts = starts if step == 1 else [starts[0], *(child.start for child in children[1::2])]
    return _Sequence(starts, [child.end for child in found], cuts, found, tree.least)


def _splices(spans: list[tuple[int, int]]) -> list[Splice]:
    """Order spans, and join those that overlap or touch."""
    joined: list[Splice] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]), "")
        else:
            joined.append((start, end, ""))
    return joined
