"""The closest passing text: with the reduced one a minimal pair, of which one fails and one passes.

Texts that pass are kept while a text is reduced, as far as they may be close to its end. The
distance is that of V. I. Levenshtein (1966): characters that are inserted, left out or replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from boildown.engine.difference import difference
from boildown.engine.oracle import Outcome, Verdict

MOST_TEXTS = 500
MOST_CHARACTERS = 500_000
"""Of the texts that are kept, together; of what is more, half is dropped."""
_MOST_STEPS = 1_000_000
"""Pairs of characters that are compared at most; beyond, distances are bounds from above."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A text that passed, with its edit distance to the one that was reduced."""

    text: str
    """The text that passed."""
    distance: int
    """Characters to insert, leave out or replace between it and the reduced text."""


@dataclass(slots=True)
class PassingTexts:
    """The texts that passed in a reduction, those that are about as long as its best text."""

    _texts: list[str] = field(default_factory=list)
    _characters: int = 0

    def see(self, text: str, verdict: Verdict, best: int) -> None:
        """Take a verdict; `best` is the length of the best text.

        A text that failed in another way has not passed, nor has one that reproduces when it is
        asked for again.
        """
        if verdict.reproduced and text in self._texts:
            self._texts.remove(text)
            self._characters -= len(text)
        if verdict.outcome is not Outcome.PASSED or verdict.signature:
            return
        self._texts.append(text)
        self._characters += len(text)
        if len(self._texts) <= MOST_TEXTS and self._characters <= MOST_CHARACTERS:
            return
        kept: list[str] = []
        self._characters = 0
        for each in self._nearest(best)[: MOST_TEXTS // 2]:
            if self._characters + len(each) <= MOST_CHARACTERS // 2:
                kept.append(each)
                self._characters += len(each)
        self._texts = kept[::-1]

    def closest(self, text: str) -> Passing | None:
        """Return the one with the smallest distance to a text, of several the latest."""
        found: Passing | None = None
        steps = _MOST_STEPS
        for each in self._nearest(len(text)):
            # The difference in length is the least that the distance can be.
            if found is not None and found.distance <= max(1, abs(len(each) - len(text))):
                break
            start, end, instead = difference(text, each)
            piece = text[start:end]
            steps -= len(piece) * len(instead)
            far = max(len(piece), len(instead))
            distance = _distance(piece, instead) if steps >= 0 else far
            if found is None or distance < found.distance:
                found = Passing(each, distance)
        return found

    def _nearest(self, length: int) -> list[str]:
        """Return the texts, those of about a length first, and of several the latest."""
        texts = self._texts[::-1]
        texts.sort(key=lambda text: abs(len(text) - length))
        return texts


def _distance(first: str, second: str) -> int:
    """Return the edit distance of two texts, by dynamic programming over their prefixes."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        before, row = row, [number]
        for index, other in enumerate(second):
            row.append(min(before[index + 1] + 1, row[index] + 1, before[index] + (one != other)))
    return row[-1]
