"""Syntax-guided reduction: candidates that keep the grammar by construction.

Source: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-Guided Program Reduction", ICSE 2018. The tree
comes in Perses normal form: what may be repeated is a list node, what may be absent an option.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator

from boildown import tree as trees
from boildown.engine.candidates import hoisted, removed
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.lists import delete_items
from boildown.tree import Kind, Leaf, Node, Place, Tree

SEARCH_DEPTH = 5
"""How many levels below a node, chains not counted, its replacement is looked for."""


def perses(problem: Problem) -> None:
    """Work through the nodes, the largest first, until a whole round removes nothing.

    A list loses items, an option its child; any other node is replaced by the smallest of its
    descendants that the place accepts and that still reproduces, or else its children are next.
    Costs a few runs per node that has to stay.
    """
    before = None
    while problem.text != before:
        before = problem.text
        _round(problem)


def _round(problem: Problem) -> None:
    queue: list[tuple[int, int, Place, Tree]] = [(0, 0, Place(problem.tree, 0), problem.tree)]
    pushed = 1
    while queue:
        *_, place, root = heapq.heappop(queue)
        place = _current(problem, place, root)
        root = problem.tree
        replaced = _reduce_node(problem, place)
        place = _current(problem, place, root)
        for child in [place] if replaced else place.children():
            if isinstance(child.tree, Node) and child.tree.width:
                heapq.heappush(queue, (-child.tree.width, pushed, child, problem.tree))
                pushed += 1


def _current(problem: Problem, place: Place, root: Tree) -> Place:
    """Return the place of the best tree that has the path of a place of another tree.

    Where that is the same tree no path is followed, which takes time by its length.
    """
    return place if root is problem.tree else trees.place_at(problem.tree, place.path())


def _reduce_node(problem: Problem, place: Place) -> bool:
    """Reduce one node; say whether another one stands in its place now."""
    if isinstance(place.tree, Leaf):
        return False
    if place.tree.kind is Kind.OPTION:
        problem.consider(removed(problem, place))
        return False
    if place.tree.kind is Kind.LIST:
        root = problem.tree
        delete_items(problem, place)
        place = _current(problem, place, root)
    return problem.consider_first(replacements(problem, place)) is not None


def replacements(problem: Problem, place: Place) -> Iterator[Candidate]:
    """Yield the descendants that the place accepts in its stead, the smallest first."""
    found = sorted(compatible(problem, place), key=lambda inner: inner.tree.width)
    for inner in found:
        yield hoisted(problem, place, inner)


def compatible(problem: Problem, place: Place, deep: int = 1) -> list[Place]:
    """Find the nearest descendants that may stand in place of a subtree.

    On each path down these are the first `deep` ones.
    """
    tree = place.tree
    found: list[Place] = []
    near: deque[tuple[Tree, int, int, int]] = deque([(tree, place.start, 0, 0)])
    while near:
        above, start, depth, passed = near.popleft()
        if isinstance(above, Leaf) or depth > SEARCH_DEPTH or passed == deep:
            continue
        step = 0 if len(above.children) == 1 else 1
        for child in above.children:
            fitting = child.width != tree.width and problem.language.fits(tree.label, child.label)
            if fitting:
                found.append(Place(child, start))
            near.append((child, start, 0 if fitting else depth + step, passed + fitting))
            start += child.width
    return found
