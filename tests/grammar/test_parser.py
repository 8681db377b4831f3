"""Parsing: the shape of trees, which derivation wins, where errors are, how big texts may be."""

from __future__ import annotations

import gc
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.grammar import Grammar, Parser, ParseSuccess, read_lark
from boildown.grammar.ir import Expr
from boildown.grammar.parsing.collector import collector_paused
from boildown.grammar.parsing.core import compile_grammar
from boildown.grammar.parsing.earley import EarleyParser, Found
from boildown.grammar.parsing.tokens import Tokens
from boildown.tree import Kind, Leaf, Node, leaves, size, text
from grammar.outline import check_tree, failed, find, outline, parsed
from grammar.random_grammars import NAMES, language, rule_sets

LISP = """
    start: value
    value: NAME | list
    list: "(" value* ")"
    NAME: /[a-z]+/
    %ignore /[ \\n]+|;[^\\n]*/
"""


def parser_of(source: str, **options: int) -> Parser:
    return Parser(read_lark(source), **options)


def earley(parser: Parser, source: str) -> Node:
    """Parse with the Earley parser even where the other one would do."""
    core = compile_grammar(parser.grammar)
    start = core.symbols[parser.grammar.start]
    with collector_paused():
        answer = EarleyParser(core, Tokens(core), start).parse(source, 10_000_000)
    assert isinstance(answer, Found)
    return answer.tree


def test_every_rule_is_a_node() -> None:
    tree = parsed(parser_of(LISP), "(a (b) ())")
    assert outline(tree) == (
        "start(value(list(( [value(a) value(list(( [value(b)] ))) value(list(( [] )))] ))))"
    )


def test_a_list_says_what_may_be_cut() -> None:
    parser = parser_of(
        'start: "[" a ("," a)* "]" b* c+ (d e)~2..3\na: "a"\nb: "b"\nc: "c"\nd: "d"\ne: "e"'
    )
    start = parsed(parser, "[a,a]ccdede")
    separated, none, some, counted = (child for child in start.children if isinstance(child, Node))
    assert (separated.label, separated.kind) == ('a ("," a)*', Kind.LIST)
    assert (separated.least, separated.separated, len(separated.items)) == (1, True, 2)
    assert (none.label, none.least, none.children) == ("b*", 0, ())
    assert (some.label, some.least, outline(some)) == ("c+", 1, "[c(c) c(c)]")
    assert (counted.label, counted.least) == ("(d e)~2..3", 2)
    assert outline(counted) == "[d e(d(d) e(e)) d e(d(d) e(e))]"


def test_an_option_is_a_node_even_if_absent() -> None:
    parser = parser_of('start: A? [B C]\nA: "a"\nB: "b"\nC: "c"')
    assert outline(parsed(parser, "abc")) == "start(?(a) ?(B C(b c)))"
    assert outline(parsed(parser, "a")) == "start(?(a) ?())"
    assert outline(parsed(parser, "")) == "start(?() ?())"
    option = parsed(parser, "a").children[1]
    assert isinstance(option, Node)
    assert (option.label, option.kind) == ("[B C]", Kind.OPTION)


def test_a_choice_inside_a_rule_is_a_node() -> None:
    parser = parser_of('start: "x" ("a" | "b" "c") ("," (A | B))*\nA: "a"\nB: "b"')
    assert outline(parsed(parser, "xbc,b")) == ('start(x A | B "c"(b c) ["," (A | B)(, A | B(b))])')


def test_a_separator_of_several_tokens_is_one_node() -> None:
    parser = parser_of('start: [A (";" "\\n" A)*]\nA: "a"')
    tree = parsed(parser, "a;\na")
    assert outline(tree) == 'start([a ";" "\\n"(; \n) a])'
    assert parsed(parser, "").children[0].label == '[A (";" "\\n" A)*]'


def test_ignored_text_goes_before_the_next_leaf() -> None:
    tree = parsed(parser_of(LISP), " ; note\n( a ;end\n) \n")
    assert [(leaf.prefix, leaf.text, leaf.start) for leaf in leaves(tree)] == [
        (" ; note\n", "(", 8),
        (" ", "a", 10),
        (" ;end\n", ")", 17),
        (" \n", "", 20),
    ]
    assert tree.children[-1] == Leaf("", "", " \n", 20)


def test_leaves_are_labelled_by_their_terminals() -> None:
    tree = parsed(parser_of('start: NUMBER "+" /[x-z]/ IF\nNUMBER: /[0-9]+/\nIF: "if"'), "1+yif")
    assert [leaf.label for leaf in leaves(tree)] == ["NUMBER", '"+"', "/[x-z]/", "IF"]


def test_the_longest_terminal_wins_and_a_keyword_beats_a_name() -> None:
    parser = parser_of('start: (IF | NAME | "=" | "==")*\nIF: "if"\nNAME: /[a-z]+/\n%ignore " "')
    tree = parsed(parser, "if iffy == =")
    assert [leaf.label for leaf in leaves(tree)] == ["IF", "NAME", '"=="', '"="']


def test_a_priority_beats_length() -> None:
    parser = parser_of('start: (A | B)*\nA.2: "a"\nB: /a+b?/')
    assert [leaf.label for leaf in leaves(parsed(parser, "aa"))] == ["A", "A"]
    assert failed(parser, "ab").position == 1


def test_only_terminals_that_can_stand_somewhere_compete() -> None:
    parser = parser_of('start: "a" NAME "b" INT\nNAME: /[a-z0-9]+/\nINT: /[0-9]+/\n%ignore " "')
    assert outline(parsed(parser, "a 1 b 1")) == "start(a 1 b 1)"


@pytest.mark.parametrize(
    ("source", "sentence", "expected"),
    [
        ("e: e O e | N", "1+1+1", "e(e(e(1) + e(1)) + e(1))"),
        ("e: N O e | N", "1+1+1", "e(1 + e(1 + e(1)))"),
        ("e: a | b\na: N\nb: N", "1", "e(a(1))"),
        ("e: a | b\na: N\nb.1: N", "1", "e(b(1))"),
        ("e: [a] [b]\na: N\nb: N", "1", "e(?(a(1)) ?())"),
        ("e: a* b*\na: N\nb: N", "11", "e([a(1) a(1)] [])"),
        ('e: "i" e ["e" e] | N', "ii1e1", 'e(i e(i e(1) ?("e" e(e e(1)))) ?())'),
        ("e: e e | N", "111", "e(e(e(1) e(1)) e(1))"),
        ("e: e | N", "1", "e(1)"),
        ("e: a e | N\na: ", "1", "e(1)"),
        ("e: f | N\nf: e", "1", "e(1)"),
    ],
)
def test_which_derivation_wins(source: str, sentence: str, expected: str) -> None:
    parser = Parser(read_lark(source + '\nN: "1"\nO: "+"', start="e"))
    assert outline(parsed(parser, sentence)) == expected


def test_ambiguity_is_said() -> None:
    parser = Parser(read_lark('e: e "+" e | "1"', start="e"))
    answers = [parser.parse(source) for source in ("1+1", "1+1+1")]
    assert [isinstance(a, ParseSuccess) and a.ambiguous for a in answers] == [False, True]


@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        ("(a", (2, 1, 3), {"NAME", '"("', '")"'}),
        ("(a))", (3, 1, 4), {"end of text"}),
        ("(a\n  %b)", (5, 2, 3), {"NAME", '"("', '")"'}),
        ("", (0, 1, 1), {"NAME", '"("'}),
        ("a b", (2, 1, 3), {"end of text"}),
    ],
)
def test_an_error_is_where_no_parse_gets_further(
    source: str, place: tuple[int, int, int], expected: set[str]
) -> None:
    failure = failed(parser_of(LISP), source)
    assert (failure.position, failure.line, failure.column) == place
    assert set(failure.expected) == expected


def test_an_error_in_words() -> None:
    assert str(failed(parser_of(LISP), "(a\n %")) == 'line 2, column 2: expected NAME, "(", ")"'
    assert str(failed(parser_of(LISP), "a)")) == "line 1, column 2: expected end of text"


def test_any_nonterminal_may_be_asked_for() -> None:
    parser = parser_of('start: "<" pair* ">"\npair: K ":" V\nK: /k/\nV: /v/')
    assert outline(parsed(parser, "k:v", "pair")) == "pair(k : v)"
    assert outline(parsed(parser, "k:vk:v", "pair*")) == "[pair(k : v) pair(k : v)]"
    assert failed(parser, "<k:v>", "pair").position == 0


@pytest.mark.nightly
def test_a_hundred_thousand_brackets() -> None:
    source = "(" * 100_000 + ")" * 100_000
    for tree in (parsed_deep(source), earley(parser_of(LISP), source)):
        assert text(tree) == source
        assert size(tree) == 200_000


def parsed_deep(source: str) -> Node:
    answer = parser_of(LISP).parse(source)
    assert isinstance(answer, ParseSuccess)
    assert isinstance(answer.tree, Node)
    return answer.tree


def test_a_hundred_thousand_brackets_that_are_not_closed() -> None:
    assert failed(parser_of(LISP), "(" * 100_000).position == 100_000


def test_long_lists_on_both_parsers() -> None:
    parser = parser_of(LISP)
    source = "(" + "a " * 20_000 + ")"
    assert earley(parser, source) == parsed_deep(source)
    assert len(find(earley(parser, source), "value")) == 20_001


def test_a_limit_ends_what_is_too_ambiguous() -> None:
    parser = Parser(read_lark('e: e e | "1"', start="e"), limit=10_000)
    assert isinstance(parser.parse("1" * 20), ParseSuccess)
    failure = failed(parser, "1" * 200)
    assert failure.limited
    assert "too ambiguous" in str(failure)


def test_the_garbage_collector_is_as_before() -> None:
    parser = parser_of(LISP)
    parser.parse("(a")
    assert gc.isenabled()
    gc.disable()
    try:
        parser.parse("(a)")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_characters_of_all_sorts() -> None:
    parser = parser_of("start: ANY*\nANY: /[^ ]/\n%ignore / /")
    source = "\udcff\0\ufeff \U0001f600e\u0301\r\n "
    tree = parsed(parser, source)
    assert [leaf.text for leaf in leaves(tree)][:4] == ["\udcff", "\0", "\ufeff", "\U0001f600"]


@given(rule_sets())
def test_any_grammar_parses_exactly_its_language(rules: dict[str, Expr]) -> None:
    longest = 4
    parser = Parser(Grammar(rules, "A", longest=False))
    expected = language(rules, longest)
    for name in NAMES:
        for length in range(longest + 1):
            for source in map("".join, product("ab", repeat=length)):
                answer = parser.parse(source, name)
                assert isinstance(answer, ParseSuccess) == (source in expected[name]), (
                    name,
                    source,
                )
                if isinstance(answer, ParseSuccess):
                    check_tree(parser.grammar, answer.tree, source)


@given(rule_sets(), st.text("ab", max_size=9))
def test_both_parsers_agree(rules: dict[str, Expr], source: str) -> None:
    parser = Parser(Grammar(rules, "A", longest=False))
    answer = parser.parse(source)
    if isinstance(answer, ParseSuccess):
        assert answer.tree == earley(parser, source)
