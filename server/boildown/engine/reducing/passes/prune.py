"""Prunes list items and optional subtrees, the heaviest first (Pardis, weighted ddmin).

A heavy unit that can't go is no reason to wait with the lighter ones inside it. So what counts is
the weight times the share of units of the kind that went: where functions fail since calls to them
remain, statements are next. Kinds are told by the label of the list and by its depth.

Sources: the order is that of Gharachorlu and Sumner, "Pardis: Priority Aware Test Case Reduction",
FASE 2019; the splitting of long lists by weight that of Zhou et al., "WDD: Weighted Delta
Debugging", ICSE 2025. Both are one queue here: what may go together is tried together, and where
it may not, in two halves of equal weight.
"""

from __future__ import annotations

import heapq
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from boildown.engine.candidates import spliced
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Kind, Leaf, Node, Place, merged

SCEPTICISM = 4
"""Units that count as left out of each kind before any was tried, so little does a failure say."""
MANY_ITEMS = 100_000
"""Of a list of more items the half is measured by offsets, separators included."""


def prune(problem: Problem) -> None:
    """Leave out list items and optional parts, trying each at most once.

    Costs about k log(n/k) runs where k of n parts have to stay, so a large input with a small
    cause takes few. What became removable only by a later success is left to the next round.
    """
    pruning = Pruning(problem, _lists_in(Place(problem.tree, 0)))
    while (hit := problem.consider_first(pruning.candidates())) is not None:
        pruning.accept(hit)


@dataclass(slots=True, eq=False)
class PrunedList:
    """A list or option of a text, with the ranges of its items that are gone."""

    starts: Sequence[int]
    ends: Sequence[int]
    """Where each item starts and ends in the text."""
    cuts: Sequence[int]
    """Where each item's cut starts: at its separator, if there is one."""
    inside: Callable[[int], Iterable[PrunedList]]
    """Returns the nearest lists and options inside an item."""
    least: int = 0
    kind: tuple[str, int] = ("", 0)
    """Its label, and how many lists and options it is inside of."""
    gone: list[tuple[int, int]] = field(default_factory=list)

    def without(self, low: int, high: int) -> list[tuple[int, int]]:
        """Return the gone ranges with one more, in order, those that touch joined."""
        return merged([*self.gone, (low, high)])

    def spans(self, gone: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield the spans of the text to cut so that these ranges are gone."""
        for low, high in gone:
            if low > 0:
                yield self.cuts[low], self.ends[high - 1]
            elif high == len(self.starts):
                yield self.starts[0], self.ends[-1]
            else:
                yield self.starts[0], self.starts[high]

    def middle(self, low: int, high: int) -> int:
        """Return the item that the second half, by weight, of a range begins with."""
        if high - low > MANY_ITEMS:
            half = (self.starts[low] + self.ends[high - 1]) // 2
            return min(bisect(self.starts, half, low, high), high - 1)
        spans = zip(self.starts[low:high], self.ends[low:high], strict=True)
        return low + _middle([end - start for start, end in spans])


@dataclass(slots=True, eq=False)
class _Unit:
    """Items that are left out together, if they can be."""

    sequence: PrunedList
    low: int
    high: int
    weight: int
    order: int = 0
    """When it was first put into the queue; of two of the same weight the earlier one is first."""
    alive: bool = True


class _Kind:
    """The units of the lists of one kind: those that wait, and how often others were left out."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, _Unit]] = []
        self.tried = SCEPTICISM
        self.succeeded = SCEPTICISM

    def worth(self) -> float:
        """Return how many characters a run on the heaviest unit is expected to remove."""
        while self.waiting and not self.waiting[0][2].alive:
            heapq.heappop(self.waiting)
        return -self.waiting[0][0] * self.succeeded / self.tried if self.waiting else 0.0


class Pruning:
    """The queue of units over the lists of the text that the pass began with.

    Candidates are taken ahead of their verdicts, as if each failed. A success puts back what was
    taken after it, so the order is the same however far ahead they are taken.
    """

    def __init__(self, problem: Problem, lists: Iterable[PrunedList], free: bool = False) -> None:
        self._problem = problem
        self._free = free
        self._text = problem.text
        self._cut: list[PrunedList] = []
        self._kinds: dict[tuple[str, int], _Kind] = {}
        self._pushed = 0
        self._taken: list[tuple[_Unit, list[_Unit]]] = []
        for each in lists:
            self._push(_unit(each, 0, len(each.starts)))

    def candidates(self) -> Iterator[Candidate | None]:
        """Yield the candidates, the one of which most is expected first."""
        self._taken = []
        while (kind := max(self._kinds.values(), key=_Kind.worth, default=None)) and kind.waiting:
            unit = heapq.heappop(kind.waiting)[2]
            if unit.alive and not self._is_gone(unit):
                parts: list[_Unit] = []
                self._taken.append((unit, parts))
                kind.tried += 1
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
        self._kinds[unit.sequence.kind].succeeded += 1
        for later, parts in self._taken[hit:]:
            # Its halves were queued as if it had failed. They are reached again if it does fail.
            for part in parts:
                part.alive = False
            if later is not unit:
                self._kinds[later.sequence.kind].tried -= 1
                self._push(later)

    def _push(self, unit: _Unit) -> None:
        if not unit.order:
            self._pushed += 1
            unit.order = self._pushed
        kind = self._kinds.setdefault(unit.sequence.kind, _Kind())
        heapq.heappush(kind.waiting, (-unit.weight, unit.order, unit))

    def _candidate(self, unit: _Unit) -> Candidate | None:
        sequence = unit.sequence
        gone = sequence.without(unit.low, unit.high)
        if len(sequence.starts) - sum(high - low for low, high in gone) < sequence.least:
            return None
        spans = [span for each in self._cut for span in each.spans(each.gone)]
        spans.extend(sequence.spans(gone))
        language = self._problem.language
        splices = [(start, end, "") for start, end in merged(spans)]
        wanted = spliced(self._text, splices, language.gap)
        return Candidate(wanted, lambda: language.parse(wanted).tree, self._free)

    def _is_gone(self, unit: _Unit) -> bool:
        start = unit.sequence.starts[unit.low]
        return any(low <= start < high for each in self._cut for low, high in each.spans(each.gone))

    def _parts(self, unit: _Unit) -> Iterator[_Unit]:
        """Yield the units to try where this one has to stay as a whole."""
        sequence = unit.sequence
        if unit.high - unit.low == 1:
            for each in sequence.inside(unit.low):
                yield _unit(each, 0, len(each.starts))
            return
        middle = sequence.middle(unit.low, unit.high)
        for low, high in ((unit.low, middle), (middle, unit.high)):
            yield _unit(sequence, low, high)


def _middle(weights: Sequence[int]) -> int:
    """Return how many of two or more weights, from the left, come nearest to half of them all."""
    sums = list(accumulate(weights))
    return min(range(1, len(sums)), key=lambda count: abs(sums[count - 1] - sums[-1] / 2))


def _unit(sequence: PrunedList, low: int, high: int) -> _Unit:
    return _Unit(sequence, low, high, sequence.ends[high - 1] - sequence.starts[low])


def _lists_in(place: Place, depth: int = 0) -> Iterator[PrunedList]:
    """Yield the nearest lists and options at and below a place of a tree."""
    stack = [place]
    while stack:
        place = stack.pop()
        tree = place.tree
        if isinstance(tree, Leaf) or not tree.width:
            continue
        if tree.kind is Kind.RULE:
            stack.extend(reversed(place.children()))
        elif tree.children:
            yield list_at(place, tree, depth)


def list_at(place: Place, tree: Node, depth: int) -> PrunedList:
    """Return the list or option at a place, which has items."""
    found = place.items()
    starts = [item.start for item in found]
    ends = [item.end for item in found]
    # Of a separated list, an item's separator begins where the item before it ends.
    cuts = [starts[0], *ends[:-1]] if tree.separated else starts
    return PrunedList(
        starts,
        ends,
        cuts,
        lambda index: _lists_in(found[index], depth + 1),
        tree.least,
        (tree.label, depth),
    )
