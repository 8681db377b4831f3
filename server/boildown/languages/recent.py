"""The valid texts that were met last, of which the nearest saves most of the work on a new one."""

from __future__ import annotations

from typing import AnyStr, Generic, TypeVar

from boildown.engine.difference import changed

LONG_TEXT = 20_000
"""Characters or bytes from which on less than the whole text is checked."""
_KEPT = 8
"""Texts that are kept: the best one, and the candidates that may become it."""

Known = TypeVar("Known")


class Recent(Generic[AnyStr, Known]):
    """A few texts, each with facts about it. One that was near to none for long is forgotten."""

    def __init__(self) -> None:
        self._texts: list[tuple[AnyStr, Known]] = []

    def nearest(self, text: AnyStr) -> tuple[AnyStr, Known] | None:
        """Return the text of which the smallest part has to change to become another one."""
        if not self._texts:
            return None
        at = min(range(len(self._texts)), key=lambda at: _size(self._texts[at][0], text))
        self._texts.append(self._texts.pop(at))
        return self._texts[-1]

    def add(self, text: AnyStr, known: Known) -> None:
        """Add a text, in place of the one that was not near for longest."""
        if len(self._texts) >= _KEPT:
            # The nearest is the last, and may be the best text for long.
            del self._texts[0]
        self._texts.insert(max(len(self._texts) - 1, 0), (text, known))


def _size(before: AnyStr, after: AnyStr) -> int:
    start, old, new = changed(before, after)
    return old + new - 2 * start
