"""Long texts by grammars of characters: tokens where the grammar is regular, opened on demand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.grammar import Grammar, Parser, ParseSuccess, Sampler, read_mapping
from boildown.grammar.ir import Expr
from boildown.grammar.parsing.lifting import lifted
from boildown.tree import Leaf, Node, Tree, leaves, places, replace, text
from grammar.outline import outline
from grammar.random_grammars import rule_sets
from seed_grammars import EXPRESSIONS, SIMPLE_HTML

LONG_TEXT = "boildown.grammar.parsing.parser.LONG_TEXT"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every text be a long one."""
    monkeypatch.setattr(LONG_TEXT, 0)


def tree_of(parser: Parser, source: str) -> Node:
    answer = parser.parse(source)
    assert isinstance(answer, ParseSuccess)
    assert isinstance(answer.tree, Node)
    return answer.tree


def opened(parser: Parser, tree: Node) -> Tree:
    """Open all leaves of a tree."""
    return replace(
        tree,
        [
            (place, parser.opened(place.tree))
            for place in places(tree)
            if isinstance(place.tree, Leaf)
        ],
    )


def test_regular_nonterminals_are_leaves(short: None) -> None:
    parser = Parser(read_mapping(SIMPLE_HTML))
    tree = tree_of(parser, "<a1 x='y'>b c</a1>")
    assert outline(tree) == (
        "start(html(tagged-text(opening-tag(< a1 attrs( x='y') >) html(b c) </a1>)))"
    )
    assert [leaf.label for leaf in leaves(tree)] == [
        *["lt", "id", "attr", "gt", "plain-text", "closing-tag"]
    ]


def test_a_leaf_is_opened(short: None) -> None:
    parser = Parser(read_mapping(EXPRESSIONS))
    second = list(leaves(tree_of(parser, "1 + 23")))[2]
    assert second == Leaf("integer", "23", "", 4)
    assert parser.opened(second) == Node(
        "integer",
        (
            Node("digit", (Leaf('"2"', "2", "", 4),)),
            Node("integer", (Node("digit", (Leaf('"3"', "3", "", 5),)),)),
        ),
    )


def test_other_leaves_stay(short: None) -> None:
    parser = Parser(read_mapping(EXPRESSIONS))
    for leaf in (Leaf('"("', "(", "", 3), Leaf("nobody", "x"), Leaf("integer", "x"), Leaf("", "")):
        assert parser.opened(leaf) is leaf


@pytest.mark.parametrize("rules", [EXPRESSIONS, SIMPLE_HTML])
def test_opened_trees_are_the_trees_of_the_grammar(
    rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = Parser(read_mapping(rules))
    sampler, rng = Sampler(parser.grammar), Random(0)
    for _ in range(200):
        source = sampler.sample("start", rng, 40) or ""
        whole = parser.parse(source)
        assert isinstance(whole, ParseSuccess)
        monkeypatch.setattr(LONG_TEXT, 0)
        if not whole.ambiguous:
            assert outline(opened(parser, tree_of(parser, source))) == outline(whole.tree)
        monkeypatch.undo()


def test_short_texts_have_whole_trees() -> None:
    parser = Parser(read_mapping(EXPRESSIONS))
    assert len(list(places(tree_of(parser, "1" * 100)))) > 200
    assert len(list(places(tree_of(parser, "1" * 20_000)))) < 20


def test_what_the_lifted_grammar_does_not_take_is_parsed_all_the_same(short: None) -> None:
    rules = {"<start>": ["<digits>0!"], "<digits>": ["<d><digits>", "<d>"], "<d>": ["0", "1"]}
    parser = Parser(read_mapping(rules))
    assert text(tree_of(parser, "110!")) == "110!"
    assert not isinstance(parser.parse("11!"), ParseSuccess)
    assert isinstance(parser.parse("11", "digits"), ParseSuccess)


def test_nothing_to_lift() -> None:
    assert lifted(read_mapping({"<start>": ["(<start>)", ""]})) is None


@pytest.mark.parametrize(
    "rules",
    [
        {"<start>": ["<a>!"], "<a>": ["x<a>x", ""]},
        {"<start>": ["<a>!"], "<a>": ["x<b>", ""], "<b>": ["y<a>"]},
        {"<start>": ["<a>!"], "<a>": ["<a>x<a>", "y"]},
        {"<start>": ["<a>!"], "<a>": ["<a>x", "y<a>", "z"]},
        {"<start>": ["<a>!"], "<a>": ["<a>", "z"]},
    ],
)
def test_what_is_not_regular_by_its_form_is_not_lifted(rules: dict[str, Any]) -> None:
    assert lifted(read_mapping(rules)) is None


@given(rule_sets(), st.text("ab", max_size=9))
def test_lifting_keeps_any_language(rules: dict[str, Expr], source: str) -> None:
    grammar = Grammar(rules, "A", longest=False)
    plain = isinstance(Parser(grammar).parse(source), ParseSuccess)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LONG_TEXT, 0)
        parser = Parser(grammar)
        answer = parser.parse(source)
        assert isinstance(answer, ParseSuccess) == plain
        if isinstance(answer, ParseSuccess):
            assert isinstance(answer.tree, Node)
            assert text(opened(parser, answer.tree)) == source
