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
from boildown.runner.guardian.messages import BoildownGone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_KILL_TIMEOUT = 5.0
"""Seconds to wait for killed processes; one that belongs to another user may not die."""
_ROOM = 1 << 14
"""Bytes without which a disk counts as full: a program can hardly write anything."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes of the unit in which the system tells of the memory of a process that ended."""

_libc: Any = None
_largest = 0
"""Bytes of the largest process that ended."""


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux only)."""
    global _libc
    if sys.platform != "linux":
        return
    try:
        # Imported here, for it is slow and not needed elsewhere; some Pythons are without it.
        import ctypes

        _libc = ctypes.CDLL(None)
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        _libc = None


def adopts_orphans() -> bool:
    """Say whether this process has become the parent of orphans."""
    return _libc is not None


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have this process get a signal when its parent ends; 0 undoes it (Linux only)."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def be_killed_first() -> None:
    """Have Linux kill the runs, which inherit this, first if the machine runs out of memory.

    The largest of them comes before the guardian, and all of them before the editor.
    """
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


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

    They are stopped first, so that none can start another while the others are killed.
    """
    patience = time.monotonic() + _KILL_TIMEOUT
    while has_children() and time.monotonic() < patience:
        kill_members()
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


def kill_group(pid: int) -> None:
    """Kill the rest of the process group that a run led."""
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
    # Only kernels that are built with CONFIG_PROC_CHILDREN keep the lists of children.
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
                # The name of the program stands in parentheses and may hold any character, these
                # too: fields are counted from the last closing one.
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
            # Pages that a fork shares with its parent would otherwise count once for each process.
            pages += int(resident) - int(shared)
        except (OSError, ValueError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")


def processor_time() -> float:
    """Return the seconds of processor time that the collected descendants have used."""
    if (grouped := members_time()) is not None:
        return grouped
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def asleep_time(now: float) -> float:
    """Return the seconds that the machine has slept: they pass on one clock only (Linux only)."""
    clock = getattr(time, "CLOCK_BOOTTIME", None)
    return 0.0 if clock is None else time.clock_gettime(clock) - now


def is_stopped() -> bool:
    """Say whether one of the descendants is stopped by a signal, as Linux tells."""
    for pid in descendants():
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
            if file.read().rpartition(b")")[2].split()[:1] == [b"T"]:
                return True
    return False


def longest_delay() -> float:
    """Return the longest that a thread of a descendant has waited for a processor, in seconds.

    Only Linux tells; a program that sleeps or waits for input waits for no processor.
    """
    longest = 0
    for pid in descendants():
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file:
                    longest = max(longest, int(file.read().split()[1]))
    return longest / 1e9


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
