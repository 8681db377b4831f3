"""Events of a job, progress and notes, and the sizes that they are told in.

Nothing here imports a grammar or a parser: the language server loads this module when it starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.engine.certificate import Certificate, Certified, Unit
from boildown.engine.difference import difference
from boildown.engine.flaky import Reliability
from boildown.engine.oracle import Outcome, Verdict
from boildown.engine.passing import Passing
from boildown.engine.user_edit import UserEdit
from boildown.folder_text import SEPARATOR, unpacked
from boildown.jobs import inert
from boildown.runner.advice import Advice, Message, Printed, as_key, code_of, filled
from boildown.runner.run import encode

__all__ = [
    "MOST_OTHERS_SHOWN",
    "Advice",
    "EditTried",
    "Event",
    "Message",
    "Note",
    "Outcome",
    "Passing",
    "Printed",
    "Progress",
    "See",
    "UserEdit",
    "Verdict",
    "as_key",
    "claimed",
    "closest_passing",
    "code_of",
    "coded",
    "difference",
    "doubts",
    "filled",
    "in_bytes",
    "not_swept",
    "size",
    "stated",
    "tokens",
]

_PARTS = {Unit.TREE: "part", Unit.TOKEN: "token", Unit.CHARACTER: "character"}
"""The kinds of parts that a certificate of minimality may be about, in words."""


def headed(kind: str) -> dict[str, str]:
    """Return the head of a JSON object for programs: its schema, and Boildown's version."""
    # Only here, for it takes as long to import as a fifth of all else.
    from importlib import metadata

    return {"schema": f"boildown/{kind}@1", "version": metadata.version("boildown")}


def coded(notes: Iterable[Message], worded: Callable[[Message], str]) -> list[dict[str, str]]:
    """Return notes as programs get them: the code of each, and its text."""
    return [{"code": code_of(note), "text": worded(note)} for note in notes]


def claimed(certificate: Certificate) -> str:
    """Return the claim of a certificate of minimality as a clause, without its doubts."""
    apart = ", apart from its layout" if certificate.of is Certified.BEFORE_LAYOUT else ""
    return f"no single {_PARTS[certificate.unit]} of it can be left out{apart}"


def doubts(certificate: Certificate) -> list[str]:
    """Return the doubts that a certificate of minimality names, as clauses."""
    found = []
    if number := certificate.protected:
        parts = "1 part was kept and" if number == 1 else f"{number} parts were kept and"
        found.append(f"{parts} never left out")
    if number := certificate.timeouts:
        counts = "count as not failing" if number > 1 else "counts as not failing"
        found.append(f"{in_runs(number)} ended by the time-out and {counts}")
    if certificate.margin:
        share = f"{certificate.margin:.0%}"
        found.append(f"what is less than {share} beyond the limit counts as not failing")
    if certificate.confidence is not None:
        found.append(
            f"runs on one text differ, and this holds with {certificate.confidence:.0%} confidence"
        )
    return found


def not_swept(certificate: Certificate) -> list[tuple[str, int]]:
    """Return the kinds of parts that were not left out one by one in a text of that length.

    With each comes the characters of the longest text for which that is done unasked.
    """
    return [
        (_PARTS[each.unit], each.longest)
        for each in certificate.not_swept
        if each.longest is not None
    ]


def stated(certificate: Certificate | None) -> str | None:
    """Return a certificate in short, with its doubts; None if there is none."""
    if certificate is None:
        return None
    apart = " apart from its layout" if certificate.of is Certified.BEFORE_LAYOUT else ""
    return "; ".join((f"{certificate.unit.minimality}{apart}", *doubts(certificate)))


def reliably(reliability: Reliability) -> str:
    """Return the sentence on how often the result failed when it was run again."""
    reduced, original = reliability.reduced, reliability.original
    beside = "" if reduced.always and original.always else f", the original in {original}"
    return f"Run again, the result failed in {reduced} runs{beside}."


_SHOWN = 80
"""Characters of a text that is shown in a line."""
MOST_OTHERS_SHOWN = 3
"""Other failures that are listed where not all of them are asked for."""


def closest_passing(passing: Passing, text: str) -> tuple[str, str]:
    """Return the closest text that passes in words, and how close it is to the reduced one.

    Of a long one only the difference is told.
    """
    many = "1 character" if passing.distance == 1 else f"{passing.distance:,} characters"
    # None can be closer than one character.
    doubt = "" if passing.distance == 1 else ", the closest of those that were tried"
    if text.startswith(SEPARATOR):
        return _changed_files(passing.text, text), f"{many} away{doubt}"
    if len(passing.text) <= _SHOWN:
        return repr(passing.text), f"{many} away{doubt}"
    start, end, instead = difference(text, passing.text)
    old, new = (repr(inert.short(part, _SHOWN)) for part in (text[start:end], instead))
    told = f"with {new}" if start == end else f"without {old}"
    if start < end and instead:
        told = f"with {new} in place of {old}"
    return f"{told} at character {start + 1:,}", f"{many} away{doubt}"


def _changed_files(passing: str, text: str) -> str:
    """Return in words where a folder's text that passes differs from the one that fails."""
    new, old = unpacked(passing), unpacked(text)
    changed = sorted(path for path in {*new, *old} if new.get(path) != old.get(path))
    return f"with a change in {', '.join(changed)}"


def in_runs(number: int) -> str:
    """Return a number of runs as the subject of a sentence in the past."""
    return "1 run was" if number == 1 else f"{number:,} runs were"


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


def in_bytes(count: int) -> str:
    """Return a number of bytes in words."""
    return "1 byte" if count == 1 else f"{count:,} bytes"
