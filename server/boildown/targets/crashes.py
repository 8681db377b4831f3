"""Folders of failing inputs as fuzzers leave them: which of their files are inputs.

AFL and its successors write `crashes/id:000000,sig:11,src:…` beside a README.txt, in one folder for
each instance, next to the queues, whose files have such names as well. libFuzzer and what is built
on it, such as Atheris, write `crash-` and the SHA-1 of the input into any folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from boildown.files import FileError

_AFL = re.compile(r"id[:_]\d{6,}")
_AFL_FOLDER = re.compile(r"crashes(?:\.|$)")
_LIBFUZZER = re.compile(r"(?:crash|leak|oom|timeout)-[0-9a-f]{40}$")


def crash_files(folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that are inputs of their own, the smallest first.

    Those that a fuzzer named are all, if there are any; if not, all regular files but hidden ones.
    Links are not followed into other folders. Raises FileError if there are none.
    """
    found = list(_files(folder))
    # Below the folder that is named, only what AFL calls crashes: a queue is full of other inputs.
    afl = [
        path
        for path in found
        if _AFL.match(path.name) and (path.parent == folder or _AFL_FOLDER.match(path.parent.name))
    ]
    named = afl or [path for path in found if _LIBFUZZER.match(path.name)]
    chosen = named or found
    if not chosen:
        raise FileError(f"There is no file in {folder} to reduce.")
    return tuple(sorted(chosen, key=lambda path: (path.stat().st_size, str(path))))


def with_placeholder(argv: Sequence[str], folder: Path, files: Sequence[Path]) -> tuple[str, ...]:
    """Return a command with `{file}` for the path of any of the files, and for AFL's `@@`.

    Raises FileError if it names the folder itself: each run gets a single file.
    """
    known = {os.path.abspath(file) for file in files}
    for word in argv[1:]:
        if os.path.abspath(word) == os.path.abspath(folder):
            raise FileError(
                f"The command names {word}, but with --each every run gets one file; write {{file}}"
                " where its path belongs."
            )
    return tuple(
        "{file}" if word == "@@" or os.path.abspath(word) in known else word for word in argv
    )


def _files(folder: Path) -> list[Path]:
    """Return the regular files below a folder, without hidden ones. Raises FileError."""
    found: list[Path] = []
    if not os.path.isdir(folder):
        raise FileError(f"{folder} is no folder; --each takes one with an input in each file.")
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(place, name) for name in sorted(names) if not name.startswith("."))
        found += (path for path in paths if os.path.isfile(path))
    return found
