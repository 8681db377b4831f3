"""The table of runs: for each feature, its values with their inputs, as sets of rows in integers.

Bit n of such an integer stands for the n-th row, so that a rule is tested on all runs at once.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import or_

from boildown.engine.laws.features import Chosen, Feature, Named, Observed, Side
from boildown.engine.laws.literals import MEASURES, Atom, apart, of_side
from boildown.engine.laws.parts import Parts


@dataclass(slots=True)
class Values:
    """The values of a feature in the order in which they were first seen, and their rows."""

    numbers: dict[Observed, int] = field(default_factory=dict)
    """Each value with its number."""
    rows: list[int] = field(default_factory=list)
    """Of each value, by its number."""
    log: list[int] = field(default_factory=list)
    """Of each row, the number of its value."""

    def add(self, seen: Observed) -> None:
        """Add the value of one more row."""
        number = self.numbers.setdefault(seen, len(self.rows))
        if number == len(self.rows):
            self.rows.append(0)
        self.rows[number] |= 1 << len(self.log)
        self.log.append(number)

    def __iter__(self) -> Iterator[Observed]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def items(self) -> Iterator[tuple[Observed, int]]:
        """Yield the values with their rows."""
        return zip(self.numbers, self.rows, strict=True)


@dataclass(slots=True)
class _Asked:
    """Findings on the values of a feature, with their rows.

    A column grows by a few rows between two questions, and most of these have values that are
    known: only they are looked at.
    """

    found: list[float | None] = field(default_factory=list)
    """Of each value, by its number."""
    rows: dict[float, int] = field(default_factory=dict)
    _done: int = 0

    def update(self, column: Values, ask: Callable[[Observed], float | None]) -> dict[float, int]:
        """Return the rows of all that is found, after new values were asked for."""
        self.found += map(ask, itertools.islice(column, len(self.found), None))
        known, log = self.rows, column.log
        if self._done:
            for row in range(self._done, len(log)):
                if (each := self.found[log[row]]) is not None:
                    known[each] = known.get(each, 0) | 1 << row
        else:
            for each, rows in zip(self.found, column.rows, strict=True):
                if each is not None:
                    known[each] = known.get(each, 0) | rows
        self._done = len(log)
        return known


@dataclass(slots=True)
class _Beside:
    """One of two parts side by side, where a condition holds on the other."""

    sides: dict[Observed, list[Side]] = field(default_factory=dict)
    label: str = ""
    """That of its items, once any has one."""
    measured: dict[Atom, _Asked] = field(default_factory=dict)


@dataclass(slots=True)
class Table:
    """Inputs that were run, with the values of the features."""

    features: Sequence[Feature]
    texts: list[str] = field(default_factory=list)
    failing: int = 0
    """The rows of the inputs that failed."""
    passing: int = 0
    excepted: int = 0
    """The rows that are left out of these, since no simple law explains their outcome."""
    _excepted_failing: int = 0
    quotable: frozenset[str] | None = None
    """The texts that a law may quote; None for all."""
    columns: dict[Feature, Values] = field(default_factory=dict)
    questions: dict[Feature, tuple[Atom, ...]] = field(default_factory=dict)
    """Of each feature, the literals that do not depend on the runs, once they were made."""
    scopes: dict[Feature, tuple[Atom, ...]] = field(default_factory=dict)
    """The conditions that are asked of one part, by their features."""
    _scoped: dict[tuple[Atom, int], _Asked] = field(default_factory=dict)
    _measured: dict[tuple[Feature, str], _Asked] = field(default_factory=dict)
    _beside: dict[tuple[Feature, int, Atom], _Beside] = field(default_factory=dict)
    _worded: dict[Atom, tuple[float, str]] = field(default_factory=dict)
    _asked: dict[Atom, _Asked] = field(default_factory=dict)

    def add(self, text: str, parts: Parts, failed: bool) -> None:
        """Add an input that failed, or passed."""
        bit = 1 << len(self.texts)
        self.texts.append(text)
        if failed:
            self.failing |= bit
        else:
            self.passing |= bit
        for feature in self.features:
            self.columns.setdefault(feature, Values()).add(feature.of(parts))

    def extend(self, features: Iterable[Feature], parts: Callable[[str], Parts | None]) -> None:
        """Look at other features, too, of all inputs that were run; at each of them once."""
        known = {*self.features}
        added = [each for each in dict.fromkeys(features) if each not in known]
        for text in self.texts:
            parsed = parts(text)
            assert parsed is not None
            for feature in added:
                self.columns.setdefault(feature, Values()).add(feature.of(parsed))
        self.features = [*self.features, *added]

    def measured(self, feature: Feature, measure: str) -> dict[float, int]:
        """Return the rows of each number that a measure of a feature is."""
        known = self._measured.setdefault((feature, measure), _Asked())
        return known.update(self.columns[feature], MEASURES[measure])

    def beside(self, feature: Feature, side: int, other: Atom) -> dict[Atom, dict[float, int]]:
        """Return measures of one of two parts side by side, where a condition holds on the other.

        That are how many items it has, if any has one, its number and its length, each with the
        rows of its numbers.
        """
        column = self.columns[feature]
        known = self._beside.setdefault((feature, side, other), _Beside())
        for seen in itertools.islice(column, len(known.sides), None):
            assert isinstance(seen, tuple)
            own = [pair[side] for pair in seen if pair[side] is not None
                   and other.holds(of_side(other, pair[1 - side]))]  # fmt: skip
            known.sides[seen] = own
            labels = (item[0] for _, items, _ in own for item in items or ())
            known.label = known.label or next(labels, "")
        texts = apart(feature)[side]
        plain = [Atom(texts, measure) for measure in ("most", "least", "longest")]
        if known.label:
            counts = Feature("counts", texts.a, Chosen(Named(known.label)))
            plain = [Atom(counts, "most"), Atom(counts, "least"), *plain]
        found = {}
        for each in plain:
            of_one = functools.partial(_beside, each, known.sides)
            found[each] = known.measured.setdefault(each, _Asked()).update(column, of_one)
        return found

    def scoped(self, literal: Atom, side: int) -> dict[float, int]:
        """Return the rows of each number that one condition on a part compares.

        It is the farthest one of all parts for which the other conditions hold.
        """
        own = literal.sides[side]
        farthest = max if own.relation[0] == ">" else min
        others = [(at, each) for at, each in enumerate(literal.sides) if at != side]

        def ask(seen: Observed) -> float | None:
            assert isinstance(seen, tuple)
            parts = (each for each in seen if all(other.holds(each[at]) for at, other in others))
            numbers = (MEASURES[own.test](each[side]) for each in parts)
            return farthest((each for each in numbers if each is not None), default=None)

        known = self._scoped.setdefault((literal, side), _Asked())
        return known.update(self.columns[literal.feature], ask)

    def worded(self, literal: Atom) -> tuple[float, str]:
        """Return the cost of a literal, and its words."""
        if literal not in self._worded:
            words = str(literal)
            self._worded[literal] = literal.cost_of(words), words
        return self._worded[literal]

    def rows(self, literal: Atom) -> int:
        """Return the rows for which a literal holds."""
        known = self._asked.setdefault(literal, _Asked())
        rows = known.update(self.columns[literal.feature], lambda seen: literal.holds(seen) or None)
        return rows.get(True, 0)

    def seeing(self, feature: Feature) -> int:
        """Return the rows of the inputs with parts that a feature looks at."""
        return functools.reduce(
            or_, (rows for seen, rows in self.columns[feature].items() if seen), 0
        )

    def shortest_first(self, rows: int) -> tuple[str, ...]:
        """Return the inputs of some rows, the shortest first."""
        texts = (text for row, text in enumerate(self.texts) if rows >> row & 1)
        return tuple(sorted(texts, key=lambda text: (len(text), text)))

    def held(self, rules: Iterable[Iterable[Atom]]) -> int:
        """Return all rows for which one of some rules holds, those that are left out as well."""
        found = 0
        for rule in rules:
            held = self.failed | self.passed
            for literal in rule:
                held &= self.rows(literal)
            found |= held
        return found

    def explained(self, rules: Iterable[Iterable[Atom]]) -> int:
        """Return the rows for which one of some rules holds, of those that are not left out."""
        return self.held(rules) & (self.failing | self.passing)

    @property
    def failed(self) -> int:
        """All rows of inputs that failed, those that are left out as well."""
        return self.failing | self._excepted_failing

    @property
    def passed(self) -> int:
        """All rows of inputs that passed, those that are left out as well."""
        return self.passing | (self.excepted & ~self._excepted_failing)

    def drop(self, rows: int) -> None:
        """Leave rows out, the outcome of which no law explains."""
        self.excepted |= rows
        self._excepted_failing |= rows & self.failing
        self.failing &= ~rows
        self.passing &= ~rows

    def bar(self, rows: int) -> None:
        """Forget rows: nothing is said of inputs like these, and no mutant is one of them."""
        self.excepted &= ~rows
        self._excepted_failing &= ~rows
        self.failing &= ~rows
        self.passing &= ~rows

    def restore(self) -> None:
        """Take in again the rows that were left out."""
        self.failing, self.passing = self.failed, self.passed
        self.excepted = self._excepted_failing = 0


def _beside(plain: Atom, sides: Mapping[Observed, Sequence[Side]], seen: Observed) -> float | None:
    """Return a measure of some parts of an input, of those that are beside others."""
    values = itertools.chain(*(of_side(plain, each) for each in sides[seen]))
    return MEASURES[plain.test](tuple(values))
