"""Which conditions are found: bounds of numbers, and what values that pass have in common."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.engine.generalizing.bisection import numeric_condition
from boildown.engine.generalizing.learning import learn
from boildown.engine.numerals import Number
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Except,
    Lacking,
    Numbers,
    Value,
    Without,
)
from boildown.tree import Kind, Leaf, Node


def bounds(
    start: Number, reproduces: Callable[[Number], bool], whole: bool = True
) -> tuple[Numbers | None, int]:
    """Return the bounds that are found and the numbers that were asked for."""
    asked: set[Number] = set()

    def ask(value: Number) -> Outcome | None:
        if whole and not isinstance(value, int):
            return None
        asked.add(value)
        return Outcome.REPRODUCED if reproduces(value) else Outcome.PASSED

    return numeric_condition(start, {start: True}, ask), len(asked)


@given(low=st.integers(-(10**6), 10**6), width=st.integers(3, 10**6), data=st.data())
def test_bounds_of_whole_numbers_are_exact(low: int, width: int, data: st.DataObject) -> None:
    high = low + width
    start = data.draw(st.integers(low, high - 1))
    found, asked = bounds(start, lambda value: low <= value < high)
    assert found is not None
    assert [found.contains(value) for value in (low - 1, low, high - 1, high)] == [
        *(False, True),
        *(True, False),
    ]
    assert asked < 120


@pytest.mark.parametrize(
    ("start", "reproduces", "shown"),
    [
        (-1, lambda value: value < 0, "it < 0"),
        (1, lambda value: value < 2, "it < 2"),
        (3, lambda value: value >= 0, "it >= 0"),
        (2000, lambda value: value > 999, "it >= 1000"),
        (2000, lambda value: value > 1000, "it > 1000"),
        (2**31, lambda value: value >= 2**31, "it > 2147483647"),
    ],
)
def test_bounds_are_said_with_the_rounder_number(
    start: int, reproduces: Callable[[Number], bool], shown: str
) -> None:
    found, _ = bounds(start, reproduces)
    assert str(found) == shown


@pytest.mark.parametrize(
    ("reproduces", "shown"),
    [
        (lambda value: value < 0, "it < 0"),
        (lambda value: value <= 0, "it <= 0"),
        (lambda value: value < 0.5, "it < 0.5"),
        (lambda value: value < 1, "it < 1"),
    ],
)
def test_fractions_can_be_bounds(reproduces: Callable[[Number], bool], shown: str) -> None:
    found, _ = bounds(-3, reproduces, whole=False)
    assert str(found) == shown


@pytest.mark.parametrize("low", [2**53 + 1, 10**20 + 1])
def test_bounds_that_no_double_holds_are_exact(low: int) -> None:
    found, _ = bounds(low + 5, lambda value: value >= low, whole=False)
    assert found is not None
    assert [found.contains(value) for value in (low - 1, low)] == [False, True]


def test_a_number_that_stands_alone_has_no_bounds() -> None:
    assert bounds(2, lambda value: value == 2)[0] is None
    assert bounds(2, lambda value: True)[0] is None


def test_numbers_that_pass_between_others_that_do_not_refute_bounds() -> None:
    known: dict[Number, bool] = {5: True, 1: False, 9: False, 7: False, 8: True}

    def ask(value: Number) -> Outcome:
        return Outcome.PASSED if value in (1, 7, 9) else Outcome.REPRODUCED

    assert numeric_condition(5, known, ask) == Numbers(1, 7)


def value(text: str, label: str = "CHAR") -> Value:
    """Return a word whose characters are parts of their own."""
    return Value(text, Node("word", tuple(Leaf(label, char) for char in text), Kind.LIST))


@pytest.mark.parametrize(
    ("good", "bad", "condition"),
    [
        (["ab", "b", "abc"], ["a'b", "'"], Without("'")),
        (["ab", "b", "abc"], ["a'", '"'], Without("\"'")),
        (["nul", "ull", "nulla", "x"], ["null"], Except(("null",))),
        (["ab", "ax"], ["b", "cab"], None),
        (["ab", "ax"], ["'", '"', "`", "!"], None),
    ],
)
def test_what_values_that_pass_share(
    good: list[str], bad: list[str], condition: Condition | None
) -> None:
    found = learn([value(text) for text in good], [value(text) for text in bad], value("a"))
    if condition is None:
        assert found is None or isinstance(found, Except)
    else:
        assert found == condition


def test_a_character_may_matter_only_inside_some_part() -> None:
    def tag(name: str, quoted: str) -> Value:
        inner = (Leaf("NAME", name), Leaf('"\'"', "'"), Leaf("TEXT", quoted), Leaf('"\'"', "'"))
        return Value(f"{name}'{quoted}'", Node("tag", inner))

    plain = Value("a", Node("tag", (Leaf("NAME", "a"),)))
    good = [tag("a", "b"), tag("x", ""), tag("b", "xx")]
    bad = [tag("a", "'"), tag("b", "x'")]
    assert learn(good, bad, plain) == Without("'", "TEXT")


def test_alternatives_are_told_apart() -> None:
    def sign(text: str) -> Value:
        return Value(text, Node("op", (Leaf(f'"{text}"', text),)))

    good, bad = [sign("-"), sign("+")], [sign("*"), sign("/")]
    assert learn(good, bad, sign("+"), only_alternatives=True) == Alternatives((('"+"',), ('"-"',)))
    assert learn([sign("+")], bad, sign("+"), only_alternatives=True) is None


def test_a_token_that_must_not_be_there_rather_one_of_the_text() -> None:
    def pair(name: str, of: str) -> Value:
        return Value(f"{name}={of}", Node("pair", (Leaf("NAME", name), Leaf("VALUE", of))))

    good, bad = [pair("a", "1"), pair("xprice", "22")], [pair("price", "22")]
    start = Value("", Node("pair*", (), Kind.LIST))
    assert learn(good, bad, start) == Lacking("NAME", "price")
    around = {("VALUE", "22")}
    assert learn(good, [pair("price", "33")], start, around=around) == Lacking("NAME", "price")
    assert learn(good[:1], bad, start, around=around) == Lacking("VALUE", "22")


def test_of_a_token_a_text_is_left_out_by_name() -> None:
    def token(text: str) -> Value:
        return Value(text, Leaf("STRING", text))

    good = [token('"a"'), token('"bc"')]
    assert learn(good, [token('""')], token('"x"')) == Except(('""',))


def test_a_part_that_must_not_be_there() -> None:
    def with_part(label: str) -> Value:
        return Value("a", Node("x", (Node("y", (Leaf("A", "a"), Leaf(label, ""))),)))

    good = [with_part("B"), with_part("C"), with_part("B")]
    found = learn(good, [with_part("D"), with_part("D")], with_part("B"))
    assert found == Lacking("D")
