"""The use cases, in the words of an editor: text in, events on the way, a result out.

Every front end calls these functions and nothing below them. A job blocks its caller: a server
runs it on a thread, and ends it by letting `stopped` return True.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from boildown.engine.language import Language
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Stop,
    Verdict,
    counted,
    judge,
    limited,
    observed,
)
from boildown.engine.passes import AUTO
from boildown.engine.reduce import Reduction, Watch, unreduced
from boildown.engine.reduce import reduce as reduce_text
from boildown.languages import detect, load_language
from boildown.runner.cache import SavedJob, Store
from boildown.runner.command import TestCommand
from boildown.runner.diagnosis import no_reproduction
from boildown.runner.judge import Expected, judge_run
from boildown.runner.others import Others
from boildown.runner.preflight import LONGEST, Preflight, PreflightError, preflight
from boildown.runner.resume import job_key, resume
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from boildown.runner.signature import signature

__all__ = ["Note", "Options", "PreflightError", "Progress", "Reduced", "check", "observe", "reduce"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may choose about a job."""

    language: str | None = None
    """A language's name or a grammar file; None to detect it."""
    language_id: str | None = None
    """What the editor calls the document's language, if it was asked."""
    passes: tuple[str, ...] = AUTO
    jobs: int = 1
    """How many runs may be under way at once."""
    max_runs: int | None = None
    max_seconds: float | None = None
    repeat: int = 3
    """How often the original is run before anything else."""
    fresh: bool = False
    """Whether to forget what an earlier attempt at the same job has left."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence that the user should read."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    phase: str
    """The pass at work, or "preflight" or "verify"."""
    runs: int
    before: int
    """Bytes of the failing input."""
    after: int
    """Bytes of the best text so far."""
    seconds: float
    """Since the job began."""
    text: str
    """The best text so far."""
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    """How many of the runs had which outcome."""


Event: TypeAlias = Note | Progress
See: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class Reduced:
    """What came of a reduction, with how it was judged."""

    reduction: Reduction
    language: str
    passes: tuple[str, ...]
    notes: tuple[str, ...]
    seconds: float
    """From the start of the job to its end."""
    test_seconds: float
    """Of these, spent in runs of the test command (runs at the same time count each)."""
    verified: bool
    """Whether the result was run once more at the end and reproduced."""
    others: dict[str, str]
    """Other failures that were met on the way: signature to smallest text."""


def size(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text.encode("utf-8", "surrogateescape"))


def tokens(text: str) -> int:
    """Return the number of words and punctuation characters of a text."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def check(
    text: str,
    command: TestCommand,
    options: Options | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Preflight:
    """Run the preflight alone.

    Raises:
        PreflightError: the failing input does not reproduce, or not for sure; the message says
            why and what to do.
    """
    options = options or Options()
    with Runner(command, 1, stopped) as runner:
        return preflight(runner, text, options.repeat)


def observe(
    text: str, command: TestCommand, stopped: Callable[[], bool] = lambda: False
) -> tuple[Run, str]:
    """Run the command once on a reduced text; return the run and the signature of its failure.

    Raises:
        PreflightError: it does not fail; the message says what to do.
        Stop: `stopped` became true.
    """
    with Runner(command, 1, stopped) as runner:
        run = runner.run(text, command.timeout or LONGEST)
    seen = signature(run, run.file, command.level)
    if not judge_run(command, run, Expected(seen)).reproduced:
        raise no_reproduction(command, [run])
    return run, seen


def language_for(text: str, name: str, options: Options) -> Language:
    """Return the language that was asked for, or the one that the name and text speak for."""
    if options.language is not None:
        return load_language(options.language)
    return detect(name, text, options.language_id)


def reduce(
    text: str,
    command: TestCommand,
    options: Options | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Reduced:
    """Reduce a failing input by its test command.

    A stop, a limit of runs or of seconds is no error: the best so far is the result.

    Raises:
        PreflightError: nothing can be reduced; the message says why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such pass.
    """
    options = options or Options()
    job = _Job(text, see, options.max_seconds, stopped)
    language = language_for(text, command.name, options)
    with Runner(command, options.jobs, job.over) as runner:
        job.progress("preflight")
        try:
            start = preflight(runner, text, options.repeat)
        except Stop:
            return job.result(unreduced(text), language, options, runner.seconds)
        for sentence in (*start.notes, *language.parse(text).notes):
            job.note(sentence)
        reduction = _reduced(job, runner, start, language, options)
        test_seconds = runner.seconds
    with Runner(command, 1, stopped) as runner:
        reduction, verified = job.verified(reduction, runner.oracle(start.expected))
    return job.result(reduction, language, options, test_seconds, verified)


def _reduced(
    job: _Job, runner: Runner, start: Preflight, language: Language, options: Options
) -> Reduction:
    """Reduce, going on from what an earlier attempt that was cut short has left on disk."""
    count = Count()
    oracle = counted(runner.oracle(start.expected), count)
    if options.max_runs is not None:
        oracle = limited(oracle, options.max_runs)
    others = Others(start.expected.signature, job.others)
    with Store() as store:
        saved = store.job(job_key(runner.command, job.text, language.name, options.passes))
        if options.fresh:
            saved.drop()
        try:
            sentence = resume(saved, runner, start.expected)
        except Stop:
            return unreduced(job.text)
        if sentence is not None:
            job.note(sentence)
        judged = saved.remembered(observed(oracle, saved.record))
        reduction = reduce_text(
            job.text,
            observed(observed(judged, others.see), job.ran),
            language,
            options.passes,
            Watch(partial(_accepted, job, saved), job.progress),
        )
        if reduction.finished:
            saved.drop()
        if store.problem is not None:
            job.note(store.problem)
    known = reduction.runs - count.runs
    return replace(
        reduction, runs=count.runs, cached=reduction.cached + known, outcomes=count.outcomes
    )


def _accepted(job: _Job, saved: SavedJob, text: str, verdict: Verdict) -> None:
    job.accepted(text, verdict)
    saved.step(job.steps, text)


@dataclass(slots=True)
class _Job:
    """The state of one running job: what its callbacks share."""

    text: str
    see: See
    max_seconds: float | None
    stopped: Callable[[], bool]
    notes: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    best: str = ""
    phase: str = ""
    runs: int = 0
    steps: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    others: dict[str, str] = field(default_factory=dict)

    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def over(self) -> bool:
        out_of_time = self.max_seconds is not None and self.elapsed() > self.max_seconds
        return out_of_time or self.stopped()

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)
        self.see(Note(sentence))

    def progress(self, phase: str) -> None:
        self.phase = phase
        best = self.best or self.text
        seconds, outcomes = self.elapsed(), dict(self.outcomes)
        self.see(Progress(phase, self.runs, size(self.text), size(best), seconds, best, outcomes))

    def accepted(self, text: str, _verdict: Verdict) -> None:
        self.best = text
        self.steps += 1
        self.progress(self.phase)

    def ran(self, _text: str, verdict: Verdict) -> None:
        self.runs += 1
        self.outcomes[verdict.outcome] += 1
        self.progress(self.phase)

    def result(
        self,
        reduction: Reduction,
        language: Language,
        options: Options,
        test_seconds: float,
        verified: bool = False,
    ) -> Reduced:
        return Reduced(
            reduction,
            language.name,
            options.passes,
            tuple(self.notes),
            self.elapsed(),
            test_seconds,
            verified,
            self.others,
        )

    def verified(self, reduction: Reduction, oracle: Oracle) -> tuple[Reduction, bool]:
        """Run the result afresh; where it does not reproduce, go back to a step that does."""
        if self.stopped():
            return reduction, False
        self.progress("verify")
        for step in reversed(reduction.history):
            try:
                verdict = judge(oracle, step.text)
            except Stop:
                return reduction, False
            if verdict.reproduced:
                if step.text != reduction.text:
                    self.note(
                        "The smallest text did not fail when it was run again, so the test command"
                        " is not reliable. This is the smallest one that failed twice."
                    )
                    reduction = replace(reduction, text=step.text, finished=False, minimality=None)
                return reduction, True
        self.note("Not even the original failed when it was run again: nothing is reduced.")
        return replace(reduction, text=self.text, finished=False, minimality=None), False
