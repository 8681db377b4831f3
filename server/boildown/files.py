"""The user's files: read without loss, written as a whole or not at all.

Bytes that are not UTF-8 travel as surrogate escapes and come out as they went in.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from pathlib import Path


class FileError(Exception):
    """A file that can't be read or written; the message says which and why."""


def read_text(path: Path) -> str:
    """Return the text of a file, line ends and undecodable bytes as they are.

    Raises FileError.
    """
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise FileError(f"{path} is a folder; name the failing input itself.") from None
    except PermissionError:
        raise FileError(f"You have no permission to read {path}.") from None
    except OSError as error:
        raise FileError(f"{path} can't be read: {error.strerror}.") from None


def write_text(path: Path, text: str) -> None:
    """Write a file so that it holds either what it held before or the whole text.

    An existing file keeps its permissions; a link is followed. Raises FileError.
    """
    target = Path(os.path.realpath(path))
    scratch = None
    try:
        handle, scratch = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, scratch)
        else:
            os.chmod(scratch, 0o666 & ~_umask())
        os.replace(scratch, target)
    except OSError as error:
        if scratch is not None and os.path.exists(scratch):
            os.unlink(scratch)
        raise FileError(f"{path} can't be written: {error.strerror}.") from None


def backup(path: Path) -> Path:
    """Copy a file beside itself under a free name that ends in `.orig`; return the copy's path.

    Raises FileError.
    """
    copy = free_path(path, path.name + "{}.orig")
    try:
        shutil.copy2(path, copy)
    except OSError as error:
        raise FileError(f"{path} can't be copied to {copy}: {error.strerror}.") from None
    return copy


def reduced_path(path: Path, text: str) -> Path:
    """Return where the reduced text of a file goes: `crash.reduced.json` beside `crash.json`.

    A file that is there already is left alone, unless it holds this very text.
    """
    return free_path(path, f"{path.stem}.reduced{{}}{path.suffix}", text)


def free_path(path: Path, pattern: str, text: str | None = None) -> Path:
    """Return the first of `pattern` with nothing, .2, .3, ... that is free or holds the text."""
    wanted = None if text is None else text.encode("utf-8", "surrogateescape")
    for number in itertools.count(1):
        # The name may have other braces in it.
        other = path.with_name(pattern.replace("{}", "" if number == 1 else f".{number}"))
        if not os.path.lexists(other) or (wanted is not None and _holds(other, wanted)):
            return other
    raise AssertionError("numbers do not end")


def _holds(path: Path, wanted: bytes) -> bool:
    try:
        return path.is_file() and path.read_bytes() == wanted
    except OSError:
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
