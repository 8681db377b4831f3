"""The wrappers around an oracle: each does its one thing, and keeps order and laziness."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.oracle import (
    Count,
    Outcome,
    Stop,
    Verdict,
    cached,
    counted,
    from_test,
    judge,
    limited,
    observed,
)
from helpers import run_ahead

longer = from_test(lambda text: len(text) > 2)


def test_true_means_reproduced_and_outcomes_stay() -> None:
    assert judge(longer, "abc").outcome is Outcome.REPRODUCED
    assert judge(longer, "a").outcome is Outcome.PASSED
    assert judge(from_test(lambda _: Outcome.INVALID), "a").outcome is Outcome.INVALID


def test_verdicts_are_lazy() -> None:
    asked = []

    def texts() -> Iterator[str]:
        for text in ("a", "abc", "b"):
            asked.append(text)
            yield text

    verdicts = longer(texts())
    assert [next(verdicts).reproduced, next(verdicts).reproduced] == [False, True]
    assert asked == ["a", "abc"]


@given(st.lists(st.text("ab", max_size=4)), st.integers(1, 4))
def test_cached_gives_the_same_verdicts_and_asks_each_text_once(
    texts: list[str], workers: int
) -> None:
    asked: list[str] = []

    def test(text: str) -> bool:
        asked.append(text)
        return len(text) > 2

    count = Count()
    oracle = cached(counted(run_ahead(from_test(test), workers), count), count)
    assert list(oracle(texts)) == list(longer(texts))
    assert list(oracle(texts)) == list(longer(texts))
    assert sorted(asked) == sorted(set(texts))
    assert count.runs == len(set(texts))
    assert count.cached == 2 * len(texts) - len(set(texts))


def test_limited_stops_before_the_next_verdict() -> None:
    oracle = limited(longer, 2)
    verdicts = oracle(["a", "b", "c"])
    assert [next(verdicts).reproduced, next(verdicts).reproduced] == [False, False]
    with pytest.raises(Stop):
        next(verdicts)
    with pytest.raises(Stop):
        judge(oracle, "d")


def test_limited_takes_no_run_beyond_the_limit() -> None:
    runs = Count()
    oracle = limited(counted(longer, runs), 1)
    with pytest.raises(Stop):
        list(oracle(["a", "b"]))
    assert runs.runs == 1


def test_observed_sees_texts_with_their_verdicts_in_order() -> None:
    seen: list[tuple[str, Verdict]] = []
    oracle = observed(run_ahead(longer, 2), lambda text, verdict: seen.append((text, verdict)))
    list(oracle(["a", "abc", "b"]))
    assert [(text, verdict.reproduced) for text, verdict in seen] == [
        ("a", False),
        ("abc", True),
        ("b", False),
    ]


def test_dropping_the_verdicts_closes_the_innermost() -> None:
    closed = []

    def slow(texts: Iterable[str]) -> Iterator[Verdict]:
        try:
            for _ in texts:
                yield Verdict(Outcome.PASSED)
        finally:
            closed.append(True)

    oracle = cached(observed(counted(limited(slow, 9), Count()), lambda *_: None))
    judge(oracle, "a")
    assert closed == [True]
