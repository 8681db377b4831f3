"""The state of a job with a test command: its options, its oracle, and the errors that end it.

A job runs the preflight, asks an oracle, and goes on from what an earlier attempt that was cut
short has left on disk. Reducing, generalizing and exploring differ in what they ask.
"""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from boildown.engine.language import LONGEST_PARSED, Language
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Stop,
    Verdict,
    close,
    counted,
    limited,
    observed,
)
from boildown.engine.reducing.reduce import Watch
from boildown.engine.reducing.steps import is_dropped
from boildown.files import FileError
from boildown.jobs.defects import defect_note
from boildown.jobs.events import Note, Progress, See, size, tokens
from boildown.jobs.own_passes import chosen_passes
from boildown.languages import LanguageError, detect, load_language
from boildown.runner.advice import Message, as_message
from boildown.runner.cluster import Cluster
from boildown.runner.command import INPUT, RUNS, Level, Role, TestCommand
from boildown.runner.judging.judge import Expected, signature_of
from boildown.runner.judging.others import Others
from boildown.runner.limits import JobLimits
from boildown.runner.options import option, table
from boildown.runner.preflight.diagnosis import PreflightError
from boildown.runner.preflight.preflight import Preflight, preflight
from boildown.runner.resuming.cache import JobDescription, SavedJob, Store
from boildown.runner.resuming.resume import job_key, resume
from boildown.runner.run import NONE_EARLIER, CannotRun, EarlierRuns, Measured, Obstacle
from boildown.runner.runner import Runner

__all__ = [
    "JOB_OPTIONS",
    "CannotRun",
    "JobOptions",
    "LanguageError",
    "Obstacle",
    "PreflightError",
    "Stop",
    "Work",
    "language_for",
    "oracle_of",
    "prepared",
    "trivial",
]


@dataclass(frozen=True, slots=True)
class JobOptions:
    """The options of a job that say nothing of the test command."""

    language: str | None = option(
        None, "its name, or a grammar file; see grammar list", "detected", need=INPUT, metavar="L"
    )
    language_id: str | None = None
    """The editor's name of the document's language, if there is an editor."""
    passes: tuple[str, ...] = ()
    """Reduction passes in place of those that the command names."""
    keep: tuple[str, ...] = ()
    """Parts of the input that no candidate may lack, beside those that the command names."""
    jobs: int = option(1, "runs at the same time", "one for each core", need=RUNS, metavar="N")
    max_seconds: float | None = option(None, "end after S seconds", need=RUNS, metavar="S")
    max_runs: int | None = option(None, "end after N runs", need=RUNS, metavar="N")
    from_candidate: bool = False
    """Whether the seconds count from the first candidate, not from the first run."""
    earlier: EarlierRuns = NONE_EARLIER
    """What was run of the command before the job."""
    fresh: bool = option(False, "forget what an unfinished job has left", need=RUNS)


JOB_OPTIONS = table(JobOptions)
"""All that a user can say of a job beside its test command."""


def language_for(text: str, name: str, options: JobOptions) -> Language:
    """Return the language that was asked for, or else detect it by file name, editor and text."""
    if options.language is not None:
        return load_language(options.language)
    return detect(name, text, options.language_id)


def trivial(language: Language, text: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the shortest valid text, if it is shorter than a text, and the notes on the text.

    A long text is not parsed yet: it is taken for one of what an empty text would be.
    """
    is_long = len(text) > LONGEST_PARSED
    parsed = language.parse("" if is_long else text)
    shortest = language.shortest(parsed.tree.label)
    is_shorter = bool(shortest) and len(shortest or "") < len(text)
    return shortest if is_shorter else None, () if is_long else parsed.notes


@contextmanager
def oracle_of(
    runner: Runner, expected: Expected, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Oracle]:
    """Give the oracle that runs a runner's command: on a cluster if the command names one.

    Raises CannotRun if the cluster cannot be used.
    """
    command = runner.command
    if command.cluster is None:
        yield runner.oracle(expected)
        return
    with Cluster(command.cluster, command, command.ship, stopped) as cluster:
        try:
            yield cluster.oracle(expected)
        finally:
            runner.seconds += cluster.seconds


_ENDS = (CannotRun, PreflightError, LanguageError, FileError)
"""Exceptions that say what is wrong with what the user gave: they are no defects."""


def prepared(
    text: str,
    command: TestCommand,
    options: JobOptions | None,
    see: See,
    stopped: Callable[[], bool],
) -> Work:
    """Return a job that is about to begin, with the passes and the language that it takes.

    Raises:
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such pass.
    """
    options = options or JobOptions()
    passes, own = chosen_passes(command, options.passes)
    options = replace(options, passes=passes)
    limits = JobLimits(options.max_seconds, options.max_runs, stopped)
    language = language_for(text, command.name, options)
    return Work(text, language, options, see, limits, own, began=limits.began)


@dataclass(slots=True)
class Work:
    """The judge of one running job, by its test command, with the state that its callbacks share.

    `begin` runs the original, `oracle` gives the verdicts on candidates, and `expected` the failure
    that a fresh run of the result must show.
    """

    text: str
    language: Language
    options: JobOptions
    see: See
    limits: JobLimits
    own_passes: tuple[str, ...] = ()
    """The names of the user's own passes that are asked for."""
    notes: list[Message] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    """Other failures that were met: signature to smallest text."""
    began: float = field(default_factory=time.monotonic)
    """By the monotonic clock; as that of the limits, or a job that these ended seems to be shorter.
    """
    best: str = ""
    phase: str = ""
    phase_ends: int | None = None
    """The number of runs after which the phase ends at the latest, where that is known."""
    failures: tuple[str, str] | None = None
    """The signatures of the failing input and of the best text."""
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all runs that the engine saw, those of an earlier attempt among them."""
    stricter: int = 0
    """Runs that failed with the same error, and not in the same way."""
    error: str = ""
    """The signature of the expected failure at the level `error`."""
    count: Count = field(default_factory=Count)
    """The runs of this job, without those recorded by an earlier attempt."""
    saved: SavedJob | None = None
    """The record of the job, from the first candidate on."""
    steps: int = 0
    """Of the best text, as many as were recorded."""
    recorded: str = ""
    """The best text that was recorded last."""
    command: TestCommand | None = None
    """The test command as it was given; a preflight may have found better surroundings for it."""
    measured: Measured | None = None
    """The time of a run, as the first attempt at this job has measured it; None before that."""

    @property
    def watch(self) -> Watch:
        """The callbacks by which the engine reports to the job."""
        return Watch(self.accepted, self.progress, self.limits.check, defect=self.defect)

    def elapsed(self) -> float:
        """Return the seconds since the job began."""
        return time.monotonic() - self.began

    def note(self, told: str | Message, code: str | None = None) -> None:
        """Tell the user something, now and in the result."""
        message = as_message(told, code)
        self.notes.append(message)
        self.see(Note(message))

    def defect(self, phase: str, error: Exception) -> None:
        """Tell the user that a defect has ended a phase; raise errors that are the user's."""
        if isinstance(error, _ENDS):
            raise error
        self.note(defect_note(phase, error))

    def progress(self, phase: str) -> None:
        """Say how far the job is."""
        before, best = size(self.text), self.best or self.text
        seconds, outcomes = self.elapsed(), dict(self.outcomes)
        runs = self.outcomes.total()
        if phase != self.phase:
            self.phase, parts = phase, _swept(phase, best)
            self.phase_ends = None if parts is None else runs + parts
        left = None if self.phase_ends is None else max(0, self.phase_ends - runs)
        after, failures = size(best), self.failures
        self.see(Progress(phase, runs, before, after, seconds, best, outcomes, failures, left))

    def accepted(self, text: str, verdict: Verdict) -> None:
        """Take an accepted candidate for the best text so far, and record it on disk."""
        self.best = text
        if self.saved is not None:
            self.saved.keep(text)
            if not is_dropped(self.recorded or self.text, text):
                self.recorded, self.steps = text, self.steps + 1
                self.saved.step(self.steps, text)
        if self.failures is not None:
            self.failures = (self.failures[0], verdict.signature)
        self.progress(self.phase)

    def forget(self) -> None:
        """Delete the record of the job: it is finished, and its result is where it belongs."""
        if self.saved is not None:
            with Store() as store:
                store.forget(self.saved.key)

    def begin(self, runner: Runner) -> Preflight:
        """Run the preflight. Raises PreflightError and Stop."""
        if self.options.from_candidate:
            self.limits.began = math.inf
        self.limits.check()
        self.command = runner.command
        self.progress("preflight")
        shortest, notes = trivial(self.language, self.text)
        start = preflight(
            runner,
            self.text,
            runner.command.repeat,
            shortest,
            self.note,
            lambda: self.progress("preflight"),
            earlier=self.options.earlier,
        )
        for sentence in notes:
            self.note(sentence, "text")
        signature = start.expected.signature
        self.failures = (signature, signature) if signature else None
        if self.options.from_candidate:
            self.limits.began = time.monotonic()
        return start

    @contextmanager
    def oracle(
        self,
        runner: Runner,
        start: Preflight,
        kind: str,
        *settings: object,
        once: bool = False,
        afresh: bool = False,
    ) -> Iterator[tuple[Oracle, SavedJob]]:
        """Give the oracle of the job, and the record on disk of an attempt that was cut short.

        `kind` is the name of the command, and `settings` are what two attempts must share, beside
        the language and the passes. The record stays until `forget` is called; `afresh` forgets
        an earlier one, as the option does. A verdict is on `once` run, or on as many as a flaky
        failure needs. Raises Stop, and CannotRun if the cluster that the command names does not
        answer.
        """
        options = self.options
        settings = (self.language.name, options.passes, *settings)
        others = Others(start.expected.signature, self.others)
        self.error = signature_of(runner.command, start.run, level=Level.ERROR)
        with Store() as store:
            command = self.command or runner.command
            saved = store.job(job_key(command, self.text, kind, *settings))
            about = JobDescription(kind, str(command.input_path), command.shown, size(self.text))
            self.saved = saved
            if options.fresh or afresh:
                saved.drop()
            before = runner.runs
            sentence = resume(saved, runner, start.expected, about, start.measured)
            self.count.runs += runner.runs - before
            if sentence is not None:
                self.note(sentence, "resumed")
            saved.answer_first(start.judged)
            self.measured = saved.measured or start.measured
            expected = self.expected(start)
            expected = replace(expected, rate=None) if once else expected
            with oracle_of(runner, expected, self.limits.over) as bare:
                oracle = counted(self._told(bare), self.count)
                if options.max_runs is not None:
                    oracle = limited(oracle, options.max_runs)
                judged = saved.remembered(observed(oracle, saved.record))
                yield observed(observed(judged, others.see), self._ran), saved
            if store.problem is not None:
                self.note(store.problem, "record")

    def expected(self, start: Preflight) -> Expected:
        """Return the expected failure, with the time that a run had in the first attempt."""
        measured = self.measured or start.measured
        return replace(start.expected, timeout=measured.timeout)

    def _told(self, oracle: Oracle) -> Oracle:
        """Wrap an oracle: note why it stopped early, unless it was asked to."""

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            inner = oracle(texts)
            try:
                yield from inner
            except Stop as why:
                if not self.limits.over():
                    self.note(f"It ended early: {why}", "ended-early")
                raise
            finally:
                close(inner)

        return verdicts

    def compares(self, command: TestCommand) -> bool:
        """Say whether candidates are judged by comparing more of the failure than its error."""
        # A candidate that another command refuses is not refused for the sake of the level.
        is_alone = Role.GOOD not in command.roles
        is_strict = is_alone and command.level in (Level.LOCATION, Level.MESSAGE)
        return is_strict and command.reproduces is None and not command.interesting

    def _ran(self, _text: str, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        same_error = re.match(rf"{re.escape(self.error)}(?:$| in |, from |: )", verdict.signature)
        if verdict.outcome is Outcome.PASSED and self.error and same_error:
            self.stricter += 1
        self.progress(self.phase)


def _swept(phase: str, text: str) -> int | None:
    """Return how many single parts a sweep leaves out in turn; None for another phase.

    A part whose candidate was tried before costs no run.
    """
    if phase == "tokens":
        return tokens(text)
    return len(text) if phase == "characters" else None
