"""The workspace of a test command: found, mirrored for overlays, and watched for changes."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import os
import shutil
import stat
import tempfile
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import IO

import platformdirs

from boildown.runner.command import TestCommand
from boildown.runner.guardian import BASE

_REPOSITORIES = (".git", ".hg", ".svn")
_PROJECT_FILES = (
    *("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "boildown.toml"),
    *("package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "CMakeLists.txt"),
)
_CACHE_FOLDERS = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
"""Folders that tools fill for themselves: a mirror goes without them."""
_LINKED_FOLDERS = frozenset({*_REPOSITORIES, "node_modules", ".tox", ".nox", "site-packages"})
"""Folders that are linked instead of copied: large, and nothing that a candidate's run changes."""
_COPIED_FILE_LIMIT = 1 << 20
"""Bytes; a larger file is linked."""
_COPIES_LIMIT = 64 << 20
"""Bytes of all copies together; what comes after is linked."""
_KEPT_LIMIT = 256 << 20
"""Bytes; a larger input is not kept to be put back."""
_IN_MEMORY = 1 << 20
"""Bytes; a larger copy is on disk."""
_ENTRIES_LIMIT = 10_000
"""Files and folders in a mirror, or looked at for changes."""


def workspace_of(command: TestCommand) -> Path:
    """Return the workspace: the folder that holds all a run may need.

    That is the nearest one above the original with a repository, else with a project file, else
    the command's own directory.
    """
    if command.workspace is not None:
        return command.workspace
    original = command.input_path
    for names in (_REPOSITORIES, _PROJECT_FILES):
        for folder in original.parents:
            if any(os.path.exists(folder / name) for name in names):
                return folder
    return command.cwd if original.is_relative_to(command.cwd) else original.parent


@dataclass(frozen=True, slots=True)
class Mirror:
    """A copy of a workspace in which the candidate stands in the original's place."""

    workspace: Path
    root: Path
    held: frozenset[Path] | None = None
    """Where the candidate is all of it, a folder: what may be in it, relative to it."""

    def path(self, path: Path) -> Path:
        """Return the mirror's copy of a path, or the path itself if the mirror does not hold it."""
        try:
            relative = path.relative_to(self.workspace)
        except ValueError:
            return path
        inner = self.root / relative
        if self.held is not None:
            return inner if relative in self.held else path
        return inner if os.path.lexists(inner) and not self._leads_out(inner) else path

    def argument(self, part: str) -> str:
        """Return an argument of the command with an absolute path turned into the mirror's."""
        return str(self.path(Path(part))) if os.path.isabs(part) else part

    def _leads_out(self, inner: Path) -> bool:
        """Say whether a link to the real workspace lies on the way."""
        return any(
            folder.is_symlink() for folder in inner.parents if folder.is_relative_to(self.root)
        )


def folder_mirror(command: TestCommand, root: Path) -> Mirror:
    """Return the mirror whose files each run of a command gets anew, as its candidate."""
    files = [PurePath(path) for path in command.files]
    held = {above for path in files for above in (path, *path.parents)}
    return Mirror(command.input_path, root, frozenset(map(Path, held)))


def make_mirror(
    workspace: Path,
    original: Path,
    root: Path,
    shared: Collection[Path] = (),
    scratch: Collection[str] = (),
) -> Mirror:
    """Mirror a workspace at `root`, which must not exist, without the files that are `scratch`.

    Links lead to the `shared` paths.

    Files are copied, so that a run can neither write into the user's files nor find its way back
    to the original by resolving links. Large files and folders such as `.git`, `node_modules` and
    virtual environments are linked, and so are other file systems, such as `/proc`. The folders
    above the original are always real. Directories of runs are left out, where `TMPDIR` lies in the
    workspace: the mirror is in one of them itself.
    """
    above = {folder for folder in original.parents if folder.is_relative_to(workspace)}
    queue = deque([workspace])
    device = os.stat(workspace).st_dev
    copied = count = 0
    while queue:
        folder = queue.popleft()
        inner = root / folder.relative_to(workspace)
        inner.mkdir(parents=folder == workspace)
        for entry in _entries(folder):
            path, target = Path(entry.path), inner / entry.name
            count += 1
            full = count > _ENTRIES_LIMIT or copied > _COPIES_LIMIT
            is_left_out = path == original or os.path.relpath(path, workspace) in scratch
            if is_left_out or _is_no_concern(entry.name):
                continue
            if path in shared:
                target.symlink_to(path)
            elif entry.is_symlink():
                _link_again(path, target, workspace)
            elif (status := _status(entry)) is None:
                continue
            elif stat.S_ISDIR(status.st_mode):
                elsewhere = status.st_dev != device
                if path not in above and (full or elsewhere or _is_linked(path)):
                    target.symlink_to(path)
                else:
                    queue.append(path)
            elif stat.S_ISREG(status.st_mode):
                size = status.st_size
                if full or size > _COPIED_FILE_LIMIT or not _copied(path, target):
                    target.symlink_to(path)
                else:
                    copied += size
    return Mirror(workspace, root)


def _is_no_concern(name: str) -> bool:
    """Say whether an entry has a name of what is neither mirrored nor watched for changes."""
    return name in _CACHE_FOLDERS or name.removeprefix(".").startswith(os.fsdecode(BASE))


def _is_linked(folder: Path) -> bool:
    return folder.name in _LINKED_FOLDERS or os.path.exists(folder / "pyvenv.cfg")


def _copied(path: Path, target: Path) -> bool:
    try:
        shutil.copy2(path, target)
    except PermissionError:
        target.unlink(missing_ok=True)
        return False
    return True


def _link_again(path: Path, target: Path, workspace: Path) -> None:
    """Copy a link: one inside the workspace stays so, another goes on to where it went."""
    to = os.readlink(path)
    whole = os.path.normpath(os.path.join(path.parent, to))
    inside = not os.path.isabs(to) and Path(whole).is_relative_to(workspace)
    target.symlink_to(to if inside else whole)


def _entries(folder: Path, most: int | None = None) -> list[os.DirEntry[str]]:
    """Return the sorted entries of a folder; none if it cannot be read or has more than `most`."""
    try:
        with os.scandir(folder) as found:
            entries = list(found if most is None else itertools.islice(found, most + 1))
    except OSError:
        return []
    if most is not None and len(entries) > most:
        return []
    return sorted(entries, key=lambda entry: entry.name)


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return the status of an entry, or of a link itself; None if it is gone or hidden."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class KeptInput:
    """The user's input as it was before the first run, should a run change or remove it."""

    path: Path
    copy: IO[bytes] | None
    """None if there is no such file, or if it is too large to keep."""
    digest: bytes = b""
    mode: int = 0o644
    """The permissions that it had."""

    def put_back(self) -> str | None:
        """Restore the file if a run has removed it; return a sentence if it has changed.

        One that is gone or was emptied is written again. Another one stays as it is, for the user
        may have changed it meanwhile, and what it was is kept in the user's state folder.
        """
        if self.copy is None:
            return None
        try:
            return self._put_back(self.copy)
        except OSError as error:
            return f"{self.path} has changed while the test command ran ({error})."

    def forget(self) -> None:
        """Remove the copy; the file can't be restored any more."""
        if self.copy is not None:
            self.copy.close()

    def _put_back(self, copy: IO[bytes]) -> str | None:
        if self.digest == _digest(self.path):
            return None
        copy.seek(0)
        if self._is_gone():
            # Written as a new file: what a run put there instead may be a link.
            self.path.unlink(missing_ok=True)
            with self.path.open("xb") as file:
                shutil.copyfileobj(copy, file)
            self.path.chmod(self.mode)
            return f"The test command removed or emptied {self.path}; it is there again."
        kept = platformdirs.user_state_path("boildown") / "kept"
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept /= f"{self.digest.hex()}-{self.path.name}"
        with open(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            shutil.copyfileobj(copy, file)
        return (
            f"{self.path} has changed while the test command ran, by the command or by "
            f"somebody else. It stays; its content from before is in {kept}."
        )

    def _is_gone(self) -> bool:
        """Say whether there is no file any more, or an empty one in place of its content."""
        try:
            found = self.path.lstat()
        except FileNotFoundError:
            return True
        return stat.S_ISREG(found.st_mode) and found.st_size == 0


def keep(path: Path) -> KeptInput:
    """Keep a copy of the user's input, on disk if it is large."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > _KEPT_LIMIT:
            return KeptInput(path, None)
        copy: IO[bytes] = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed at the end
        with path.open("rb") as file:
            try:
                shutil.copyfileobj(file, copy)
            except OSError:
                # There is no room on the disk, or it cannot be written to.
                copy.close()
                file.seek(0)
                copy = io.BytesIO(file.read())
    except OSError:
        return KeptInput(path, None)
    return KeptInput(path, copy, _digest(path), stat.S_IMODE(found.st_mode))


def _digest(path: Path) -> bytes:
    """Return a digest of the content of a file; nothing if there is no such file."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b""
        with path.open("rb") as file:
            digest = hashlib.blake2b(digest_size=16)
            while block := file.read(1 << 20):
                digest.update(block)
            return digest.digest()
    except OSError:
        return b""


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Return time and size of the files below a folder, as far as they are few enough to look at.

    Repositories, caches, installed packages, directories of runs, other file systems (such as
    `/proc` or a disk on the network) and folders with very many entries are left out. Of a folder
    that holds more than projects, such as `/`, only the files that it holds itself are looked at.
    Files that this process writes, such as one that its output was redirected into, are no concern
    of a run's.
    """
    own = _own_outputs()
    return {
        path: (status.st_mtime_ns, status.st_size)
        for path, status in _files(folder)
        if (status.st_dev, status.st_ino) not in own
    }


def is_small(folder: Path, found: Mapping[str, tuple[int, int]]) -> bool:
    """Say whether a folder, with these files, is small enough for a copy for each worker."""
    return (
        not _is_shared(folder)
        and len(found) < _ENTRIES_LIMIT // 2
        and sum(size for _, size in found.values()) < _COPIES_LIMIT
    )


def _is_shared(folder: Path) -> bool:
    """Say whether a folder holds more than projects."""
    # Not as `tempfile` finds it, which writes a file first.
    temporary = os.environ.get("TMPDIR", "/tmp").rstrip("/")
    return str(folder) in ("/", os.path.expanduser("~"), temporary)


def _own_outputs() -> set[tuple[int, int]]:
    """Return device and number of each file that this process holds open for writing."""
    # Only here: Windows lacks it, and runs no test commands.
    import fcntl

    found: set[tuple[int, int]] = set()
    with contextlib.suppress(OSError):
        for name in os.listdir("/dev/fd"):
            # The descriptor of the list itself is closed again.
            with contextlib.suppress(OSError):
                number = int(name)
                if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY:
                    status = os.fstat(number)
                    found.add((status.st_dev, status.st_ino))
    return found


def _files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    queue = deque([folder])
    device = os.stat(folder).st_dev
    is_shared = _is_shared(folder)
    count = 0
    while queue and count < _ENTRIES_LIMIT:
        top = queue.popleft()
        for entry in _entries(top, _ENTRIES_LIMIT):
            count += 1
            if (status := _status(entry)) is None:
                continue
            if stat.S_ISREG(status.st_mode):
                yield os.path.relpath(entry.path, folder), status
            elif (
                stat.S_ISDIR(status.st_mode)
                and status.st_dev == device
                and not is_shared
                and not _is_no_concern(entry.name)
                and not _is_linked(Path(entry.path))
            ):
                queue.append(Path(entry.path))


def changes(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> list[str]:
    """Return the files that differ between two snapshots, sorted."""
    return sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
