"""Landlock, a sandbox of Linux: a run may write only below the directories that it is given.

Linux 5.13 and later let a process give up rights on files for good, for itself and all that it
starts, without being root. The rights are those to write, truncate, make, remove, move and link;
reading stays as it was. Permissions, times and owners of files are not among them, and before Linux
6.2 neither is truncation.

The numbers are those of `linux/landlock.h`; see https://docs.kernel.org/userspace-api/landlock.html.
"""

from __future__ import annotations

import os
import stat
import struct

from boildown.runner.guardian.linux import IS_LINUX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The system calls, of the same numbers on all machines that run Python."""
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

_WRITE_FILE, _TRUNCATE, _REFER = 1 << 1, 1 << 14, 1 << 13
_CHANGE_FOLDER = sum(1 << bit for bit in range(4, 13))
"""To remove folders and files, and to make each of the seven kinds."""

DEVICES = (b"/dev/null", b"/dev/zero", b"/dev/full", b"/dev/random", b"/dev/urandom", b"/dev/tty")
"""The files that any run may write into."""


def version() -> int:
    """Return the version of Landlock that the kernel speaks, 0 for none.

    Raises no error: a Python without ctypes, or another system, has none either.
    """
    if not IS_LINUX:
        return 0
    try:
        return max(0, _call(_CREATE_RULESET, None, 0, _ASK_VERSION))
    except (ImportError, OSError):
        return 0


def restrict(paths: Iterable[bytes]) -> None:
    """Keep this process, and all that it starts, from writing elsewhere than below some paths.

    Paths that do not exist are left out. Where the kernel has no Landlock nothing is done. Raises
    OSError.
    """
    known = version()
    if not known:
        return
    rights = _rights(known)
    ruleset = _call(_CREATE_RULESET, struct.pack("=Q", rights), 8, 0)
    try:
        for path in (*paths, *DEVICES):
            _allow(ruleset, path, rights)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _rights(known: int) -> int:
    """Return the rights that are given up, of those that a version of Landlock knows."""
    rights = _WRITE_FILE | _CHANGE_FOLDER
    # Without the right to move between folders, that is forbidden everywhere.
    rights |= _REFER if known >= 2 else 0
    return rights | (_TRUNCATE if known >= 3 else 0)


def _allow(ruleset: int, path: bytes, rights: int) -> None:
    """Keep the rights on a folder and all below it, or on a file."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _WRITE_FILE | _TRUNCATE
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: Any) -> int:
    """Make a system call; numbers are passed as whole registers. Raises OSError."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    libc.syscall.restype = ctypes.c_long
    result: int = libc.syscall(ctypes.c_long(number), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _prctl(option: int, value: int) -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    zero = ctypes.c_ulong(0)
    if libc.prctl(option, ctypes.c_ulong(value), zero, zero, zero):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
