"""Finds the interval around a number in which numbers reproduce, by bisection.

First come numbers ever farther from the one in the text (exponential search; Bentley and Yao, "An
Almost Optimal Algorithm for Unbounded Searching", 1976), then a bisection between a number that
reproduces and one that passes. Random draws have to confirm the condition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from boildown.engine.numerals import Number, fraction, roundest
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import Numbers
from boildown.engine.telling import DISTANCES

Ask: TypeAlias = Callable[[Number], "Outcome | None"]
"""Returns the outcome with a number in the hole; None for one that can't stand there."""

NEIGHBOUR_DISTANCES = 40
"""How many powers of two are tried as the distance to a number that can stand there."""
MIN_WHOLE_NUMBERS = 3
"""The fewest whole numbers that an interval must hold to be worth stating."""
NEGLIGIBLE_SHARE = fraction("1/1024")
"""The share of a distance that counts as nothing, where fractions can stand."""
MAX_BISECTIONS = 60
"""How often an interval is halved at most."""


def numeric_condition(start: Number, known: Mapping[Number, bool], ask: Ask) -> Numbers | None:
    """Return the bounds around `start` within which numbers reproduce, or None.

    `known` tells of numbers that were tried already whether they reproduced. Of whole numbers the
    bounds are exact, if there is one interval; of others, as round as can be.
    """
    high, high_included = _bound(start, 1, known, ask)
    low, low_included = _bound(start, -1, known, ask)
    if low is None and high is None:
        return None
    if low is not None and high is not None and isinstance(start, int):
        first = low if low_included else low + 1
        last = high if high_included else high - 1
        if last - first + 1 < MIN_WHOLE_NUMBERS:
            return None
    condition = Numbers(
        _stated(low, math.ceil), _stated(high, math.floor), low_included, high_included
    )
    wrong = any(condition.contains(value) for value, reproduced in known.items() if not reproduced)
    return None if wrong else condition


def _stated(bound: Number | None, inward: Callable[[Number], int]) -> int | float | None:
    """Return a bound as it can be written down; a whole number inside where it can't be."""
    if bound is None or isinstance(bound, int):
        return bound
    near = float(bound)
    return near if fraction(repr(near)) == bound else inward(bound)


def _bound(
    start: Number, sign: int, known: Mapping[Number, bool], ask: Ask
) -> tuple[Number | None, bool]:
    """Return the bound on one side and whether it belongs to the interval; None for no bound."""
    beyond = [value for value, good in known.items() if not good and (value - start) * sign > 0]
    if beyond:
        bad = min(beyond, key=lambda value: abs(value - start))
        between = (
            value
            for value, good in known.items()
            if good and (value - start) * sign > 0 and abs(value - start) < abs(bad - start)
        )
        good = max(between, key=lambda value: abs(value - start), default=start)
        return _boundary(start, good, bad, ask)
    good = start
    for step in DISTANCES:
        outcome = ask(start + sign * step)
        if outcome is Outcome.PASSED:
            return _boundary(start, good, start + sign * step, ask)
        if outcome is Outcome.REPRODUCED:
            good = start + sign * step
    return None, False


def _boundary(start: Number, good: Number, bad: Number, ask: Ask) -> tuple[Number, bool]:
    """Return where numbers cease to reproduce, and whether that number itself still does."""
    if start != int(start):
        return _between_fractions(good, bad, ask)
    outward = math.ceil if bad > start else math.floor
    inward = math.floor if bad > start else math.ceil
    whole, first = _bisected(inward(good), outward(bad), ask)
    close = ask(first + (whole - first) * NEGLIGIBLE_SHARE)
    if close is None:
        return (whole, True) if _roundness(whole) < _roundness(first) else (first, False)
    if close is Outcome.REPRODUCED:
        return first, ask(first) is Outcome.REPRODUCED
    if ask(whole + (first - whole) * NEGLIGIBLE_SHARE) is not Outcome.REPRODUCED:
        return whole, ask(whole) is Outcome.REPRODUCED
    return _between_fractions(whole, first, ask)


def _between_fractions(good: Number, bad: Number, ask: Ask) -> tuple[Number, bool]:
    good, bad = _bisected(fraction(good), fraction(bad), ask)
    low, high = sorted((good, bad))
    between = roundest(low, high, with_high=True)
    if isinstance(between, float):
        between = fraction(repr(between))
    return between, ask(between) is Outcome.REPRODUCED


def _bisected(good: Number, bad: Number, ask: Ask) -> tuple[Number, Number]:
    """Return two numbers, of which one reproduces and the other passes, and few between them.

    Of whole numbers they are neighbours.
    """
    for _ in range(MAX_BISECTIONS):
        if isinstance(good, int) and isinstance(bad, int):
            middle: Number = (good + bad) // 2
            if abs(good - bad) < 2:
                break
        else:
            middle = (good + bad) / 2
            if abs(bad - good) <= NEGLIGIBLE_SHARE * max(abs(good), abs(bad)):
                break
        middle, outcome = _asked(middle, good, bad, ask)
        if outcome is Outcome.REPRODUCED:
            good = middle
        elif outcome is Outcome.PASSED:
            bad = middle
        else:
            break
    return good, bad


def _asked(middle: Number, good: Number, bad: Number, ask: Ask) -> tuple[Number, Outcome | None]:
    """Return a number between two that can stand there, with its outcome."""
    for number in _between(middle, good, bad):
        outcome = ask(number)
        if outcome is not None:
            return number, outcome
    return middle, None


def _between(middle: Number, good: Number, bad: Number) -> Iterator[Number]:
    """Yield a number and others ever farther from it, then ever closer to two, between these."""
    yield middle
    if not isinstance(middle, int):
        return
    low, high = sorted((good, bad))
    steps = [2**power for power in range(NEIGHBOUR_DISTANCES)]
    around = (near for step in steps for near in (middle + step, middle - step))
    inside = (near for step in reversed(steps) for near in (low + step, high - step))
    yield from (near for near in (*around, *inside) if low < near < high)


def _roundness(value: Number) -> int:
    """Return how many characters a number has without the zeros at its end."""
    return len(str(value).rstrip("0") or "0")
