"""Mutates a derivation tree: subtrees are exchanged for others that fit, or deleted.

Source: mutation of derivation trees, as in C. Holler, K. Herzig and A. Zeller, Fuzzing with Code
Fragments, USENIX Security 2012: parts come from a generator or from other texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from boildown import tree as trees
from boildown.engine.candidates import spliced
from boildown.engine.patterns.conditions import is_literal
from boildown.engine.patterns.template import Template, template_of
from boildown.tree import Node, Place

FURTHER_CHANGE_SHARE = 0.4
"""The probability that a mutant is changed once more."""
CHANGE_TRIES = 20
"""How often a change is drawn before no mutant is returned."""


def mutant(source: Template, donors: Sequence[Template], rng: Random, budget: int) -> str | None:
    """Return a mutant with one change or a few; None if none was found.

    `donors` are texts of which parts may be taken over. A random part has about `budget` tokens at
    most.
    """
    changed = None
    for _ in range(CHANGE_TRIES):
        text = rng.choice(_CHANGES)(source, donors, rng, budget)
        if text is None or text == source.text:
            continue
        changed = text
        if rng.random() > FURTHER_CHANGE_SHARE:
            break
        source = template_of(text, source.language)
    return changed


def _sampled(source: Template, _donors: Sequence[Template], rng: Random, budget: int) -> str | None:
    """Exchange a subtree for a random text of its label."""
    place = _part(source, rng)
    if place is None:
        return None
    value = source.language.sample(place.tree.label, rng, budget)
    return None if value is None else source.fill([(place.span, value)])


def _grafted(source: Template, donors: Sequence[Template], rng: Random, _budget: int) -> str | None:
    """Exchange a subtree for one of another text that fits."""
    place = _part(source, rng)
    if place is None or not donors:
        return None
    donor = rng.choice(donors)
    fits = source.language.fits
    parts = [
        each
        for each in trees.places(donor.tree)
        if each.tree.width and fits(place.tree.label, each.tree.label)
    ]
    if not parts:
        return None
    start, end = rng.choice(parts).span
    return source.fill([(place.span, donor.text[start:end])])


def _shorter(
    source: Template, _donors: Sequence[Template], rng: Random, _budget: int
) -> str | None:
    """Delete an item of a list, or the child of an option."""
    nodes = [
        (place, place.tree)
        for place in trees.places(source.tree)
        if isinstance(place.tree, Node) and place.tree.may_lose
    ]
    if not nodes:
        return None
    place, node = rng.choice(nodes)
    kept = trees.without_item(node, rng.randrange(node.count))
    splice = (place.start, place.end, trees.text(kept))
    return spliced(source.text, [splice], source.language.gap)


_CHANGES: tuple[Callable[[Template, Sequence[Template], Random, int], str | None], ...] = (
    _sampled,
    _sampled,
    _grafted,
    _shorter,
)


def _part(source: Template, rng: Random) -> Place | None:
    """Return a random subtree that is no literal, other than the root."""
    places = [
        place
        for place in trees.places(source.tree)
        if place.parent is not None and not is_literal(place.tree)
    ]
    return rng.choice(places) if places else None
