"""Proposes literals: the questions and comparisons that tell failing runs of a table from others.

Numbers to compare with come from the table, between runs of different outcome, and are made round.
Texts to compare with come from inputs that fail, and none from those that the user gave besides.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import or_

from boildown.engine.laws.aim import places
from boildown.engine.laws.families import relatives
from boildown.engine.laws.features import OPERATORS, Feature, Observed
from boildown.engine.laws.literals import (
    COMPARED,
    QUESTIONS,
    RELATIONS,
    Atom,
    alone,
    apart,
    between,
    scoped,
    together,
)
from boildown.engine.laws.parts import CONSTANTS, PLAIN, Part, Parts, bare
from boildown.engine.laws.table import Table
from boildown.engine.numerals import number, roundest

LONGEST_CONSTANT = 24
"""Characters of the longest text that others are compared with."""
MOST_CONSTANTS = 8
"""Texts of one feature that others are compared with for equality."""
MOST_BESIDE = 2
"""Texts of each of two parts side by side that others are compared with."""
MOST_BOUNDS = 30
"""Conditions on two parts side by side of which one is that a number is in bounds."""
LONGEST_END = 3
"""Characters that a text begins or ends with, where two conditions are on it."""
MOST_ALTERNATIVES = 5
"""Texts of a set that others are in, or not."""
MOST_HAVE = 0.6
"""The share of these that must have a beginning, an end or a character that others lack."""
MOST_COMPARED = 400
"""Texts that are asked for what all of them have in common."""
MOST_MARKS = 3
"""Marks that no text may begin with, in one condition."""
DIVISORS = (*range(2, 13), 15, 16, 20, 24, 25, 30, 32, 50, 60, 64, 100, 128, 256, 360, 400, 500,
            512, 1000, 1024, 4096)  # fmt: skip
"""Numbers that others may have to be multiples of."""
SHARES = (2, 3, 4)
"""Numbers that the length of a list may have to be a multiple of."""
MOST_BETWEEN = 4
"""Intervals of the numbers at one place that only failing inputs have, at most."""
MAX_INDIVISIBLE = 0.1
"""The share of the inputs whose numbers may be no multiples of what divides the others."""
SAME_ROWS = 3
"""Literals that hold for the same rows and are kept, the simplest ones."""

_TALLIED = tuple(f"tally {each}" for each in ("!=", "is not", "=", "<", ">", "<=", ">="))
_UNEQUAL = tuple(f"left {each} right" for each in ("!=", "=", "<", ">"))
_ASKED = {
    "lower": (),
    "truth": ("truthy",),
    "texts": ("exists", "empty", "odd", "repeated", "all alike"),
    "counts": ("uneven", "over first", "under first"),
    **dict.fromkeys(("lengths", "sizes", "numbers"), _UNEQUAL),
    **dict.fromkeys((*OPERATORS, "alike"), ()),
    "depth": (),
    "groups": ("repeated",),
    "words": ("repeated",),
    "with": ("some", "lacks"),
    "inside": ("some", "lacks"),
    "tallied": _TALLIED,
    "added": _TALLIED,
    "defined": ("lacks",),
    "listed": ("lacks", "some"),
    "matched": tuple(f"left {each} right" for each in COMPARED),
    "order": ("ahead", "behind"),
    "kinds": ("mixed",),
    "beside": ("before", "after", *(f"left {each} right" for each in COMPARED)),
    "together": (),
    "alone": (),
    "scoped": (),
    "around": ("negative", "same sides", "other sides", "left < right", "left > right"),
    "previous": tuple(f"left {each} right" for each in ("=", "<", ">", "<=", ">=")),
    "stated": tuple(f"stated {e} {w}" for w in ("count", "sum") for e in ("!=", "=", "<", ">")),
}  # fmt: skip
_MEASURED = {
    "texts": ("most", "least", "longest", "shortest", "count", "sum"),
    "counts": ("most", "least"),
    "depth": ("most",),
    **dict.fromkeys(OPERATORS, ("most", "least")),
    "alike": ("most",),
    "groups": ("count inside", "sum inside"),
}
_LARGEST = ("most", "count inside")
"""The measures of the largest of some parts: where there are none, none is too large."""
_TURNABLE = ("exists", "empty", "repeated", "some is", "begins", "has", "ends", "before", "some",
             "stated = count", "stated = sum")  # fmt: skip


def literals(table: Table, core: Sequence[Parts]) -> list[tuple[Atom, int]]:
    """Return literals, the simplest first, each with the bitset of runs where it holds.

    Of those that hold for the same rows, only the simplest are kept. `core` are failing inputs
    whose texts others are compared with.
    """
    by_rows: dict[int, list[tuple[float, str, Atom]]] = {}
    failing, passing = table.failing, table.passing
    told = failing | passing
    for feature in table.features:
        if len(table.columns[feature]) == 1:
            continue
        if feature not in table.questions:
            asked_of_one = table.scopes.get(feature, ())
            table.questions[feature] = (*asked_of_one, *_questions(feature, core))
        asked = ((each, table.rows(each)) for each in table.questions[feature])
        if feature.kind == "stated" and not any(_sum(seen) for seen in table.columns[feature]):
            # Where nothing is added up, it is compared with 0, which a plain literal says.
            asked = (each for each in asked if not each[0].test.endswith("sum"))
        proposed = itertools.chain(
            *(_sets(table, feature), _missing(table, feature, core)),
            *(_divisions(table, feature), _between(table, feature)),
        )
        sets = ((each, table.rows(each)) for each in proposed)
        bounded = itertools.islice(_bounded(table, feature), MOST_BOUNDS)
        for literal, held in itertools.chain(asked, sets, bounded, _measures(table, feature, core)):
            rows = held & told
            if rows & failing and passing & ~rows:
                by_rows.setdefault(rows, []).append((*table.worded(literal), literal))
    found: list[tuple[float, str, Atom, int]] = []
    for rows, same in by_rows.items():
        same.sort(key=lambda each: each[:2])
        said: dict[str, tuple[float, str, Atom, int]] = {}
        for cost, words, literal in same:
            said.setdefault(words, (cost, words, literal, rows))
            if len(said) == SAME_ROWS:
                break
        found += said.values()
    found.sort(key=lambda each: each[:2])
    return [(literal, rows) for _, _, literal, rows in found]


def _sum(seen: Observed) -> float:
    """Return the sum that a number is compared with."""
    assert isinstance(seen, tuple)
    return float(seen[2])


def _questions(feature: Feature, core: Sequence[Parts]) -> Iterator[Atom]:
    """Yield the questions of a feature that do not depend on the runs."""
    is_there = _is_there(feature)
    if feature.kind == "texts" and feature.a.text is not None:
        # It is asked how many of them there are.
        return
    for test in ("exists", "odd") if is_there else _ASKED[feature.kind]:
        yield Atom(feature, test)
        if test in _TURNABLE:
            yield Atom(feature, test, negated=True)
    if feature.kind == "scoped" and len(feature.inner) == 1:
        (inner,) = feature.inner
        yield from (scoped(feature.a, (Atom(inner, test),)) for test in _ASKED[inner.kind])
    elif feature.kind in OPERATORS and feature.inner:
        yield from (Atom(feature, test) for test in _UNEQUAL)
    elif feature.kind == "alone":
        yield from _alone(apart(feature)[0], core)
    elif feature.kind == "together":
        first, second = apart(feature)
        # Of two that are there, the one that comes first in the text is said first.
        seconds = [] if _is_turned(feature, core) else [*_sides(second, core)]
        absent = Atom(second, "exists", negated=True)
        for one, two in itertools.product(_sides(first, core), [*seconds, absent]):
            yield together(one, two)
    elif feature.kind == "counts" and not _is_of_words(feature):
        for test, divisor in itertools.product(("count divisible", "count indivisible"), SHARES):
            yield Atom(feature, test, constant=divisor)
    if feature.kind == "lower":
        yield from _folded(feature, core)
    if feature.kind != "texts" or is_there:
        return
    fixed = _fixed_texts(feature, core)
    for text in _constants(feature, core):
        value = number(text)
        same: str | float = text if value is None else value
        yield Atom(feature, "some is", constant=same)
        yield Atom(feature, "some is", constant=same, negated=True)
        if text in fixed:
            # Of a keyword or a truth value no part means anything.
            continue
        if value is not None and text[0] in "+-":
            # A comparison says a sign, too, but not that of a zero.
            yield Atom(feature, "begins", constant=text[0])
            continue
        for size in {*range(1, min(len(text), 6)), len(text)}:
            yield Atom(feature, "begins", constant=text[:size])
            yield Atom(feature, "ends", constant=text[-size:])
        for size in {1, 2, 3, len(text)}:
            begins = len(text) if size == 1 else min(len(text), max(12, size))
            for at in range(begins - size + 1):
                yield Atom(feature, "has", constant=text[at : at + size])


def _folded(feature: Feature, core: Sequence[Parts]) -> Iterator[Atom]:
    """Yield the conditions on texts in lower case."""
    for text in (each for each in _constants(feature, core) if number(each) is None):
        asked = [("some is", text), ("has", text)]
        for size in range(1, len(text) + 1):
            asked += [("begins", text[:size]), ("ends", text[-size:])]
        # Where no letter is asked for, the text as it is says the same.
        cased = (each for each in asked if each[1].upper() != each[1])
        yield from (Atom(feature, test, constant=part) for test, part in cased)


def _alone(texts: Feature, core: Sequence[Parts]) -> Iterator[Atom]:
    """Yield pairs of conditions on one text: on its beginning, its end, and a character in it."""
    for text in _constants(texts, core):
        if number(text) is not None:
            continue
        sizes = range(1, min(len(text), LONGEST_END) + 1)
        begins = [Atom(texts, "begins", constant=text[:size]) for size in sizes]
        ends = [Atom(texts, "ends", constant=text[-size:]) for size in sizes]
        inside = [Atom(texts, "has", constant=each) for each in dict.fromkeys(text[1:-1][:12])]
        for pair in ((begins, ends), (begins, inside), (inside, ends)):
            yield from (alone(one, two) for one, two in itertools.product(*pair))


def _is_there(feature: Feature) -> bool:
    """Say whether no more is asked of parts than whether they are there, and how many.

    They are fixed tokens, or of one sort behind a token: their texts are asked for of any sort.
    """
    a = feature.a
    is_sort = a.where == "after" and not a.is_whatever
    is_known = is_sort or a.text is not None or a.step.label.startswith('"')
    return feature.kind == "texts" and is_known


def _is_turned(feature: Feature, core: Sequence[Parts]) -> bool:
    """Say whether the second of two parts comes before the first one in inputs that fail."""
    first, second = apart(feature)
    both = ((first.a.of(parts), second.a.of(parts)) for parts in core)
    return next((one[0] > two[0] for one, two in both if one and two), False)


def _sides(feature: Feature, core: Sequence[Parts]) -> Iterator[Atom]:
    """Yield the conditions on one of two parts side by side that do not depend on the runs."""
    yield Atom(feature, "exists")
    yield Atom(feature, "empty")
    for text in _constants(feature, core, _is_value)[:MOST_BESIDE]:
        value = number(text)
        yield Atom(feature, "some is", constant=text if value is None else value)
        for test in ("begins", "ends", "has") if value is None else ():
            yield Atom(feature, test, constant=text)


def _bounded(table: Table, feature: Feature) -> Iterator[tuple[Atom, int]]:
    """Yield pairs of conditions, on two parts side by side or on one text, with their rows.

    One of the two is a bound.
    """
    if feature.kind == "scoped":
        yield from _bounded_in_one(table, feature)
    if feature.kind not in ("together", "alone"):
        return
    both = alone if feature.kind == "alone" else together
    asked = [each.sides for each in table.questions[feature]]
    ones, twos = (list(dict.fromkeys(sides[i] for sides in asked)) for i in (0, 1))
    for two in twos:
        for one, rows in _bounds(table, feature, 0, two):
            yield both(one, two), rows
            if two.test == "exists" and not two.negated:
                for each, rows in _bounds(table, feature, 1, one):
                    yield both(one, each), rows
    for one in ones if len(twos) > 1 else ():
        for two, rows in _bounds(table, feature, 1, one):
            yield both(one, two), rows


def _bounded_in_one(table: Table, feature: Feature) -> Iterator[tuple[Atom, int]]:
    """Yield conditions in one part with other bounds, with their rows."""
    for literal in table.questions[feature]:
        for at, side in enumerate(literal.sides):
            if not side.relation or side.negated:
                continue
            rows = table.scoped(literal, at)
            for relation, constant in _thresholds(rows, table) if len(rows) > 1 else ():
                if relation[0] == side.relation[0]:
                    bound = replace(side, relation=relation, constant=constant)
                    sides = (*literal.sides[:at], bound, *literal.sides[at + 1 :])
                    yield replace(literal, sides=sides), _held(rows, relation, constant)


def _bounds(table: Table, feature: Feature, side: int, other: Atom) -> Iterator[tuple[Atom, int]]:
    """Yield the bounds of a measure on one side where a condition holds on the other one.

    That are the number there, how many items there are, and how long the text is. The rows are
    those for which both conditions hold.
    """
    for plain, rows in table.beside(feature, side, other).items():
        for relation, constant in _thresholds(rows, table) if len(rows) > 1 else ():
            if (relation[0] == ">") == (plain.test != "least"):
                bound = Atom(plain.feature, plain.test, relation, constant)
                yield bound, _held(rows, relation, constant)


def _held(rows: Mapping[float, int], relation: str, constant: float) -> int:
    """Return the rows with a number for which a comparison holds."""
    holds = RELATIONS[relation]
    return functools.reduce(or_, (own for value, own in rows.items() if holds(value, constant)), 0)


def _is_short(parts: Parts, index: int) -> bool:
    """Say whether a part is one token, or nothing but fixed ones, such as two brackets.

    Where no grammar says what a token is, the whole text may be one.
    """
    part = parts.all[index]
    return PLAIN in part.labels or _holds_fixed(parts, part)


def _fixed_texts(feature: Feature, core: Sequence[Parts]) -> set[str]:
    """Return the texts at a place that are nothing but fixed tokens, such as `null`."""
    return {
        part.bare
        for parts in core
        for part in (parts.all[i] for i in places(feature.a, parts))
        if part.bare.isalpha() and (_holds_fixed(parts, part) if part.children else part.is_fixed)
    }


def _holds_fixed(parts: Parts, part: Part) -> bool:
    """Say whether nothing but fixed tokens stands in a part."""
    return all(parts.all[i].is_literal for i in part.children)


def _constants(
    feature: Feature,
    core: Sequence[Parts],
    is_simple: Callable[[Parts, int], bool] = _is_short,
) -> list[str]:
    """Return texts of failing inputs that those at a place are compared with."""
    texts: dict[str, None] = {}
    for parts in core:
        if any(is_simple(parts, i) for i in places(feature.a, parts)):
            seen = feature.of(parts)
            assert isinstance(seen, tuple)
            texts.update((each, None) for each in seen if 0 < len(each) <= LONGEST_CONSTANT)
    return list(texts)[:MOST_CONSTANTS]


def _is_value(parts: Parts, index: int) -> bool:
    """Say whether a part is one token, or stands between quotes."""
    part = parts.all[index]
    return _is_short(parts, index) or bare(part.text) != part.text


def _sets(table: Table, feature: Feature) -> Iterator[Atom]:
    """Yield the set of all texts, and of all first characters, that stand in no passing run.

    And the set of first characters, none of them letters or digits, that stand in no failing run.
    """
    asked = [each for each in table.questions[feature] if each.test in ("some is", "begins")]
    if not asked:
        return
    # Of a keyword, nothing is asked of how it begins.
    is_fixed = all(each.test == "some is" and isinstance(each.constant, str) for each in asked)
    for test in ("in",) if is_fixed else ("in", "begins"):
        own = table.quotable
        if own is not None and test == "begins":
            own = frozenset(each[:1] for each in own)
        bad: set[str] = set()
        good: dict[str, int] = {}
        for seen, rows in table.columns[feature].items():
            assert isinstance(seen, tuple)
            texts = {each[:1] if test == "begins" else each for each in seen}
            if rows & table.passing:
                bad |= texts
            if fails := rows & table.failing:
                for each in texts:
                    good[each] = good.get(each, 0) | fails
        chosen: list[str] = []
        covered = 0
        for each, rows in sorted(good.items(), key=lambda item: (-item[1].bit_count(), item[0])):
            if own is not None and each not in own:
                continue
            if each and each not in bad and len(each) <= LONGEST_CONSTANT and rows & ~covered:
                chosen.append(each)
                covered |= rows
        # Any digit may do as well as another one.
        are_digits = test == "begins" and all(map(str.isdecimal, chosen))
        if len(chosen) > 1 and (len(chosen) <= MOST_ALTERNATIVES or are_digits):
            yield Atom(feature, test, constant=tuple(sorted(chosen)))
        if are_digits and MOST_ALTERNATIVES < len(chosen) < len(string.digits):
            yield Atom(feature, test, constant=tuple(string.digits))
    if table.quotable is None:
        yield from _marks(table, feature)


def _is_other_value(text: str) -> bool:
    """Say whether a text is a number, a list, an object or one of the constants of JSON."""
    return number(text) is not None or text[:1] in ("[", "{") or text in CONSTANTS


def _missing(table: Table, feature: Feature, core: Sequence[Parts]) -> Iterator[Atom]:
    """Yield that some text is unlike all those of passing runs: `//mail not contains "@"`.

    That is the text itself, one of a few of the first input, how they begin or end, or a character.
    The last three may be had by most of them only. A program may pass on what is no text, too.
    """
    if feature.kind != "texts" or _is_there(feature):
        return
    found = [(parts, i) for parts in core for i in places(feature.a, parts)]
    # Of a key, a reduction may have left no value.
    short = (_is_short(*each) for each in found) if found else map(feature.a.of, core)
    if not any(short):
        return
    passing: dict[str, None] = {}
    first: Observed = ()
    for number_of, (seen, rows) in enumerate(table.columns[feature].items()):
        assert isinstance(seen, tuple)
        first = seen if number_of == table.columns[feature].log[0] else first
        if rows & table.passing:
            passing.update(dict.fromkeys(seen))
        if len(passing) > MOST_COMPARED:
            break
    assert isinstance(first, tuple)
    texts = [*passing]
    if not any(map(_is_other_value, first)):
        texts = [each for each in texts if not _is_other_value(each)]
    if table.quotable is not None and not table.quotable.issuperset(texts):
        return
    if len(texts) == 1 and len(texts[0]) <= LONGEST_CONSTANT:
        value = number(texts[0])
        yield Atom(feature, "is not", constant=texts[0] if value is None else value)
    familiar = {*first, *core[0].language.words}
    is_few = 1 < len(texts) <= MOST_ALTERNATIVES
    is_few = is_few and all(each in familiar or any(relatives(each)) for each in texts)
    if is_few and max(map(len, texts)) <= LONGEST_CONSTANT:
        yield Atom(feature, "not in", constant=tuple(sorted(texts)))
    most = MOST_HAVE * len(texts)
    if len(texts) < 2:
        return
    for test, at in (("begins not", 0), ("ends not", -1)):
        signs = Counter(each[at] for each in texts if each)
        sign, count = signs.most_common(1)[0] if signs else ("", 0)
        if count >= most:
            own = [each[:: at or 1] for each in texts if each and each[at] == sign]
            # Between the first and the last one in order, all others begin as both do.
            both = zip(min(own), max(own), strict=False)
            same = "".join(one for one, two in itertools.takewhile(lambda e: e[0] == e[1], both))
            # Where they go on with a letter or digit, what stands before that may be all.
            cut = _TO_SIGN.match(same[1:])
            to_sign = sign + cut[0] if cut is not None else sign
            for common in dict.fromkeys((sign, to_sign, same[:LONGEST_CONSTANT])):
                # Of numbers, other laws speak.
                if not common.isdigit():
                    yield Atom(feature, test, constant=common[:: at or 1])
    signs = Counter(itertools.chain.from_iterable(map(set, texts)))
    for sign, count in sorted(signs.items()):
        if count >= most and not sign.isalnum():
            yield Atom(feature, "has not", constant=sign)


_TO_SIGN = re.compile(r".{0,22}[^\w]", re.DOTALL)
"""All up to the last sign of a text."""


def _marks(table: Table, feature: Feature) -> Iterator[Atom]:
    """Yield that no text begins with a mark that only texts of passing runs begin with.

    A program may take a name in quotes or brackets for something else.
    """
    good: set[str] = set()
    bad: dict[str, int] = {}
    for seen, rows in table.columns[feature].items():
        assert isinstance(seen, tuple)
        marks = {each[0] for each in seen if each and not each[0].isalnum()}
        if rows & table.failing:
            good |= marks
        for each in marks if rows & table.passing else ():
            bad[each] = bad.get(each, 0) + (rows & table.passing).bit_count()
    chosen = sorted(each for each, count in bad.items() if count > 1 and each not in good)
    if 0 < len(chosen) <= MOST_MARKS:
        yield Atom(feature, "begins", constant=tuple(chosen), negated=True)


def _divisions(table: Table, feature: Feature) -> Iterator[Atom]:
    """Yield literals on multiples: of divisors of most numbers that fail, or of most that pass."""
    if feature.kind != "texts" or feature.a.step.label.startswith('"'):
        return
    passing: dict[int, int] = {}
    failing: dict[int, int] = {}
    for seen, rows in table.columns[feature].items():
        assert isinstance(seen, tuple)
        found: set[int] = set()
        for text in seen:
            if isinstance(value := number(text), int):
                found.add(value)
        for each in found:
            passing[each] = passing.get(each, 0) + (rows & table.passing).bit_count()
            if len(found) == 1:
                failing[each] = failing.get(each, 0) + (rows & table.failing).bit_count()
    for test, known in (("divisible", failing), ("indivisible", passing)):
        told = {each: count for each, count in known.items() if count}
        enough = (1 - MAX_INDIVISIBLE) * sum(told.values())
        for divisor in sorted({*DIVISORS, math.gcd(*told)} - {0, 1}) if told else ():
            if sum(count for each, count in told.items() if each % divisor == 0) >= enough:
                yield Atom(feature, test, constant=divisor)


def _between(table: Table, feature: Feature) -> Iterator[Atom]:
    """Yield intervals of numbers that stand in failing inputs alone, with others on both sides."""
    if feature.kind != "texts":
        return
    rows: dict[float, int] = {}
    for seen, own in table.columns[feature].items():
        assert isinstance(seen, tuple)
        for value in {number(each) for each in seen} - {None}:
            assert value is not None
            rows[value] = rows.get(value, 0) | own & (table.failing | table.passing)
    values = sorted(value for value, own in rows.items() if own)
    runs = [
        (is_bad, list(run))
        for is_bad, run in itertools.groupby(values, lambda each: not rows[each] & table.passing)
    ]
    found: list[tuple[int, float, Atom]] = []
    for (_, below), (is_bad, run), (_, above) in zip(runs, runs[1:], runs[2:], strict=False):
        if is_bad:
            held = functools.reduce(or_, (rows[each] for each in run)).bit_count()
            low = Atom(feature, "most", *_over(below[-1], run[0]))
            high = Atom(feature, "least", *_under(run[-1], above[0]))
            found.append((-held, run[0], between(low, high)))
    found.sort(key=lambda each: each[:2])
    yield from (literal for _, _, literal in found[:MOST_BETWEEN])


def _measures(table: Table, feature: Feature, core: Sequence[Parts]) -> Iterator[tuple[Atom, int]]:
    """Yield the comparisons of a feature's measures, with their rows."""
    measures = ("count",) if _is_there(feature) else _MEASURED.get(feature.kind, ())
    if (feature.kind in OPERATORS and feature.inner) or _is_of_words(feature):
        measures = ()
    # How long keywords are tells only which ones these are.
    if "longest" in measures and (_fixed_texts(feature, core) or _only_wholes(table, feature)):
        measures = tuple(each for each in measures if each not in ("longest", "shortest"))
    for measure in measures:
        if measure == "count" and feature.a.where in ("under top", "in item", "in top item"):
            # It would be written as the count in each such part.
            continue
        rows = table.measured(feature, measure)
        if len(rows) > 1:
            for relation, constant in _thresholds(rows, table):
                if feature.kind == "groups" and relation[0] == "<":
                    # That one has many is said, and not that each has few.
                    continue
                if feature.kind in OPERATORS and (relation[0] == ">") != (measure == "most"):
                    continue
                if feature.kind == "minus" and constant == 0:
                    # That one is greater than the other says the same.
                    continue
                yield Atom(feature, measure, relation, constant), _held(rows, relation, constant)
            if measure in _LARGEST:
                yield from _not_over(table, feature, measure, rows)


def _not_over(
    table: Table, feature: Feature, measure: str, rows: Mapping[float, int]
) -> Iterator[tuple[Atom, int]]:
    """Yield that none is larger than all that fail, if some fail where none is there at all."""
    told = table.failing | table.passing
    measured = functools.reduce(or_, rows.values())
    if not table.failing & ~measured:
        return
    most = max((value for value, own in rows.items() if own & table.failing), default=0)
    larger = [value for value, own in rows.items() if own & told and value > most]
    if larger:
        relation, constant = _over(most, min(larger))
        literal = Atom(feature, measure, relation, constant, negated=True)
        yield literal, told & ~_held(rows, relation, constant)


def _is_of_words(feature: Feature) -> bool:
    """Say whether children with one word are counted: there may have to be as many in each."""
    counted = feature.b if feature.kind == "counts" else None
    return counted is not None and counted.step.word is not None


def _only_wholes(table: Table, feature: Feature) -> bool:
    """Say whether all texts are whole numbers: how large these are says how long they are."""
    return all(
        each.isdecimal() or (each[:1] in ("+", "-") and each[1:].isdecimal())
        for seen in table.columns[feature]
        if isinstance(seen, tuple)
        for each in seen
    )


def _thresholds(rows: dict[float, int], table: Table) -> Iterator[tuple[str, float]]:
    """Yield the comparisons that begin or end where outcomes change: the outermost ones."""
    values = sorted(value for value, own in rows.items() if own & (table.failing | table.passing))
    fails = [value for value in values if rows[value] & table.failing]
    passes = [value for value in values if rows[value] & table.passing]
    if not fails:
        return
    low, high = fails[0], fails[-1]
    most, least = (passes[-1], passes[0]) if passes else (-math.inf, math.inf)
    for edge in {low, next((each for each in fails if each > most), low)}:
        below = max((each for each in values if each < edge), default=None)
        if below is not None:
            yield _over(below, edge)
    for edge in {high, next((each for each in reversed(fails) if each < least), high)}:
        above = min((each for each in values if each > edge), default=None)
        if above is not None:
            yield _under(edge, above)


def _over(passes: float, fails: float) -> tuple[str, float]:
    """Return a comparison that holds from `fails` on, and not down from `passes`."""
    constant = roundest(passes, fails)
    return (">=", constant) if constant == fails and not _whole(passes, fails) else (">", constant)


def _under(fails: float, passes: float) -> tuple[str, float]:
    """Return a comparison that holds up to `fails`, and not from `passes` on."""
    constant = -roundest(-passes, -fails)
    return ("<=", constant) if constant == fails and not _whole(passes, fails) else ("<", constant)


def _whole(*values: float) -> bool:
    return all(isinstance(each, int) for each in values)


assert set(_TURNABLE) <= set(QUESTIONS)
