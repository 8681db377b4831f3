"""Words messages for the command line: the option for each piece of advice."""

from __future__ import annotations

import re
import shlex

from boildown.jobs.events import Advice, Message, as_key, filled
from boildown.targets.test_command import OPTIONS


def worded(message: Message) -> str:
    """Return a message with the command line's options for the advice."""
    return filled(message, _said)


def _said(advice: Advice) -> str:
    if advice.option == "command":
        return f"-- {advice.value}"
    row = OPTIONS.get(advice.option)
    if row is not None and row.need is None:
        return f"`{as_key(advice)}` in boildown.toml"
    flag = f"--{advice.option.replace('_', '-')}"
    if advice.value is None or advice.value is True:
        return flag
    word = f"{advice.value:g}" if isinstance(advice.value, float) else str(advice.value)
    if re.search(r"[ <>]", word):
        word = shlex.quote(word) if re.search(r'["$`\\]', word) else f'"{word}"'
    return f"{flag} {word}"
