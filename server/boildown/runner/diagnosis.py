"""What to tell the user when the preflight meets something: what happened, and what to do next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from boildown.runner.command import Level, TestCommand
from boildown.runner.failures.python import is_equality
from boildown.runner.judge import Expected, no_test_ran, unusable
from boildown.runner.run import Problem, Run
from boildown.runner.signature import find_failure, telling

SLOW = 1.0
"""Seconds of one run from which on the user is told what to expect."""


class PreflightError(Exception):
    """The test command cannot be used for a reduction as it is; the message is for the user."""

    def __init__(self, message: str, kind: Problem) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


def no_reproduction(command: TestCommand, runs: list[Run]) -> PreflightError:
    """Say why no run on the original is a reproduction, and what to do."""
    run = runs[0]
    times = f" in {len(runs)} runs" if len(runs) > 1 else ""
    if run.timed_out:
        return PreflightError(
            f"The command did not end within {run.seconds:.1f} s on the input. If it is only slow, "
            "give a longer --timeout; if the hang is the failure, say --reproduces timeout.",
            Problem.TIMES_OUT,
        )
    if unusable(command, run):
        return PreflightError(
            f"The predicate '{command.predicate}' cannot be used by {command.argv[0]} in "
            f"{command.cwd}.{hint(command, run)}{said(run)}",
            Problem.NO_PREDICATE,
        )
    if command.invalid is not None and command.invalid.matches(run):
        return PreflightError(
            "The input counts as invalid by the rule given for that: the command ended with "
            f"{run.end}.{hint(command, run)}{said(run)}",
            Problem.INVALID,
        )
    if command.reproduces is not None:
        return PreflightError(
            "The input does not reproduce the failure: the rule given for reproductions does not "
            f"match the run, which ended with {run.end}.{hint(command, run)}{said(run)}",
            Problem.PASSES,
        )
    if command.interesting:
        return PreflightError(
            f"The interestingness test must exit with 0 on the input, but it ended with {run.end}. "
            "If the command is the failing program itself, leave --interesting out."
            f"{hint(command, run)}{said(run)}",
            Problem.NOT_INTERESTING,
        )
    if no_test_ran(command, run):
        advice = hint(command, run) or (
            ""
            if _errors(run)
            else " Name a test of this file as pytest does, as in tests/test_it.py::test_one."
        )
        return PreflightError(
            f"pytest ran no test (exit {run.status}).{advice}{_why_none(run)}", Problem.NO_TEST
        )
    if command.runs_pytest:
        return PreflightError(
            f"The input does not reproduce a failure: pytest exits with 0{times}: no test fails.",
            Problem.PASSES,
        )
    return PreflightError(
        f"The input does not reproduce a failure: the command exits with 0{times}. If the command "
        "is an interestingness test, for which 0 means that the failure is there, say "
        "--interesting. If it fails only now and then, run it more often with --repeat 30.",
        Problem.PASSES,
    )


STEADY = (
    "Make the command deterministic (fixed seeds, no clock, no network), or compare less of the "
    "failure with --signature error or exit."
)


def flaky_note(runs: int, expected: Expected, others: Iterable[str]) -> str:
    """Say how often a flaky failure happens, what else does, and how it is dealt with."""
    assert expected.rate is not None
    other = "".join(f", others '{seen}'" for seen, _ in Counter(others).most_common(1))
    return (
        f"The failure is flaky: {round(expected.rate * runs)} of {runs} runs on the input gave "
        f"'{expected.signature or 'exit 0'}'{other}. Each candidate is run until it is 95 % sure "
        f"whether it fails about as often, which takes several runs. {STEADY}"
    )


def compares(command: TestCommand, run: Run) -> bool:
    """Say whether the failure is that two values differ, whichever they are."""
    failure = find_failure(run, run.file)
    return failure is not None and is_equality(failure) and command.level is not Level.MESSAGE


_KEEP_VALUES = (
    "Say --signature message to keep the values, or let the test assert a property that only this "
    "input breaks."
)


def empty_reproduces(command: TestCommand, shown: Run, run: Run) -> PreflightError:
    """Say why the empty input may reproduce too: `shown` is the run on the original."""
    if compares(command, shown):
        return PreflightError(
            "The empty input reproduces too: the failure is an assertion that two values are "
            f"equal, which almost any other input fails as well. {_KEEP_VALUES}{said(run)}",
            Problem.EMPTY_REPRODUCES,
        )
    return PreflightError(
        "The empty input reproduces too: either the failure does not depend on the input, or the "
        "command does not read the candidate. Use {file} in the command where the input's path "
        "goes, or leave the path out to get the candidate on standard input."
        f"{hint(command, run)}{said(run)}",
        Problem.EMPTY_REPRODUCES,
    )


def other_reproduces(command: TestCommand, shown: Run, other: str) -> str:
    """Say what it means that a short input, which has nothing to do with it, reproduces too."""
    if compares(command, shown):
        return (
            "The failure is an assertion that two values are equal, and almost any other input "
            f"fails it as well, even {other!r}. {_KEEP_VALUES}"
        )
    return f"Even {other!r} fails like the input, so little else can matter in it."


def time_notes(command: TestCommand, run: Run, timeout: float) -> list[str]:
    """Say after the first run what to expect of the time that runs take."""
    notes = []
    if command.timeout is None:
        notes.append(f"A run may take {timeout:.1f} s; --timeout changes this.")
    if run.seconds >= SLOW:
        notes.append(
            f"A run takes {run.seconds:.1f} s. Small inputs need some 100 runs, large ones 1000, "
            f"so expect {_span(100 * run.seconds)} to {_span(1000 * run.seconds)} (less with "
            "--jobs); the best so far can be had at any time."
        )
    return notes


def _span(seconds: float) -> str:
    """Return a time in words that a person uses."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def workspace_notes(workspace: Path, changed: list[str]) -> list[str]:
    """Say which files of the user's the runs so far changed."""
    if not changed:
        return []
    names = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if changed[5:] else "")
    return [
        f"Something changed files in {workspace} while the command ran: {names}. If that was the "
        "command, it may meet itself in parallel runs; --placement overlay gives each its own copy."
    ]


_HINTS = (
    (
        re.compile(r"can't open file '(?P<what>[^'\n]*)'|cannot open '?(?P<other>[^'\n:]*)'?"),
        "A file that the command names was not found; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?m)^(?P<what>\S.*): No module named pytest$"),
        "The module 'pytest' is missing: install it with `{what} -m pip install pytest`, or let "
        "another Python run the tests.",
    ),
    (
        re.compile(
            r"(?:ModuleNotFoundError: |ImportError: |\b)No module named '?(?P<what>[\w.]+)'?"
        ),
        "The module '{what}' is missing: is this the project's own interpreter?",
    ),
    (
        re.compile(r"Cannot find module '(?P<what>[^'\n]+)'"),
        "The module '{what}' is missing; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?:No such file or directory|cannot find the file)(?:: '?(?P<what>[^'\n]+))?"),
        "A file was not found; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?im)^(?:error: )?usage: "),
        "The program complains about its arguments; see what it was called with: {shown}.",
    ),
)
_BY_STATUS = {
    126: "Exit 126 from a shell means that a file may not be executed.",
    127: "Exit 127 from a shell means that a program was not found.",
}


def hint(command: TestCommand, run: Run) -> str:
    """Return a sentence (after a space) on what may be wrong with the command, or nothing."""
    if run.status in _BY_STATUS:
        return " " + _BY_STATUS[run.status]
    output = run.stderr + run.stdout
    for pattern, words in _HINTS:
        if found := pattern.search(output):
            what = next((value for value in found.groupdict().values() if value), "")
            return " " + words.format(what=what, cwd=command.cwd, shown=command.shown)
    return ""


def _why_none(run: Run) -> str:
    """Return what pytest printed of the errors for which it ran no test, else the end of it all."""
    lines = _errors(run)[-5:]
    return " It says:" + "".join(f"\n    {line[:200]}" for line in lines) if lines else said(run)


def _errors(run: Run) -> list[str]:
    """Return the lines that pytest marks as what went wrong."""
    marked = re.findall(r"^E  +(.*\S)", run.stdout, re.MULTILINE)
    return [line.replace(run.file, Path(run.file).name) if run.file else line for line in marked]


def said(run: Run) -> str:
    """Return the end of what a run printed, to stand at the end of a message."""
    lines = [line for line in telling(run).splitlines() if line.strip()]
    if not lines:
        return " It printed nothing."
    return " It printed:" + "".join(f"\n    {line[:200]}" for line in lines[-5:])
