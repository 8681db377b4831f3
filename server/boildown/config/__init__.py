"""Configuration: reads `[[input]]` entries, which give files their test command.

One schema serves `boildown.toml`, the table `[tool.boildown]` of pyproject.toml, and the editor's
settings. Whatever is wrong in it is a value with the line where it stands, never an exception: an
editor shows it there, and what is right still counts.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias

import tomlkit
from tomlkit.exceptions import ParseError, TOMLKitError

from boildown.config.globs import glob_matches
from boildown.config.positions import Key, key_positions, nearest
from boildown.config.schema import LANGUAGE_SCHEMA, SCHEMA, read_option
from boildown.files import FileError, read_bytes
from boildown.runner.command import (
    OPTIONS,
    TestCommand,
    find_program,
    from_argv,
    from_predicate,
    from_string,
)
from boildown.runner.pytest_runs import find_interpreter, pytest_argv
from boildown.runner.run import CannotRun, Obstacle

__all__ = [
    "NAME",
    "ConfigProblem",
    "InputEntry",
    "LanguageEntry",
    "command_for",
    "configured_languages",
    "find_config",
    "glob_matches",
    "key_positions",
    "load",
    "load_settings",
    "load_text",
    "match",
    "named_language",
    "read_option",
]

NAME = "boildown.toml"
LARGEST = 100_000
"""Bytes of the largest configuration file that is read."""
MOST_KEYS = 5_000
"""The most keys of a configuration: nobody writes so many, and they take long to read."""
_KEY = re.compile(r"[=.]|^[ \t]*\[", re.MULTILINE)
"""The sign of a part of a key in TOML; it may stand in a string or a comment as well."""
_PYPROJECT = "pyproject.toml"


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
class LanguageEntry:
    """One `[[language]]`: the files of a language, and the package with its parser."""

    name: str
    files: tuple[str, ...]
    """Globs relative to `base`, as those of inputs."""
    tree_sitter: str
    """The package, such as `tree-sitter-lua`, with `:function` if that is not `language`."""
    base: Path
    """The directory of the configuration file, or the workspace folder."""


@dataclass(frozen=True, slots=True)
class InputEntry:
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
    language: str | None = None
    cwd: Path | None = None
    """Where the command runs; None: in `base`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The other fields of TestCommand that are set."""
    languages: tuple[LanguageEntry, ...] = ()
    """Those of the configuration that it stands in."""
    wrong: tuple[str, ...] = ()
    """The keys that say how runs are judged and are wrong, misspelled ones among them."""


_JUDGING = tuple(name for name, row in OPTIONS.items() if row.judges)
"""The keys without which runs would be judged in another way than the user means."""


def find_config(start: Path) -> Path | None:
    """Return the nearest configuration file in a directory or those above it."""
    start = start.absolute()
    for directory in (start, *start.parents):
        if os.path.isfile(directory / NAME):
            return directory / NAME
        pyproject = directory / _PYPROJECT
        if os.path.isfile(pyproject) and "tool" in (document := _read_quietly(pyproject)):
            tool = document["tool"]
            if isinstance(tool, Mapping) and "boildown" in tool:
                return pyproject
    return None


def load(path: Path) -> tuple[tuple[InputEntry, ...], tuple[ConfigProblem, ...]]:
    """Read a configuration file; return its entries in order, and its problems."""
    try:
        text = _bytes(path).decode("utf-8")
    except _TooLargeError as error:
        return (), (ConfigProblem(path, 1, 1, str(error)),)
    except FileError as error:
        return (), (ConfigProblem(path, 1, 1, str(error)),)
    except UnicodeDecodeError:
        return (), (ConfigProblem(path, 1, 1, "The file is not UTF-8 text, as TOML must be."),)
    return load_text(text, path)


def load_text(text: str, path: Path) -> tuple[tuple[InputEntry, ...], tuple[ConfigProblem, ...]]:
    """Do as `load` for a text that may not be in the file yet."""
    try:
        document = _parsed(text)
    except _TooLargeError as error:
        return (), (ConfigProblem(path, 1, 1, str(error)),)
    except ParseError as error:
        message = re.sub(r" at line \d+ col \d+$", "", str(error))
        return (), (ConfigProblem(path, error.line, error.col + 1, f"No valid TOML: {message}."),)
    except TOMLKitError as error:
        return (), (ConfigProblem(path, 1, 1, f"No valid TOML: {error}."),)
    key: Key = ("tool", "boildown") if path.name == _PYPROJECT else ()
    positions = key_positions(text)

    def report(at: Key, message: str) -> ConfigProblem:
        return ConfigProblem(path, *nearest(positions, at), message)

    return _read(_table(document, path), path.parent.absolute(), key, report)


def _table(document: object, path: Path) -> object:
    """Return the part of a file that configures Boildown, which may be no table."""
    for name in ("tool", "boildown") if path.name == _PYPROJECT else ():
        document = document.get(name, {}) if isinstance(document, Mapping) else document
    return document


def load_settings(
    inputs: object, base: Path
) -> tuple[tuple[InputEntry, ...], tuple[ConfigProblem, ...]]:
    """Read the editor's setting `boildown.inputs`, a list of tables as `[[input]]` holds them."""

    def report(at: Key, message: str) -> ConfigProblem:
        numbered = f"inputs[{at[1]}]: {message}" if len(at) > 1 else message
        return ConfigProblem(None, 0, 0, numbered)

    return _read({"input": inputs}, base.absolute(), (), report)


def match(entries: Iterable[InputEntry], file: Path) -> InputEntry | None:
    """Return the first entry for a file; a configured language stands in it by its package."""
    file = file.absolute()
    for entry in entries:
        if any(glob_matches(glob, file, entry.base) for glob in entry.files):
            language = _package(entry.languages, entry.language, file)
            return entry if language == entry.language else replace(entry, language=language)
    return None


def configured_languages(start: Path) -> tuple[LanguageEntry, ...]:
    """Return the languages of the nearest configuration in a directory or those above it."""
    path = find_config(start)
    if path is None:
        return ()
    try:
        document = _table(_parsed(_bytes(path).decode("utf-8")), path)
    except (FileError, ValueError, TOMLKitError):
        # Whoever loads the inputs says what is wrong.
        return ()
    base = path.parent.absolute()
    if not isinstance(document, Mapping):
        return ()
    return _read_languages(document, base, (), lambda _at, told: ConfigProblem(path, 0, 0, told))[0]


def named_language(name: str | None, file: Path) -> str | None:
    """Return a language for `load_language`: the one with a name, or that of a file if None.

    A configured one is returned by its package; any other name as it is.
    """
    file = file.absolute()
    return _package(configured_languages(file.parent), name, file)


def _package(languages: Iterable[LanguageEntry], name: str | None, file: Path) -> str | None:
    for each in languages:
        is_of_file = any(glob_matches(glob, file, each.base) for glob in each.files)
        if each.name == name or (name is None and is_of_file):
            return each.tree_sitter
    return name


def command_for(entry: InputEntry, file: Path) -> TestCommand:
    """Return the test command of an entry for a file: without a command, pytest runs its test.

    Raises CannotRun if the command makes no sense, or if what says how to judge it is wrong.
    """
    if entry.wrong:
        keys = " and ".join(f"'{key}'" for key in entry.wrong)
        raise CannotRun(
            f"The configuration of {file.name} says in {keys} how its runs are judged, but what it "
            "says is wrong; mend it first.",
            Obstacle.USAGE,
        )
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
) -> tuple[tuple[InputEntry, ...], tuple[ConfigProblem, ...]]:
    """Check a document against the schema."""
    problems: list[ConfigProblem] = []
    entries: list[InputEntry] = []
    if not isinstance(document, Mapping):
        return (), (report(key, "This must be a table."),)
    for name in document:
        if name not in ("input", "language"):
            problems.append(report((*key, name), _unknown(name, ("input", "language"))))
    languages, wrong_languages = _read_languages(document, base, key, report)
    problems += wrong_languages
    tables = document.get("input", [])
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        tables = []
        problems.append(report((*key, "input"), "'input' must be a list: write [[input]]."))
    for index, table in enumerate(tables):
        entry, wrong = _read_entry(table, base, (*key, "input", index), report)
        problems += wrong
        if entry is not None:
            entries.append(replace(entry, languages=languages))
    return tuple(entries), tuple(problems)


def _read_languages(
    document: Mapping[str, Any], base: Path, key: Key, report: _Report
) -> tuple[tuple[LanguageEntry, ...], list[ConfigProblem]]:
    """Check all `[[language]]`; one with a mistake is left out."""
    tables = document.get("language", [])
    if not isinstance(tables, Sequence) or isinstance(tables, str):
        message = "'language' must be a list: write [[language]]."
        return (), [report((*key, "language"), message)]
    problems: list[ConfigProblem] = []
    languages: list[LanguageEntry] = []
    for index, table in enumerate(tables):
        at = (*key, "language", index)
        if not isinstance(table, Mapping):
            problems.append(report(at, "Each language must be a table."))
            continue
        values: dict[str, Any] = {}
        for name, value in table.items():
            try:
                values[name] = LANGUAGE_SCHEMA[name](value)
            except KeyError:
                problems.append(report((*at, name), _unknown(name, LANGUAGE_SCHEMA)))
            except ValueError as error:
                problems.append(report((*at, name), f"'{name}' {error}"))
        missing = [name for name in LANGUAGE_SCHEMA if name not in table]
        if missing:
            named = " and ".join(f"'{name}'" for name in missing)
            problems.append(report(at, f"This language has no {named}."))
        if len(values) == len(LANGUAGE_SCHEMA):
            languages.append(LanguageEntry(base=base, **values))
    return tuple(languages), problems


def _read_entry(
    table: object, base: Path, key: Key, report: _Report
) -> tuple[InputEntry | None, list[ConfigProblem]]:
    """Check one `[[input]]`; wrong keys are left out, and the entry too if it cannot do without."""
    if not isinstance(table, Mapping):
        return None, [report(key, "Each input must be a table.")]
    problems: list[ConfigProblem] = []
    values: dict[str, Any] = {}
    wrong: list[str] = []
    for name, value in table.items():
        if name not in SCHEMA:
            problems.append(report((*key, name), _unknown(name, SCHEMA)))
            if difflib.get_close_matches(name, _JUDGING, 1, 0.8):
                wrong.append(name)
            continue
        try:
            values[name] = SCHEMA[name](value)
        except ValueError as error:
            problems.append(report((*key, name), f"'{name}' {error}"))
            if name in _JUDGING:
                wrong.append(name)
    if "files" not in table:
        problems.append(report(key, "This input has no 'files': the globs it is for."))
    judges = ("command", "python", "test")
    if not any(name in table for name in judges):
        problems.append(report(key, "This input has no 'command' that tests it."))
    if "python" in table and ("command" in table or "test" in table):
        other = "command" if "command" in table else "test"
        message = f"'python' and '{other}' both say what tests the input; keep one of them."
        problems.append(report((*key, "python"), message))
    if "files" not in values or not any(name in values for name in judges):
        return None, problems
    own = {each.name: values.pop(each.name) for each in fields(InputEntry) if each.name in values}
    entry = InputEntry(base=base, options=values, **own)
    try:
        command = command_for(entry, base / "input")
        for role in command.roles:
            find_program(command.in_role(role))
    except CannotRun as error:
        name = next(name for name in judges if name in own)
        problems.append(report((*key, name), str(error)))
    folder = base if entry.cwd is None else base / entry.cwd
    for name in values.get("passes", ()):
        file = name.rpartition(":")[0]
        if file and not os.path.isfile(folder / file):
            message = f"There is no file {folder / file} with a pass."
            problems.append(report((*key, "passes"), message))
    return replace(entry, wrong=tuple(wrong)), problems


def _unknown(name: str, known: Iterable[str]) -> str:
    return f"'{name}' is unknown; known are: {', '.join(known)}."


def _read_quietly(path: Path) -> Mapping[str, Any]:
    try:
        return _parsed(_bytes(path).decode("utf-8"))
    except (FileError, ValueError, TOMLKitError):
        return {"tool": {"boildown": {}}} if _mentions(path) else {}


def _mentions(path: Path) -> bool:
    """Say whether a file that is no TOML seems to configure Boildown all the same."""
    try:
        return b"tool.boildown" in read_bytes(path, LARGEST)
    except FileError:
        return False


class _TooLargeError(ValueError):
    """A configuration is beyond a limit; the message says which."""


def _bytes(path: Path) -> bytes:
    """Read a configuration file. Raises FileError and _TooLargeError."""
    content = read_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        raise _TooLargeError(f"The file is larger than {LARGEST:,} bytes, so none of it is used.")
    return content


def _parsed(text: str) -> dict[str, Any]:
    """Return a TOML document's values. Raises TOMLKitError and _TooLargeError."""
    if len(text) > LARGEST:
        raise _TooLargeError(f"The text is longer than {LARGEST:,} characters, so nothing is used.")
    if sum(1 for _ in _KEY.finditer(text)) > MOST_KEYS:
        raise _TooLargeError(f"There are more than {MOST_KEYS:,} keys, so none of it is used.")
    try:
        return tomlkit.parse(text).unwrap()
    except RecursionError:
        raise _TooLargeError("Its values are nested too deeply, so none of it is used.") from None
