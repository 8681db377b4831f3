"""Searches the tree for holes, the largest subtrees first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from boildown import tree as trees
from boildown.engine.generalizing.ddset import covarying_groups
from boildown.engine.generalizing.examine import examine
from boildown.engine.generalizing.gaps import find_gaps
from boildown.engine.generalizing.generalization import Generalization, hole_at, is_absent_operation
from boildown.engine.patterns.hole import Hole
from boildown.tree import Leaf, Place

VARIETY_DRAWS = 6
"""Random texts that are drawn to see one that differs by more than white space."""


def find_holes(state: Generalization) -> None:
    """Find holes in the whole tree, then gaps in lists, then covarying groups."""
    root = trees.Place(state.template.tree, 0)
    # The whole text is no place in it.
    explore(state, root.children() or [root])
    state.entered("lists")
    find_gaps(state)
    state.entered("covarying")
    for group in covarying_groups(state):
        name = f"${group[0].label}@{group[0].start}"
        found = examine(state, [_renamed(hole, name) for hole in group])
        if found is not None:
            state.holes += [_renamed(hole, name) for hole in found]


def explore(state: Generalization, places: Iterable[Place]) -> None:
    """Find the largest holes at and below some places, by a best-first search."""
    queue: list[tuple[int, int, int, Place]] = []
    pushed = 0
    waiting = list(places)
    while waiting or queue:
        for place in waiting:
            heapq.heappush(queue, (-place.tree.width, place.start, pushed, place))
            pushed += 1
        state.check()
        place = heapq.heappop(queue)[-1]
        hole = _candidate(state, place)
        found = None if hole is None else examine(state, [hole])
        if found is None:
            waiting = place.children()
        else:
            state.holes += found
            waiting = []


def _candidate(state: Generalization, place: Place) -> Hole | None:
    """Return the candidate hole at a place, if its values are different enough."""
    language = state.template.language
    unnamed = isinstance(place.tree, Leaf) and not place.tree.label
    if unnamed or is_absent_operation(place, language):
        return None
    hole = hole_at(state.template, place.path(), state.options.budget)
    if hole is None:
        return None
    mine = trees.text(place.tree).split()
    rng = Random(0)
    texts = (language.sample(hole.label, rng, state.options.budget) for _ in range(VARIETY_DRAWS))
    return hole if any(text is not None and text.split() != mine for text in texts) else None


def _renamed(hole: Hole, name: str) -> Hole:
    return replace(hole, name=name)
