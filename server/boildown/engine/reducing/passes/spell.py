"""Spells tokens shorter in their own notation: fewer digits, characters instead of escapes."""

from __future__ import annotations

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Problem
from boildown.engine.reducing.spellings import spellings
from boildown.tree import Leaf


def spell(problem: Problem) -> None:
    """Spell the numbers and escapes of each token shorter, in all equal tokens or else in one.

    Costs up to eight runs for each number of several digits or escape; most texts have few when
    this is tried.
    """
    texts = dict.fromkeys(leaf.text for leaf in trees.leaves(problem.tree))
    for text in texts:
        shorter: str | None = text
        while shorter is not None:
            shorter = _respelled(problem, shorter)


def _respelled(problem: Problem, text: str) -> str | None:
    """Spell one token shorter; return its new text, or None if it has to stay as it is."""
    found = [
        place
        for place in trees.places(problem.tree)
        if isinstance(place.tree, Leaf) and place.tree.text == text
    ]
    groups = [found] if len(found) < 2 else [found, *([place] for place in found)]
    steps = [(group, new) for group in groups if group for new in spellings(text)]
    hit = problem.consider_first(
        edited(problem, [(place, Leaf(place.tree.label, new)) for place in group])
        for group, new in steps
    )
    return None if hit is None else steps[hit][1]
