"""What every job with a test command is made of: its choices, its events, and its state.

A job runs the preflight, asks an oracle, and goes on from what an earlier attempt that was cut
short has left on disk. Reducing, generalizing and exploring differ in what they ask.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.engine.language import Language
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
from boildown.engine.passes import AUTO
from boildown.engine.reduce import Watch
from boildown.runner.cache import SavedJob, Store
from boildown.runner.cluster import oracle_of
from boildown.runner.others import Others
from boildown.runner.preflight import Preflight, preflight
from boildown.runner.resume import job_key, resume
from boildown.runner.runner import Runner
from boildown.tree import Tree


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


def size(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text.encode("utf-8", "surrogateescape"))


def trivial(language: Language, tree: Tree) -> str | None:
    """Return the shortest valid text of a language, if it is known and shorter than a text."""
    shortest = language.shortest(tree.label)
    return shortest if shortest and len(shortest) < tree.width else None


@dataclass(slots=True)
class Work:
    """The state of one running job: what its callbacks share."""

    text: str
    see: See
    stopped: Callable[[], bool]
    max_seconds: float | None = None
    notes: list[str] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    """Other failures that were met: signature to smallest text."""
    began: float = field(default_factory=time.monotonic)
    best: str = ""
    phase: str = ""
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all runs that the engine saw, those of an earlier attempt among them."""
    count: Count = field(default_factory=Count)
    """The runs of this job, without what an earlier attempt has left."""

    @property
    def watch(self) -> Watch:
        """What tells the job how far the engine is."""
        return Watch(self.accepted, self.progress)

    def elapsed(self) -> float:
        """Return the seconds since the job began."""
        return time.monotonic() - self.began

    def over(self) -> bool:
        """Say whether the job is to end."""
        out_of_time = self.max_seconds is not None and self.elapsed() > self.max_seconds
        return out_of_time or self.stopped()

    def note(self, sentence: str) -> None:
        """Tell the user something, now and in the result."""
        self.notes.append(sentence)
        self.see(Note(sentence))

    def progress(self, phase: str) -> None:
        """Say how far the job is."""
        self.phase = phase
        before, best = size(self.text), self.best or self.text
        seconds, outcomes = self.elapsed(), dict(self.outcomes)
        runs = self.outcomes.total()
        self.see(Progress(phase, runs, before, size(best), seconds, best, outcomes))

    def accepted(self, text: str, _verdict: Verdict) -> None:
        """Take a text for the best one so far."""
        self.best = text
        self.progress(self.phase)

    def begin(self, runner: Runner, language: Language, repeat: int) -> Preflight:
        """Run the preflight. Raises PreflightError and Stop."""
        self.progress("preflight")
        parsed = language.parse(self.text)
        shortest = trivial(language, parsed.tree)
        start = preflight(runner, self.text, repeat, shortest, self.note)
        for sentence in parsed.notes:
            self.note(sentence)
        return start

    @contextmanager
    def oracle(
        self, runner: Runner, start: Preflight, options: Options, *settings: object
    ) -> Iterator[tuple[Oracle, SavedJob]]:
        """Give the oracle of the job, and what is known on disk of an attempt that was cut short.

        `settings` are what two attempts must share. Raises Stop, and CannotRun if the cluster that
        the command names does not answer.
        """
        others = Others(start.expected.signature, self.others)
        with oracle_of(runner, start.expected, self.over) as bare, Store() as store:
            oracle = counted(self._told(bare), self.count)
            if options.max_runs is not None:
                oracle = limited(oracle, options.max_runs)
            saved = store.job(job_key(runner.command, self.text, *settings))
            if options.fresh:
                saved.drop()
            sentence = resume(saved, runner, start.expected)
            if sentence is not None:
                self.note(sentence)
            judged = saved.remembered(observed(oracle, saved.record))
            yield observed(observed(judged, others.see), self._ran), saved
            if store.problem is not None:
                self.note(store.problem)

    def _told(self, oracle: Oracle) -> Oracle:
        """Tell the user why an oracle judges no more, unless it was asked to stop."""

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            inner = oracle(texts)
            try:
                yield from inner
            except Stop as why:
                if not self.over():
                    self.note(f"It ended early: {why}")
                raise
            finally:
                close(inner)

        return verdicts

    def _ran(self, _text: str, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        self.progress(self.phase)
