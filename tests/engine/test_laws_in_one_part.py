"""Laws of conditions that hold in one and the same part, on intervals, and on shares of a list."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest

from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.notation import holds, parse_rules
from boildown.engine.laws.parts import Parts, read
from boildown.engine.laws.scopes import in_scopes
from boildown.engine.laws.search import LawOptions, find_law
from boildown.engine.laws.strains import probes
from boildown.engine.laws.turned import turned
from boildown.engine.oracle import Outcome
from boildown.languages import load_language
from engine.test_laws import anywhere, found
from engine.test_laws_of_two_parts import objects

TRIPS = "from,to,fare,guests\nOslo,Bergen,20,1\nOslo,Oslo,0,2\nBonn,Bonn,9,3\nRiga,Riga,5,0\n"
LOOPS = "while True:\n    a()\n    if b:\n        break\nwhile c:\n    d()\nwhile True:\n    e()\n"
TABLES = (
    '{"tables": [{"heads": ["a", "b"], "widths": [3, 4]}, {"widths": [9], "heads": ["c", "d"]},'
    ' {"heads": [], "widths": []}]}'
)
BASKET = '{"basket": [{"item": {"g": 1}, "grams": 900}, {"grams": 700}], "grams": 4, "box": [2]}'
BYTES = '[{"code": 7, "name": "bell"}, {"code": 140, "name": "ss3"}, {"code": 65}]'
BITS = '{"bits": [1, 0, 1, 1, 0], "name": "x", "masks": [[1, 0], [1, 1]]}'
RATES = '{"limit": 6, "queues": [{"rate": 5}, {"rate": 8, "name": "mail"}], "rest": {"rate": 1}}'


def _rows(text: str) -> Iterator[list[str]]:
    return (row[:4] for row in csv.reader(io.StringIO(text)) if len(row) > 3)


def _is_no_trip(text: str) -> bool:
    return any(a == b and guests.isdecimal() and int(guests) > 0 for a, b, _, guests in _rows(text))


def _inside(loop: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(loop):
        if not isinstance(child, ast.While):
            yield child
            yield from _inside(child)


def _is_endless(text: str) -> bool:
    loops = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.While)]
    forever = (e for e in loops if isinstance(e.test, ast.Constant) and e.test.value is True)
    return any(not any(isinstance(i, ast.Break) for i in _inside(loop)) for loop in forever)


def _is_unlike(text: str) -> bool:
    found = objects(json.loads(text))
    pairs: list[list[Any]] = [[each.get("heads"), each.get("widths")] for each in found]
    lists = [pair for pair in pairs if all(isinstance(e, list) for e in pair)]
    return any(len(heads) != len(widths) for heads, widths in lists)


def _numbers(values: Iterable[Any]) -> list[float]:
    return [each for each in values if type(each) in (int, float)]


def _is_heavy(text: str) -> bool:
    value = json.loads(text)
    basket = value.get("basket") if isinstance(value, dict) else None
    items = [e for e in basket if isinstance(e, dict)] if isinstance(basket, list) else []
    return sum(_numbers(each.get("grams") for each in items)) > 1500


def _is_control(text: str) -> bool:
    codes = _numbers(anywhere(json.loads(text), "code"))
    return any(each < 32 or 126 < each < 160 for each in codes)


def _is_cut_off(text: str) -> bool:
    lists = (each for each in anywhere(json.loads(text), "bits") if isinstance(each, list))
    return any(len(each) % 4 != 0 for each in lists)


def _is_too_fast(text: str) -> bool:
    limits, rates = (_numbers(anywhere(json.loads(text), key)) for key in ("limit", "rate"))
    return any(rate > limit for rate in rates for limit in limits)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        (
            *("csv", TRIPS, ",,,2", _is_no_trip),
            "//row[field[1] = field[2] and field[4] > 0]",
        ),
        (
            *("json", TABLES, '{"heads":[0],"widths":[]}', _is_unlike),
            "//object[count(//heads/value) != count(//widths/value)]",
        ),
        (
            *("json", BASKET, '{"basket":[{"grams":900},{"grams":601}]}', _is_heavy),
            "sum(/basket/*/grams) > 1500",
        ),
        ("json", BYTES, '{"code":7}', _is_control, "//code < 32 or //code[. > 126 and . < 160]"),
        ("json", BITS, '{"bits":[0]}', _is_cut_off, "count(//bits/value) % 4 != 0"),
        ("json", RATES, '{"limit":0,"rate":8}', _is_too_fast, "//limit < //rate"),
    ],
)
def test_a_law_is_found(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    law, _ = found(language, original, reduced, fails)
    assert str(law) == expected


@pytest.mark.nightly
def test_a_loop_lacks_what_another_one_has() -> None:
    law, _ = found("python", LOOPS, "while True:e", _is_endless)
    assert law.matches(LOOPS)
    assert law.matches("for a in b:\n    while True:\n        c()\n")
    assert not law.matches("while True:\n    if a:\n        break\nwhile b:\n    c()\n")


def _parts(text: str, language: str) -> Parts:
    parts = read(text, load_language(language))
    assert parts is not None
    return parts


def test_the_innermost_parts_are_the_first_scopes() -> None:
    ((one, two),) = parse_rules("//<pair a> < 0 and not //<pair b>")
    scopes = [str(each) for each in in_scopes((one, two), _parts('[{"a": -1}, {"b": 1}]', "json"))]
    assert scopes[0] == "//a[//a < 0 and not //b]"
    assert "//object[//a < 0 and not //b]" in scopes
    assert not any("array" in each for each in scopes)


def test_parts_side_by_side_are_no_scope_of_their_own() -> None:
    """Other literals say it: `//row[field[1] < 0 and field[2] > 0]`."""
    ((one, two),) = parse_rules("<row>/<field>[1] < 0 and <row>/<field>[2] > 0")
    scopes = list(in_scopes((one, two), _parts("-1,2\n", "csv")))
    assert not [each for each in scopes if str(each).startswith("//row")]


def test_what_two_parts_share_is_tried() -> None:
    """Of two parts in place of one, each lacks another condition."""
    text = '[{"a": -1, "c": [0]}]'
    language = load_language("json")
    corpus = Corpus(language)
    corpus.add(text, _parts(text, "json"))
    ((literal,),) = parse_rules("//<object>[//<pair a> < 0 and count(//<pair c>/<value>) > 0]")
    made = [*turned(literal, text, _parts(text, "json"), corpus, Random(0))]
    valid = [each for each in made if language.valid(each)]
    whole = parse_rules("//<pair a> < 0 and count(//<pair c>/<value>) > 0")[0]
    shared = [
        each
        for each in valid
        if all(holds(part, _parts(each, "json")) for part in whole)
        and not holds(literal, _parts(each, "json"))
    ]
    assert shared


@pytest.mark.nightly
def test_of_two_causes_one_is_a_list_without_items() -> None:
    def fails(text: str) -> bool:
        return [] in anywhere(json.loads(text), "tags") or "null" in anywhere(
            json.loads(text), "id"
        )

    original = '{"id": "null", "tags": ["a", "b"], "next": {"size": 4, "parts": [1, 2]}}'
    law, _ = found("json", original, '{"id":"null"}', fails)
    assert law.matches('{"id": "null"}')
    assert law.matches('{"id": "a", "tags": []}')
    assert not law.matches('{"id": "a", "tags": ["null"]}')


def test_a_survey_tries_lists_without_items_and_the_signs_of_a_token() -> None:
    text = '{"tags": ["a", "b"]}'
    parts, corpus = _parts(text, "json"), Corpus(load_language("json"))
    corpus.add(text, parts)
    made = [
        each
        for index in range(1, len(parts.all))
        for each in probes(text, parts, index, corpus, Random(0))
    ]
    assert '{"tags": []}' in made
    assert any(each.startswith('{"tags": ["a') and {*"%:?"} <= {*each} for each in made)


@pytest.mark.nightly
def test_the_smallest_input_that_has_a_tree_stands_for_one_that_has_none() -> None:
    """A program that is less strict than the grammar fails on what no longer follows it."""

    def judge(text: str) -> Outcome:
        return Outcome.REPRODUCED if "-" in text else Outcome.PASSED

    known = {'{"price":-3}': Outcome.REPRODUCED, '{"price":-': Outcome.REPRODUCED}
    law, stood = find_law(
        *('{"price": -3, "x": [1]}', "-", known, load_language("json"), judge),
        Random(0),
        options=LawOptions(250, 30),
    )
    assert stood
    assert law is not None
    assert law.matches('{"price": -4}')
    assert not law.matches('{"price": 4}')
