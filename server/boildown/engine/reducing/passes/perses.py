"""Syntax-guided reduction: candidates that keep the grammar by construction.

Source: Sun, Li, Zhang, Gu and Su, "Perses: Syntax-Guided Program Reduction", ICSE 2018. The tree
comes in Perses normal form: what may be repeated is a list node, what may be absent an option.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial

from boildown import tree as trees
from boildown.engine.candidates import hoisted, removed
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.ahead import Attempt, try_all
from boildown.engine.reducing.lists import Sweep, deletions
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
    queue = _Queue(problem)
    queue.push([Place(problem.tree, 0)])
    try_all(problem, _attempts(problem, queue))


class _Queue:
    """The nodes that wait, the widest first."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._waiting: list[tuple[int, int, Place, Tree]] = []
        self._taken: list[tuple[int, int, Place, Tree]] = []
        self._pushed = 0

    def push(self, places: Iterable[Place]) -> None:
        """Put the nodes at some places of the best tree into the queue."""
        for place in places:
            if isinstance(place.tree, Node) and place.tree.width:
                self._pushed += 1
                node = (-place.tree.width, self._pushed, place, self._problem.tree)
                heapq.heappush(self._waiting, node)

    def pop(self) -> Place | None:
        """Take the next node out of the queue; return its place in the best tree."""
        if not self._waiting:
            return None
        self._taken.append(heapq.heappop(self._waiting))
        *_, place, root = self._taken[-1]
        return _current(self._problem, place, root)

    def mark(self) -> tuple[int, int]:
        """Return the numbers of nodes that were taken and pushed, for `back_to`."""
        return len(self._taken), self._pushed

    def back_to(self, mark: tuple[int, int]) -> None:
        """Put the queue back to how it was at a mark; it can't go back further any more."""
        taken, pushed = mark
        nodes = [*self._waiting, *self._taken[taken:]]
        self._waiting = [node for node in nodes if node[1] <= pushed]
        heapq.heapify(self._waiting)
        self._taken.clear()
        self._pushed = pushed


def _current(problem: Problem, place: Place, root: Tree) -> Place:
    """Return the place of the best tree that has the path of a place of another tree.

    Where that is the same tree no path is followed, which takes time by its length.
    """
    return place if root is problem.tree else trees.place_at(problem.tree, place.path())


def _attempts(
    problem: Problem, queue: _Queue, place: Place | None = None, sweep: Sweep | None = None
) -> Iterator[Attempt]:
    """Reduce one node after the other, first the list at `place` from a sweep on, if given."""
    root = problem.tree
    while (place := place or queue.pop()) is not None:
        accepted = partial(_accepted, problem, queue, (queue.mark(), place, root))
        if isinstance(place.tree, Node) and place.tree.kind is Kind.OPTION:
            yield Attempt([removed(problem, place)], partial(accepted, None))
        else:
            if isinstance(place.tree, Node) and place.tree.kind is Kind.LIST:
                for each, candidates in deletions(problem, place, sweep):
                    yield Attempt(candidates, partial(accepted, each))
            yield Attempt(replacements(problem, place), partial(accepted, None))
        queue.push(place.children())
        place = sweep = None


def _accepted(
    problem: Problem,
    queue: _Queue,
    at: tuple[tuple[int, int], Place, Tree],
    sweep: Sweep | None,
    hit: int,
) -> Iterator[Attempt]:
    """Go on from a node that is another one now, or from a list that has fewer items.

    `at` is the mark of the queue, the node's place, and the tree that this is in.
    """
    mark, place, root = at
    queue.back_to(mark)
    place = _current(problem, place, root)
    if sweep is not None:
        return _attempts(problem, queue, place, sweep.after(hit))
    queue.push([place])
    return _attempts(problem, queue)


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
