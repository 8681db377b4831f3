"""Advice in messages: options that a user can change, as values that each front end words.

A message of the runner is a tuple of neutral text and of advice at its places. The front ends have
a table each, from advice to text: `("give a longer ", Advice.TIMEOUT, ".")` says `--timeout` on the
command line and the key `timeout` in an editor, whose users write configurations.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import TypeAlias


class Advice(enum.Enum):
    """An option that a user can change, or a hint on one; the value is its neutral name."""

    TIMEOUT = "timeout"
    """The seconds that a run may take."""
    TIMEOUT_REPRODUCES = "reproduces timeout"
    """The rule by which a run that does not end in time reproduces the failure."""
    REPRODUCES_WORDS = "reproduces stderr=REGEX"
    """The rule by which a run that prints certain words reproduces the failure."""
    INTERESTING = "interesting"
    """Whether exit status 0 means that the failure is there."""
    QUICK = "quick"
    """The cheap command that is run first."""
    GOOD = "good"
    """The command that is right where the test command is wrong."""
    COMPARE_OUTPUT = "compare output"
    """Comparing what the good command prints, too."""
    LOOSER_LEVEL = "the level error or exit"
    """Comparing less of the failure: its type, or how the command ended."""
    MESSAGE_LEVEL = "the level message"
    """Comparing the message of the failure, too."""
    ALLOW_EMPTY = "allow empty"
    """Going on where the empty input fails, too."""
    AS_COMMAND = ""
    """The beginning of a test command that is given as words; in front of its first word."""
    MORE_JOBS = "more jobs"
    """More runs at the same time."""
    MORE_RUNS = " If it fails only now and then, run it more often."
    """More runs of the original in the preflight; a whole sentence, after a space."""
    GIVE_COMMAND = "; give one"
    """A way to give a test command; a clause at the end of a sentence."""


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


def filled(message: Message, words: Mapping[Advice, str]) -> str:
    """Return a message as text, with a front end's words for the advice."""
    return "".join(words[part] if isinstance(part, Advice) else part for part in message)


_NEUTRAL = {advice: advice.value for advice in Advice}


def neutral(message: Message) -> str:
    """Return a message with the neutral names of options, for logs."""
    return filled(message, _NEUTRAL)
