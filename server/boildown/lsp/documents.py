"""Open documents as values, with positions as the protocol counts them.

pygls keeps documents too, but it divides lines where `str.splitlines` does (form feeds, U+2028),
which is not where the protocol does, and a failing input may hold any character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from lsprotocol import types

from boildown.lsp.uris import scheme_and_name
from boildown.targets import suffix

NOT_OPEN = -1
"""The version of a document that is on disk alone."""
_LINE_END = re.compile(r"\r\n|\n|\r")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_DERIVED = ("starts", "is_narrow")
"""The properties that are kept where the text stays."""
_CONTINUATION = bytes(range(0x80, 0xC0))


@dataclass(frozen=True)
class Document:
    """One version of a document, which is open in an editor unless its version is `NOT_OPEN`."""

    uri: str
    version: int
    language_id: str
    text: str
    encoding: str = types.PositionEncodingKind.Utf16.value
    """The units that the client counts characters in: utf-8, utf-16 or utf-32."""

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line's first character."""
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    @property
    def name(self) -> str:
        """The file's name, or for an unsaved document one with the suffix of its language."""
        scheme, name = scheme_and_name(self.uri)
        name = name or "input"
        if scheme == "file" or "." in name:
            return name
        return name + suffix(self.language_id)

    def line(self, number: int) -> str:
        """Return a line without its end."""
        start = self.starts[number]
        if number + 1 < len(self.starts):
            return self.text[start : self.starts[number + 1]].rstrip("\r\n")
        return self.text[start:]

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position in code points.

        A position beyond a line's end is that end, and one beyond the last line the text's end, as
        the protocol wants it; one inside a character is before it.
        """
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line)
        units = position.character
        if self.encoding == "utf-16" and self.is_narrow:
            return self.starts[position.line] + min(units, len(line))
        return self.starts[position.line] + _index(line, units, self.encoding)

    def position(self, offset: int) -> types.Position:
        """Return the position of an offset in code points; one inside a line end is before it."""
        offset = min(max(offset, 0), len(self.text))
        number = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[number] : offset].rstrip("\r")
        is_narrow = self.encoding == "utf-16" and self.is_narrow
        units = len(before) if is_narrow else _units(before, self.encoding)
        return types.Position(number, units)

    def range(self, start: int, end: int) -> types.Range:
        """Return the range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def span(self, extent: types.Range) -> tuple[int, int]:
        """Return the offsets of a range's ends, the lower first."""
        first, second = self.offset(extent.start), self.offset(extent.end)
        return min(first, second), max(first, second)

    def spelled(self, text: str, start: int, end: int) -> int | None:
        """Return the offset where a text stands letter by letter between two offsets.

        None where it does not, as in a literal with escapes, or more than once.
        """
        at = self.text.find(text, start, end) if text else -1
        return at if at >= 0 and self.text.find(text, at + 1, end) < 0 else None

    @cached_property
    def is_narrow(self) -> bool:
        """Whether each character of it is one unit of UTF-16."""
        return self.text.isascii() or _ASTRAL.search(self.text) is None

    def _replaced(self, start: int, end: int, inserted: str) -> Document:
        """Return the document with a text between two offsets.

        Only what is near the edit is looked at again, so an edit of a text of megabytes costs the
        copy of the text alone.
        """
        text = self.text[:start] + inserted + self.text[end:]
        made = replace(self, text=text)
        shift = len(text) - len(self.text)
        near = start + len(inserted) + 1
        kept = bisect_right(self.starts, max(start - 1, 0))
        after = bisect_right(self.starts, end + 1)
        found = [
            match.end()
            for match in _LINE_END.finditer(text, max(start - 1, 0), near)
            # A line end of two characters that is cut here ends the line after the next one.
            if not (match.end() == near and text[near - 1 : near + 1] == "\r\n")
        ]
        starts = [*self.starts[:kept], *found, *(each + shift for each in self.starts[after:])]
        # Where these are set, the properties of the same names are not computed.
        made.__dict__["starts"] = starts
        if self.is_narrow:
            made.__dict__["is_narrow"] = _ASTRAL.search(inserted) is None
        return made

    def changed(
        self, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]
    ) -> Document:
        """Return the document after the changes, each of which sees those before it."""
        document = self
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = document.span(change.range)
                document = document._replaced(start, end, change.text)
            else:
                document = replace(document, text=change.text)
        made = replace(document, version=version)
        made.__dict__.update(
            {name: document.__dict__[name] for name in _DERIVED if name in document.__dict__}
        )
        return made


def _units(text: str, encoding: str) -> int:
    """Return the length of a text in the client's units."""
    if text.isascii() or encoding == "utf-32":
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(1 for _ in _ASTRAL.finditer(text))


def _index(line: str, units: int, encoding: str) -> int:
    """Return how many whole characters of a line lie in so many of the client's units."""
    if line.isascii() or encoding == "utf-32":
        return min(units, len(line))
    if encoding == "utf-8":
        data = line.encode("utf-8", "surrogatepass")
        inside = units < len(data) and 0x80 <= data[units] < 0xC0
        return len(data[:units].translate(None, _CONTINUATION)) - inside
    passed = 0
    for passed, match in enumerate(_ASTRAL.finditer(line), 1):
        if match.start() + passed >= units:
            return min(units - passed + 1, match.start())
    return min(units - passed, len(line))
