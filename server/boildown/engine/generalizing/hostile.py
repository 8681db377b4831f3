"""Adversarial values for a hole: quotes, escapes, limits, which programs often trip over.

They only refute. No bound ever rests on them, as nobody drew them at random.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from boildown import tree as trees
from boildown.engine.difference import distance
from boildown.engine.generalizing.generalization import Generalization, original
from boildown.engine.numerals import exact_number
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import Value, digits
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Instance, Pattern
from boildown.engine.telling import HOSTILE_SIGNS, HOSTILE_TEXTS
from boildown.tree import Leaf, Node, Place

MAX_BORROWED = 3
"""Other subtrees of the text that are tried in a hole."""
MAX_DIRECT = 8
"""Values that are tried of each other kind: neighbours, numbers, hostile texts."""
MAX_INJECTED = 10
"""Values with a hostile sign inside that are tried."""
INJECTED_VALUES = 8
"""Values that hostile signs are put into."""
MAX_PASSED_TEXTS = 40
"""Texts that passed from which items are taken."""
LOOKED_AT_PER_VALUE = 6
"""Values that are considered for each that is tried: most may not stand in the hole."""


def hostile(
    state: Generalization, pattern: Pattern, of_each: int | None = None
) -> Iterator[Instance]:
    """Yield texts of a pattern with an adversarial value in its hole, each once.

    Of each kind of values there are `of_each` at most, if that is given.
    """
    hole = pattern.holes[0]
    bare = state.pattern(replace(each, conditions=()) for each in pattern.holes)
    kinds = (
        (neighbouring(state, hole), MAX_DIRECT),
        (borrowed(state, hole), MAX_BORROWED),
        (numbers_near(state, hole), MAX_DIRECT),
        (iter(HOSTILE_TEXTS), MAX_DIRECT),
        (injected(state, bare), MAX_INJECTED),
    )
    seen = {original(state.template, hole).text}
    for values, most in kinds:
        tried = itertools.islice(values, LOOKED_AT_PER_VALUE * most)
        few = most if of_each is None else min(most, of_each)
        yield from itertools.islice(_instances(pattern, hole, tried, seen), few)


def _instances(
    pattern: Pattern, hole: Hole, values: Iterator[str], seen: set[str]
) -> Iterator[Instance]:
    for value in values:
        if value not in seen:
            seen.add(value)
            instance = pattern.instance({hole.name: value})
            if instance is not None:
                yield instance


def borrowed(state: Generalization, hole: Hole) -> Iterator[str]:
    """Yield other subtrees of the text that fit a hole, the shortest first."""
    fitting = {
        state.template.text[slice(*place.span)]
        for place in trees.places(state.template.tree)
        if place.tree.width and state.template.language.fits(hole.label, place.tree.label)
    }
    yield from sorted(fitting, key=lambda text: (len(text), text))


def neighbouring(state: Generalization, hole: Hole) -> Iterator[str]:
    """Yield items of the list that a hole is in, then those that it had in texts that passed."""
    if hole.items is None:
        return
    place = trees.place_at(state.template.tree, hole.path)
    whole = state.pattern([Hole(hole.label, hole.label, hole.path, *place.span)])
    passed = [text for text, outcome in state.known.items() if outcome is Outcome.PASSED]
    passed.sort(key=lambda text: (distance(text, state.template.text)[1], len(text), text))
    read = (whole.read(text) for text in passed[:MAX_PASSED_TEXTS])
    for tree in (place.tree, *(values[0].tree for values in read if values is not None)):
        # Where a list of one is only that one, a leaf may stand in the place of a list.
        items = tree.items if isinstance(tree, Node) else (tree,)
        yield from (trees.text(item).strip() for item in items)


def numbers_near(state: Generalization, hole: Hole) -> Iterator[str]:
    """Yield numbers around the one that stands in a hole, if one does."""
    found = exact_number(original(state.template, hole).text)
    if found is not None and math.isfinite(found):
        yield from (*map(digits, (0, -found, found + 1, found - 1)), "-0")


def injected(state: Generalization, bare: Pattern) -> Iterator[str]:
    """Yield values in which one subtree, however deep, is replaced by a hostile sign."""
    # The same values whatever the conditions are, so that most have been run before.
    models = [original(state.template, bare.holes[0]), *sampled(bare, Random(0), INJECTED_VALUES)]
    parts: dict[str, list[tuple[Value, Place]]] = {}
    for model in models:
        for place in trees.places(model.tree):
            if place.parent is not None and _may_change(place):
                parts.setdefault(place.tree.label, []).append((model, place))
    # Of each label one part at a time, so that the first few reach into all of them.
    for round_, sign in itertools.product(range(2), HOSTILE_SIGNS):
        for places in parts.values():
            if round_ < len(places):
                model, place = places[round_]
                whole = trees.text(model.tree)
                skipped = len(whole) - len(model.text)
                start, end = place.span
                yield whole[skipped:start] + sign + whole[end:]


def sampled(pattern: Pattern, rng: Random, count: int) -> Iterator[Value]:
    """Yield random values of a pattern's first hole as they read in the text."""
    for _ in range(count):
        instance = pattern.draw(rng)
        if instance is not None:
            yield instance.values[0]


def _may_change(place: Place) -> bool:
    tree = place.tree
    if isinstance(tree, Leaf):
        return not tree.label.startswith('"')
    return isinstance(tree, Node)
