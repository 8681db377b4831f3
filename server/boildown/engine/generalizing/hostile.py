"""Values that are more likely to refute a hole than random ones: the ones that programs trip over.

They only refute. No bound ever rests on them, as nobody drew them at random.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from boildown import tree as trees
from boildown.engine.conditions import Value, number
from boildown.engine.form import span
from boildown.engine.generalizing.neighbours import differing
from boildown.engine.generalizing.state import State, original
from boildown.engine.hole import Hole
from boildown.engine.oracle import Outcome
from boildown.engine.pattern import Instance, Pattern
from boildown.tree import Leaf, Node, Place

NASTY = (
    *('"', "'", "\\", "", "0", "<", ">", "&", " ", "\n", "`", "$", "%", "{", "}", "(", ")", "["),
    *("]", ";", ",", ":", "#", "/", "*", "=", "-", "-0", "-1", "00", "1", "2", "1e400", "0.1"),
    *("2147483648", "-2147483649", "9223372036854775808", "null", "true", "false", "None", "if"),
    *("class", "NaN", "Infinity", "__proto__", "é", "中", "\u202e", "\U0001f600", "a" * 100, "\t"),
    *('""', "''", '"\\""', '"\'"', "'\"'", '"\\\\"', '"null"', '"0"', '" "'),
)
"""Quotes and escapes, limits of number types, reserved words, signs that mean something to many."""
SIGNS = NASTY[:12]
"""Those that are put inside other values."""
BORROWED = 3
DIRECT = 8
INJECTED = 10
MODELS = 8
"""How many of each kind are tried at most, and how many values they are put into."""
NEAREST = 40
"""Texts that passed whose items are tried."""
MISSES = 6
"""How many values are looked at for each that is tried: most may not stand in the hole."""


def hostile(state: State, pattern: Pattern) -> Iterator[Instance]:
    """Yield texts of a pattern with one hole, filled with values to be wary of, each once."""
    hole = pattern.holes[0]
    bare = state.pattern(replace(each, conditions=()) for each in pattern.holes)
    kinds = (
        (neighbouring(state, hole), DIRECT),
        (borrowed(state, hole), BORROWED),
        (numbers_near(state, hole), DIRECT),
        (iter(NASTY), DIRECT),
        (injected(state, bare), INJECTED),
    )
    seen = {original(state.form, hole).text}
    for values, most in kinds:
        tried = itertools.islice(values, MISSES * most)
        yield from itertools.islice(_instances(pattern, hole, tried, seen), most)


def _instances(
    pattern: Pattern, hole: Hole, values: Iterator[str], seen: set[str]
) -> Iterator[Instance]:
    for value in values:
        if value not in seen:
            seen.add(value)
            instance = pattern.instance({hole.name: value})
            if instance is not None:
                yield instance


def borrowed(state: State, hole: Hole) -> Iterator[str]:
    """Yield other parts of the text that fit a hole, the shortest first."""
    fitting = {
        state.form.text[slice(*span(place))]
        for place in trees.places(state.form.tree)
        if place.tree.width and state.form.language.fits(hole.label, place.tree.label)
    }
    yield from sorted(fitting, key=lambda text: (len(text), text))


def neighbouring(state: State, hole: Hole) -> Iterator[str]:
    """Yield items of the list that a hole is in, then those that it had in texts that passed."""
    if hole.items is None:
        return
    place = trees.place_at(state.form.tree, hole.path)
    whole = state.pattern([Hole(hole.label, hole.label, hole.path, *span(place))])
    passed = [text for text, outcome in state.known.items() if outcome is Outcome.PASSED]
    passed.sort(key=lambda text: (differing(text, state.form.text), len(text), text))
    read = (whole.read(text) for text in passed[:NEAREST])
    for tree in (place.tree, *(values[0].tree for values in read if values is not None)):
        assert isinstance(tree, Node)
        yield from (trees.text(item).strip() for item in tree.items)


def numbers_near(state: State, hole: Hole) -> Iterator[str]:
    """Yield numbers around the one that stands in a hole, if one does."""
    found = number(original(state.form, hole).text)
    if found is not None:
        yield from map(str, (0, -found, found + 1, found - 1, "-0"))


def injected(state: State, bare: Pattern) -> Iterator[str]:
    """Yield values in which one part, however deep, is replaced by a sign to be wary of."""
    # The same values whatever the conditions are, so that most have been run before.
    models = [original(state.form, bare.holes[0]), *sampled(bare, Random(0), MODELS)]
    parts: dict[str, list[tuple[Value, Place]]] = {}
    for model in models:
        for place in trees.places(model.tree):
            if place.parent is not None and _may_change(place):
                parts.setdefault(place.tree.label, []).append((model, place))
    # Of each label one part at a time, so that the first few reach into all of them.
    for round_, sign in itertools.product(range(2), SIGNS):
        for places in parts.values():
            if round_ < len(places):
                model, place = places[round_]
                whole = trees.text(model.tree)
                skipped = len(whole) - len(model.text)
                start, end = span(place)
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
