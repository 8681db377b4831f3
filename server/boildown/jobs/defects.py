"""Defects of Boildown's own: told of in a sentence, with the traceback in a file for a report.

A defect costs the phase that it ends, and nothing of what was known before.
"""

from __future__ import annotations

import hashlib
import platform
import traceback
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from boildown.engine.rescue import attempted
from boildown.files import FileError, write_text
from boildown.runner.advice import Message, as_message, code_of

__all__ = ["DEFECT", "STATUS", "attempted", "defect_note", "has_defect", "in_words", "reported"]

DEFECT = "defect"
"""The code of a note that tells of a defect."""
STATUS = 3
"""The exit status of a command that a defect has cost a part of its result."""


def defect_note(phase: str, error: BaseException) -> Message:
    """Return the note on a defect in a phase of a job; write its traceback into a file."""
    told = (
        f"A defect of Boildown has ended a part of the work, {phase!r}: {in_words(error)}. What was"
        " known before is the result."
    )
    return as_message(f"{told} {reported(phase, error)}", DEFECT)


def in_words(error: BaseException) -> str:
    """Return the type of an exception, and the line of Boildown's at which it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"


def reported(phase: str, error: BaseException) -> str:
    """Write the traceback of a defect into a file; return the sentence that asks to report it."""
    # Only here, for it takes as long to import as a fifth of all else.
    from importlib import metadata

    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    versions = f"boildown {metadata.version('boildown')}, Python {platform.python_version()}"
    text = f"{versions}, {platform.platform()}\nin {phase}\n\n{trace}"
    # The same defect has the same file.
    name = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()
    path = platformdirs.user_state_path("boildown") / "defects" / f"{name}.txt"
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(path, text)
    except (FileError, OSError):
        return f"Please report it; its traceback could not be written to {path}."
    return f"Please report it, with the file {path}."


def has_defect(notes: Iterable[Message]) -> bool:
    """Say whether one of the notes of a job tells of a defect."""
    return any(code_of(note) == DEFECT for note in notes)
