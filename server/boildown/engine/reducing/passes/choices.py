"""Internal reduction: shrinks the generator's choices that make the text, as Hypothesis does.

Sources: MacIver and Donaldson, "Test-Case Reduction via Test-Case Generation: Insights From the
Hypothesis Reducer", ECOOP 2020, for the sequence of choices, its order and most of the steps;
Gopinath's reduction of a generator's choices by delta debugging, also with `NOP`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from boildown.engine.candidates import retext
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.choices import NOP, Choices, Generated, Generator, Span
from boildown.engine.reducing.retracing import retrace

Cut: TypeAlias = Callable[[Choices, int, int], Sequence[int]]
"""Returns a sequence with the range between two positions deleted or simplified."""


def choices(problem: Problem) -> None:
    """Shorten the sequence of choices, then the text that they make.

    Delta debugging, then parts replaced by parts of themselves or by the simplest of their sort,
    runs left out or set to zero, single choices lowered, neighbours put in order; over and over
    until nothing gives. Costs a few runs per choice and round; sequences that make no text, or
    the text that is known already, cost none. Does nothing without a grammar.
    """
    search = _search(problem)
    if search is None:
        return
    before = None
    while search.best is not before:
        before = search.best
        _ddmin(search, _deleted)
        _sweep(search, _hoisted)
        _sweep(search, _without_items)
        _sweep(search, search.trivial)
        _adaptive(search, _deleted)
        _adaptive(search, _zeroed)
        _sweep(search, _lowered)
        _sweep(search, _swapped)


def choices_nop(problem: Problem) -> None:
    """Delta debugging of the choices with a `NOP` in place of deleted ones, to a fixpoint.

    The `NOP` is meant to keep what follows in step. O(n²) runs for n choices in the worst case.
    """
    search = _search(problem)
    before = None
    while search is not None and search.best is not before:
        before = search.best
        _ddmin(search, _with_nop)


class _Search:
    """The best sequence of choices so far."""

    def __init__(self, view: Problem, generator: Generator, best: Generated) -> None:
        self.best = best
        self._view = view
        self._generator = generator

    def first(self, sequences: Iterable[Sequence[int]]) -> int | None:
        """Try sequences until one reproduces; return its index, or None.

        One that makes the best text with fewer choices needs no run.
        """
        made: list[tuple[int, Generated]] = []

        def candidates() -> Iterator[Candidate]:
            for index, sequence in enumerate(sequences):
                new = self._generator.generate(sequence)
                if new is not None and new.order < self.best.order:
                    made.append((index, new))
                    if new.text == self._view.text:
                        return
                    yield retext(self._view, new.text)

        hit = self._view.consider_first(candidates())
        if hit is None and made and made[-1][1].text == self._view.text:
            hit = -1
        if hit is None:
            return None
        index, self.best = made[hit]
        return index

    def trivial(self, best: Generated) -> Iterator[Sequence[int]]:
        """Yield the choices with a part as simple as its sort can be, the longest part first."""
        for span in _largest_first(best):
            least = self._generator.least.get(span.label)
            if not span.item and least is not None and len(least) <= span.end - span.start:
                yield (*best.choices[: span.start], *least, *best.choices[span.end :])


def _search(problem: Problem) -> _Search | None:
    """Find the choices that make the best text, and see that the text they make reproduces."""
    language = problem.language
    parsed = language.parse(problem.text)
    for scope in [language.scope, {}] if language.scope else [{}]:
        generator = Generator(language, parsed.tree, scope)
        found = retrace(generator, parsed.tree) if parsed.valid else None
        made = None if found is None else generator.generate(found)
        if made is None:
            continue
        view = problem.view()
        if made.text == view.text or view.consider(retext(view, made.text)):
            return _Search(view, generator, made)
    return None


def _ddmin(search: _Search, cut: Cut) -> None:
    """Cut out pieces, half as long as the sequence at first, going on from where one succeeded."""
    length = len(search.best.choices) // 2
    start = 0
    while length:
        best = search.best.choices
        starts = range(start, len(best), length)
        hit = search.first(cut(best, low, low + length) for low in starts)
        if hit is None:
            start, length = 0, length // 2
        else:
            start = starts[hit]


def _deleted(best: Choices, low: int, high: int) -> Sequence[int]:
    return best[:low] + best[high:]


def _zeroed(best: Choices, low: int, high: int) -> Sequence[int]:
    return (*best[:low], *[0] * (high - low), *best[high:])


def _with_nop(best: Choices, low: int, high: int) -> Sequence[int]:
    """Put a NOP in place of a piece and one choice more: that before it, or else that after it."""
    if low:
        return (*best[: low - 1], NOP, *best[high:])
    return (NOP, *best[high + 1 :])


def _adaptive(search: _Search, cut: Cut) -> None:
    """Cut out as much as goes before each position, from the back to the front."""
    high = len(search.best.choices)
    while high > 0:
        base, end = search.best.choices, high

        def goes(length: int, base: Choices = base, end: int = end) -> bool:
            return length <= end and search.first([cut(base, end - length, end)]) is not None

        high -= max(find_integer(goes), 1)
        high = min(high, len(search.best.choices))


def find_integer(holds: Callable[[int], bool]) -> int:
    """Return a number for which something holds and for the next does not; it holds for 0.

    Asks about O(log n) times for the number n (MacIver's exponential probe).
    """
    for number in range(1, 5):
        if not holds(number):
            return number - 1
    low, high = 4, 5
    while holds(high):
        low, high = high, high * 2
    while low + 1 < high:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _sweep(search: _Search, steps: Callable[[Generated], Iterable[Sequence[int]]]) -> None:
    """Try all steps of one kind, going on from where one succeeded."""
    at = 0
    while True:
        hit = search.first(islice(steps(search.best), at, None))
        if hit is None:
            return
        at += hit


def _largest_first(best: Generated) -> list[Span]:
    return sorted(best.spans, key=lambda span: span.start - span.end)


def _hoisted(best: Generated) -> Iterator[Sequence[int]]:
    """Yield the choices with a part in place of the nearest of its sort around it."""
    pairs: list[tuple[Span, Span]] = []
    around: dict[str, list[Span]] = {}
    for span in best.spans:
        if span.item:
            continue
        outer = around.setdefault(span.label, [])
        while outer and outer[-1].end < span.end:
            outer.pop()
        if outer and outer[-1].end - outer[-1].start > span.end - span.start:
            pairs.append((outer[-1], span))
        outer.append(span)
    pairs.sort(key=lambda pair: pair[0].start - pair[0].end + pair[1].end - pair[1].start)
    for whole, part in pairs:
        inner = best.choices[part.start : part.end]
        yield best.choices[: whole.start] + inner + best.choices[whole.end :]


def _without_items(best: Generated) -> Iterator[Sequence[int]]:
    """Yield the choices with an item of a list left out, the longest first."""
    for span in _largest_first(best):
        if span.item:
            yield _deleted(best.choices, span.start, span.end)


def _lowered(best: Generated) -> Iterator[Sequence[int]]:
    """Yield the choices with one of them lower."""
    for at, choice in enumerate(best.choices):
        for lower in sorted({0, 1, choice // 2, choice - 1}):
            if 0 <= lower < choice:
                yield (*best.choices[:at], lower, *best.choices[at + 1 :])


def _swapped(best: Generated) -> Iterator[Sequence[int]]:
    """Yield the choices with two neighbouring parts of a sort exchanged."""
    starts: dict[tuple[str, int], Span] = {}
    for span in best.spans:
        starts[span.label, span.start] = span
    for first in best.spans:
        second = starts.get((first.label, first.end))
        if second is not None and first.start < first.end < second.end:
            middle = best.choices[second.start : second.end] + best.choices[first.start : first.end]
            yield best.choices[: first.start] + middle + best.choices[second.end :]
