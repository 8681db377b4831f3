"""Grammars in the format of the Fuzzing Book."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boildown.grammar import GrammarError, Parser, ParseSuccess, read_mapping, read_mapping_json
from boildown.tree import Leaf, leaves
from grammar.outline import failed, outline, parsed
from seed_grammars import EXPRESSIONS, POSITIVE_INTEGERS, SIMPLE_HTML


def test_the_tree_of_the_first_example() -> None:
    tree = parsed(Parser(read_mapping(EXPRESSIONS)), "1 + (2 * 3)")
    two = "term(factor(integer(digit(2)))  *  term(factor(integer(digit(3)))))"
    assert outline(tree) == (
        f"start(expr(term(factor(integer(digit(1))))  +  expr(term(factor(( expr({two}) ))))))"
    )
    assert [leaf.text for leaf in leaves(tree)] == ["1", " + ", "(", "2", " * ", "3", ")"]


def test_the_tree_of_the_html_example() -> None:
    tree = parsed(Parser(read_mapping(SIMPLE_HTML)), '<foo>"bar</foo>')
    opening = "opening-tag(lt(<) id(id(id(letter(f)) letter(o)) letter(o)) gt(>))"
    closing = "closing-tag(lt(<) / id(id(id(letter(f)) letter(o)) letter(o)) gt(>))"
    plain = 'plain-text(plain-char(other(")) '
    plain += "".join(f"plain-text(plain-char(letter({char})) " for char in "bar")
    html = f"html({plain}plain-text())))))"
    assert outline(tree) == f"start(html(tagged-text({opening} {html} {closing})))"


@pytest.mark.parametrize(
    "text", ["", "a", '<a b="c">x</a>', "<a>", "<a x='1'/>", "<b><c>x</c></b>"]
)
def test_html(text: str) -> None:
    parsed(Parser(read_mapping(SIMPLE_HTML)), text)


def test_what_is_no_html() -> None:
    parser = Parser(read_mapping(SIMPLE_HTML))
    assert failed(parser, "<a>b</a></b>").position == 8
    assert failed(parser, "<a><").position == 4


def test_integers_are_ambiguous_and_parse() -> None:
    parser = Parser(read_mapping(POSITIVE_INTEGERS))
    assert outline(parsed(parser, "-10")) == (
        "start(int(- positive-int(nonzero-digit(1) positive-int(digit(0)))))"
    )
    assert failed(parser, "01").position == 1


@pytest.mark.parametrize(
    "expansions",
    [
        ["<a>+<a>", "1"],
        [["<a>", "+", "<a>"], ["1"]],
        [("<a>+<a>", {"prob": 0.1}), ("1", {})],
        [[["<a>", "+", "<a>"], {"prob": None}], ["1", {"order": [1]}]],
    ],
)
def test_the_ways_to_write_an_expansion(expansions: list[Any]) -> None:
    parser = Parser(read_mapping({"<start>": ["<a>"], "<a>": expansions}))
    assert outline(parsed(parser, "1+1")) == "start(a(a(1) + a(1)))"


def test_a_list_of_symbols_takes_literals_as_they_are() -> None:
    parser = Parser(read_mapping({"<start>": [["<", "a b", "<x>"]], "<x>": ["<y >"]}))
    assert outline(parsed(parser, "<a b<y >")) == "start(< a b x(<y >))"


def test_priorities_decide_between_alternatives() -> None:
    rules: dict[str, Any] = {
        "<start>": ["<a>", ("<b>", {"priority": 1})],
        "<a>": ["1"],
        "<b>": ["1"],
    }
    assert outline(parsed(Parser(read_mapping(rules)), "1")) == "start(b(1))"


def test_upper_case_names_are_tokens() -> None:
    rules = {
        "<start>": ["<INT>,<start>", "<INT>"],
        "<INT>": ["<digit><INT>", ""],
        "<digit>": list("0123456789"),
    }
    tree = parsed(Parser(read_mapping(rules)), "12,,3")
    assert outline(tree) == "start(12 , start('' , start(3)))"
    assert tree.children[0] == Leaf("INT", "12", "", 0)


def test_the_start_symbol() -> None:
    rules = {"<first>": ["<start>!"], "<start>": ["1"], "<other>": ["2"]}
    assert read_mapping(rules).start == "start"
    assert read_mapping(rules, start="<other>").start == "other"
    assert read_mapping({"<first>": ["1"]}).start == "first"


@pytest.mark.parametrize("rules", [EXPRESSIONS, SIMPLE_HTML])
def test_a_json_file_is_the_same(rules: dict[str, list[str]]) -> None:
    assert read_mapping_json(json.dumps(rules)).rules == read_mapping(rules).rules


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({}, "a grammar is a mapping from nonterminals to lists of expansions"),
        ([1], "a grammar is a mapping from nonterminals to lists of expansions"),
        ({"a": ["b"]}, "'a' is no nonterminal, such as '<digit>'"),
        ({"<a>": "b"}, "the expansions of <a> must be a list"),
        ({"<a>": ["<b>"]}, "'b' is not defined"),
        ({"<a>": []}, "<a> has no expansions"),
        ({"<a>": [3]}, "an expansion of <a> is no text, list or pair: 3"),
        ({"<a>": [["b", 1]]}, "an expansion of <a> is no text, list or pair: ['b', 1]"),
        ({"<a>": [("b", {"priority": "high"})]}, "the priority of <a> is no number: 'high'"),
    ],
)
def test_a_broken_grammar_says_why(rules: Any, reason: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read_mapping(rules)
    assert caught.value.reason == reason


def test_a_broken_file_says_where() -> None:
    with pytest.raises(GrammarError) as caught:
        read_mapping_json('{\n "<a>": ["x<b>"]\n}', "my.json")
    assert str(caught.value) == "my.json:2:12: 'b' is not defined"
    with pytest.raises(GrammarError) as caught:
        read_mapping_json('{\n "<a>": [}', "my.json")
    assert str(caught.value) == "my.json:2:10: not JSON: Expecting value"
    with pytest.raises(GrammarError) as caught:
        read_mapping_json('{"<s>": ["<a>"],\n "<a>": ["x"],\n "<a>": ["y"]}', "my.json")
    assert str(caught.value) == "my.json:1:11: <a> is there twice"
    with pytest.raises(GrammarError):
        read_mapping_json("[" * 100_000, "my.json")


def test_text_at_character_level_is_parsed_in_linear_time() -> None:
    parser = Parser(read_mapping(SIMPLE_HTML), limit=200_000)
    assert isinstance(parser.parse("<a b='" + "x" * 20_000 + "'>"), ParseSuccess)
