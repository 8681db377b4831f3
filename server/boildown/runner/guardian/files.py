"""The guardian's directory, and the files in it, reached by descriptors only.

A run may do anything to the paths that it knows: remove the directory that it runs in and put a
link to the user's home in its place, say. So nothing here follows a path that a run could have
exchanged. The directory is held open from the moment it is made; all in it is named relative to
that descriptor; no link is ever followed, and what is not the very directory that was made is
neither written to, nor changed, nor emptied.

Removal takes no recursion and no long paths: a directory is renamed into the guardian's own
(`gone-0c5f…`), its files are unlinked, and the directories in it are renamed beside it, to be next.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import os
import stat

from boildown.runner.guardian import BASE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_OLD_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_MOST_IMPORTED = 1 << 20
"""Bytes that are read of what a run tells of its imports."""
_BATCH = 1000
"""Entries of a directory that are removed between two looks whether there is something to do."""


class Exchanged(OSError):  # noqa: N818 - says what is the case
    """A directory on the way to a file is not the one that was made."""


class Base:
    """The guardian's directory, held by its descriptor."""

    def __init__(self, path: bytes, descriptor: int) -> None:
        self.path = path
        self.descriptor = descriptor
        self._gone: list[bytes] = []

    def is_in_place(self) -> bool:
        """Say whether its path still leads to it."""
        try:
            found = os.lstat(self.path)
        except OSError:
            return False
        return os.path.samestat(found, os.fstat(self.descriptor))

    def relative(self, path: bytes) -> list[bytes]:
        """Return the names on the way from here to a path below."""
        return path[len(self.path) + 1 :].split(b"/")

    def renew(self, name: bytes) -> None:
        """Make a directory in here, or make it empty."""
        try:
            descriptor = opened(self.descriptor, name)
            try:
                if not os.listdir(descriptor):
                    return
            finally:
                os.close(descriptor)
        except OSError:
            pass
        self.make(name)

    def make(self, name: bytes) -> None:
        """Make an empty directory in here; an entry that has the name already is thrown away."""
        try:
            os.mkdir(name, 0o700, dir_fd=self.descriptor)
        except FileExistsError:
            self.throw_away(name)
            os.mkdir(name, 0o700, dir_fd=self.descriptor)

    def throw_away(self, name: bytes) -> None:
        """Take an entry out of the way at once; it is removed by `tidy`, or at the end."""
        with contextlib.suppress(FileNotFoundError):
            self.take(self.descriptor, name)

    def tidy(self, is_wanted: Callable[[], bool] = lambda: False, most: int | None = None) -> None:
        """Remove the entries that were thrown away.

        It stops as soon as there is something better to do, or after so many directories.
        """
        for _ in itertools.count() if most is None else range(most):
            if not self._gone or is_wanted():
                return
            name = self._gone.pop()
            try:
                descriptor = opened(self.descriptor, name)
            except OSError:
                unlink(name, self.descriptor)
                continue
            try:
                whole = self._emptied(descriptor, is_wanted)
            finally:
                os.close(descriptor)
            if not whole:
                self._gone.append(name)
                return
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=self.descriptor)

    def remove(self) -> None:
        """Remove it with all in it; a link that was put in its place goes, its target stays."""
        with contextlib.suppress(OSError):
            for name in os.listdir(self.descriptor):
                if os.fsencode(name) not in self._gone:
                    self.throw_away(os.fsencode(name))
        self.tidy()
        with contextlib.suppress(OSError):
            if self.is_in_place():
                os.rmdir(self.path)
            elif stat.S_ISLNK(os.lstat(self.path).st_mode):
                os.unlink(self.path)

    def take(self, parent: int, name: bytes) -> None:
        """Move an entry of a directory, of any kind, out of the way."""
        # By chance: a run, or the guardian whose directory it was, may have made any other name.
        gone = b"gone-" + os.urandom(8).hex().encode()
        try:
            os.rename(name, gone, src_dir_fd=parent, dst_dir_fd=self.descriptor)
        except PermissionError:
            # To move a directory elsewhere, one must be allowed to write into it.
            allow(parent, name)
            os.rename(name, gone, src_dir_fd=parent, dst_dir_fd=self.descriptor)
        self._gone.append(gone)

    def _emptied(self, directory: int, is_wanted: Callable[[], bool]) -> bool:
        """Unlink the files of a directory, move its subdirectories; return whether that is all."""
        with contextlib.suppress(OSError):
            os.fchmod(directory, 0o700)
        with os.scandir(directory) as entries:
            for number, entry in enumerate(list(entries), 1):
                name = os.fsencode(entry.name)
                if not entry.is_dir(follow_symlinks=False):
                    unlink(name, directory)
                else:
                    # Where it may not be moved, for it is mounted say, it stays.
                    with contextlib.suppress(OSError):
                        self.take(directory, name)
                if number % _BATCH == 0 and is_wanted():
                    return False
        return True


def make_base(temp: bytes) -> Base:
    """Make the guardian's directory, locked as long as the guardian lives."""
    name = b"%d-%s" % (os.getpid(), os.urandom(4).hex().encode())
    fresh = os.path.join(temp, b"." + BASE + name)
    path = os.path.join(temp, BASE + name)
    # It gets its name only when it is locked: between the two, another guardian that starts at the
    # same time would take it for an abandoned one. The descriptor stays open, and so does the lock.
    os.mkdir(fresh, 0o700)
    descriptor = os.open(fresh, _DIRECTORY)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(fresh, path)
    return Base(path, descriptor)


def remove_abandoned(temp: bytes) -> None:
    """Remove the directories of guardians that were killed: nobody holds their locks."""
    for name in os.listdir(temp):
        pid, _, rest = name.removeprefix(BASE).partition(b"-")
        if not (name.startswith(BASE) and pid.isdigit() and len(rest) == 8):
            continue
        path = os.path.join(temp, name)
        with contextlib.suppress(OSError):
            # Anybody may write into the directory for temporary files, so no link is followed.
            descriptor = os.open(path, _DIRECTORY)
            try:
                if os.fstat(descriptor).st_uid == os.getuid():
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    Base(path, descriptor).remove()
            finally:
                os.close(descriptor)


def write(base: Base, request: dict[str, Any]) -> None:
    """Write the candidate as a new file, or as a folder.

    Raises Exchanged where a directory on the way is another one than was made, and OSError.
    """
    with _parent(base, base.relative(request["file"])) as (parent, name):
        # An earlier run may have left something under this name.
        with contextlib.suppress(FileNotFoundError):
            base.take(parent, name)
        if "files" in request:
            _write_folder(request, name, parent)
        else:
            _write_file(request, name, parent)


@contextlib.contextmanager
def _parent(base: Base, way: list[bytes]) -> Iterator[tuple[int, bytes]]:
    """Open the directory at the end of a way from the guardian's own; give it and the last name.

    Raises Exchanged where a directory on the way is another one than was made, and OSError.
    """
    *folders, name = way
    parent = os.dup(base.descriptor)
    try:
        for folder in folders:
            parent, above = _below(parent, folder), parent
            os.close(above)
        yield parent, name
    finally:
        os.close(parent)


def _below(parent: int, name: bytes) -> int:
    try:
        return opened(parent, name)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.ENOENT):
            raise Exchanged(error.errno, "exchanged", name) from error
        raise


def _write_folder(request: dict[str, Any], name: bytes, parent: int) -> None:
    """Write the files of a candidate that is a folder; the command starts in it or below.

    No other process runs in it yet, so the way to a file can be followed by its path.
    """
    os.mkdir(name, 0o700, dir_fd=parent)
    root = opened(parent, name)
    try:
        made = {b""}
        for path, content, mode in request["files"]:
            _make_folders(root, os.path.dirname(path), made)
            _write_file({**request, "text": content, "mode": mode}, path, root)
        within = os.path.relpath(request["cwd"], request["file"])
        if within != b"." and not within.startswith(b"../"):
            with contextlib.suppress(OSError):
                _make_folders(root, within, made)
    finally:
        os.close(root)


def read_files(base: Base, request: dict[str, Any]) -> list[bytes]:
    """Return the files of a candidate that is a folder which the run has read.

    They are told by their times of access; where the system keeps none, there are none.
    """
    found = []
    with contextlib.suppress(OSError), _parent(base, base.relative(request["file"])) as way:
        root = opened(way[0], way[1])
        try:
            for path, content, _ in request["files"]:
                with contextlib.suppress(OSError):
                    status = os.stat(path, dir_fd=root, follow_symlinks=False)
                    if content and status.st_atime_ns:
                        found.append(path)
        finally:
            os.close(root)
    return found


def read_imported(base: Base, request: dict[str, Any]) -> bytes | None:
    """Return the list of its imports that a run was asked to write beside its folder, if it did."""
    path = request.get("imported")
    if path is None:
        return None
    with contextlib.suppress(OSError), _parent(base, base.relative(path)) as way:
        descriptor = os.open(way[1], _OLD_FILE, dir_fd=way[0])
        with open(descriptor, "rb") as file:
            return file.read(_MOST_IMPORTED)
    return None


def _make_folders(root: int, path: bytes, made: set[bytes]) -> None:
    """Make a folder and those on the way to it; `made` are those that are there already."""
    names = path.split(b"/") if path else []
    for count in range(1, len(names) + 1):
        above = b"/".join(names[:count])
        if above not in made:
            os.mkdir(above, 0o755, dir_fd=root)
            made.add(above)


def _write_file(request: dict[str, Any], name: bytes, parent: int) -> None:
    descriptor = os.open(name, _NEW_FILE, request["mode"], dir_fd=parent)
    try:
        view = memoryview(request["text"])
        while view:
            view = view[os.write(descriptor, view) :]
        if request["mtime"] is not None:
            os.utime(descriptor, (request["mtime"], request["mtime"]))
        if "files" in request:
            # Reading it is what sets the time of access, in `read_files` below.
            os.utime(descriptor, ns=(0, os.fstat(descriptor).st_mtime_ns))
    finally:
        os.close(descriptor)


def take_back(base: Base, path: bytes) -> None:
    """Remove a file that stood among others, such as a candidate."""
    with contextlib.suppress(OSError), _parent(base, base.relative(path)) as (parent, name):
        unlink(name, parent)


def opened(parent: int, name: bytes) -> int:
    """Open a directory in another one, also one that was made unreadable; no link is followed."""
    try:
        return os.open(name, _DIRECTORY, dir_fd=parent)
    except PermissionError:
        allow(parent, name)
        return os.open(name, _DIRECTORY, dir_fd=parent)


def allow(parent: int, name: bytes) -> None:
    """Give the owner all permissions on a directory in another one; no link is followed."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, 0o700, dir_fd=parent, follow_symlinks=False)
        return
    descriptor = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        os.chmod(b"/proc/self/fd/%d" % descriptor, 0o700)
    finally:
        os.close(descriptor)


def unlink(name: bytes, parent: int) -> None:
    """Remove a file in a directory; it may be gone."""
    with contextlib.suppress(OSError):
        os.unlink(name, dir_fd=parent)
