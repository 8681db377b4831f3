"""What the guardian does to processes: adopt them, watch them, kill them."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import contextlib
import os
import select
import signal
import sys
import time

from boildown.runner.guardian.messages import BoildownGone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PATIENCE = 5.0
"""Seconds to wait for killed processes; one that belongs to another user may not die."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_libc: Any = None


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux only)."""
    global _libc
    if sys.platform != "linux":
        return
    try:
        import ctypes

        _libc = ctypes.CDLL(None)
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        _libc = None


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have this process get a signal when its parent ends; 0 undoes it (Linux only)."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def be_killed_first() -> None:
    """Should the machine run out of memory, have Linux end the runs, which inherit this, first.

    The largest of them comes before the guardian, and all of them before the editor.
    """
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def wake_on_signals() -> int:
    """Return a descriptor that becomes readable when a child ends."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    return readable


def forget_signals() -> None:
    """In the child: tell nobody of signals."""
    _signal.set_wakeup_fd(-1)


def signals_of_a_program() -> None:
    """In the child, before it becomes a program: undo what Python ignores."""
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_DFL)


def signals_of_python() -> None:
    """In the child, if it stays this Python: handle signals as a fresh one does.

    `signal.signal` only wraps what is called here, and touches so many pages of memory, each of
    which a fork has to copy, that it takes ten times as long.
    """
    for number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGCHLD):
        _signal.signal(number, _signal.SIG_DFL)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def leave(_number: int, _frame: object) -> None:
    """End as if the pipe had been closed."""
    raise BoildownGone


def reap(pid: int) -> int | None:
    """Collect all children that ended; return the wait status of `pid` if it is among them."""
    found = None
    while True:
        try:
            ended, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == pid:
            found = status


def kill_descendants(wake: int) -> None:
    """Kill every descendant and collect them.

    They are stopped first, so that none can start another while the others are killed.
    """
    patience = time.monotonic() + _PATIENCE
    while has_children() and time.monotonic() < patience:
        stopped: set[int] = set()
        while fresh := descendants() - stopped:
            for pid in fresh:
                kill(pid, signal.SIGSTOP)
            stopped |= fresh
        for pid in stopped:
            kill(pid, signal.SIGKILL)
        if has_children():
            select.select([wake], [], [], 0.01)
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)


def has_children() -> bool:
    """Collect the children that ended; return whether others are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def kill_group(pid: int) -> None:
    """Kill what is left of the process group that a run led."""
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def kill(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def descendants() -> set[int]:
    """Return the ids of all processes below this one, as Linux tells."""
    found: set[int] = set()
    parents = [os.getpid()]
    table = None if os.path.exists("/proc/thread-self/children") else process_table()
    while parents:
        parent = parents.pop()
        for child in listed_children(parent) if table is None else table.get(parent, ()):
            if child not in found:
                found.add(child)
                parents.append(child)
    return found


def listed_children(pid: int) -> list[int]:
    """Return the children of all threads of a process, none if it is gone."""
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def process_table() -> dict[int, list[int]]:
    """Return the children of every process, for kernels that keep no list of children."""
    table: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
            table.setdefault(parent, []).append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return table


def memory_used() -> int:
    """Return the bytes that all descendants hold for themselves, as Linux tells; else 0."""
    pages = 0
    for pid in descendants():
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                _, resident, shared = file.read().split()[:3]
            pages += int(resident) - int(shared)
        except (OSError, ValueError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")
