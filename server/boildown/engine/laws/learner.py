"""Learns laws from a table of runs: the simplest rules that tell failing runs from passing ones.

A law is a disjunction of rules, a rule a conjunction of one or two literals, and of three where
none of two agrees with all runs. Rules are found by separate-and-conquer (J. Fürnkranz, Separate-
and-Conquer Rule Learning, 1999): one that no passing run refutes and that explains the most failing
ones, then one for what is left. Several laws that agree with all runs come back, the simplest
first, for only more runs can tell which one is right.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from boildown.engine.laws.literals import Atom
from boildown.engine.laws.table import Table

Rule: TypeAlias = tuple[Atom, ...]

MOST_LITERALS = 120
"""Literals that conjunctions are made of, at first."""
MOST_DEAR = 600
"""Literals that they are made of where these come to none."""
MOST_RULES = 90
"""Rules that disjunctions are made of."""
MOST_COMPLETED = 10
"""Rules that are completed by others, the best ones."""
EACH_COMPLETED = 4
"""Others for each of them."""
MOST_CONQUERED = 4
"""Rules that are completed by pairs of literals."""
LEAST_KEPT_OUT = 3
"""Passing runs that each of three literals keeps out alone, at least."""
DEAREST = 9.0
"""What a law may cost more than the simplest one."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A law that agrees with all runs."""

    rules: tuple[Rule, ...]
    cost: float


def learn(
    table: Table, known: Sequence[tuple[Atom, int]], count: int, most_rules: int = 3
) -> list[Proposal]:
    """Return so many laws at most that agree with all runs of a table, the simplest first.

    `known` are the literals, the simplest first, each with the bitset of runs where it holds.
    """
    failing, passing = table.failing, table.passing
    found = [((literal,),) for literal, rows in known if not _wrong(rows, failing, passing)]
    proposals = [Proposal(rules, cost_of(rules)) for rules in found[: 2 * count]]
    best = min((each.cost for each in proposals), default=100.0)
    whole = [each for each in known if not failing & ~each[1]]
    conjunctions = [*_conjunctions(whole[:MOST_LITERALS], passing, best)]
    if not proposals and not conjunctions:
        # What compares two parts is dear, and may still be the simplest of those that agree.
        conjunctions = [*_conjunctions(whole[:MOST_DEAR], passing, best)]
        conjunctions = conjunctions or [
            *itertools.islice(_triples(whole[:MOST_LITERALS], passing), count)
        ]
    proposals += [Proposal((rule,), cost_of((rule,))) for rule in conjunctions]
    if most_rules > 1:
        best = min([best, *(each.cost for each in proposals)])
        for rules in _disjunctions(known, failing, passing, best, most_rules):
            proposals.append(Proposal(rules, cost_of(rules)))
    proposals.sort(key=lambda each: (each.cost, str(each.rules)))
    # The rules of one law come in several orders, and a literal of parts of several sorts.
    apart: dict[frozenset[str], Proposal] = {}
    for each in proposals:
        apart.setdefault(frozenset(map(_read, each.rules)), each)
    kept = itertools.islice(apart.values(), count)
    return [each for each in kept if each.cost <= proposals[0].cost + DEAREST]


def _wrong(rows: int, failing: int, passing: int) -> int:
    return (failing & ~rows) | (passing & rows)


def merged(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return rules in which those that differ in the text at one place alone are one.

    `//scheme = "ws" and //port or //scheme = "wss" and //port` asks for one of two texts.
    """
    for one, two in itertools.combinations(rules, 2):
        apart = [(a, b) for a, b in zip(one, two, strict=False) if a != b]
        if len(one) != len(two) or len(apart) != 1:
            continue
        (a, b), same = apart[0], apart[0][0].feature == apart[0][1].feature
        if same and {a.test, b.test} <= {"some is", "in"} and not a.negated and not b.negated:
            constants = [each.constant for each in (a, b)]
            sets = [each if isinstance(each, tuple) else (each,) for each in constants]
            texts = sorted({each for known in sets for each in known if isinstance(each, str)})
            if len(texts) == sum(map(len, sets)):
                literal = Atom(a.feature, "in", constant=tuple(texts))
                rule = tuple(literal if each is a else each for each in one)
                rest = [each for each in rules if each not in (one, two)]
                return merged((rule, *rest))
    return rules


def cost_of(rules: tuple[Rule, ...]) -> float:
    """Return how much there is to say in a law."""
    literals = [literal for rule in rules for literal in rule]
    return sum(each.cost for each in literals) + 2.5 * (len(rules) - 1) + len(literals) - 1


def _conjunctions(whole: Sequence[tuple[Atom, int]], passing: int, best: float) -> Iterator[Rule]:
    """Yield pairs of literals, of those that hold for all failing runs, that no other fulfils."""
    every = [(literal, rows, literal.cost) for literal, rows in whole]
    for index, (one, rows, one_cost) in enumerate(every):
        if not rows & passing or 2 * one_cost > best + DEAREST:
            continue
        for two, others, two_cost in every[index + 1 :]:
            if one_cost + two_cost > best + DEAREST:
                break
            if not rows & others & passing and others & passing:
                yield (one, two)


def _triples(whole: Sequence[tuple[Atom, int]], passing: int) -> Iterator[Rule]:
    """Yield three literals that hold for all failing runs, and together for no passing one.

    Of so many, some do by chance: each is to keep out several passing runs that the others let in.
    """
    some = [(literal, kept) for literal, rows in whole if (kept := rows & passing) != passing]
    for index, (one, first) in enumerate(some):
        for at, (two, second) in enumerate(some[index + 1 :], index + 1):
            both = first & second
            if both.bit_count() < LEAST_KEPT_OUT:
                continue
            for three, third in some[at + 1 :]:
                let_in = (first & third, second & third)
                if not both & third and min(map(int.bit_count, let_in)) >= LEAST_KEPT_OUT:
                    yield (one, two, three)


def _disjunctions(
    known: Sequence[tuple[Atom, int]], failing: int, passing: int, best: float, most: int
) -> Iterator[tuple[Rule, ...]]:
    """Yield rules that no passing run refutes, and that together explain all failing ones."""
    pure = _pure(known, failing, passing)
    seen: dict[int, int] = {}
    kept = []
    # The cheapest for what it explains, so that few rules for much come first.
    pure.sort(key=lambda each: (each[0] - 2.0 * each[2].bit_count() ** 0.5, str(each[1])))
    for cost, rule, rows in pure:
        if rows and rows != failing and seen.get(rows, 0) < 2:
            seen[rows] = seen.get(rows, 0) + 1
            kept.append((cost, rule, rows))
            if len(kept) == MOST_RULES:
                break
    for index, (one_cost, one_rule, covered) in enumerate(kept):
        for two_cost, two_rule, others in kept[index + 1 :]:
            if covered | others != failing or one_cost + two_cost >= best + DEAREST:
                continue
            if _differ((one_rule, two_rule)):
                yield (one_rule, two_rule)
    yield from filter(_differ, _completed(kept, pure, failing))
    yield from filter(_differ, _conquered(kept, known, failing, passing))
    if most > 2:
        yield from filter(_differ, _greedy(kept, failing, most))


def _completed(
    kept: Sequence[tuple[float, Rule, int]], pure: Sequence[tuple[float, Rule, int]], failing: int
) -> Iterator[tuple[Rule, ...]]:
    """Yield the best rules with the cheapest others that explain what each of them leaves.

    A rule for few runs only is not among the best ones itself.
    """
    # One that explains all of them needs no other.
    partial = (each for each in pure if failing & ~each[2])
    cheapest = sorted(partial, key=lambda each: (each[0], str(each[1])))
    for _, rule, covered in kept[:MOST_COMPLETED]:
        left = failing & ~covered
        rest = (each for each in cheapest if not left & ~each[2])
        yield from ((rule, other) for _, other, _ in itertools.islice(rest, EACH_COMPLETED))


def _conquered(
    kept: Sequence[tuple[float, Rule, int]],
    known: Sequence[tuple[Atom, int]],
    failing: int,
    passing: int,
) -> Iterator[tuple[Rule, ...]]:
    """Yield the best rules, each with pairs of literals that hold for all other failing runs.

    The literals of such a pair may be dear, for few others do.
    """
    seen: set[int] = set()
    for _, rule, covered in kept[:MOST_COMPLETED]:
        left = failing & ~covered
        if covered in seen or len(seen) == MOST_CONQUERED:
            continue
        seen.add(covered)
        whole = [each for each in known if not left & ~each[1]][:MOST_LITERALS]
        pairs = itertools.combinations(whole, 2)
        found = (
            (one, two) for (one, a), (two, b) in pairs if not a & b & passing and failing & ~(a & b)
        )
        yield from ((rule, pair) for pair in itertools.islice(found, EACH_COMPLETED))


def _pure(
    known: Sequence[tuple[Atom, int]], failing: int, passing: int
) -> list[tuple[float, Rule, int]]:
    """Return the rules that no passing run refutes, with their costs and the runs they explain."""
    pure: list[tuple[float, Rule, int]] = []
    for literal, rows in known:
        if not rows & passing:
            pure.append((literal.cost, (literal,), rows & failing))
    some = [each for each in known if each[1] & passing and each[1] & failing][:MOST_LITERALS]
    mixed = [(literal, rows, literal.cost) for literal, rows in some]
    for index, (one, rows, one_cost) in enumerate(mixed):
        for two, others, two_cost in mixed[index + 1 :]:
            if not rows & others & passing and (both := rows & others & failing):
                pure.append((one_cost + two_cost + 1, (one, two), both))
    return pure


def learn_part(
    table: Table, known: Sequence[tuple[Atom, int]], first: int, least: float, spared: float
) -> Proposal | None:
    """Return the one or two rules that explain the most failing runs, if any explain enough.

    They explain the rows `first` and the share `least` of all that fail, at least, and hold for
    passing rows that are the share `spared` of those for which they hold, at most. Each explains
    more rows than there is to say in it.
    """
    failing, passing = table.failing, table.passing
    pure = [(cost, rule, rows, 0) for cost, rule, rows in _pure(known, failing, passing)]
    for literal, rows in known:
        if 0 < (wrong := (rows & passing).bit_count()) <= spared * rows.bit_count():
            pure.append((literal.cost, (literal,), rows & failing, wrong))
    chosen: list[Rule] = []
    left = failing
    for wanted in (first, 0):
        worth = [
            ((rows & left).bit_count() - 3 * wrong - cost - 2.5 * len(chosen), -cost, rule, rows)
            for cost, rule, rows, wrong in pure
            if not wanted & ~rows
        ]
        most = max((each[:2] for each in worth), default=(0.0, 0.0))
        if most[0] <= 0:
            break
        best = (each[2:] for each in worth if each[:2] == most)
        rule, rows = max(best, key=lambda each: str(each[0]))
        if not _differ((*chosen, rule)):
            break
        chosen.append(rule)
        left &= ~rows
    rules = tuple(chosen)
    is_enough = (failing & ~left).bit_count() >= least * failing.bit_count()
    return Proposal(rules, cost_of(rules)) if rules and is_enough else None


def _differ(rules: tuple[Rule, ...]) -> bool:
    """Say whether no two rules read the same.

    Such ones speak of one name as parts of different sorts, which tells a reader nothing: `//li`
    would then be said although there are passing inputs with it.
    """
    return len(set(map(_read, rules))) == len(rules)


def _read(rule: Rule) -> str:
    return " and ".join(map(str, rule))


def _greedy(
    rules: Sequence[tuple[float, Rule, int]], failing: int, most: int
) -> Iterator[tuple[Rule, ...]]:
    """Separate and conquer, begun with each of the best rules."""
    for _, first, covered in rules[:10]:
        chosen, left = [first], failing & ~covered
        while left and len(chosen) < most:
            _, rule, rows = max(
                rules, key=lambda each: ((each[2] & left).bit_count(), -each[0]), default=rules[0]
            )
            if not rows & left:
                break
            chosen.append(rule)
            left &= ~rows
        if not left and len(chosen) > 2:
            yield tuple(chosen)
