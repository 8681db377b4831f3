"""Any number of items: what may stand between the items that a list needs, and beside them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from boildown import tree as trees
from boildown.engine.form import Form, Items, Path, span
from boildown.engine.generalizing.examine import examine
from boildown.engine.generalizing.state import State, covers
from boildown.engine.hole import Hole
from boildown.tree import Kind, Node, Place

LONGEST = 20
"""Items of a list beyond which nothing is looked for in it."""
MOST = 24
"""Gaps that are looked at: one costs about thirty runs if it is one, few if not."""
LISTING = frozenset(",;:\n")
"""What separates the items of lists, not operands."""
DRAWS = 20
"""Random lists of which one must have two items, to see what stands between them."""


def find_gaps(state: State) -> None:
    """Find where any number of items may stand in the lists outside of the holes so far.

    Items that are holes themselves become part of it: if anything may stand there, nothing or more
    may often, too.
    """
    left = MOST
    for place in _lists(state):
        if any(covers(state.form, hole.slot, place.path()) for hole in state.holes):
            continue
        for items in _gaps(state, place):
            hole = gap(state.form, place, items, state.options.budget)
            if hole is None:
                continue
            if not left:
                return
            left -= 1
            if (found := examine(state, [hole])) is not None:
                within = [each for each in state.holes if covers(state.form, hole.slot, each.path)]
                state.holes = [each for each in state.holes if each not in within] + found


def _lists(state: State) -> list[Place]:
    """Return the lists that have items, but few, the largest first."""
    found = [
        place
        for place in trees.places(state.form.tree)
        if isinstance(place.tree, Node)
        and place.tree.kind is Kind.LIST
        and 0 < len(place.tree.items) <= LONGEST
    ]
    return sorted(found, key=lambda place: -place.tree.width)


def _gaps(state: State, place: Place) -> Iterator[Items]:
    """Yield the longest runs of items that are holes, none before, between or after others."""
    assert isinstance(place.tree, Node)
    spans = {(hole.start, hole.end) for hole in state.holes if not hole.covaries}
    step = 2 if place.tree.separated else 1
    free = [span(each) in spans for each in place.children()[::step]]
    low = 0
    for high in range(len(free) + 1):
        if high == len(free) or not free[high]:
            if high - low < len(free):
                yield low, high
            low = high + 1


def gap(form: Form, place: Place, items: Items, budget: int) -> Hole | None:
    """Return the hole for some items of a list, or None if nothing else may stand there."""
    label = place.tree.label
    separator = _separator(form, place, budget)
    if separator is None or (_is_link(place) and LISTING.isdisjoint(separator)):
        return None
    path = place.path()
    start, end = form.span(path, items)
    own = form.text[start:end]
    inner = form.value(path, items).text
    if items[0] > 0:
        before, after = own[: len(own) - len(inner)] if inner else separator, ""
    else:
        before, after = "", own[len(inner) :] if inner else separator
    return Hole(label, label, path, start, end, items=items, before=before, after=after)


def _is_link(place: Place) -> bool:
    """Say whether a list is one item, and all that its parent is.

    Grammars of expressions have a link of this kind for each level of precedence.
    """
    assert isinstance(place.tree, Node)
    parent = place.parent
    alone = parent is not None and parent.tree.width == place.tree.width
    return alone and place.tree.separated and len(place.tree.items) == 1


def _separator(form: Form, place: Place, budget: int) -> str | None:
    """Return what stands between two items; None if there can't be two, or it is not known."""
    path = place.path()
    where = form.span(path)
    texts = (form.language.sample(place.tree.label, Random(i), budget) for i in range(DRAWS))
    for text in [form.text[slice(*where)], *filter(None, texts)]:
        tree = form.language.parse(form.fill([(where, text)])).tree
        if (list_ := _list_at(tree, path, place.tree.label)) is not None and len(list_.items) > 1:
            between = trees.text(list_.children[1]) if list_.separated else ""
            blank = trees.first_prefix(list_.items[1])
            return between + (blank if blank.isspace() else "")
    return None


def _list_at(tree: trees.Tree, path: Path, label: str) -> Node | None:
    for index in path:
        if not isinstance(tree, Node) or index >= len(tree.children):
            return None
        tree = tree.children[index]
    return tree if isinstance(tree, Node) and tree.label == label else None
