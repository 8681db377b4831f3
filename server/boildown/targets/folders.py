"""Folders as failing inputs: the files that are taken, and why others are left out.

Only regular text files are taken. Left out are what version control ignores or holds itself, hidden
files, links, which are never followed, installed packages, and what is larger than a limit.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from boildown.files import FileError, read_text
from boildown.folder_text import is_packable, packed
from boildown.runner.shipment import Ignored

MOST_FILES = 20_000
MOST_BYTES = 64 << 20
"""Of all files together."""
_LEFT_OUT = frozenset({"node_modules", "__pycache__", "site-packages"})
"""Folders that tools fill, and no person."""


@dataclass(frozen=True, slots=True)
class FolderInput:
    """A folder as a failing input."""

    root: Path
    """Absolute."""
    files: tuple[str, ...]
    """The paths of the files that are taken, relative to the root, in order."""
    text: str
    """All of them as one text; see `boildown.folder_text`."""
    named: Path
    """The path that the result is named after: the root, or the first of several files."""
    left_out: tuple[tuple[str, int], ...] = ()
    """The reasons why others are not taken, each with the number of files and folders."""


def read_folder(
    root: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> FolderInput:
    """Read a folder. Globs are matched with paths relative to it, and with names.

    What `include` matches is taken although it is hidden or ignored, and then nothing else is.
    Raises FileError if there is nothing to take, or too much.
    """
    given, root = root, Path(os.path.abspath(root))
    reasons: Counter[str] = Counter()
    paths = sorted(_chosen(root, include, exclude, reasons))
    if not paths:
        raise FileError(f"There is no file to reduce in {given}{_why(reasons)}.")
    return _read(root, paths, root, reasons)


def read_files(paths: Sequence[Path], cwd: Path) -> FolderInput:
    """Read some files as a folder: that of the working directory, if it holds them all.

    Raises FileError.
    """
    whole = [Path(os.path.abspath(cwd / path)) for path in paths]
    inside = all(path.is_relative_to(cwd) for path in whole)
    root = cwd if inside else Path(os.path.commonpath([path.parent for path in whole]))
    for path in whole:
        if path.is_dir():
            raise FileError(f"{path} is a folder; name one folder, or files only.")
    paths_in_root = sorted(path.relative_to(root).as_posix() for path in whole)
    return _read(root, paths_in_root, cwd / whole[0].stem, Counter())


def write_folder(target: Path, files: Iterable[tuple[str, str]], root: Path) -> None:
    """Write files below a new folder, with the permissions that they have below `root`.

    The folder appears as a whole or not at all. Raises FileError.
    """
    scratch = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        scratch.mkdir(parents=True)
        for path, content in files:
            place = scratch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode("utf-8", "surrogateescape"))
            if os.access(root / path, os.X_OK):
                place.chmod(place.stat().st_mode | stat.S_IXUSR)
        scratch.rename(target)
    except OSError as error:
        raise FileError(f"The folder {target} can't be written: {error.strerror}.") from None


def _read(root: Path, paths: Sequence[str], named: Path, reasons: Counter[str]) -> FolderInput:
    taken = []
    size = 0
    for path in paths:
        if not is_packable(path):
            reasons["a name with a line break"] += 1
            continue
        try:
            content = read_text(root / path)
        except FileError:
            reasons["not readable"] += 1
            continue
        size += len(content)
        if size > MOST_BYTES:
            raise FileError(
                f"{root} holds more than {MOST_BYTES >> 20} MB; name the part that fails, or leave"
                " files out with --exclude GLOB."
            )
        if "\0" in content and content.count("\0") * 100 > len(content):
            reasons["binary"] += 1
            continue
        taken.append((path, content))
    text = packed(taken)
    files = tuple(path for path, _ in taken)
    return FolderInput(root, files, text, named, tuple(reasons.items()))


def _chosen(
    root: Path, include: Sequence[str], exclude: Sequence[str], reasons: Counter[str]
) -> Iterator[str]:
    """Yield the paths of the files to take; count the others by reason."""
    is_ignored = Ignored(root)
    folders = [PurePosixPath()]
    count = 0
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            reasons["not readable"] += 1
            continue
        for entry in entries:
            path = folder / entry.name
            wanted = _matches(path, include)
            if _matches(path, exclude):
                reasons["excluded"] += 1
            elif entry.is_symlink():
                reasons["links"] += 1
            elif entry.is_dir(follow_symlinks=False):
                if entry.name in _LEFT_OUT or os.path.exists(root / path / "pyvenv.cfg"):
                    reasons["installed packages and caches"] += 1
                elif entry.name == ".git" or (entry.name.startswith(".") and not include):
                    reasons["hidden"] += 1
                elif is_ignored(path.parts) and not include:
                    reasons["ignored by Git"] += 1
                else:
                    folders.append(path)
            elif not entry.is_file(follow_symlinks=False):
                reasons["no regular files"] += 1
            elif include and not wanted:
                reasons["not included"] += 1
            elif entry.name.startswith(".") and not wanted:
                reasons["hidden"] += 1
            elif is_ignored(path.parts) and not wanted:
                reasons["ignored by Git"] += 1
            else:
                count += 1
                if count > MOST_FILES:
                    raise FileError(
                        f"{root} holds more than {MOST_FILES:,} files; name the part that fails, or"
                        " leave files out with --exclude GLOB."
                    )
                yield path.as_posix()


def _matches(path: PurePosixPath, globs: Sequence[str]) -> bool:
    return any(
        fnmatchcase(str(path), glob.removesuffix("/"))
        or fnmatchcase(path.name, glob.removesuffix("/"))
        for glob in globs
    )


def _why(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    told = ", ".join(f"{reason} ({count})" for reason, count in reasons.items())
    return f"; left out are {told}"
