"""Thresholds of laws: between which inputs a bound is looked for, and which others are tried."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from random import Random

import pytest

from boildown.engine.laws.search import LawOptions, find_law
from boildown.engine.laws.thresholds import _target
from boildown.engine.oracle import Outcome
from boildown.languages import load_language


@pytest.mark.parametrize(
    ("inside", "outside", "exact", "target"),
    [
        (100, 0, True, 50),
        (3, 2, True, 2),
        (-3, -4, True, -4),
        (100.0, 1.0, False, 50),
        # What is round is one of the two already.
        (2.0, 1.0, False, 1.5),
        (1.75, 1.5, False, 1.625),
        (0.3, 0.1, False, 0.2),
    ],
)
def test_the_middle_of_two_numbers_is_as_round_as_can_be(
    inside: float, outside: float, exact: bool, target: float
) -> None:
    found = _target(inside, outside, exact)
    assert (found, isinstance(found, int)) == (target, isinstance(target, int))


def searched(
    original: str, fails: Callable[[Mapping[str, object]], bool], language: str = "json"
) -> tuple[str, list[str]]:
    """Return the law of a program on JSON objects, and the inputs that were run for it."""
    runs: list[str] = []

    def judge(text: str) -> Outcome:
        runs.append(text)
        try:
            data = json.loads(text)
            failed = isinstance(data, dict) and fails(data)
        except (ValueError, TypeError):
            return Outcome.INVALID
        return Outcome.REPRODUCED if failed else Outcome.PASSED

    law, _ = find_law(
        original,
        original,
        {},
        load_language(language),
        judge,
        Random(0),
        options=LawOptions(250, 20),
    )
    return str(law), runs


@pytest.fixture(scope="module")
def heavy() -> tuple[str, list[str]]:
    return searched('{"n": "x", "w": 640}', lambda data: int(str(data.get("w", 0))) > 137)


def numbers(runs: list[str]) -> set[int]:
    """Return the numbers that were run in the place of the one that decides."""
    found = (re.search(r'"w": ?(-?\d+)[,}]', each) for each in runs)
    return {int(match[1]) for match in found if match is not None}


def test_a_bound_is_exact_and_both_numbers_at_it_were_run(heavy: tuple[str, list[str]]) -> None:
    law, runs = heavy
    assert law == "//w > 137"
    assert {137, 138} <= numbers(runs)


def test_numbers_far_from_a_bound_are_run(heavy: tuple[str, list[str]]) -> None:
    assert {0, 1, -1, -1000, 1_000_000} <= numbers(heavy[1])


@pytest.mark.nightly
def test_the_other_characters_of_its_sort_are_run_where_one_matters() -> None:
    _, runs = searched('{"k": "a1", "n": 3}', lambda data: str(data.get("k", ""))[:1] in "abcd")
    begun = {match[1] for each in runs if (match := re.search(r'"k": ?"([a-z])', each))}
    assert set("abcdefghijklmnopqrstuvwxyz") <= begun
