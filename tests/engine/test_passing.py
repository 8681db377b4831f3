"""The closest text that passed: the other half of a minimal pair."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from boildown.engine.oracle import Outcome, Verdict, from_test
from boildown.engine.passing import MOST_CHARACTERS, MOST_TEXTS, Passing, PassingTexts, _distance
from boildown.engine.reducing.reduce import reduce
from helpers import Characters

PASSED = Verdict(Outcome.PASSED)


def test_with_the_reduced_text_it_is_a_minimal_pair() -> None:
    reduction = reduce("(abc)" * 3, from_test(lambda text: "bc" in text), Characters())
    assert reduction.text == "bc"
    # Without the b, or with another letter in its place.
    assert reduction.passing in (Passing("c", 1), Passing("ac", 1))


def test_other_failures_hangs_and_invalid_texts_have_not_passed() -> None:
    texts = PassingTexts()
    for outcome, signature in (
        (Outcome.PASSED, "exit 1"),
        (Outcome.TIMEOUT, ""),
        (Outcome.INVALID, ""),
        (Outcome.REPRODUCED, ""),
    ):
        texts.see("ac", Verdict(outcome, signature), 2)
    assert texts.closest("ab") is None
    texts.see("ac", PASSED, 2)
    texts.see("ac", Verdict(Outcome.REPRODUCED), 2)
    assert texts.closest("ab") is None


@pytest.mark.parametrize(
    ("seen", "text", "closest"),
    [
        (["xyz", "abd", "a"], "abc", Passing("abd", 1)),
        (["ab", "ac"], "abc", Passing("ac", 1)),
        (["bcabc", "xbxd"], "abcd", Passing("xbxd", 2)),
        ([""], "abc", Passing("", 3)),
    ],
)
def test_the_closest_and_of_several_the_latest(
    seen: list[str], text: str, closest: Passing
) -> None:
    texts = PassingTexts()
    for each in seen:
        texts.see(each, PASSED, len(text))
    assert texts.closest(text) == closest


def test_distances_are_those_of_the_definition() -> None:
    @cache
    def defined(first: str, second: str) -> int:
        if not first or not second:
            return len(first) + len(second)
        return min(
            defined(first[1:], second) + 1,
            defined(first, second[1:]) + 1,
            defined(first[1:], second[1:]) + (first[0] != second[0]),
        )

    words = ["".join(word) for size in range(5) for word in itertools.product("ab", repeat=size)]
    for first, second in itertools.product(words, repeat=2):
        assert _distance(first, second) == defined(first, second)


def test_few_are_kept_and_those_that_are_about_as_long_as_the_best() -> None:
    texts = PassingTexts()
    for length in [*range(2 * MOST_TEXTS), MOST_CHARACTERS, 2 * MOST_CHARACTERS]:
        texts.see("x" * length, PASSED, 100)
    assert len(texts._passed.texts) <= MOST_TEXTS
    assert sum(map(len, texts._passed.texts)) <= MOST_CHARACTERS
    assert texts.closest("x" * 99 + "y") == Passing("x" * 100, 1)


def test_between_very_long_texts_the_distance_is_a_bound() -> None:
    texts = PassingTexts()
    texts.see("ab" * 5000, PASSED, 10_000)
    assert texts.closest("ba" * 5000) == Passing("ab" * 5000, 10_000)
