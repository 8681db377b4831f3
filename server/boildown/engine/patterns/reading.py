"""Reads patterns back from JSON, and refuses values that are none, by the path of the fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Annotated

from boildown.decoding import COUNT, Must, WrongShape, decode
from boildown.engine.language import Language
from boildown.engine.laws.law import Law, StoredLaw
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import Condition
from boildown.engine.patterns.hole import Evidence, Hole, Recall
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.pieces import StoredPieces
from boildown.engine.patterns.template import Template, template_of

_LARGEST_VALUES = 10_000
"""Tokens that a random value may have, at most: each draw makes as many."""
_BUDGET = Must(
    f"a whole number from 1 to {_LARGEST_VALUES:,}", lambda number: 1 <= number <= _LARGEST_VALUES
)
_Count = Annotated[int, COUNT]


@dataclass(frozen=True, slots=True)
class _Evidence:
    trials: _Count
    reproduced: _Count
    invalid: _Count
    timeouts: _Count

    def __post_init__(self) -> None:
        if self.reproduced > self.trials:
            raise ValueError(f"{self.reproduced} of {self.trials} trials can't have reproduced.")

    def evidence(self) -> Evidence:
        """Return the evidence that is meant."""
        passed = self.trials - self.reproduced
        return Evidence(self.reproduced, passed, self.invalid, self.timeouts)


@dataclass(frozen=True, slots=True)
class _Hole(_Evidence):
    name: str
    label: str
    path: tuple[_Count, ...]
    items: tuple[_Count, _Count] | None
    before: str
    after: str
    start: _Count
    end: _Count
    conditions: tuple[Condition, ...]
    counterexample: str | None

    def hole(self) -> Hole:
        """Return the hole that is meant."""
        names = {each.name for each in fields(Hole)} & {each.name for each in fields(self)}
        values = {name: getattr(self, name) for name in names}
        return Hole(**values, evidence=self.evidence())


@dataclass(frozen=True, slots=True)
class _Note:
    """A note as the command line writes it, with its code."""

    text: str


@dataclass(frozen=True, slots=True)
class _Pattern:
    text: str
    method: str
    budget: Annotated[int, _BUDGET]
    holes: tuple[_Hole, ...]
    anywhere: tuple[_Count, _Count] | None
    around: tuple[str, ...]
    pieces: StoredPieces | None
    joint: _Evidence
    recall: Recall | None
    runs: _Count
    outcomes: dict[Outcome, _Count]
    finished: bool
    notes: tuple[str | _Note, ...]
    law: StoredLaw | None


def pattern_from_json(values: object, language: Language) -> Pattern:
    """Deserialize a pattern from the values of `Pattern.to_json`.

    Raises:
        WrongShape: they are no pattern, or none of this language; the message says why.
    """
    stored = decode(_Pattern, values)
    read = language if stored.pieces is None else stored.pieces.pieces(language)
    made = Pattern(
        template_of(stored.text, read),
        tuple(each.hole() for each in stored.holes),
        stored.joint.evidence(),
        stored.method,
        stored.budget,
        stored.finished,
        stored.runs,
        stored.outcomes,
        tuple(each if isinstance(each, str) else each.text for each in stored.notes),
        stored.recall,
        None if stored.law is None else _law(stored.law, language),
        stored.anywhere is not None,
        stored.around,
    )
    for hole in made.holes:
        if not made.template.has(hole.slot, (hole.start, hole.end), hole.label):
            raise WrongShape(
                f"the pattern is not one of the language {language.name}: its text has no"
                f" {hole.label} from {hole.start} to {hole.end}."
            )
    _check_apart(made.template, made.holes)
    return made


def _law(stored: StoredLaw, language: Language) -> Law:
    try:
        return stored.law(language)
    except ValueError as error:
        raise WrongShape(f"'law.exact': {error}") from None


def _check_apart(template: Template, holes: Sequence[Hole]) -> None:
    """Check that holes stand in the order of the text, and none in another. Raises WrongShape."""
    for number, (one, two) in enumerate(pairwise(holes)):
        if one.end > two.start or template.order(one.slot) >= template.order(two.slot):
            raise WrongShape(f"'holes[{number + 1}]' stands in or before 'holes[{number}]'.")
