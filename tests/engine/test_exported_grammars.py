"""Grammars of patterns and laws, against what these match; Lark reads them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import lark
import pytest

from boildown import Law, Pattern, generalize, parse_law
from boildown.engine.laws.instances import law_instances
from boildown.engine.patterns.conditions import Without
from boildown.engine.patterns.grammars import NotContextFree, grammar_of_law, grammar_of_pattern
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.template import template_of
from boildown.grammar import Grammar, write_lark
from boildown.languages import load_language

INPUTS = [
    '{"price":1}',
    '{"draft":[{"price":2}]}',
    '[{"draft":1,"price":3}]',
    '{"a":{"draft":1}}',
    "{}",
    '[null, {"b": []}]',
    '{"xprice":1}',
    '{"price ":1}',
    '"price"',
]
"""Inputs beside random ones."""


def reads(grammar: Grammar) -> lark.Lark:
    return lark.Lark(write_lark(grammar), start=grammar.start, parser="earley")


def follows(parser: lark.Lark, text: str) -> bool:
    try:
        parser.parse(text)
    except lark.exceptions.LarkError:
        return False
    return True


def law_of(text: str) -> Law:
    return replace(parse_law(text, "json"), naming=frozenset({("pair", "STRING")}))


@pytest.mark.parametrize(
    "typed",
    [
        "//price",
        "not //draft",
        "//price and not //draft",
        "//price and //array or not //object",
        "//<pair price> and //<pair draft>",
        "not //STRING",
    ],
)
def test_the_grammar_of_a_law_has_the_inputs_for_which_it_holds(typed: str) -> None:
    law = law_of(typed)
    parser = reads(grammar_of_law(law))
    rng = Random(1)
    drawn = [law.language.sample("start", rng, 30) or "" for _ in range(30)]
    held = [text for text, _ in zip(law_instances(law, INPUTS, rng), range(10), strict=False)]
    texts = [*INPUTS, *drawn, *held]
    assert [text for text in texts if follows(parser, text) != law.matches(text)] == []
    assert {law.matches(text) for text in texts} == {True, False}


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("//price < 0", "//price < 0 asks more than whether a part stands somewhere."),
        ("not count(//price) > 2", "count(//price) > 2 asks more than whether a part stands"),
        ("""//<'\\"null\\"'>""", '"null" is a fixed token.'),
        ("//a and //b and //c and //d", "It asks for 4 parts at once."),
    ],
)
def test_of_other_laws_it_is_said_why_they_are_no_grammar(typed: str, reason: str) -> None:
    with pytest.raises(NotContextFree) as raised:
        grammar_of_law(law_of(typed))
    assert str(raised.value).startswith(reason)


def test_a_language_without_a_grammar_is_named() -> None:
    with pytest.raises(NotContextFree, match="plain is not read by a grammar"):
        grammar_of_law(parse_law("//word", load_language("plain")))


def found(text: str, fails: str, language: str = "json") -> Pattern:
    return generalize(text, lambda candidate: fails in candidate, language, law_runs=0)


@pytest.mark.parametrize(
    ("text", "fails", "shown"),
    [
        ('{"id":[1,{"a":null}]}', '"id":[', '{<pair>*,"id":<array>,<pair>*}'),
        ('{"id":[1,{"a":null}]}', '{"id":', '{"id":<value>,<pair>*}'),
        ('{"a":[1,{"id":[]}]}', '"id":[', '… {<pair>*,"id":<array>,<pair>*} …'),
    ],
)
def test_the_grammar_of_a_pattern_has_its_texts(text: str, fails: str, shown: str) -> None:
    pattern = found(text, fails)
    assert str(pattern) == shown
    parser = reads(grammar_of_pattern(pattern))
    texts = [
        *INPUTS,
        *pattern.distinct(20, Random(2)),
        '{"id":[]}',
        '{"id":7}',
        '{"a":{"id":[]}}',
        '[[{"id":[1],"b":1}]]',
    ]
    assert [text for text in texts if follows(parser, text) != pattern.matches(text)] == []


def test_names_that_must_be_equal_are_no_grammar() -> None:
    with pytest.raises(NotContextFree, match="Two names around one element must be the same"):
        grammar_of_pattern(found("<p><i>x</i></p>", "<i>", "xml"))


def test_a_condition_inside_of_a_recursive_rule_is_one_of_the_grammar(tmp_path: Path) -> None:
    (tmp_path / "own.lark").write_text(
        'start: value\nvalue: "(" value* ")" | NUMBER\nNUMBER: /[0-9]/\n'
    )
    bare = Pattern(template_of("(2)", load_language(tmp_path / "own.lark")))
    hole = Hole("value", "value", (0,), 0, 3, (Without("1", inside="value"),))
    pattern = bare.with_holes([hole])
    parser = reads(grammar_of_pattern(pattern))
    for text, belongs in (("(2)", True), ("((3)())", True), ("((1)2)", False), ("1", False)):
        assert (pattern.matches(text), follows(parser, text)) == (belongs, belongs), text
