"""What only Linux has for process control: subreapers, and what `/proc` tells of processes.

Elsewhere each function does nothing, or says that nothing is known, and a run's process group is
all that is killed and measured. `BOILDOWN_PORTABLE=1`
has Linux do without, too, so that tests can show what another system does.

This module is imported by Boildown itself, on every system, and by its guardians.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

IS_LINUX = sys.platform == "linux" and not os.environ.get("BOILDOWN_PORTABLE")
"""Whether what only Linux has is used."""
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_libc: Any = None


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    global _libc
    if not IS_LINUX:
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


def die_with_parent(number: int | None = None) -> None:
    """Have this process get a signal, by default SIGKILL, when its parent ends; 0 undoes it."""
    if _libc is not None:
        number = signal.SIGKILL if number is None else number
        _libc.prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def be_killed_first() -> None:
    """Have Linux kill the runs, which inherit this, first if the machine runs out of memory.

    The largest of them comes before the guardian, and all of them before the editor.
    """
    if not IS_LINUX:
        return
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def kill(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def kill_groups(pids: Iterable[int]) -> None:
    """Kill the process groups of some processes, but for this process's own.

    All of a group are killed at once, so that none of them can start another meanwhile.
    """
    groups: set[int] = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            groups.add(os.getpgid(pid))
    for group in groups - {os.getpgid(0)}:
        kill_group(group)


def kill_group(leader: int) -> None:
    """Kill the process group that a process leads or led."""
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)


def descendants() -> set[int]:
    """Return the ids of all processes below this one, none away from Linux."""
    if not IS_LINUX:
        return set()
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
    for name in os.listdir("/proc"):
        try:
            table.setdefault(int(_fields(f"/proc/{name}")[1]), []).append(int(name))
        except (OSError, ValueError, IndexError):
            continue
    return table


def look_at(group: int) -> tuple[int, float, bool]:
    """Return the memory and the processor time of a run's processes, and whether one waits.

    These are the bytes that all descendants hold for themselves, and the seconds of processor time
    of those that are left and of those that they have waited for. One waits that could run or is
    stopped. Away from Linux it is the processes of a group that count, with pages that are shared
    counted once for each process, as `ps` lists them; nothing is known where there is no `ps`.
    """
    if not IS_LINUX:
        return _listed(group)
    pages, ticks, waits = 0, 0, False
    for pid in descendants():
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{pid}/statm", "rb") as file:
                _, resident, shared = file.read().split()[:3]
            # Pages that a fork shares with its parent would otherwise count once for each process.
            pages += int(resident) - int(shared)
            told = _fields(f"/proc/{pid}")
            ticks += sum(map(int, told[11:15]))
            waits = waits or told[0] in _WAITING or (int(told[17]) > 1 and _has_waiting_thread(pid))
    return pages * os.sysconf("SC_PAGE_SIZE"), ticks / os.sysconf("SC_CLK_TCK"), waits


_WAITING = (b"R", b"T")
"""The states of a process that could run, and of one that is stopped."""


def _fields(process: str) -> list[bytes]:
    """Return the fields of `stat` of a process or a thread, from its state on. Raises OSError."""
    with open(f"{process}/stat", "rb") as file:
        # The name of the program stands in parentheses and may hold any character, these too:
        # fields are counted from the last closing one.
        return file.read().rpartition(b")")[2].split()


def _has_waiting_thread(pid: int) -> bool:
    tasks = f"/proc/{pid}/task"
    return any(_fields(f"{tasks}/{task}")[0] in _WAITING for task in os.listdir(tasks))


def _listed(group: int) -> tuple[int, float, bool]:
    readable, writable = os.pipe()
    try:
        # The guardian collects it, as all of its children.
        actions = [(os.POSIX_SPAWN_DUP2, writable, 1)]
        arguments = ["ps", "-A"]
        for column in ("pgid", "rss", "time", "state"):
            arguments += ["-o", f"{column}="]
        os.posix_spawn("/bin/ps", arguments, os.environ, file_actions=actions)
    except OSError:
        return 0, 0.0, False
    finally:
        os.close(writable)
        with open(readable, "rb") as file:
            rows = [line.split() for line in file]
    ours = [row[1:] for row in rows if int(row[0]) == group]
    # Memory is in kilobytes.
    memory = sum(int(row[0]) for row in ours) << 10
    return memory, sum(_seconds(row[1]) for row in ours), any(r[2][:1] in _WAITING for r in ours)


def _seconds(told: bytes) -> float:
    """Read a time as `ps` writes it: `2-03:04:05` with days, or `4:05.67`."""
    days, _, clock = told.rpartition(b"-")
    seconds = 0.0
    for part in clock.split(b":"):
        seconds = 60 * seconds + float(part)
    return 86400 * int(days or 0) + seconds


def state(pid: int) -> bytes:
    """Return the letter of a process's state, such as `T` for stopped; empty if it is not known."""
    if IS_LINUX:
        with contextlib.suppress(OSError):
            return _fields(f"/proc/{pid}")[0]
    return b""


def processor_use(pid: int) -> tuple[float, bool]:
    """Return the seconds of processor time of a process, and whether it wants a processor now.

    Zero and False if it is gone. Away from Linux `ps` tells.
    """
    if IS_LINUX:
        try:
            told = _fields(f"/proc/{pid}")
        except OSError:
            return 0.0, False
        return sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK"), told[0] == b"R"
    with os.popen(f"/bin/ps -o state= -o time= -p {pid}") as file:
        shown = file.read().encode().split()
    return (_seconds(shown[1]), shown[0][:1] == b"R") if len(shown) == 2 else (0.0, False)


def held(descriptor: int, path: str) -> str:
    """Return a path to an open directory that nobody can exchange; away from Linux its own path."""
    by_descriptor = f"/proc/self/fd/{descriptor}"
    return by_descriptor if IS_LINUX and os.path.isdir(by_descriptor) else path
