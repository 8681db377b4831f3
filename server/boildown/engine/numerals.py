"""Numerals: texts that are read as numbers, exactly or as near as a law tells them apart."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias, cast

Number: TypeAlias = int | float
"""An exact number; of those with a point or an exponent only infinity is a float, see `fraction`.
"""

TINIEST = 1e-300
"""Numbers nearer to zero are as near as a double can tell."""

LARGEST = 1e100
"""Numbers beyond this are taken for it."""
LONGEST_NUMBER = 1000
"""Characters of the longest text that is read as a number."""
LONGEST_EXACT = 30
"""Whole numbers of fewer characters are exact to laws."""
FINEST = 1e-12
"""The finest unit of a round number."""
COMPOSITES = (2**12 * 3**2 * 5**3 * 7 * 11, 60, 30, 12, 0)
"""Numbers that many others divide, the first one all that a law may ask a multiple of."""
REMEMBERED = 4_096
"""Texts whose numbers are kept: the columns of a table are asked for the same ones all the time."""

_SPELLED = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|[1-9][0-9]*(?:_[0-9]+)+)")
_SIGNS = re.compile(r"[-+][-+ ]*")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@lru_cache(REMEMBERED)
def number(text: str) -> float | None:
    """Return the number that a text is to a law, or None; whole ones are exact.

    It may have several signs, a base such as that of `0x1f`, or digits apart as in `1_000`.
    """
    if (signs := _SIGNS.match(text)) is not None and len(signs[0]) > 1:
        # An expression may have several signs, or blanks after one.
        text = "-" * (signs[0].count("-") % 2) + text[signs.end() :]
    if len(text) > LONGEST_NUMBER:
        return None
    if _SPELLED.fullmatch(text):
        return max(-LARGEST, min(int(text, 0), LARGEST))
    if not _DECIMAL.fullmatch(text):
        return None
    if len(text) < LONGEST_EXACT and text.lstrip("+-").isdecimal():
        return int(text)
    return max(-LARGEST, min(float(text), LARGEST))


def exact_number(text: str) -> Number | None:
    """Return the number that a text is, infinite beyond a double's range; None if it is none.

    It is exact: no two numbers that differ are taken for one.

    >>> exact_number("9007199254740993.0") == 9007199254740993
    True
    """
    if _DECIMAL.fullmatch(text) is None or len(text) > 300:
        return None
    if text.lstrip("+-").isdecimal():
        return int(text)
    near = float(text)
    if math.isinf(near):
        return near
    # What a double takes for zero may have millions of digits.
    return fraction(near if abs(near) < TINIEST else text)


def fraction(value: str | Number) -> float:
    """Return an exact fraction, which can do all of a float, and is one to type checkers."""
    return cast("float", Fraction(value))


def roundest(low: Number, high: Number, with_high: bool = False) -> Number:
    """Return the roundest number from `low` on that is less than `high`, or that itself.

    >>> roundest(-3, 2), roundest(37, 48), roundest(1000, 1001), roundest(0.5, 0.75)
    (0, 40, 1000, 0.5)
    >>> roundest(1.99, 2), roundest(1.99, 2, with_high=True)
    (1.99, 2)
    """
    if low <= 0 < high:
        return 0
    unit = 10.0 ** math.ceil(math.log10(max(abs(low), abs(high), FINEST)))
    while unit >= FINEST:
        for step in (unit, unit / 2):
            at = round(math.ceil(low / step - 1e-9) * step, 12)
            if low <= at < high or (with_high and at == high):
                return int(at) if at.is_integer() else at
        unit /= 10
    return low
