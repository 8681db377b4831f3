"""One hole at a time: whether all that may stand there reproduces, and if not, what does.

Several places that have to hold the same text count as one hole.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from random import Random

from boildown import tree as trees
from boildown.engine.conditions import Condition, Value, number, tokens
from boildown.engine.generalizing.bisection import Number, numeric_condition
from boildown.engine.generalizing.hostile import hostile, sampled
from boildown.engine.generalizing.learning import learn
from boildown.engine.generalizing.state import DRAWS_PER_TRIAL, State, original
from boildown.engine.hole import Hole
from boildown.engine.oracle import Outcome
from boildown.engine.pattern import Instance, Pattern
from boildown.tree import Node

FIRST = 3
"""Random values that are tried before values to be wary of."""
LAST = 4
"""Random values that are tried after them."""
SHARE = 0.3
"""Where fewer random values reproduce, the subtree's children are looked at instead."""
LOOKS = 10
"""Random values that this share is measured by."""
REFUTED = 3
"""So many that pass, before any that reproduces, settle it early."""
ENOUGH = 3
"""Texts that must reproduce where others are invalid."""
ROUNDS = 5
"""How often a condition is learnt anew, from what has refuted the one before."""
MISSES = 10
"""How often in a row no random text is found before no more are drawn."""
SHRINKING = 20
"""Runs that may go into a smaller value that passes."""


def examine(state: State, holes: Sequence[Hole]) -> list[Hole] | None:
    """Return the holes with the conditions that they need, or None if there is no such hole."""
    pattern = state.pattern(holes)
    _, bad = known_values(state, pattern)
    passed = None
    if not bad:
        passed, enough = attempt(state, pattern)
        if passed is None:
            return list(pattern.holes) if enough else None
    return narrowed(state, pattern.holes, passed)


def narrowed(
    state: State, holes: Sequence[Hole], passed: Instance | None = None
) -> list[Hole] | None:
    """Return the holes with conditions that no value tried refutes, or None.

    `passed` is a text that refuted them. What was run before is used, too. Conditions that the
    holes have already are learnt anew.
    """
    bare = state.pattern(replace(hole, conditions=()) for hole in holes)
    if _is_numeric(state, bare):
        condition = _numeric(state, bare)
        return None if condition is None else _confirmed(state, bare, condition)
    if not _is_worth_it(state, bare):
        return None
    if passed is not None:
        simplify(state, bare, passed)
    for _ in range(ROUNDS):
        condition = learned(bare, *known_values(state, bare), is_chain(bare))
        if condition is None:
            return None
        found = _confirmed(state, bare, condition)
        if found is not None:
            return found
    return None


def learned(
    pattern: Pattern,
    good: Sequence[Value],
    bad: Sequence[Value],
    only_alternatives: bool = False,
    index: int = 0,
) -> Condition | None:
    """Return the condition for a hole that tells values that reproduce from those that pass."""
    hole = pattern.holes[index]
    start = original(pattern.form, hole)
    if hole.items is not None:
        # Without an item almost any condition holds.
        good = [value for value in good if value.text]
        if len(good) < ENOUGH:
            return None
    return learn(good, bad, start, only_alternatives, tokens(pattern.form.tree))


def attempt(state: State, pattern: Pattern) -> tuple[Instance | None, bool]:
    """Try to refute a pattern with one hole; return a text that passes, or None.

    Also say whether enough texts reproduced for the hole to be one.
    """
    passed, reproduced, others = _tried(state, _attempts(state, pattern, state.fork()))
    if passed is None and others and reproduced:
        # That values made for the purpose are valid says nothing of those that will be drawn.
        more = draws(pattern, state.fork(), DRAWS_PER_TRIAL * ENOUGH)
        passed, reproduced, _ = _tried(state, more, ENOUGH)
    return passed, len(reproduced) >= (ENOUGH if others else 1)


def _tried(
    state: State, instances: Iterator[Instance], wanted: int | None = None
) -> tuple[Instance | None, set[str], int]:
    """Ask for instances; return one that passed or None, what reproduced, and how many did neither.

    `wanted` are the texts other than the pattern's own that need to reproduce.
    """
    reproduced: set[str] = set()
    others = 0
    with closing(state.ask(instances)) as answers:
        for instance, outcome in answers:
            if outcome is Outcome.PASSED:
                return instance, reproduced, others
            if outcome is not Outcome.REPRODUCED:
                others += 1
            elif instance.text != state.form.text:
                reproduced.add(instance.text)
                if len(reproduced) == wanted:
                    break
    return None, reproduced, others


def _attempts(state: State, pattern: Pattern, rng: Random) -> Iterator[Instance]:
    yield from draws(pattern, rng, FIRST)
    yield from hostile(state, pattern)
    yield from draws(pattern, rng, LAST)


def draws(pattern: Pattern, rng: Random, count: int) -> Iterator[Instance]:
    """Yield so many random texts of a pattern; fewer if ever again none is found."""
    misses = 0
    while count and misses < MISSES:
        instance = pattern.draw(rng)
        if instance is None:
            misses += 1
        else:
            misses = 0
            count -= 1
            yield instance


def known_values(state: State, pattern: Pattern) -> tuple[list[Value], list[Value]]:
    """Return the values of a pattern's first hole in texts that reproduced, and that passed.

    These are the texts that were run already, whatever for.
    """
    good: list[Value] = []
    bad: list[Value] = []
    for text in list(known_texts(state, pattern)):
        values = pattern.read(text)
        if values is not None:
            (good if state.known[text] is Outcome.REPRODUCED else bad).append(values[0])
    return good, bad


def known_texts(state: State, pattern: Pattern) -> Iterator[str]:
    """Yield the texts that say something and could be of a pattern, by a look at their ends."""
    start = pattern.form.text[: pattern.holes[0].start].rstrip()
    end = pattern.form.text[pattern.holes[-1].end :].lstrip()
    for text, outcome in state.known.items():
        if (
            outcome in (Outcome.REPRODUCED, Outcome.PASSED)
            and text.startswith(start)
            and text.endswith(end)
        ):
            yield text


def _is_numeric(state: State, bare: Pattern) -> bool:
    """Say whether numbers, and hardly anything else, stand in the hole."""
    hole = bare.holes[0]
    if hole.items is not None or number(original(state.form, hole).text) is None:
        return False
    values = list(sampled(bare, state.fork(), LOOKS))
    return sum(number(value.text) is not None for value in values) >= 0.8 * len(values) > 0


def _numeric(state: State, bare: Pattern) -> Condition | None:
    name = bare.holes[0].name

    def ask(value: Number) -> Outcome | None:
        instance = bare.instance({name: _digits(value)})
        return None if instance is None else state.outcome(instance)

    start = number(original(state.form, bare.holes[0]).text)
    assert start is not None
    for _ in range(ROUNDS):
        good, bad = known_values(state, bare)
        known = {**_numbers(good, True), **_numbers(bad, False)}
        condition = numeric_condition(start, known, ask)
        if condition is None:
            return None
        if _confirmed(state, bare, condition) is not None:
            return condition
    return None


def _numbers(values: Sequence[Value], reproduced: bool) -> dict[Number, bool]:
    found = (number(value.text) for value in values)
    return {each: reproduced for each in found if each is not None and math.isfinite(each)}


def _digits(value: Number) -> str:
    return str(value) if isinstance(value, int) else f"{value:.12f}".rstrip("0").rstrip(".")


def _is_worth_it(state: State, bare: Pattern) -> bool:
    """Say whether random values reproduce often enough for a condition to be looked for.

    They are the same whenever it is asked, so that asking again costs no run.
    """
    reproduced = passed = 0
    rng = Random(0)
    with closing(state.ask(draws(bare, rng, 2 * LOOKS))) as answers:
        for instance, outcome in answers:
            if instance.text == state.form.text:
                continue
            reproduced += outcome is Outcome.REPRODUCED
            passed += outcome is Outcome.PASSED
            if reproduced + passed == LOOKS or (passed == REFUTED and not reproduced):
                break
    return reproduced > 0 and reproduced >= SHARE * (reproduced + passed)


def is_chain(bare: Pattern) -> bool:
    """Say whether the hole's subtree is nothing but another one, so that it is a choice."""
    hole = bare.holes[0]
    tree = trees.place_at(bare.form.tree, hole.path).tree
    return (
        hole.items is None and isinstance(tree, Node) and len(tree.children) == 1 and tree.width > 0
    )


def _confirmed(state: State, bare: Pattern, condition: Condition) -> list[Hole] | None:
    """Return the holes with a condition, unless a value refutes it."""
    holes = [replace(hole, conditions=(condition,)) for hole in bare.holes]
    pattern = state.pattern(holes)
    if pattern.read(state.form.text) is None:
        return None
    passed, enough = attempt(state, pattern)
    if passed is not None:
        simplify(state, pattern, passed)
        return None
    return list(pattern.holes) if enough else None


def simplify(state: State, pattern: Pattern, passed: Instance) -> Instance:
    """Return a text that passes with a value as small as a few runs can find."""
    name = pattern.holes[0].name
    runs = 0
    smaller = True
    while smaller and runs < SHRINKING:
        smaller = False
        for value in _smaller(passed.values[0].text):
            instance = pattern.instance({name: value})
            if instance is None:
                continue
            runs += instance.text not in state.known
            if state.outcome(instance) is Outcome.PASSED:
                passed, smaller = instance, True
                break
            if runs >= SHRINKING:
                break
    return passed


def _smaller(text: str) -> Iterator[str]:
    """Yield the text with a piece left out, then with one sign made plainer."""
    size = len(text)
    while size:
        for start in range(0, len(text), size):
            yield text[:start] + text[start + size :]
        size //= 2
    for index, char in islice(enumerate(text), 40):
        for plain in ("a", "0"):
            if char.isalnum() and char > plain and char.isdigit() == plain.isdigit():
                yield text[:index] + plain + text[index + 1 :]
