"""What fits where, what may be empty, what is shortest."""

from __future__ import annotations

import pytest
from hypothesis import given

from boildown.grammar import Facts, Grammar, Parser, ParseSuccess, read_lark, read_mapping
from boildown.grammar.ir import Expr
from grammar.random_grammars import NAMES, language, rule_sets
from seed_grammars import EXPRESSIONS, SIMPLE_HTML

STATEMENTS = """
    start: statement*
    statement: if_statement | block | NAME "=" value ";" | ";"
    if_statement: "if" value statement ["else" statement]
    block: "{" statement* "}"
    value: NAME | NUMBER | "(" value ")" | call
    call: NAME "(" [value ("," value)*] ")"
    NAME: /[a-z]+/
    NUMBER: /[1-9][0-9]*/
    %ignore " "
"""


@pytest.fixture(scope="module")
def facts() -> Facts:
    return Facts(read_lark(STATEMENTS))


@pytest.mark.parametrize(
    ("slot", "label", "fits"),
    [
        ("statement", "statement", True),
        ("statement", "if_statement", True),
        ("if_statement", "statement", False),
        ("start", "statement*", True),
        ("start", "statement", True),
        ("start", "block", True),
        ("statement*", "if_statement", True),
        ("statement", "statement*", False),
        ("statement", '";"', True),
        ("value", "NUMBER", True),
        ("value", "call", True),
        ("call", "NAME", False),
        ('["else" statement]', '"else" statement', True),
        ('["else" statement]', "statement", False),
        ('[value ("," value)*]', "call", True),
        ('[value ("," value)*]', "statement", False),
        ("NUMBER", "NAME", False),
        ("nobody", "nobody", True),
        ("nobody", "value", False),
        ("value", "nobody", False),
    ],
)
def test_a_subtree_fits_where_its_label_is_derived(
    facts: Facts, slot: str, label: str, fits: bool
) -> None:
    assert facts.fits(slot, label) is fits


def test_a_list_fits_where_a_wider_list_stands() -> None:
    facts = Facts(
        read_lark(
            'start: "a" x* "b" y+ "c" [x ("," x)*] "d" y ("," y)* "e" y~1..3\nx: y | "x"\ny: "y"'
        )
    )
    assert facts.fits("x*", "y+")
    assert not facts.fits("y+", "x*")
    assert facts.fits('[x ("," x)*]', 'y ("," y)*')
    assert not facts.fits("x*", 'y ("," y)*')
    assert not facts.fits("x*", "y~1..3")


def test_what_may_be_empty(facts: Facts) -> None:
    assert facts.nullable("start")
    assert facts.nullable("statement*")
    assert facts.nullable('["else" statement]')
    assert not facts.nullable("statement")
    assert not facts.nullable("NAME")
    assert not facts.nullable("nobody")
    assert facts.knows("block")
    assert not facts.knows("nobody")


@pytest.mark.parametrize(
    ("label", "shortest"),
    [
        ("start", ""),
        ("statement", ";"),
        ("if_statement", "if a;"),
        ("value", "a"),
        ("call", "a()"),
        ("NUMBER", "1"),
        ('"else" statement', "else;"),
        ("nobody", None),
    ],
)
def test_the_shortest_text(facts: Facts, label: str, shortest: str | None) -> None:
    assert facts.shortest(label) == shortest


def test_white_space_stands_only_where_it_must() -> None:
    facts = Facts(
        read_lark('start: A A B B D\nC: "+="\nc: C\nA: /a+/\nB: "+"\nD: "="\n%ignore /\\s/')
    )
    assert facts.gap == " "
    assert facts.shortest("start") == "a a++ ="
    assert Facts(read_lark('start: "a"\n%ignore "\\n"')).gap == "\n"
    assert Facts(read_lark('start: "a"')).gap == ""


def test_the_seeds_grammars() -> None:
    html = Facts(read_mapping(SIMPLE_HTML))
    assert html.shortest("attr") == " a=''"
    assert html.shortest("closing-tag") == "</a>"
    assert html.fits("html", "tagged-text")
    assert html.fits("start", "letter")
    assert Facts(read_mapping(EXPRESSIONS)).shortest("start") == "0"


def test_a_rule_without_an_end_has_no_text() -> None:
    facts = Facts(read_lark('start: "a" | b\nb: "b" b'))
    assert facts.shortest("b") is None
    assert facts.shortest("start") == "a"


@given(rule_sets())
def test_any_grammar_tells_the_truth(rules: dict[str, Expr]) -> None:
    grammar = Grammar(rules, "A", longest=False)
    facts, parser, known = Facts(grammar), Parser(grammar), language(rules, 4)
    for name in NAMES:
        assert facts.nullable(name) == ("" in known[name])
        shortest = facts.shortest(name)
        if shortest is not None:
            assert isinstance(parser.parse(shortest, name), ParseSuccess)
        if known[name]:
            assert shortest is not None
            assert len(shortest) == min(map(len, known[name]))
        for other in NAMES:
            if facts.fits(name, other):
                assert known[other] <= known[name]


def test_of_texts_that_are_as_short_one_is_preferred_that_needs_no_blank() -> None:
    facts = Facts(
        read_lark("""
            start: "SELECT" expr
            expr: NUMBER | NAME | "?"
            NUMBER: /[0-9]+/
            NAME: /[a-z]+/
            %ignore " "
        """)
    )
    assert facts.shortest("expr") == "?"
    assert facts.shortest("start") == "SELECT?"
