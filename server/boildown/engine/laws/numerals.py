"""Numerals: texts that laws read as numbers."""

from __future__ import annotations

import re
from functools import lru_cache

LARGEST = 1e100
"""Numbers beyond this are taken for it."""
LONGEST_NUMBER = 1000
"""Characters of the longest text that is read as a number."""
LONGEST_EXACT = 30
"""Whole numbers of fewer characters are exact."""
COMPOSITES = (2**12 * 3**2 * 5**3 * 7 * 11, 60, 30, 12, 0)
"""Numbers that many others divide, the first one all that a law may ask a multiple of."""
REMEMBERED = 4_096
"""Texts whose numbers are kept: the columns of a table are asked for the same ones all the time."""

_SPELLED = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[1-9][0-9]*(?:_[0-9]+)+)")
_SIGNS = re.compile(r"[-+][-+ ]*")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@lru_cache(REMEMBERED)
def number(text: str) -> float | None:
    """Return the number that a text is, or None; whole ones are exact."""
    if (signs := _SIGNS.match(text)) is not None and len(signs[0]) > 1:
        # An expression may have several signs, or blanks after one.
        text = "-" * (signs[0].count("-") % 2) + text[signs.end() :]
    if len(text) > LONGEST_NUMBER:
        return None
    if _SPELLED.fullmatch(text):
        return max(-LARGEST, min(int(text, 0), LARGEST))
    if not _NUMBER.fullmatch(text):
        return None
    if len(text) < LONGEST_EXACT and text.lstrip("+-").isdecimal():
        return int(text)
    return max(-LARGEST, min(float(text), LARGEST))
