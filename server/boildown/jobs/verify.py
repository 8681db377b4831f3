"""Verifies a program that is said to be fixed: runs it on inputs that laws say should fail."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from boildown.engine.language import Language
from boildown.engine.laws.instances import law_instances
from boildown.engine.laws.law import Law
from boildown.engine.oracle import Outcome, Stop, Verdict
from boildown.jobs.matching import ReadFormula
from boildown.jobs.work import JobOptions, language_for, oracle_of
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected
from boildown.runner.limits import JobLimits
from boildown.runner.preflight.preflight import FIRST_RUN_TIMEOUT, choose_timeout
from boildown.runner.runner import Runner

MOST_DRAWS = 1_000
"""Texts that are drawn of each pattern, at most."""


@dataclass(frozen=True, slots=True)
class StillFailing:
    """An input on which the program still fails."""

    text: str
    failure: str
    """The signature of the failure; empty where a rule of the user's decides, or for a time-out."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """The runs on inputs that one law, or one rule of a law, explains."""

    law: str
    tried: int
    """Inputs that could be judged."""
    failing: tuple[StillFailing, ...]
    """The shortest first."""

    @property
    def covered(self) -> bool:
        """Whether there were inputs, and none of them failed."""
        return self.tried > 0 and not self.failing


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of a verification."""

    laws: tuple[Attacked, ...]
    finished: bool

    @property
    def covered(self) -> bool:
        """Whether the program passes for inputs of all laws, as far as these were tried."""
        return self.finished and all(each.covered for each in self.laws)


def verify(
    formula: ReadFormula,
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    count: int = 100,
    seed: int = 0,
    *,
    stopped: Callable[[], bool] = lambda: False,
) -> Verified:
    """Run a program on so many inputs of each law, made from an input that it used to fail on.

    An input fails if a rule of the user's says so, or else if the program fails in whatever way,
    or does not end. A stop or a limit of seconds is no error: what is known is the result.

    Raises:
        PatternError: the formula makes no sense.
        LanguageError: there is no such language.
        CannotRun: the command can't be run.
    """
    options = options or JobOptions()
    language = language_for(text, command.name, options)
    limits = JobLimits(options.max_seconds, stopped=stopped)
    found: list[Attacked] = []
    with Runner(command, options.jobs, limits.over) as runner:
        try:
            run = runner.run(text, command.timeout or FIRST_RUN_TIMEOUT, cold=True)
            expected = Expected(timeout=command.timeout or choose_timeout(run.took))
            with oracle_of(runner, expected, limits.over) as oracle:
                for name, texts in _sources(formula, text, language, Random(seed), limits.check):
                    taken, judged = itertools.tee(itertools.islice(texts, count))
                    attacked = Attacked(name, 0, ())
                    found.append(attacked)
                    for verdict, tried in zip(oracle(judged), taken, strict=False):
                        found[-1] = _after(found[-1], command, tried, verdict)
        except Stop:
            return Verified(tuple(found), finished=False)
    return Verified(tuple(found), finished=True)


def _sources(
    formula: ReadFormula, text: str, language: Language, rng: Random, check: Callable[[], None]
) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield each law with inputs that it explains.

    The rules of a law are attacked one by one, patterns by their own samplers; of a formula in
    which both stand, inputs of all its patterns and mutants are taken that it explains.
    """
    law, patterns = formula.law(language), formula.patterns
    if law is not None:
        for rule in law.rules:
            alone = Law((rule,), language, law.naming)
            yield str(alone), law_instances(alone, [text], rng, check)
        return
    drawn = (pattern.draw(rng) for pattern in patterns.values() for _ in range(MOST_DRAWS))
    instances = (each.text for each in drawn if each is not None)
    inputs = [text, *(pattern.text for pattern in patterns.values())]
    anything = law_instances(Law(((),), language), inputs, rng, check)
    mixed = itertools.chain.from_iterable(zip(instances, anything, strict=False))
    yield formula.typed, (each for each in _different(mixed) if formula.explains(each, language))


def _different(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts, each of them once."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _after(attacked: Attacked, command: TestCommand, text: str, verdict: Verdict) -> Attacked:
    """Return the state of a law's verification after one more run."""
    if verdict.outcome is Outcome.INVALID:
        return attacked
    by_rule = command.reproduces is not None or command.interesting
    other = verdict.outcome is Outcome.TIMEOUT or verdict.signature != ""
    fails = verdict.reproduced or (other and not by_rule)
    failing = (
        (*attacked.failing, StillFailing(text, verdict.signature)) if fails else attacked.failing
    )
    ordered = tuple(sorted(failing, key=lambda each: (len(each.text), each.text)))
    return Attacked(attacked.law, attacked.tried + 1, ordered)
