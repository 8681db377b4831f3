"""Configuration: which test command judges which file.

One schema serves `boildown.toml`, the table `[tool.boildown]` of pyproject.toml, and the editor's
settings. Whatever is wrong in it is a value with the line where it stands, never an exception: an
editor shows it there, and what is right still counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from boildown.runner.command import (
    Level,
    Placement,
    Rule,
    RuleError,
    TestCommand,
    find_program,
    from_argv,
    from_predicate,
    from_string,
    rule_from_table,
)
from boildown.runner.pytest_runs import find_interpreter, pytest_argv
from boildown.runner.run import CannotRun

NAME = "boildown.toml"
_PYPROJECT = "pyproject.toml"

Key: TypeAlias = tuple[str | int, ...]
"""Where a value stands in a document: table names, list indices."""


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """Something wrong in a configuration."""

    path: Path | None
    """The file; None for the editor's settings."""
    line: int
    """Counted from 1; 0 if there is no file."""
    column: int
    """In characters, counted from 1; 0 if there is no file."""
    message: str
    """A sentence for the user."""

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}:{self.column}" if self.path else "settings"
        return f"{where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One `[[input]]`: the files it is for, and how they are tested."""

    files: tuple[str, ...]
    """Globs relative to `base`; one without a slash matches a name at any depth."""
    base: Path
    """The directory of the configuration file, or the workspace folder."""
    command: tuple[str, ...] | str | None = None
    python: str | None = None
    """A predicate instead of a command, as `module:function`."""
    test: str | None = None
    """A pytest id."""
    cluster: str | None = None
    """The address of a Dask scheduler whose workers do the runs."""
    ship: tuple[str, ...] = ()
    """Globs of the files that the command needs on the workers of a cluster."""
    language: str | None = None
    cwd: Path | None = None
    """Where the command runs; None: in `base`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of TestCommand that are set."""


def find_config(start: Path) -> Path | None:
    """Return the nearest configuration file in a directory or those above it."""
    start = start.absolute()
    for directory in (start, *start.parents):
        if (directory / NAME).is_file():
            return directory / NAME
        pyproject = directory / _PYPROJECT
        if pyproject.is_file() and "tool" in (document := _read_quietly(pyproject)):
            tool = document["tool"]
            if isinstance(tool, Mapping) and "boildown" in tool:
                return pyproject
    return None


def load(path: Path) -> tuple[tuple[Entry, ...], tuple[ConfigProblem, ...]]:
    """Read a configuration file; return its entries in order, and what is wrong with it."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return (), (ConfigProblem(path, 1, 1, f"The file cannot be read: {error.strerror}."),)
    except UnicodeDecodeError:
        return (), (ConfigProblem(path, 1, 1, "The file is not UTF-8 text, as TOML must be."),)
    return load_text(text, path)


def load_text(text: str, path: Path) -> tuple[tuple[Entry, ...], tuple[ConfigProblem, ...]]:
    """Do as `load` for a text that may not be in the file yet."""
    try:
        document = tomlkit.parse(text).unwrap()
    except ParseError as error:
        message = re.sub(r" at line \d+ col \d+$", "", str(error))
        return (), (ConfigProblem(path, error.line, error.col + 1, f"No valid TOML: {message}."),)
    except TOMLKitError as error:
        return (), (ConfigProblem(path, 1, 1, f"No valid TOML: {error}."),)
    key: Key = ()
    if path.name == _PYPROJECT:
        key = ("tool", "boildown")
        document = document.get("tool", {}).get("boildown", {})
    positions = key_positions(text)

    def report(at: Key, message: str) -> ConfigProblem:
        return ConfigProblem(path, *_nearest(positions, at), message)

    return _read(document, path.parent.absolute(), key, report)


def load_settings(
    inputs: object, base: Path
) -> tuple[tuple[Entry, ...], tuple[ConfigProblem, ...]]:
    """Read the editor's setting `boildown.inputs`, a list of tables as `[[input]]` holds them."""

    def report(at: Key, message: str) -> ConfigProblem:
        numbered = f"inputs[{at[1]}]: {message}" if len(at) > 1 else message
        return ConfigProblem(None, 0, 0, numbered)

    return _read({"input": inputs}, base.absolute(), (), report)


def match(entries: Iterable[Entry], file: Path) -> Entry | None:
    """Return the first entry for a file."""
    file = file.absolute()
    for entry in entries:
        if any(glob_matches(glob, file, entry.base) for glob in entry.files):
            return entry
    return None


def glob_matches(glob: str, file: Path, base: Path) -> bool:
    """Say whether a file below `base` matches: `*` and `?` within a name, `**` for any folders."""
    try:
        parts = file.relative_to(base).as_posix()
    except ValueError:
        return False
    if "/" not in glob:
        glob = "**/" + glob
    return re.fullmatch(_glob_pattern(glob.removeprefix("./")), parts) is not None


def _glob_pattern(glob: str) -> str:
    pattern = ""
    for part in re.split(r"(\*\*/|\*\*|\*|\?|\[[^]/]+\])", glob):
        match part:
            case "**/":
                pattern += "(?:.*/)?"
            case "**":
                pattern += ".*"
            case "*":
                pattern += "[^/]*"
            case "?":
                pattern += "[^/]"
            case _ if len(part) > 2 and part.startswith("["):
                pattern += "[" + part[1:-1].replace("!", "^", 1).replace("\\", "\\\\") + "]"
            case _:
                pattern += re.escape(part)
    return pattern


def command_for(entry: Entry, file: Path) -> TestCommand:
    """Return the test command of an entry for a file: without a command, pytest runs its test.

    Raises CannotRun if the command makes no sense.
    """
    cwd = entry.base / entry.cwd if entry.cwd is not None else entry.base
    options = {**entry.options, "test": entry.test}
    if isinstance(entry.command, str):
        return from_string(entry.command, file.absolute(), cwd, **options)
    if entry.python is not None:
        return from_predicate(entry.python, file.absolute(), cwd, **options)
    argv = entry.command or pytest_argv(find_interpreter(entry.base))
    return from_argv(argv, file.absolute(), cwd, **options)


_Report: TypeAlias = Callable[[Key, str], ConfigProblem]


def _read(
    document: object, base: Path, key: Key, report: _Report
) -> tuple[tuple[Entry, ...], tuple[ConfigProblem, ...]]:
    """Check a document against the schema."""
    problems: list[ConfigProblem] = []
    entries: list[Entry] = []
    if not isinstance(document, Mapping):
        return (), (report(key, "This must be a table."),)
    for name in document:
        if name != "input":
            problems.append(report((*key, name), _unknown(name, ("input",))))
    tables = document.get("input", [])
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        tables = []
        problems.append(report((*key, "input"), "'input' must be a list: write [[input]]."))
    for index, table in enumerate(tables):
        entry, wrong = _read_entry(table, base, (*key, "input", index), report)
        problems += wrong
        if entry is not None:
            entries.append(entry)
    return tuple(entries), tuple(problems)


def _read_entry(
    table: object, base: Path, key: Key, report: _Report
) -> tuple[Entry | None, list[ConfigProblem]]:
    """Check one `[[input]]`; what is wrong is left out, and the entry too if it cannot do."""
    if not isinstance(table, Mapping):
        return None, [report(key, "Each input must be a table.")]
    problems: list[ConfigProblem] = []
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in _SCHEMA:
            problems.append(report((*key, name), _unknown(name, _SCHEMA)))
            continue
        try:
            values[name] = _SCHEMA[name](value)
        except ValueError as error:
            problems.append(report((*key, name), f"'{name}' {error}"))
    if "files" not in table:
        problems.append(report(key, "This input has no 'files': the globs it is for."))
    judges = ("command", "python", "test")
    if not any(name in table for name in judges):
        problems.append(report(key, "This input has no 'command' that tests it."))
    if "files" not in values or not any(name in values for name in judges):
        return None, problems
    own = ("files", "command", "python", "test", "language", "cwd", "cluster", "ship")
    options = {name: value for name, value in values.items() if name not in own}
    entry = Entry(base=base, options=options, **{n: v for n, v in values.items() if n in own})
    try:
        find_program(command_for(entry, base / "input"))
    except CannotRun as error:
        name = next(name for name in judges if name in values)
        problems.append(report((*key, name), error.message))
    return entry, problems


def _unknown(name: str, known: Iterable[str]) -> str:
    return f"'{name}' is unknown; known are: {', '.join(known)}."


def _strings(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not values or not all(isinstance(v, str) for v in values):
        raise ValueError("must be a string or a list of strings.")
    return tuple(values)


def _command(value: object) -> tuple[str, ...] | str:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, str) or not value:
        raise ValueError("is empty; name the program that tests the file.")
    return _strings(value)


def _string(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be a string.")
    return value


def _seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise ValueError("must be a number of seconds greater than 0.")
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ValueError("must be a whole number greater than 0.")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false.")
    return value


def _rule(value: object) -> Rule:
    if not isinstance(value, Mapping):
        raise ValueError('must be a table such as { exit = [2], stderr = "regex" }.')
    try:
        return rule_from_table(value)
    except RuleError as error:
        raise ValueError(f"is no rule: {error}") from None


def _choice(choices: type[Level] | type[Placement], value: object) -> Level | Placement:
    try:
        return choices(value)
    except ValueError:
        names = ", ".join(choice.value for choice in choices)
        raise ValueError(f"must be one of: {names}.") from None


def _environment(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise ValueError('must be a table of strings such as { LANG = "C" }.')
    return dict(value)


_SCHEMA: dict[str, Callable[[object], Any]] = {
    "files": _strings,
    "command": _command,
    "python": _string,
    "test": _string,
    "language": _string,
    "timeout": _seconds,
    "interesting": _flag,
    "reproduces": _rule,
    "invalid": _rule,
    "level": partial(_choice, Level),
    "placement": partial(_choice, Placement),
    "environment": _environment,
    "warm": _flag,
    "cluster": _string,
    "ship": _strings,
    "memory": lambda value: _whole(value) * 1_000_000,
    "cpu": _whole,
    "depends": _strings,
    "cwd": lambda value: PurePath(_string(value)),
}
"""Every key of an input, with the function that checks its value or raises ValueError.

Memory is given in megabytes, processor time in seconds.
"""


def _read_quietly(path: Path) -> Mapping[str, Any]:
    try:
        return tomlkit.parse(path.read_bytes()).unwrap()
    except (OSError, ValueError, TOMLKitError):
        return {"tool": {"boildown": {}}} if _mentions(path) else {}


def _mentions(path: Path) -> bool:
    """Say whether a file that is no TOML seems to configure Boildown all the same."""
    try:
        return b"tool.boildown" in path.read_bytes()
    except OSError:
        return False


_NAME = r"""(?:[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*')"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_HEADER = re.compile(rf"(\[\[?)[ \t]*({_DOTTED})[ \t]*\]\]?")
_ASSIGNED = re.compile(rf"({_DOTTED})[ \t]*=")
_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|[\[\]{}\n]"
    r"|[^\"'\#\[\]{}\n]+",
    re.DOTALL,
)


def key_positions(text: str) -> dict[Key, tuple[int, int]]:
    """Return line and column (from 1) of every table and key of a valid TOML document.

    Keys inside inline tables and inline lists are left out; what they stand in is there.
    """
    positions: dict[Key, tuple[int, int]] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    at = 0
    while at < len(text):
        if text[at] in " \t\r\n":
            at += 1
            continue
        here = (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        if header := _HEADER.match(text, at):
            table = _indexed(_names(header[2]), counts)
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            positions.setdefault(table, here)
            at = header.end()
        elif assigned := _ASSIGNED.match(text, at):
            key = table
            for name in _names(assigned[1]):
                key = (*key, name)
                positions.setdefault(key, here)
            at = assigned.end()
        at = _end_of_value(text, at)
    return positions


def _names(dotted: str) -> list[str]:
    names = (re.match(_NAME, part.lstrip(" \t.")) for part in re.findall(_NAME, dotted))
    return [name[0].strip("\"'") for name in names if name]


def _indexed(names: list[str], counts: Mapping[Key, int]) -> Key:
    """Return a header's key, with the index of the last element after each list of tables."""
    key: Key = ()
    for position, name in enumerate(names):
        key = (*key, name)
        if key in counts and position < len(names) - 1:
            key = (*key, counts[key])
    return key


def _end_of_value(text: str, at: int) -> int:
    """Return where the line ends on which the value that begins at `at` ends."""
    depth = 0
    while piece := _PIECE.match(text, at):
        at = piece.end()
        if piece[0] in "[{":
            depth += 1
        elif piece[0] in "]}":
            depth -= 1
        elif piece[0] == "\n" and depth <= 0:
            break
    return max(at, piece.end()) if piece else len(text) if at >= len(text) else at + 1


def _nearest(positions: Mapping[Key, tuple[int, int]], key: Key) -> tuple[int, int]:
    """Return the position of the innermost thing with a position that a key stands in."""
    while key and key not in positions:
        key = key[:-1]
    return positions.get(key, (1, 1))
