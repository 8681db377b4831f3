"""Before any reduction: whether the failure happens, every time, and because of the input.

Each thing that can be wrong has a message of its own that says what to do next.
"""

from __future__ import annotations

import re
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from boildown.engine.oracle import Outcome
from boildown.runner.command import TestCommand
from boildown.runner.diagnosis import (
    SLOW,
    STEADY,
    PreflightError,
    compares,
    empty_reproduces,
    flaky_note,
    no_reproduction,
    other_reproduces,
    time_notes,
    workspace_notes,
)
from boildown.runner.judge import Expected, judge_run
from boildown.runner.run import CannotRun, Problem, Run, decode
from boildown.runner.runner import Runner
from boildown.runner.signature import signature
from boildown.runner.workspace import changes, snapshot, workspace_of

__all__ = ["Preflight", "PreflightError", "choose_timeout", "preflight", "read_input"]

LONGEST = 600.0
"""Seconds that the first run may take if the user gives no timeout."""
_HANG = 10.0
"""Seconds after which a run counts as hanging if hangs are looked for and no timeout is given."""

_FLAKY_RUNS = 20
"""How often the original is run to measure how often it fails, if not always."""
_FLAKY_SECONDS = 60.0
"""After so long fewer runs must do."""
_OTHER = "0"
"""What is tried as another input if no valid one is known."""
_RAREST = 0.1
"""The lowest share of reproducing runs that can be worked with."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What is known before a reduction starts."""

    expected: Expected
    """What a run must show to be REPRODUCED, and how long it may take."""
    seconds: float
    """Of one run on the original: the median."""
    spread: float
    """Seconds between the fastest and the slowest run on the original."""
    run: Run
    """The first run on the original."""
    runs: int
    """How many runs the preflight took."""
    notes: tuple[str, ...] = ()
    """Sentences for the user."""


def read_input(path: Path) -> str:
    """Return the text of an input file; bytes that don't decode become surrogate escapes.

    Raises PreflightError.
    """
    try:
        return decode(path.read_bytes())
    except FileNotFoundError:
        message = f"The input '{path}' does not exist."
    except IsADirectoryError:
        message = f"The input '{path}' is a folder; name a file in it."
    except OSError as error:
        message = f"The input '{path}' cannot be read: {error.strerror}."
    raise PreflightError(message, Problem.FILE_MISSING)


def preflight(
    runner: Runner,
    text: str,
    repeat: int = 3,
    trivial: str | None = None,
    tell: Callable[[str], None] = lambda _sentence: None,
) -> Preflight:
    """Run the command on the original `repeat` times (more if the results differ) and on others.

    The others are the empty input and `trivial`, the shortest valid one, if there is such a thing.
    `tell` gets each sentence for the user as soon as it is known. Raises PreflightError with a
    message for the user, and Stop.
    """
    notes: list[str] = []

    def note(sentence: str) -> None:
        notes.append(sentence)
        tell(sentence)

    try:
        found = _preflight(runner, text, max(1, repeat), trivial, note)
    except CannotRun as error:
        raise PreflightError(error.message, error.kind) from error
    return replace(found, notes=tuple(notes))


def _preflight(
    runner: Runner, text: str, repeat: int, trivial: str | None, note: Callable[[str], None]
) -> Preflight:
    command = runner.command
    for sentence in command.notes:
        note(sentence)
    workspace = workspace_of(command)
    before = snapshot(workspace)
    began = runner.runs
    runs, timeout = _measure(runner, text, repeat, note)
    expected = _expectation(command, runs, timeout)
    shown = next(run for run in runs if judge_run(command, run, expected).reproduced)
    if expected.rate is not None:
        seen = [_seen(command, run)[0] or run.end for run in runs]
        others = [other for other in seen if other != expected.signature]
        note(flaky_note(len(runs), expected, others))
    if text:
        _check_empty(runner, shown, expected)
    other = trivial or (_OTHER if compares(command, shown) else None)
    if other and other != text and runner.verdict(other, expected)[0].reproduced:
        note(other_reproduces(command, shown, other))
    if command.preload is not None and not runner.warm:
        note(f"Each run starts Python anew: {runner.why_cold}.")
    for sentence in workspace_notes(workspace, changes(before, snapshot(workspace))):
        note(sentence)
    for sentence in _pytest_notes(runner, text, expected, runs):
        note(sentence)
    seconds = [run.seconds for run in runs]
    return Preflight(
        expected=expected,
        seconds=statistics.median(seconds),
        spread=max(seconds) - min(seconds),
        run=shown,
        runs=runner.runs - began,
    )


def _measure(
    runner: Runner, text: str, repeat: int, note: Callable[[str], None]
) -> tuple[list[Run], float]:
    """Run the original, more often if the results differ; return the runs and the timeout."""
    command = runner.command
    wants_hang = command.reproduces is not None and command.reproduces.timeout
    longest = command.timeout or (_HANG if wants_hang else LONGEST)
    runs = [runner.run(text, longest, cold=True)]
    timeout = command.timeout or (_HANG if wants_hang else choose_timeout(runs[0].seconds))
    if runner.warm and repeat > 1 and not runs[0].timed_out:
        # It was cold, which those to come are not.
        runs.append(runner.run(text, timeout))
    for sentence in time_notes(command, runs[-1], timeout):
        note(sentence)
    while len(runs) < repeat:
        if runs[0].timed_out and not wants_hang:
            break
        runs.append(runner.run(text, timeout))
    if len({_seen(command, run) for run in runs}) > 1 and runner.warm:
        runs += _without_warmth(runner, text, timeout, runs)
    began = time.monotonic()
    while len({_seen(command, run) for run in runs}) > 1 and len(runs) < _FLAKY_RUNS:
        if time.monotonic() - began > _FLAKY_SECONDS and len(runs) >= 2 * repeat:
            break
        runs.append(runner.run(text, timeout))
    return runs, timeout


def _without_warmth(runner: Runner, text: str, timeout: float, runs: list[Run]) -> list[Run]:
    """Find out whether the runs differ because some are warm; if so, give these up.

    The first of `runs` is cold. Returns a second cold run, unless that replaced all the others.
    """
    command = runner.command
    again = runner.run(text, timeout, cold=True)
    warm = {_seen(command, run) for run in runs[1:]}
    if _seen(command, again) == _seen(command, runs[0]) and len(warm) == 1:
        runner.warm = False
        runner.why_cold = "runs that are forked from one process end differently"
        del runs[1:]
    return [again]


def _seen(command: TestCommand, run: Run) -> tuple[str, Outcome]:
    """Return what is compared to tell whether two runs on the same text differ."""
    seen = signature(run, run.file, command.level)
    return seen, judge_run(command, run, Expected(seen)).outcome


def _expectation(command: TestCommand, runs: list[Run], timeout: float) -> Expected:
    """Return what a run must show to reproduce: the failure that was seen most often.

    Raises PreflightError if that is none, or too rare.
    """
    reproduced = [
        seen
        for seen, outcome in (_seen(command, run) for run in runs)
        if outcome is Outcome.REPRODUCED
    ]
    if not reproduced:
        raise no_reproduction(command, runs)
    failure, count = Counter(reproduced).most_common(1)[0]
    if command.interesting or command.reproduces is not None:
        count = len(reproduced)
    if count == len(runs):
        return Expected(failure, timeout)
    rate = count / len(runs)
    if rate < _RAREST:
        raise PreflightError(
            f"The failure is flaky: only {count} of {len(runs)} runs on the input gave "
            f"'{failure}'. {STEADY}",
            Problem.FLAKY,
        )
    return Expected(failure, timeout, rate)


def choose_timeout(seconds: float) -> float:
    """Return the timeout for a command whose first run took so long: ten times that, within limits.

    At least 1 s, and at most 10 s more than the first run.
    """
    return max(1.0, min(10 * seconds, seconds + 10))


def _check_empty(runner: Runner, shown: Run, expected: Expected) -> None:
    """Raise PreflightError if the empty input reproduces."""
    verdict, run = runner.verdict("", expected)
    if verdict.reproduced:
        raise empty_reproduces(runner.command, shown, run)


def _pytest_notes(runner: Runner, text: str, expected: Expected, runs: list[Run]) -> list[str]:
    """Try parallel runs of pytest, whose tests may share what is outside; find what is slow."""
    command = runner.command
    if not command.runs_pytest:
        return []
    notes = []
    if runner.jobs > 1:
        # Twice as many as workers: the first run of each worker may have to wait for its start.
        verdicts = runner.oracle(expected)([text] * (2 * runner.jobs))
        if not all(verdict.reproduced for verdict in verdicts):
            runner.jobs = 1
            notes.append(
                "Runs at the same time disturb each other (do the tests share a database or a "
                "port?), so one runs at a time."
            )
    if statistics.median(run.seconds for run in runs) >= SLOW:
        slow = replace(command, argv=(*command.argv, "--durations=1", "--durations-min=0.1"))
        with Runner(slow) as timed:
            run = timed.run(text, expected.timeout)
        if found := re.search(r"^([\d.]+)s (call|setup|teardown) +(.*)$", run.stdout, re.M):
            notes.append(f"Of this, the {found[2]} of {found[3]} takes {found[1]} s.")
    return notes
