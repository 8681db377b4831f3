"""Reduces each bug of a folder of failing inputs: sorts them by failure, and reduces one of each.

An input is run once to be sorted. Inputs whose failures have the same signature show one bug, of
which the smallest input is reduced. What was found is on record until all bugs are reduced, so that
a job that was cut short goes on; the reductions have records of their own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from boildown.engine.oracle import Outcome, Stop, Verdict, digest, observed
from boildown.files import FileError, read_text
from boildown.jobs.events import Note, See
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.work import JobOptions, PreflightError
from boildown.runner.advice import as_message
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected, judge_run, signature_of
from boildown.runner.judging.words import AllWords, Words
from boildown.runner.limits import JobLimits
from boildown.runner.preflight.preflight import choose_timeout, longest_run
from boildown.runner.resuming.cache import SavedJob, Store
from boildown.runner.resuming.resume import job_key
from boildown.runner.run import Run
from boildown.runner.runner import Runner

_MOST_TRIED = 3
"""Inputs of one bug that are tried where the preflight refuses the smaller ones."""
_LEAST_TIMEOUT = 10.0
"""Seconds that an input may take at least if no time-out is given: others may be much faster."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The failure that a run showed, so that it can be compared with that on another input."""

    signature: str
    """For people: without the words of the message that are the input's."""
    place: str
    """The signature without any word of the message."""
    words: str
    """The words of the message, the input's among them."""


@dataclass(frozen=True, slots=True)
class Bug:
    """A failure, and the inputs that show it."""

    failed: Failed
    """As the smallest input shows it."""
    inputs: list[Path]
    """The smallest first."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """The inputs of a folder, sorted by the failures that they show."""

    bugs: list[Bug]
    """That of the smallest input first."""
    others: dict[Outcome, list[Path]]
    """The inputs that show no failure, by their outcomes."""
    runs: int
    """Made to sort them, without those that are on record."""


@dataclass(frozen=True, slots=True)
class ReducedBug:
    """The result for one bug: an input of it and its reduction, or why there is none."""

    bug: Bug
    input: Path
    """The one that was reduced, or the first that was tried."""
    text: str
    """The content of that file."""
    command: TestCommand
    result: Reduced | None
    problem: PreflightError | None = None
    """The reason why nothing could be reduced."""


@dataclass(frozen=True, slots=True)
class ReportedBug:
    """A bug that the job has come to, with the report on it."""

    bug: Bug
    report: dict[str, Any]
    runs: int
    """Of this attempt at the job, up to here."""


Commands: TypeAlias = Callable[[Path], TestCommand]
"""Gives the test command of an input."""
Take: TypeAlias = Callable[[ReducedBug], dict[str, Any]]
"""Writes the result for a bug, and returns a report on it, with `output` and `reduction`."""


def reduce_each(
    inputs: Sequence[Path],
    commands: Commands,
    options: JobOptions,
    take: Take,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Sorted | ReportedBug]:
    """Sort failing inputs by their failures, and reduce the smallest one of each.

    `inputs` come with the smallest first. Yields what they show, and then each bug as soon as it is
    reduced. A limit of seconds or runs is for all together: each bug gets an equal share of what is
    left. What `take` returns is on record, and stands for the bug if the job is cut short and
    started again. A stop ends the job with the bugs that it has come to.

    Raises CannotRun, FileError, LanguageError and ValueError as `reduce` does.
    """
    limits = JobLimits(options.max_seconds, options.max_runs, stopped)
    job = _EachJob(commands, options, see, limits)
    with Store() as store:
        saved = store.job(_key(inputs, commands, options))
        if options.fresh:
            saved.drop()
        if saved.known:
            note = "This job was cut short before, and goes on from there."
            see(Note(as_message(note, "resumed")))
        found = job.sorted(inputs, saved)
        yield found
        steps = [json.loads(step) for step in saved.steps()]
        done = {str(step["digest"]): step["report"] for step in steps}
        final = 0
        for number, bug in enumerate(found.bugs):
            if job.over():
                break
            report = next((done[of] for of in map(_digest, bug.inputs) if of in done), None)
            if report is None or not job.still_fails(bug, Path(report["output"])):
                reduced = job.reduced(bug, len(found.bugs) - number)
                report = take(reduced)
                # First, for nobody comes back to a bug that is on record.
                if reduced.result is not None:
                    reduced.result.forget()
                if report["output"] and report["reduction"]["finished"]:
                    step = {"digest": _digest(reduced.input), "report": report}
                    saved.step(len(steps) + number + 1, json.dumps(step))
            final += report["reduction"] is None or report["reduction"]["finished"]
            yield ReportedBug(bug, report, job.runs)
        if final == len(found.bugs):
            saved.drop()


def _digest(path: Path) -> str:
    return digest(read_text(path)).hex()


def _key(inputs: Sequence[Path], commands: Commands, options: JobOptions) -> bytes:
    """Return the hash that two attempts share if the findings of one are good for the other.

    It knows nothing of the inputs: a fuzzer may have found more of them meanwhile.
    """
    different: list[TestCommand] = []
    for path in inputs:
        command = replace(commands(path), name="", original=None, notes=())
        if command not in different:
            different.append(command)
    keys = [job_key(command, "") for command in different]
    return job_key(different[0], "", "each", keys, options.language, options.passes)


def _failed(command: TestCommand, run: Run, text: str) -> Failed:
    shown, place = (signature_of(command, run, words) for words in (Words(text), AllWords()))
    whole = signature_of(command, replace(run, text=""))
    return Failed(shown, place, whole[len(place) :] if whole.startswith(place) else "")


def _bug_of(bugs: Iterable[Bug], failed: Failed, text: str) -> Bug | None:
    """Return the one of some bugs that a failure on a text is.

    The words of its message are compared without those of either input, as in a reduction the
    words of the original and of the candidate are left out.
    """
    own = Words(text)
    for bug in bugs:
        if bug.failed.place != failed.place:
            continue
        if bug.failed.words == failed.words:
            return bug
        other = Words(read_text(bug.inputs[0]))
        one, two = (
            [word for word in said.split() if not (word.lower() in own or word.lower() in other)]
            for said in (bug.failed.words, failed.words)
        )
        if one == two:
            return bug
    return None


@dataclass(slots=True)
class _EachJob:
    """The state of one running job."""

    commands: Commands
    options: JobOptions
    see: See
    limits: JobLimits
    runs: int = 0
    searched: int = 0
    """Of the runs, those on candidates, which a limit counts."""
    slowest: float = 0.0
    """Seconds of the slowest run that ended by itself."""

    def over(self) -> bool:
        """Say whether the job is to end."""
        return self.limits.over() or self.limits.reached(self.searched) == "runs"

    def sorted(self, inputs: Sequence[Path], saved: SavedJob) -> Sorted:
        """Run each input once, unless that is on record; return them sorted by their failures."""
        bugs: list[Bug] = []
        others: dict[Outcome, list[Path]] = {}
        copies: dict[bytes, list[Path]] = {}
        for path in inputs:
            text = read_text(path)
            if (same := copies.get(digest(text))) is None:
                if self.over():
                    break
                run = saved.remembered(observed(self._oracle(path), saved.record))
                try:
                    (verdict,) = run([text])
                except Stop:
                    break
                same = others.setdefault(verdict.outcome, [])
                told = json.loads(verdict.signature)
                # Also where it is on record: the time of the inputs to come depends on it.
                self.slowest = max(self.slowest, told["slowest"])
                if verdict.reproduced:
                    failed = Failed(**told["failed"])
                    bug = _bug_of(bugs, failed, text)
                    if bug is None:
                        bugs.append(bug := Bug(failed, []))
                    same = bug.inputs
                copies[digest(text)] = same
            same.append(path)
        others.pop(Outcome.REPRODUCED, None)
        return Sorted(bugs, others, self.runs)

    def _oracle(self, path: Path) -> Callable[[Iterable[str]], Iterator[Verdict]]:
        """Return the oracle that runs texts in place of an input, and says how they fail."""

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            for text in texts:
                outcome, failed = self._run(path, text)
                told = {"failed": asdict(failed), "slowest": self.slowest}
                yield Verdict(outcome, json.dumps(told))

        return verdicts

    def _run(self, path: Path, text: str) -> tuple[Outcome, Failed]:
        """Run a text in place of an input, once. Raises CannotRun and Stop."""
        command = self.commands(path)
        timeout = longest_run(command)
        if command.timeout is None and self.slowest:
            timeout = min(timeout, max(_LEAST_TIMEOUT, choose_timeout(self.slowest)))
        with Runner(command, 1, self.limits.stopped) as runner:
            run = runner.run(text, timeout)
            self.runs += runner.runs
        if not run.timed_out:
            self.slowest = max(self.slowest, run.took)
        failed = _failed(command, run, text)
        expected = Expected(signature_of(command, run))
        return judge_run(command, run, expected).outcome, failed

    def still_fails(self, bug: Bug, output: Path) -> bool:
        """Say whether the reduced input of an earlier attempt is there, and still shows the bug."""
        try:
            text = read_text(output)
            outcome, failed = self._run(bug.inputs[0], text)
        except (FileError, Stop):
            return False
        return outcome is Outcome.REPRODUCED and _bug_of([bug], failed, text) is bug

    def reduced(self, bug: Bug, left: int) -> ReducedBug:
        """Reduce the smallest input of a bug that can be; `left` bugs share the limits that are."""
        refused: ReducedBug | None = None
        for path in bug.inputs[:_MOST_TRIED]:
            text, command = read_text(path), self.commands(path)
            seconds, runs = self.limits.seconds, self.limits.runs
            elapsed = time.monotonic() - self.limits.began
            options = replace(
                self.options,
                max_seconds=None if seconds is None else max(0, seconds - elapsed) / left,
                max_runs=None if runs is None else max(1, (runs - self.searched) // left),
            )
            try:
                result = reduce(text, command, options, self.see, self.limits.stopped)
            except PreflightError as problem:
                refused = refused or ReducedBug(bug, path, text, command, None, problem)
                continue
            self.runs += result.runs
            self.searched += result.reduction.runs
            return ReducedBug(bug, path, text, command, result)
        assert refused is not None
        return refused
