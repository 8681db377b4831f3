"""Arguments that several commands share: the failing input, its test command, numbers."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from boildown.cli.channels import lost
from boildown.config import ConfigProblem, named_language, read_option
from boildown.files import FileError, check_name, is_replaceable
from boildown.jobs.work import JOB_OPTIONS, JobOptions, Obstacle
from boildown.targets.test_command import (
    INPUT,
    OPTIONS,
    PREDICATE,
    ChosenCommand,
    CommandArguments,
    Option,
    changed,
    choose_command,
)

STANDARD = Path("-")
"""The name that stands for standard input and standard output."""
RESULT = "the result"
"""The heading of the options on what becomes of a result."""

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


def add_samples(group: argparse._ArgumentGroup, number: int, told: str) -> None:
    """Add the arguments that say how many random inputs are made, and which."""
    group.add_argument(
        "-n",
        dest="count",
        type=count,
        default=number,
        metavar="N",
        help=f"{told} (default: %(default)s)",
    )
    add_seed(group)


def add_seed(group: argparse._ArgumentGroup) -> None:
    """Add the argument that decides which random inputs are made."""
    group.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="another one gives other random inputs (default: %(default)s)",
    )


def _input(value: str) -> Path | str:
    """Read an argument that names the input; the id of a test, which is no path, stays as it is."""
    return value if "::" in value else Path(value)


def add_input(
    parser: argparse.ArgumentParser,
    of_tests: bool = True,
    of_folders: bool = False,
    of_patterns: bool = False,
) -> None:
    """Add the arguments for the failing input, its test command, and the comparison of failures.

    `of_tests` says whether a failing test may be named instead, whose input is found, `of_folders`
    whether the input may be a folder, and `of_patterns` that it is a pattern.
    """
    told = "a file, a folder, several files," if of_folders else "a file,"
    told += " - for standard input"
    if of_tests:
        told += ", or a failing test such as tests/test_it.py::test_one"
    # It is asked for by a message of its own, with the line to type.
    parser.add_argument(
        "file",
        type=_input if of_tests else Path,
        metavar="PATTERN.json" if of_patterns else "FILE",
        nargs="?",
        help="what generalize --output has written" if of_patterns else told,
    )
    parser.usage = f"{parser.prog} FILE [options] -- (CMD ... | MODULE:FUNCTION)"
    parser.set_defaults(is_piped=False, of_tests=of_tests, literal=None, part=None, origin=None)
    parser.set_defaults(of_folders=of_folders, folder=None, more=[])
    # Messages name it where it is needed.
    parser.add_argument("--literal", metavar="LINE[:COLUMN]", help=argparse.SUPPRESS)
    # Nothing else is kept but in a reduction.
    add_options(parser, OPTIONS, () if of_folders else ("keep",))
    if of_folders:
        group = group_of(parser, INPUT)
        for name, told in (
            ("--include", "of a folder, only the files that match; repeatable"),
            ("--exclude", "of a folder, not what matches; repeatable"),
        ):
            group.add_argument(name, metavar="GLOB", action="append", help=told)
    result = group_of(parser, RESULT)
    result.add_argument(
        "--json",
        action="store_const",
        const="object",
        help="print one JSON object; --json=lines: events, too",
    )
    # An option of its own for argparse, or else a file after --json would be its value.
    result.add_argument(
        "--json=lines", dest="json", action="store_const", const="lines", help=argparse.SUPPRESS
    )
    result.add_argument(
        "-v", "--verbose", action="store_true", help="tell other failures and times, too"
    )


def add_options(
    parser: argparse.ArgumentParser, rows: Mapping[str, Option], without: Collection[str] = ()
) -> None:
    """Add the options of a table that the command line has, each in the group of its need."""
    for row in rows.values():
        if row.need is None or row.name in without:
            continue
        place = group_of(parser, row.need) if row.need else parser
        help = row.help if row.need else argparse.SUPPRESS
        if row.kind == "bool":
            place.add_argument(row.flag, action="store_true", default=None, help=help)
        elif row.kind == "bool | None":
            place.add_argument(row.flag, action=argparse.BooleanOptionalAction, help=help)
        else:
            action = "append" if row.kind in _REPEATED else "store"
            read = partial(_read, row)
            place.add_argument(row.flag, metavar=row.metavar, type=read, action=action, help=help)


def group_of(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Return the group of a parser with a title, which is made if there is none."""
    for group in parser._action_groups:
        if group.title == title:
            return group
    return parser.add_argument_group(title)


_REPEATED = ("tuple[str, ...]", "Rule | None")
"""The kinds of options that may be given again."""
_NUMBERS: dict[str, Callable[[str], float | int]] = {
    "float | None": positive,
    "int | None": count,
    "int": count,
}
"""The readers of numbers by the kind of their options."""


def _read(row: Option, word: str) -> object:
    """Read the value of an option; one that may be given again is read when all of them are."""
    if row.kind in _NUMBERS:
        return _NUMBERS[row.kind](word)
    if row.kind in _REPEATED or row.name not in OPTIONS:
        return word
    try:
        return read_option(row.name, word)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_force(group: argparse._ArgumentGroup) -> None:
    """Add the argument that lets outputs replace files of another origin; messages name it."""
    group.add_argument("--force", action="store_true", help=argparse.SUPPRESS)


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


def put_json(found: object) -> None:
    """Write JSON to standard output, in a line."""
    put_out(json.dumps(found) + "\n")


def chosen_command(options: argparse.Namespace) -> ChosenCommand:
    """Return the test command of the arguments, or else of the configuration."""
    fields = {name: vars(options).get(name) for name in OPTIONS}
    fields = {name: value for name, value in fields.items() if value is not None}
    for name, value in fields.items():
        if OPTIONS[name].kind in _REPEATED:
            try:
                fields[name] = read_option(name, value)
            except ValueError as error:
                raise UsageError(f"{OPTIONS[name].flag} {error}") from None
    word = options.command[0] if len(options.command) == 1 else ""
    is_predicate = PREDICATE.fullmatch(word) is not None
    is_line = " " in word and shutil.which(word) is None
    given = CommandArguments(
        argv=() if is_predicate or is_line else tuple(options.command),
        line=word if is_line else None,
        python=word if is_predicate else None,
        files=() if options.folder is None else options.folder.files,
        fields=fields,
    )
    if options.origin is not None:
        origin: ChosenCommand = options.origin
        command = changed(origin.command, options.file.absolute(), **given.options())
        return replace(origin, command=command)
    return choose_command(options.file, Path.cwd(), given, _print_problem)


def job_options(options: argparse.Namespace, chosen: ChosenCommand) -> JobOptions:
    """Return the options of a job that are given."""
    given: dict[str, Any] = {name: vars(options).get(name) for name in JOB_OPTIONS}
    if "jobs" in options:
        given["jobs"] = given["jobs"] or os.cpu_count() or 1
    given["language"], given["earlier"] = language_of(options, chosen), chosen.earlier
    return JobOptions(**{name: value for name, value in given.items() if value is not None})


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
