"""Edits that were tried in vain, known by what they change and by what stands around that.

After a success every text is a new one, so a cache of texts knows none of the next round's. But an
edit that failed tends to fail again as long as little has changed around it, so a round leaves it
out. The last round, which certifies the result, tries it again.
"""

from __future__ import annotations

from collections.abc import Iterable

from boildown.engine.difference import difference
from boildown.engine.oracle import digest

CONTEXT = 20
"""Characters on each side that have to be the same."""
LONGEST = 20_000
"""Of longer texts nothing is remembered: comparing them takes time, and much goes at once."""
SHRUNK = 0.8
"""An edit is worth another run where the text has come down to this share of its length."""


class Vain:
    """The edits that failed. Holds digests of them (16 bytes each)."""

    def __init__(self) -> None:
        self._lengths: dict[bytes, int] = {}
        self.trusted = True
        """Whether they are believed to fail again."""
        self.spared = 0
        """How often that was the case."""

    def add(self, text: str, failed: Iterable[str]) -> None:
        """Note what was made of a text in vain."""
        for each in failed if len(text) <= LONGEST else ():
            self._lengths[_edit(text, each)] = len(text)

    def knows(self, text: str, new: str) -> bool:
        """Say whether what leads from `text` to `new` has failed, and still is trusted to."""
        if not self.trusted or not self._lengths or len(text) > LONGEST:
            return False
        length = self._lengths.get(_edit(text, new))
        known = length is not None and len(text) >= length * SHRUNK
        self.spared += known
        return known


def _edit(before: str, after: str) -> bytes:
    start, end, new = difference(before, after)
    left, right = before[max(start - CONTEXT, 0) : start], before[end : end + CONTEXT]
    return digest("\0".join((left, before[start:end], new, right)))
