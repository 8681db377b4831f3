"""Laws and attacks on where parts stand: in whatever part, in which order, beside what."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

import pytest
from benchmarks.diagnosis.subjects.settings import toml_fails_if

from boildown.engine.laws.mutants import Corpus, renamed, without_item
from boildown.engine.laws.notation import meant, parse_rules
from boildown.engine.laws.parts import PADDED, Parts, read
from boildown.engine.laws.strains import appended, declared, frames, transplanted
from boildown.engine.laws.turned import rearranged, stretched, wrapped
from boildown.languages import load_language
from boildown.library.laws import parse_law
from engine.test_laws import found
from engine.test_laws_of_two_parts import objects

STAFF = (
    '<staff><user role="admin" id="1"><name>Bo</name></user>'
    '<user role="admin" id="2"><email>di@b.c</email></user>'
    '<user id="3"><name>Al</name></user></staff>'
)
ORDERS = "no,who,state\n1,Al,paid\n2,Bo,lost\n3,Di,lost\n4,Cy,open\n5,Ed,lost\n"
SCRIPT = "import os\nprint(os)\ndef run(item):\n    count = item\nfrom sys import path\n"
SERVICES = "[service.web]\nport = 80\nretries = 3\n\n[service.mail]\nport = 25\ntimeout = 9\n"


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
QUOTED = re.compile(r"""[xX]?'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*]""")
"""Strings and names in quotes or brackets."""


def _lacks_email(text: str) -> bool:
    users = ElementTree.fromstring(text).iter("user")
    return any(e.get("role") == "admin" and e.find("email") is None for e in users)


def _has_lost_several(text: str) -> bool:
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    return sum(len(row) > 2 and row[2] == "lost" for row in rows[1:]) > 2


def _imports_late(text: str) -> bool:
    nodes = [*ast.walk(ast.parse(text))]
    starts = [each.lineno for each in nodes if isinstance(each, FUNCTIONS)]
    imports = [each.lineno for each in nodes if isinstance(each, ast.Import | ast.ImportFrom)]
    return bool(starts) and any(each >= min(starts) for each in imports)


def _holds_empty(text: str) -> bool:
    return "''" in QUOTED.findall(text)


def _commits_first(text: str) -> bool:
    words = [each.split()[0] for each in text.upper().split(";") if each.strip()]
    begun = words.index("BEGIN") if "BEGIN" in words else len(words)
    return "COMMIT" in words[:begun]


def _has_endless_tries(value: dict[str, object]) -> bool:
    return any("retries" in each and "timeout" not in each for each in objects(value))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        (
            # The one is an attribute, the other an element.
            *("xml", STAFF, '<user role="admin"/>', _lacks_email),
            '//user[role = "admin" and not email]',
        ),
        (
            *("csv", ORDERS, ",\n,,lost\n,,lost\n,,lost", _has_lost_several),
            'count(row[>1]/field[3][. = "lost"]) > 2',
        ),
        # Both statements with the keyword stand behind the function, and both before it.
        ("python", SCRIPT, "def a():import a", _imports_late, '//"def" before //"import"'),
        # No row of values is needed: it may be a default as well.
        (
            "sql",
            "INSERT INTO a (b) VALUES ('', 'x');",
            "VALUES('')",
            _holds_empty,
            "empty(//literal)",
        ),
        (
            *("sql", "COMMIT;\n\nSELECT a FROM b;", "COMMIT", _commits_first),
            '//"COMMIT" before any //"BEGIN"',
        ),
        (
            "toml",
            SERVICES,
            "retries=1",
            toml_fails_if(_has_endless_tries),
            "//.[retries and not timeout]",
        ),
    ],
)
def test_a_law_is_found(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    law, _ = found(language, original, reduced, fails)
    assert str(law) == expected


@pytest.mark.parametrize(
    ("language", "law", "explained", "others"),
    [
        ("xml", "//a[low > high]", '<a low="3"><high>2</high></a>', '<a low="3"/><!-- 2 -->'),
        ("csv", "//row[>1][field[1] = 2 and empty(field[2])]", "a,b\n2,\n", "2,\na,b\n"),
        ("json", 'count(//k[. starts with "a"]) > 1', '[{"k": "ab"}, {"k": "ac"}]', '{"k": "aa"}'),
        (
            *("json", 'count(//k[. = "o"]) > count(//k[. = "c"])'),
            *('[{"k": "o"}, {"k": "c"}, {"k": "o"}]', '[{"k": "o"}, {"k": "c"}]'),
        ),
        (
            *("xml", "//s[count(//xs/v) != count(//ys/v)]"),
            *("<s><xs/><ys><v/></ys></s>", "<s><xs>3</xs><ys/></s>"),
        ),
        ("json", "empty(//a)", '{"a": [ ]}', '{"a": [0]}'),
        # Rows without cells are rows, too.
        (
            *("html", "count(//tr/td) != that of the first"),
            *("<tr><td></td></tr><tr></tr>", "<tr><td></td></tr><tr><td></td></tr>"),
        ),
        # The only argument of a call is none of its own.
        (
            *("expressions", "count(//vec/expr) != that of the first"),
            *("vec(220) + norm(vec())", "vec(220) + norm(vec(x))"),
        ),
        (
            "json",
            "allow/value in deny/value",
            '{"allow": ["a"], "deny": ["b", "a"]}',
            '{"allow": ["a"], "deny": "a"}',
        ),
        # An escape is one character.
        (
            "xml",
            "//.[len(short) > len(long)]",
            '<a short="ab" long="&#x3c;"/>',
            '<a short="a&lt;" long="abc"/>',
        ),
        # A string that looks like a number begins behind its quotes.
        ("json", '//phone not starts with "+"', '{"phone": "49"}', '{"phone": "+49"}'),
        (
            *("sql", "not every insert/table in earlier(create_table/table)"),
            "CREATE TABLE b (a INT); INSERT INTO c VALUES (1)",
            "CREATE TABLE b (a INT); INSERT INTO b VALUES (1)",
        ),
        (
            *("sql", 'count(//statement[. = "BEGIN"]) != count(//statement[. = "COMMIT"])'),
            *("BEGIN; SELECT a", "BEGIN; SELECT a; COMMIT"),
        ),
        (
            "json",
            "items/*/t < the one before",
            '{"items": [{"t": 2}, {"t": 1}]}',
            '[{"t": 2}, {"t": 1}]',
        ),
    ],
)
def test_a_law_holds(language: str, law: str, explained: str, others: str) -> None:
    made = parse_law(law, load_language(language))
    assert str(made) == law
    assert made.matches(explained)
    assert not made.matches(others)


def _read(text: str, language: str) -> Parts:
    parts = read(text, load_language(language))
    assert parts is not None
    return parts


def _corpus(text: str, language: str) -> Corpus:
    corpus = Corpus(load_language(language))
    corpus.add(text, _read(text, language))
    return corpus


def test_frames_show_each_place_of_a_nonterminal() -> None:
    language = load_language("sql")
    made = [f"{before}''{after}" for before, after in frames("start", "literal", language)]
    assert "CREATE TABLE a ( a DEFAULT '' )" in made
    assert all(map(language.valid, made))


def test_a_string_comes_to_stand_where_another_rule_has_one() -> None:
    text = "VALUES('')"
    parts = _read(text, "sql")
    (index,) = (i for i, part in enumerate(parts.all) if part.text == "''")
    made = [*transplanted([index], text, parts, _corpus(text, "sql"))]
    assert made[0] == "CREATE TABLE a ( a DEFAULT '' )"


def test_the_statement_that_differs_least_comes_first() -> None:
    text = "COMMIT"
    made = [*appended(text, _read(text, "sql"), _corpus(text, "sql"), Random(0))]
    assert made[0] == "BEGIN;COMMIT"


def test_a_statement_comes_into_a_loop() -> None:
    """Examples say what stands around a statement in a language without a grammar."""
    text = "break\n"
    parts = _read(text, "python")
    literal = meant(parse_rules('//"break"')[0][0], parts)
    made = [*wrapped(literal, text, parts, _corpus(text, "python"), Random(0))]
    assert any(each.startswith("for ") and each.endswith(": break\n") for each in made)
    assert any(each.startswith("while ") for each in made)


def test_a_statement_is_left_out_alone() -> None:
    """Not with those of other sorts between it and the one of its sort before it."""
    parts = _read(SCRIPT, "python")
    last = next(i for i, part in enumerate(parts.all) if part.text == "from sys import path")
    assert without_item(SCRIPT, parts, last) == SCRIPT.replace("\nfrom sys import path", "")


def test_a_statement_comes_to_stand_before_the_others() -> None:
    text = "f()\nimport a\n"
    parts = _read(text, "python")
    literal = meant(parse_rules('//"import"')[0][0], parts)
    made = [*rearranged(literal, text, parts, _corpus(text, "python"), Random(0))]
    assert made == ["f()\n", "import a\nf()\n"]


def test_a_text_is_cut_to_the_length_of_others() -> None:
    text = '{"mail": "bo@b.org"}'
    parts = _read(text, "json")
    literal = meant(parse_rules("len(//mail) < 7")[0][0], parts)
    made = [*stretched(literal, text, parts, _corpus(text, "json"), Random(0))]
    assert '{"mail": "bo@b.o"}' in made
    assert '{"mail": "bo@b.orggggggg"}' in made


def test_no_mutant_has_a_name_in_another_case() -> None:
    corpus = _corpus('{"name": 1}', "json")
    corpus.names = frozenset(["name"])
    assert corpus.admits(_read('{"names": 1}', "json"))
    assert not corpus.admits(_read('{"NAME": 1}', "json"))


def test_zeros_in_front_are_told_from_other_numbers() -> None:
    assert _read("a=007\n", "ini").numerals() == {PADDED}
    assert _read("a=0\n", "ini").numerals() == set()


def test_an_attribute_without_a_value_gets_another_name() -> None:
    text = '<video src="a" autoplay></video>'
    parts = read(text, load_language("html"), _read(text, "html").naming)
    assert parts is not None
    index = next(i for i, part in enumerate(parts.all) if part.word == "autoplay")
    assert renamed(parts, index, "muted") == " muted"


def test_what_a_statement_uses_is_declared_before_it() -> None:
    text = "DELETE FROM b; INSERT INTO items (a) VALUES (1)"
    parts, corpus = _read(text, "sql"), _corpus(text, "sql")
    made = [*declared(text, parts, corpus, Random(0), parts.by_label["insert"])]
    assert any(re.match(r"CREATE TABLE items\b", each) for each in made)
    assert all(each.endswith(text) for each in made)
