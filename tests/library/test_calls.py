"""Calls that fail, generalized from inside the program that makes them."""

from __future__ import annotations

import sys

import pytest

from boildown import failing_call
from boildown.library.calls import CallError
from engine.subjects import leaves_markup
from seed_grammars import POSITIVE_INTEGERS, SIMPLE_HTML


def remove(s: str, strict: bool = True) -> None:
    if strict:
        assert not leaves_markup(s), "markup is left"


def root(text: str, *, places: int = 2) -> float:
    return round(float(checked(int(text)) ** 0.5), places)


def checked(number: int) -> int:
    if number < 0:
        raise ValueError("no root")
    return number


class Account:
    def __init__(self, name: str) -> None:
        self.name = name

    def pay(self, amount: str) -> None:
        checked(int(amount))


def test_the_call_is_shown_with_the_pattern() -> None:
    with failing_call(POSITIVE_INTEGERS) as f:
        root("-17", places=3)
    assert repr(f) == "root(text='<int> < 0', places=3)"
    assert f.call.failure.startswith("ValueError in ")


def test_further_calls_fail_as_well() -> None:
    with failing_call(SIMPLE_HTML, method="ddset-simple", samples=10, seed=3) as f:
        remove('<foo>"bar</foo>')
    assert repr(f) == "remove(s='<opening-tag>\"<plain-text><closing-tag>', strict=True)"
    calls = {f.fuzz() for _ in range(5)}
    assert len(calls) == 5
    failed = 0
    for call in calls:
        try:
            eval(call, {"test_calls": sys.modules[__name__]})
        except AssertionError:
            failed += 1
    assert failed >= 4


def every(first: str, /, second: int = 1, *rest: int, key: str = "k", **more: int) -> None:
    checked(int(first) - second - sum(rest) - len(key) - sum(more.values()))


def test_further_calls_are_expressions_as_short_as_they_were_passed() -> None:
    with failing_call(POSITIVE_INTEGERS, reduce_first=False, samples=5) as f:
        root("-17")
    assert f.call.code("-1") == "test_calls.root(text='-1')"
    with failing_call(POSITIVE_INTEGERS) as f:
        every("-1", key="it's", other=2)
    assert f.call.code("-2") == """test_calls.every('-2', key="it's", other=2)"""
    with failing_call(POSITIVE_INTEGERS) as f:
        every("-1", 1, 2, 3)
    assert f.call.code("-2") == "test_calls.every('-2', 1, 2, 3)"
    module = {"test_calls": sys.modules[__name__]}
    for code in (f.call.code("-2"), f.call.code("-30")):
        with pytest.raises(ValueError, match="no root"):
            eval(compile(code, "call", "eval"), module)


def test_methods_are_called_on_their_object() -> None:
    account = Account("a")
    with failing_call(POSITIVE_INTEGERS) as f:
        account.pay("-5")
    assert f.call.name == "amount"
    assert str(f.pattern) == "<int> < 0"


def test_a_call_is_shown_as_it_is_typed() -> None:
    account = Account("a")
    with failing_call(POSITIVE_INTEGERS) as f:
        account.pay("-5")
    assert f.call.shown("<int>") == "pay(amount='<int>')"
    with failing_call(POSITIVE_INTEGERS) as f:
        every("-1", other=2)
    assert f.call.shown("<int>") == "every('<int>', second=1, key='k', other=2)"


def test_another_failure_is_not_the_same() -> None:
    def fail(s: str) -> None:
        if s.startswith("-"):
            raise ValueError
        raise KeyError

    with failing_call(POSITIVE_INTEGERS) as f:
        fail("-1")
    assert str(f.pattern) == "-<positive-int>"


def test_only_the_block_is_watched() -> None:
    with failing_call(POSITIVE_INTEGERS) as f:
        root("4")
    with pytest.raises(CallError, match="No call of a Python function with a string failed"):
        repr(f)


def test_what_can_not_be_generalized_is_raised() -> None:
    with pytest.raises(ValueError, match="no root"), failing_call(POSITIVE_INTEGERS):
        checked(-1)
    with pytest.raises(KeyboardInterrupt), failing_call(POSITIVE_INTEGERS):
        raise KeyboardInterrupt
