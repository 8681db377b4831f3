"""Numeric conditions: the bounds between which a number in a hole reproduces.

Found by going away from the number that stands there in ever larger steps, and then by bisection
between a number that reproduces and one that passes. Random draws have to confirm the condition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from boildown.engine.conditions import Numbers
from boildown.engine.oracle import Outcome

Number: TypeAlias = "int | float"
Ask: TypeAlias = Callable[[Number], "Outcome | None"]
"""Says what becomes of a number; None for one that can't stand there."""

STEPS = (1, 12, 1234, 1234567, 2**31, 1234567891234)
"""How far from the number that stands there others are tried. Some grammars are wary of zeros."""
NEIGHBOURS = 40
"""How often the distance is doubled to a number that can stand where another one can't."""
LEAST = 3
"""A condition that holds for fewer whole numbers than this is none."""
CLOSE = 2**-10
"""The share of a distance that counts as none, where fractions can stand."""
ROUNDS = 60


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
        if last - first + 1 < LEAST:
            return None
    condition = Numbers(low, high, low_included, high_included)
    wrong = any(condition.contains(value) for value, reproduced in known.items() if not reproduced)
    return None if wrong else condition


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
    for step in STEPS:
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
    close = ask(first + (whole - first) * CLOSE)
    if close is None:
        return (whole, True) if _roundness(whole) < _roundness(first) else (first, False)
    if close is Outcome.REPRODUCED:
        return first, ask(first) is Outcome.REPRODUCED
    if ask(whole + (first - whole) * CLOSE) is not Outcome.REPRODUCED:
        return whole, ask(whole) is Outcome.REPRODUCED
    return _between_fractions(float(whole), float(first), ask)


def _between_fractions(good: Number, bad: Number, ask: Ask) -> tuple[Number, bool]:
    good, bad = _bisected(float(good), float(bad), ask)
    between = _roundest(good, bad)
    return between, ask(between) is Outcome.REPRODUCED


def _bisected(good: Number, bad: Number, ask: Ask) -> tuple[Number, Number]:
    """Return two numbers, of which one reproduces and the other passes, and few between them.

    Of whole numbers they are neighbours.
    """
    for _ in range(ROUNDS):
        if isinstance(good, int) and isinstance(bad, int):
            middle: Number = (good + bad) // 2
            if abs(good - bad) < 2:
                break
        else:
            middle = (good + bad) / 2
            if abs(bad - good) <= CLOSE * max(abs(good), abs(bad)):
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
    """Return a number between two that can stand there, with what becomes of it."""
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
    steps = [2**power for power in range(NEIGHBOURS)]
    around = (near for step in steps for near in (middle + step, middle - step))
    inside = (near for step in reversed(steps) for near in (low + step, high - step))
    yield from (near for near in (*around, *inside) if low < near < high)


def _roundness(value: Number) -> int:
    """Return how many signs a number has without the zeros at its end."""
    return len(str(value).rstrip("0") or "0")


def _roundest(good: Number, bad: Number) -> Number:
    """Return the roundest number between two, or one of them."""
    low, high = sorted((good, bad))
    for digits in range(16):
        value = round((low + high) / 2, digits)
        if low <= value <= high:
            return int(value) if value == int(value) else value
    return good
