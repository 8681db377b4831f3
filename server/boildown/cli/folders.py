"""Folders on the command line: the files that are taken, and the place of the reduced folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from boildown.cli.shared import STANDARD, UsageError
from boildown.files import FileError, free_path, write_text
from boildown.jobs.events import in_bytes
from boildown.jobs.folders import contents, patch
from boildown.jobs.reduce import Reduced
from boildown.jobs.report import report
from boildown.targets.folders import FolderInput, read_files, read_folder, write_folder
from boildown.targets.test_command import TestCommand

_MOST_SHOWN = 40
"""Files whose sizes are listed."""


def take(options: argparse.Namespace) -> str:
    """Read the folder, or the several files, that the options name; return them as one text.

    Raises FileError and UsageError.
    """
    for name in ("language", "placement"):
        if getattr(options, name, None):
            raise UsageError(f"--{name} makes no sense for a folder; leave it out.")
    if options.more:
        found = read_files([options.file, *options.more], Path.cwd())
    else:
        found = read_folder(options.file, options.include or (), options.exclude or ())
    options.folder = found
    options.file = Path(os.path.relpath(found.root))
    return found.text


def described(folder: FolderInput) -> str:
    """Return a sentence on the files of a folder that are taken, and the others."""
    count = len(folder.files)
    told = f"{count:,} files of {folder.root} are the input"
    if folder.left_out:
        told += "; left out: " + ", ".join(f"{why} ({number})" for why, number in folder.left_out)
    return told


def check_places(options: argparse.Namespace) -> None:
    """Check, before a long job, where the result of a folder is to go.

    Raises UsageError and FileError.
    """
    if options.in_place:
        raise UsageError("a folder is not overwritten; leave --in-place out.")
    if options.others is not None:
        raise UsageError("--others keeps single files; leave it out for a folder.")
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
    named = folder.named
    target = options.output or free_path(named, f"{named.name}.reduced{{}}")
    write_folder(target, contents(result.text).items(), folder.root)
    told = f"Written to {target}"
    if (page := report(replace(command, name=target.name), before, result)) is not None:
        # Beside it, for in it the test command might read it.
        notes = free_path(target, f"{target.name}{{}}.md", page)
        write_text(notes, page)
        told += f"; {notes.name} beside it says how to run it"
    if options.patch is not None:
        write_text(options.patch, patch(before, result.text))
        told += f"; the patch is {options.patch}"
    return target, f"{told}."


def listing(text: str) -> Iterator[str]:
    """Yield a line for each file of a folder's text, with its size."""
    files = contents(text)
    for path, content in list(files.items())[:_MOST_SHOWN]:
        size = len(content.encode("utf-8", "surrogateescape"))
        yield f"  {path}  {in_bytes(size)}"
    if len(files) > _MOST_SHOWN:
        yield f"  and {len(files) - _MOST_SHOWN} more"
