"""Grammar-based reduction (GRABR): smaller subtrees or shorter expansions of the same symbol.

Source: GRABR, the grammar-based reducer of Zeller et al., "The Fuzzing Book" (2019 and later),
chapter "Reducing Failure-Inducing Inputs". A subtree is replaced by one of the same symbol from
within itself, or by another alternative of its symbol whose parts all occur in it; so every
candidate follows the grammar. Smaller means fewer nodes here.

The book writes lists as recursive rules. A list node is read like one: what begins at any of its
items is a list inside it, and may be replaced by what begins at a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import Optional, TypeAlias

from boildown import tree as trees
from boildown.engine.candidates import apart, edited, items
from boildown.engine.language import Language
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.ahead import Attempt, try_all
from boildown.tree import Kind, Node, Place, Tree

MAX_COMBINATIONS = 1000
"""Combinations of parts that are considered for one alternative at most."""

Reductions: TypeAlias = Callable[[Tree], Iterable[Tree]]
"""Returns the replacements of a subtree to try, in order."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Which replacements are tried."""

    subtrees: bool = True
    expansions: bool = True
    combinations: int = 1
    """How many combinations of parts are tried for one alternative."""


def grammar(problem: Problem) -> None:
    """Replace subtrees by smaller ones of the same symbol, then by alternative expansions.

    An alternative takes the first parts that fit. Works from the top down and tries all subtrees
    of a symbol; costs a run for each, which is up to O(n²) for n nodes.
    """
    _walk(problem.view(), Strategy())


def grammar_subtrees(problem: Problem) -> None:
    """Replace subtrees by smaller ones of the same symbol only; up to O(n²) runs."""
    _walk(problem.view(), Strategy(expansions=False))


def grammar_expansions(problem: Problem) -> None:
    """Replace subtrees by alternative expansions only; a run per node and alternative."""
    _walk(problem.view(), Strategy(subtrees=False))


def grammar_all(problem: Problem) -> None:
    """Replace subtrees as `grammar` does, but try all combinations of parts.

    Costs up to `MAX_COMBINATIONS` runs for each node and alternative.
    """
    _walk(problem.view(), Strategy(combinations=MAX_COMBINATIONS))


def grammar_depth(problem: Problem) -> None:
    """Replace subtrees as `grammar` does, by the nearest, and so the largest, descendants first.

    Looks one level down everywhere, then two, and so on; starts over after each level at which
    something gave. Costs few runs where a few large cuts are enough.
    """
    view = problem.view()
    depth = 1
    while depth < _height(view.tree):
        depth = 1 if _walk(view, Strategy(), depth) else depth + 1


def _walk(problem: Problem, strategy: Strategy, depth: int | None = None) -> bool:
    counts = Counts()

    def reductions(tree: Tree) -> Iterator[Tree]:
        most = counts.of(tree)
        for new in alternatives(problem.language, counts, strategy, tree, tree.label, depth):
            if counts.of(new) < most:
                yield new

    return reduce_tree(problem, reductions, depth, lists=strategy.subtrees)


def reduce_tree(
    problem: Problem, reductions: Reductions, depth: int | None = None, lists: bool = True
) -> bool:
    """Work through the nodes from the top down; say whether anything was replaced.

    The children of a node are tried one after the other until none gives, then theirs are next.
    The root itself stays. With `lists`, list items are dropped; just `depth` at a time if given.
    """
    before = problem.text
    walk = _Walk(problem, reductions, depth, lists)
    try_all(problem, walk.attempts(((problem.tree, Place(problem.tree, 0)), None)))
    return problem.text != before


_Stack: TypeAlias = Optional["tuple[tuple[Tree, Place], _Stack]"]
"""The places that wait, the next one first, each with the tree that it is a place of."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """The arguments of `reduce_tree`."""

    problem: Problem
    reductions: Reductions
    depth: int | None
    lists: bool

    def attempts(
        self, stack: _Stack, place: Place | None = None, at: int = 0, item: int = 0
    ) -> Iterator[Attempt]:
        """Resume at the reduced child of a place, and at its items."""
        root = self.problem.tree
        reduced = place is not None
        while place is not None or stack is not None:
            if place is None:
                assert stack is not None
                (old, place), stack = stack
                place = place if old is root else trees.find_place(root, place.path())
                continue
            children = place.children()
            for index in range(at, len(children)):
                child = children[index]
                if isinstance(child.tree, Node):
                    accepted = partial(self._accepted, stack, place, index)
                    for number in self._items(child, item):
                        yield Attempt(self._drops(child, number), partial(accepted, number))
                    news = self.reductions(child.tree)
                    yield Attempt(self._edits(child, news), partial(accepted, None))
                item = 0
            at = 0
            if not reduced:
                for child in reversed(children):
                    stack = (root, child), stack
                place = None
            reduced = False

    def _accepted(
        self, stack: _Stack, place: Place, at: int, item: int | None, _hit: int
    ) -> Iterator[Attempt]:
        """Go on where an item of a child was dropped, or after a child that was replaced."""
        found = trees.find_place(self.problem.tree, place.path())
        if found is None:
            return self.attempts(stack)
        return self.attempts(stack, found, *((at + 1, 0) if item is None else (at, item)))

    def _edits(self, place: Place, news: Iterable[Tree]) -> Iterator[Candidate]:
        return (edited(self.problem, [(place, new)]) for new in news)

    def _items(self, place: Place, start: int) -> range:
        """Return the numbers of the items of a list from which on some are dropped."""
        node = place.tree
        if not self.lists or not isinstance(node, Node) or node.kind is not Kind.LIST:
            return range(0)
        return range(start, node.count)

    def _drops(self, place: Place, at: int) -> Iterator[Candidate | None]:
        """Drop items of a list from one on: one, two and so on, or just `depth`."""
        listed = items(self.problem, place)
        ends = range(at + 1, len(listed) + 1) if self.depth is None else (at + self.depth,)
        return (listed.without([(at, end)]) for end in ends if end <= len(listed))


def alternatives(
    language: Language,
    counts: Counts,
    strategy: Strategy,
    tree: Tree,
    label: str,
    depth: int | None = None,
) -> Iterator[Tree]:
    """Yield the subtrees and expansions of a symbol within a tree; no text twice."""
    found: list[Iterable[Tree]] = []
    if strategy.subtrees:
        found.append(subtrees(tree, label, depth))
    if strategy.expansions:
        found.append(expansions(language, counts, tree, label, depth, strategy.combinations))
    seen = set()
    for some in found:
        for new in some:
            text = trees.text(new)
            if text not in seen:
                seen.add(text)
                yield new


def subtrees(tree: Tree, label: str, depth: int | None = None) -> Iterator[Tree]:
    """Yield the subtrees with a label inside a tree, from left to right, outer ones first.

    With `depth`, only those that many levels below the tree's root.
    """
    stack = [(tree, 0)]
    while stack:
        top, level = stack.pop()
        if level and top.label == label and depth in (None, level):
            yield top
        if isinstance(top, Node) and level != depth:
            stack.extend((child, level + 1) for child in reversed(top.children))


def expansions(
    language: Language,
    counts: Counts,
    tree: Tree,
    label: str,
    depth: int | None = None,
    most: int = 1,
) -> list[Tree]:
    """Return alternative expansions of a symbol with parts of a tree, by number of nodes.

    Each has fewer nodes than the tree; at most `most` for each alternative.
    """
    known = language.expansions(label)
    if known is None or known.endless:
        return []
    found: list[Tree] = []
    for labels in sorted(known.alternatives, key=len):
        parts = [list(subtrees(tree, part, depth)) for part in labels]
        made = (
            node_of(tree, label, apart(chosen, language.gap))
            for chosen in islice(product(*parts), MAX_COMBINATIONS)
            if 1 + sum(map(counts.of, chosen)) < counts.of(tree)
        )
        found += islice(made, most)
    return sorted(found, key=counts.of)


def node_of(like: Tree | None, label: str, parts: Iterable[Tree]) -> Node:
    """Make a node of some parts, of the kind of a given node of the same label."""
    if isinstance(like, Node) and like.label == label:
        return trees.with_children(like, tuple(parts))
    return Node(label, tuple(parts))


class Counts:
    """Counts the nodes and leaves of trees, with memory."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Tree, int]] = {}

    def of(self, tree: Tree) -> int:
        """Return the number of nodes and leaves of a tree."""
        pending = [tree]
        while pending:
            top = pending[-1]
            children = top.children if isinstance(top, Node) else ()
            missing = [child for child in children if id(child) not in self._known]
            if missing and id(top) not in self._known:
                pending += missing
                continue
            pending.pop()
            total = 1 + sum(self._known[id(child)][1] for child in children)
            self._known[id(top)] = (top, total)
        return self._known[id(tree)][1]


def _height(tree: Tree) -> int:
    """Return how many levels a tree has."""
    height = 0
    level: list[Tree] = [tree]
    while level:
        height += 1
        level = [child for top in level if isinstance(top, Node) for child in top.children]
    return height
