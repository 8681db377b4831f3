"""Reduced folders as a user gets them: beside the original, each with a page on how to run it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from boildown.files import free_path, write_text
from boildown.folder_text import unpacked
from boildown.jobs.reduce import Reduced
from boildown.jobs.report import report
from boildown.runner.command import TestCommand
from boildown.targets.folders import FolderInput, write_folder


def write_reduced(
    folder: FolderInput,
    command: TestCommand,
    result: Reduced,
    target: Path | None = None,
) -> tuple[Path, Path | None]:
    """Write the reduced folder and its page; return the paths of both.

    Without a target it goes beside the original. There is no page on a result that was not run to
    its end. Raises FileError.
    """
    named = folder.named
    target = target or free_path(named, f"{named.name}.reduced{{}}")
    write_folder(target, unpacked(result.text).items(), folder.root)
    page = report(replace(command, name=target.name), folder.text, result)
    if page is None:
        return target, None
    # Beside it, for in it the test command might read it.
    notes = free_path(target, f"{target.name}{{}}.md", page)
    write_text(notes, page)
    return target, notes
