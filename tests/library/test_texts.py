"""The library as its users call it."""

from __future__ import annotations

import doctest
import importlib

import pytest

import boildown
from boildown import Outcome, load_language, reduce


def test_reduce_takes_any_callable() -> None:
    reduction = reduce('{"a": [1, {"b": null}]}', lambda text: "null" in text, "json")
    assert reduction.text == "null"
    assert reduction.finished
    assert reduction.minimality == "1-character-minimal"
    assert [step.run for step in reduction.history] == sorted({s.run for s in reduction.history})
    assert reduction.history[0].text == '{"a": [1, {"b": null}]}'
    assert reduction.history[-1].text == "null"


def test_outcomes_are_counted() -> None:
    def test(text: str) -> Outcome:
        return Outcome.REPRODUCED if "x" in text else Outcome.INVALID

    reduction = reduce("a x b", test)
    assert reduction.text == "x"
    assert reduction.outcomes[Outcome.INVALID] > 0
    assert reduction.outcomes[Outcome.PASSED] == 0
    assert sum(reduction.outcomes.values()) == reduction.runs


def test_a_text_that_does_not_reproduce_is_refused() -> None:
    with pytest.raises(ValueError, match="does not reproduce: the test says PASSED"):
        reduce("abc", lambda text: False)


def test_a_limit_of_runs_gives_the_best_so_far() -> None:
    reduction = reduce("a b c x", lambda text: "x" in text, max_runs=2)
    assert not reduction.finished
    assert reduction.runs == 2
    assert "x" in reduction.text


def test_passes_are_picked_by_name() -> None:
    assert reduce("(a (x))", lambda text: "x" in text, passes=["ddmin"]).text == "x"
    with pytest.raises(ValueError, match="no pass called 'nope'"):
        reduce("x", lambda text: "x" in text, passes=["nope"])


def test_loaded_languages_give_back_every_character() -> None:
    for text in ('{"a": 1}', "{", "", "\ud800 \0 \r\n"):
        parsed = load_language("json").parse(text)
        assert boildown.tree.text(parsed.tree) == text


@pytest.mark.parametrize("name", ["boildown", "boildown.library.texts"])
def test_the_examples_in_docstrings_hold(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert not found.failed
