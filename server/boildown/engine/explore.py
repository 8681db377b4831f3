"""What else fails near a pattern: other failures, and inputs of the same one that it leaves out.

A population of failing texts grows as in mutation fuzzing: texts of its patterns are changed by the
grammar, and what fails in a way that no pattern of it tells of is reduced, generalized, and joins.
Source: the search is that of mutation-based fuzzing; to reduce each newcomer before it joins is an
exercise of A. Zeller et al., The Fuzzing Book, chapter on reducing failure-inducing inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from boildown.engine.form import Form, form
from boildown.engine.generalize import generalize, reduced_text
from boildown.engine.generalizing.state import Options as How
from boildown.engine.mutation import mutant
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
from boildown.engine.passes import AUTO
from boildown.engine.pattern import Pattern
from boildown.engine.problem import key
from boildown.engine.reduce import Watch

BATCH = 16
"""Texts that are made before any of them is judged, so that they may run at the same time."""
MISSES = 200
"""How many texts in a row may be known ones before it is said that there are no others."""
FAILURES = 50
"""Failures that are kept; a program that fails in ever new ways ends this list."""
KNOWN = 200
"""Texts that were run before and may refute a newcomer's pattern."""
PATTERNS = 10
"""Patterns that are looked for per failure."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to explore."""

    mutants: int = 1000
    """Changed texts that are tried."""
    samples: int = 20
    """Trials that the statements on a newcomer's pattern rest on."""
    passes: tuple[str, ...] = AUTO
    """What reduces a newcomer."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A pattern with the failing inputs that it explains."""

    signature: str
    pattern: Pattern
    """Its text is the smallest input."""
    matching: int
    """Inputs that were met and belong to it."""
    reducing: int
    """Further inputs that do not, but that were reduced to one that does."""

    @property
    def explained(self) -> int:
        """How many inputs it explains."""
        return self.matching + self.reducing


@dataclass(frozen=True, slots=True)
class Exploration:
    """What came of an exploration."""

    found: tuple[Explained, ...]
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
    options: Options | None = None,
    watch: Watch | None = None,
) -> Exploration:
    """Look for failures other than a pattern's, which has `signature`, and for what it leaves out.

    Of other failures the oracle's verdicts must give the signatures. It may raise `Stop` at any
    time; what is known then is the result.
    """
    count = Count()
    known: dict[str, Verdict] = {}
    judged = observed(cached(counted(oracle, count)), known.__setitem__)
    search = _Search(pattern, judged, known, rng, options or Options(), watch or Watch())
    search.families[signature] = _Family(signature, True, [pattern])
    finished = True
    try:
        search.run()
    except Stop:
        finished = False
    families = list(search.families.values())
    for family in families:
        if not family.patterns:
            smallest = form(min(family.inputs, key=key), pattern.form.language)
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
    """All that is known of one failure."""

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
        return next((i for i, each in enumerate(self.patterns) if each.matches(text)), None)

    def explained(self) -> Iterator[Explained]:
        """Yield the patterns; those that came later also explain what was met before."""
        first = [
            self.matching(text) if index is None else index for text, index in self.inputs.items()
        ]
        unmatched = {text for text, index in zip(self.inputs, first, strict=True) if index is None}
        for index, pattern in enumerate(self.patterns):
            reducing = sum(self.reducing.get(text) == index for text in unmatched)
            yield Explained(self.signature, pattern, first.count(index), reducing)


@dataclass(slots=True)
class _Search:
    """One exploration at work."""

    start: Pattern
    oracle: Oracle
    known: dict[str, Verdict]
    """What became of all texts so far."""
    rng: Random
    options: Options
    watch: Watch
    families: dict[str, _Family] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def run(self) -> None:
        left = self.options.mutants
        while left > 0:
            self.watch.entered("explore")
            batch = list(islice(self._mutants(), min(BATCH, left)))
            if not batch:
                return
            left -= len(batch)
            # Nobody joins before the batch is judged: what is made does not depend on workers.
            for family, text in self._met(batch):
                self._join(family, text)

    def _met(self, batch: Sequence[str]) -> list[tuple[_Family, str]]:
        """Count the failing texts of a batch; return those that are to join if they are new."""
        newcomers = []
        verdicts = self.oracle(batch)
        try:
            for text, verdict in zip(batch, verdicts, strict=False):
                family = self._family(verdict)
                if family is None:
                    continue
                family.inputs[text] = family.matching(text)
                # Where newcomers turn out to be known ones ever again, fewer are looked at.
                if family.inputs[text] is None and self.rng.random() * (family.streak + 1) < 1:
                    newcomers.append((family, text))
        finally:
            close(verdicts)
        return newcomers

    def _family(self, verdict: Verdict) -> _Family | None:
        """Return what is known of a failure; None for what passed, or says nothing."""
        first = next(iter(self.families.values()))
        if verdict.outcome is Outcome.REPRODUCED:
            return first
        signature = verdict.signature
        if verdict.outcome is not Outcome.PASSED or signature in ("", first.signature):
            return None
        if signature not in self.families and len(self.families) < FAILURES:
            self.families[signature] = _Family(signature, False)
        return self.families.get(signature)

    def _mutants(self) -> Iterator[str]:
        """Yield changed texts of the population that were not met before."""
        misses = 0
        language = self.start.form.language
        donors = [each.form for family in self.families.values() for each in family.patterns]
        while misses < MISSES:
            misses += 1
            text = mutant(self._source(), donors, self.rng, self.start.budget)
            if text is None or text in self.seen:
                continue
            self.seen.add(text)
            if not self.start.form.valid or language.parse(text).valid:
                misses = 0
                yield text

    def _source(self) -> Form:
        """Return a text to be changed: one of the population, or another of its pattern."""
        family = self.rng.choice([each for each in self.families.values() if each.patterns])
        pattern = self.rng.choice(family.patterns)
        instance = pattern.draw(self.rng) if self.rng.random() < 0.5 else None
        return pattern.form if instance is None else form(instance.text, pattern.form.language)

    def _join(self, family: _Family, text: str) -> None:
        """Reduce a failing text; if it is a new one even then, look for its pattern."""
        if family.matching(text) is not None:
            return
        language = self.start.form.language
        oracle = self.oracle if family.expected else aimed(self.oracle, family.signature)
        passes = self.options.passes
        smaller, finished = reduced_text(text, oracle, language, passes, self.watch)
        index = family.matching(smaller)
        if index is not None:
            family.reducing[text] = index
            family.streak += 1
        elif len(family.patterns) < PATTERNS:
            how = How(samples=self.options.samples, reduce_first=False, budget=self.start.budget)
            rng = Random(self.rng.getrandbits(64))
            known = self._known(family)
            pattern = generalize(smaller, oracle, language, rng, how, self.watch, known=known)
            family.reducing[text] = len(family.patterns)
            family.patterns.append(pattern)
            family.streak = 0
            finished = finished and pattern.finished
        if not finished:
            raise Stop("a newcomer was not finished")

    def _known(self, family: _Family) -> dict[str, Outcome]:
        """Return what became of the shortest texts so far, seen from one failure."""
        texts = sorted(self.known, key=key)[:KNOWN]
        if family.expected:
            return {text: self.known[text].outcome for text in texts}
        return {text: _aimed(self.known[text], family.signature) for text in texts}


def aimed(oracle: Oracle, signature: str) -> Oracle:
    """Return an oracle for which another failure is the one that reproduces."""

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
