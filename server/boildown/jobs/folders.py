"""Folders as results of jobs: their files, and the patch that leads from one to another."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from boildown.engine.candidates import Splice
from boildown.folder_text import sections, unpacked
from boildown.languages.idle_functions import idle_bodies


def contents(text: str) -> dict[str, str]:
    """Return the files of a folder's text: their content by their path."""
    return unpacked(text)


def idle_functions(text: str, entered: Mapping[str, frozenset[int]]) -> list[Splice]:
    """Return the splices of a folder's text that empty the functions a run did not enter.

    `entered` has the first lines of the code that was, by the file; of other files, which the run
    did not load, nothing is said.
    """
    return [
        (begin + start, begin + end, empty)
        for _, path, begin, after in sections(text)
        if path in entered
        for start, end, empty in idle_bodies(text[begin:after], entered[path])
    ]


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
