"""Deletes white space and comments between tokens: all at once, or else by bisection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, chain
from typing import Optional, TypeAlias

from boildown import tree as trees
from boildown.engine.candidates import merge
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.ahead import Attempt, try_all
from boildown.tree import Kind, Leaf, Node, Place, Tree

_Changes: TypeAlias = Optional["tuple[int, list[str], _Changes]"]
"""The first leaf of a range with its new prefixes, and the changes before it."""

KEPT_STRUCTURE = 0.9
"""The share of the items of a text that must be left when white space goes everywhere."""


def squeeze(problem: Problem) -> None:
    """Delete all white space and comments, or at least comments and blank lines: two runs.

    Where lines have to stay, each level of indentation becomes one character wide, in a third run:
    no single line can be indented less than those of its block. What would take away structure,
    such as the lines of a text without a grammar, is left to `blanks`: the passes in between need
    it.
    """
    spans = _item_spans(problem.tree)
    for less in (_nothing, _one_break):
        candidate = _with_less(problem, less)
        if candidate is None:
            continue
        kept = spans & _item_spans(problem.language.parse(candidate.text).tree)
        if len(kept) < KEPT_STRUCTURE * len(spans):
            continue
        if problem.consider(candidate):
            break
    problem.consider(_with_narrow_lines(problem))


def _with_narrow_lines(problem: Problem) -> Candidate:
    """Propose the narrowest indentation in which the same lines are indented deeper.

    Lines inside of tokens stay.
    """
    root = problem.tree
    leaves = list(trees.leaves(root))
    widths = {len(found) for leaf in leaves for found in _INDENTATION.findall(leaf.prefix)}
    rank = {width: at for at, width in enumerate(sorted({0, *widths}))}

    def narrow(match: re.Match[str]) -> str:
        return match[0][: rank[len(match[0])]]

    prefixes = [_INDENTATION.sub(narrow, leaf.prefix) for leaf in leaves]
    text = "".join(prefix + leaf.text for prefix, leaf in zip(prefixes, leaves, strict=True))
    return Candidate(text, lambda: trees.with_prefixes(root, prefixes))


_INDENTATION = re.compile(r"(?<=\n)[ \t]+(?=\S|\Z)")
"""Of a line, in the prefix of a token."""


def _item_spans(tree: Tree) -> set[tuple[int, int]]:
    """Return the spans of items of several tokens, in tokens' characters alone."""
    offsets = {0: 0}
    items = []
    for place in trees.places(tree):
        if isinstance(place.tree, Leaf):
            offsets[place.end] = offsets[place.start] + len(place.tree.text)
        elif place.tree.width and _is_item(place):
            items.append(place)
    return {(offsets[item.start], offsets[item.end]) for item in items}


def _is_item(place: Place) -> bool:
    above = place.parent
    return above is not None and isinstance(above.tree, Node) and above.tree.kind is Kind.LIST


def blanks(problem: Problem) -> None:
    """Delete white space and comments everywhere; where that fails, in halves, and so on.

    Comments go first, then blank lines and spaces, then line breaks and indentation. Costs one run
    where none of it matters, some two runs for each place where it does.
    """
    if problem.consider(_with_less(problem, _nothing)):
        return
    for less in (_one_break, _nothing):
        prefixes = _Prefixes(problem)
        try_all(problem, _attempts(prefixes, less, [(0, len(prefixes.leaves))]))


def _attempts(
    prefixes: _Prefixes, less: Callable[[str], str], ranges: list[tuple[int, int]]
) -> Iterator[Attempt]:
    """Give ranges of leaves lesser prefixes, the last one first, or else their halves."""

    def accepted(changes: _Changes, left: list[tuple[int, int]], _hit: int) -> Iterator[Attempt]:
        prefixes.change(changes)
        return _attempts(prefixes, less, left)

    while ranges:
        low, high = ranges.pop()
        changes = prefixes.changes(less, low, high)
        if changes is not None:
            candidate = prefixes.candidate(changes)
            yield Attempt([candidate], partial(accepted, changes, ranges.copy()))
            if high - low > 1:
                middle = (low + high) // 2
                ranges += [(low, middle), (middle, high)]


def _with_less(problem: Problem, less: Callable[[str], str]) -> Candidate | None:
    """Propose other prefixes for all leaves; None if nothing changes."""
    prefixes = _Prefixes(problem)
    changes = prefixes.changes(less, 0, len(prefixes.leaves))
    return None if changes is None else prefixes.candidate(changes)


class _Prefixes:
    """The leaves of the best tree, of which ranges get other prefixes, from the right to the left.

    What stands to the left of a range that was changed has not moved, so a candidate takes time by
    the length of its range, and no tree is built before the end. The lesser prefixes are made once.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._root = problem.tree
        self.leaves = list(trees.leaves(self._root))
        self._old = [leaf.prefix for leaf in self.leaves]
        self._texts = [leaf.text for leaf in self.leaves]
        self._lessened: dict[Callable[[str], str], list[str]] = {}
        self._starts = [0, *accumulate(leaf.width for leaf in self.leaves)]
        self._changes: _Changes = None

    def changes(self, less: Callable[[str], str], low: int, high: int) -> _Changes:
        """Return other prefixes for the leaves from `low` to before `high`.

        None if nothing changes. A gap stays where two tokens would read as one.
        """
        if less not in self._lessened:
            self._lessened[less] = self._new_prefixes(less, "", 0, len(self.leaves))
        start = self._starts[low]
        # What stands before the first text of the range decides on the gap there.
        first = next((at for at in range(low, high) if self._texts[at]), high - 1) + 1
        before = self._problem.text[max(start - 1, 0) : start]
        new = self._new_prefixes(less, before, low, first)
        new += self._lessened[less][first:high]
        return None if new == self._old[low:high] else (low, new, self._changes)

    def candidate(self, changes: _Changes) -> Candidate:
        """Make a candidate of the last changes; those before them are in the best text."""
        assert changes is not None
        low, new, _ = changes
        high = low + len(new)
        text, start, end = self._problem.text, self._starts[low], self._starts[high]
        inside = chain.from_iterable(zip(new, self._texts[low:high], strict=True))
        wanted = "".join((text[:start], *inside, text[end:]))
        return Candidate(wanted, lambda: self._tree(changes))

    def change(self, changes: _Changes) -> None:
        """Note that a candidate was accepted."""
        self._changes = changes

    def _new_prefixes(
        self, less: Callable[[str], str], last: str, low: int, high: int
    ) -> list[str]:
        """Return the lesser prefixes of a range of leaves that follows a character."""
        gap = self._problem.language.gap
        new: list[str] = []
        for prefix, text in zip(self._old[low:high], self._texts[low:high], strict=True):
            if prefix:
                prefix = less(prefix) or (gap if merge(last, text[:1]) else "")
            new.append(prefix)
            last = (prefix + text)[-1:] or last
        return new

    def _tree(self, changes: _Changes) -> Tree:
        prefixes = self._old.copy()
        while changes is not None:
            low, new, changes = changes
            prefixes[low : low + len(new)] = new
        return trees.with_prefixes(self._root, prefixes)


def _nothing(_prefix: str) -> str:
    return ""


def _one_break(prefix: str) -> str:
    """Keep of white space with a line break only the last line's indentation, else nothing."""
    lines = prefix.split("\n")
    if len(lines) == 1:
        return ""
    indentation = lines[-1]
    return "\n" + indentation[: len(indentation) - len(indentation.lstrip())]
