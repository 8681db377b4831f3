"""Finds the parts around identifiers and the lists behind them, by their text alone.

This is the binding of names as far as it can be known without knowing the language: equal words
mean the same thing, and a list in brackets after a word holds its parameters or arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from boildown import tree as trees
from boildown.engine.candidates import Splice, items
from boildown.engine.problem import Problem
from boildown.tree import Kind, Node, Place

PLAIN_VALUE = "0"
"""The value that replaces a name where the text has no other."""

_OPENING = {")": "(", "]": "[", ">": "<"}


def removable(place: Place) -> Iterator[Place]:
    """Yield the list items and optional subtrees at and above a place, which may be deleted."""
    while (above := place.parent) is not None:
        parent = above.tree
        assert isinstance(parent, Node)
        if parent.may_lose and place.index % parent.stride == 0:
            yield place
        place = above


def cuts(problem: Problem, gone: Iterable[Place]) -> list[Splice]:
    """Return the splices that delete list items and other subtrees."""
    lists: dict[tuple[int, int], tuple[Place, set[int]]] = {}
    splices: list[Splice] = []
    for place in gone:
        above = place.parent
        node = None if above is None else above.tree
        if above is not None and isinstance(node, Node) and node.kind is Kind.LIST:
            found = lists.setdefault((above.start, id(node)), (above, set()))
            found[1].add(place.index // node.stride)
        else:
            splices.append((place.start, place.end, ""))
    for above, indices in lists.values():
        splices += items(problem, above).cuts([(index, index + 1) for index in sorted(indices)])
    return splices


def outermost(splices: Iterable[Splice]) -> list[Splice]:
    """Put splices in order; leave out those inside others, and join those that overlap."""
    kept: list[Splice] = []
    for start, end, new in sorted(splices, key=lambda splice: (splice[0], -splice[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, new))
        elif end > kept[-1][1]:
            kept[-1] = (kept[-1][0], end, kept[-1][2])
    return kept


def parameters(problem: Problem) -> Mapping[int, list[Place]]:
    """Return the items inside each pair of brackets, by the offset of the opening one.

    Angle brackets count, curly ones do not.
    """
    text = problem.text
    found: dict[int, list[Place]] = {}
    for place in trees.places(problem.tree):
        end = after(text, place.end)
        opening = _OPENING.get(text[end : end + 1])
        if place.tree.width and opening is not None:
            bracket = _before(text, place.start)
            if text[bracket : bracket + 1] == opening:
                found.setdefault(bracket, _items(place))
    return found


def _items(place: Place) -> list[Place]:
    tree = place.tree
    if not isinstance(tree, Node) or tree.kind is not Kind.LIST:
        return [place]
    return place.items()


def after(text: str, offset: int) -> int:
    """Return the offset of the first character at or after another that is no white space."""
    while text[offset : offset + 1].isspace():
        offset += 1
    return offset


def _before(text: str, offset: int) -> int:
    """Return the offset of the last character before another that is no white space, or -1."""
    offset -= 1
    while offset >= 0 and text[offset].isspace():
        offset -= 1
    return offset
