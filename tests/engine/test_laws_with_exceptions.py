"""Laws of programs that are not quite as strict: what few inputs contradict is told apart."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from random import Random

import pytest

from boildown.engine.laws import search as searching
from boildown.engine.laws.law import Law, LawEvidence
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.state import LawOptions, Search
from boildown.engine.laws.table import Table
from boildown.engine.oracle import Outcome
from boildown.languages import load_language

JSON = load_language("json")
FAILED, PASSED = Outcome.REPRODUCED, Outcome.PASSED


def box(size: int, rate: int) -> str:
    """Return an input with two numbers that stand in different parts of it."""
    return f'{{"item": {{"size": {size}}}, "tax": {{"rate": {rate}}}}}'


BOXES = {
    box(size, rate): FAILED if size > 5 and rate % 2 == 0 else PASSED
    for size, rate in itertools.product((1, 3, 5, 6, 8, 9), repeat=2)
}
QUIRKS = [f" {box(9, 8)}", f"{box(6, 6)}\n"]
"""Inputs that pass, and differ from others that fail in what no law sees."""


def judged(text: str) -> Outcome:
    """Judge an input by the law, without its exceptions."""
    size, rate = re.search(r'"size": (\d+)', text), re.search(r'"rate": (\d+)', text)
    fails = size is not None and rate is not None and int(size[1]) > 5 and int(rate[1]) % 2 == 0
    return FAILED if fails else PASSED


def begun(known: dict[str, Outcome]) -> Search:
    """Begin the search for a law with inputs that were run before."""
    first = box(9, 6)
    tree = JSON.parse(first).tree
    search = Search(
        JSON, judged, Random(1), LawOptions(), lambda: None, lambda _: True,
        Table([]), Corpus(JSON), [], frozenset(Parts(tree, JSON).naming),
    )  # fmt: skip
    searching._begin(search, (first, first), (tree, tree), known, {})
    return search


def matching(law: Law) -> list[str]:
    return [text for text in BOXES if law.matches(text)]


@pytest.mark.parametrize("exceptions", [0, 1, 2])
def test_a_law_of_two_conditions_may_have_exceptions(exceptions: int) -> None:
    search = begun({**BOXES, **dict.fromkeys(QUIRKS[:exceptions], PASSED)})
    assert (searching._proposals(search) == []) == bool(exceptions)
    while not searching._proposals(search):
        assert searching._excepted(search)
    law = searching._law(search, searching._proposals(search)[0])
    assert matching(law) == [text for text, outcome in BOXES.items() if outcome is FAILED]


@pytest.mark.parametrize(("odd", "runs", "kept"), [(2, 0, False), (4, 0, True), (2, 8, True)])
def test_a_condition_stays_that_more_than_a_few_inputs_want(
    odd: int, runs: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In any case the shorter law would stand: its mutants seldom have an odd rate.

    Mutants of the few inputs that have one show that it matters.
    """
    monkeypatch.setattr(searching, "MOST_BETWEEN", runs)
    known = {box(size, rate): PASSED for size in (1, 3) for rate in range(2, 50, 2)}
    known |= {box(size, rate): FAILED for size in (6, 8, 9) for rate in range(2, 38, 2)}
    known |= {box(8, 2 * each + 3): PASSED for each in range(odd)}
    search = begun(known)
    stands = LawEvidence(60, 60, 30, 30)
    monkeypatch.setattr(searching, "attacked", lambda _, law: (True, replace(law, evidence=stands)))
    monkeypatch.setattr(searching, "challenged", lambda *_: False)
    law = searching._law(search, searching._proposals(search)[0])
    assert [*map(len, law.rules)] == [2]
    assert [*map(len, searching._simplified(search, law).rules)] == [2 if kept else 1]
