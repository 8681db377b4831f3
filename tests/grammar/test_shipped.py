"""The grammars that come with Boildown, all of them: data, examples, samples."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import sqlite3
from collections.abc import Callable
from random import Random
from xml.parsers import expat

import pytest

from boildown.grammar import Parser, ParseSuccess, Sampler
from boildown.tree import text as text_of
from grammar.outline import failed, find, outline, parsed
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
        assert isinstance(answer, ParseSuccess)
        assert text_of(answer.tree) == sample
    assert len(set(texts)) > 500


@pytest.mark.parametrize("name", NAMES)
def test_every_terminal_can_be_made(name: str) -> None:
    grammar = load(name)
    sampler, rng = Sampler(grammar), Random(0)
    for terminal in grammar.terminals:
        if terminal not in grammar.ignore:
            assert sampler.sample(terminal, rng, 1)


def accepted(name: str, parse: Callable[[str], object], errors: type[Exception]) -> int:
    """Count how many of a thousand samples another program takes."""
    count = 0
    for sample in samples(name):
        with contextlib.suppress(errors):
            parse(sample)
            count += 1
    return count


def test_json_samples_are_json() -> None:
    assert accepted("json", json.loads, ValueError) == 1000


def test_xml_samples_are_xml() -> None:
    def parse(sample: str) -> None:
        expat.ParserCreate().Parse(sample, True)

    assert accepted("xml", parse, expat.ExpatError) >= 980


@pytest.mark.filterwarnings("ignore")
def test_regex_samples_are_regular_expressions() -> None:
    assert accepted("regex", re.compile, re.error) >= 980


def test_sql_samples_are_sql() -> None:
    parser = Parser(load("sql"))

    def parse(sample: str) -> None:
        database = sqlite3.connect(":memory:")
        answer = parser.parse(sample)
        assert isinstance(answer, ParseSuccess)
        for place in find(answer.tree, "statement"):
            try:
                database.execute("EXPLAIN " + text_of(place.tree))
            except sqlite3.Error as error:
                if re.search("syntax error|unrecognized token|incomplete input", str(error)):
                    raise

    assert accepted("sql", parse, sqlite3.Error) >= 980


def test_expression_samples_are_python() -> None:
    def parse(sample: str) -> None:
        ast.parse(re.sub(r"\b0+(?=[0-9])", "", sample), mode="eval")

    assert accepted("expressions", parse, SyntaxError) >= 980


def test_json_is_strict() -> None:
    parser = Parser(load("json"))
    for wrong in ("[1,]", "{1:2}", "'a'", "01", "NaN", '"\t"', '"\\x"', "", "[", "1 2"):
        assert not isinstance(parser.parse(wrong), ParseSuccess), wrong


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
        assert not isinstance(parser.parse(wrong), ParseSuccess), wrong


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("csv", ["", "\n\n", ",,", '"a\r\n""b""",c', "a b;c\td", '\ufeff"x"']),
        ("url", ["", "a", "#", "?a=b", "/a//b/", "http://[::1]:80", "x:y@z", "//h?", "tel:+1-2"]),
        ("ini", ["", "\n", "a", "[s]", "[s]\n\n;c\na = b = c\nd:", "a=1\n[ b c ]", "[a\\b]# c"]),
        ("datetime", ["2024-02", "2024-02-30T24:00", "24:00-0930", "P1Y", "PT0.5S", "P2W"]),
        ("email", ["a@b", "A B <a.b@c.d>", "x: ;", '"a\\"b"@[::1]', "é@ü.de,\r\n b@c"]),
        (
            "regex",
            ["", "|", "()", "a{2}{", "[]-]", "[^^]", r"(?P<a>x)(?P=a)\1", "(?=a)*"],
        ),
        ("sql", ["", ";", "select a.b.c, t.* from t", "VALUES (1), (2)", "SELECT * FROM a, b c"]),
        ("assignments", ["a = b;", "a=((1))-b+00;\nb=a;"]),
        ("xml", ["<a/>", '<a b="&lt;" c=\'"\'>]]<b/></a >', "<?xml version='1.0'?><ä:b></c>"]),
    ],
)
def test_what_they_are_for(name: str, texts: list[str]) -> None:
    parser = Parser(load(name))
    for source in texts:
        parsed(parser, source)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("csv", ['"a', '"a"b']),
        ("url", ["%", "http://a b", "a?b#c#d", "//[::1"]),
        ("ini", ["=a", "[a"]),
        ("datetime", ["", "2024", "2024-13", "25:00", "P", "P1H"]),
        ("email", ["", "a", "a@", "@b", "a..b@c", "a@b c"]),
        ("regex", ["*", "(", ")", "[", "a**", "^*", "(?<=a*)", "a|*", "[a"]),
        ("sql", ["SELECT", "SELECT 1 FROM", "SELECT (1", "UPDATE t", "a", "SELECT 'a"]),
        ("assignments", ["", "a", "a=1", "1=a;"]),
        ("xml", ["", "a", "<a>", "</a>", "<a b></a>", "<a/><b/>", "<a>&</a>", "<a>]]></a>"]),
    ],
)
def test_what_they_refuse(name: str, texts: list[str]) -> None:
    parser = Parser(load(name))
    for source in texts:
        failed(parser, source)


def test_all_shipped_grammars_are_parsed_without_a_choice() -> None:
    for name in NAMES:
        parser = Parser(load(name), limit=-1)
        for example in examples(name):
            parsed(parser, example)
