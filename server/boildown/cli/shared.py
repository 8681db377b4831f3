"""Arguments that several commands share: the failing input, its test command, numbers."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from boildown.cli.channels import lost
from boildown.config import ConfigProblem, named_language
from boildown.files import FileError, check_name, is_replaceable, read_piped, read_text
from boildown.jobs.work import AUTO_REPEAT, CONFIDENCE, Obstacle
from boildown.targets.test_command import (
    COMPARES,
    LEVELS,
    PREDICATE,
    ChosenCommand,
    CommandArguments,
    choose_command,
    isolation,
)

STANDARD = Path("-")
"""The name that stands for standard input and standard output."""
LANGUAGE = (
    "a language's name, or a grammar file; see boildown grammar list (default: by the file's name,"
    " else by its text)"
)
"""The help on the option for the language."""

_UNUSABLE = (
    Obstacle.NOT_FOUND,
    Obstacle.NOT_EXECUTABLE,
    Obstacle.NOT_STARTED,
    Obstacle.NO_PREDICATE,
    Obstacle.USAGE,
)
"""Obstacles in the command itself, rather than in how it judges the input."""


class UsageError(Exception):
    """The arguments make no sense together; the message says what to do."""


class Unwritten(Exception):  # noqa: N818 - says what is the case
    """A result could not be written; the message says why, and where it is instead."""


def status_of(obstacle: Obstacle) -> int:
    """Return the exit status for an obstacle that the preflight met."""
    return 2 if obstacle in _UNUSABLE else 1


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


def _command_line(value: str) -> str:
    """Read an argument that is a command in one string."""
    if not value.strip():
        raise argparse.ArgumentTypeError("is empty; name a program, with its arguments")
    return value


def _input(value: str) -> Path | str:
    """Read an argument that names the input; the id of a test, which is no path, stays as it is."""
    return value if "::" in value else Path(value)


def add_input(
    parser: argparse.ArgumentParser, of_tests: bool = True, of_folders: bool = False
) -> None:
    """Add the arguments for the failing input, its test command, and the comparison of failures.

    `of_tests` says whether a failing test may be named instead, whose input is found, `of_folders`
    whether the input may be a folder.
    """
    # It is asked for by a message of its own, with the line to type.
    parser.add_argument(
        "file",
        type=_input if of_tests else Path,
        metavar="FILE",
        nargs="?",
        help="the failing input: a file, a folder or several files, - for standard input, or a"
        " failing test such as tests/test_it.py::test_one, whose input is found",
    )
    parser.usage = f"{parser.prog} FILE [options] -- (CMD ... | MODULE:FUNCTION)"
    parser.set_defaults(is_piped=False, of_tests=of_tests, literal=None, part=None, origin=None)
    parser.set_defaults(of_folders=of_folders, folder=None, more=[])
    if of_tests:
        parser.add_argument(
            "--literal",
            metavar="LINE[:COLUMN]",
            help="where the input of a failing test stands in its file (default: the place of the"
            " only one that feeds the failure)",
        )
    if of_folders:
        for name, told in (
            ("--include", "of a folder, take only the files that match, also hidden ones"),
            ("--exclude", "of a folder, leave out the files and folders that match"),
        ):
            parser.add_argument(
                name,
                metavar="GLOB",
                action="append",
                help=f"{told}; may be given again (default: all that Git does not ignore)",
            )
    _add_judging(parser.add_argument_group("what counts as the same failure"))
    where = parser.add_argument_group("where it runs")
    where.add_argument(
        "--isolate",
        metavar="HOW",
        type=_isolated,
        help="copy: runs start in copies of the workspace, with the candidate in the input's place;"
        " strict: and may write nowhere else, on Linux, but to PATH in strict:PATH; none: they"
        " share the folder (default: auto, copies for tests)",
    )
    where.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="of a Dask scheduler whose workers do the runs; local starts one to try"
        " (default: this machine does them)",
    )
    where.add_argument(
        "--ship",
        metavar="GLOB",
        action="append",
        help="files that the command needs on a cluster; may be given again (default: none)",
    )
    parser.add_argument(
        "--json",
        action="store_const",
        const="object",
        help="print one JSON object; with --json=lines also a line for each event",
    )
    # An option of its own for argparse, or else a file after --json would be its value.
    parser.add_argument(
        "--json=lines", dest="json", action="store_const", const="lines", help=argparse.SUPPRESS
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="tell more of what is found")


def _add_judging(judge: argparse._ArgumentGroup) -> None:
    judge.add_argument(
        "--timeout",
        type=positive,
        metavar="S",
        help="seconds that a run may take, without those in which it waits for a processor"
        " (default: ten times the first run, which may take 600; 10 where a hang is the failure)",
    )
    judge.add_argument(
        "--interesting", action="store_true", help="exit status 0 means reproduced, as for C-Reduce"
    )
    judge.add_argument(
        "--reproduces",
        metavar="RULE",
        action="append",
        help="what a run of a candidate must show: exit=N, stdout=REGEX, stderr=REGEX, timeout,"
        " 'seconds>N' of processor time, or 'memory>N' in megabytes; may be given again (default:"
        " the failure of the input)",
    )
    judge.add_argument(
        "--invalid",
        metavar="RULE",
        action="append",
        help="the runs that say nothing, by the same rules (default: none)",
    )
    judge.add_argument(
        "--good",
        type=_command_line,
        metavar="CMD",
        help="another version that is right: it must exit with 0 where the test command fails"
        " (default: none)",
    )
    judge.add_argument(
        "--compare",
        type=partial(_one_of, COMPARES),
        metavar="WHAT",
        help="with --good: status, or output, which must differ from the good version's as it does"
        " on the input (default: status)",
    )
    judge.add_argument(
        "--quick",
        type=_command_line,
        metavar="CMD",
        help="a cheap test that is run first; the test command is run only where it exits with 0"
        " (default: none)",
    )
    judge.add_argument(
        "--level",
        metavar="LEVEL",
        type=partial(_one_of, LEVELS),
        help=f"how much of the failure must be the same: {', '.join(LEVELS)} (default: location)",
    )
    judge.add_argument(
        "--allow-empty",
        action="store_true",
        help="go on where the empty input fails, too: the result may be empty",
    )
    judge.add_argument(
        "--repeat",
        type=_repeats,
        default=AUTO_REPEAT,
        metavar="auto|N",
        help=f"runs of the original before any other (default: auto, {AUTO_REPEAT})",
    )
    judge.add_argument(
        "--confidence",
        type=_confidence,
        default=CONFIDENCE,
        metavar="SHARE",
        help="how sure to be of what is said of a flaky failure (default: %(default)s)",
    )


def add_limits(group: argparse._ArgumentGroup, of_runs: bool = True) -> None:
    """Add the arguments for the resources that a job may use.

    `of_runs` says whether a limit of runs is one, for a job that can be taken up again.
    """
    group.add_argument(
        "--jobs",
        type=count,
        default=os.cpu_count() or 1,
        metavar="N",
        help="runs at the same time (default: one for each core)",
    )
    group.add_argument(
        "--max-seconds",
        type=positive,
        metavar="S",
        help="end after so many seconds (default: no limit)",
    )
    if not of_runs:
        return
    group.add_argument(
        "--max-runs", type=count, metavar="N", help="end after so many runs (default: no limit)"
    )
    group.add_argument(
        "--fresh", action="store_true", help="forget what an attempt that was cut short has left"
    )


def add_force(group: argparse._ArgumentGroup) -> None:
    """Add the argument that lets outputs replace files of another origin."""
    group.add_argument(
        "--force", action="store_true", help="replace files that Boildown did not write"
    )


def read_input(options: argparse.Namespace) -> str:
    """Return the failing input: the text of its file, or standard input for `-`.

    That of a failing test is found. Raises FileError, UsageError and what running tests raises.
    """
    from boildown.cli.failing_test import find_input

    is_folder = options.more or (options.file is not None and os.path.isdir(options.file))
    if options.of_folders and is_folder:
        from boildown.cli.folders import take

        return take(options)
    if options.of_folders:
        refuse_globs(options)
    options.part = find_input(options)
    if options.part is not None:
        return str(options.part.text)
    if options.file != STANDARD:
        return read_text(options.file)
    if sys.stdin is None:
        raise UsageError("standard input is closed; name a file, or lead the input there.")
    options.file, options.is_piped = Path("stdin"), True
    return read_piped(sys.stdin.buffer)


def refuse_globs(options: argparse.Namespace) -> None:
    """Raise UsageError if globs are given for an input whose files are named."""
    if options.include or options.exclude:
        raise UsageError("--include and --exclude are for one folder; leave them out.")


def name_of(options: argparse.Namespace) -> str:
    """Return the name of the failing input for a person: its file, or its place in that."""
    if options.folder is not None:
        return str(options.folder.named.name)
    return str(options.file) if options.part is None else str(options.part.where)


def put_out(text: str) -> None:
    """Write a result to standard output; where that fails, to standard error, as a Python string.

    It is written byte for byte, but to a terminal, where what cannot be seen is escaped.

    No error is raised for it: `main` says at the end why it failed.
    """
    sys.stdout.flush()
    if sys.stdout.isatty():
        print(text, end="", flush=True)
    else:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    if lost() is not None:
        print(f"boildown: The result is, as a Python string:\n{text!r}", file=sys.stderr)


def _repeats(value: str) -> int:
    return AUTO_REPEAT if value == "auto" else count(value)


def _confidence(value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = 0.0
    if not 0.5 < share < 1:
        raise argparse.ArgumentTypeError(f"must be above 0.5 and below 1, not {value!r}")
    return share


def _isolated(value: str) -> str:
    try:
        isolation(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return value


def _one_of(names: Sequence[str], value: str) -> str:
    if value not in names:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(names)}")
    return value


def chosen_command(options: argparse.Namespace) -> ChosenCommand:
    """Return the test command of the arguments, or else of the configuration."""
    own = None
    if getattr(options, "passes", None):
        # Only here, for it takes the engine.
        from boildown.jobs.own_passes import divided

        own = divided(options.passes.split(","))[1]
    word = options.command[0] if len(options.command) == 1 else ""
    is_predicate = PREDICATE.fullmatch(word) is not None
    is_line = " " in word and shutil.which(word) is None
    given = CommandArguments(
        argv=() if is_predicate or is_line else tuple(options.command),
        line=word if is_line else None,
        python=word if is_predicate else None,
        timeout=options.timeout,
        interesting=options.interesting,
        reproduces=tuple(options.reproduces or ()),
        invalid=tuple(options.invalid or ()),
        level=options.level,
        allow_empty=options.allow_empty,
        isolate=options.isolate,
        quick=options.quick,
        good=options.good,
        compare=options.compare,
        cluster=options.cluster,
        ship=tuple(options.ship or ()),
        passes=own,
        files=() if options.folder is None else options.folder.files,
    )
    if options.origin is not None:
        origin: ChosenCommand = options.origin
        return replace(origin, command=replace(origin.command, **given.options()))
    return choose_command(options.file, Path.cwd(), given, _print_problem)


def language_of(options: argparse.Namespace, chosen: ChosenCommand) -> str | None:
    """Return the language that is named or configured for the input; None to detect it."""
    if options.language is None:
        return chosen.language
    return named_language(options.language, options.file)


def _print_problem(problem: ConfigProblem) -> None:
    print(f"boildown: {problem}", file=sys.stderr)


def check_target(path: Path | None, file: Path, force: bool) -> None:
    """Check a path to write to: no folder, not the input, no file of another origin unless forced.

    Raises FileError.
    """
    if path is None:
        return
    if os.path.isdir(path):
        raise FileError(f"{path} is a folder; name a file in it.")
    if not os.path.isdir(path.absolute().parent):
        raise FileError(f"There is no folder {path.parent} for {path.name}; make it first.")
    check_name(path)
    if is_same(path, file):
        raise FileError(f"{path} is the input itself; name another file.")
    if not (force or is_replaceable(path)):
        raise FileError(
            f"{path} is there already, and not from Boildown. Name another file, or say --force to"
            " replace it."
        )


def is_same(path: Path, file: Path) -> bool:
    """Say whether two paths lead to the same file."""
    try:
        return path.samefile(file)
    except (OSError, ValueError):
        return False
