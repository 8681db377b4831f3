"""Process control of the guardian: adopts, watches and kills the processes of a run."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import contextlib
import os
import resource
import select
import signal
import sys
import time

from boildown.runner.guardian.cgroups import kill_members, members_time
from boildown.runner.guardian.linux import descendants, kill, kill_groups
from boildown.runner.guardian.messages import BoildownGone

_KILL_TIMEOUT = 5.0
"""Seconds to wait for killed processes; one that belongs to another user may not die."""
_ROOM = 1 << 14
"""Bytes without which a disk counts as full: a program can hardly write anything."""
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of the unit in which the system tells of the memory of a process that ended."""

_largest = 0
"""Bytes of the largest process that ended."""


def wake_on_signals() -> int:
    """Return a descriptor that becomes readable when a child ends."""
    readable, writable = os.pipe()
    # Python's own handler writes a byte for each signal; it must not block when nobody reads.
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    # A signal without a handler in Python writes no byte, so this one does nothing but exist.
    signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    return readable


def forget_signals() -> None:
    """In the child: no longer wake the guardian when a signal comes."""
    _signal.set_wakeup_fd(-1)


def signals_of_a_program() -> None:
    """In the child, before it becomes a program: handle the signals again that Python ignores."""
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
    """Handle a signal to end: leave the loop as if the pipe had been closed."""
    raise BoildownGone


def reap(pid: int) -> int | None:
    """Collect all children that ended; return the wait status of `pid` if it is among them."""
    # One SIGCHLD may stand for several children, and orphans that were adopted end here, too: all
    # must be collected, or they stay as zombies.
    found = None
    while True:
        try:
            ended, status = _collected()
        except ChildProcessError:
            return found
        if ended == 0:
            return found
        if ended == pid:
            found = status


def _collected() -> tuple[int, int]:
    """Collect a child that ended, if there is one; return its id, or 0, and its wait status."""
    global _largest
    # `wait4` takes the type of its answer from the module of this name, which may be the user's.
    named = sys.modules.get("resource")
    sys.modules["resource"] = resource
    try:
        pid, status, usage = os.wait4(-1, os.WNOHANG)
    finally:
        if named is None:
            del sys.modules["resource"]
        else:
            sys.modules["resource"] = named
    # Of a process and those that it has waited for itself, the largest one.
    _largest = max(_largest, usage.ru_maxrss * _MAXRSS_UNIT)
    return pid, status


def largest_process() -> int:
    """Return the bytes of the largest process that ended since this was asked before."""
    global _largest
    largest, _largest = _largest, 0
    return largest


def kill_descendants(wake: int) -> None:
    """Kill every descendant and collect them.

    Those that have left the groups of the others are stopped first, so that none can start another
    while the others are killed.
    """
    patience = time.monotonic() + _KILL_TIMEOUT
    while has_children() and time.monotonic() < patience:
        kill_members()
        kill_groups(descendants())
        # A process that starts another one while the list is made is missed in it, so the list is
        # made again until nothing is new: then all are stopped, and none can start another.
        stopped: set[int] = set()
        while fresh := descendants() - stopped:
            for pid in fresh:
                kill(pid, signal.SIGSTOP)
            stopped |= fresh
        for pid in stopped:
            kill(pid, signal.SIGKILL)
        # A killed process takes a moment to end; its SIGCHLD ends the wait. Processes that were
        # orphaned by the killing come to the guardian as its children, for the next round.
        if has_children():
            select.select([wake], [], [], 0.01)
            with contextlib.suppress(BlockingIOError):
                os.read(wake, 4096)


def has_children() -> bool:
    """Collect the children that ended; return whether others are left."""
    try:
        while _collected()[0]:
            pass
    except ChildProcessError:
        return False
    return True


def processor_time(left: float = 0.0) -> float:
    """Return the seconds of processor time that all runs so far have used.

    `left` are those of the processes that were not collected yet, as far as they can be told.
    """
    if (grouped := members_time()) is not None:
        return grouped
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime + left


def is_full(path: bytes) -> bool:
    """Say whether the disk that holds a path has less than `_ROOM` left for this user."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return False
    if disk.f_flag & os.ST_RDONLY or not disk.f_blocks:
        return False
    free = disk.f_bfree if os.geteuid() == 0 else disk.f_bavail
    return free * disk.f_frsize < _ROOM or (disk.f_files > 0 and disk.f_ffree == 0)
