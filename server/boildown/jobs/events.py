"""Events of a job, progress and notes, as values, and the sizes that these are in.

Nothing here imports a grammar or a parser: the language server loads this module when it starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.engine.difference import difference
from boildown.engine.oracle import Outcome, Verdict
from boildown.engine.passing import Passing
from boildown.engine.user_edit import UserEdit
from boildown.runner.advice import Message, code_of
from boildown.runner.run import encode

__all__ = [
    "EditTried",
    "Event",
    "Message",
    "Note",
    "Outcome",
    "Passing",
    "PatternError",
    "Progress",
    "See",
    "UserEdit",
    "Verdict",
    "code_of",
    "coded",
    "difference",
    "in_bytes",
    "in_runs",
    "many",
    "runs",
    "size",
    "tokens",
]


class PatternError(Exception):
    """A text that is no stored pattern; the message says why."""


def headed(kind: str) -> dict[str, str]:
    """Return the head of a JSON object for programs: its schema, and Boildown's version."""
    # Only here, for it takes as long to import as a fifth of all else.
    from importlib import metadata

    return {"schema": f"boildown/{kind}@1", "version": metadata.version("boildown")}


def coded(notes: Iterable[Message], worded: Callable[[Message], str]) -> list[dict[str, str]]:
    """Return notes as programs get them: the code of each, and its text."""
    return [{"code": code_of(note), "text": worded(note)} for note in notes]


@dataclass(frozen=True, slots=True)
class Note:
    """A message that the user should read; each front end words its advice."""

    text: Message


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a running job: its phase, runs, sizes in bytes, and best text."""

    phase: str
    """The pass at work, or "preflight" or "verify"."""
    runs: int
    before: int
    """Bytes of the failing input."""
    after: int
    """Bytes of the best text so far."""
    seconds: float
    """Since the job began."""
    text: str
    """The best text so far."""
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)
    """How many of the runs had which outcome."""
    failures: tuple[str, str] | None = None
    """The signatures of the failing input and of the best text, once they are known."""
    runs_left: int | None = None
    """About so many runs end the phase; None where that cannot be told."""


@dataclass(frozen=True, slots=True)
class EditTried:
    """The verdict on an edit of the user's, or that there is none."""

    edit: UserEdit
    verdict: Verdict | None
    """None where it was not run: it lacks what is kept, or is a part that no step holds."""


Event: TypeAlias = Note | Progress | EditTried
See: TypeAlias = Callable[[Event], None]


def size(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text) if text.isascii() else len(encode(text))


def tokens(text: str) -> int:
    """Return the number of words and punctuation characters of a text."""
    return sum(1 for _ in re.finditer(r"\w+|[^\w\s]", text))


def many(number: int, noun: str) -> str:
    """Return a number of things in words, whose noun has a plural with an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def in_bytes(count: int) -> str:
    """Return a number of bytes in words."""
    return many(count, "byte")


def runs(number: int) -> str:
    """Return a number of runs in words."""
    return many(number, "run")


def in_runs(number: int) -> str:
    """Return a number of runs as the subject of a sentence in the past."""
    return f"{runs(number)} {'was' if number == 1 else 'were'}"
