"""Python data: displays that are reduced with their types kept."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from boildown import Reduction, load_language, reduce
from boildown.targets.displays import empty, is_display, laid_out
from boildown.targets.literals import Module
from boildown.targets.syntax import descendants

ORDERS = """[
    {"id": "a1", "name": "tea", "price": 3, "count": 2},
    {"id": "a2", "name": "cup", "price": None, "tags": ["blue", "large"]},  # no price
    {"id": "a3", "name": "pot", "price": 12},
]"""


def order(**fields: Any) -> dict[str, Any]:
    return fields


def reduced(code: str, test: Any) -> Reduction:
    names = {"order": order, "Order": lambda name, _count=0: name, "UNIT": "kg"}
    return reduce(code, lambda text: test(eval(text, names)), "python-data")


def test_a_list_of_dictionaries_is_reduced_by_its_own_tree() -> None:
    found = reduced(ORDERS, lambda orders: sum(each["price"] for each in orders))
    assert laid_out(found.text, found.text) == '[{"price": None}]'
    assert found.runs <= 60


@pytest.mark.parametrize(
    ("code", "needed", "least"),
    [
        ('{"a": [1, 2, {"b": (3, "x")}], "b": {}}', "3", '{"": (3,)}'),
        ('{"a": {1, 2}, "b": b"xyz"}', "y", '{"": b"y"}'),
        ('["k", [None, True], -12]', "None", "[None]"),
        ('[order(id=1, name="tea"), order(id=2)]', "2", "[order(id=2)]"),
        ("[[[1, [22]]], 3]", "22", "[22]"),
    ],
)
def test_types_are_kept(code: str, needed: str, least: str) -> None:
    found = reduced(code, lambda data: needed in repr(data))
    assert load_language("python-data").checker(code)(found.text, code)
    assert laid_out(found.text, found.text) == least


def test_strings_that_are_added_are_one_input() -> None:
    found = reduced('"weigh " + UNIT + " of (  ) " + "tea"', lambda text: "(  )" in text)
    assert found.text == '"(  )"'


def test_strings_that_are_repeated_are_one_input() -> None:
    found = reduced("'[' * 1000 + ']' * 1000", lambda text: "[[[[[[[[[[" in text)
    assert found.text == "'['*99"


def test_a_list_of_objects_is_an_input() -> None:
    code = 'f([Order("tea", 1), LINE, Order(name="cup")], [Order("tea")], [order("tea"), LINE])'
    nodes = (each for each in descendants(Module(code).tree) if is_display(each))
    assert [each.get_code(False) for each in nodes] == [
        '[Order("tea", 1), LINE, Order(name="cup")]'
    ]
    found = reduced('[Order("tea", 1), Order("cup")]', lambda data: "cup" in data)
    assert found.text == '[Order("cup")]'


@pytest.mark.parametrize(
    ("code", "least"),
    [('"a" + b', '""'), ("b'a' * 3", 'b""'), ("[1] * 3", "[]"), ("{1, 2}", "set()")],
)
def test_data_is_emptied_with_its_type_kept(code: str, least: str) -> None:
    assert empty(code) == least


def test_a_candidate_that_changes_types_is_none() -> None:
    language = load_language("python-data")
    check = language.checker(ORDERS)
    for text in ("[]", '[{"price": 0}]', '[{"": None}]', '[{"tags": [""]}]'):
        assert check(text, ORDERS)
    for text in ("", "[", "{}", "[[]]", "[0]", "[orders]", '[{"price"}]'):
        assert not check(text, ORDERS)
    assert pickle.loads(pickle.dumps(language)).name == "python-data"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ('[\n  {"a": 1,\n   "b": -2},\n]', '[{"a": 1, "b": -2}]'),
        ("(\n 1,\n)", "(1,)"),
        ("[1, # why\n 2]", "[1, 2]"),
        ('"a"+\n "b" "c"', '"a" + "b" "c"'),
        ("[f(x for x in y), a if b else c]", "[f(x for x in y), a if b else c]"),
        ("[1", "[1"),
    ],
)
def test_a_short_display_is_put_on_one_line(code: str, line: str) -> None:
    assert laid_out(code, code) == line


def test_a_long_display_keeps_its_layout() -> None:
    original = ORDERS.replace(
        "tea", "tea from the hills of Darjeeling, picked in the first days of spring"
    )
    reduced = (
        "".join(original.replace("  # no price", "").split())
        .replace('"count":2', "")
        .replace(",}", "}")
    )
    reduced = reduced.replace("teafromthehillsofDarjeeling,pickedinthefirstdaysofspring", "x" * 60)
    assert (
        laid_out(reduced, original)
        == f"""[
    {{"id": "a1", "name": "{"x" * 60}", "price": 3}},
    {{"id": "a2", "name": "cup", "price": None, "tags": ["blue", "large"]}},  # no price
    {{"id": "a3", "name": "pot", "price": 12}},
]"""
    )
