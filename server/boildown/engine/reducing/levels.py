"""Level-wise delta debugging: ddmin over all nodes of one depth, which HDD and GTR share.

The reducers differ in which subtree may replace a node that can't be deleted. Source of ddmin:
Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Kind, Node, Place, Tree

Substitute: TypeAlias = Callable[[Tree], "Tree | None"]
"""Returns the replacement of a subtree that can't be deleted; None if there is none."""


class TreeLevel:
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


def levels(problem: Problem) -> Iterator[TreeLevel]:
    """Yield the levels of the best tree, the root's first, as long as it has more."""
    level = TreeLevel(problem, 0, [Place(problem.tree, 0)])
    while level.places():
        yield level
        level = TreeLevel(problem, level.depth + 1, _below(level.places()))


def _below(places: Iterable[Place]) -> list[Place]:
    return [child for place in places for child in place.children()]


def delete_nodes(level: TreeLevel, substitute: Substitute) -> None:
    """Delete nodes of a level by ddmin: all of them, then complements.

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


def _deletable(level: TreeLevel, substitute: Substitute) -> list[Place]:
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
    return isinstance(parent, Node) and place.index % parent.stride == 1


def _may_go(place: Place) -> bool:
    """Say whether a place is a list's item, of more than there must be, or an optional part."""
    parent = None if place.parent is None else place.parent.tree
    return isinstance(parent, Node) and parent.may_lose


def _complements(
    problem: Problem, nodes: Sequence[Place], pieces: int, substitute: Substitute
) -> Iterator[Candidate | None]:
    for piece in range(pieces):
        start, end = (len(nodes) * k // pieces for k in (piece, piece + 1))
        yield _without(problem, nodes[start:end], substitute)


def _without(problem: Problem, gone: Sequence[Place], substitute: Substitute) -> Candidate | None:
    """Make a candidate without some nodes of one level; None where that changes nothing."""
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
    """Return a list or option without some children; items below the minimum are substituted."""
    assert isinstance(parent, Node)
    if parent.kind is Kind.OPTION:
        return trees.with_children(parent, ())
    dropped = {place.index // parent.stride for place in gone}
    count = parent.count
    spare = max(parent.least - (count - len(dropped)), 0)
    for index in sorted(dropped)[:spare]:
        dropped.remove(index)
        new = substitute(parent.items[index])
        if new is not None:
            parent = trees.with_child(parent, index * parent.stride, new)
    return trees.with_items(parent, (index for index in range(count) if index not in dropped))
