"""Words messages for callers of the library: the argument for each piece of advice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from boildown.jobs.events import Advice, Message, filled
from boildown.jobs.work import CannotRun, PreflightError


def worded(message: Message) -> str:
    """Return a message with the library's arguments for the advice."""
    return filled(message, _said)


def _said(advice: Advice) -> str:
    if advice.option == "command":
        return str(advice.value)
    if advice.value is None:
        return advice.option
    value = json.dumps(advice.value) if isinstance(advice.value, str) else repr(advice.value)
    return f"{advice.option}={value}"


@contextmanager
def errors_worded() -> Iterator[None]:
    """Word the errors of a job for callers of the library."""
    try:
        yield
    except PreflightError as error:
        raise PreflightError(worded(error.message), error.kind) from None
    except CannotRun as error:
        raise CannotRun(worded(error.message), error.kind) from None
