"""The outline of a long text: its brackets, elements, lines and separators, as offsets.

A tree of 50 MB would take minutes and gigabytes. An outline is one scan for pairs of brackets and
tags, kept in arrays of numbers; a list is divided into its items only when it is looked at. No
grammar is asked, so an item is a guess that runs have to confirm.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_GROUPS = 4_000_000
"""Pairs of brackets that are looked for; behind so many a text has none."""
SHORTEST_DIVIDED = 32
"""Characters of the shortest part that is divided, of a text that is not long."""
MOST_PARTS = 2000
"""No part is divided that is shorter than this share of the text: that would take too many runs."""
MOST_PIECES = 256
"""Pieces into which a part without brackets, lines and separators is cut at once."""

# Each match begins where the one before it ended, so a scan takes linear time. A repetition takes
# memory, so the strings in one match are bounded.
_STRING = r"""(?:"[^"\\\n]*(?:\\.[^"\\\n]*)*"|(?<!\w)'[^'\\\n]*(?:\\.[^'\\\n]*)*')"""
_BRACKETS = re.compile(
    rf"""[^][(){{}}"']*(?:{_STRING}[^][(){{}}"']*){{0,99}}(?:([][(){{}}])|.|\Z)""", re.DOTALL
)
_BRACKETS_AND_TAGS = re.compile(
    r"[^][(){}<]*(?:([][(){}])|<(/?[A-Za-z_][\w:.-]*)[^<>]*>|.|\Z)", re.DOTALL
)
_PARTNERS = {")": "(", "]": "[", "}": "{"}
_SEPARATOR = re.compile(r"[,;]|\n[ \t]*(?![ \t\r\n])")
_WORD_END = re.compile(r"\s(?=\S)")


@dataclass(frozen=True, slots=True)
class Division:
    """The items of a list in a text, and perhaps separators between them."""

    starts: Sequence[int]
    ends: Sequence[int]
    cuts: Sequence[int]
    """Where each item starts, with the separator before it if there is one."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The pairs of brackets and tags of a text, in the order of their beginnings."""

    text: str
    starts: Sequence[int]
    """Where each opening bracket or tag starts; those without a partner are among them."""
    ends: Sequence[int]
    """Where its partner ends; 0 if there is none."""

    def divided(self, low: int, high: int) -> Division | None:
        """Divide the text between two offsets into items; None if it is too short for that.

        The content of brackets is divided at commas, any other text at the lines that are indented
        least, at semicolons, at commas, behind brackets, or else between words.
        """
        bracketed = False
        shortest = max(SHORTEST_DIVIDED, len(self.text) // MOST_PARTS)
        while high - low >= shortest:
            starts, ends = self._groups(low, high)
            found = _Separators(self.text, low, high, zip(starts, ends, strict=True))
            division = found.division(low, high, bracketed)
            if division is not None:
                return division
            if len(starts) == 1 and 2 * (ends[0] - starts[0]) > high - low:
                low, high = self._content(starts[0], ends[0])
                bracketed = True
            elif len(starts) > 1:
                return _contiguous(self.text, low, high, ends[:-1])
            else:
                return _pieces(self.text, low, high, shortest // 2)
        return None

    def _groups(self, low: int, high: int) -> tuple[array[int], array[int]]:
        """Return the starts and ends of the pairs between two offsets that are in no other one."""
        starts, ends = _offsets(self.text), _offsets(self.text)
        at = bisect_left(self.starts, low)
        while at < len(self.starts) and self.starts[at] < high:
            end = self.ends[at]
            if low < end <= high:
                starts.append(self.starts[at])
                ends.append(end)
                at = bisect_left(self.starts, end, at + 1)
            else:
                at += 1
        return starts, ends

    def _content(self, start: int, end: int) -> tuple[int, int]:
        """Return the span between an opening bracket or tag and its partner."""
        if self.text[start] == "<":
            return self.text.index(">", start) + 1, self.text.rindex("<", start, end)
        return start + 1, end - 1


def outlined(text: str) -> Outline:
    """Find the pairs of brackets, and of tags where there are any, in one scan of a text.

    A closing one takes the nearest opening one of its sort; those in between have no partner.
    """
    starts, ends = _offsets(text), _offsets(text)
    sorts: list[str] = []
    stack = array(starts.typecode)
    waiting: dict[str, int] = {}
    for match in (_BRACKETS_AND_TAGS if "</" in text else _BRACKETS).finditer(text):
        # This is done millions of times, so nothing is looked up twice.
        number = match.lastindex
        if number is None:
            continue
        sort = match[number]
        opener = _PARTNERS.get(sort) if number == 1 else sort[1:] if sort[0] == "/" else None
        if opener is None:
            if number > 1 and text.endswith("/>", 0, match.end()):
                continue
            if len(starts) == MOST_GROUPS:
                break
            sorts.append(sort)
            stack.append(len(starts))
            starts.append(match.start(number) - (number > 1))
            ends.append(0)
            waiting[sort] = waiting.get(sort, 0) + 1
        elif waiting.get(opener):
            while (sort := sorts.pop()) != opener:
                waiting[sort] -= 1
                stack.pop()
            waiting[opener] -= 1
            ends[stack.pop()] = match.end()
    return Outline(text, starts, ends)


class _Separators:
    """The commas, semicolons and line breaks of a span outside all of its brackets."""

    def __init__(self, text: str, low: int, high: int, groups: Iterable[tuple[int, int]]) -> None:
        self._text = text
        self._commas, self._semicolons = _offsets(text), _offsets(text)
        self._lines, self._indents = _offsets(text), _offsets(text)
        at = low
        for start, end in groups:
            self._find(at, start)
            at = end
        self._find(at, high)
        if self._lines and not text[self._lines[-1] : high].strip():
            self._lines.pop()
            self._indents.pop()

    def _find(self, low: int, high: int) -> None:
        for match in _SEPARATOR.finditer(self._text, low, high):
            at = match.start()
            if match[0] == ",":
                self._commas.append(at)
            elif match[0] == ";":
                self._semicolons.append(at + 1)
            else:
                self._lines.append(at + 1)
                self._indents.append(match.end() - at - 1)

    def division(self, low: int, high: int, bracketed: bool) -> Division | None:
        """Divide the span, unless it has no separators."""
        if bracketed and self._commas and not self._semicolons:
            return self._listed(low, high)
        text, lines = self._text, self._lines
        if self._indents:
            least = min(self._indents)
            if max(self._indents) > least:
                spaced = zip(lines, self._indents, strict=True)
                lines = _offsets(text, (at for at, indent in spaced if indent == least))
            if not text[low : lines[0]].strip():
                lines = lines[1:]
        for breaks in (lines, self._semicolons):
            if breaks and not text[breaks[-1] : high].strip():
                breaks = breaks[:-1]
            if breaks:
                return _contiguous(text, low, high, breaks)
        return self._listed(low, high) if self._commas else None

    def _listed(self, low: int, high: int) -> Division:
        """Divide the span at its commas; one at the end goes with the last item."""
        commas = self._commas
        starts = _offsets(self._text, [low])
        starts.extend(comma + 1 for comma in commas)
        ends = commas[:]
        ends.append(high)
        if not self._text[starts[-1] : high].strip() and len(starts) > 1:
            starts.pop()
            ends.pop()
        return Division(starts, ends, _offsets(self._text, [low]) + ends[:-1])


def _pieces(text: str, low: int, high: int, shortest: int) -> Division:
    """Cut a span into pieces of about the same length, between words if it has any."""
    length = max((high - low) // MOST_PIECES, shortest)
    breaks: list[int] = []
    at = low + length
    while at < high:
        space = _WORD_END.search(text, at, min(at + length, high))
        breaks.append(space.end() if space else at)
        at = breaks[-1] + length
    return _contiguous(text, low, high, breaks)


def _contiguous(text: str, low: int, high: int, breaks: Iterable[int]) -> Division:
    """Divide a span at some offsets, without anything between the items."""
    bounds = _offsets(text, [low])
    bounds.extend(breaks)
    bounds.append(high)
    view = memoryview(bounds)
    return Division(view[:-1], view[1:], view[:-1])


def _offsets(text: str, offsets: Iterable[int] = ()) -> array[int]:
    """Make an array of offsets in a text, as narrow as can be."""
    return array("I" if len(text) < 1 << 32 else "Q", offsets)
