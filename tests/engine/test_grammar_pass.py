"""Grammar-based reduction: what it finds to try, and what its strategies end with."""

from __future__ import annotations

import pytest

from boildown import tree as trees
from boildown.engine.reducing.passes.grammar import (
    MAX_COMBINATIONS,
    Counts,
    Strategy,
    alternatives,
    expansions,
    subtrees,
)
from boildown.languages import load_language
from boildown.tree import Tree
from engine.seed_languages import EXPRESSIONS
from helpers import Lisp, Test, contains, run_pass

TREE = EXPRESSIONS.parse("1 + (2 * 3)").tree


def texts(found: list[Tree]) -> list[str]:
    return [trees.text(tree) for tree in found]


def test_counts_of_a_tree() -> None:
    assert Counts().of(TREE) == 25


def test_subtrees_of_a_symbol() -> None:
    assert texts(list(subtrees(TREE, "term"))) == ["1", "(2 * 3)", "2 * 3", "3"]


@pytest.mark.parametrize(("depth", "found"), [(1, []), (2, ["1"]), (3, ["(2 * 3)"])])
def test_subtrees_at_a_depth(depth: int, found: list[str]) -> None:
    assert texts(list(subtrees(TREE, "term", depth))) == found


def test_expansions_with_all_combinations() -> None:
    found = expansions(EXPRESSIONS, Counts(), TREE, "term", most=MAX_COMBINATIONS)
    assert texts(found) == [
        *("1", "2", "3", "1 * 1", "1 * 3", "2 * 1", "2 * 3", "3 * 1", "3 * 3", "(2 * 3)"),
        *("1 * 2 * 3", "2 * 2 * 3", "3 * 2 * 3", "1 * (2 * 3)", "(2 * 3) * 1", "(2 * 3) * 3"),
        *("2 * (2 * 3)", "3 * (2 * 3)"),
    ]


def test_expansions_with_the_first_combination() -> None:
    assert texts(expansions(EXPRESSIONS, Counts(), TREE, "term")) == ["1", "1 * 1"]


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("expr", ["1 + (2 * 3)", "(2 * 3)", "2 * 3", "1"]),
        ("term", ["1", "(2 * 3)", "2 * 3", "3", "1 * 1"]),
    ],
)
def test_subtrees_come_before_expansions(label: str, found: list[str]) -> None:
    both = alternatives(EXPRESSIONS, Counts(), Strategy(), TREE, label)
    assert texts(list(both)) == found


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("grammar", "(3)"),
        ("grammar-subtrees", "(3)"),
        ("grammar-expansions", "1 + (3)"),
        ("grammar-all", "(3)"),
        ("grammar-depth", "(3)"),
    ],
)
def test_strategies(name: str, result: str) -> None:
    assert run_pass(name, "1 + (2 * 3)", contains("(", ")"), EXPRESSIONS)[0] == result


@pytest.mark.parametrize("name", ["grammar", "grammar-depth"])
@pytest.mark.parametrize(
    ("source", "test", "result"),
    [
        ('{"a": [1, 2, 3], "b": [4, {"c": 5}]}', contains("[", "5"), "[5]"),
        ('{"a": [1, 2, 3], "b": [4, {"c": 5}]}', contains("{", "4"), '{"b":4}'),
        ("[0, 1, 2, 3, 4, 5, 6, 7]", contains("[", "2", "6"), "[2, 6]"),
        ("[[[[[[1]]]]]]", contains("["), "[]"),
    ],
)
def test_lists_lose_items(name: str, source: str, test: Test, result: str) -> None:
    assert run_pass(name, source, test, load_language("json"))[0] == result


def test_a_language_without_a_grammar_has_subtrees() -> None:
    assert run_pass("grammar", "(a (b (c x) d) e)", contains("x"), Lisp())[0].strip() == "x"


@pytest.mark.parametrize("name", ["grammar", "grammar-depth"])
def test_parts_of_an_expansion_stay_apart(name: str) -> None:
    language = load_language("expressions")
    assert run_pass(name, "-(+x)", contains("-", "x"), language)[0] == "-x"


@pytest.mark.parametrize("name", ["grammar", "grammar-depth"])
def test_deep_nesting_is_no_problem(name: str) -> None:
    depth = 550  # nodes nest twice as deep, deeper than Python may recurse
    result = run_pass(name, "(" * depth + "x" + ")" * depth, contains("x"), Lisp())[0]
    assert result.strip() == "x"
