"""Laws of programs that fail in other ways, too: such inputs mostly say nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest

from boildown.decoding import decode
from boildown.engine.generalizing.generalization import GeneralizeOptions
from boildown.engine.generalizing.generalize import generalize
from boildown.engine.laws.law import Law, StoredLaw
from boildown.engine.oracle import Oracle, Outcome, Verdict
from boildown.languages import load_language

JSON = load_language("json")


def of(program: Callable[[Any], object], wanted: type[Exception]) -> Oracle:
    """Make the oracle of one failure of a program that reads JSON."""

    def judge(text: str) -> Verdict:
        try:
            program(json.loads(text))
        except wanted:
            return Verdict(Outcome.REPRODUCED, wanted.__name__)
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            return Verdict(Outcome.PASSED, type(error).__name__)
        return Verdict(Outcome.PASSED)

    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        yield from map(judge, texts)

    return oracle


def law_of(text: str, oracle: Oracle, seed: int = 0) -> Law:
    options = GeneralizeOptions(samples=20, law_runs=250)
    law = generalize(text, oracle, JSON, Random(seed), options).law
    assert law is not None
    return law


def averages(value: Any) -> None:
    """Divide by a number that may be zero; all else must be there."""
    for order in value["orders"]:
        float(order["price"]) / order["count"]


@pytest.mark.nightly
def test_what_fails_in_other_ways_says_nothing() -> None:
    orders = [{"id": "a", "price": 4, "count": 2}, {"id": "b", "price": 7.5, "count": 0}]
    law = law_of(json.dumps({"shop": "x", "orders": orders}), of(averages, ZeroDivisionError), 3)
    # Without a price, the program fails in another way before it divides.
    assert str(law) == "/orders/*/count = 0"
    assert law.evidence.unjudged > 0
    again = decode(StoredLaw, json.loads(json.dumps(law.to_json()))).law(JSON)
    assert again.evidence == law.evidence


def always(value: Any) -> None:
    """Fail in one of two ways."""
    if isinstance(value, dict) and value.get("level", 0) > 3:
        raise IndexError
    raise LookupError


@pytest.mark.nightly
def test_where_nothing_passes_a_failure_is_told_from_the_others() -> None:
    law = law_of('{"name": "x", "level": 5, "next": [1, 2]}', of(always, IndexError))
    assert str(law) == "/level > 3"
    assert law.evidence.unjudged == 0
