"""The slope at the end of a reduction: what its last runs brought."""

from __future__ import annotations

from boildown.engine.oracle import Step
from boildown.engine.reducing.reduce import Reduction


def reduction(runs: int, *steps: tuple[int, int]) -> Reduction[str]:
    history = tuple(Step(run, "x" * size) for run, size in steps)
    return Reduction(history[-1].text, runs, 0, False, None, history)


def test_a_slope_that_has_become_flat_is_told() -> None:
    assert reduction(500, (0, 1000), (290, 203), (400, 201), (450, 200)).slope == (200, 3)
    assert reduction(500, (0, 1000), (290, 200)).slope == (200, 0)


def test_a_steep_slope_is_not() -> None:
    assert reduction(500, (0, 1000), (290, 205), (450, 200)).slope is None


def test_nor_that_of_a_short_reduction() -> None:
    assert reduction(399, (0, 1000), (100, 200)).slope is None
