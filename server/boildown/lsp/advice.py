"""Words messages for an editor: the key of the configuration for each piece of advice."""

from __future__ import annotations

from boildown.jobs.events import Advice, Message, Printed, as_key, filled

_WHERE = " Such a line goes into the [[input]] of boildown.toml."


def worded(message: Message) -> str:
    """Return a message with the configuration's keys for the advice, and where these go."""
    keys = [part for part in message if isinstance(part, Advice) and part.option != "jobs"]
    text = filled(tuple(part for part in message if not isinstance(part, Printed)), _said)
    printed = "".join(part for part in message if isinstance(part, Printed))
    return f"{text}{_WHERE if keys else ''}{printed}"


def _said(advice: Advice) -> str:
    return "`boildown.jobs`" if advice.option == "jobs" else f"`{as_key(advice)}`"
