"""The table of runs: for each feature, its values with their inputs, as sets of rows in integers.

Bit n of such an integer stands for the n-th row, so that a rule is tested on all runs at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from boildown.engine.laws.features import Chosen, Feature, Named, Observed, Side
from boildown.engine.laws.literals import MEASURES, Atom, apart, of_side
from boildown.engine.laws.parts import Parts


@dataclass(slots=True)
class _Beside:
    """What is known of one of two parts side by side, where a condition holds on the other."""

    sides: dict[Observed, list[Side]] = field(default_factory=dict)
    label: str = ""
    """That of its items, once any has one."""
    measured: dict[Atom, dict[Observed, float | None]] = field(default_factory=dict)


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
    columns: dict[Feature, dict[Observed, int]] = field(default_factory=dict)
    questions: dict[Feature, tuple[Atom, ...]] = field(default_factory=dict)
    """Of each feature, the literals that do not depend on the runs, once they were made."""
    _measured: dict[tuple[Feature, str], dict[Observed, float | None]] = field(default_factory=dict)
    _beside: dict[tuple[Feature, int, Atom], _Beside] = field(default_factory=dict)
    _worded: dict[Atom, tuple[float, str]] = field(default_factory=dict)
    _asked: dict[Atom, tuple[int, list[Observed]]] = field(default_factory=dict)
    """Of how much in its feature's column a literal was asked, and for what it holds."""

    def add(self, text: str, parts: Parts, failed: bool) -> None:
        """Add an input that failed, or passed."""
        bit = 1 << len(self.texts)
        self.texts.append(text)
        if failed:
            self.failing |= bit
        else:
            self.passing |= bit
        for feature in self.features:
            column = self.columns.setdefault(feature, {})
            seen = feature.of(parts)
            column[seen] = column.get(seen, 0) | bit

    def extend(self, features: Iterable[Feature], parts: Callable[[str], Parts | None]) -> None:
        """Look at other features, too, of all inputs that were run."""
        added = list(features)
        for row, text in enumerate(self.texts):
            parsed = parts(text)
            assert parsed is not None
            for feature in added:
                column = self.columns.setdefault(feature, {})
                seen = feature.of(parsed)
                column[seen] = column.get(seen, 0) | 1 << row
        self.features = [*self.features, *added]

    def measured(self, feature: Feature, measure: str) -> dict[Observed, float | None]:
        """Return a measure of each value of a feature."""
        found = self._measured.setdefault((feature, measure), {})
        measured = MEASURES[measure]
        for seen in itertools.islice(self.columns[feature], len(found), None):
            found[seen] = measured(seen)
        return found

    def beside(
        self, feature: Feature, side: int, other: Atom
    ) -> dict[Atom, dict[Observed, float | None]]:
        """Return measures of one of two parts side by side, where a condition holds on the other.

        That are how many items it has, if any has one, its number and its length.
        """
        known = self._beside.setdefault((feature, side, other), _Beside())
        for seen in itertools.islice(self.columns[feature], len(known.sides), None):
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
        for each in plain:
            measured = known.measured.setdefault(each, {})
            for seen in itertools.islice(known.sides, len(measured), None):
                values = itertools.chain(*(of_side(each, own) for own in known.sides[seen]))
                measured[seen] = MEASURES[each.test](tuple(values))
        return {each: known.measured[each] for each in plain}

    def worded(self, literal: Atom) -> tuple[float, str]:
        """Return the cost of a literal, and its words."""
        if literal not in self._worded:
            words = str(literal)
            self._worded[literal] = literal.cost_of(words), words
        return self._worded[literal]

    def rows(self, literal: Atom) -> int:
        """Return the rows for which a literal holds."""
        column = self.columns[literal.feature]
        asked, true = self._asked.get(literal, (0, []))
        if asked < len(column):
            holds = literal.holds
            true += [seen for seen in itertools.islice(column, asked, None) if holds(seen)]
            self._asked[literal] = len(column), true
        found = 0
        for seen in true:
            found |= column[seen]
        return found

    def explained(self, rules: Iterable[Iterable[Atom]]) -> int:
        """Return the rows for which one of some rules holds."""
        found = 0
        for rule in rules:
            held = self.failing | self.passing
            for literal in rule:
                held &= self.rows(literal)
            found |= held
        return found

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

    def restore(self) -> None:
        """Take in again the rows that were left out."""
        self.failing, self.passing = self.failed, self.passed
        self.excepted = self._excepted_failing = 0
