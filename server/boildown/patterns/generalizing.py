"""Find the pattern of a failing input by its test command."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

from boildown import jobs
from boildown.engine import generalize as engine
from boildown.engine.language import Language
from boildown.engine.oracle import Oracle, Outcome, Stop, Verdict, judge, limited, observed
from boildown.engine.pattern import Pattern
from boildown.engine.reduce import Watch
from boildown.runner.command import TestCommand
from boildown.runner.others import Others
from boildown.runner.preflight import preflight
from boildown.runner.runner import Runner


@dataclass(frozen=True, slots=True)
class Generalized:
    """What came of a generalization, with how it was judged."""

    pattern: Pattern
    language: str
    """What `load_language` takes to get the language again."""
    signature: str
    """The failure that the pattern is of."""
    notes: tuple[str, ...]
    seconds: float
    """From the start of the job to its end."""
    others: dict[str, str]
    """Other failures that were met on the way: signature to smallest text."""


def generalize(
    text: str,
    command: TestCommand,
    options: jobs.Options | None = None,
    how: engine.Options | None = None,
    seed: int = 0,
    see: jobs.See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Generalized:
    """Find the pattern of a failing input by its test command.

    A stop, a limit of runs or of seconds is no error: what is known is the result.

    Raises:
        PreflightError: the input does not reproduce; the message says why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such method or pass.
    """
    options, how = options or jobs.Options(), how or engine.Options()
    language = jobs.language_for(text, command.name, options)
    job = _Job(text, see, stopped, options.max_seconds)
    with Runner(command, options.jobs, job.over) as runner:
        job.progress("preflight")
        try:
            start = preflight(runner, text, options.repeat)
        except Stop:
            return job.result(_plain(text, language, how), language, options, "")
        for sentence in (*start.notes, *language.parse(text).notes):
            job.note(sentence)
        others = Others(start.expected.signature, job.others)
        oracle = runner.oracle(start.expected)
        if options.max_runs is not None:
            oracle = limited(oracle, options.max_runs)
        oracle = observed(observed(oracle, others.see), job.ran)
        watch = Watch(job.accepted, job.progress)
        pattern = engine.generalize(
            text, oracle, language, Random(seed), how, watch, options.passes
        )
    with Runner(command, 1, stopped) as runner:
        job.progress("verify")
        if not _reproduces(runner.oracle(start.expected), pattern.text):
            job.note(
                "The text of the pattern did not fail when it was run again, so the test command"
                " is not reliable, and neither is the pattern."
            )
            pattern = replace(pattern, finished=False)
    for sentence in pattern.notes:
        job.note(sentence)
    return job.result(pattern, language, options, start.expected.signature)


def _plain(text: str, language: Language, how: engine.Options) -> Pattern:
    """Return the pattern of a text of which nothing is known."""
    stopped = limited(lambda _texts: iter(()), 0)
    how = replace(how, reduce_first=False)
    return replace(engine.generalize(text, stopped, language, Random(0), how), finished=False)


def _reproduces(oracle: Oracle, text: str) -> bool:
    """Say whether a text reproduces when it is run afresh; yes if a stop leaves no time for it."""
    try:
        return judge(oracle, text).reproduced
    except Stop:
        return True


@dataclass(slots=True)
class _Job:
    """The state of one running job: what its callbacks share."""

    text: str
    see: jobs.See
    stopped: Callable[[], bool]
    max_seconds: float | None
    notes: list[str] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.monotonic)
    best: str = ""
    phase: str = ""
    runs: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)

    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def over(self) -> bool:
        out_of_time = self.max_seconds is not None and self.elapsed() > self.max_seconds
        return out_of_time or self.stopped()

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)
        self.see(jobs.Note(sentence))

    def progress(self, phase: str) -> None:
        self.phase = phase
        before, best = jobs.size(self.text), self.best or self.text
        seconds, outcomes = self.elapsed(), dict(self.outcomes)
        self.see(jobs.Progress(phase, self.runs, before, jobs.size(best), seconds, best, outcomes))

    def accepted(self, text: str, _verdict: Verdict) -> None:
        self.best = text
        self.progress(self.phase)

    def ran(self, _text: str, verdict: Verdict) -> None:
        self.runs += 1
        self.outcomes[verdict.outcome] += 1
        self.progress(self.phase)

    def result(
        self, pattern: Pattern, language: Language, options: jobs.Options, signature: str
    ) -> Generalized:
        return Generalized(
            pattern,
            options.language or language.name,
            signature,
            tuple(self.notes),
            self.elapsed(),
            self.others,
        )
