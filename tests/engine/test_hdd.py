"""Hierarchical delta debugging."""

from __future__ import annotations

import pytest

from boildown.grammar import read_lark
from boildown.languages import load_language
from boildown.languages.grammar import grammar_language
from engine.seed_languages import EXPRESSIONS
from helpers import Lisp, Test, contains, logged, run_pass

JSON = load_language("json")


def test_the_least_of_its_symbol_takes_the_place_of_a_node() -> None:
    log: list[str] = []
    test = logged(contains("(", ")"), log)
    assert run_pass("hdd", "1 + (2 * 3)", test, EXPRESSIONS)[0] == "1 + (0)"
    assert log == ["0", "1 + 0", "1 + (0)"]


def test_each_level_is_one_ddmin() -> None:
    log: list[str] = []
    test = logged(contains("[", "2", "6"), log)
    assert run_pass("hdd", "[0, 1, 2, 3, 4, 5, 6, 7]", test, JSON)[0] == "[2, 6]"
    assert log == [
        *("0", "[]"),
        *("[4, 5, 6, 7]", "[0, 1, 2, 3]"),
        *("[2, 3, 4, 5, 6, 7]", "[2, 3, 6, 7]"),
        *("[6, 7]", "[2, 3]"),
        *("[3, 6, 7]", "[2, 6, 7]", "[2, 7]", "[2, 6]"),
        *("[6]", "[2]"),
        "[2,0]",
    ]


@pytest.mark.parametrize(
    ("source", "test", "result"),
    [
        ('{"a": [1, 2, 3], "b": [4, {"c": 50}]}', contains("5"), '{"":[{"": 50}]}'),
        ('{"a": [1, 2, 3], "b": [4, {"c": 50}]}', contains("a", "b"), '{"a": 0, "b":0}'),
        ("[[10, 11], [12, 13], [14]]", contains("11", "13"), "[[ 11], [ 13]]"),
        ("[[10, 11], [12, 13], [14]]", lambda text: text.count("[") == 4, "[[], [], []]"),
    ],
)
def test_a_level_may_hold_nodes_of_several_parents(source: str, test: Test, result: str) -> None:
    assert "".join(run_pass("hdd", source, test, JSON)[0].split()) == "".join(result.split())


def test_without_a_grammar_only_items_go() -> None:
    test = contains("x")
    assert run_pass("hdd", "(a (b (c x) d) e)", test, Lisp())[0].strip() == "(((x)))"


def test_a_list_keeps_as_many_items_as_it_must() -> None:
    grammar = read_lark('start: "(" word ("," word)~1..9 ")"\nword: /[a-z]+/\n', "test")
    language = grammar_language(grammar, "words")
    result, _ = run_pass("hdd", "(one,two,three,four)", contains("("), language)
    assert result == "(a,a)"


def test_a_separator_goes_only_with_an_item() -> None:
    grammar = read_lark("start: [word (sep word)*]\nword: /[a-z]+/\nsep: /-+/\n", "test")
    language = grammar_language(grammar, "words")
    assert run_pass("hdd", "one---two--three", contains("-"), language)[0] == "a-a"
