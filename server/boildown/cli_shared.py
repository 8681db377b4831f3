"""What the commands of the command line share: the failing input, its test command, their end."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from boildown import config
from boildown.files import FileError
from boildown.runner.command import (
    Level,
    Placement,
    TestCommand,
    from_argv,
    from_predicate,
    from_string,
    parse_rule,
)
from boildown.runner.pytest_runs import find_interpreter, pytest_argv
from boildown.runner.run import Problem

INTERRUPTED = 130
"""The exit status after Ctrl-C."""

_TESTS = re.compile(r"test_.*\.py|.*_test\.py")
"""The names of files that pytest takes for tests by itself."""

_UNUSABLE = (
    Problem.FILE_MISSING,
    Problem.NOT_FOUND,
    Problem.NOT_EXECUTABLE,
    Problem.NOT_STARTED,
    Problem.NO_PREDICATE,
    Problem.USAGE,
)
"""What is wrong with the command itself, not with what it says of the input."""


class UsageError(Exception):
    """The arguments make no sense together; the message says what to do."""


def status_of(problem: Problem) -> int:
    """Return the exit status for what the preflight met."""
    return 2 if problem in _UNUSABLE else 1


def positive(value: str) -> float:
    """Read an argument that is a number of seconds."""
    try:
        number = float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number, not {value!r}") from None
    # Not a number, if this is.
    if not number > 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return number


def count(value: str) -> int:
    """Read an argument that says how many."""
    try:
        number = int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {value!r}") from None
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the failing input, its test command, and what counts as the same failure."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the failing input")
    parser.usage = f"{parser.prog} FILE [options] (-- CMD ... | --test CMD | --python M:F)"
    parser.add_argument("--test", metavar="CMD", help="the test command as one string")
    parser.add_argument(
        "--python",
        metavar="MODULE:FUNCTION",
        help="a function instead of a command: it takes the text or the path of a candidate, and"
        " raises, or returns whether it reproduces; loaded once for all runs",
    )
    judge = parser.add_argument_group("what counts as the same failure")
    judge.add_argument("--timeout", type=positive, metavar="S", help="seconds that a run may take")
    judge.add_argument(
        "--interesting", action="store_true", help="exit status 0 means reproduced, as for C-Reduce"
    )
    judge.add_argument("--reproduces", metavar="RULE", action="append")
    judge.add_argument(
        "--invalid",
        metavar="RULE",
        action="append",
        help="exit=N, stdout=REGEX, stderr=REGEX or timeout; may be given again",
    )
    judge.add_argument(
        "--signature",
        metavar="LEVEL",
        type=partial(_one_of, Level),
        help=f"how much of it must be the same: {_values(Level)}; default: location",
    )
    judge.add_argument("--repeat", type=count, default=3, metavar="N", help="runs of the original")
    where = parser.add_argument_group("where it runs")
    where.add_argument(
        "--placement",
        metavar="P",
        type=partial(_one_of, Placement),
        help=f"of the candidate: {_values(Placement)}; default: temp, for pytest overlay",
    )
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="of a Dask scheduler whose workers do the runs; local starts one to try",
    )
    where.add_argument(
        "--ship",
        metavar="GLOB",
        action="append",
        help="files that the command needs on a cluster; may be given again",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _one_of(choices: type[Level] | type[Placement], value: str) -> Level | Placement:
    try:
        return choices(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be one of {_values(choices)}") from None


def _values(choices: type[Level] | type[Placement]) -> str:
    return ", ".join(choice.value for choice in choices)


def test_command(options: argparse.Namespace) -> TestCommand:
    """Make the test command of the arguments, or else of the configuration."""
    return command_and_origin(options)[0]


def command_and_origin(options: argparse.Namespace) -> tuple[TestCommand, str]:
    """Return the test command, and in words where it comes from.

    The language that the configuration names is set if the arguments name none.
    """
    chosen: dict[str, Any] = {
        "timeout": options.timeout,
        "interesting": options.interesting,
        "reproduces": parse_rule(options.reproduces) if options.reproduces else None,
        "invalid": parse_rule(options.invalid) if options.invalid else None,
        "level": options.signature,
        "placement": options.placement,
        "cluster": options.cluster,
        "ship": tuple(options.ship) if options.ship else None,
    }
    chosen = {name: value for name, value in chosen.items() if value not in (None, False)}
    file, cwd = options.file, Path.cwd()
    if sum(map(bool, (options.command, options.test, options.python))) > 1:
        raise UsageError(
            "Give the test command once, not both ways: after --, with --test or with --python."
        )
    if options.command:
        return from_argv(options.command, file, cwd, **chosen), "it is given after --"
    if options.test:
        return from_string(options.test, file, cwd, **chosen), "it is given with --test"
    if options.python:
        return from_predicate(options.python, file, cwd, **chosen), "it is given with --python"
    configured = _configured(file)
    if configured is None:
        argv = pytest_argv(find_interpreter(Path.cwd()), str(file))
        return from_argv(argv, file, cwd, **chosen), "it holds tests, which pytest runs"
    entry, path = configured
    if "language" in options and options.language is None:
        options.language = entry.language
    origin = f"{path} names it for {', '.join(entry.files)}"
    return replace(config.command_for(entry, file), **chosen), origin


def _configured(file: Path) -> tuple[config.Entry, Path] | None:
    """Return what the nearest configuration says of a file, and where that stands.

    None stands for a file of tests, which needs none. Raises UsageError if another one has none.
    """
    path = config.find_config(file.absolute().parent)
    if path is not None:
        entries, problems = config.load(path)
        for problem in problems:
            print(f"boildown: {problem}", file=sys.stderr)
        if (entry := config.match(entries, file)) is not None:
            return entry, path
    if _TESTS.fullmatch(file.name):
        return None
    if path is None:
        raise UsageError(
            "There is no test command. Give the command that fails today after --, as in:\n"
            f"  boildown reduce {file} -- python -m mytool {file}\n"
            "or write it into a boildown.toml."
        )
    raise UsageError(
        f"{path} says nothing of {file}. Add an [[input]] whose files match it, or give the"
        " command that fails today after --."
    )


def check_target(path: Path | None, file: Path) -> None:
    """Make sure that what comes of a long job has a place to go, and that is not the input's.

    Raises FileError.
    """
    if path is None:
        return
    if path.is_dir():
        raise FileError(f"{path} is a folder; name a file in it.")
    if not path.absolute().parent.is_dir():
        raise FileError(f"There is no folder {path.parent} for {path.name}; make it first.")
    if is_same(path, file):
        raise FileError(f"{path} is the input itself; name another file.")


def is_same(path: Path, file: Path) -> bool:
    """Say whether two paths lead to the same file."""
    try:
        return path.samefile(file)
    except OSError:
        return False


@contextmanager
def interruptible() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a request to stop; the second one ends at once."""
    interrupted = threading.Event()

    def ask(_number: int, _frame: object) -> None:
        if interrupted.is_set():
            os._exit(INTERRUPTED)
        interrupted.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)
