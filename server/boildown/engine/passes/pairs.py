"""Coupled edits: two steps that fail alone and reproduce together.

What must change together is often told by an equal text: a name in a schema and in its instance, a
definition and its use. Such pairs come first, then pairs of what is left, while there are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.passes.perses import compatible
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Kind, Node, Place, Tree

MOST = 300
"""How many pairs are tried in one round at most."""


@dataclass(frozen=True, slots=True)
class _Edit:
    place: Place
    new: Tree
    gone: frozenset[str]
    """The texts of tokens that it takes away."""
    saved: int


def pairs(problem: Problem) -> None:
    """Try two hoists or deletions at a time, those that take away equal texts first.

    Costs at most `MOST` runs, and none if fewer than two edits are possible.
    """
    while problem.consider_first(_pairs(problem)) is not None:
        pass


def _pairs(problem: Problem) -> Iterator[Candidate]:
    edits = _edits(problem)
    found = [
        (first, second)
        for first, second in combinations(edits, 2)
        if first.place.end <= second.place.start or second.place.end <= first.place.start
    ]
    found.sort(key=lambda pair: (-len(pair[0].gone & pair[1].gone), -pair[0].saved - pair[1].saved))
    for first, second in found[:MOST]:
        yield edited(problem, [(first.place, first.new), (second.place, second.new)])


def _edits(problem: Problem) -> list[_Edit]:
    """Return every single hoist, and every single deletion of an item or optional part."""
    edits = []
    for place in trees.places(problem.tree):
        tree = place.tree
        if not isinstance(tree, Node):
            continue
        news: list[Tree] = list(compatible(problem, tree))
        if tree.kind is Kind.LIST and len(tree.items) > tree.least:
            count = len(tree.items)
            news += [
                trees.with_items(tree, (i for i in range(count) if i != gone))
                for gone in range(count)
            ]
        elif tree.kind is Kind.OPTION and tree.children:
            news.append(trees.with_children(tree, ()))
        words = _words(tree)
        edits += [_Edit(place, new, words - _words(new), tree.width - new.width) for new in news]
    return edits


def _words(tree: Tree) -> frozenset[str]:
    return frozenset(leaf.text for leaf in trees.leaves(tree) if any(map(str.isalnum, leaf.text)))
