"""The state of a search for a law: its runs, and the inputs that mutants are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import Language
from boildown.engine.laws.features import Feature, steps_of
from boildown.engine.laws.law import SAMPLER
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus, Donor
from boildown.engine.laws.parts import Parts, read
from boildown.engine.laws.table import Table
from boildown.engine.laws.vocabulary import of_pairs, vocabulary
from boildown.engine.oracle import Outcome

LONGEST = 3000
"""Characters of the longest input that mutants are made of."""
DRAWN = 6
"""Mutants that are drawn at most for each one that is run, so that both outcomes come."""
TEXTS_REMEMBERED = 1_000
"""Texts whose parts are kept, at most, as each is asked for several times."""
ENOUGH_INVALID = 3
"""So many invalid inputs with a key twice, and no other ones, show that it may not stand twice."""
MOST_QUOTED = 10
"""Failing inputs whose texts a law may compare with, about."""
MOST_WIDENED = 150
"""Features of one input that the vocabulary is widened by, at most."""


@dataclass(frozen=True, slots=True)
class LawOptions:
    """How much is done for a law."""

    runs: int = 250
    """Runs at most."""
    trials: int = 60
    """Mutants that were not run before, of those that an answer rests on."""

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
    reduced: str = ""
    """The failing input that says the most; it follows the grammar."""
    repeated: set[str] = field(default_factory=set)
    """Labels of which two such parts have the same word in the original or in the reduced input."""
    numerals: set[str] = field(default_factory=set)
    """What numbers of the job's inputs have besides digits."""
    judged: set[str] = field(default_factory=set)
    """The same of any input that was run and could be judged."""
    invalid: dict[str, int] = field(default_factory=dict)
    """How many inputs with two such parts were invalid, by their label."""
    probed: set[tuple[Feature, str]] = field(default_factory=set)
    """The features and measures of which values far from their thresholds were run."""
    challenged: dict[tuple[tuple[Atom, ...], ...], int] = field(default_factory=dict)
    """How often inputs were made against each literal of a law."""
    strained: dict[tuple[Atom, ...], int] = field(default_factory=dict)
    """How many failing inputs of a rule were edited as the grammar allows."""
    looked_into: dict[str, bool] = field(default_factory=dict)
    """The inputs, explained by no simple law, of which mutants were run; whether they fail."""
    surveyed: set[tuple[Atom, ...]] = field(default_factory=set)
    """The rules for which each part of a failing input was changed to see what else matters; the
    empty one for an input that passes, to see what else fails."""
    filled: set[tuple[Atom, ...]] = field(default_factory=set)
    """The rules around whose parts words were put that failing inputs lack there."""
    surveys: int = 0
    """How often that input is still to be changed."""
    dear: Callable[[], list[Feature]] | None = None
    """Gives the features that are looked at as soon as no single literal makes a law."""
    scoped: set[tuple[Atom, ...]] = field(default_factory=set)
    """The literals that were asked of one and the same part."""
    widened: set[tuple[str, str]] = field(default_factory=set)
    """The labels and words of parts that the vocabulary has from inputs that refuted a law."""
    crowded: set[str] = field(default_factory=set)
    """Inputs that hold many words of the program, of which no mutants are made."""
    sampler: str = SAMPLER
    """The name of the sampler that its mutants make up."""
    runs: int = 0
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    """Those of all inputs in the table, and of others that were run."""
    _read: dict[str, Parts | None] = field(default_factory=dict)

    def parts(self, text: str) -> Parts | None:
        """Return the parts of a text, or None if it does not follow the grammar."""
        self.check()
        if text not in self._read:
            if len(self._read) >= TEXTS_REMEMBERED:
                self._read.clear()
            self._read[text] = read(text, self.language, self.naming)
        return self._read[text]

    def enter(self, text: str, parts: Parts, failed: bool) -> None:
        """Put an input that was run before into the table."""
        self.check()
        self.outcomes[text] = Outcome.REPRODUCED if failed else Outcome.PASSED
        self.table.add(text, parts, failed)

    def run(self, text: str, parts: Parts) -> Outcome:
        """Run an input that was not run yet, put its outcome into the table, and return it."""
        if text in self.outcomes:
            return self.outcomes[text]
        outcome = self.judge_once(text)
        self.note(text, parts)
        return outcome

    def judge_once(self, text: str) -> Outcome:
        """Run an input that was not run yet; leave it to the caller to note it."""
        self.runs += 1
        outcome = self.outcomes[text] = self.judge(text)
        return outcome

    def note(self, text: str, parts: Parts) -> None:
        """Put the outcome of an input into the table."""
        outcome = self.outcomes[text]
        if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
            self.judged |= parts.repeats(True)
            self.table.add(text, parts, outcome is Outcome.REPRODUCED)
            if self.is_base(text) and len(self.corpus.donors) < 40:
                self.corpus.add(text, parts)
        elif outcome is Outcome.INVALID:
            self._learn_from_invalid(parts)

    def _learn_from_invalid(self, parts: Parts) -> None:
        """Make no more inputs in which a key stands twice if all of these are invalid."""
        for label in parts.repeats(True) - self.judged:
            self.invalid[label] = self.invalid.get(label, 0) + 1
            if self.invalid[label] >= ENOUGH_INVALID:
                self.corpus.unique.add(label)

    def is_base(self, text: str) -> bool:
        """Say whether others may be made of an input."""
        return len(text) <= LONGEST and text not in self.crowded

    def untried(self, text: str) -> Parts | None:
        """Return the parts of a text that may be a mutant and was not run yet; else None."""
        parts = None if text in self.outcomes else self.parts(text)
        return parts if parts is not None and self.corpus.admits(parts) else None

    def widen(self, parts: Parts) -> None:
        """Add to the vocabulary the parts of an input that refutes a law.

        A word that no input of the job has, nor the program, was drawn by chance.
        """
        inside = (part for donor in self.corpus.donors for part in donor.parts.all)
        words = {None, *(part.word for part in inside), *self.corpus.words}
        found = vocabulary(self.core[:1], [parts])
        # What no input had that the dear ones were read of, an option say, may matter with others.
        found += of_pairs(self.core[:1], [parts]) if self.dear is None else []
        added = [
            each for each in found
            if each not in self.table.columns and all(s.word in words for s in steps_of(each))
        ]  # fmt: skip
        self.table.extend(added[:MOST_WIDENED], self.parts)

    def quote(self, parts: Parts) -> None:
        """Let a law compare with the texts of a failing input that no law explains.

        Of the user's other inputs nothing is quoted.
        """
        if self.table.quotable is None and len(self.core) < MOST_QUOTED:
            self.core.append(parts)
            self.table.questions.clear()

    @property
    def spent(self) -> bool:
        """Whether no runs are left but those for the evidence."""
        return self.runs >= self.options.runs

    def mutant(self, rng: Random, base: Donor | None = None) -> tuple[str, Parts] | None:
        """Draw a mutant that was not run yet, of some input or of the one that is named."""
        text = self.corpus.mutant(rng, base)
        parts = self.untried(text) if text else None
        return (text, parts) if text is not None and parts is not None else None
