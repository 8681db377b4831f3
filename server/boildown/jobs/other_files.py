"""Finds the files beside an input that its law or its pattern explains."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from boildown.files import FileError, read_text
from boildown.jobs.generalize import Generalized
from boildown.languages import load_language
from boildown.runner.shipment import Ignored

MOST_FILES = 500
"""Files that are looked at, at most."""
LONGEST_FILE = 200_000
"""Bytes of the longest file that is read."""
MOST_SEEN = 20_000
"""Names of files that are looked at before the search for more ends."""
_NOT_THEIRS = ("node_modules", "__pycache__")
"""Folders of what others wrote, or what was made."""


@dataclass(frozen=True, slots=True)
class OtherFiles:
    """The files that a law or a pattern explains, of those that were looked at."""

    explained: tuple[Path, ...]
    """In the order of their paths."""
    looked_at: int
    finished: bool
    """False if there may be more files than were looked at."""


def other_files(
    found: Generalized, file: Path, folder: Path, opened: Mapping[Path, str]
) -> OtherFiles:
    """Look at the files of a folder with the suffix of the input's own, but not at that.

    What stands in folders with a dot, what `.gitignore` names and what is long is left out;
    `opened` are texts that count in place of those on disk.
    """
    language = load_language(found.language)
    law, pattern = found.pattern.law, found.pattern
    explained: list[Path] = []
    looked_at = 0
    files = _alike(file, folder)
    for path in files:
        if looked_at == MOST_FILES:
            return OtherFiles(tuple(explained), looked_at, finished=False)
        with suppress(FileError, OSError):
            if path not in opened and path.stat().st_size > LONGEST_FILE:
                continue
            text = opened[path] if path in opened else read_text(path)
            looked_at += 1
            if language.valid(text) and (
                (law is not None and law.matches(text))
                or (pattern.is_general and pattern.matches(text))
            ):
                explained.append(path)
    return OtherFiles(tuple(explained), looked_at, finished=True)


def _alike(file: Path, folder: Path) -> Iterator[Path]:
    """Yield the files below a folder with the suffix of a file, in the order of their paths."""
    ignored, seen = Ignored(folder), 0
    for name, folders, files in os.walk(folder):
        here = Path(name)
        parts = here.relative_to(folder).parts
        folders[:] = sorted(
            each
            for each in folders
            if not each.startswith(".") and each not in _NOT_THEIRS and not ignored((*parts, each))
        )
        for each in sorted(files):
            seen += 1
            if seen > MOST_SEEN:
                return
            path = here / each
            if path.suffix == file.suffix and path != file and not ignored((*parts, each)):
                yield path
