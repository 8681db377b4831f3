"""Spells numbers and escaped characters shorter, in the notations that most languages share.

No deletion of characters comes to these: `&#10;` can lose none, though `&#9;` may do as well, and
of `0x40` only a zero or nothing is left. That a token has shorter forms by the lexical rules is
from Xu et al., "T-Rec: Fine-Grained Language-Agnostic Program Reduction Guided by Lexical Syntax",
TOSEM 2024; here they are forms of the same value, or of one about as large.

>>> list(spellings("0x40u"))
['1', '9', '0', '64', '1u', '9u', '0u', '64u']
>>> list(spellings("&#10;"))
['\\n', '&#1;', '&#9;', '&#0;']
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

LONGEST = 200
"""Characters of the longest token that is spelled shorter; in a longer one there may be many."""

_NUMERAL = re.compile(
    r"(?<![\\%\w.])(0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*)"
    r"(\.\d+)?([eE][+-]?\d+)?([A-Za-z]\w*)?"
)
_ESCAPE = re.compile(
    r"\\u\{[\da-fA-F]{1,6}\}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\x[\da-fA-F]{2}|\\[0-7]{1,3}"
    r"|&#\d+;|&#[xX][\da-fA-F]+;|&[A-Za-z]\w*;|%[\da-fA-F]{2}"
)
_SHORT_ESCAPES = (r"\n", r"\t", r"\0")


def spellings(token: str) -> Iterator[str]:
    """Yield a token with one number or escape in it spelled shorter, likelier ones first."""
    if len(token) > LONGEST:
        return
    for pattern, shorter in ((_ESCAPE, _characters), (_NUMERAL, _numbers)):
        for match in pattern.finditer(token):
            for new in dict.fromkeys(shorter(match)):
                if len(new) < len(match[0]):
                    yield token[: match.start()] + new + token[match.end() :]


def _characters(match: re.Match[str]) -> Iterator[str]:
    """Yield the character that an escape stands for, then shorter escapes."""
    escape = match[0]
    if escape[0] == "&":
        yield html.unescape(escape)
        return
    code = int(escape.strip("\\uUx{}%"), 8 if escape[1:].isdigit() and escape[0] == "\\" else 16)
    # Half of a pair of UTF-16 is no character: a text with it could be neither saved nor sent.
    if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
        yield chr(code)
    if escape[0] == "\\":
        yield from _SHORT_ESCAPES


def _numbers(match: re.Match[str]) -> Iterator[str]:
    """Yield small numbers, then ones about as large, first without the unit and then with it."""
    whole, fraction, exponent, unit = match.groups(default="")
    plain = whole.replace("_", "")
    digits = str(int(plain, 0)) if plain[1:2].isalpha() else plain.lstrip("0")
    nines = "9" * len(digits)
    large = [nines[: len(nines) // 2], nines[1:], digits]
    if exponent:
        sign = exponent[1] if exponent[1] in "+-" else ""
        power = "9" * (len(exponent.lstrip("eE+-")) - 1)
        large = [f"{digits or 0}e{sign}{power}"] if power else []
    small = ["1", "9", "0"]
    for end in dict.fromkeys(("", unit)):
        yield from (number + end for number in [*small, *large, digits + fraction] if number)
