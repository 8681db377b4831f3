"""Generalized tree reduction."""

from __future__ import annotations

import pytest

from boildown import tree as trees
from boildown.engine.reducing.passes.gtr import children
from boildown.languages import load_language
from engine.seed_languages import EXPRESSIONS
from helpers import Lisp, Test, contains, logged, run_pass

JSON = load_language("json")


def test_children_take_the_place_of_their_parent() -> None:
    log: list[str] = []
    test = logged(contains("(", ")"), log)
    assert run_pass("gtr", "1 + (2 * 3)", test, EXPRESSIONS)[0] == "(2)"
    assert log == ["1", "(2 * 3)", "2 * 3", "(2)"]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("1 + (2 * 3)", ["1", "(2 * 3)"]),
        ("((2 * 3))", ["(2 * 3)"]),
        ("12.34", ["12", "34"]),
        ("7", []),
    ],
)
def test_children_are_those_of_an_abstract_tree(source: str, found: list[str]) -> None:
    root = EXPRESSIONS.parse(source).tree
    assert [trees.text(child) for child in children(EXPRESSIONS, root)] == found


def test_items_are_children_of_what_stands_around_their_list() -> None:
    root = JSON.parse("[1, [2], {}]").tree
    assert [trees.text(child).strip() for child in children(JSON, root)] == ["1", "[2]", "{}"]


@pytest.mark.parametrize(
    ("source", "test", "result"),
    [
        ('{"a": [1, 2], "b": [4, {"c": 5}]}', contains("{", "5"), '{"b":{"c":5}}'),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", contains("[", "2", "6"), "[2,6]"),
        ("[0, [1, [2, [3, 4]]]]", contains("3"), "3"),
        ("[[[[[]]]]]", contains("[]"), "[]"),
    ],
)
def test_minima(source: str, test: Test, result: str) -> None:
    assert "".join(run_pass("gtr", source, test, JSON)[0].split()) == result


def test_nothing_is_put_in_that_was_not_there() -> None:
    log: list[str] = []
    run_pass("gtr", "(a (b c))", logged(contains("c"), log), Lisp())
    assert all(set(text) <= set("(a b c)") for text in log)


@pytest.mark.parametrize("name", ["hdd", "gtr"])
def test_deep_nesting_is_no_problem(name: str) -> None:
    depth = 550  # nodes nest twice as deep, deeper than Python may recurse
    source = "(" * depth + "a x" + ")" * depth
    result = run_pass(name, source, contains("x"), Lisp())[0]
    assert result.strip() == ("x" if name == "gtr" else "(" * depth + "x" + ")" * depth)
