"""Characters in ANTLR grammars: escapes, and Unicode properties as character classes."""

from __future__ import annotations

import re

PIECE = re.compile(r"\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\.|.", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0410-\u042f"
_LOWER = "a-z\u00df-\u00f6\u00f8-\u00ff\u03b1-\u03c9\u0430-\u044f"
_LETTERS = (
    "a-zA-Z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02c1\u0370-\u1fff\u2c00-\ud7ff"
    "\U00010000-\U000e01ef"
)
_PROPERTIES = {
    name: inside
    for names, inside in (
        ("l letter alphabetic id_start xid_start xids", _LETTERS),
        ("id_continue xid_continue xidc alnum", _LETTERS + "0-9_\u0300-\u036f"),
        ("lu uppercase uppercase_letter", _UPPER),
        ("ll lowercase lowercase_letter", _LOWER),
        ("n nd digit decimal_number", r"\d"),
        ("z zs white_space whitespace space_separator", r"\s"),
        ("p punctuation", r"!-#%-*,-/:;?@\[-\]_{}\u00a1-\u00bf\u2010-\u2027"),
        ("m mn mc", "\u0300-\u036f"),
    )
    for name in names.split()
}
"""Unicode properties, roughly, as the inside of a character class (`[...]`)."""


def property_inside(piece: str) -> str | None:
    """Return a property such as `\\\\p{Lu}` as the inside of a character class; None if unknown."""
    name = piece[3:-1].lower()
    return None if piece[1] == "P" else _PROPERTIES.get(name.partition("=")[2] or name)


def unescaped(piece: str) -> str:
    """Return the character that a piece of a literal or a set means.

    Raises ValueError or OverflowError if Unicode has none of its number.
    """
    if not piece.startswith("\\"):
        return piece
    if piece[1] == "u" and len(piece) > 2:
        return chr(int(piece[2:].strip("{}"), 16))
    return _ESCAPES.get(piece[1], piece[1])


def in_brackets(char: str) -> str:
    """Return a character as it is written in a character class, escaped if need be."""
    return f"\\{char}" if char in "\\]^-[&~|" else char
