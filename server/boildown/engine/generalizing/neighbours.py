"""The nearest text that passes: why a hole is no wider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boildown import tree as trees
from boildown.engine.conditions import Value, number
from boildown.engine.form import span
from boildown.engine.generalizing.state import State, original
from boildown.engine.hole import Hole
from boildown.engine.oracle import Outcome
from boildown.engine.pattern import Pattern


def with_counterexample(state: State, hole: Hole) -> Hole:
    """Return a hole with the nearest text that passes, of all that were run.

    It differs from the text in the hole's place, or else in what is around that.
    """
    passed = [text for text, outcome in state.known.items() if outcome is Outcome.PASSED]
    for wider in _wider(state, hole):
        found = [
            (_distance(original(state.form, wider.holes[0]), values[0]), len(text), text)
            for text in passed
            if (values := wider.read(text)) is not None
        ]
        if found:
            return replace(hole, counterexample=min(found)[-1])
    return hole


def _wider(state: State, hole: Hole) -> Iterator[Pattern]:
    """Yield the hole without conditions, then the holes around it, the smallest first."""
    if hole.items is not None:
        yield state.pattern([replace(hole, conditions=())])
    place: trees.Place | None = trees.place_at(state.form.tree, hole.path)
    while place is not None:
        start, end = span(place)
        yield state.pattern([Hole(place.tree.label, place.tree.label, place.path(), start, end)])
        place = place.parent


def _distance(mine: Value, other: Value) -> tuple[float, int]:
    """Return how far apart two numbers are, and how many characters differ."""
    left, right = number(mine.text), number(other.text)
    apart = 0.0 if left is None or right is None else float(abs(left - right))
    return apart, differing(mine.text, other.text)


def differing(left: str, right: str) -> int:
    """Return the length of what is between the common beginning and the common end of two texts."""
    shorter = min(len(left), len(right))
    start = next((i for i in range(shorter) if left[i] != right[i]), shorter)
    rest = shorter - start
    end = next((i for i in range(rest) if left[-1 - i] != right[-1 - i]), rest)
    return max(len(left), len(right)) - start - end
