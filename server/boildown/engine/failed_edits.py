"""Remembers edits that failed, by the text that they change and its surroundings.

After a success every text is a new one, so a cache of texts knows none of the next round's. But an
edit that failed tends to fail again as long as little has changed around it, so a round leaves it
out. The last round, which certifies the result, tries it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class Hypotheses:
    """The hypotheses of a job on parts that can only go together."""

    refuted: dict[str, int] = field(default_factory=dict)
    """Names of hypotheses that do not hold, with the length of the text that they were tried on."""
    confirmed: dict[str, None] = field(default_factory=dict)
    """The sorts of those that do."""


class FailedEdits:
    """The edits that failed, as digests of 16 bytes each."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}
        self.trusted = True
        """Whether they are expected to fail again; if not, none is left out."""
        self.hypotheses = Hypotheses()
        self.spared = 0
        """How many candidates were left out because of them."""

    def add(self, text: str, failed: Iterable[str]) -> None:
        """Note the edits of a text whose candidates failed."""
        for each in failed if len(text) <= LONGEST_TEXT else ():
            self._lengths[_edit(text, each)] = len(text)

    def knows(self, text: str, new: str) -> bool:
        """Say whether the edit from `text` to `new` has failed before, and is expected to again."""
        if not self.trusted or not self._lengths or len(text) > LONGEST_TEXT:
            return False
        length = self._lengths.get(_edit(text, new))
        known = length is not None and len(text) >= length * SHRUNK_SHARE
        self.spared += known
        return known


def _edit(before: str, after: str) -> bytes:
    start, end, new = difference(before, after)
    context = CONTEXT_CHARACTERS
    while context * CONTEXT_SHARE > len(before):
        context //= 2
    left, right = before[max(start - context, 0) : start], before[end : end + context]
    return digest("\0".join((left, before[start:end], new, right)))
