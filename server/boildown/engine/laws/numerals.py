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
COMPOSITE = 2**12 * 3**2 * 5**3 * 7 * 11
"""A number that is a multiple of all that a law may ask a multiple of."""
REMEMBERED = 4_096
"""Texts whose numbers are kept: the columns of a table are asked for the same ones all the time."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@lru_cache(REMEMBERED)
def number(text: str) -> float | None:
    """Return the number that a text is, or None; whole ones are exact."""
    if len(text) > LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    if len(text) < LONGEST_EXACT and text.lstrip("+-").isdecimal():
        return int(text)
    return max(-LARGEST, min(float(text), LARGEST))
