"""Finds the counterexample to a wider hole: the nearest text that passes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boildown import tree as trees
from boildown.engine.difference import distance
from boildown.engine.generalizing.generalization import Generalization, original
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern


def with_counterexample(state: Generalization, hole: Hole) -> Hole:
    """Attach to a hole its counterexample: the nearest of the texts run that passes.

    It differs from the text in the hole's place alone. One that fails in another way is none.
    """
    differs = {text for text, verdict in state.ran.items() if verdict.differs}
    known = state.known.items()
    passed = [text for text, each in known if each is Outcome.PASSED and text not in differs]
    for wider in _wider(state, hole):
        own = original(state.template, wider.holes[0]).text
        found = sorted(
            (distance(own, values[0].text), len(text), text)
            for text in passed
            if (values := wider.read(text)) is not None
        )
        for *_, text in found:
            if state.refutes(text, certain=True):
                return replace(hole, counterexample=text)
    return hole


def _wider(state: Generalization, hole: Hole) -> Iterator[Pattern]:
    """Yield the hole without conditions, then with wider nonterminals at the same place."""
    if hole.items is not None:
        yield state.pattern([replace(hole, conditions=())])
        return
    place: trees.Place | None = trees.place_at(state.template.tree, hole.path)
    start, end = hole.start, hole.end
    while place is not None and place.span == (start, end):
        yield state.pattern([Hole(place.tree.label, place.tree.label, place.path(), start, end)])
        place = place.parent
