"""Folders as results of jobs: their files, and the patch that leads from one to another."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from boildown.folder_text import unpacked
from boildown.jobs.events import size


def sizes(text: str) -> dict[str, int]:
    """Return the bytes of each file of a folder's text by its path."""
    return {path: size(content) for path, content in unpacked(text).items()}


def patch(before: str, after: str) -> str:
    """Return the patch, as `git apply` takes it, that leads from one folder's text to another."""
    return "".join(_hunks(unpacked(before), unpacked(after)))


def _hunks(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        names = _quoted(f"a/{path}"), _quoted(f"b/{path}")
        yield f"diff --git {names[0]} {names[1]}\n"
        if new is None:
            yield "deleted file mode 100644\n"
        elif old is None:
            yield "new file mode 100644\n"
        lines = difflib.unified_diff(
            _lines(old or ""),
            _lines(new or ""),
            "/dev/null" if old is None else names[0],
            "/dev/null" if new is None else names[1],
        )
        for line in lines:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """Return the lines as Git divides a text: at line feeds only."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _quoted(path: str) -> str:
    """Return a path as it stands in a patch: in quotes, as in C, if it has odd characters."""
    if re.fullmatch(r"[\w./+@~,=-]+", path, re.ASCII):
        return path
    data = path.encode("utf-8", "surrogateescape")
    return f'"{"".join(map(_quoted_byte, data))}"'


def _quoted_byte(byte: int) -> str:
    character = chr(byte)
    is_plain = character.isprintable() and character.isascii() and character not in '"\\'
    return character if is_plain else f"\\{byte:03o}"
