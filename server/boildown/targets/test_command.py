"""The test command of a failing input: given by the user, or configured."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from boildown import config
from boildown.runner.command import (
    INPUT,
    OPTIONS,
    PREDICATE,
    RuleError,
    TestCommand,
    changed,
    from_argv,
    from_predicate,
    from_string,
)
from boildown.runner.options import Option
from boildown.runner.run import NONE_EARLIER, EarlierRuns

__all__ = [
    "INPUT",
    "OPTIONS",
    "PREDICATE",
    "ChosenCommand",
    "CommandArguments",
    "CommandError",
    "Option",
    "RuleError",
    "TestCommand",
    "changed",
    "choose_command",
    "configured",
    "from_argv",
]


class CommandError(Exception):
    """No test command, or more than one; the message says how to give it.

    >>> try:
    ...     check("orders.json")
    ... except CommandError as error:
    ...     print(error)
    There is no test command for ...orders.json. Give the one that fails today as the second ...
    """


@dataclass(frozen=True, slots=True)
class CommandArguments:
    """A test command as it is given in one of three ways, or not at all, and its options."""

    argv: tuple[str, ...] = ()
    """The command as a list of words."""
    line: str | None = None
    """The command as one string."""
    python: str | None = None
    """A predicate instead of a command, as `module:function`."""
    files: tuple[str, ...] = ()
    """Where the input is a folder: the paths of the files in it that are taken."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Options by their names, with the values that fields of TestCommand have."""

    def options(self) -> dict[str, Any]:
        """Return the fields of TestCommand that were given."""
        folder = {"folder": True, "files": self.files} if self.files else {}
        return {**self.fields, **folder}


@dataclass(frozen=True, slots=True)
class ChosenCommand:
    """A test command, with its origin."""

    command: TestCommand
    origin: str
    """Where it comes from, in words."""
    language: str | None = None
    """The language that the configuration names for the input."""
    earlier: EarlierRuns = NONE_EARLIER
    """The runs of a failing test by which its input was found."""


def choose_command(
    file: Path,
    cwd: Path,
    given: CommandArguments,
    tell: Callable[[config.ConfigProblem], None] = lambda _problem: None,
    own: Sequence[config.InputEntry] = (),
) -> ChosenCommand:
    """Return the test command for a file: the one that is given, or else configured.

    `cwd` is where the paths in a given command start from. What is given besides a command goes
    before what is configured. `tell` gets each problem of the configuration, and entries of one's
    `own` come before those of the files.

    Raises:
        CommandError: there is no command, or more than one is given.
        CannotRun: the command makes no sense.
        RuleError: a rule makes no sense.
    """
    options = given.options()
    if sum(map(bool, (given.argv, given.line, given.python))) > 1:
        raise CommandError("Give the test command once: as words, as one string, or as a function.")
    language = None if given.files else config.named_language(None, file)
    if given.argv:
        command = from_argv(given.argv, file, cwd, **options)
        return ChosenCommand(command, "it is given after --", language)
    if given.line:
        command = from_string(given.line, file, cwd, **options)
        return ChosenCommand(command, "it is given as one string", language)
    if given.python:
        command = from_predicate(given.python, file, cwd, **options)
        return ChosenCommand(command, "it is given after --", language)
    if (entry := config.match(own, file)) is not None:
        place = "the editor's settings name"
    else:
        entry, path = _entry(file, tell)
        place = f"{path} names"
    if given.files:
        # How a command is understood depends on what it gets.
        command = config.command_for(replace(entry, options={**entry.options, **options}), file)
    else:
        command = changed(config.command_for(entry, file), file, **options)
    return ChosenCommand(command, f"{place} it for {', '.join(entry.files)}", entry.language)


def configured(
    file: Path, tell: Callable[[config.ConfigProblem], None] = lambda _problem: None
) -> tuple[config.InputEntry | None, Path | None]:
    """Return the entry of the nearest configuration for a file, and that configuration."""
    file = file.absolute()
    path = config.find_config(file if os.path.isdir(file) else file.parent)
    if path is None:
        return None, None
    entries, problems = config.load(path)
    for problem in problems:
        tell(problem)
    return config.match(entries, file), path


def _entry(
    file: Path, tell: Callable[[config.ConfigProblem], None]
) -> tuple[config.InputEntry, Path]:
    """Return the entry for a file, and where it stands. Raises CommandError if there is none."""
    entry, path = configured(file, tell)
    if entry is not None and path is not None:
        return entry, path
    if path is None:
        how = "make test" if os.path.isdir(file) else f"python -m mytool {file}"
        raise CommandError(
            "There is no test command. Give the command that fails today after --, as in:\n"
            f"  boildown reduce {file} -- {how}\n"
            "or write it into a boildown.toml."
        )
    raise CommandError(
        f"{path} says nothing of {file}. Add an [[input]] whose files match it, or give the"
        " command that fails today after --."
    )
