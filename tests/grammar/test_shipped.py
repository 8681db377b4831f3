"""The grammars that come with Boildown, all of them: data, examples, samples."""

from __future__ import annotations

import json
from random import Random

import pytest

from boildown.grammar import Parser, Sampler, Success
from boildown.tree import text as text_of
from grammar.outline import outline, parsed
from grammar.shipped import NAMES, examples, load, samples


@pytest.mark.parametrize("name", NAMES)
def test_examples_parse(name: str) -> None:
    parser = Parser(load(name))
    assert len(examples(name)) >= 3
    for example in examples(name):
        parsed(parser, example)


@pytest.mark.parametrize("name", NAMES)
def test_samples_parse_and_are_many(name: str) -> None:
    parser = Parser(load(name))
    texts = samples(name)
    for sample in texts:
        answer = parser.parse(sample)
        assert isinstance(answer, Success)
        assert text_of(answer.tree) == sample
    assert len(set(texts)) > 500


@pytest.mark.parametrize("name", NAMES)
def test_every_terminal_can_be_made(name: str) -> None:
    grammar = load(name)
    sampler, rng = Sampler(grammar), Random(0)
    for terminal in grammar.terminals:
        if terminal not in grammar.ignore:
            assert sampler.sample(terminal, rng, 1)


def test_json_samples_are_json() -> None:
    accepted = 0
    for sample in samples("json"):
        try:
            json.loads(sample)
            accepted += 1
        except ValueError:
            pass
    assert accepted == 1000


def test_json_is_strict() -> None:
    parser = Parser(load("json"))
    for wrong in ("[1,]", "{1:2}", "'a'", "01", "NaN", '"\t"', '"\\x"', "", "[", "1 2"):
        assert not isinstance(parser.parse(wrong), Success), wrong


def test_operators_bind_in_the_usual_order() -> None:
    tree = parsed(Parser(load("expressions")), "1+2*-3**4")

    def power(number: str, rest: str = "?()") -> str:
        return f"factor(power(atom({number}) {rest}))"

    last = f'?(("**" | "^") factor("**" | "^"(**) {power("4")}))'
    three = f'factor("+" | "-"(-) {power("3", last)})'
    assert outline(tree) == (
        f'start(expr([term([{power("1")}]) "+" | "-"(+) '
        f'term([{power("2")} "*" | "/" | "%"(*) {three}])]))'
    )


def test_html_that_pages_hold() -> None:
    parser = Parser(load("html"))
    for page in (
        "",
        "a < b && c > d",
        "<p>1 < 2 <b>x</b></p>",
        "<BR><Img src=a.png><hr/>",
        "<a href=/x/y?z=1&w>link</a>",
        "<script>if (a<b) { x = '</p>'; }</script>",
        "<style>a>b{}</style>",
        "<input disabled value = 'x'\n>",
        "<!-- - -- --><!DOCTYPE html><?xml version='1.0'?><![CDATA[ ]] ]]>",
        '<my-tag:x data-a-1="\'"></my-tag:x >',
        "<p></q>",
        "&nbsp;&#1;&unknown",
    ):
        parsed(parser, page)
    for wrong in ("<p>", "</p>", "<a b='>", "<!-- ", "<a =b></a>"):
        assert not isinstance(parser.parse(wrong), Success), wrong
