"""Patterns of flaky failures: a run that refutes is repeated before anything rests on it."""

from __future__ import annotations

from random import Random

import pytest

from boildown.engine.exploring.explore import ExploreOptions, explore
from boildown.engine.generalizing.generalize import generalize
from boildown.engine.oracle import Oracle, from_test
from boildown.languages import load_language


def mostly(rng: Random) -> Oracle:
    """Return an oracle for which everything fails but 5 % of the runs."""
    return from_test(lambda _text: rng.random() >= 0.05)


@pytest.mark.parametrize("seed", range(10))
def test_no_counterexample_is_a_run_that_missed_the_failure(seed: int) -> None:
    oracle = mostly(Random(seed))
    pattern = generalize('{"a": [1, "x", null]}', oracle, load_language("json"), Random(seed))
    assert str(pattern) == "<value>"
    assert [hole.counterexample for hole in pattern.holes] == [None]
    found = explore(pattern, "", oracle, Random(seed), ExploreOptions(mutants=60))
    assert [str(each.pattern) for each in found.found] == ["<value>"]


def test_that_runs_differed_is_told() -> None:
    """A text with a digit fails, but for every tenth run; the others pass."""
    runs = 0

    def fails(text: str) -> bool:
        nonlocal runs
        runs += 1
        return any(map(str.isdigit, text)) and runs % 10 > 0

    pattern = generalize('{"a": [1, 2]}', from_test(fails), load_language("json"), Random(1))
    assert any(note.startswith("The failure is flaky: ") for note in pattern.notes)
