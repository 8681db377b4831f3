"""Control group of the runs of a guardian (Linux, cgroup v2): killed at once, time counted.

A process that starts others faster than they can be listed dies with all of them in one write, and
the processor time of a process counts that nobody has waited for. This needs a group of the
guardian's own that it may divide: root has it, and so has a user of systemd. Elsewhere nothing is
done here, and the guardian finds processes by their parents alone.

See https://docs.kernel.org/admin-guide/cgroup-v2.html.
"""

from __future__ import annotations

import contextlib
import os
import time

from boildown.runner.guardian.linux import IS_LINUX

_NAME = b"boildown-"
_KILL, _PROCESSES = b"cgroup.kill", b"cgroup.procs"
_REMOVALS = 20
"""How often a group is tried to be removed whose last process is just ending."""

_group: bytes | None = None
"""The folder of the group that holds the runs; None if there is none."""


def make_group() -> None:
    """Make the group of the runs below the one that the guardian is in, if it may."""
    global _group
    if not IS_LINUX:
        return
    try:
        parent = own_folder()
        _remove_abandoned(parent)
        made = os.path.join(parent, b"%s%d" % (_NAME, os.getpid()))
        os.mkdir(made)
    except (OSError, ValueError):
        return
    if all(os.access(os.path.join(made, each), os.W_OK) for each in (_KILL, _PROCESSES)):
        _group = made
    else:
        os.rmdir(made)


def join_group() -> None:
    """In the child: go into the group, with all that it will start."""
    if _group is not None:
        with contextlib.suppress(OSError):
            _write(_PROCESSES, b"0")


def kill_members() -> None:
    """Kill all processes in the group."""
    if _group is not None:
        with contextlib.suppress(OSError):
            _write(_KILL, b"1")


def members_time() -> float | None:
    """Return the seconds of processor time that were used in the group, None without a group."""
    if _group is None:
        return None
    try:
        with open(os.path.join(_group, b"cpu.stat"), "rb") as file:
            # The first line is `usage_usec`, in microseconds.
            return int(file.readline().split()[1]) / 1e6
    except (OSError, ValueError, IndexError):
        return None


def remove_group() -> None:
    """Remove the group, of which all processes have been killed."""
    global _group
    made, _group = _group, None
    if made is None:
        return
    for _ in range(_REMOVALS):
        try:
            os.rmdir(made)
            return
        except OSError:
            # A process that was killed leaves a moment after it was waited for.
            time.sleep(0.001)


def own_folder() -> bytes:
    """Return the folder of the group that this process is in. Raises OSError and ValueError."""
    with open("/proc/self/mountinfo", "rb") as file:
        mounts = [line.split() for line in file]
    # After a lone dash comes the type of the file system.
    mount = next((each[4] for each in mounts if each[each.index(b"-") + 1] == b"cgroup2"), None)
    with open("/proc/self/cgroup", "rb") as file:
        inside = next((line[3:].strip() for line in file if line.startswith(b"0::")), None)
    if mount is None or inside is None:
        raise ValueError("there is no cgroup v2")
    return os.path.join(mount, inside.lstrip(b"/"))


def _remove_abandoned(parent: bytes) -> None:
    """Remove the groups of guardians that were killed."""
    for name in os.listdir(parent):
        owner = name.removeprefix(_NAME)
        if owner != name and owner.isdigit() and not os.path.exists(b"/proc/" + owner):
            with contextlib.suppress(OSError):
                os.rmdir(os.path.join(parent, name))


def _write(name: bytes, data: bytes) -> None:
    assert _group is not None
    descriptor = os.open(os.path.join(_group, name), os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)
