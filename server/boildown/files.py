"""The user's files: read without loss, written as a whole or not at all.

Bytes that are not UTF-8 travel as surrogate escapes and come out as they went in.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

import platformdirs

_DIGEST = 16
"""Bytes of a digest."""
MOST_BYTES = 1_000_000_000
"""Bytes of the largest file, and of standard input, that is read: its text takes several times as
much memory, and a mistaken one must not take all."""
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)
_KINDS = ((stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
"""The kinds of files that may never end, by their names; all others are devices."""


class FileError(Exception):
    """A file that can't be read or written; the message says which and why.

    >>> try:
    ...     reduce_file("none.json", "false")
    ... except FileError as error:
    ...     print(error)
    There is no file ...none.json.
    """


def read_text(path: Path) -> str:
    """Return the text of a file, line ends and undecodable bytes as they are.

    Raises FileError.
    """
    return read_bytes(path).decode("utf-8", "surrogateescape")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Return the content of a regular file, or so many bytes from its start.

    All else is refused before anything is read of it, for a device or a pipe may never end; of a
    file that grows it is the content at the start. Raises FileError.
    """
    try:
        _check_regular(path, path.stat())
        # The path may lead elsewhere by now; to open a pipe must not wait for its writer.
        with open(os.open(path, os.O_RDONLY | _NO_WAITING), "rb") as file:
            status = os.fstat(file.fileno())
            _check_regular(path, status)
            if most is None and status.st_size > MOST_BYTES:
                raise FileError(f"{path} is larger than {MOST_BYTES:,} bytes.")
            return file.read(status.st_size if most is None else min(most, status.st_size))
    except FileNotFoundError:
        raise FileError(f"There is no file {path}.") from None
    except PermissionError:
        raise FileError(f"You have no permission to read {path}.") from None
    except (OSError, ValueError) as error:
        raise FileError(f"{path} can't be read: {reason(error)}.") from None


def read_piped(stream: BinaryIO) -> str:
    """Return the text of standard input, as that of a file. Raises FileError if it is endless."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileError(
            f"Standard input gives more than {MOST_BYTES:,} bytes; lead a shorter one there."
        )
    return data.decode("utf-8", "surrogateescape")


def check_name(path: Path) -> None:
    """Check that the system can look for a file, be it there or not. Raises FileError."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        raise FileError(f"{path} can't be used: {reason(error)}.") from None


def reason(error: OSError | ValueError) -> str:
    """Return why a path can't be used: the system's words, or that it is none at all."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"it is no path ({error})"


def _check_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise FileError(f"{path} is a folder; name a file in it.")
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for is_one, name in _KINDS if is_one(status.st_mode)), "device")
        raise FileError(
            f"{path} is not a regular file, but a {kind}. Copy its content into a file first, or"
            " lead an input to standard input and name it -."
        )


def write_text(path: Path, text: str) -> None:
    """Write a file atomically: it holds either its old content or the whole text.

    An existing file keeps its permissions; a link is followed. Into what is no regular file (a
    device, a pipe, `/dev/stdout`) the text is written. Raises FileError.
    """
    check_name(path)
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X}"
        raise FileError(f"{path} can't be written: it has half a character, {half}.") from None
    if _is_special(path):
        _write_into(path, data)
        return
    target = Path(os.path.realpath(path))
    # Before, for the write may be the last thing that happens.
    # If not, it is asked for confirmation then, nothing worse.
    with contextlib.suppress(OSError, ValueError, FileError):
        _remember(target, data)
    try:
        mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()
        replace_file(target, data, stat.S_IMODE(mode))
    except (OSError, ValueError) as error:
        raise FileError(f"{path} can't be written: {reason(error)}.") from None


def replace_file(target: Path, data: bytes, mode: int, sync: bool = True) -> None:
    """Make a file, in place of the one that is there, if any; no half of it is ever seen, or left.

    `sync` says whether to wait until it would outlast a power cut. Raises OSError.
    """
    handle, scratch = _begun(target)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if sync:
                os.fsync(handle)
            if scratch is None:
                os.fchmod(handle, mode)
                scratch = _named(handle, target)
            else:
                os.chmod(scratch, mode)
        os.replace(scratch, target)
    except OSError:
        if scratch is not None:
            with contextlib.suppress(OSError):
                os.unlink(scratch)
        raise


def _begun(target: Path) -> tuple[int, str | None]:
    """Open a new file beside another, without a name where there is such a thing; else with one."""
    if hasattr(os, "O_TMPFILE") and os.path.exists("/proc/self/fd"):
        with contextlib.suppress(OSError):
            return os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600), None
    return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)


def _named(handle: int, target: Path) -> str:
    """Give a file without a name one beside another file; return its path."""
    scratch = str(target.with_name(f".{target.name}.{secrets.token_hex(4)}"))
    # With a folder given, the link that /proc has for the file is followed.
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{handle}", scratch, dst_dir_fd=folder)
    finally:
        os.close(folder)
    return scratch


def _is_special(path: Path) -> bool:
    """Say whether a path leads to something that must not be replaced by a file.

    What stands behind `/dev/stdout` may be a regular file, but others have it open.
    """
    whole = os.path.abspath(path)
    if whole.startswith(("/dev/", "/proc/")) and not whole.startswith("/dev/shm/"):
        return os.path.exists(whole)
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def _write_into(path: Path, data: bytes) -> None:
    try:
        with open(os.open(path, os.O_WRONLY), "wb") as file:
            file.write(data)
    except OSError as error:
        raise FileError(f"{path} can't be written: {error.strerror}.") from None


def is_replaceable(path: Path) -> bool:
    """Say whether nothing of the user's is lost when a file is written over.

    That is so where there is none, where it is no regular file, and where it still holds what
    Boildown wrote there last: digests of that are kept in the user's state folder.
    """
    if not os.path.lexists(path) or _is_special(path):
        return True
    target = Path(os.path.realpath(path))
    try:
        known = _memory(target).read_bytes()
        return _digest(read_bytes(target)) in (known[:_DIGEST], known[_DIGEST:])
    except (OSError, FileError):
        return False


def _remember(target: Path, data: bytes) -> None:
    """Take note that a file is to have another content: from now on either may be there."""
    digests = _digest(data)
    if os.path.lexists(target) and is_replaceable(target):
        digests += _digest(read_bytes(target))
    memory = _memory(target)
    memory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(memory, digests, 0o600, sync=False)


def _memory(target: Path) -> Path:
    name = hashlib.blake2b(os.fsencode(target), digest_size=16).hexdigest()
    return platformdirs.user_state_path("boildown") / "written" / name


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_DIGEST).digest()


def backup(path: Path) -> Path:
    """Copy a file beside itself under a free name that ends in `.orig`; return the copy's path.

    Raises FileError.
    """
    copy = free_path(path, path.name + "{}.orig")
    try:
        shutil.copy2(path, copy)
    except OSError as error:
        raise FileError(f"{path} can't be copied to {copy}: {reason(error)}.") from None
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
        return os.path.isfile(path) and read_bytes(path) == wanted
    except FileError:
        return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
