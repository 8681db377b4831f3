"""Words messages for each front end: the option, the key or the argument for a piece of advice."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable

from boildown.runner.advice import Advice, Message, Printed, as_key, filled
from boildown.runner.command import OPTIONS
from boildown.runner.run import CommandRefused

_WHERE = " Such a line goes into the [[input]] of boildown.toml."


def for_terminal(message: Message) -> str:
    """Return a message with the command line's options for the advice."""
    return filled(message, _as_option)


def for_editor(message: Message) -> str:
    """Return a message with the configuration's keys for the advice, and where these go."""
    keys = [part for part in message if isinstance(part, Advice) and part.option != "jobs"]
    text = filled(tuple(part for part in message if not isinstance(part, Printed)), _as_setting)
    printed = "".join(part for part in message if isinstance(part, Printed))
    return f"{text}{_WHERE if keys else ''}{printed}"


def for_program(message: Message) -> str:
    """Return a message with the library's arguments for the advice."""
    return filled(message, _as_argument)


def message_of(error: Exception, worded: Callable[[Message], str]) -> str:
    """Return the message of an error, whose advice a front end words if it has any."""
    return worded(error.message) if isinstance(error, CommandRefused) else str(error)


def advised(message: Message, option: str) -> list[str | float | None]:
    """Return the values of an option that a message advises, in order."""
    found = (part for part in message if isinstance(part, Advice))
    return [part.value for part in found if part.option == option]


def _as_option(advice: Advice) -> str:
    if advice.option == "command":
        return f"-- {advice.value}"
    row = OPTIONS.get(advice.option)
    if row is not None and row.need is None:
        return f"`{as_key(advice)}` in boildown.toml"
    flag = f"--{'no-' * (advice.value is False)}{advice.option.replace('_', '-')}"
    if advice.value is None or isinstance(advice.value, bool):
        return flag
    word = f"{advice.value:g}" if isinstance(advice.value, float) else str(advice.value)
    if re.search(r"[ <>]", word):
        word = shlex.quote(word) if re.search(r'["$`\\]', word) else f'"{word}"'
    return f"{flag} {word}"


def _as_setting(advice: Advice) -> str:
    return "`boildown.jobs`" if advice.option == "jobs" else f"`{as_key(advice)}`"


def _as_argument(advice: Advice) -> str:
    if advice.option == "command" or advice.value is None:
        return advice.option if advice.value is None else str(advice.value)
    value = json.dumps(advice.value) if isinstance(advice.value, str) else repr(advice.value)
    return f"{advice.option}={value}"
