"""Folders as texts: all files one after the other, each with a header line that holds its path.

A folder that fails is reduced as one text, so that passes, caches, records and clusters need not
know of folders. A header is the separator of files in ASCII (U+001C), the path, and a line feed:

    ␜app.py
    import helper
    ␜helper.py
    raise ValueError

Every text is a folder: what comes before the first header is in no file, a path that leads out of
the folder makes no file, and of two files with one path the later one counts. So whatever a pass
leaves out, the rest is a smaller folder, and no candidate has to be refused.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import TypeAlias

SEPARATOR = "\x1c"
"""Begins a header. Python takes it for white space, as the order of texts does."""
_ESCAPE = "\ue01c"
"""Begins what stands for a separator in the content of a file, or for itself: private use."""
_ESCAPED = ((_ESCAPE, f"{_ESCAPE}0"), (SEPARATOR, f"{_ESCAPE}1"))
_FILE = re.compile(rf"{SEPARATOR}([^{SEPARATOR}\n]*)\n([^{SEPARATOR}]*)")

Line: TypeAlias = tuple[str, int]
"""A file of a folder, and a line of it, counted from 1."""
Place: TypeAlias = tuple[str, int, int]
"""A file, a line, and 0, or the column from 1 where a part of the line begins that is meant."""
Call: TypeAlias = tuple[Line | None, Line]
"""A line of the function that calls, None if no function does, and one of the function called."""


def packed(files: Iterable[tuple[str, str]]) -> str:
    """Return some files, given by path and content, as one text.

    Raises ValueError for a path that a text cannot hold; see `is_packable`.
    """
    parts = []
    for path, content in files:
        if not is_packable(path):
            raise ValueError(f"no header can hold the path {path!r}")
        parts += [SEPARATOR, path, "\n", _escaped(content)]
    return "".join(parts)


def is_packable(path: str) -> bool:
    """Say whether a path leads to a file below the folder, and a header can hold it."""
    # With other ways to write one path, two paths would be one file.
    inside = not {"", ".", ".."}.intersection(path.split("/"))
    return inside and not re.search(rf"[{SEPARATOR}\n\0]", path)


def sections(text: str) -> Iterator[tuple[int, str, int, int]]:
    """Yield the files of a text in order: start of the header, path, start and end of the content.

    They are offsets in code points. What is no header line belongs to the content before it.
    """
    for match in _FILE.finditer(text):
        yield match.start(), match[1], match.start(2), match.end()


def unpacked(text: str) -> dict[str, str]:
    """Return the files of a text: their content by their path.

    Where one path is a folder on the way to another, the file makes way.

    >>> unpacked(packed([("a.c", "int a;"), ("sub/b.h", "")]))
    {'a.c': 'int a;', 'sub/b.h': ''}
    """
    files = {
        path: _unescaped(text[start:end])
        for _, path, start, end in sections(text)
        if is_packable(path)
    }
    folders = {path[: match.start()] for path in files for match in re.finditer("/", path)}
    return {path: content for path, content in files.items() if path not in folders}


def _escaped(content: str) -> str:
    for plain, escaped in _ESCAPED:
        content = content.replace(plain, escaped)
    return content


def _unescaped(content: str) -> str:
    for plain, escaped in reversed(_ESCAPED):
        content = content.replace(escaped, plain)
    return content


def ordered(text: str, last: Container[str]) -> str:
    """Return the text of the same folder with some files at the end, each in its order before.

    What is likely to go stands together then, and is left out in few steps.
    """
    files = unpacked(text).items()
    return packed(sorted(files, key=lambda file: file[0] in last))


def unlisted(text: str, listed: Container[str]) -> list[tuple[int, int, str]]:
    """Return the splices of a text without the files whose paths are not listed."""
    return [(start, end, "") for start, path, _, end in sections(text) if path not in listed]


def folder_of(path: str) -> str:
    """Return the path of the folder that a file or folder is in; nothing for that of them all."""
    return path.rpartition("/")[0]


def joined(folder: str, name: str) -> str | None:
    """Return the path that a name in a folder leads to; None if that is outside.

    >>> joined("lib/sub", "../a.h"), joined("", "../a.h")
    ('lib/a.h', None)
    """
    parts = folder.split("/") if folder else []
    for part in name.split("/"):
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
