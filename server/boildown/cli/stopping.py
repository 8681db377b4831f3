"""Signals that ask a job to stop with the best so far: Ctrl-C, SIGTERM and SIGHUP."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from boildown.jobs.work import Stop


class Interruption:
    """The request to stop that Ctrl-C, SIGTERM and SIGHUP make."""

    def __init__(self) -> None:
        self.status = 0
        """The exit status that the signal asks for; 0 as long as there was none."""
        self._since = 0.0
        self._asked = self._asked_before = 0
        self._works = self._was_cut = False

    def is_set(self) -> bool:
        """Say whether the job is to stop; it asks this again and again, but not while it parses."""
        self._asked += 1
        return bool(self.status)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Run a job, which takes `Stop` for its end."""
        self._works = True
        try:
            yield
        finally:
            self._works = False

    def interrupt(self, number: int, _frame: FrameType | None) -> None:
        """Ask the job to stop, and look after it; end at once if it was asked before."""
        if self.status:
            _leave(128 + number)
        self.status, self._since = 128 + number, time.monotonic()
        self._asked_before = self._asked
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _GRACE, _GRACE)

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Have a job end that does not ask, and a process that nobody reads from."""
        if not self._asked:
            _leave(self.status, f"boildown: {NOTHING_KNOWN}\n")
        part, is_deaf = _part_at_work(frame), self._asked == self._asked_before
        if self._works and is_deaf and part in _PURE and not self._was_cut:
            self._was_cut = True
            raise Stop("asked to in a long computation")
        if part == "cli" and time.monotonic() - self._since > _PATIENCE:
            _leave(self.status)


NOTHING_KNOWN = "It was stopped before anything was known."
"""The message of a job that was stopped at its very beginning."""
_GRACE = 0.3
"""Seconds between two looks whether a job that was asked to stop does."""
_PATIENCE = 2.0
"""Seconds after which an output that nobody reads is given up."""
_PURE = frozenset({"tree", "folder_text", "grammar", "engine", "languages"})
"""The parts that hold nothing which has to be closed: an exception may end them anywhere."""


def _part_at_work(frame: FrameType | None) -> str:
    """Return the part of Boildown that the innermost of its frames is in."""
    while frame is not None:
        package, _, rest = frame.f_globals.get("__name__", "").partition(".")
        if package == "boildown":
            return str(rest.partition(".")[0])
        frame = frame.f_back
    return ""


def _leave(status: int, told: str = "") -> NoReturn:
    """End at once; the guardians see it, and tidy up after the runs."""
    with suppress(OSError):
        if os.isatty(2):
            # The line of progress goes, and the cursor comes back.
            told = f"\r\x1b[K\x1b[?25h{told}"
        os.write(2, told.encode())
    os._exit(status)


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Turn the first Ctrl-C, SIGTERM or SIGHUP into a request to stop; the second ends at once.

    A `Stop` that comes out of the block ends the process: nothing is known then. On another thread
    than the main one no signal is handled.
    """
    interrupted = Interruption()
    handled: dict[int, Callable[[int, FrameType | None], None]]
    handled = dict.fromkeys(_asking(), interrupted.interrupt)
    if hasattr(signal, "SIGALRM") and handled:
        handled[signal.SIGALRM] = interrupted.look
    before = {number: signal.signal(number, handler) for number, handler in handled.items()}
    try:
        yield interrupted
    except Stop:
        if not interrupted.status:
            raise
        print(f"boildown: {NOTHING_KNOWN}", file=sys.stderr)
        raise SystemExit(interrupted.status) from None
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _asking() -> Iterator[int]:
    """Yield the signals that ask a job to stop."""
    if threading.current_thread() is not threading.main_thread():
        return
    yield signal.SIGINT
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Started by nohup, it is to go on when the terminal is gone. A shell ignores SIGINT for all
        # that a script starts in the background, and means nothing by it.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            yield number
