"""The law of a failure: which inputs fail, as a condition on whole inputs, with its evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field, fields
from random import Random
from typing import Annotated, Any, Literal, TypeAlias

from boildown.decoding import COUNT
from boildown.engine.language import Language
from boildown.engine.laws import notation
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Naming, Parts, read
from boildown.engine.patterns.algebra import Everything, NoSample, Texts
from boildown.engine.patterns.bounds import lower_bound

SAMPLER = "mutants of this job's inputs"
"""The sampler from which the evidence of a law is drawn."""
SAMPLER_WITH_GIVEN = f"{SAMPLER} and of the given ones"
"""The same where the user gave other inputs."""
WITH_WORDS = " and the words of the program"
"""Added to the name of the sampler where it has such words."""
WITH_COMMON_WORDS = " and common words of the language"
"""The same where all of them are such."""
DRAWS = 400
"""Mutants that are drawn to find one for which a law holds."""
UNIVERSE_TOKENS = 128
"""Tokens, about, that a random text of the language has at most."""
SCHEMA = "boildown/law@1"
"""The form in which laws are stored."""
Count: TypeAlias = Annotated[int, COUNT]


@dataclass(frozen=True, slots=True)
class LawEvidence:
    """The runs behind a law: of mutants that were drawn after its last change."""

    trials: Count = 0
    """Mutants for which it holds, that could be judged."""
    reproduced: Count = 0
    """Of these mutants, those that failed."""
    near: Count = 0
    """Mutants for which it does not hold, that could be judged."""
    near_passed: Count = 0
    """Of these mutants, those that passed."""
    failing: Count = 0
    """Failing inputs that it was compared with: those of its search and some met before."""
    explained: Count = 0
    """Of these inputs, those for which it holds."""
    exceptions: Count = 0
    """Passing inputs, of those it was compared with, for which it holds."""
    unjudged: Count = 0
    """Mutants for which it holds and that say nothing: they failed in another way, or were invalid,
    or had no end in time."""

    @property
    def lower_bound(self) -> float:
        """A lower bound (95 % confidence) of the share of failing ones among such mutants."""
        return lower_bound(self.reproduced, self.trials)


@dataclass(frozen=True, slots=True)
class Law(Texts):
    """A disjunction of rules, each a conjunction of literals: a condition on whole inputs.

    Sets of texts, patterns and laws, go together as sets do: `p & q`, `p | q`, `~p`.

    >>> law = parse_law("//price < 0 or //id = 7", "json")
    >>> law.matches('{"price": -1}'), law.matches('{"id": 7}'), (~law).matches('{"id": 8}')
    (True, True, True)
    """

    rules: tuple[Rule, ...]
    """It holds where one of them does; a rule holds where all its literals do."""
    language: Language = field(compare=False, repr=False)
    """The language of the inputs."""
    naming: frozenset[Naming] = field(default=frozenset(), compare=False, repr=False)
    """The label of each part that has a word, and that of the token that is the word."""
    corpus: Corpus | None = field(default=None, compare=False, repr=False)
    """What its mutants are made of."""
    evidence: LawEvidence = LawEvidence()
    """The runs that it rests on; none for a law that was parsed."""
    explained: tuple[int, ...] = ()
    """How many failing inputs each rule explains."""
    missed: tuple[str, ...] = ()
    """Failing inputs for which it does not hold, the shortest first; none where others than the
    job's were given, of which none is quoted."""
    excepted: tuple[str, ...] = ()
    """Passing inputs for which it holds, the same way."""
    sampler: str = SAMPLER
    """The sampler from which its evidence was drawn."""

    def holds(self, parts: Parts) -> bool:
        """Say whether it holds for the parts of an input's tree. Raises nothing."""
        return any(all(notation.holds(each, parts) for each in rule) for rule in self.rules)

    def matches(self, text: str) -> bool:
        """Say whether it holds for a text, which must follow the grammar.

        Raises nothing, for any text can be parsed.
        """
        parts = read(text, self.language, self.naming)
        return parts is not None and self.holds(parts)

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        return Everything(self.language, self.language.parse("").tree.label, UNIVERSE_TOKENS)

    def sample(self, rng: Random) -> str:
        """Return a mutant of the inputs that it was learned from for which it holds.

        Raises:
            NoSample: none was found.
        """
        if self.corpus is not None:
            for _ in range(DRAWS):
                text = self.corpus.mutant(rng)
                parts = None if not text else read(text, self.language, self.naming)
                if text and parts is not None and self.corpus.admits(parts) and self.holds(parts):
                    return text
        raise NoSample(f"No input was found for which {self} holds.")

    def __str__(self) -> str:
        return " or ".join(map(worded, self.rules))

    def to_json(self) -> dict[str, Any]:
        """Serialize the law to JSON values; `StoredLaw` reads it."""
        return {
            "schema": SCHEMA,
            "law": str(self),
            "exact": notation.written(self.rules),
            "rules": [worded(rule) for rule in self.rules],
            "naming": sorted(map(list, self.naming)),
            "explained_by_rule": list(self.explained),
            "missed": list(self.missed),
            "excepted": list(self.excepted),
            "sampler": self.sampler,
            **asdict(self.evidence),
            "lower_bound": self.evidence.lower_bound,
        }


def holds(rules: Iterable[Rule], parts: Parts) -> bool:
    """Say whether one of some rules holds for an input."""
    return any(all(literal.holds(literal.feature.of(parts)) for literal in rule) for rule in rules)


def worded(rule: Collection[object]) -> str:
    """Return a rule as a person would write it."""
    # Parts of two labels may have one word: then the same words say both.
    return " and ".join(dict.fromkeys(map(str, rule)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLaw(LawEvidence):
    """A law as `Law.to_json` gives it, as far as it is read; texts for mutants are not among it."""

    schema: Literal["boildown/law@1"]
    exact: str
    naming: tuple[tuple[str, str], ...]
    explained_by_rule: tuple[Count, ...]
    missed: tuple[str, ...]
    excepted: tuple[str, ...]
    sampler: str

    def law(self, language: Language) -> Law:
        """Return the law for inputs of a language.

        Raises:
            NotationError: its notation is not that of laws.
        """
        return Law(
            notation.parse_rules(self.exact),
            language,
            frozenset(self.naming),
            evidence=LawEvidence(*(getattr(self, each.name) for each in fields(LawEvidence))),
            explained=self.explained_by_rule,
            missed=self.missed,
            excepted=self.excepted,
            sampler=self.sampler,
        )
