"""Reduction by production: what is put in that was not there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boildown.languages import load_language
from engine.seed_languages import EXPRESSIONS, NUMBERS
from helpers import Lisp, Test, contains, logged, run_pass


def number(test: Callable[[float], bool]) -> Test:
    """Reproduce where a text is a number of some sort."""

    def judge(text: str) -> bool:
        try:
            return test(float(text))
        except ValueError:
            return False

    return judge


@pytest.mark.parametrize(
    ("test", "tried"),
    [
        (number(lambda value: True), ["0"]),
        (number(lambda value: value > 0), ["0", "0.0", "100", "1"]),
        (number(lambda value: not value < 100), ["0", "0.0", "100", "1", "00", "000", "10"]),
        (number(lambda value: value not in (0, 100)), ["0", "0.0", "100", "NaN"]),
        (contains("."), ["0", "0.0"]),
    ],
)
def test_numbers_of_other_sorts(test: Test, tried: list[str]) -> None:
    log: list[str] = []
    result, _ = run_pass("production", "100.99", logged(test, log), NUMBERS)
    assert log == tried
    assert result == [text for text in tried if test(text)][-1]


def test_the_grammar_alone_can_not_do_that() -> None:
    test = number(lambda value: value != 0)
    assert run_pass("grammar", "100.99", test, NUMBERS)[0] == "1.0"


@pytest.mark.parametrize(
    ("source", "test", "result"),
    [
        ('{"a": [1, 2, 3], "b": [4, {"c": 50}]}', contains("["), "[]"),
        ('{"a": "hello"}', lambda text: text.isalpha(), "null"),
        ('["a", "b"]', contains("[", '"'), '[""]'),
    ],
)
def test_values_of_other_types(source: str, test: Test, result: str) -> None:
    assert run_pass("production", source, test, load_language("json"))[0] == result


def test_parts_of_the_input_are_used_again() -> None:
    assert run_pass("production", "1 + (2 * 3)", contains("(", "2"), EXPRESSIONS)[0] == "0 + (2)"


def test_where_the_shortest_text_fails_it_is_not_tried_with_signs_around_it() -> None:
    log: list[str] = []
    run_pass("production", "2 * 3", logged(contains("*"), log), EXPRESSIONS)
    assert "0" in log
    assert not {"-0", "+0", "(0)", "0 + 0", "0 / 0"}.intersection(log)


def test_nothing_is_known_without_a_grammar() -> None:
    assert run_pass("production", "(a b)", lambda text: True, Lisp()) == ("(a b)", 0)
