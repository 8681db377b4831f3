"""String and bytes literals in Python code: found under the cursor, read, and written anew.

The value of a literal is a failing input; only its spelling is Python's. So a literal is found with
parso (in code with errors too), its value is reduced in a language of its own, and what is written
back is a well-formed literal in the style that was there. Bytes travel as surrogate escapes.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import parso
from parso.utils import split_lines

from boildown.targets.declined import Declined as Declined

# A string or a comment; good enough to say quickly that an offset is not in a string.
_PIECE = re.compile(
    r"#[^\r\n]*"
    r'|"{3}[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"{3}'
    r"|'{3}[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'{3}"
    r'|"(?:\\[\s\S]|[^"\\\r\n])*"'
    r"|'(?:\\[\s\S]|[^'\\\r\n])*'"
)
_LONGEST_PREFIX = 2
_OPENING = re.compile(r"(?P<prefix>[A-Za-z]*)(?P<quote>\"{3}|'{3}|\"|')")


@dataclass(frozen=True, slots=True)
class Style:
    """How a literal is spelled."""

    prefix: str = ""
    """Letters before the quote, such as `rb`."""
    quote: str = '"'
    eol: str = "\n"
    """The line end of the code around."""

    @property
    def is_bytes(self) -> bool:
        """Whether it is a bytes literal."""
        return "b" in self.prefix.lower()

    @property
    def is_raw(self) -> bool:
        """Whether backslashes stand for themselves."""
        return "r" in self.prefix.lower()

    @property
    def is_triple(self) -> bool:
        """Whether lines may end in it."""
        return len(self.quote) == 3


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal, or several next to each other that make one value."""

    start: int
    """Offset of its first character in the code, in code points."""
    end: int
    value: str
    """Its value; of bytes, with surrogate escapes."""
    style: Style

    def written(self, value: str) -> str:
        """Return the literal for another value, in the same style as far as that can hold it."""
        return write(value, self.style)


@dataclass(frozen=True)
class Module:
    """Python code with its syntax tree."""

    text: str

    @cached_property
    def tree(self) -> Any:
        """The parso module; parso's trees have no types."""
        return parso.parse(self.text)  # type: ignore[no-untyped-call]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in split_lines(self.text, keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def offset(self, position: tuple[int, int]) -> int:
        """Return the offset of one of parso's positions (lines from 1, columns from 0)."""
        return self._starts[position[0] - 1] + position[1]

    def leaf(self, offset: int) -> Any:
        """Return the leaf at an offset, or None."""
        line = bisect_right(self._starts, offset)
        line = min(line, len(self._starts) - 1)
        position = (line, offset - self._starts[line - 1])
        try:
            return self.tree.get_leaf_for_position(position, include_prefixes=False)
        except ValueError:  # The end of the code.
            return None
        except RecursionError:
            raise Declined("This code is nested too deeply to be read.") from None

    def span(self, node: Any) -> tuple[int, int]:
        """Return the offsets of a node's ends."""
        return self.offset(node.start_pos), self.offset(node.end_pos)


def in_string(text: str, offset: int) -> bool:
    """Say, without parsing, whether an offset may be in a string literal (or at its end)."""
    for piece in _PIECE.finditer(text):
        if piece.start() > offset + _LONGEST_PREFIX:
            return False
        if offset <= piece.end() and piece[0][0] != "#":
            return True
    return False


def node_at(module: Module, start: int, end: int) -> Any:
    """Return the node of the literal around a span; None if there is none.

    Raises Declined for a literal that is made at run time.
    """
    # At a boundary parso takes the leaf before it, so the one after it is tried too.
    for offset in (start, start + 1):
        leaf = module.leaf(offset)
        if leaf is None:
            continue
        node = leaf
        while node is not None and node.type not in ("string", "fstring", "strings"):
            node = node.parent if "fstring" in node.type or _in_fstring(node) else None
        if node is None:
            continue
        if node.parent is not None and node.parent.type == "strings":
            node = node.parent
        first, last = module.span(node)
        if not first <= start <= end <= last:
            continue
        if node.type == "fstring" or any(
            child.type == "fstring" for child in getattr(node, "children", ())
        ):
            raise Declined("The value of an f-string depends on the run, so it can't be reduced.")
        return node
    return None


def _in_fstring(node: Any) -> bool:
    while (node := node.parent) is not None:
        if node.type == "fstring":
            return True
    return False


def read(module: Module, node: Any) -> Literal:
    """Return the literal that a node is. Raises Declined if Python would not take it."""
    start, end = module.span(node)
    code = module.text[start:end]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval(f"({code})")
        except (SyntaxError, ValueError) as error:
            raise Declined(f"This literal is not valid Python: {error}.") from None
    opening = _OPENING.match(code)
    assert opening is not None
    eol = "\r\n" if "\r\n" in module.text else "\n"
    style = Style(opening["prefix"], opening["quote"], eol)
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return Literal(start, end, value, style)


def write(value: str, style: Style) -> str:
    """Return a literal that evaluates to `value`, in a style as far as that can hold it.

    A raw literal becomes an ordinary one where no raw one has this value. Of a bytes style, `value`
    is decoded as UTF-8 with surrogate escapes.
    """
    if style.is_bytes:
        value = value.encode("utf-8", "surrogateescape").decode("latin-1")
    if style.is_raw and not _fits_raw(value, style):
        style = Style(re.sub("[rR]", "", style.prefix), style.quote, style.eol)
    if style.is_raw:
        body = value.replace("\n", style.eol)
    else:
        body = "".join(
            _escaped(character, value[at + 1 : at + 2], style) for at, character in enumerate(value)
        )
    return style.prefix + style.quote + body + style.quote


def _fits_raw(value: str, style: Style) -> bool:
    """Say whether a raw literal of this style can have a value."""
    plain = value.replace("\n", "") if style.is_triple else value
    if style.quote[0] in value or not plain.replace("\t", "").isprintable():
        return False
    if style.is_bytes and not value.isascii():
        return False
    return (len(value) - len(value.rstrip("\\"))) % 2 == 0


def _escaped(character: str, following: str, style: Style) -> str:
    """Return a character as it stands in a literal that is not raw."""
    code = ord(character)
    if character == "\\":
        return "\\\\"
    if character == style.quote[0]:
        alone = style.is_triple and following not in ("", character)
        return character if alone else "\\" + character
    if character == "\n":
        return style.eol if style.is_triple else "\\n"
    if character in _SHORT:
        return _SHORT[character]
    if character.isprintable() and (code < 0x7F or not style.is_bytes):
        return character
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


_SHORT = {"\t": "\\t", "\r": "\\r"}
