"""Laws on what is computed of two parts: sums, products, how long they are, how many there are."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from boildown.engine.laws.aim import aimed
from boildown.engine.laws.notation import parse_rules
from boildown.engine.laws.parts import read
from boildown.languages import load_language
from engine.test_laws import anywhere, found
from engine.test_laws_of_two_parts import objects
from helpers import by_some_seed

JSON = load_language("json")
BOXES = '{"by": "sea", "boxes": [{"w": 70, "h": 10}, {"w": 60, "h": 55}, {"h": 90, "w": 9}]}'
STAYS = '[{"from": 3, "to": 9}, {"to": 95, "from": 40, "room": "b"}, {"from": 60, "to": 61}]'
BILLS = '[{"n": 2, "each": 30, "total": 60}, {"n": 3, "each": 5, "total": 14}, {"n": 1, "each": 4}]'
ROWS = "tea,3,4,7\npot,10,5,15\ncup,2,9,12\nlid,1,1,2\n"
USERS = '{"users": [{"is": "admin"}, {"is": "guest"}, {"is": "admin"}, {"is": "user"}], "n": 1}'
TASKS = '<a><todo by="x"/><done/><todo>t</todo><note>todo</note></a>'
LOGINS = '[{"user": "ann", "key": "abcd"}, {"key": "ab", "user": "bert", "age": 3}]'


def _numbers(each: dict[str, Any], *keys: str) -> list[float]:
    """Return the values of some keys if all of them are numbers."""
    values = [each.get(key) for key in keys]
    return [*values] if {*map(type, values)} <= {int, float} else []  # type: ignore[list-item]


def _is_bulky(text: str) -> bool:
    return any(sum(_numbers(each, "w", "h")) > 100 for each in objects(json.loads(text)))


def _is_long(text: str) -> bool:
    pairs = filter(None, (_numbers(each, "from", "to") for each in objects(json.loads(text))))
    return any(end - begin > 30 for begin, end in pairs)


def _is_wrong(text: str) -> bool:
    found = filter(None, (_numbers(e, "n", "each", "total") for e in objects(json.loads(text))))
    return any(n * each != total for n, each, total in found)


def _is_unbalanced(text: str) -> bool:
    rows = (row[1:4] for row in csv.reader(text.splitlines()))
    numbers = ([*map(int, row)] for row in rows if len(row) == 3 and all(map(str.isdecimal, row)))
    return any(one + two != both for one, two, both in numbers)


def _has_two_admins(text: str) -> bool:
    return anywhere(json.loads(text), "is").count("admin") > 1


def _has_more_to_do(text: str) -> bool:
    tags = Counter(each.tag for each in ElementTree.fromstring(text).iter())
    return tags["todo"] > tags["done"]


def _has_short_key(text: str) -> bool:
    pairs = [[each.get("key"), each.get("user")] for each in objects(json.loads(text))]
    strings: list[Any] = [pair for pair in pairs if {*map(type, pair)} == {str}]
    return any(len(key) < len(user) for key, user in strings)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        ("json", BOXES, '{"w":11,"h":90}', _is_bulky, "//.[w + h > 100]"),
        ("json", STAYS, '{"to":31,"from":0}', _is_long, "//.[to - from > 30]"),
        ("json", BILLS, '{"n":0,"each":0,"total":1}', _is_wrong, "//.[total != n * each]"),
        ("csv", ROWS, ",0,0,1", _is_unbalanced, "//row[field[4] != field[2] + field[3]]"),
        (
            *("json", USERS, '[{"is":"admin"},{"is":"admin"}]', _has_two_admins),
            'count(//is[. = "admin"]) > 1',
        ),
        ("xml", TASKS, "<todo/>", _has_more_to_do, "count(//todo) > count(//done)"),
        ("json", LOGINS, '{"key":"","user":"b"}', _has_short_key, "//.[len(key) < len(user)]"),
    ],
)
def test_a_law_is_found(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    law = by_some_seed(lambda seed: found(language, original, reduced, fails, seed)[0], expected)
    assert law == expected


@pytest.mark.parametrize(
    ("law", "text", "target", "expected"),
    [
        ("//.[<pair a> + <pair b> > 5]", '{"a": 1, "b": 2}', 6, '{"a": 4, "b": 2}'),
        ("//.[<pair a> - <pair b> > 5]", '{"b": 2, "a": 1}', 6, '{"b": 2, "a": 8}'),
        ("//.[<pair a> * <pair b> > 5]", '{"a": 1, "b": 2}', 6, '{"a": 3, "b": 2}'),
        ("//.[<pair a> * <pair b> > 5]", '{"a": 1, "b": 0}', 6, '{"a": 6, "b": 1}'),
        ("//<array>[<value>[1] + <value>[2] < 5]", "[[1, 2, 3], 9]", 4, "[[2, 2, 3], 9]"),
    ],
)
def test_numbers_are_chosen_for_what_is_computed(
    law: str, text: str, target: float, expected: str
) -> None:
    ((literal,),) = parse_rules(law)
    parts = read(text, JSON)
    assert parts is not None
    made = [*aimed(literal, text, parts, target)]
    assert expected in made
    computed = [literal.feature.of(new) for each in made if (new := read(each, JSON)) is not None]
    assert [target] in [[*each] for each in computed if isinstance(each, tuple)]
