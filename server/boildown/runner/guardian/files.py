"""The guardian's directory, and the files in it."""

from __future__ import annotations

import contextlib
import fcntl
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PREFIX = b"boildown-run-"
"""What the names of guardians' directories begin with."""


def make_base(temp: bytes) -> bytes:
    """Make the guardian's directory, locked as long as the guardian lives."""
    name = b"%d-%s" % (os.getpid(), os.urandom(4).hex().encode())
    fresh = os.path.join(temp, b".boildown-run-" + name)
    base = os.path.join(temp, _PREFIX + name)
    os.mkdir(fresh, 0o700)
    fcntl.flock(os.open(fresh, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(fresh, base)
    return base


def remove_abandoned(temp: bytes) -> None:
    """Remove the directories of guardians that were killed: nobody holds their locks."""
    for name in os.listdir(temp):
        pid, _, rest = name.removeprefix(_PREFIX).partition(b"-")
        if not (name.startswith(_PREFIX) and pid.isdigit() and len(rest) == 8):
            continue
        path = os.path.join(temp, name)
        with contextlib.suppress(OSError):
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(path)
            finally:
                os.close(descriptor)


def write(request: dict[str, Any]) -> None:
    """Write the candidate."""
    path = request["file"]
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, request["mode"])
    try:
        view = memoryview(request["text"])
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)
    if request["mtime"] is not None:
        os.utime(path, (request["mtime"], request["mtime"]))


def renew(path: bytes) -> None:
    """Make a directory, or make it empty."""
    try:
        left = os.listdir(path)
    except OSError:
        left = [b""]
    if left:
        remove(path)
        os.makedirs(path, 0o700, exist_ok=True)


def remove(path: bytes) -> None:
    """Remove a directory and all in it, also what was made unreadable; ignore what is gone."""
    directories = [path]
    for directory in directories:
        try:
            os.chmod(directory, 0o700)
            entries = list(os.scandir(directory))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                directories.append(entry.path)
            else:
                unlink(entry.path)
    for directory in reversed(directories):
        with contextlib.suppress(OSError):
            os.rmdir(directory)


def unlink(path: bytes) -> None:
    """Remove a file that may be gone."""
    with contextlib.suppress(OSError):
        os.unlink(path)
