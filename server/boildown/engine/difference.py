"""The smallest single replacement that turns one text into another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import AnyStr

from boildown.engine.numerals import Number, exact_number

_BLOCK = 1 << 14
"""Characters that are compared at a time: each is copied once or twice, however long the text."""


def difference(before: str, after: str) -> tuple[int, int, str]:
    """Return start, end (in code points of `before`) and replacement that make `after` of it.

    The common prefix is taken first, then the common suffix of the rest, both as long as can be.
    """
    start, end, new = changed(before, after)
    return start, end, after[start:new]


def distance(one: str, other: str) -> tuple[Number, int]:
    """Return how far apart two numbers are, or 0, and how many characters of two texts differ."""
    left, right = exact_number(one), exact_number(other)
    apart = 0 if left is None or right is None else abs(left - right)
    start, end, new = difference(one, other)
    return apart, max(end - start, len(new))


def changed(before: AnyStr, after: AnyStr) -> tuple[int, int, int]:
    """Return the start of what differs, its end in `before`, and its end in `after`."""
    shorter = min(len(before), len(after))
    start = _longest(shorter, lambda low, n: before[low:n] == after[low:n])
    old, new = len(before), len(after)
    same = _longest(
        shorter - start,
        lambda low, n: before[old - n : old - low] == after[new - n : new - low],
    )
    return start, old - same, new - same


def _longest(most: int, equal: Callable[[int, int], bool]) -> int:
    """Return how many characters up to `most` are the same, by comparing those of two bounds."""
    low = 0
    while low < most and equal(low, high := min(low + _BLOCK, most)):
        low = high
    high = min(low + _BLOCK, most)
    rest = range(low + 1, high + 1)
    return low + bisect_left(rest, True, key=lambda n: not equal(low, n))
