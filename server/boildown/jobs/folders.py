"""Folders as results of jobs: their files, and the patch that leads from one to another."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from boildown.folder_text import unpacked


def contents(text: str) -> dict[str, str]:
    """Return the files of a folder's text: their content by their path."""
    return unpacked(text)


def patch(before: str, after: str) -> str:
    """Return the patch, as `git apply` takes it, that leads from one folder's text to another."""
    return "".join(_hunks(unpacked(before), unpacked(after)))


def _hunks(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        yield f"diff --git a/{path} b/{path}\n"
        if new is None:
            yield "deleted file mode 100644\n"
        elif old is None:
            yield "new file mode 100644\n"
        lines = difflib.unified_diff(
            (old or "").splitlines(keepends=True),
            (new or "").splitlines(keepends=True),
            "/dev/null" if old is None else f"a/{path}",
            "/dev/null" if new is None else f"b/{path}",
        )
        for line in lines:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
