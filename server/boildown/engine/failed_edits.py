"""Remembers edits that failed, by the text that they change and its surroundings.

After a success every text is a new one, so a cache of texts knows none of the next round's. But an
edit that failed tends to fail again as long as little has changed around it, so a round leaves it
out. The last round, which certifies the result, tries it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.engine.declarations import Declarations
from boildown.engine.difference import difference
from boildown.engine.oracle import digest

CONTEXT_CHARACTERS = 20
"""Characters on each side that have to be the same."""
CONTEXT_SHARE = 8
"""On a short text they are half as many, and so on, down to this share, as its divisor."""
LONGEST_TEXT = 20_000
"""Of longer texts nothing is remembered: comparing them takes time, and much goes at once."""
SHRUNK_SHARE = 0.8
"""An edit is worth another run where the text has come down to this share of its length."""


Splices: TypeAlias = Sequence[tuple[int, int, str]]
"""Starts, ends (offsets in a text) and what replaces it there, in ascending order."""


@dataclass(slots=True)
class Hypotheses:
    """The hypotheses of a job on parts that can only go together."""

    refuted: dict[str, int] = field(default_factory=dict)
    """Names of hypotheses that do not hold, with the length of the text that they were tried on."""
    confirmed: dict[str, None] = field(default_factory=dict)
    """The sorts of those that do."""
    chance: dict[str, str] = field(default_factory=dict)
    """The numbers that only happen to be how many there are of something, each with the sort."""


class FailedEdits:
    """The edits that failed, as digests of 16 bytes each."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}
        self.trusted = True
        """Whether they are expected to fail again; if not, none is left out."""
        self.hypotheses = Hypotheses()
        self.declarations = Declarations()
        self.spared = 0
        """How many candidates were left out because of them."""

    def add(self, text: str, failed: Iterable[bytes]) -> None:
        """Note the edits of a text whose candidates failed, by their digests."""
        for each in failed:
            self._lengths[each] = len(text)

    def knows(self, text: str, new: str, splices: Splices = ()) -> bool:
        """Say whether the edit from `text` to `new` has failed before, and is expected to again."""
        if not self.trusted or not self._lengths or len(text) > LONGEST_TEXT:
            return False
        length = self._lengths.get(edit_digest(text, new, splices))
        known = length is not None and len(text) >= length * SHRUNK_SHARE
        self.spared += known
        return known


def edit_digest(before: str, after: str, splices: Splices = ()) -> bytes:
    """Hash an edit to 16 bytes, with the old text, the new one, and their surroundings.

    What is around one at several places is most of a short text, so it is told by what it takes
    away alone, and by how often the same stands before that.
    """
    if len(splices) > 1:
        parts = ((before[start:end], new, start) for start, end, new in splices)
        return digest(
            "\0".join(f"{old}\1{before.count(old, 0, start)}\1{new}" for old, new, start in parts)
        )
    start, end, new = difference(before, after)
    context = CONTEXT_CHARACTERS
    while context * CONTEXT_SHARE > len(before):
        context //= 2
    left, right = before[max(start - context, 0) : start], before[end : end + context]
    return digest("\0".join((left, before[start:end], new, right)))
