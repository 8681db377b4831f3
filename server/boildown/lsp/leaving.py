"""The end of the server from outside: signals, and the death of the client's process.

A client that dies closes the connection, unless another process holds the other end of it. So the
process that `initialize` names is watched, too.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator

GRACE = 2.0
"""Seconds after a signal in which the server ends; then the system ends it."""
_SIGNALS = ("SIGTERM", "SIGHUP", "SIGINT")
_INTERVAL = 1.0
"""Seconds between two looks whether a process is there, where the system tells nobody."""
_LONG_INTERVAL = 10.0
"""Seconds between two looks whether anybody still wants to know."""


@contextlib.contextmanager
def on_signals(leave: Callable[[], None]) -> Iterator[None]:
    """Have signals that end a program call `leave`, and the block exit with their status.

    Those that are ignored stay so. A block that does not end in time, as one that writes to a pipe
    which nobody reads, is ended by the system.
    """
    caught: list[int] = []

    def handle(number: int, _frame: object) -> None:
        # The kernel's own timer: it needs no thread, and asks nobody.
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, GRACE)
        caught.append(number)
        leave()

    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    handled = [each for each in numbers if signal.getsignal(each) is not signal.SIG_IGN]
    before = [(number, signal.signal(number, handle)) for number in handled]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    if caught:
        raise SystemExit(128 + caught[0])


def watch(pid: int, gone: Callable[[], None], done: threading.Event) -> None:
    """Have `gone` called, on a thread, when the process with this id ends, unless it is `done`.

    One that is not there is that of a client on another machine, or outside of this container.
    """
    wait = _waiting(pid)
    if wait is None:
        return

    def look() -> None:
        while not done.is_set():
            if wait():
                gone()
                return

    threading.Thread(target=look, name="client", daemon=True).start()


def _waiting(pid: int) -> Callable[[], bool] | None:
    """Return a function that waits a while, and says whether a process has ended meanwhile.

    None if there is no such process.
    """
    if pid <= 0 or not _is_there(pid):
        return None
    try:
        # Linux: another process that gets the same id is not taken for it.
        process = os.pidfd_open(pid)
    except (AttributeError, OSError):
        process = None

    def wait() -> bool:
        if process is not None:
            return bool(select.select([process], [], [], _LONG_INTERVAL)[0])
        time.sleep(_INTERVAL)
        return not _is_there(pid)

    return wait


def _is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True
