"""String and bytes literals in Python code: found under the cursor, read, and written anew.

The value of a literal is a failing input; only its spelling is Python's. So a literal is found with
parso (in code with errors too), its value is reduced in a language of its own, and what is written
back is a well-formed literal in the style that was there. Bytes travel as surrogate escapes.
"""

from __future__ import annotations

import ast
import re
import string
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import parso
from parso.utils import split_lines

from boildown.targets.declined import Declined as Declined
from boildown.targets.displays import laid_out

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
    def is_formatted(self) -> bool:
        """Whether it is an f-string, in which braces are doubled."""
        return "f" in self.prefix.lower()

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
    """Its value; of bytes, with surrogate escapes; of an f-string, with the code of its holes; of
    a display, its code."""
    style: Style
    holes: tuple[str, ...] = ()
    """The code of the parts of an f-string that are made at run time, with their braces."""

    @property
    def is_data(self) -> bool:
        """Whether it is a display, such as a list."""
        return not self.style.quote

    def written(self, value: str) -> str:
        """Return the literal for another value, in the same style as far as that can hold it."""
        if self.is_data:
            return value if value == self.value else laid_out(value, self.value)
        return write(value, self.style, self.holes)


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
    """Return the node of the literal around a span; None if there is none."""
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
        return node
    return None


def _in_fstring(node: Any) -> bool:
    while (node := node.parent) is not None:
        if node.type == "fstring":
            return True
    return False


def read(module: Module, node: Any) -> Literal:
    """Return the literal or display that a node is. Raises Declined if Python would not take it."""
    start, end = module.span(node)
    code = module.text[start:end]
    eol = "\r\n" if "\r\n" in module.text else "\n"
    if node.type in ("atom", "arith_expr", "term"):
        return Literal(start, end, code, Style("", "", eol))
    pieces = node.children if node.type == "strings" else [node]
    formatted = [each for each in pieces if each.type == "fstring"]
    opening = _OPENING.match(formatted[0].get_code(False) if formatted else code)
    assert opening is not None
    style = Style(opening["prefix"], opening["quote"], eol)
    if not formatted:
        return Literal(start, end, _value(code), style)
    values: list[tuple[bool, str]] = []
    for piece in pieces:
        values += _parts(piece) if piece.type == "fstring" else [(False, _value(piece.value))]
    holes = tuple(text for is_hole, text in values if is_hole)
    if not any(text for is_hole, text in values if not is_hole):
        raise Declined("This f-string has no text of its own, so it can't be reduced.")
    if any(hole in text for is_hole, text in values if not is_hole for hole in holes):
        raise Declined("This f-string has a text that reads as one of its own expressions.")
    return Literal(start, end, "".join(text for _, text in values), style, holes)


def _value(code: str) -> str:
    """Return the value of a literal's code. Raises Declined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = ast.literal_eval(f"({code})")
        except (SyntaxError, ValueError) as error:
            raise Declined(f"This literal is not valid Python: {error}.") from None
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def _parts(node: Any) -> Iterator[tuple[bool, str]]:
    """Yield the parts of an f-string: whether it is a hole, with the code of that, or the value."""
    opening = _OPENING.match(node.children[0].value)
    assert opening is not None
    prefix, quote = re.sub("[fF]", "", opening["prefix"]), opening["quote"]
    for child in node.children[1:-1]:
        if child.type != "fstring_string":
            yield True, child.get_code()
            continue
        text = child.get_code().replace("{{", "{").replace("}}", "}")
        yield False, _value(prefix + quote + text + quote)


_PERCENT = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d.*]*([a-zA-Z%])")
"""Matches the fields of a template for the operator `%`, and doubled signs."""


def pieces(literal: Literal) -> list[str]:
    """Return the texts between the holes of an f-string, or of a template for `format` or `%`.

    One piece: there are no holes.
    """
    if literal.is_data or literal.style.is_bytes:
        return [literal.value]
    if literal.holes:
        holes = "|".join(sorted(map(re.escape, set(literal.holes)), key=len, reverse=True))
        return re.split(holes, literal.value)
    try:
        fields = list(string.Formatter().parse(literal.value))
    except ValueError:
        fields = []
    if any(name is not None for _, name, _, _ in fields):
        return _joined((text, name is not None) for text, name, _, _ in fields)
    found, at = [], 0
    for match in _PERCENT.finditer(literal.value):
        text = literal.value[at : match.start()]
        is_hole = match[1] != "%"
        found.append((text if is_hole else f"{text}%", is_hole))
        at = match.end()
    return _joined([*found, (literal.value[at:], False)])


def _joined(parts: Iterable[tuple[str, bool]]) -> list[str]:
    """Return texts, each with whether a hole follows it, joined where none does."""
    found = [""]
    for text, is_hole in parts:
        found[-1] += text
        if is_hole:
            found.append("")
    return found


def write(value: str, style: Style, holes: Sequence[str] = ()) -> str:
    """Return a literal that evaluates to `value`, in a style as far as that can hold it.

    A raw literal becomes an ordinary one where no raw one has this value. Of a bytes style, `value`
    is decoded as UTF-8 with surrogate escapes. Of an f-string, `holes` stay as they are.
    """
    if style.is_bytes:
        value = value.encode("utf-8", "surrogateescape").decode("latin-1")
    pattern = "|".join(sorted(map(re.escape, set(holes)), key=len, reverse=True)) or "(?!)"
    # Texts and holes in turn.
    parts = re.split(f"({pattern})", value)
    if style.is_raw and not all(_fits_raw(text, style) for text in parts[::2]):
        style = Style(re.sub("[rR]", "", style.prefix), style.quote, style.eol)
    parts[::2] = [_body(text, style) for text in parts[::2]]
    return style.prefix + style.quote + "".join(parts) + style.quote


def _body(text: str, style: Style) -> str:
    """Return a text as it stands between the quotes of a literal."""
    if style.is_raw:
        body = text.replace("\n", style.eol)
    else:
        body = "".join(
            _escaped(character, text[at + 1 : at + 2], style) for at, character in enumerate(text)
        )
    return body.replace("{", "{{").replace("}", "}}") if style.is_formatted else body


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
