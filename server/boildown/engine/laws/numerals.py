"""Numerals: texts that laws read as numbers."""

from __future__ import annotations

import re

LARGEST = 1e100
"""Numbers beyond this are taken for it."""
LONGEST_NUMBER = 1000
"""Characters of the longest text that is read as a number."""
LONGEST_EXACT = 30
"""Whole numbers of fewer characters are exact."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def number(text: str) -> float | None:
    """Return the number that a text is, or None; whole ones are exact."""
    if len(text) > LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    if len(text) < LONGEST_EXACT and text.lstrip("+-").isdecimal():
        return int(text)
    return max(-LARGEST, min(float(text), LARGEST))
