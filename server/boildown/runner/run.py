"""A run: one execution of the test command, or the obstacle that prevented it."""

from __future__ import annotations

import enum
import signal
from dataclasses import dataclass

from boildown.runner.advice import Message, as_message, filled


class Obstacle(enum.Enum):
    """The reason why a test command cannot be used; each has a message of its own."""

    NOT_FOUND = "not found"
    NOT_EXECUTABLE = "not executable"
    NOT_STARTED = "not started"
    PASSES = "passes"
    NOT_INTERESTING = "not interesting"
    TIMES_OUT = "times out"
    INVALID = "invalid"
    FLAKY = "flaky"
    EMPTY_REPRODUCES = "empty reproduces"
    NO_TEST = "no test"
    NO_PREDICATE = "no predicate"
    USAGE = "usage"


class CommandRefused(Exception):  # noqa: N818 - says what is the case
    """A test command that cannot do, with a message for the user, which each front end words."""

    def __init__(self, message: str | Message, kind: Obstacle) -> None:
        self.message = as_message(message)
        self.kind = kind
        super().__init__(filled(self.message))


class CannotRun(CommandRefused):
    """The test command could not be run at all; the message is for the user.

    >>> try:
    ...     check("orders.json", "cat orders.json | grep express")
    ... except CannotRun as error:
    ...     print(error)
    No shell is started, so the program would get '|' as it stands. ...
    """


@dataclass(frozen=True, slots=True)
class Run:
    """A run: the result of one execution of the test command."""

    status: int | None
    """The exit status; None if a signal or Boildown ended it."""
    signal: int | None = None
    """The signal that ended it, if not Boildown sent it."""
    stdout: str = ""
    """Decoded as UTF-8, other bytes written as `\\xNN`; the middle of a long output is left out."""
    stderr: str = ""
    seconds: float = 0.0
    timed_out: bool = False
    limit: str = ""
    """The limit for which Boildown ended it, if so: "memory"."""
    directory: str = ""
    """The fresh directory that the run had, which is gone by now."""
    file: str = ""
    """The path that the candidate had."""
    cpu: float = 0.0
    """Seconds of processor time that all its processes used together."""
    memory: int = 0
    """Bytes of its largest process, or of all together where a look at them found more."""
    waited: float = 0.0
    """Seconds in which it waited for a processor, or was stopped, as far as looks at it told."""
    full: bool = False
    """Whether at its end there was no room on the disk of its directories."""
    text: str = ""
    """The candidate."""
    read: frozenset[str] = frozenset()
    """Of a candidate that is a folder: the files that the run has read, as far as that is known."""
    turned_down: bool = False
    """Whether it is one of the quick command, for which there was none of the test command."""
    other: Run | None = None
    """The run of the other command on the same candidate, with which this one is compared."""

    @property
    def took(self) -> float:
        """Seconds that count towards a time-out, about the same on a busy machine.

        Of this run or of the other command's, whichever took longer.
        """
        own = max(self.cpu, self.seconds - self.waited)
        return max(own, self.other.took if self.other is not None else 0.0)

    @property
    def end(self) -> str:
        """How it ended, in words: `exit 1`, `SIGSEGV`, `timeout`, `memory limit`."""
        if self.timed_out:
            return "timeout"
        if self.limit:
            return f"{self.limit} limit"
        if self.signal is not None:
            return signal_name(self.signal)
        return f"exit {self.status}"

    @property
    def failed(self) -> bool:
        """Whether it ended with anything but exit status 0 in time."""
        return not self.timed_out and self.status != 0


@dataclass(frozen=True, slots=True)
class EarlierRuns:
    """Runs of the test command that were made before its job, so that it needs fewer of its own."""

    original: Run | None = None
    """On the original, in a process of its own; no evidence that the failure is not flaky, for
    without it there would be no job."""
    emptied: Run | None = None
    """On the original with nothing in it that could go: `Run.text` may have brackets, say."""


NONE_EARLIER = EarlierRuns()


@dataclass(frozen=True, slots=True)
class Measured:
    """The time of a run on the original, measured once in a job, by which it decides ever after."""

    cpu: float
    """Seconds of processor time: the least of the runs of the preflight."""
    took: float
    """Seconds that count towards a time-out: the least of the runs."""
    timeout: float | None
    """Seconds that a run may take."""


def signal_name(number: int) -> str:
    """Return a signal's name, such as `SIGSEGV`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def encode(text: str) -> bytes:
    """Return the bytes of a text: surrogate escapes become the bytes that they stand for."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"".join(
            character.encode(
                "utf-8", "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
            )
            for character in text
        )


def decode(data: bytes) -> str:
    """Return the text of an input file; bytes that don't decode become surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")
