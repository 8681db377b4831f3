"""The smallest single replacement that turns one text into another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable


def difference(before: str, after: str) -> tuple[int, int, str]:
    """Return start, end (in code points of `before`) and replacement that make `after` of it.

    The common prefix is taken first, then the common suffix of the rest, both as long as can be.
    """
    shorter = min(len(before), len(after))
    start = _longest(shorter, lambda n: before[:n] == after[:n])
    same = _longest(shorter - start, lambda n: before[len(before) - n :] == after[len(after) - n :])
    return start, len(before) - same, after[start : len(after) - same]


def _longest(most: int, holds: Callable[[int], bool]) -> int:
    """Return the largest number up to `most` for which something holds, as for all below it."""
    return bisect_left(range(1, most + 1), True, key=lambda n: not holds(n))
