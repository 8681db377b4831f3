"""Falsifying examples of Hypothesis, reduced by the grammar of their text."""

from __future__ import annotations

import doctest
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boildown.hypothesis
from boildown.hypothesis import smaller

ORDERS = '{"orders": [{"id": 17, "price": 4}, {"id": 18, "price": -3, "tags": ["a"]}], "n": 2}'


@given(text=st.sampled_from([ORDERS]))
def has_prices(text: str) -> None:
    """Fails on a price below zero, in a document that is JSON."""
    try:
        document = json.loads(text)
    except ValueError:
        assume(False)
    assert all(order["price"] >= 0 for order in document["orders"])


class Properties:
    """A class of tests."""

    limit = b"\x00"

    @given(data=st.binary())
    def has_no_limit(self, data: bytes) -> None:
        """Fails on a byte."""
        if self.limit in data:
            raise ValueError("the limit")


def test_an_example_goes_below_what_the_strategy_can_make(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert smaller(has_prices, ORDERS) == '{"orders":[{"price":-3}]}'
    assert capsys.readouterr().out == """@example(text='{"orders":[{"price":-3}]}')\n"""


def test_bytes_and_methods(capsys: pytest.CaptureFixture[str]) -> None:
    assert smaller(Properties().has_no_limit, b"ab\x00cd") == b"\x00"
    assert capsys.readouterr().out == "@example(data=b'\\x00')\n"


def test_what_is_no_property_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a property"):
        smaller(json.loads, "[")
    with pytest.raises(TypeError, match="must take one argument, not 2: "):
        smaller(given(a=st.text(), b=st.text())(lambda a, b: None), "x")
    with pytest.raises(ValueError, match="does not reproduce"):
        smaller(has_prices, '{"orders":[]}')


def test_the_example_of_the_documentation() -> None:
    assert doctest.testmod(boildown.hypothesis).failed == 0
