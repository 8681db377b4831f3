"""Folders as failing inputs: the files that are taken, and why others are left out.

Only regular text files are taken. Left out are what version control ignores or holds itself, hidden
files, links, installed packages, and what is larger than a limit. Of these, what the user asks for
by a glob is taken, but no link is ever followed out of the folder.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from boildown.files import FileError, read_text
from boildown.folder_text import is_packable, packed
from boildown.runner.shipment import Ignored

MOST_FILES = 20_000
MOST_BYTES = 64 << 20
"""Of all files together."""
_LEFT_OUT = frozenset({".git", "node_modules", "__pycache__", "site-packages"})
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
    """Read a folder. Globs are those of `.gitignore`, and start at the folder.

    What `include` matches is taken although it is hidden, ignored, binary, or a link within the
    folder, and then nothing else is. Raises FileError if there is nothing to take, or too much.
    """
    given, root = root, Path(os.path.abspath(root))
    if root == root.parent:
        raise FileError(f"{given} holds the whole system; name a folder in it.")
    reasons: Counter[str] = Counter()
    contents: dict[str, str] = {}
    room = MOST_BYTES
    for path, asked in sorted(_chosen(root, include, exclude, reasons)):
        try:
            contents[path] = _content(root, path, room, asked=asked)
        except _Unfit as why:
            reasons[str(why)] += 1
        else:
            room -= len(contents[path])
    if not contents:
        raise FileError(f"There is no file to reduce in {given}{_why(reasons)}.")
    text = packed(contents.items())
    return FolderInput(root, tuple(contents), text, root, tuple(reasons.items()))


def read_files(paths: Sequence[Path], cwd: Path) -> FolderInput:
    """Read some files as a folder: that of the working directory, if it holds them all.

    Raises FileError if one of them cannot be taken.
    """
    whole = [Path(os.path.abspath(cwd / path)) for path in paths]
    inside = all(path.is_relative_to(cwd) for path in whole)
    root = cwd if inside else Path(os.path.commonpath([path.parent for path in whole]))
    contents: dict[str, str] = {}
    room = MOST_BYTES
    for path in sorted(set(whole)):
        if os.path.isdir(path):
            raise FileError(f"{path} is a folder; name one folder, or files only.")
        if not os.path.exists(path):
            raise FileError(f"There is no file {path}.")
        name = path.relative_to(root).as_posix()
        try:
            contents[name] = _content(root, name, room, asked=True)
        except _Unfit as why:
            raise FileError(f"{path} can't be a part of the input: {why}.") from None
        room -= len(contents[name])
    return FolderInput(root, tuple(contents), packed(contents.items()), cwd / whole[0].stem)


def write_folder(target: Path, files: Iterable[tuple[str, str]], root: Path) -> None:
    """Write files below a new folder, with the permissions that they have below `root`.

    The folder appears as a whole or not at all. Raises FileError.
    """
    scratch = target.with_name(f".{target.name}.boildown-{os.getpid()}")
    for left in target.parent.glob(f".{glob.escape(target.name)}.boildown-*"):
        # By a process that was killed right then.
        shutil.rmtree(left, ignore_errors=True)
    try:
        scratch.mkdir(parents=True)
        for path, content in files:
            place = scratch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            # Where the file system takes two of the names for one, neither is lost silently.
            with place.open("xb") as file:
                file.write(content.encode("utf-8", "surrogateescape"))
            if os.access(root / path, os.X_OK):
                place.chmod(place.stat().st_mode | stat.S_IXUSR)
        scratch.rename(target)
    except OSError as error:
        shutil.rmtree(scratch, ignore_errors=True)
        raise FileError(f"The folder {target} can't be written: {error.strerror}.") from None


class _Unfit(Exception):  # noqa: N818 - says what is the case
    """A file that cannot be taken; the message says why, in a few words."""


def _content(root: Path, path: str, room: int, *, asked: bool) -> str:
    """Return the content of a file; one that was not asked for must be text.

    Raises _Unfit, and FileError where there is no room of so many characters.
    """
    place = root / path
    if not is_packable(path):
        raise _Unfit("a name with a line break or a separator")
    if place.is_symlink() and not Path(os.path.realpath(place)).is_relative_to(root.resolve()):
        raise _Unfit("links out of the folder")
    try:
        status = place.stat()
        # To read anything else, such as a pipe, may take for ever.
        if not stat.S_ISREG(status.st_mode):
            raise _Unfit("no regular files")
        content = read_text(place) if status.st_size <= room else None
    except (FileError, OSError):
        raise _Unfit("not readable") from None
    if content is None:
        raise FileError(
            f"{root} holds more than {MOST_BYTES >> 20} MB; name the part that fails, or leave"
            " files out with --exclude GLOB."
        )
    if not asked and content.count("\0") * 100 > len(content):
        raise _Unfit("binary")
    return content


def _chosen(
    root: Path, include: Sequence[str], exclude: Sequence[str], reasons: Counter[str]
) -> Iterator[tuple[str, bool]]:
    """Yield the paths of the files to take, and whether `include` asks for them.

    The others are counted by reason.
    """
    is_ignored = Ignored(root)
    is_included, is_excluded = _matcher(include), _matcher(exclude)
    # What tools have filled is entered only where a glob names it.
    named = {part for glob in include for part in glob.split("/")}
    folders = [PurePosixPath()]
    count = 0
    while folders:
        folder = folders.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            reasons["not readable"] += 1
            continue
        if not entries and folder.parts:
            reasons["empty folders"] += 1
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            is_link = entry.is_symlink()
            asked = is_included(path, is_folder)
            if is_excluded(path, is_folder):
                reasons["excluded"] += 1
            elif is_folder:
                if entry.name not in named and _is_filled(root / path):
                    reasons["repositories, installed packages and caches"] += 1
                elif entry.name.startswith(".") and not include:
                    reasons["hidden"] += 1
                elif is_ignored(path.parts) and not include:
                    reasons["ignored by Git"] += 1
                else:
                    folders.append(path)
            elif is_link and (not asked or entry.is_dir()):
                reasons["links"] += 1
            elif not is_link and not entry.is_file():
                reasons["no regular files"] += 1
            elif include and not asked:
                reasons["not included"] += 1
            elif entry.name.startswith(".") and not asked:
                reasons["hidden"] += 1
            elif not asked and is_ignored(path.parts):
                reasons["ignored by Git"] += 1
            else:
                count += 1
                if count > MOST_FILES:
                    raise FileError(
                        f"{root} holds more than {MOST_FILES:,} files; name the part that fails, or"
                        " leave files out with --exclude GLOB."
                    )
                yield path.as_posix(), asked


def _is_filled(folder: Path) -> bool:
    """Say whether tools have filled a folder, and no person."""
    return folder.name in _LEFT_OUT or os.path.exists(folder / "pyvenv.cfg")


def _matcher(globs: Sequence[str]) -> Callable[[PurePosixPath, bool], bool]:
    """Return whether one of some globs matches a path, of a folder or of a file.

    Raises FileError for what is no glob.
    """
    import pathspec

    try:
        spec = pathspec.GitIgnoreSpec.from_lines(globs)
    except ValueError as error:
        raise FileError(f"This is no glob: {error}.") from None
    return lambda path, is_folder: spec.match_file(f"{path}/" if is_folder else str(path))


def _why(reasons: Counter[str]) -> str:
    if not reasons:
        return ""
    told = ", ".join(f"{reason} ({count})" for reason, count in reasons.items())
    return f"; left out are {told}"
