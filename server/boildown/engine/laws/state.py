"""The state of a search for a law: its runs, and the inputs that mutants are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import Language
from boildown.engine.laws.features import Feature
from boildown.engine.laws.law import SAMPLER
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.table import Table
from boildown.engine.laws.vocabulary import vocabulary
from boildown.engine.oracle import Outcome

LONGEST = 3000
"""Characters of the longest input that mutants are made of."""
DRAWN = 6
"""Mutants that are drawn at most for each one that is run, so that both outcomes come."""


MOST_WIDENED = 150
"""Features of one input that the vocabulary is widened by, at most."""


@dataclass(frozen=True, slots=True)
class LawOptions:
    """How much is done for a law."""

    runs: int = 260
    """Runs at most."""
    trials: int = 60
    """Fresh mutants that an answer rests on."""

    @property
    def evidence_runs(self) -> int:
        """Runs for the evidence of a law: of the mutants, and of half as many without it."""
        return self.trials + self.trials // 2


@dataclass(slots=True)
class Search:
    """A search under way."""

    language: Language
    judge: Callable[[str], Outcome]
    rng: Random
    options: LawOptions
    check: Callable[[], None]
    reliable: Callable[[str], bool]
    """Says whether an input that passed does so again."""
    table: Table
    corpus: Corpus
    core: list[Parts]
    naming: frozenset[tuple[str, str]]
    unique: set[str] = field(default_factory=set)
    """Labels of which no two parts in one list have the same word: a key that stands twice, and
    hides its first value, would tell nothing."""
    probed: set[tuple[Feature, str]] = field(default_factory=set)
    """The features and measures of which values far from their thresholds were run."""
    strained: dict[tuple[Atom, ...], int] = field(default_factory=dict)
    """How many failing inputs of a rule were edited as the grammar allows."""
    surveyed: bool = False
    """Whether every part of a passing input was changed to see what else fails."""
    sampler: str = SAMPLER
    """The name of the sampler that its mutants make up."""
    runs: int = 0
    seen: set[str] = field(default_factory=set)

    def parts(self, text: str) -> Parts | None:
        """Return the parts of a text, or None if it does not follow the grammar."""
        self.check()
        parsed = self.language.parse(text)
        return Parts(parsed.tree, self.naming) if parsed.valid else None

    def run(self, text: str, parts: Parts) -> Outcome:
        """Run an input, and put its outcome into the table."""
        self.seen.add(text)
        self.runs += 1
        outcome = self.judge(text)
        if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
            self.table.add(text, parts, outcome is Outcome.REPRODUCED)
            if len(text) <= LONGEST and len(self.corpus.donors) < 40:
                self.corpus.add(text, parts)
        return outcome

    def widen(self, parts: Parts) -> None:
        """Add to the vocabulary the parts of an input that refutes a law."""
        found = vocabulary(self.core[:1], [parts])
        added = [each for each in found if each not in self.table.columns]
        self.table.extend(added[:MOST_WIDENED], self.parts)

    @property
    def spent(self) -> bool:
        """Whether no runs are left but those for the evidence."""
        return self.runs >= self.options.runs

    def mutant(self, rng: Random, corpus: Corpus | None = None) -> tuple[str, Parts] | None:
        """Draw a mutant that was not run yet."""
        text = (corpus or self.corpus).mutant(rng)
        if text is None or not text or text in self.seen:
            return None
        parts = self.parts(text)
        if parts is None or not self.unique.isdisjoint(parts.repeats(True)):
            return None
        return text, parts
