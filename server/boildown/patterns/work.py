"""What the jobs of this package share: the state of a running one, and the oracle that it asks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from boildown import jobs
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
from boildown.engine.reduce import Watch
from boildown.runner.cache import SavedJob, Store
from boildown.runner.others import Others
from boildown.runner.preflight import Preflight, preflight
from boildown.runner.resume import job_key, resume
from boildown.runner.runner import Runner


@dataclass(slots=True)
class Work:
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
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    count: Count = field(default_factory=Count)
    """The runs of this job, without what an earlier attempt has left."""

    @property
    def watch(self) -> Watch:
        """What tells the job how far the engine is."""
        return Watch(self._accepted, self.progress)

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
        self.see(jobs.Note(sentence))

    def progress(self, phase: str) -> None:
        """Say how far the job is."""
        self.phase = phase
        before, best = jobs.size(self.text), self.best or self.text
        seconds, outcomes = self.elapsed(), dict(self.outcomes)
        runs = self.outcomes.total()
        self.see(jobs.Progress(phase, runs, before, jobs.size(best), seconds, best, outcomes))

    def begin(self, runner: Runner, language: Language, repeat: int) -> Preflight:
        """Run the preflight. Raises what it raises."""
        self.progress("preflight")
        start = preflight(runner, self.text, repeat)
        for sentence in (*start.notes, *language.parse(self.text).notes):
            self.note(sentence)
        return start

    @contextmanager
    def oracle(
        self, runner: Runner, start: Preflight, options: jobs.Options, *settings: object
    ) -> Iterator[tuple[Oracle, SavedJob]]:
        """Give the oracle of the job, and what is known on disk of an attempt that was cut short.

        `settings` are what two attempts must share. Raises Stop.
        """
        oracle = counted(runner.oracle(start.expected), self.count)
        if options.max_runs is not None:
            oracle = limited(oracle, options.max_runs)
        others = Others(start.expected.signature, self.others)
        with Store() as store:
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

    def _accepted(self, text: str, _verdict: Verdict) -> None:
        self.best = text
        self.progress(self.phase)

    def _ran(self, _text: str, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        self.progress(self.phase)


def reproduces(oracle: Oracle, text: str) -> bool:
    """Say whether a text reproduces when it is run afresh; yes if a stop leaves no time for it."""
    try:
        return judge(oracle, text).reproduced
    except Stop:
        return True
