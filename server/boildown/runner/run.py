"""One execution of the test command: what was seen, or why there was nothing to see."""

from __future__ import annotations

import enum
import signal
from dataclasses import dataclass


class Problem(enum.Enum):
    """Why a test command cannot be used; each has a message of its own for the user."""

    FILE_MISSING = "file missing"
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


class CannotRun(Exception):  # noqa: N818 - says what is the case
    """The test command could not be run at all; the message is for the user."""

    def __init__(self, message: str, kind: Problem) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Run:
    """What one execution of the test command did."""

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
    """What it used too much of, if Boildown ended it for that: "memory"."""
    directory: str = ""
    """The fresh directory that the run had, which is gone by now."""
    file: str = ""
    """The path that the candidate had."""

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


def signal_name(number: int) -> str:
    """Return a signal's name, such as `SIGSEGV`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def in_bytes(count: int) -> str:
    """Return a size in words."""
    return "1 byte" if count == 1 else f"{count:,} bytes"


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
