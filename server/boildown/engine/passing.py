"""The closest passing text: with the reduced one a minimal pair, of which one fails and one passes.

Texts that pass are kept while a text is reduced, as far as they may be close to its end; so are
those that fail in another way, for a comparison of what runs execute. The distance is that of V. I.
Levenshtein (1966): characters that are inserted, left out or replaced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from boildown.engine.difference import difference
from boildown.engine.oracle import Verdict

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
class _Near:
    """Texts, as far as there is room for them those about as long as another one."""

    texts: list[str] = field(default_factory=list)
    _characters: int = 0

    def add(self, text: str, length: int) -> None:
        """Take a text; `length` is that of the texts to keep."""
        self.texts.append(text)
        self._characters += len(text)
        if len(self.texts) <= MOST_TEXTS and self._characters <= MOST_CHARACTERS:
            return
        kept: list[str] = []
        self._characters = 0
        for each in self.nearest(length)[: MOST_TEXTS // 2]:
            if self._characters + len(each) <= MOST_CHARACTERS // 2:
                kept.append(each)
                self._characters += len(each)
        self.texts = kept[::-1]

    def remove(self, text: str) -> None:
        """Forget a text, if it is here."""
        if text in self.texts:
            self.texts.remove(text)
            self._characters -= len(text)

    def nearest(self, length: int) -> list[str]:
        """Return the texts, those of about a length first, and of several the latest."""
        texts = self.texts[::-1]
        texts.sort(key=lambda text: abs(len(text) - length))
        return texts


@dataclass(slots=True)
class PassingTexts:
    """The texts that did not fail as wanted in a reduction, about as long as its best text."""

    _passed: _Near = field(default_factory=_Near)
    _failed: _Near = field(default_factory=_Near)
    """Those that failed in another way: they have not passed."""

    def see(self, text: str, verdict: Verdict, best: int) -> None:
        """Take a verdict; `best` is the length of the best text.

        A text that reproduces when it is asked for again has not passed.
        """
        if verdict.reproduced:
            self._passed.remove(text)
            self._failed.remove(text)
        elif verdict.passed:
            self._passed.add(text, best)
        elif verdict.differs:
            self._failed.add(text, best)

    def closest(self, text: str) -> Passing | None:
        """Return the passing text with the smallest distance to a text, of several the latest."""
        found: Passing | None = None
        steps = _MOST_STEPS
        for each in self._passed.nearest(len(text)):
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

    def around(self, text: str, most: int) -> list[str]:
        """Return texts that passed, and then those that failed in another way, at most `most`.

        They are a few edits from a text, and spread over the places of these edits.
        """
        passed, failed = (_spread(text, near.texts, most) for near in (self._passed, self._failed))
        return [*passed, *failed][:most]


def _spread(text: str, others: Iterable[str], most: int) -> list[str]:
    """Return texts close to another one, in turn from each place at which they differ from it."""
    places: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for each in dict.fromkeys(others):
        start, end, instead = difference(text, each)
        places.setdefault((start, end), []).append((max(end - start, len(instead)), each))
    turns = [
        (turn, size, each)
        for found in places.values()
        for turn, (size, each) in enumerate(sorted(found))
    ]
    return [each for _turn, _size, each in sorted(turns)[:most]]


def _distance(first: str, second: str) -> int:
    """Return the edit distance of two texts, by dynamic programming over their prefixes."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, 1):
        before, row = row, [number]
        for index, other in enumerate(second):
            row.append(min(before[index + 1] + 1, row[index] + 1, before[index] + (one != other)))
    return row[-1]
