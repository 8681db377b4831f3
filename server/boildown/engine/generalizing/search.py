"""Which places are worth a look as holes, and in which order: the largest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import replace
from random import Random

from boildown import tree as trees
from boildown.engine.generalizing.ddset import covarying_groups
from boildown.engine.generalizing.examine import examine
from boildown.engine.generalizing.gaps import find_gaps
from boildown.engine.generalizing.state import State, hole_at, is_link
from boildown.engine.hole import Hole
from boildown.tree import Leaf, Place

VARIETY = 6
"""Random texts of which one must differ from the text by more than white space."""


def find_holes(state: State) -> None:
    """Find holes in the whole text, then between items, then places that hold the same text."""
    root = trees.Place(state.form.tree, 0)
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


def explore(state: State, places: Iterable[Place]) -> None:
    """Find the largest holes at and below some places."""
    queue: list[tuple[int, int, int, Place]] = []
    pushed = 0
    waiting = list(places)
    while waiting or queue:
        for place in waiting:
            heapq.heappush(queue, (-place.tree.width, place.start, pushed, place))
            pushed += 1
        place = heapq.heappop(queue)[-1]
        hole = _candidate(state, place)
        found = None if hole is None else examine(state, [hole])
        if found is None:
            waiting = place.children()
        else:
            state.holes += found
            waiting = []


def _candidate(state: State, place: Place) -> Hole | None:
    """Return the hole at a place, if something else of note may stand there."""
    if is_link(place) or (isinstance(place.tree, Leaf) and not place.tree.label):
        return None
    hole = hole_at(state.form, place.path(), state.options.budget)
    if hole is None:
        return None
    mine = trees.text(place.tree).split()
    rng = Random(0)
    texts = (
        state.form.language.sample(hole.label, rng, state.options.budget) for _ in range(VARIETY)
    )
    return hole if any(text is not None and text.split() != mine for text in texts) else None


def _renamed(hole: Hole, name: str) -> Hole:
    return replace(hole, name=name)
