"""Reduction level by level: delta debugging over all nodes that stand equally deep in the tree.

What hierarchical reducers share; they differ in what may take the place of a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Kind, Node, Place, Tree

Substitute: TypeAlias = Callable[[Tree], "Tree | None"]
"""What may stand for a subtree that has to leave something behind; None if nothing may."""


class Level:
    """The nodes of the best tree at one depth; found anew where the tree has changed."""

    def __init__(self, problem: Problem, depth: int, places: list[Place]) -> None:
        self.problem = problem
        self.depth = depth
        self._root = problem.tree
        self._places = places

    def places(self) -> list[Place]:
        """Return the places at the depth, from left to right."""
        if self.problem.tree is not self._root:
            self._root = self.problem.tree
            self._places = [Place(self._root, 0)]
            for _ in range(self.depth):
                self._places = _below(self._places)
        return self._places


def levels(problem: Problem) -> Iterator[Level]:
    """Yield the levels of the best tree, the root's first, as long as it has more."""
    level = Level(problem, 0, [Place(problem.tree, 0)])
    while level.places():
        yield level
        level = Level(problem, level.depth + 1, _below(level.places()))


def _below(places: Iterable[Place]) -> list[Place]:
    return [child for place in places for child in place.children()]


def delete_nodes(level: Level, substitute: Substitute) -> None:
    """Delete what can go of the nodes of a level, by ddmin: all of them, then complements.

    List items and optional parts go without a trace, where the list allows; for anything else
    `substitute` has to give something smaller. Costs a run if all can go, O(n²) for n nodes in
    the worst case.
    """
    problem = level.problem
    nodes = _deletable(level, substitute)
    if not nodes or problem.consider(_without(problem, nodes, substitute)):
        return
    pieces = 2
    while len(nodes) > 1:
        if problem.consider_first(_complements(problem, nodes, pieces, substitute)) is not None:
            nodes = _deletable(level, substitute)
            pieces = max(pieces - 1, 2)
        elif pieces >= len(nodes):
            return
        else:
            pieces = min(pieces * 2, len(nodes))


def _deletable(level: Level, substitute: Substitute) -> list[Place]:
    """Return the nodes of a level that may go, or leave something smaller behind."""
    return [
        place
        for place in level.places()
        if place.tree.width
        and not _is_separator(place)
        and (_may_go(place) or substitute(place.tree) is not None)
    ]


def _is_separator(place: Place) -> bool:
    parent = None if place.parent is None else place.parent.tree
    return isinstance(parent, Node) and parent.separated and place.index % 2 == 1


def _may_go(place: Place) -> bool:
    """Say whether a place is a list's item, of more than there must be, or an optional part."""
    parent = None if place.parent is None else place.parent.tree
    if not isinstance(parent, Node) or parent.kind is Kind.RULE:
        return False
    return parent.kind is Kind.OPTION or _count(parent) > parent.least


def _count(parent: Node) -> int:
    """Return how many items a list has."""
    return (len(parent.children) + 1) // 2 if parent.separated else len(parent.children)


def _complements(
    problem: Problem, nodes: Sequence[Place], pieces: int, substitute: Substitute
) -> Iterator[Candidate | None]:
    for piece in range(pieces):
        start, end = (len(nodes) * k // pieces for k in (piece, piece + 1))
        yield _without(problem, nodes[start:end], substitute)


def _without(problem: Problem, gone: Sequence[Place], substitute: Substitute) -> Candidate | None:
    """Propose the best tree without some nodes of one level; None where that changes nothing."""
    edits: list[tuple[Place, Tree]] = []
    families: dict[Place, list[Place]] = {}
    for place in gone:
        if place.parent is not None and _may_go(place):
            families.setdefault(place.parent, []).append(place)
        elif (new := substitute(place.tree)) is not None:
            edits.append((place, new))
    for parent, children in families.items():
        edits.append((parent, _thinned(parent.tree, children, substitute)))
    return edited(problem, edits) if edits else None


def _thinned(parent: Tree, gone: Sequence[Place], substitute: Substitute) -> Tree:
    """Return a list or option without some children; what must stay in number is substituted."""
    assert isinstance(parent, Node)
    if parent.kind is Kind.OPTION:
        return trees.with_children(parent, ())
    step = 2 if parent.separated else 1
    dropped = {place.index // step for place in gone}
    count = _count(parent)
    spare = max(parent.least - (count - len(dropped)), 0)
    for index in sorted(dropped)[:spare]:
        dropped.remove(index)
        new = substitute(parent.items[index])
        if new is not None:
            parent = trees.with_child(parent, index * step, new)
    return trees.with_items(parent, (index for index in range(count) if index not in dropped))
