"""Tests one candidate hole: whether every value reproduces, or under which condition.

Several places that have to hold the same text count as one hole.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from random import Random

from boildown import tree as trees
from boildown.engine.generalizing.bisection import numeric_condition
from boildown.engine.generalizing.generalization import DRAWS_PER_TRIAL, Generalization, original
from boildown.engine.generalizing.hostile import hostile, sampled
from boildown.engine.generalizing.learning import learn
from boildown.engine.numerals import Number, exact_number
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import (
    Condition,
    Containing,
    Lacking,
    Value,
    Without,
    digits,
    spellings,
    tokens,
)
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Instance, Pattern

DRAWS_BEFORE_HOSTILE = 3
"""Random values that are tried before the hostile ones."""
DRAWS_AFTER_HOSTILE = 4
"""Random values that are tried after the hostile ones."""
OF_EACH_KIND = 3
"""Adversarial values of each kind that are tried in a hole that was found without runs."""
MIN_SHARE = 0.3
"""The share of random values that must reproduce for a condition to be looked for."""
SHARE_DRAWS = 10
"""Random values by which that share is measured."""
MAX_PASSED_FIRST = 3
"""So many values that pass before any that reproduces settle it early."""
MAX_INVALID_FIRST = 12
"""So many values that are invalid before any that reproduces settle it, too."""
MIN_REPRODUCED = 3
"""Texts that must reproduce where others are invalid."""
MAX_CONDITIONS = 5
"""How often a condition is learned anew, each from the values that refuted the one before."""
MAX_FAILED_DRAWS = 10
"""So many draws in a row without a text end the drawing."""
WHOLE_PARTS = (0, 1, 37, 1024, 999999, 2**40)
"""Whole parts of numbers by which bounds are told from a type."""
_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")
MAX_ALTERNATIVES = 16
"""A hole with so many texts at most is filled with each of them."""
MAX_NESTED = 4
"""Values that are tried to see whether a token that must be absent may be nested deeper."""
NESTING_VALUES = 30
"""Values that these are made of; most have no part deep inside."""
SHRINKING_RUNS = 20
"""Runs that may be spent on reducing a value that passes."""


def examine(state: Generalization, holes: Sequence[Hole]) -> list[Hole] | None:
    """Test a candidate hole; return it with the condition it needs, or None if it is no hole.

    Several holes are places that hold the same text; they are one candidate.
    """
    pattern = state.pattern(holes)
    _, bad = known_values(state, pattern)
    passed = None
    if not bad:
        passed, enough = attempt(state, pattern)
        if passed is None:
            return list(pattern.holes) if enough else None
    return narrowed(state, pattern.holes, passed)


def attacked(
    state: Generalization, sought: Generalization, holes: Sequence[Hole]
) -> list[Hole] | None:
    """Try a few adversarial values in a hole that was found without runs; narrow it if one passes.

    `sought` is where it was found: values come from texts that are thought to pass there, too.
    Return the hole with the condition that it needs, or None if it is no hole.
    """
    pattern = state.pattern(holes)
    passed, _, _ = _tried(state, hostile(sought, pattern, OF_EACH_KIND))
    if passed is None or not state.refutes(passed.text):
        return list(holes)
    return narrowed(state, pattern.holes, passed)


def narrowed(
    state: Generalization, holes: Sequence[Hole], passed: Instance | None = None
) -> list[Hole] | None:
    """Learn a condition for a hole that no value tried refutes; return None if there is none.

    `passed` is a text that refuted them. What was run before is used, too. Conditions that the
    holes have already are learnt anew.
    """
    bare = state.pattern(replace(hole, conditions=()) for hole in holes)
    if _is_numeric(state, bare):
        return _narrowed_number(state, bare)
    if not _is_worth_it(state, bare):
        return None
    if passed is not None:
        simplify(state, bare, passed)
    for _ in range(MAX_CONDITIONS):
        condition = learned(bare, *known_values(state, bare))
        if isinstance(condition, Lacking) and condition.text and not condition.outside:
            _ask_nested(state, bare, condition)
            condition = learned(bare, *known_values(state, bare))
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
    """Learn a condition for a hole from values that reproduce and values that pass."""
    hole = pattern.holes[index]
    start = original(pattern.template, hole)
    if hole.items is not None:
        # Without an item almost any condition holds.
        good = [value for value in good if value.text]
        if len(good) < MIN_REPRODUCED:
            return None
    return learn(good, bad, start, only_alternatives, tokens(pattern.template.tree))


def attempt(state: Generalization, pattern: Pattern) -> tuple[Instance | None, bool]:
    """Try to refute a pattern with one hole; return a text that passes, or None.

    Also say whether enough texts reproduced for the hole to be one.
    """
    passed, reproduced, others = _tried(state, _attempts(state, pattern, state.fork()))
    while passed is not None and not state.refutes(passed.text):
        passed, reproduced, others = _tried(state, _attempts(state, pattern, state.fork()))
    if passed is None and others and reproduced:
        # That values made for the purpose are valid says nothing of those that will be drawn.
        more = draws(pattern, state.fork(), DRAWS_PER_TRIAL * MIN_REPRODUCED)
        passed, reproduced, _ = _tried(state, more, MIN_REPRODUCED)
        if passed is not None and not state.refutes(passed.text):
            passed = None
    return passed, len(reproduced) >= (MIN_REPRODUCED if others else 1)


def _tried(
    state: Generalization, instances: Iterator[Instance], wanted: int | None = None
) -> tuple[Instance | None, set[str], int]:
    """Run instances; return one that passed, the texts that reproduced, the number of others.

    Texts that are known to pass only sometimes are left out. `wanted` are the texts other than the
    pattern's own that need to reproduce.
    """
    reproduced: set[str] = set()
    others = 0
    with closing(state.ask(instances)) as answers:
        for instance, outcome in answers:
            if instance.text in state.unreliable:
                continue
            if outcome is Outcome.PASSED:
                return instance, reproduced, others
            if outcome is not Outcome.REPRODUCED:
                others += 1
                if others == MAX_INVALID_FIRST and not reproduced:
                    break
            elif instance.text != state.template.text:
                reproduced.add(instance.text)
                if len(reproduced) == wanted:
                    break
    return None, reproduced, others


def _attempts(state: Generalization, pattern: Pattern, rng: Random) -> Iterator[Instance]:
    yield from draws(pattern, rng, DRAWS_BEFORE_HOSTILE)
    yield from hostile(state, pattern)
    yield from draws(pattern, rng, DRAWS_AFTER_HOSTILE)


def draws(pattern: Pattern, rng: Random, count: int) -> Iterator[Instance]:
    """Yield that many random texts of a pattern; fewer if drawing keeps failing."""
    misses = 0
    while count and misses < MAX_FAILED_DRAWS:
        instance = pattern.draw(rng)
        if instance is None:
            misses += 1
        else:
            misses = 0
            count -= 1
            yield instance


def known_values(state: Generalization, pattern: Pattern) -> tuple[list[Value], list[Value]]:
    """Return the first hole's values in the runs so far: of texts that reproduced, and that passed.

    These are the texts that were run already, whatever for.
    """
    good: list[Value] = []
    bad: list[Value] = []
    for text in list(known_texts(state, pattern)):
        state.check()
        values = pattern.read(text)
        if values is None:
            continue
        if state.known[text] is Outcome.REPRODUCED:
            good.append(values[0])
        elif state.refutes(text):
            bad.append(values[0])
    return good, bad


def known_texts(state: Generalization, pattern: Pattern) -> Iterator[str]:
    """Yield the trials so far that could match a pattern, by a look at the texts' ends."""
    start = pattern.template.text[: pattern.holes[0].start].rstrip()
    end = pattern.template.text[pattern.holes[-1].end :].lstrip()
    for text, outcome in state.known.items():
        if (
            outcome in (Outcome.REPRODUCED, Outcome.PASSED)
            and text.startswith(start)
            and text.endswith(end)
        ):
            yield text


def _is_numeric(state: Generalization, bare: Pattern) -> bool:
    """Say whether numbers, and hardly anything else, stand in the hole."""
    hole = bare.holes[0]
    own = None if hole.items is not None else exact_number(original(state.template, hole).text)
    if own is None or not math.isfinite(own):
        return False
    values = list(sampled(bare, state.fork(), SHARE_DRAWS))
    return sum(exact_number(value.text) is not None for value in values) >= 0.8 * len(values) > 0


def _ask_nested(state: Generalization, bare: Pattern, condition: Lacking) -> None:
    """Run values that have a token only in some part deep inside, where it may be allowed."""
    name = bare.holes[0].name
    left = MAX_NESTED
    for model in sampled(bare, Random(0), NESTING_VALUES):
        places = [
            place
            for place in trees.places(model.tree)
            if place.tree.label == condition.label and _is_nested(place)
        ]
        if not places:
            continue
        whole, (start, end) = trees.text(model.tree), places[-1].span
        value = whole[len(whole) - len(model.text) : start] + condition.text + whole[end:]
        instance = bare.instance({name: value})
        if instance is not None:
            state.outcome(instance)
            left -= 1
            if not left:
                return


def _is_nested(place: trees.Place) -> bool:
    """Say whether a label comes twice on the way to a place."""
    above = []
    parent = place.parent
    while parent is not None:
        above.append(parent.tree.label)
        parent = parent.parent
    return len(set(above)) < len(above)


def _narrowed_number(state: Generalization, bare: Pattern) -> list[Hole] | None:
    """Return the holes of numbers with bounds, or with a set where bounds leave some out."""
    if (found := _spelled_alike(state, bare)) is not None:
        return found
    condition = _numeric(state, bare)
    _ask_alternatives(state, bare)
    good, bad = known_values(state, bare)
    if bad and (condition is None or not all(map(condition.holds, good))):
        among = learned(bare, good, bad, only_alternatives=True)
        found = None if among is None else _confirmed(state, bare, among)
        if found is not None:
            return found
    return None if condition is None else _confirmed(state, bare, condition)


def _spelled_alike(state: Generalization, bare: Pattern) -> list[Hole] | None:
    """Return the holes of all numbers with a fraction, or of all without, if only others pass.

    To a program they are of another type, so that there are no bounds to look for.
    """
    hole = bare.holes[0]
    own = original(state.template, hole).text
    if not _DECIMAL.fullmatch(own):
        return None
    _, dot, part = own.partition(".")
    condition = Containing(".") if dot else Without(".Ee")

    def is_refuted() -> bool:
        _, bad = known_values(state, bare)
        return not bad or any(map(condition.holds, bad))

    if is_refuted():
        return None
    for whole in WHOLE_PARTS:
        if (instance := bare.instance({hole.name: f"{whole}{dot}{part}"})) is not None:
            state.outcome(instance)
    return None if is_refuted() else _confirmed(state, bare, condition)


def _ask_alternatives(state: Generalization, bare: Pattern) -> None:
    """Run each text of a hole that has but a few, such as a digit."""
    hole = bare.holes[0]
    expansions = state.template.language.expansions(hole.label)
    alternatives = () if expansions is None else expansions.alternatives
    texts = [each for labels in alternatives if (each := _literal(labels)) is not None]
    if len(alternatives) > MAX_ALTERNATIVES or len(texts) < len(alternatives):
        return
    for text in texts:
        instance = bare.instance({hole.name: text})
        if instance is not None:
            state.outcome(instance)


def _literal(labels: Sequence[str]) -> str | None:
    """Return the text of labels that all are literals; None where one is not, such as a range."""
    try:
        texts = [json.loads(label) for label in labels if label.startswith('"')]
    except json.JSONDecodeError:
        return None
    return "".join(texts) if len(texts) == len(labels) else None


def _numeric(state: Generalization, bare: Pattern) -> Condition | None:
    name = bare.holes[0].name

    def ask(value: Number) -> Outcome | None:
        for text in spellings(digits(value), own):
            if (instance := bare.instance({name: text})) is not None:
                outcome = state.outcome(instance)
                reliable = outcome is not Outcome.PASSED or state.refutes(instance.text)
                return outcome if reliable else Outcome.REPRODUCED
        return None

    own = original(state.template, bare.holes[0]).text
    start = exact_number(own)
    assert start is not None
    for _ in range(MAX_CONDITIONS):
        good, bad = known_values(state, bare)
        known = {**_numbers(good, True), **_numbers(bad, False)}
        condition = numeric_condition(start, known, ask)
        if condition is None:
            return None
        if _confirmed(state, bare, condition) is not None:
            return condition
    return None


def _numbers(values: Sequence[Value], reproduced: bool) -> dict[Number, bool]:
    found = (exact_number(value.text) for value in values)
    return {each: reproduced for each in found if each is not None and math.isfinite(each)}


def _is_worth_it(state: Generalization, bare: Pattern) -> bool:
    """Say whether random values reproduce often enough for a condition to be looked for.

    They are the same whenever it is asked, so that asking again costs no run.
    """
    reproduced = passed = 0
    rng = Random(0)
    with closing(state.ask(draws(bare, rng, 2 * SHARE_DRAWS))) as answers:
        for instance, outcome in answers:
            if instance.text == state.template.text:
                continue
            reproduced += outcome is Outcome.REPRODUCED
            passed += outcome is Outcome.PASSED
            if reproduced + passed == SHARE_DRAWS or (
                passed == MAX_PASSED_FIRST and not reproduced
            ):
                break
    return reproduced > 0 and reproduced >= MIN_SHARE * (reproduced + passed)


def _confirmed(state: Generalization, bare: Pattern, condition: Condition) -> list[Hole] | None:
    """Return the holes with a condition, unless a value refutes it."""
    holes = [replace(hole, conditions=(condition,)) for hole in bare.holes]
    pattern = state.pattern(holes)
    if pattern.read(state.template.text) is None:
        return None
    passed, enough = attempt(state, pattern)
    if passed is not None:
        simplify(state, pattern, passed)
        return None
    return list(pattern.holes) if enough else None


def simplify(state: Generalization, pattern: Pattern, passed: Instance) -> Instance:
    """Reduce the value in a text that passes, as far as a few runs allow."""
    name = pattern.holes[0].name
    runs = 0
    smaller = True
    while smaller and runs < SHRINKING_RUNS:
        smaller = False
        for value in _smaller(passed.values[0].text):
            instance = pattern.instance({name: value})
            if instance is None:
                continue
            runs += instance.text not in state.known
            if state.passes(instance):
                passed, smaller = instance, True
                break
            if runs >= SHRINKING_RUNS:
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
