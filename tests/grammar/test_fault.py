"""The first fault of a text is where the Earley parser is stuck, or it is left to that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.grammar import Grammar, read_lark
from boildown.grammar.ir import Expr
from boildown.grammar.parsing.automaton import Automaton
from boildown.grammar.parsing.core import compile_grammar
from boildown.grammar.parsing.earley import EarleyParser, Found, Stuck
from boildown.grammar.parsing.fault import first_fault
from boildown.grammar.parsing.tokens import Tokens
from grammar.random_grammars import rule_sets
from grammar.shipped import NAMES, examples, load
from languages.examples import mutations


class Both:
    """Two ways to find the first fault."""

    def __init__(self, grammar: Grammar) -> None:
        core = compile_grammar(grammar)
        start = core.symbols[grammar.start]
        self.tokens = Tokens(core)
        self.automaton = Automaton(core, start)
        self.earley = EarleyParser(core, self.tokens, start)

    def compare(self, text: str) -> Stuck | None:
        """Return the fault, which is None if none is told."""
        fault = first_fault(self.tokens, self.automaton, text)
        if fault is not None:
            assert fault == self.earley.parse(text, 1_000_000), text
        return fault


@pytest.mark.parametrize("name", NAMES)
def test_faults_of_damaged_examples(name: str) -> None:
    both = Both(load(name))
    told = stuck = 0
    for example in examples(name):
        assert both.compare(example) is None
        for broken in mutations(example, 100):
            told += both.compare(broken) is not None
            stuck += isinstance(both.earley.parse(broken, 1_000_000), Stuck)
    assert told >= 0.8 * stuck


@given(rule_sets(), st.booleans(), st.text("abc", max_size=12))
def test_faults_by_any_grammar(rules: dict[str, Expr], longest: bool, source: str) -> None:
    Both(Grammar(rules, "A", longest=longest)).compare(source)


def test_a_token_that_is_outdone_may_be_the_right_one() -> None:
    # The longer ")b" may follow an e, though not this one; the text goes on with ")" and "b".
    both = Both(read_lark('start: "(" e ")c" | "[" e ")b"\ne: "x" | "x" ")" "b"'))
    assert isinstance(both.earley.parse("(x)b)c", 1000), Found)
    assert both.compare("(x)b)c") is None
    assert both.compare("[xc") == Stuck(2, ('")b"', '")"'))


def test_after_a_choice_nothing_is_told() -> None:
    both = Both(read_lark('start: "a" one "c" | "a" two "d"\none: "b"\ntwo: "b"'))
    assert both.compare("x") == Stuck(0, ('"a"',))
    assert both.compare("abc") is None
    assert both.compare("abx") == Stuck(2, ('"c"', '"d"'))


ODD = 'a: ("a" | "a"?)?'


@pytest.mark.parametrize(
    ("source", "text", "fault"),
    [
        # A "b" stands only where no text from the start leads.
        (f'start: a\n{ODD}\nb: "a"\nc: a "b"', "aa", Stuck(1, ("end of text",))),
        ('start: b?\nb:\nc: start ("b" start)*', "a", Stuck(0, ("end of text",))),
        # It stands where a text has begun in another way.
        (f'start: a | "x" a "b"\n{ODD}', "aa", Stuck(1, ("end of text",))),
        ('start: a | "x" a "b"\na: "a" | d\nd: "a"', "aa", Stuck(1, ("end of text",))),
        # The choices are at each level of the stack.
        (
            'start: a | "x" a "b"\na: "a" | d | "a" a\nd: "a"',
            "a" * 99 + "c",
            Stuck(99, ('"a"', "end of text")),
        ),
    ],
)
def test_what_follows_elsewhere_is_not_expected(source: str, text: str, fault: Stuck) -> None:
    assert Both(read_lark(source)).compare(text) == fault


def test_no_rule_that_is_not_reached_has_a_say() -> None:
    both = Both(read_lark('start: one "c" | two "d"\none: "b"\ntwo: "b"\nloop: loop | one "d"'))
    assert not both.automaton.is_cyclic
    assert both.compare("bx") == Stuck(1, ('"c"', '"d"'))
