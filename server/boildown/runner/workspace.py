"""The folder that a test command works in: where it begins, a mirror of it, what changed in it."""

from __future__ import annotations

import os
import shutil
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from boildown.runner.command import TestCommand

_ROOTS = (".git", ".hg", ".svn")
_PROJECTS = (
    *("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "boildown.toml"),
    *("package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "CMakeLists.txt"),
)
_CACHES = frozenset({"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})
"""Folders that tools fill for themselves: a mirror goes without them."""
_LINKED = frozenset({*_ROOTS, "node_modules", ".tox", ".nox", "site-packages"})
"""Folders that are linked instead of copied: large, and nothing that a candidate's run changes."""
_FILE_LIMIT = 1 << 20
"""Bytes; a larger file is linked."""
_COPY_LIMIT = 64 << 20
"""Bytes of all copies together; what comes after is linked."""
_COUNT_LIMIT = 10_000
"""Files and folders in a mirror, or looked at for changes."""


def workspace_of(command: TestCommand) -> Path:
    """Return the folder that holds all a run may need.

    That is the nearest one above the original with a repository, else with a project file, else
    the command's own directory.
    """
    if command.workspace is not None:
        return command.workspace
    original = command.original or command.cwd / command.name
    for names in (_ROOTS, _PROJECTS):
        for folder in original.parents:
            if any((folder / name).exists() for name in names):
                return folder
    return command.cwd if original.is_relative_to(command.cwd) else original.parent


@dataclass(frozen=True, slots=True)
class Mirror:
    """A copy of a workspace in which the candidate stands in the original's place."""

    workspace: Path
    root: Path

    def path(self, path: Path) -> Path:
        """Return where the mirror has what is at a path; what it does not hold stays outside."""
        try:
            inner = self.root / path.relative_to(self.workspace)
        except ValueError:
            return path
        return inner if os.path.lexists(inner) and not self._leads_out(inner) else path

    def argument(self, part: str) -> str:
        """Return an argument of the command with an absolute path turned into the mirror's."""
        return str(self.path(Path(part))) if os.path.isabs(part) else part

    def _leads_out(self, inner: Path) -> bool:
        """Say whether a link to the real workspace lies on the way."""
        return any(
            folder.is_symlink() for folder in inner.parents if folder.is_relative_to(self.root)
        )


def make_mirror(workspace: Path, original: Path, root: Path) -> Mirror:
    """Mirror a workspace at `root`, which must not exist.

    Files are copied, so that a run can neither write into the user's files nor find its way back
    to the original by resolving links. Large files and folders such as `.git`, `node_modules` and
    virtual environments are linked. The folders above the original are always real.
    """
    above = {folder for folder in original.parents if folder.is_relative_to(workspace)}
    queue = deque([workspace])
    copied = count = 0
    while queue:
        folder = queue.popleft()
        inner = root / folder.relative_to(workspace)
        inner.mkdir(parents=True, exist_ok=True)
        for entry in _entries(folder):
            path, target = Path(entry.path), inner / entry.name
            count += 1
            full = count > _COUNT_LIMIT or copied > _COPY_LIMIT
            if path == original or entry.name in _CACHES:
                continue
            if entry.is_symlink():
                _link_again(path, target, workspace)
            elif entry.is_dir():
                if path not in above and (full or _is_linked(path)):
                    target.symlink_to(path)
                else:
                    queue.append(path)
            elif entry.is_file():
                size = entry.stat().st_size
                if full or size > _FILE_LIMIT or not _copied(path, target):
                    target.symlink_to(path)
                else:
                    copied += size
    return Mirror(workspace, root)


def _is_linked(folder: Path) -> bool:
    return folder.name in _LINKED or (folder / "pyvenv.cfg").exists()


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


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return []


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    """Return time and size of the files below a folder, as far as they are few enough to look at.

    Repositories, caches and installed packages are left out.
    """
    return {path: (status.st_mtime_ns, status.st_size) for path, status in _files(folder)}


def _files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    queue = deque([folder])
    count = 0
    while queue and count < _COUNT_LIMIT:
        top = queue.popleft()
        for entry in _entries(top):
            count += 1
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _CACHES and not _is_linked(Path(entry.path)):
                    queue.append(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield os.path.relpath(entry.path, folder), entry.stat(follow_symlinks=False)


def changes(before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> list[str]:
    """Return the files that differ between two snapshots, sorted."""
    return sorted(
        path for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
