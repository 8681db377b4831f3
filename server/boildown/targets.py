"""What in a document is a failing input, and which test command judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from boildown import config
from boildown.runner.command import TestCommand


@dataclass(frozen=True, slots=True)
class Target:
    """A failing input in a document, with all that is needed to reduce it and put it back."""

    what: str
    """What it is, in the user's words: "the document", "the selection"."""
    start: int
    """Where it begins in the document, in code points."""
    end: int
    text: str
    """The failing input itself."""
    command: TestCommand
    language: str | None = None
    """How the input is parsed; None to detect it."""
    written: Callable[[str], str] = str
    """What to write into the document from `start` to `end` for another input."""

    @property
    def is_whole(self) -> bool:
        """Whether the target is the whole document."""
        return self.what == "the document"

    def document(self, before: str, text: str) -> str:
        """Return the whole document with another text as the input."""
        return before[: self.start] + self.written(text) + before[self.end :]


def whole(text: str, file: Path, entries: Iterable[config.Entry]) -> Target | None:
    """Return the whole document as a target, if a test command is configured for its file.

    Raises CannotRun if that command makes no sense.
    """
    entry = config.match(entries, file)
    if entry is None:
        return None
    command = config.command_for(entry, file)
    return Target("the document", 0, len(text), text, command, entry.language)


def part(document: Target, start: int, end: int) -> Target:
    """Return a part of a document as a target; the rest of it stays as it is in every run."""
    before, after = document.text[:start], document.text[end:]
    command = replace(document.command, content=lambda text: before + text + after)
    return replace(
        document,
        what="the selection",
        start=start,
        end=end,
        text=document.text[start:end],
        command=command,
    )
