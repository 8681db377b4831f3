"""Folders on the command line: the files that are taken, and the place of the reduced folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from boildown.cli.shared import STANDARD, UsageError, refuse_globs
from boildown.files import FileError
from boildown.jobs.events import in_bytes, many
from boildown.jobs.folder_results import write_reduced
from boildown.jobs.folders import sizes
from boildown.jobs.reduce import Reduced
from boildown.targets.folders import FolderInput, read_files, read_folder
from boildown.targets.test_command import TestCommand

_MOST_SHOWN = 40
"""Files whose sizes are listed."""


def take(options: argparse.Namespace) -> str:
    """Read the folder, or the several files, that the options name; return them as one text.

    Raises FileError and UsageError.
    """
    if getattr(options, "language", None):
        raise UsageError("--language makes no sense for a folder; leave it out.")
    if options.more:
        refuse_globs(options)
        found = read_files([options.file, *options.more], Path.cwd())
    else:
        found = read_folder(options.file, options.include or (), options.exclude or ())
    options.folder = found
    options.file = Path(os.path.relpath(found.root))
    return found.text


def described(folder: FolderInput) -> str:
    """Return a sentence on the files of a folder that are taken, and the others."""
    count = len(folder.files)
    told = f"{many(count, 'file')} of {folder.root} {'is' if count == 1 else 'are'} the input"
    if folder.left_out:
        told += "; left out: " + ", ".join(f"{why} ({number})" for why, number in folder.left_out)
    return told


def check_places(options: argparse.Namespace) -> None:
    """Check, before a long job, where the result of a folder is to go.

    Raises UsageError and FileError.
    """
    if options.in_place:
        raise UsageError("a folder is not overwritten; leave --in-place out.")
    if options.output == STANDARD:
        raise UsageError("a folder can't go to standard output; name one with --output.")
    if options.output is not None and os.path.lexists(options.output):
        raise FileError(f"{options.output} is there already; name a new folder.")


def written(
    options: argparse.Namespace, command: TestCommand, before: str, result: Reduced
) -> tuple[Path, str] | None:
    """Write the reduced folder, and beside it how to use it; return both as path and sentence.

    None if nothing was reduced. Raises FileError.
    """
    folder: FolderInput = options.folder
    if result.text == before:
        return None
    target, page = write_reduced(folder, command, result, options.output)
    told = f"Written to {target}"
    if page is not None:
        told += f"; {page.name} beside it says how to run it"
    return target, f"{told}."


def planned(folder: FolderInput) -> dict[str, Any]:
    """Return the files taken of a folder, and those left out, as programs get them."""
    return {
        "root": str(folder.root),
        "files": sizes(folder.text),
        "left_out": dict(folder.left_out),
    }


def listing(text: str) -> Iterator[str]:
    """Yield a line for each file of a folder's text, with its size."""
    files = sizes(text)
    for path, size in islice(files.items(), _MOST_SHOWN):
        yield f"  {path}  {in_bytes(size)}"
    if len(files) > _MOST_SHOWN:
        yield f"  and {len(files) - _MOST_SHOWN} more"
