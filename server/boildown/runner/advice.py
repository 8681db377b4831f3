"""Advice in messages: options that a user can change, as values that each front end words.

A message of the runner is a tuple of neutral text and of advice at its places. Each front end has
a rule for its words: `("give a longer ", Advice("timeout"), ".")` says `--timeout` on the command
line and the key `timeout` in an editor, whose users write configurations.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Advice:
    """An option that a user can change, in a message."""

    option: str
    """Its name in the table of options, `jobs`, or `command` for the test command itself."""
    value: str | float | None = None
    """The value to give it; None: what fits."""

    def __str__(self) -> str:
        """The neutral name, for logs."""
        name = self.option.replace("_", " ")
        return name if self.value in (None, True) else f"{name} {self.value}"


class Printed(str):
    """The end of an output, quoted at the end of a message; a front end adds nothing after it."""

    __slots__ = ()


class Code(str):
    """The name of a note, by which programs know it; the part of a message that shows nothing."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Code:
        """Make a part of a message without any text."""
        code = super().__new__(cls, "")
        code.name = name
        return code


LOOSER_LEVEL = (Advice("level", "error"), " or ", Advice("level", "exit"))
"""Comparing less of the failure: its type, or how the command ended."""

Message: TypeAlias = tuple[str | Advice, ...]
"""Sentences for the user: neutral text, with advice at its places."""


def as_message(told: str | Message, code: str | None = None) -> Message:
    """Return a text without any advice as a message; a message stays, and may get a code."""
    message = (told,) if isinstance(told, str) else told
    return message if code is None else (*message, Code(code))


def code_of(message: Message) -> str:
    """Return the code of a message: that of its last part that has one, else "note"."""
    codes = [part.name for part in message if isinstance(part, Code)]
    return codes[-1] if codes else "note"


def filled(message: Message, said: Callable[[Advice], str] = str) -> str:
    """Return a message as text, with a front end's words for the advice; neutral ones for logs."""
    return "".join(said(part) if isinstance(part, Advice) else part for part in message)


def as_key(advice: Advice) -> str:
    """Return advice as a line of the configuration; without a value, as the key alone."""
    given = "" if advice.value is None else f" = {json.dumps(advice.value)}"
    return f"{advice.option}{given}"
