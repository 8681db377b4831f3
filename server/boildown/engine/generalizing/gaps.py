"""Finds gaps: positions in a list where any number of further items may stand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from boildown import tree as trees
from boildown.engine.generalizing.examine import examine
from boildown.engine.generalizing.generalization import Generalization, covers, is_lone_operand
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.template import Items, Template
from boildown.tree import Kind, Node, Place

MAX_LIST_ITEMS = 20
"""Lists with more items than this are not searched."""
MAX_GAPS = 24
"""Candidate gaps that are tested: a gap costs about thirty runs, any other few."""
LIST_SEPARATORS = frozenset(",;:\n")
"""Separators of list items rather than of operands."""
SEPARATOR_DRAWS = 20
"""Random lists that are drawn to find one with two items, and so the separator."""


def find_gaps(state: Generalization) -> None:
    """Find the gaps of the lists outside of the holes so far.

    Items that are holes themselves become part of it: if anything may stand there, nothing or more
    may often, too.
    """
    left = MAX_GAPS
    for place in _lists(state):
        if any(covers(state.template, hole.slot, place.path()) for hole in state.holes):
            continue
        for items in _gaps(state, place):
            hole = gap(state.template, place, items, state.options.budget)
            if hole is None:
                continue
            if not left:
                return
            left -= 1
            if (found := examine(state, [hole])) is not None:
                within = [
                    each for each in state.holes if covers(state.template, hole.slot, each.path)
                ]
                state.holes = [each for each in state.holes if each not in within] + found


def _lists(state: Generalization) -> list[Place]:
    """Return the lists that have items, but few, the largest first."""
    found = [
        place
        for place in trees.places(state.template.tree)
        if isinstance(place.tree, Node)
        and place.tree.kind is Kind.LIST
        and 0 < place.tree.count <= MAX_LIST_ITEMS
    ]
    return sorted(found, key=lambda place: -place.tree.width)


def _gaps(state: Generalization, place: Place) -> Iterator[Items]:
    """Yield the longest runs of items that are holes, none before, between or after others.

    Where all items are holes, these may be needed, for the list itself was tried before and is no
    hole. Then it is the place after them.
    """
    assert isinstance(place.tree, Node)
    spans = {(hole.start, hole.end) for hole in state.holes if not hole.covaries}
    free = [each.span in spans for each in place.items()]
    low = 0
    for high in range(len(free) + 1):
        if high == len(free) or not free[high]:
            yield (low, high) if high - low < len(free) else (high, high)
            low = high + 1


def gap(template: Template, place: Place, items: Items, budget: int) -> Hole | None:
    """Return the candidate hole for a run of items, or None if the list can't have others."""
    label = place.tree.label
    separator = _separator(template, place, budget)
    if separator is None or (is_lone_operand(place) and LIST_SEPARATORS.isdisjoint(separator)):
        return None
    path = place.path()
    start, end = template.span(path, items)
    own = template.text[start:end]
    inner = template.value(path, items).text
    if items[0] > 0:
        before, after = own[: len(own) - len(inner)] if inner else separator, ""
    else:
        before, after = "", own[len(inner) :] if inner else separator
    return Hole(label, label, path, start, end, items=items, before=before, after=after)


def _separator(template: Template, place: Place, budget: int) -> str | None:
    """Return the text between two items of a list; None if it is not known, or can't have two."""
    path = place.path()
    where = template.span(path)
    texts = (
        template.language.sample(place.tree.label, Random(i), budget)
        for i in range(SEPARATOR_DRAWS)
    )
    for text in [template.text[slice(*where)], *filter(None, texts)]:
        tree = template.language.parse(template.fill([(where, text)])).tree
        list_ = None if (found := trees.find_place(tree, path)) is None else found.tree
        if isinstance(list_, Node) and list_.label == place.tree.label and list_.count > 1:
            between = trees.text(list_.children[1]) if list_.separated else ""
            blank = trees.first_prefix(list_.items[1])
            return between + (blank if blank.isspace() else "")
    return None
