"""Laws of two parts, found again: lists of one length, and several conditions on one part."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from boildown.engine.language import Language
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.notation import meant, parse_rules
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.turned import turned
from boildown.languages import load_language
from engine.test_laws import found
from helpers import by_some_seed

JSON = load_language("json")
CALLS = {
    "<start>": ["<script>"],
    "<script>": ["<definition>;<calls>"],
    "<definition>": ["def <name>(<params>)"],
    "<params>": ["<name>", "<name>,<params>"],
    "<calls>": ["<call>", "<call>;<calls>"],
    "<call>": ["<name>(<args>)"],
    "<args>": ["<arg>", "<arg>,<args>"],
    "<arg>": ["<name>", "<number>"],
    "<name>": ["f", "g", "x", "y"],
    "<number>": ["1", "2", "30"],
}
INSERTS = {
    "<start>": ["<insert>", "<insert>;<start>"],
    "<insert>": ["into <name>(<columns>)values<rows>"],
    "<columns>": ["<name>", "<name>,<columns>"],
    "<rows>": ["<row>", "<row><rows>"],
    "<row>": ["(<numbers>)"],
    "<numbers>": ["<number>", "<number>,<numbers>"],
    "<name>": ["a", "b", "c", "x", "y"],
    "<number>": ["1", "2", "3", "4", "5", "60"],
}


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects at any depth of a JSON value."""
    inner = value if isinstance(value, list) else [*value.values()] if _is_object(value) else []
    return [*([value] if _is_object(value) else []), *(e for each in inner for e in objects(each))]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _has_other_rows(text: str) -> bool:
    tables = [(each.get("columns"), each.get("rows")) for each in objects(json.loads(text))]
    return any(
        isinstance(row, list) and len(row) != len(columns)
        for columns, rows in tables
        if isinstance(columns, list) and isinstance(rows, list)
        for row in rows
    )


def _has_few_arguments(text: str) -> bool:
    definition, *calls = text.split(";")
    return any(each.count(",") < definition.count(",") for each in calls)


def _has_other_values(text: str) -> bool:
    inserts = (each.split(")") for each in text.split(";"))
    return any(
        row.count(",") != columns.count(",")
        for columns, *rows in inserts
        for row in rows
        if "(" in row
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        (
            "json",
            '{"name": "t", "columns": ["a", "b", "c"], "rows": [[1, 2, 3], [4, 5, 6], [7, 8]]}',
            '{"columns":[],"rows":[[0]]}',
            _has_other_rows,
            "count(//columns/value) != count(//rows/array/value)",
        ),
        (
            CALLS,
            "def f(x,y,g);f(1,x,2);g(x,y)",
            "def f(x,x);f(x)",
            _has_few_arguments,
            "count(//params/name) > count(//args/arg)",
        ),
        (
            INSERTS,
            "into x(a)values(1)(2);into y(a,b,c)values(1,2,3)(4,5)",
            "into x(a)values(1,1)",
            _has_other_values,
            "count(//columns/name) != count(//numbers/number)",
        ),
    ],
)
def test_two_lists_must_be_of_one_length(
    language: str | dict[str, list[str]],
    original: str,
    reduced: str,
    fails: Callable[[str], bool],
    expected: str,
) -> None:
    law = by_some_seed(lambda seed: found(language, original, reduced, fails, seed)[0], expected)
    assert law == expected


ORDERS = (
    '{"shop": "a", "orders": [{"id": 1, "express": true, "lines": [1]},'
    ' {"id": 2, "express": true}, {"id": 3, "express": false, "lines": []}]}'
)
ITEMS = '[{"type": "y", "size": 40}, {"type": "x", "size": 12, "tag": 0}, {"type": "x", "size": 3}]'
RANGES = '[{"low": 3, "high": 95}, {"low": 2, "high": 50}, {"low": 7, "high": 99, "step": 0}]'
LINKS = '<net><link kind="s" to="a" id="1"/><link kind="s" id="2"/><link kind="t" id="3"/></net>'
SERVERS = "[main]\nname = a\n[a]\nssl = on\ncert = y\n[b]\nhost = z\nssl = on\n[c]\nssl = off\n"


def _is_without_lines(text: str) -> bool:
    found = objects(json.loads(text))
    return any(each.get("express") is True and "lines" not in each for each in found)


def _is_large(text: str) -> bool:
    found = [each for each in objects(json.loads(text)) if each.get("type") == "x"]
    return any(isinstance(e.get("size"), int | float) and e["size"] > 10 for e in found)


def _is_wide(text: str) -> bool:
    pairs = ((each.get("low"), each.get("high")) for each in objects(json.loads(text)))
    # A truth value counts as a number in Python.
    plain: list[Any] = [pair for pair in pairs if {*map(type, pair)} <= {int, float}]
    return any(low < 4 and high > 90 for low, high in plain)


def _is_loose(text: str) -> bool:
    found = ElementTree.fromstring(text).iter()
    return any(each.get("kind") == "s" and "to" not in each.attrib for each in found)


def _is_without_certificate(text: str) -> bool:
    sections: list[dict[str, str]] = [{}]
    for line in map(str.strip, text.splitlines()):
        name, equals, value = line.replace(":", "=").partition("=")
        if line.startswith("["):
            sections.append({})
        elif equals:
            sections[-1].setdefault(name.strip(), value.strip())
    return any(each.get("ssl") == "on" and "cert" not in each for each in sections)


@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        pytest.param(
            *("json", ORDERS, '{"express":true}', _is_without_lines),
            '//.[express = "true" and not lines]',
            marks=pytest.mark.nightly,
        ),
        ("json", ITEMS, '{"type":"x","size":11}', _is_large, '//.[type = "x" and size > 10]'),
        pytest.param(
            *("json", RANGES, '{"low":0,"high":95}', _is_wide, "//.[low < 4 and high > 90]"),
            marks=pytest.mark.nightly,
        ),
        ("xml", LINKS, '<a kind="s"/>', _is_loose, '//.[kind = "s" and not to]'),
        ("ini", SERVERS, "ssl=on", _is_without_certificate, '//.[ssl = "on" and not cert]'),
    ],
)
def test_two_conditions_are_about_one_part(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    """Another part, for which only one of them holds, makes no difference."""
    law, _ = found(language, original, reduced, fails)
    assert str(law) == expected


def test_two_parts_are_told_apart_on_purpose() -> None:
    """Both stand in one part, each in another, and one alone."""
    text = '[{"a": 1, "b": 2}, {"a": 3}]'
    corpus = Corpus(JSON)
    corpus.add(text, _parts(text, JSON))
    ((literal,),) = parse_rules("//.[<pair a> and not <pair b>]")
    made = set(turned(literal, text, _parts(text, JSON), corpus, Random(0)))
    assert made >= {
        '[{"b": 2}, {"a": 3}]',
        '[{"a": 1}, {"a": 3}]',
        '[{"a": 1, "b": 2}, {"a": 3, "b": 2}]',
        '[{"a": 1}, {"b": 2}, {"a": 3}]',
        '[{"b": 2}, {"a": 1, "b": 2}, {"a": 3}]',
        '[{"a": 1, "b": 2}, {}, {"a": 3}]',
    }


def lengths(literal: str, text: str) -> list[tuple[int, int]]:
    """Return the lengths of the lists of a JSON text that a literal compares."""
    ((wanted,),) = parse_rules(literal)
    exact = meant(wanted, _parts(text, JSON))
    seen = exact.feature.of(_parts(text, JSON))
    assert isinstance(seen, tuple)
    return [(int(one), int(two)) for one, two, _ in seen]


def _parts(text: str, language: Language) -> Parts:
    return Parts(language.parse(text).tree, language)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[{"a": [0], "b": [[1, 2], []]}, {"a": [], "b": [[3]]}]',
            [(1, 2), (1, 0), (0, 1)],
        ),
        ('[{"b": [[1], [2, 3]]}, {"a": []}, {"a": [0]}]', [(0, 1), (0, 2)]),
        ('[{"a": 7, "b": [[1]]}, {"b": [2, [[]]]}, {"a": [3]}]', [(1, 1), (1, 1)]),
        ('[{"b": [[1]]}, {"a": "x"}]', []),
    ],
)
def test_lists_are_compared_with_the_nearest_before_them(
    text: str, expected: list[tuple[int, int]]
) -> None:
    """What is no list is not compared, and where none stands before, the first one counts."""
    assert lengths("count(//a/value) != count(//b/array/value)", text) == expected


def test_lists_that_are_compared_are_resized_on_purpose() -> None:
    language = load_language("sql")
    text = "INSERT INTO t (a, b) VALUES (1)"
    corpus = Corpus(language)
    corpus.add(text, _parts(text, language))
    ((literal,),) = parse_rules("count(//<columns>/<NAME>) != count(//<row>/<expr>)")
    made = set(turned(literal, text, _parts(text, language), corpus, Random(0)))
    assert made >= {
        "INSERT INTO t (a, b) VALUES (1, 1)",
        "INSERT INTO t (a) VALUES (1)",
        "INSERT INTO t (a, b, b) VALUES (1, 1)",
        "INSERT INTO t (a, b, b) VALUES (1, 1, 1)",
    }
