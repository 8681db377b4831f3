"""Inputs between the smallest and the original: as people write them, and made without a grammar.

A text from which items of lists were left out, and nothing else, lies inside the original: each of
its items is one of the original's. The items that went are free, and any of them may come back;
those that stayed are needed, and without one of them a large input should pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from boildown.engine.candidates import spliced
from boildown.engine.language import Language
from boildown.engine.oracle import Outcome
from boildown.engine.reducing.passes.prune import PrunedList, list_at
from boildown.tree import Kind, Leaf, Node, Place, Tree, merged

DEEPEST = 150
"""Levels of a tree that are compared."""
SHARES = (0.95, 0.8, 0.5, 0.2)
"""The shares of the free items that stay, in turns. The largest inputs say the most."""
EACH_SIDE = 12
"""Inputs of either outcome that are wanted."""
MOST_RUNS = 50
"""Inputs that are run for them, at most."""


@dataclass(frozen=True, slots=True)
class Between:
    """A text with one inside that is left if items of its lists go."""

    text: str
    """The larger one."""
    language: Language
    lists: tuple[tuple[PrunedList, tuple[int, ...]], ...]
    """The lists of the larger one around what stayed, each with the items that did."""

    @property
    def needed(self) -> list[tuple[int, int]]:
        """The items that stayed, each as the number of its list and its own."""
        return [(at, item) for at, (_, kept) in enumerate(self.lists) for item in kept]

    def variant(self, rng: Random, share: float, without: tuple[int, int] | None = None) -> str:
        """Return the larger text with such a share of the free items, and without a needed one."""
        spans: list[tuple[int, int]] = []
        for at, (sequence, kept) in enumerate(self.lists):
            gone = merged(
                (item, item + 1)
                for item in range(len(sequence.starts))
                if (item not in kept and rng.random() >= share) or (at, item) == without
            )
            if len(sequence.starts) - sum(high - low for low, high in gone) >= sequence.least:
                spans += sequence.spans(gone)
        splices = [(start, end, "") for start, end in merged(spans)]
        return spliced(self.text, splices, self.language.gap)


def between(text: str, inner: Iterable[str], language: Language) -> Between | None:
    """Find the first of some texts that is a larger one without items of its lists; else None.

    What is left out may change how the rest is read, so not each text that pruning makes is one.
    """
    tree = language.parse(text).tree
    for each in inner:
        found = _embedded(Place(tree, 0), language.parse(each).tree, 0)
        if found is not None:
            return Between(text, language, tuple(found))
    return None


def _embedded(
    place: Place, inner: Tree, depth: int
) -> list[tuple[PrunedList, tuple[int, ...]]] | None:
    tree = place.tree
    if isinstance(tree, Leaf) or isinstance(inner, Leaf):
        same = isinstance(tree, Leaf) and isinstance(inner, Leaf) and tree.text == inner.text
        return [] if same and tree.label == inner.label else None
    if (tree.label, tree.kind) != (inner.label, inner.kind) or depth > DEEPEST:
        return None
    found: list[tuple[PrunedList, tuple[int, ...]]] = []
    if tree.kind is Kind.RULE:
        ours, theirs = _children(place), _without_end(inner)
        if len(ours) != len(theirs):
            return None
        for one, other in zip(ours, theirs, strict=True):
            if (part := _embedded(one, other, depth + 1)) is None:
                return None
            found += part
        return found
    kept: list[int] = []
    rest = enumerate(place.items())
    for wanted in inner.items:
        # The first item that fits: if there is another way, that is one, too.
        for index, item in rest:
            if (part := _embedded(item, wanted, depth + 1)) is not None:
                found += part
                kept.append(index)
                break
        else:
            return None
    return [(list_at(place, tree, depth), tuple(kept)), *found] if tree.children else found


def _children(place: Place) -> list[Place]:
    return place.children()[: len(_without_end(place.tree))]


def _without_end(tree: Tree) -> tuple[Tree, ...]:
    """Return the children without an empty leaf at the end, which only holds white space."""
    assert isinstance(tree, Node)
    last = tree.children[-1] if tree.children else None
    return tree.children[:-1] if isinstance(last, Leaf) and not last.text else tree.children


def large_inputs(
    found: Between, judge: Callable[[str], Outcome], rng: Random
) -> Iterator[tuple[str, bool]]:
    """Yield large inputs as they were run, each with whether it failed, about as many of both."""
    left = {True: EACH_SIDE, False: EACH_SIDE}
    seen = {found.text}
    needed = found.needed
    for number in range(MOST_RUNS):
        # The innermost items are the ones without which the most is left.
        fails = left[True] >= left[False] or not needed
        without = None if fails else needed[-1 - number % len(needed)]
        text = found.variant(rng, SHARES[number % len(SHARES)], without)
        if text in seen or not (fails or left[False]):
            continue
        seen.add(text)
        outcome = judge(text)
        if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
            failed = outcome is Outcome.REPRODUCED
            left[failed] -= 1
            yield text, failed
        if max(left.values()) <= 0:
            return
