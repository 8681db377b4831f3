"""The lines of a program's source files, which reports of failures name by number.

This is the one place where the judgement of a run reads files: regular ones of source code, of
limited size, and each only once as long as it does not change.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

_SOURCE = re.compile(
    r"\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|ipp|m|mm|d|zig|nim|[mc]?js|jsx|[mc]?ts|tsx|java|kts?"
    r"|scala|groovy|go|rs|pyx?|rb|php|pl|swift|cs)$",
    re.IGNORECASE,
)
"""The names of files that hold source code; no other is read, whatever an output says."""
_MOST_BYTES = 4 << 20
_LAYOUTS = ("", "src", "src/main/java", "src/test/java", "src/main/kotlin", "app/src/main/java")
"""Where projects keep the files that reports name by package, as Java's do."""


def source_line(file: str, number: int, folders: Sequence[Path] = ()) -> str:
    """Return a line of a source file, counted from 1; nothing if it cannot be read.

    A relative path is looked for in each folder and the usual places in it.
    """
    lines = _source_lines(file, folders)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def source_text(file: str) -> str:
    """Return the text of a source file as it is there; nothing if it cannot be read."""
    return next((_text(*found) for found in _found(file, ())), "")


def _source_lines(file: str, folders: Sequence[Path] = ()) -> Sequence[str]:
    return next((_lines(*found) for found in _found(file, folders)), ())


def _found(file: str, folders: Sequence[Path]) -> Iterator[tuple[str, int, int]]:
    """Yield the regular files that a name may stand for, each with its time and size."""
    if _SOURCE.search(file) is None:
        return
    for path in _paths(file.removeprefix("file://"), folders):
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(status.st_mode) and status.st_size <= _MOST_BYTES:
            yield path, status.st_mtime_ns, status.st_size


def _paths(file: str, folders: Sequence[Path]) -> Iterator[str]:
    if os.path.isabs(file):
        yield file
        return
    for folder in folders:
        for layout in _LAYOUTS:
            yield os.path.join(folder, layout, file)


@lru_cache(maxsize=64)
def _lines(path: str, changed: int, size: int) -> list[str]:
    """Return the lines of a file; its time and size tell a changed file from the cached one."""
    return re.split(r"\r\n?|\n", _text(path, changed, size))


def _text(path: str, _changed: int, _size: int) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return ""
