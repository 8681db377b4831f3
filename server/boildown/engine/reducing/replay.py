"""Replays the edits of a reduction on an earlier text of it, all but those that do harm.

Where a later text turns out not to do, the search goes back to the last step that does. Most of the
edits since had nothing to do with it: they are made again in one candidate, or else by halves, as
in delta debugging (Zeller and Hildebrandt, TSE 2002). For that each step is taken apart into the
lines and parts of lines that it deletes, with what it inserts there.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from boildown.engine.difference import difference

MOST_TOKENS = 3_000
"""Tokens of a change that are compared one by one; a larger one is one deletion and one insertion.
That takes the square of their number in time."""

_TOKENS = re.compile(r"\w+|\s+|.", re.DOTALL)


class Replay:
    """The edits from one text to a later one, of which any may be made without the others."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._pieces: list[_Piece] = [_Piece(character, 0) for character in texts[0]]
        self.number = 0
        """How many edits there are; they are numbered from 1, those of one step in a row."""
        self.first = 0
        """How many of them are the first step's."""
        for before, after in pairwise(texts):
            self._take(before, after)
            self.first = self.first or self.number

    def made(self, edits: Collection[int]) -> str:
        """Return the first text with some of the edits made."""
        return "".join(piece.text for piece in self._pieces if piece.stands(edits))

    def _take(self, before: str, after: str) -> None:
        """Add the edits of a step: which characters each deletes, and which it inserts where."""
        standing = [at for at, piece in enumerate(self._pieces) if not piece.gone]
        added: list[tuple[int, str, int]] = []
        for start, end, new in _edits(before, after):
            self.number += 1
            for at in standing[start:end]:
                self._pieces[at].gone = self.number
            place = standing[start] if start < len(standing) else len(self._pieces)
            added.append((place, new, self.number))
        for place, new, number in reversed(added):
            self._pieces[place:place] = [_Piece(character, number) for character in new]


class _Piece:
    """A character, with the edits that insert and delete it; 0 for none."""

    __slots__ = ("gone", "made", "text")

    def __init__(self, text: str, made: int) -> None:
        self.text, self.made, self.gone = text, made, 0

    def stands(self, edits: Collection[int]) -> bool:
        """Say whether the text has it once these edits are made."""
        return (not self.made or self.made in edits) and self.gone not in edits


def _edits(before: str, after: str) -> list[tuple[int, int, str]]:
    """Return the edits from one text to another: start and end in the first, and the new text."""
    start, end, new = difference(before, after)
    old, tokens = _TOKENS.findall(before[start:end]), _TOKENS.findall(new)
    if max(len(old), len(tokens)) > MOST_TOKENS:
        return [(start, end, new)]
    offsets = [start]
    for token in old:
        offsets.append(offsets[-1] + len(token))
    matcher = SequenceMatcher(None, old, tokens, autojunk=False)
    return [
        part
        for tag, low, high, first, last in matcher.get_opcodes()
        if tag != "equal"
        for part in _by_lines(before, offsets[low], offsets[high], "".join(tokens[first:last]))
    ]


def _by_lines(before: str, start: int, end: int, new: str) -> Iterator[tuple[int, int, str]]:
    """Yield an edit line by line of the text that it deletes; the first inserts the new text."""
    for line in before[start:end].splitlines(keepends=True) or [""]:
        yield start, start + len(line), new
        start, new = start + len(line), ""


def replayed(texts: Sequence[str], does: Callable[[str], bool]) -> Iterator[str]:
    """Yield ever smaller texts by making edits again, from the first text on, as far as they do.

    The first step is the one that does harm. Costs one question where no other does, and about
    2 s log(n/s) where s of n edits do.
    """
    replay = Replay(texts)
    made: set[int] = set()
    best = texts[0]
    row = deque([range(replay.first + 1, replay.number + 1), *_halves(range(1, replay.first + 1))])
    while row:
        edits = row.popleft()
        text = replay.made(made.union(edits))
        if len(text) < len(best) and does(text):
            made.update(edits)
            best = text
            yield best
        else:
            row += _halves(edits)


def _halves(edits: range) -> list[range]:
    """Return both halves of several edits; nothing of one or none."""
    middle = (edits.start + edits.stop) // 2
    return [range(edits.start, middle), range(middle, edits.stop)] if len(edits) > 1 else []
