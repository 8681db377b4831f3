"""Refusals of what was typed: each says what is wrong, and the line to type instead."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from boildown.cli.shared import Unwritten, UsageError, status_of
from boildown.files import FileError
from boildown.jobs.advice import for_terminal, message_of
from boildown.jobs.defects import attempted, defect_note, has_defect
from boildown.jobs.events import Message, PatternError
from boildown.jobs.inert import terminal
from boildown.jobs.own_passes import PassError
from boildown.jobs.work import CannotRun, LanguageError, PreflightError
from boildown.targets.test_command import CommandError, RuleError

T = TypeVar("T")
U = TypeVar("U")


_OF_USERS = (
    *(UsageError, CommandError, RuleError, FileError),
    *(LanguageError, PatternError, PassError, CannotRun),
)
"""Errors in what was given."""


def refusal(error: Exception) -> tuple[str, int] | None:
    """Return the message and the exit status for an error; None if it is none of the user's."""
    if isinstance(error, Unwritten):
        return str(error), 3
    if isinstance(error, PreflightError):
        return message_of(error, for_terminal), status_of(error.kind)
    return (message_of(error, for_terminal), 2) if isinstance(error, _OF_USERS) else None


class LastResort:
    """Does the phases after a result: a defect in one is told of, and costs none of the others."""

    def __init__(self, notes: Iterable[Message] = ()) -> None:
        self.met = has_defect(notes)
        """Whether there was a defect, in the job or after it."""

    def attempt(self, phase: str, work: Callable[[], T], otherwise: U) -> T | U:
        """Return the result of a phase; where a defect ends it, the other one."""
        return attempted(phase, work, otherwise, self._tell)

    def _tell(self, phase: str, error: Exception) -> None:
        if isinstance(error, OSError) or refusal(error) is not None:
            # It says what is wrong outside of Boildown.
            raise error
        self.met = True
        print(terminal(f"boildown: {for_terminal(defect_note(phase, error))}"), file=sys.stderr)


def no_command(argv: Sequence[str], groups: Iterable[str], commands: Iterable[str]) -> str:
    """Return the message on arguments that begin with neither a command nor an input.

    `groups` are the first words of `commands` that have two.
    """
    *outer, typed = argv[: 2 if argv[0] in groups else 1]
    inner = [name.split()[len(outer) :] for name in commands if name.split()[: len(outer)] == outer]
    program = " ".join(("boildown", *outer))
    near = difflib.get_close_matches(typed, dict.fromkeys(words[0] for words in inner), 1)
    if near:
        again = shlex.join([near[0], *argv[len(outer) + 1 :]])
        return f"there is no command '{typed}'. Type:\n  {program} {again}"
    kinds = "file or command" if "--" in argv else "command"
    return f"there is no {kinds} '{typed}'; {program} --help lists the commands."


def misplaced(
    own: Sequence[str],
    rest: Sequence[str],
    command: Sequence[str] | None,
    parser: ArgumentParser,
) -> str:
    """Return the message on arguments that have no place, or on an input that was not named.

    `own` are the arguments before `--`, `rest` those of them that nothing takes, and `command`
    what follows `--`; None without it. `parser` is that of the command.
    """
    if not rest:
        return _no_input(own, command or ())
    first = rest[0]
    if first.startswith("-"):
        near = difflib.get_close_matches(first, re.findall(r"--[a-z-]+", parser.format_help()), 1)
        meant = f"; did you mean {near[0]}?" if near else f"; {parser.prog} --help lists them."
        return f"there is no option {first}{meant}"
    # The last one that leaves all of the rest behind it: the input may have the same name.
    at = max(
        index for index in range(1, len(own)) if own[index] == first and _follows(own, index, rest)
    )
    if command is None and shutil.which(first) is not None:
        typed = shlex.join(["boildown", *own[:at], "--", *own[at:]])
        return f"there is no -- before the test command. Type:\n  {typed}"
    kept = [*own[:at], *own[at + 1 :], *(() if command is None else ("--", *command))]
    return (
        f"one input at a time: '{first}' is one too many. Type:\n"
        f"  {shlex.join(['boildown', *kept])}\nand the same for '{first}' then."
    )


def _follows(own: Sequence[str], at: int, rest: Sequence[str]) -> bool:
    """Say whether the words of `rest` follow each other, with others between, from an index on."""
    words = iter(own[at:])
    return all(word in words for word in rest)


def _no_input(own: Sequence[str], command: Sequence[str]) -> str:
    """Return the message on an input that was not named, with the file in the command if any."""
    named = [word for word in command[1:] if os.path.isfile(Path(word))]
    file = named[-1] if named else "crash.json"
    typed = [*own, file, "--", *(command or ("python", "-m", "mytool", file))]
    told = "Type:" if named else "as in:"
    joint = "." if named else ","
    return f"name the failing input{joint} {told}\n  {shlex.join(['boildown', *typed])}"
