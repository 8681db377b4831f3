"""Subjects: programs whose law of failure is known, with texts that Boildown did not make."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from boildown.engine.oracle import Outcome

INPUTS = 3
"""Failing inputs of each subject."""
MOST_DRAWS = 40_000
"""Texts that are drawn at most to find enough of both kinds."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A program of known truth."""

    name: str
    language: str
    law: str
    """The law in the words of a person: it fails if …"""
    reference: str
    """The same in the notation of `law.lark`: an answer may be at most twice as long."""
    kinds: tuple[str, ...]
    """The kinds of conditions that the law is made of, see `KINDS`."""
    fails: Callable[[str], bool]
    """The truth. It raises ValueError for a text that the program can't read."""
    make: Callable[[Random], str]
    """Make a text as users write them; about as often one that fails as one that passes."""
    failing: tuple[str, ...] = ()
    """Failing inputs that were written by hand; without any, some are made."""


KINDS = (
    *("length", "count", "substring", "prefix", "suffix", "interval", "divisible", "empty"),
    *("depth", "alternatives", "equal", "unequal", "less", "at most", "sum"),
    *("count equals", "order", "defined", "same length"),
    *("exists", "not exists", "child", "anywhere", "how often", "maximum", "or"),
)
"""What laws are made of: of one part, between parts, over the whole input, and several laws."""


def outcome(subject: Subject, text: str) -> Outcome:
    """Judge a text by the truth; one that can't be read is invalid."""
    try:
        return Outcome.REPRODUCED if subject.fails(text) else Outcome.PASSED
    except (ValueError, RecursionError):
        return Outcome.INVALID


def failing_inputs(subject: Subject) -> tuple[str, ...]:
    """Return the failing inputs of a subject: those written by hand, or the first that are made."""
    if subject.failing:
        return subject.failing
    found: list[str] = []
    for number in range(INPUTS):
        texts = independent(subject, f"input {number}", True)
        found.append(next(text for text in texts if text not in found))
    return tuple(found)


def independent(subject: Subject, seed: str, failing: bool) -> Iterator[str]:
    """Yield different texts that fail, or that pass, until the generator seems to have no more.

    Everything follows from the seed; a text that the program can't read is left out.
    """
    rng = Random(f"{subject.name} {seed}")
    wanted = Outcome.REPRODUCED if failing else Outcome.PASSED
    seen: set[str] = set()
    for _ in range(MOST_DRAWS):
        text = subject.make(rng)
        if text not in seen and outcome(subject, text) is wanted:
            seen.add(text)
            yield text
