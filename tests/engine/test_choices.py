"""Texts as sequences of choices: making them, finding them, reducing them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.language import Language
from boildown.engine.reducing.choices import Choices, Generator
from boildown.engine.reducing.passes.choices import find_integer
from boildown.engine.reducing.retracing import retrace
from boildown.languages import load_language
from engine.seed_languages import ALL_TOKENS, ASSIGNMENTS, EXPRESSIONS
from helpers import Lisp, Test, contains, logged, run_pass

JSON = load_language("json")
INFIX = load_language("expressions")


def generator(language: Language, text: str) -> Generator:
    return Generator(language, language.parse(text).tree, language.scope)


def retraced(language: Language, text: str) -> Choices | None:
    return retrace(generator(language, text), language.parse(text).tree)


def test_choices_that_end_too_early_make_nothing() -> None:
    assert generator(ASSIGNMENTS, ALL_TOKENS).generate([6, 0, 8, 3, 7, 7]) is None


def test_what_is_left_of_the_choices_is_dropped() -> None:
    made = generator(ASSIGNMENTS, ALL_TOKENS).generate([6, 0, 8, 3, 7, 7, 8, 5, 5])
    assert made is not None
    assert made.choices == (0, 0, 0, 3, 2, 2, 3)


def test_a_name_is_used_only_where_it_is_defined() -> None:
    maker = generator(ASSIGNMENTS, ALL_TOKENS)
    own = [0, 1, 0, 4, 3]
    made = maker.generate([*own, 0, 0, 5, 3, 7])
    assert made is not None
    assert made.text == "e = 00;\nf = e;\n"


@pytest.mark.parametrize(
    ("language", "text", "choices"),
    [
        (EXPRESSIONS, "2 * 3", (0, 2, 0, 4, 1, 2, 2, 4, 1, 3)),
        (ASSIGNMENTS, "b = 1;\na = b;\n", (0, 1, 0, 1, 4, 1, 0, 0, 0, 3, 0)),
        (ASSIGNMENTS, "b = a;\n", None),
        (JSON, "[]", (0, 1, 0, 0)),
        (JSON, "[3, 4]", (0, 1, 0, 1, 3, 1, 1, 3, 2, 0)),
    ],
)
def test_choices_are_retraced(language: Language, text: str, choices: Choices | None) -> None:
    assert retraced(language, text) == choices


JSON_TEXTS = ["[]", "{}", "[1]", '[1,"a",[true,null]]', '{"a":1,"b":{"c":[]}}', '["x",{"x":1.5}]']


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *((JSON, text) for text in JSON_TEXTS),
        *((INFIX, text) for text in ["1", "-x*(2+y)^3", "f(a,b,3)-f()"]),
        *((EXPRESSIONS, text) for text in ["1 + (2 * 3)", "-+12.3 / 4"]),
    ],
)
def test_retraced_choices_make_the_text_again(language: Language, text: str) -> None:
    choices = retraced(language, text)
    assert choices is not None
    made = generator(language, text).generate(choices)
    assert made is not None
    assert (made.text, made.choices) == (text, choices)


@given(st.lists(st.integers(0, 25), max_size=60))
def test_any_choices_make_a_text_that_has_them(choices: list[int]) -> None:
    made = generator(ASSIGNMENTS, ALL_TOKENS).generate(choices)
    if made is not None:
        again = retraced(ASSIGNMENTS, made.text)
        assert again is not None
        assert len(again) == len(made.choices)


@pytest.mark.parametrize("limit", [0, 1, 4, 5, 6, 37, 1000])
def test_find_integer(limit: int) -> None:
    assert find_integer(lambda number: number <= limit) == limit


@pytest.mark.parametrize(
    ("language", "source", "test", "result"),
    [
        (EXPRESSIONS, "1 + (2 * 3)", contains("(", ")"), "(0)"),
        (JSON, '{"a": [1, 2, 3], "b": [4, {"c": 5}]}', contains("[", "5"), "[5]"),
        (JSON, '{"a": [1, 2, 3], "b": [4, {"c": 5}]}', contains("{", "5"), '{"":5}'),
        (JSON, "[0, 1, 2, 3, 4, 5, 6, 7]", contains("[", "2", "6"), "[2,6]"),
        (JSON, '["b", "a"]', contains("[", "a", "b"), '["b", "a"]'),
        (INFIX, "f(x, g(1) + 2)", contains("g", "("), "g()"),
    ],
)
def test_minima(language: Language, source: str, test: Test, result: str) -> None:
    assert run_pass("choices", source, test, language)[0] == result


def test_sequences_that_make_the_same_text_cost_no_run() -> None:
    log: list[str] = []
    run_pass("choices", "[1, 2, 3, 4]", logged(contains("3"), log), JSON)
    assert len(log) == len(set(log))


def test_names_stay_defined() -> None:
    log: list[str] = []
    source = "a = 1;\nb = a + 0;\nc = b - (a);\n"
    result, _ = run_pass("choices", source, logged(contains("= ", "(a)"), log), ASSIGNMENTS)
    assert result == "a = 0;\na = (a);\n"
    for text in log:
        assert retraced(ASSIGNMENTS, text) is not None, text


def test_a_text_that_breaks_the_rule_of_names_is_reduced_without_it() -> None:
    assert run_pass("choices", "b = a + 1;\n", contains("a + "), ASSIGNMENTS)[0] == "a = a + 0;\n"


def test_a_nop_stands_for_the_simplest() -> None:
    test = contains("(", "3")
    assert run_pass("choices-nop", "1 + (2 * 3)", test, EXPRESSIONS)[0] == "0 + (0 * 3)"


def test_nothing_is_done_where_white_space_matters() -> None:
    assert run_pass("choices", "[1,  2]", contains(",  2"), JSON) == ("[1,  2]", 1)


def test_nothing_is_done_without_a_grammar() -> None:
    assert run_pass("choices", "(a b)", contains("a"), Lisp()) == ("(a b)", 0)
    assert run_pass("choices", "[1,, 2]", contains("1"), JSON) == ("[1,, 2]", 0)


@pytest.mark.parametrize("name", ["choices", "choices-nop", "production"])
def test_deep_nesting_is_no_problem(name: str) -> None:
    depth = 1200  # deeper than Python may recurse
    assert run_pass(name, "[" * depth + "]" * depth, contains("["), JSON)[0] == "[]"
