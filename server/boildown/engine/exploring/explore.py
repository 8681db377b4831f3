"""Mutation fuzzing around a pattern, for other failures and for inputs that it leaves out.

A population of failing texts grows as in mutation fuzzing: texts of its patterns are changed by the
grammar, and what fails in a way that no pattern of it tells of is reduced, generalized, and joins.
Source: the search is that of mutation-based fuzzing; to reduce each newcomer before it joins is an
exercise of A. Zeller et al., The Fuzzing Book, chapter on reducing failure-inducing inputs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from boildown.engine.exploring.mutation import mutant
from boildown.engine.generalizing.generalization import GeneralizeOptions
from boildown.engine.generalizing.generalize import MOST_LAW_TRIALS, generalize, reduced_text
from boildown.engine.language import Language
from boildown.engine.laws.attack import probed, unlike
from boildown.engine.laws.mutants import Corpus, Donor
from boildown.engine.laws.parts import read
from boildown.engine.laws.state import LONGEST
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Stop,
    Verdict,
    cached,
    close,
    counted,
    observed,
)
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import Template, template_of
from boildown.engine.problem import key
from boildown.engine.reducing.passes import AUTO
from boildown.engine.reducing.reduce import Watch
from boildown.engine.rescue import attempted

MUTANTS_PER_BATCH = 16
"""Texts that are made before any of them is judged, so that they may run at the same time."""
MAX_KNOWN_MUTANTS = 200
"""So many mutants in a row that were met before or are invalid end the search."""
MAX_FAILURES = 50
"""Failures that are kept apart, for a program may fail in ever new ways."""
MAX_KNOWN_TEXTS = 200
"""Texts that were run before and may refute a newcomer's pattern."""
CORPUS_SHARE = 0.5
"""The share of the mutants that are made of the original and of inputs that pass: to these, other
failures may be nearer than to inputs that fail."""
MOST_PROBES = 100
"""Changes of one input that passes that are run ahead of mutants by chance."""
MOST_PASSING = 12
"""Inputs that pass of which mutants are made."""
EXPLAINED_SHARE = 0.2
"""The share of the mutants that a law explains already, and that are run all the same."""
PATTERNS_PER_FAILURE = 10
"""Patterns that are looked for per failure."""


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """The options of an exploration."""

    mutants: int = 1000
    """Mutants that are tried."""
    samples: int = 20
    """Trials that the statements on a newcomer's pattern rest on, where no law is looked for."""
    law_runs: int | None = 0
    """Runs for the law of a newcomer; 0 for none."""
    passes: tuple[str, ...] = AUTO
    """The names of the passes that reduce a newcomer."""


@dataclass(frozen=True, slots=True)
class ExplainedFailure:
    """A pattern, and how many failing inputs it explains."""

    signature: str
    pattern: Pattern
    """Its text is the smallest input; it has the law, if one was found."""
    matching: int
    """Inputs that were met and belong to it, or that the law holds for."""
    reducing: int
    """Further inputs that do not, but that were reduced to one that does."""

    @property
    def explained(self) -> int:
        """How many inputs it explains in all."""
        return self.matching + self.reducing


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of an exploration."""

    found: tuple[ExplainedFailure, ...]
    """The pattern that it began with is the first; those of one failure stand together."""
    inputs: dict[str, int]
    """How many failing inputs were met, by signature."""
    finished: bool
    """False if a limit or a stop ended it early."""
    runs: int
    outcomes: dict[Outcome, int]

    @property
    def recall(self) -> float | None:
        """The share of the inputs with the first failure that belong to the first pattern.

        None if no such input was met. The inputs are changed texts of the patterns, not all.
        """
        first = self.found[0]
        met = self.inputs[first.signature]
        return first.matching / met if met else None


def explore(
    pattern: Pattern,
    signature: str,
    oracle: Oracle,
    rng: Random,
    options: ExploreOptions | None = None,
    watch: Watch | None = None,
    *,
    original: str | None = None,
) -> Exploration:
    """Mutate texts of a pattern, whose failure has `signature`; reduce and generalize new ones.

    `original` is the input that the pattern was found with, which has what a reduction left out: it
    is mutated, too. Of other failures the oracle's verdicts must give the signatures. It may raise
    `Stop` at any time; what is known then is the result.
    """
    count = Count()
    known: dict[str, Verdict] = {}
    judged = observed(cached(counted(oracle, count)), known.__setitem__)
    search = _Search(pattern, judged, known, rng, options or ExploreOptions(), watch or Watch())
    search.families[signature] = _Family(signature, True, [pattern])
    search.corpus = _corpus([pattern.text, original or ""], pattern.language)
    if search.corpus is not None:
        search.probe(search.corpus.donors[-1])
    try:
        finished = attempted("explore", search.run, False, search.watch.defect)
    except Stop:
        finished = False
    families = list(search.families.values())
    for family in families:
        if not family.patterns:
            smallest = template_of(min(family.inputs, key=key), pattern.language)
            family.patterns.append(Pattern(smallest, budget=pattern.budget, finished=False))
    return Exploration(
        tuple(each for family in families for each in family.explained()),
        {family.signature: len(family.inputs) for family in families},
        finished,
        count.runs,
        count.outcomes,
    )


@dataclass(slots=True)
class _Family:
    """One failure: its signature, its patterns and the inputs that were met."""

    signature: str
    expected: bool
    """Whether the oracle calls it reproduced."""
    patterns: list[Pattern] = field(default_factory=list)
    inputs: dict[str, int | None] = field(default_factory=dict)
    """The failing texts that were met, each with the first pattern that it belongs to."""
    reducing: dict[str, int] = field(default_factory=dict)
    """Those that belong to none: the pattern that they were reduced to."""
    streak: int = 0
    """How many newcomers in a row were reduced to something known."""

    def matching(self, text: str) -> int | None:
        return next((i for i, each in enumerate(self.patterns) if _explains(each, text)), None)

    def explained(self) -> Iterator[ExplainedFailure]:
        """Yield the patterns with their counts; later patterns explain earlier inputs, too."""
        first = [
            self.matching(text) if index is None else index for text, index in self.inputs.items()
        ]
        unmatched = {text for text, index in zip(self.inputs, first, strict=True) if index is None}
        for index, pattern in enumerate(self.patterns):
            reducing = sum(self.reducing.get(text) == index for text in unmatched)
            yield ExplainedFailure(self.signature, pattern, first.count(index), reducing)


@dataclass(slots=True)
class _Search:
    """One exploration at work."""

    start: Pattern
    oracle: Oracle
    known: dict[str, Verdict]
    """The verdicts on all texts so far."""
    rng: Random
    options: ExploreOptions
    watch: Watch
    families: dict[str, _Family] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    corpus: Corpus | None = None
    """The original and inputs that pass, of which mutants are made as for a law."""
    waiting: deque[str] = field(default_factory=deque)
    """Changes of each part of the original, and of the input that passes and is most like it."""

    def run(self) -> bool:
        """Explore until nothing is left to try."""
        left = self.options.mutants
        while left > 0:
            self.watch.entered("explore")
            batch = list(islice(self._mutants(), min(MUTANTS_PER_BATCH, left)))
            if not batch:
                break
            left -= len(batch)
            # Nobody joins before the batch is judged: what is made does not depend on workers.
            for family, text in self._met(batch):
                self._join(family, text)
        return True

    def _met(self, batch: Sequence[str]) -> list[tuple[_Family, str]]:
        """Count the failing texts of a batch; return those that are to join if they are new."""
        newcomers = []
        verdicts = self.oracle(batch)
        try:
            for text, verdict in zip(batch, verdicts, strict=False):
                family = self._family(verdict)
                if family is None:
                    self._learn_from(text, verdict)
                    continue
                family.inputs[text] = family.matching(text)
                # Where newcomers turn out to be known ones ever again, fewer are looked at.
                if family.inputs[text] is None and self.rng.random() * (family.streak + 1) < 1:
                    newcomers.append((family, text))
        finally:
            close(verdicts)
        return newcomers

    def _family(self, verdict: Verdict) -> _Family | None:
        """Return the family of a verdict's failure; None if it is no failure, or tells none."""
        first = next(iter(self.families.values()))
        if verdict.outcome is Outcome.REPRODUCED:
            return first
        signature = verdict.signature
        if verdict.outcome is not Outcome.PASSED or signature in ("", first.signature):
            return None
        if signature not in self.families and len(self.families) < MAX_FAILURES:
            self.families[signature] = _Family(signature, False)
        return self.families.get(signature)

    def _learn_from(self, text: str, verdict: Verdict) -> None:
        """Let an input that passes be one of those that mutants are made of."""
        corpus = self.corpus
        if not verdict.passed or corpus is None or len(text) > LONGEST:
            return
        parts = read(text, corpus.language)
        if parts is not None:
            model = corpus.donors[-1].parts
            corpus.add(text, parts)
            new, original = corpus.donors.pop(), corpus.donors.pop()
            # The first ones are taken the most often, and are those most like the original.
            passing = sorted([*corpus.donors, new], key=lambda each: unlike(each.parts, model))
            corpus.donors = [*passing[:MOST_PASSING], original]
            if passing[0] is new:
                self.probe(new)

    def probe(self, donor: Donor) -> None:
        """Have each part of an input changed before anything is changed by chance."""
        assert self.corpus is not None
        changes = probed(donor.text, donor.parts, self.corpus, self.rng)
        self.waiting = deque(islice(changes, MOST_PROBES))

    def _mutants(self) -> Iterator[str]:
        """Yield changed texts of the population that were not met before."""
        misses = 0
        language = self.start.language
        donors = [each.plain for family in self.families.values() for each in family.patterns]
        while misses < MAX_KNOWN_MUTANTS:
            misses += 1
            self.watch.check()
            text: str | None
            if self.waiting:
                text = self.waiting.popleft()
            elif self.corpus is not None and self.rng.random() < CORPUS_SHARE:
                text = self.corpus.mutant(self.rng)
            else:
                text = mutant(self._source(), donors, self.rng, self.start.budget)
            if text is None or text in self.seen:
                continue
            self.seen.add(text)
            if self._is_explained(text) and self.rng.random() >= EXPLAINED_SHARE:
                continue
            if not self.start.template.valid or language.valid(text):
                misses = 0
                yield text

    def _is_explained(self, text: str) -> bool:
        """Say whether a law explains a text, so that it tells of no other failure."""
        laws = (each.law for family in self.families.values() for each in family.patterns)
        return any(law.matches(text) for law in laws if law is not None)

    def _source(self) -> Template:
        """Return a text to be changed: one of the population, or another of its pattern."""
        family = self.rng.choice([each for each in self.families.values() if each.patterns])
        pattern = replace(self.rng.choice(family.patterns), check=self.watch.check)
        instance = pattern.draw(self.rng) if self.rng.random() < 0.5 else None
        return pattern.plain if instance is None else template_of(instance.text, pattern.language)

    def _join(self, family: _Family, text: str) -> None:
        """Reduce a failing text; if it is a new one even then, look for its pattern."""
        if family.matching(text) is not None:
            return
        language = self.start.language
        oracle = self.oracle if family.expected else aimed(self.oracle, family.signature)
        passes = self.options.passes
        smaller, finished = reduced_text(text, oracle, language, passes, self.watch)
        index = family.matching(smaller)
        if index is not None:
            family.reducing[text] = index
            family.streak += 1
        elif len(family.patterns) < PATTERNS_PER_FAILURE:
            how = GeneralizeOptions(
                samples=MOST_LAW_TRIALS if self.options.law_runs != 0 else self.options.samples,
                reduce_first=False,
                budget=self.start.budget,
                law_runs=self.options.law_runs,
            )
            rng = Random(self.rng.getrandbits(64))
            known = self._known(family)
            pattern = generalize(
                smaller, oracle, language, rng, how, self.watch, known=known, original=text
            )
            family.reducing[text] = len(family.patterns)
            family.patterns.append(pattern)
            family.streak = 0
            finished = finished and pattern.finished
        if not finished:
            raise Stop("a newcomer was not finished")

    def _known(self, family: _Family) -> dict[str, Outcome]:
        """Return the outcomes of the shortest texts so far, as seen from one failure.

        Those that fail in another way are left out, for they say nothing of it.
        """
        same = (family.signature, "")
        told = (text for text, verdict in self.known.items() if verdict.signature in same)
        texts = sorted(told, key=key)[:MAX_KNOWN_TEXTS]
        if family.expected:
            return {text: self.known[text].outcome for text in texts}
        return {text: _aimed(self.known[text], family.signature) for text in texts}


def _corpus(texts: Sequence[str], language: Language) -> Corpus | None:
    """Return the corpus of some inputs; None if none follows the grammar."""
    corpus = Corpus(language)
    for text in texts:
        parts = read(text, language) if text and len(text) <= LONGEST else None
        if parts is not None:
            corpus.add(text, parts)
            corpus.unique = parts.repeats(False) - parts.repeats(True)
            corpus.keep_pairs(parts)
    return corpus if corpus.donors else None


def _explains(pattern: Pattern, text: str) -> bool:
    """Say whether a pattern or its law explains a text."""
    return pattern.matches(text) or (pattern.law is not None and pattern.law.matches(text))


def aimed(oracle: Oracle, signature: str) -> Oracle:
    """Turn an oracle to another failure: that one is REPRODUCED, and the first is PASSED."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        inner = oracle(texts)
        try:
            for verdict in inner:
                yield Verdict(_aimed(verdict, signature), verdict.signature)
        finally:
            close(inner)

    return verdicts


def _aimed(verdict: Verdict, signature: str) -> Outcome:
    if verdict.outcome is Outcome.PASSED and verdict.signature == signature:
        return Outcome.REPRODUCED
    return Outcome.PASSED if verdict.reproduced else verdict.outcome
