"""Before any reduction: whether the failure happens, every time, and because of the input.

Each thing that can be wrong has a message of its own that says what to do next.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from boildown.engine.oracle import Outcome
from boildown.runner.command import TestCommand
from boildown.runner.judge import Expected, judge_run
from boildown.runner.run import CannotRun, Problem, Run, decode
from boildown.runner.runner import Runner
from boildown.runner.signature import signature

LONGEST = 600.0
"""Seconds that the first run may take if the user gives no timeout."""
_HANG = 10.0
"""Seconds after which a run counts as hanging if hangs are looked for and no timeout is given."""


class PreflightError(Exception):
    """The test command cannot be used for a reduction as it is; the message is for the user."""

    def __init__(self, message: str, kind: Problem) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


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


def preflight(runner: Runner, text: str, repeat: int = 3) -> Preflight:
    """Run the command on the original `repeat` times and on the empty input once.

    Raises PreflightError with a message for the user, and Stop.
    """
    try:
        return _preflight(runner, text, max(1, repeat))
    except CannotRun as error:
        raise PreflightError(error.message, error.kind) from error


def _preflight(runner: Runner, text: str, repeat: int) -> Preflight:
    command = runner.command
    wants_hang = command.reproduces is not None and command.reproduces.timeout
    first_timeout = command.timeout or (_HANG if wants_hang else LONGEST)
    first = runner.run(text, first_timeout)
    timeout = command.timeout or (_HANG if wants_hang else choose_timeout(first.seconds))
    expected = Expected(signature(first, first.file, command.level), timeout)
    _check_first(command, first, expected)
    runs = [first]
    for _ in range(repeat - 1):
        runs.append(runner.run(text, timeout))
    _check_steady(command, runs, expected)
    if text:
        _check_empty(command, runner.run("", timeout), expected)
    seconds = [run.seconds for run in runs]
    return Preflight(
        expected=expected,
        seconds=statistics.median(seconds),
        spread=max(seconds) - min(seconds),
        run=first,
        runs=len(runs) + (1 if text else 0),
        notes=_notes(command, first, timeout),
    )


def choose_timeout(seconds: float) -> float:
    """Return the timeout for a command whose first run took so long: ten times that, within limits.

    At least 1 s, and at most 10 s more than the first run.
    """
    return max(1.0, min(10 * seconds, seconds + 10))


def _check_first(command: TestCommand, run: Run, expected: Expected) -> None:
    """Raise PreflightError if the run on the original is not a reproduction."""
    outcome = judge_run(command, run, expected).outcome
    if outcome is Outcome.REPRODUCED:
        return
    if outcome is Outcome.INVALID:
        raise PreflightError(
            f"The input counts as invalid by the rule given for that: the command ended with "
            f"{run.end}.{_said(run)}",
            Problem.INVALID,
        )
    if run.timed_out:
        raise PreflightError(
            f"The command did not end within {run.seconds:.0f} s on the input. If it is only slow, "
            "give a longer --timeout; if the hang is the failure, say --reproduces timeout.",
            Problem.TIMES_OUT,
        )
    if command.reproduces is not None:
        raise PreflightError(
            "The input does not reproduce the failure: the rule given for reproductions does not "
            f"match the run, which ended with {run.end}.{_said(run)}",
            Problem.PASSES,
        )
    if command.interesting:
        raise PreflightError(
            f"The interestingness test must exit with 0 on the input, but it ended with {run.end}. "
            "If the command is the failing program itself, leave --interesting out."
            f"{_said(run)}",
            Problem.NOT_INTERESTING,
        )
    raise PreflightError(
        "The input does not reproduce a failure: the command exits with 0. If the command is an "
        "interestingness test, for which 0 means that the failure is there, say --interesting.",
        Problem.PASSES,
    )


def _check_steady(command: TestCommand, runs: list[Run], expected: Expected) -> None:
    """Raise PreflightError if runs on the same text do not all say the same."""
    verdicts = [judge_run(command, run, expected) for run in runs]
    reproduced = sum(verdict.reproduced for verdict in verdicts)
    if reproduced == len(runs):
        return
    other = next(v for v in verdicts if not v.reproduced)
    ends = next(run for run, v in zip(runs, verdicts, strict=True) if not v.reproduced).end
    raise PreflightError(
        f"The failure is flaky: {reproduced} of {len(runs)} runs on the same input gave "
        f"'{verdicts[0].signature or runs[0].end}', another gave '{other.signature or ends}'. Make "
        "the command deterministic (fixed seeds, no clock, no network), or compare less of the "
        "failure with --signature error or exit.",
        Problem.FLAKY,
    )


def _check_empty(command: TestCommand, run: Run, expected: Expected) -> None:
    """Raise PreflightError if the empty input reproduces."""
    if not judge_run(command, run, expected).reproduced:
        return
    raise PreflightError(
        "The empty input reproduces too: either the failure does not depend on the input, or the "
        "command does not read the candidate. Use {file} in the command where the input's path "
        f"goes, or leave the path out to get the candidate on standard input.{_said(run)}",
        Problem.EMPTY_REPRODUCES,
    )


def _said(run: Run) -> str:
    """Return the end of what a run printed, for the end of a message."""
    lines = [line for line in (run.stderr or run.stdout).splitlines() if line.strip()]
    if not lines:
        return " It printed nothing."
    return " It printed:" + "".join(f"\n    {line[:200]}" for line in lines[-5:])


def _notes(command: TestCommand, run: Run, timeout: float) -> tuple[str, ...]:
    notes = list(command.notes)
    if command.timeout is None:
        notes.append(f"A run may take {timeout:.1f} s; --timeout changes this.")
    return tuple(notes)
