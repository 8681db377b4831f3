"""Pairs of tree edits that fail alone and reproduce together (beyond 1-minimality).

What must change together is often told by an equal text: a name in a schema and in its instance, a
definition and its use. Other pairs are tried where the two steps are near each other, as in the
local exhaustive enumeration of Xu et al., "Pushing the Limit of 1-Minimality of Language-Agnostic
Program Reduction", OOPSLA 2023.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.passes.perses import compatible
from boildown.tree import Node, Place, Tree

NEIGHBOUR_WINDOW = 4
"""How many steps apart, in the order of the text, the two of such a pair may be."""
HOIST_DEPTH = 3
"""How many levels of fitting descendants a hoist of a pair may skip."""


@dataclass(frozen=True, slots=True)
class _Edit:
    place: Place
    new: Tree
    gone: dict[str, int]
    """The texts of tokens that its place has no more, and how many of each went."""
    saved: int
    """Characters."""
    levels: int
    """More than 1 if it is a hoist past nearer descendants that would fit."""


def pairs(problem: Problem) -> None:
    """Try two hoists or deletions at a time that take away the last places of a text.

    Those that take away the same texts come first, then those that take away most.
    """
    while problem.consider_first(_distinct(problem, _coupled(problem))) is not None:
        pass


def neighbours(problem: Problem) -> None:
    """Try two hoists or deletions at a time that are near each other in the text."""
    while problem.consider_first(_distinct(problem, _near(problem))) is not None:
        pass


def _coupled(problem: Problem) -> Iterator[tuple[_Edit, _Edit]]:
    held = _words(problem.tree)
    coupled = [
        (first, second)
        for first, second in combinations(_edits(problem), 2)
        if any(
            first.gone[word] + second.gone[word] == held[word] for word in _shared(first, second)
        )
        and _apart(first, second)
    ]
    coupled.sort(
        key=lambda pair: (
            len(pair[0].gone.keys() ^ pair[1].gone.keys()),
            -pair[0].saved - pair[1].saved,
        )
    )
    yield from coupled


def _near(problem: Problem) -> Iterator[tuple[_Edit, _Edit]]:
    single = [edit for edit in _edits(problem) if edit.levels == 1]
    for at, first in enumerate(single):
        for second in single[at + 1 : at + 1 + NEIGHBOUR_WINDOW]:
            if not _shared(first, second) and _apart(first, second):
                yield first, second


def _distinct(problem: Problem, found: Iterator[tuple[_Edit, _Edit]]) -> Iterator[Candidate]:
    """Yield candidates of different texts: an edit can be made at several nodes."""
    seen: set[str] = set()
    for first, second in found:
        candidate = edited(problem, [(first.place, first.new), (second.place, second.new)])
        if candidate.text not in seen:
            seen.add(candidate.text)
            yield candidate


def _shared(first: _Edit, second: _Edit) -> set[str]:
    return first.gone.keys() & second.gone.keys()


def _apart(first: _Edit, second: _Edit) -> bool:
    return first.place.end <= second.place.start or second.place.end <= first.place.start


def _edits(problem: Problem) -> list[_Edit]:
    """Return every single hoist, and every single deletion of an item or optional part."""
    edits = []
    for place in trees.places(problem.tree):
        tree = place.tree
        if not isinstance(tree, Node):
            continue
        nearest = {id(each.tree) for each in compatible(problem, place)}
        words = _words(tree)
        hoists = (each.tree for each in compatible(problem, place, HOIST_DEPTH))
        for new in (*hoists, *_deletions(tree)):
            levels = 1 if id(new) in nearest or new.label == tree.label else HOIST_DEPTH
            left = _words(new)
            gone = {word: count for word, count in words.items() if word not in left}
            edits.append(_Edit(place, new, gone, tree.width - new.width, levels))
    return edits


def _deletions(tree: Node) -> Iterator[Node]:
    """Yield a list without one of its items, an option without its child."""
    for index in range(tree.count if tree.may_lose else 0):
        yield trees.without_item(tree, index)


def _words(tree: Tree) -> Counter[str]:
    return Counter(leaf.text for leaf in trees.leaves(tree) if any(map(str.isalnum, leaf.text)))
