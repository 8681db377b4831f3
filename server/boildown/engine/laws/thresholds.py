"""Bisects the thresholds of a law, by inputs that are made for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from boildown.engine.laws.aim import aimed, spelled
from boildown.engine.laws.features import looked_at
from boildown.engine.laws.law import holds
from boildown.engine.laws.learner import Proposal
from boildown.engine.laws.literals import MEASURES, Atom
from boildown.engine.laws.mutants import repeated
from boildown.engine.laws.state import Search
from boildown.engine.numerals import number
from boildown.engine.oracle import Outcome
from boildown.engine.telling import FAR, WIDE

BISECTIONS = 12
"""Runs for one threshold, at most."""
ALPHABETS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "=+-@#!%&*$~^?:;./_|<>")
"""Sorts of characters: where one of them matters, the others may, too."""
MOST_BASES = 12
"""Inputs of the table that others are made of to have a number somewhere, at most."""
EACH_AT_THRESHOLD = 3
"""Further items with a number at a threshold, all in one input."""
MOST_PROBED = 10_000_000
"""No number beyond this is tried."""


def bisected(search: Search, proposal: Proposal) -> bool:
    """Bisect the thresholds of a law; say whether any run was made that is new."""
    before = search.runs
    for rule in proposal.rules:
        rules = [each for each in proposal.rules if each != rule]
        for literal in rule:
            if literal.relation:
                _bisect(search, rule, literal, rules)
                _probe(search, rule, literal)
            elif literal.sides:
                _bisect_sides(search, rule, literal, rules)
                if literal.test == "between":
                    _probe(search, rule, literal)
            elif literal.test in ("begins", "some is", "in"):
                _spell(search, literal)
    return search.runs > before


def _bisect(
    search: Search, rule: tuple[Atom, ...], literal: Atom, rules: Sequence[tuple[Atom, ...]]
) -> None:
    """Run inputs between the nearest that fails and the nearest that passes.

    Those that fail by one of the other rules tell nothing of this one.
    """
    measure = MEASURES[literal.test]
    others = [each for each in rule if each is not literal]
    rising = (literal.relation in (">", ">=")) != literal.negated
    for _ in range(BISECTIONS):
        gap = _gap(search, literal, others, rising, rules)
        if gap is None or search.spent:
            return
        inside, outside = gap
        exact = isinstance(inside, int) and isinstance(outside, int)
        if abs(inside - outside) <= (
            1 if exact else max(0.01 * max(abs(inside), abs(outside)), 0.1)
        ):
            return
        constant = literal.constant
        assert isinstance(constant, int | float)
        target = _target(inside, outside, exact)
        if not _run_at(search, literal, others, target, measure, rules):
            return


def _bisect_sides(
    search: Search, rule: tuple[Atom, ...], literal: Atom, rules: Sequence[tuple[Atom, ...]]
) -> None:
    """Bisect the thresholds of conditions on one part, as if each were about the whole input."""
    known = [each for each in literal.sides if each.feature in search.table.columns]
    others = [each for each in rule if each is not literal]
    for side in known:
        if side.relation:
            _bisect(search, (*known, *others), side, rules)


def _probe(search: Search, rule: tuple[Atom, ...], literal: Atom) -> None:
    """Run inputs far from a threshold on both sides: another law may begin there."""
    key = (literal.feature, literal.test)
    if key in search.probed:
        return
    search.probed.add(key)
    others = [each for each in rule if each is not literal]
    bound = literal
    far: tuple[int, ...] = FAR
    targets: tuple[int, ...] = WIDE
    if literal.test == "between":
        bound = literal.sides[0]
    else:
        constant = literal.constant
        assert isinstance(constant, int | float)
        is_number = literal.feature.kind == "texts" and literal.test in ("most", "least")
        far = FAR if is_number else (0, 1)
        targets = (*far, round(10 * constant), round(constant / 2))
    for target in targets:
        if abs(target) < MOST_PROBED and not search.spent:
            measure = _standing(target) if far is FAR else MEASURES[literal.test]
            _run_at(search, bound, others, target, measure)
    if far is FAR and literal.test != "between":
        _run_several(search, literal, others)


def _run_several(search: Search, literal: Atom, others: Sequence[Atom]) -> None:
    """Run an input with several numbers at the threshold: a law may be on the sum of them."""
    constant = literal.constant
    assert isinstance(constant, int | float)
    if search.spent or (literal.relation != ">" if constant > 0 else literal.relation != "<"):
        return
    of_sort, measure = literal.feature, MEASURES[literal.test]
    for text in search.table.shortest_first(search.table.failing)[:MOST_BASES]:
        parts = search.parts(text)
        for made in aimed(literal, text, parts, constant) if parts is not None else ():
            new = search.parts(made)
            found = looked_at(of_sort, new) if new is not None else []
            for index in (i for each in found if new is not None for i in new.items_around(each)):
                assert new is not None
                several = repeated(made, new, index, EACH_AT_THRESHOLD)
                read = search.untried(several)
                if read is None or len(of_sort.a.of(read)) <= len(of_sort.a.of(new)):
                    continue
                is_at = measure(of_sort.of(read)) == constant
                if not is_at or not all(each.holds(each.feature.of(read)) for each in others):
                    continue
                if search.run(several, read) in (Outcome.REPRODUCED, Outcome.PASSED):
                    return


def _standing(target: float) -> Callable[[Any], float | None]:
    """Return a measure that is `target` where this stands among others."""
    return lambda seen: target if any(number(each) == target for each in seen) else None


def _spell(search: Search, literal: Atom) -> None:
    """Run inputs with the other characters of a sort, where one character matters."""
    constant = literal.constant
    given = constant if isinstance(constant, tuple) else (str(constant),)
    key = (literal.feature, literal.test[:2])
    if key in search.probed or any(len(each) != 1 for each in given):
        return
    search.probed.add(key)
    begins = literal.test.startswith("begins")
    table = search.table
    held = table.rows(literal) & table.failing
    texts = [text for row, text in enumerate(table.texts) if held >> row & 1]
    if not texts:
        return
    text = min(texts, key=lambda each: (len(each), each))
    parts = search.parts(text)
    if parts is None:
        return
    alphabet = next((each for each in ALPHABETS if given[0] in each), "")
    for character in alphabet:
        for made in spelled(literal.feature.a, text, parts, given, character, begins):
            new = search.untried(made)
            if new is not None and not search.spent:
                search.run(made, new)
                break


def _target(inside: float, outside: float, exact: bool) -> float:
    middle = (inside + outside) / 2
    if exact:
        return (int(inside) + int(outside)) // 2
    if int(inside) != int(outside) and float(round(middle)) not in (inside, outside):
        return round(middle)
    return round(middle, 3)


def _gap(
    search: Search,
    literal: Atom,
    others: Sequence[Atom],
    rising: bool,
    rules: Sequence[tuple[Atom, ...]],
) -> tuple[float, float] | None:
    """Return the last value that fails and the next one that passes."""
    measure = MEASURES[literal.test]
    context = (search.table.failing | search.table.passing) & ~search.table.explained(rules)
    for each in others:
        context &= search.table.rows(each)
    fails, passes = set(), set()
    constant = literal.constant
    assert isinstance(constant, int | float)
    for seen, rows in search.table.columns[literal.feature].items():
        value = measure(seen)
        if value is None or not rows & context:
            continue
        if rows & context & search.table.failing and literal.holds(seen):
            fails.add(value)
        if rows & context & search.table.passing and not literal.holds(seen):
            passes.add(value)
    if not fails or not passes:
        return None
    return (min(fails), max(passes)) if rising else (max(fails), min(passes))


def _run_at(
    search: Search,
    literal: Atom,
    others: Sequence[Atom],
    target: float,
    measure: Callable[[Any], float | None],
    rules: Sequence[tuple[Atom, ...]] = (),
) -> bool:
    """Run an input with a certain value, and for which no other rule holds, if there is one."""
    table = search.table
    told = (table.failing | table.passing) & ~table.explained(rules)
    rows = [i for i in range(len(table.texts)) if told >> i & 1]
    rows.sort(key=lambda i: (not table.failing >> i & 1, len(table.texts[i])))
    for row in rows[:MOST_BASES]:
        text = table.texts[row]
        parts = search.parts(text)
        if parts is None:
            continue
        for made in aimed(literal, text, parts, target):
            new = search.untried(made)
            if new is None or measure(literal.feature.of(new)) != target:
                continue
            if not all(each.holds(each.feature.of(new)) for each in others) or holds(rules, new):
                continue
            if search.run(made, new) in (Outcome.REPRODUCED, Outcome.PASSED):
                return True
            if search.spent:
                return False
    return False
