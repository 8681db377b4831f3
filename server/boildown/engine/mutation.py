"""Texts that differ from a text in a few parts, each exchanged for another that fits its place.

Source: mutation of derivation trees, as in C. Holler, K. Herzig and A. Zeller, Fuzzing with Code
Fragments, USENIX Security 2012: parts come from a generator or from other texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from boildown import tree as trees
from boildown.engine.candidates import spliced
from boildown.engine.conditions import is_literal
from boildown.engine.form import Form, form, span
from boildown.tree import Kind, Node, Place

AGAIN = 0.4
"""How likely it is that a text that was changed is changed once more."""
TRIES = 20
"""How often a change is looked for."""


def mutant(source: Form, donors: Sequence[Form], rng: Random, budget: int) -> str | None:
    """Return a text with one change or a few; None if none was found.

    `donors` are texts of which parts may be taken over. A random part has about `budget` tokens at
    most.
    """
    changed = None
    for _ in range(TRIES):
        text = rng.choice(_CHANGES)(source, donors, rng, budget)
        if text is None or text == source.text:
            continue
        changed = text
        if rng.random() > AGAIN:
            break
        source = form(text, source.language)
    return changed


def _sampled(source: Form, _donors: Sequence[Form], rng: Random, budget: int) -> str | None:
    """Exchange a part for a random text of its label."""
    place = _part(source, rng)
    if place is None:
        return None
    value = source.language.sample(place.tree.label, rng, budget)
    return None if value is None else source.fill([(span(place), value)])


def _grafted(source: Form, donors: Sequence[Form], rng: Random, _budget: int) -> str | None:
    """Exchange a part for one of another text that fits."""
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
    start, end = span(rng.choice(parts))
    return source.fill([(span(place), donor.text[start:end])])


def _shorter(source: Form, _donors: Sequence[Form], rng: Random, _budget: int) -> str | None:
    """Leave out an item of a list, or what is in an option."""
    places = [place for place in trees.places(source.tree) if _may_lose(place)]
    if not places:
        return None
    place = rng.choice(places)
    assert isinstance(place.tree, Node)
    count = len(place.tree.items)
    gone = rng.randrange(count)
    kept = trees.with_items(place.tree, (i for i in range(count) if i != gone))
    splice = (place.start, place.end, trees.text(kept))
    return spliced(source.text, [splice], source.language.gap)


_CHANGES: tuple[Callable[[Form, Sequence[Form], Random, int], str | None], ...] = (
    _sampled,
    _sampled,
    _grafted,
    _shorter,
)


def _part(source: Form, rng: Random) -> Place | None:
    """Return a random part that something else may stand for; the whole text is none."""
    places = [
        place
        for place in trees.places(source.tree)
        if place.parent is not None and not is_literal(place.tree)
    ]
    return rng.choice(places) if places else None


def _may_lose(place: Place) -> bool:
    tree = place.tree
    if not isinstance(tree, Node) or tree.kind is Kind.RULE:
        return False
    return len(tree.items) > tree.least
