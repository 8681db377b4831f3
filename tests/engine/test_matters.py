"""Tests of what is told of the tokens of a failing text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

import pytest

from boildown.engine.matters import MOST_RUNS, MOST_TOKENS, Need, VariedToken, tokens, what_matters
from boildown.engine.oracle import Oracle, Outcome, Stop, Verdict, from_test
from boildown.languages import load_language

AS_IT_IS, KIND, FREE = Need.AS_IT_IS, Need.KIND, Need.FREE


def told(
    text: str, oracle: Oracle, language: str = "plain", known: Mapping[str, bool | None] = {}
) -> tuple[VariedToken, ...]:
    read = load_language(language)
    worth = read.valid if read.valid(text) else lambda _text: True
    return what_matters(text, read.parse(text).tree, known, oracle, worth)


def needs(
    text: str, fails: Callable[[str], bool], language: str = "plain"
) -> dict[str, VariedToken]:
    """Return the tokens by their texts."""
    return {each.text: each for each in told(text, from_test(fails), language)}


def below_zero(text: str) -> bool:
    value = json.loads(text)
    return isinstance(value, dict) and value.get("price", 0) < 0


def test_a_key_is_needed_and_a_number_is_one_of_its_kind() -> None:
    found = needs('{"price":-3}', below_zero, "json")
    assert [each.need for each in found.values()] == [AS_IT_IS, AS_IT_IS, AS_IT_IS, KIND, AS_IT_IS]
    assert found["-3"] == VariedToken(9, "-3", "number", KIND, passes="3", fails="-2")
    assert found['"price"'].passes == '"pricf"'


def test_equal_names_that_have_to_change_together_are_told_so() -> None:
    def fails(text: str) -> bool:
        lines = text.splitlines()
        return any(f"[{line[1:-1]}.{line[1:-1]}]" in lines for line in lines)

    found = needs("[c]\n[c.c]", fails, "toml")
    assert found["c"] == VariedToken(7, "c", "name", KIND, True, passes="d", fails="d")


def test_white_space_that_cannot_be_seen_is_told_from_the_rest() -> None:
    found = needs("|\u00a0", lambda text: text.rstrip(" \t\n") != text.rstrip())
    assert (found["\u00a0"].need, found["\u00a0"].fails) == (KIND, "\u2003")
    assert found["\u00a0"].passes == " "


def test_a_token_that_may_be_whatever_was_tried_is_free_and_one_that_may_go() -> None:
    found = needs("[0,true]", lambda text: len(json.loads(text)) > 1, "json")
    assert (found["0"].need, found["true"].need) == (FREE, FREE)
    found = needs("a! b", lambda text: "b" in text.split())
    assert (found["a"].need, found["!"].need, found["b"].need) == (FREE, FREE, AS_IT_IS)
    assert found["a"].fails == ""


def test_a_number_that_differs_from_another_is_replaced_by_that_one() -> None:
    found = needs("[10,25]", lambda text: len(set(json.loads(text))) > 1, "json")
    assert (found["10"].need, found["10"].passes) == (KIND, "25")


def test_what_fails_in_another_way_passes_nowhere() -> None:
    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            is_same = text.startswith("a")
            yield Verdict(Outcome.REPRODUCED if is_same else Outcome.PASSED, "" if is_same else "E")

    (found,) = told("a", oracle)
    assert found == VariedToken(0, "a", "name", KIND, fails="aa")


def test_what_is_known_is_not_run_again() -> None:
    def refused(texts: Iterable[str]) -> Iterator[Verdict]:
        raise AssertionError(next(iter(texts)))
        yield

    known = {"b": True, "c": False, "": False}
    assert told("a", refused, known=known) == (VariedToken(0, "a", "name", KIND, False, "c", "b"),)


def test_a_stop_leaves_what_is_known() -> None:
    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        for _ in islice(texts, 1):
            yield Verdict(Outcome.REPRODUCED)
        raise Stop("enough")

    first, _, second = told("ab cd", oracle)
    assert (first.need, first.fails) == (KIND, "bc")
    assert (second.need, second.fails, second.passes) == (None, None, None)


def test_at_most_so_many_texts_are_run_and_none_twice() -> None:
    asked: list[str] = []

    def fails(text: str) -> bool:
        asked.append(text)
        return False

    text = " ".join(f"word{number}" for number in range(MOST_TOKENS // 2))
    assert len(told(text, from_test(fails))) == MOST_TOKENS - 1
    assert len(asked) == len(set(asked)) == MOST_RUNS
    assert told(f"{text} and more", from_test(fails)) == ()
    assert told("", from_test(fails)) == ()


@pytest.mark.parametrize(
    ("text", "language", "fails"),
    [
        ('{"a":[1,"é",null]}', "json", lambda text: "1" in text and "é" in text),
        ("def f(a):\n    return a", "python", lambda text: "def" in text and "(a)" in text),
        ("a\tb <= c # note", "plain", lambda text: "\t" in text and "=" in text),
        ('x = """some words that are long, too"""', "python", lambda text: "words" in text),
    ],
)
def test_tokens_make_the_text_and_each_variation_does_what_is_said(
    text: str, language: str, fails: Callable[[str], bool]
) -> None:
    found = told(text, from_test(fails), language)
    assert "".join(each.text for each in found) == text
    assert all(text.startswith(each.text, each.start) for each in found)
    for each in found:
        assert not each.everywhere
        for value, outcome in ((each.passes, False), (each.fails, True)):
            if value is not None:
                assert fails(text[: each.start] + value + text[each.end :]) is outcome


def test_a_long_string_is_told_by_its_words() -> None:
    tree = load_language("json").parse('["short", "one with several words in it"]').tree
    assert '"short"' in [each.text for each in tokens(tree)]
    assert "several" in [each.text for each in tokens(tree)]
