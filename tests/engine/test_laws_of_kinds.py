"""Laws of kinds that single literals say: sums, orders, lists of mixed kinds and more.

Each program's law is found from one input of it and its reduced form.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.test_laws import anywhere, found, numbers
from helpers import by_some_seed


def _has_local_dependency(text: str) -> bool:
    value = json.loads(text)
    listed = value.get("dependencies") if isinstance(value, dict) else None
    versions = listed.values() if isinstance(listed, dict) else ()
    return any(isinstance(each, str) and each.startswith("file:") for each in versions)


def _is_heavy(text: str) -> bool:
    return sum(numbers(anywhere(json.loads(text), "weight"))) > 100


def _has_unknown_edge(text: str) -> bool:
    root = ElementTree.fromstring(text)
    known = {each.get("id") for each in root.iter()}
    return any(each.get("to") is not None and each.get("to") not in known for each in root.iter())


def _has_early_foot(text: str) -> bool:
    tags = [each.tag for each in ElementTree.fromstring(text).iter()]
    return "foot" in tags and "body" in tags[tags.index("foot") :]


def _has_heavy_route(text: str) -> bool:
    def weights(value: Any) -> list[Any]:
        """Return the weights inside, but not those of stops in these stops."""
        if isinstance(value, list):
            return [each for item in value for each in weights(item)]
        if not isinstance(value, dict):
            return []
        own = [value["weight"]] if "weight" in value else []
        return own + [
            each for key, item in value.items() if key != "stops" for each in weights(item)
        ]

    routes = anywhere(json.loads(text), "stops")
    return any(sum(numbers(weights(each))) > 100 for each in routes)


def _has_ownerless_file(text: str) -> bool:
    rows = csv.reader(io.StringIO(text, newline=""))
    return any(len(row) > 2 and row[0].endswith(".pdf") and not row[2] for row in rows)


def _has_short_line(text: str) -> bool:
    def is_short(value: Any) -> bool:
        if isinstance(value, list):
            return any(map(is_short, value))
        if not isinstance(value, dict):
            return False
        points = value.get("points")
        short = value.get("type") == "line" and isinstance(points, list) and len(points) < 2
        return short or any(map(is_short, value.values()))

    return is_short(json.loads(text))


def _has_early_date(text: str) -> bool:
    items = (each for each in ElementTree.fromstring(text).iter() if each.tag == "item")
    tags = ([inner.tag for inner in item] for item in items)
    return any("date" in each and "title" in each[each.index("date") :] for each in tags)


def _column(text: str, number: int) -> list[str]:
    rows = filter(None, csv.reader(io.StringIO(text, newline="")))
    return [row[number] if len(row) > number else "" for row in rows][1:]


def _goes_backwards(text: str) -> bool:
    """Say whether a row but the first one ends before it begins; a negative number is a text."""
    both = zip(_column(text, 1), _column(text, 2), strict=True)
    return any(a.isdecimal() and b.isdecimal() and int(a) > int(b) for a, b in both)


def _has_same_time(text: str) -> bool:
    return any(one == two != "" for one, two in itertools.pairwise(_column(text, 0)))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        (
            *(
                "xml",
                "<a><date/><title/><item><title/><date/></item><item><date/><title/></item></a>",
            ),
            *("<item><date/><title/></item>", _has_early_date, "//item[date before title]"),
        ),
        (
            *("csv", "road,from,to\nA,5,9\nB,30,20\nC,1,2\n", ",\n,1,0", _goes_backwards),
            "//row[>1][field[2] > field[3]]",
        ),
        (
            *("csv", 'at,kind\n9:30,a\n"9:45",b\n9:45,c\n10:00,a\n', ",\na\na", _has_same_time),
            "row[>1]/field[1] = the one before",
        ),
        (
            *("json", '{"name": "x", "dependencies": {"a": "file:../a"}}'),
            *('{"dependencies":{"":"file:"}}', _has_local_dependency),
            '/dependencies/* starts with "file:"',
        ),
        (
            *("json", '[{"weight": 70, "id": "a"}, {"weight": 40, "id": "b"}]'),
            *('{"weight":101}', _is_heavy, "sum(//weight) > 100"),
        ),
        (
            *("xml", "<t><head><r/></head><foot><r/></foot><body><r>a</r></body></t>"),
            *("<t><foot/><body/></t>", _has_early_foot, "//foot before //body"),
        ),
        (
            *("json", '[{"stops": [{"weight": 70}, {"weight": 40}]}, {"stops": [{"weight": 80}]}]'),
            *('{"stops":{"weight":101}}', _has_heavy_route, "//stops[sum(weight) > 100]"),
        ),
        *(
            ("plain", original, reduced, fails, expected)
            for original, reduced, fails, expected in (
                ("name = <x>\nage = 3\n", "<x", lambda text: "<x" in text, '//text contains "<x"'),
                ("a b\tc\nd", "\t", lambda text: "\t" in text, '//text contains "\\t"'),
                (" a = 4", " ", lambda text: text.startswith(" "), '//text starts with " "'),
                (40 * "a, b\n", 40 * "ab ", lambda text: len(text) > 100, "len(//text) > 100"),
            )
        ),
        (
            *("csv", "name,size,owner\na.pdf,3,\nb.txt,4,bo\n", ".pdf,,", _has_ownerless_file),
            '//row[field[1] ends with ".pdf" and empty(field[3])]',
        ),
        (
            *("json", '[{"type": "line", "points": [[1, 2]]}, {"type": "dot", "points": [3]}]'),
            *('{"type":"line","points":[]}', _has_short_line),
            '//.[type = "line" and count(points/value) < 2]',
        ),
    ],
)
def test_a_law_is_found(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    law = by_some_seed(lambda seed: found(language, original, reduced, fails, seed)[0], expected)
    assert law == expected


@pytest.mark.nightly
def test_names_in_attributes_have_to_be_in_others() -> None:
    """A law may say in several ways that an edge leads to no node."""
    original = '<g><edge to="b"/><node id="a"/><node id="c"/><edge to="a"/></g>'
    law, _ = found("xml", original, '<edge to=""/>', _has_unknown_edge)
    assert all(map(law.matches, (original, '<edge to=""/>', '<g><node id="a"/><edge to="b"/></g>')))
    assert not any(map(law.matches, ('<g><node id="a"/><edge to="a"/></g>', '<node id="a"/>')))


@pytest.mark.nightly
def test_keywords_are_told_apart_by_what_they_are_and_not_by_their_lengths() -> None:
    def fails(text: str) -> bool:
        statements = [each.strip().upper() for each in text.split(";")]
        return "BEGIN" in statements and "COMMIT" not in statements

    law, _ = found("sql", "SELECT 1; BEGIN; UPDATE t SET a = 1", "BEGIN", fails, seed=1)
    assert str(law) == '//"BEGIN" and not //"COMMIT"'


LINES = {
    "<start>": ["<route>", "<route>\n<start>"],
    "<route>": ["<name>:<lines>"],
    "<lines>": ["", " <line><lines>"],
    "<line>": ["send <weight>", "wait <time>"],
    "<weight>": ["<number>"],
    "<time>": ["<number>"],
    "<name>": ["a", "b", "c"],
    "<number>": ["<digit>", "<digit><number>"],
    "<digit>": list("0123456789"),
}


def _is_overloaded(text: str) -> bool:
    routes = (line.partition(":")[2] for line in text.split("\n"))
    return any(sum(map(int, re.findall("send ([0-9]+)", each))) > 100 for each in routes)


def test_numbers_of_one_sort_are_added_up_and_not_all() -> None:
    """Waiting times stand among the weights, and are numbers as well."""
    law, _ = found(LINES, "b: send 60 wait 3 send 70\nc: wait 9", "a: send 101", _is_overloaded)
    assert str(law) == "//lines[sum(weight) > 100]"


READINGS = {
    "<start>": ["<reading>", "<reading>;<start>"],
    "<reading>": ["<day>", "<week>", "<room>"],
    "<day>": ["d<number>"],
    "<week>": ["w<number>"],
    "<room>": ["r<number>"],
    "<number>": ["<digit>", "<digit><number>"],
    "<digit>": list("0123456789"),
}


@pytest.mark.nightly
def test_a_cause_is_found_in_a_sort_of_part_that_no_input_has() -> None:
    """Each sort is tried with a large number."""

    def fails(text: str) -> bool:
        return any(int(each) > limit for key, limit in (("d", 365), ("w", 52))
                   for each in re.findall(f"{key}([0-9]+)", text))  # fmt: skip

    law, _ = found(READINGS, "d12;d400;d7", "d366", fails, seed=2)
    assert law.matches("r1;w53")
    assert law.matches("d366")
    assert not law.matches("w52;d365;r999")


def test_what_is_added_to_a_list_makes_a_failing_input_pass() -> None:
    """No input of the job has a stop, which mends all."""
    grammar = {
        "<start>": ["<step>", "<step> <start>"],
        "<step>": ["go", "turn", "look", "lift", "drop", "call", "stop"],
    }
    law, _ = found(grammar, "go turn go", "go", lambda text: "go" in text and "stop" not in text)
    assert law.matches("turn go drop")
    assert not law.matches("turn go stop")


@pytest.mark.nightly
def test_what_fails_with_another_token_in_its_place_is_found() -> None:
    """No input of the job has a division, which fails for the same reason as the remainder."""
    grammar = {
        "<start>": ["<step>", "<step>;<start>"],
        "<step>": ["<number>+<number>", "<number>%<number>", "<number>/<number>"],
        "<number>": ["<digit>", "<digit><number>"],
        "<digit>": list("0123456789"),
    }

    def fails(text: str) -> bool:
        return any(int(each) == 0 for each in re.findall("[/%]([0-9]+)", text))

    law, _ = found(grammar, "1+7;7%0;2+0", "0%0", fails)
    assert law.matches("4+3;3/0")
    assert law.matches("3%00")
    assert not law.matches("0/3;0%7;0+0")


def test_a_number_that_comes_first_is_no_name() -> None:
    """It would stand for the whole clock, and its value for the minute."""
    grammar = {
        "<start>": ["<clock>", "<clock>,<start>"],
        "<clock>": ["<hour>:<minute>"],
        "<hour>": ["0<digit>", "1<digit>"],
        "<minute>": ["<tens><digit>"],
        "<tens>": list("012345"),
        "<digit>": list("0123456789"),
    }

    def fails(text: str) -> bool:
        return any(int(each) % 30 for each in re.findall(":([0-9]+)", text))

    law, _ = found(grammar, "16:30,05:45,11:00", "00:01", fails)
    assert str(law) == "//minute % 30 != 0"
