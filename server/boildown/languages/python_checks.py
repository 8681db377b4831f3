"""Says whether texts are valid Python, of long ones by the statements around a change.

A module is a row of statements that each begin at the margin. If a text is valid, so is one in
which a few of them are replaced, as long as these, with one before and one after them, are valid by
themselves: the one before may get an `else`, the one after may have lost its decorator. The other
way round it holds too, but for strings over several lines, so then all of the text is asked about.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from boildown.engine.difference import changed
from boildown.engine.language import LONG_TEXT

_BREAK = re.compile(r"\r\n?|\n")
_OVER_LINES = re.compile(r"\"\"\"|'''|\\[\r\n]|(?:\A|[\r\n])@")
"""What may lead on into the statements that come next."""
_ROWS = re.compile(r"\n(?=(?:async )?def |class |import )")
"""Before statements at the margin that no other statement goes on with."""
_MOST_KNOWN = 5_000_000
"""Characters of the rows of statements whose answers are remembered."""


class StatementChecks:
    """A test of whether a text is valid, which goes on from the best text."""

    def __init__(self, text: str, compiled: Callable[[str], ast.Module | None]) -> None:
        """`compiled` parses a text; None if it is not valid. The first text is valid."""
        self._compiled = compiled
        self._base = text
        self._best = text
        self._starts: Sequence[int] | None = None
        self._known: dict[str, list[int] | None] = {}
        self._characters = 0

    def accepts(self, text: str, best: str) -> bool:
        """Say whether a text is valid."""
        if len(text) < LONG_TEXT:
            return self._compiled(text) is not None
        if best != self._best:
            self._best = best
            # The best text may be no valid one; it is nearer to the one before then.
            if (starts := self._starts_of(best)) is not None:
                self._base, self._starts = best, starts
        return self._starts_of(text) is not None

    def _starts_of(self, text: str) -> Sequence[int] | None:
        """Return the offsets of the statements of a text at the margin; None if it is not valid."""
        if self._starts is None:
            # All of the original is parsed once, at the first long candidate.
            self._starts = self._all_starts(self._base) or ()
        before, starts = self._base, self._starts
        start, end, new_end = changed(before, text)
        first = max(bisect_right(starts, start) - 2, 0)
        last = bisect_left(starts, end) + 1
        low = starts[first] if first else 0
        high = starts[last] if last < len(starts) else len(before)
        shift = new_end - end
        part = text[low : high + shift]
        inside: list[int] = []
        at = low
        for row in _rows(part):
            found = self._starts_of_row(row)
            if found is None:
                return self._all_starts(text) if _OVER_LINES.search(row) else None
            inside += [at + start for start in found]
            at += len(row)
        after = (at + shift for at in starts[last:])
        return [*chain(starts[:first], inside, after)]

    def _starts_of_row(self, row: str) -> list[int] | None:
        if row not in self._known:
            self._characters += len(row)
            if self._characters > _MOST_KNOWN:
                self._known.clear()
                self._characters = len(row)
            self._known[row] = self._all_starts(row)
        return self._known[row]

    def _all_starts(self, text: str) -> list[int] | None:
        module = self._compiled(text)
        return None if module is None else _starts(text, module)


def _rows(text: str) -> Iterator[str]:
    """Yield the parts of a text that are valid or not by themselves, most of which stay the same.

    A change at many places spans statements that are as before.
    """
    low = 0
    for match in _ROWS.finditer(text):
        yield text[low : match.end()]
        low = match.end()
    yield text[low:]


def _starts(text: str, module: ast.Module) -> list[int]:
    """Return the offsets of the lines that begin with a statement of a module."""
    lines = [0, *(match.end() for match in _BREAK.finditer(text))]
    found: list[int] = []
    for statement in module.body:
        decorators = getattr(statement, "decorator_list", ())
        at = lines[min([statement.lineno, *(each.lineno for each in decorators)]) - 1]
        # What comes after a semicolon, or a line that goes on, begins at no margin.
        goes_on = text[max(at - 3, 0) : at].rstrip("\r\n").endswith("\\")
        if (decorators or not statement.col_offset) and not goes_on:
            found.append(at)
    return found
