"""Problems with an order of their own: what they take, and what of it enters the whole."""

from __future__ import annotations

import pytest

from boildown.engine.candidates import retext
from boildown.engine.oracle import Stop, Verdict, cached, from_test, limited
from boildown.engine.problem import Problem
from boildown.engine.reducing.reduce import reduce
from engine.seed_languages import EXPRESSIONS, LONG_EXPRESSION
from helpers import Characters, Test, contains


def problem(text: str, test: Test, accepted: list[str]) -> Problem:
    language = Characters()

    def accept(new: str, _verdict: Verdict) -> None:
        accepted.append(new)

    return Problem(language.parse(text).tree, cached(from_test(test)), language, accept)


def test_a_view_takes_what_is_larger_and_hands_on_what_is_smaller() -> None:
    accepted: list[str] = []
    whole = problem("abc", contains("a"), accepted)
    view = whole.view()
    texts = ("abcd", "bcd", "ab", "abb", "a")
    assert [view.consider(retext(view, text)) for text in texts] == [True, False, True, True, True]
    assert accepted == ["ab", "a"]
    assert (view.text, whole.text) == ("a", "a")


def test_the_text_that_a_view_holds_is_not_tried_again() -> None:
    tried: list[str] = []

    def test(text: str) -> bool:
        tried.append(text)
        return True

    view = problem("abc", test, []).view()
    assert not view.consider(retext(view, "abc"))
    assert tried == []


@pytest.mark.parametrize("name", ["grammar", "choices"])
def test_a_stop_keeps_the_best_that_a_view_found(name: str) -> None:
    oracle = limited(from_test(contains("(", ")")), 4)
    reduction = reduce(LONG_EXPRESSION, oracle, EXPRESSIONS, (name,))
    assert not reduction.finished
    assert len(reduction.text) < len(LONG_EXPRESSION)
    assert reduction.text == reduction.history[-1].text


def test_a_stop_goes_through_a_view() -> None:
    language = Characters()
    oracle = limited(from_test(lambda _text: True), 0)
    view = Problem(language.parse("abc").tree, oracle, language).view()
    with pytest.raises(Stop):
        view.consider(retext(view, "ab"))
