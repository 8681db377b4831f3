"""Words messages for callers of the library: the argument for each piece of advice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boildown.jobs.events import Advice, Message, filled
from boildown.jobs.work import CannotRun, PreflightError

WORDS: dict[Advice, str] = {
    Advice.TIMEOUT: "timeout",
    Advice.TIMEOUT_REPRODUCES: 'reproduces="timeout"',
    Advice.REPRODUCES_WORDS: 'reproduces="stderr=REGEX"',
    Advice.INTERESTING: "interesting=True",
    Advice.LOOSER_LEVEL: 'level="error" or "exit"',
    Advice.MESSAGE_LEVEL: 'level="message"',
    Advice.ALLOW_EMPTY: "allow_empty=True",
    Advice.AS_COMMAND: "",
    Advice.MORE_JOBS: "more jobs",
    Advice.MORE_RUNS: " If it fails only now and then, run it more often with repeat=30.",
    Advice.GIVE_COMMAND: "; give it as the second argument",
}


def worded(message: Message) -> str:
    """Return a message with the library's arguments for the advice."""
    return filled(message, WORDS)


@contextmanager
def errors_worded() -> Iterator[None]:
    """Word the errors of a job for callers of the library."""
    try:
        yield
    except PreflightError as error:
        raise PreflightError(worded(error.message), error.kind) from None
    except CannotRun as error:
        raise CannotRun(worded(error.message), error.kind) from None
