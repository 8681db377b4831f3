"""Other inputs at hand: laws are learned from them, answers compared with them, none is quoted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boildown import Outcome, generalize, load_language
from boildown.engine.laws.features import Chosen, Feature, Named
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.propose import literals
from boildown.engine.laws.table import Table
from boildown.engine.patterns.reading import pattern_from_json

SIGNED = {"<start>": ["<sign><digit>"], "<sign>": ["-", "+"], "<digit>": ["1", "2", "3"]}
CRASH = '{"price": -3, "name": "bob", "items": [1, 2, 3]}'
DRAFT = json.dumps({"price": -1, "name": "confidential", "scrap": True})
KINDS = Feature("texts", Chosen(Named("pair", "kind")))


def values(value: Any, key: str) -> list[Any]:
    """Return the values of a key at any depth of a JSON value."""
    if isinstance(value, list):
        return [found for each in value for found in values(each, key)]
    if not isinstance(value, dict):
        return []
    own = [value[key]] if key in value else []
    return own + [found for each in value.values() for found in values(each, key)]


def fails(text: str) -> Outcome:
    """Judge a program that refuses negative prices, but for scrap."""
    try:
        value = json.loads(text)
    except ValueError:
        return Outcome.INVALID
    numbers = (each for each in values(value, "price") if isinstance(each, int | float))
    bad = any(each < 0 for each in numbers) and not values(value, "scrap")
    return Outcome.REPRODUCED if bad else Outcome.PASSED


@pytest.mark.nightly
def test_a_given_input_that_passes_mends_the_law() -> None:
    """No input of the job has the key that the law is about."""
    alone = generalize(CRASH, fails, "json", samples=20)
    assert str(alone.law) == "//price < 0"
    assert alone.law is not None
    assert alone.law.sampler == "mutants of this job's inputs"
    assert alone.law.matches(DRAFT)
    found = generalize(CRASH, fails, "json", samples=20, passing=[DRAFT])
    assert found.law is not None
    assert str(found.law) == "not //scrap and //price < 0"
    stored = found.to_json()
    assert stored["law"]["sampler"] == "mutants of this job's inputs and of the given ones"
    again = pattern_from_json(stored, load_language("json")).law
    assert again is not None
    assert again.sampler == found.law.sampler
    assert again.evidence == found.law.evidence
    assert found.notes[-1] == (
        "Given inputs that pass: the pattern holds for 1 of 1; the first is passing[0]."
    )


@pytest.mark.nightly
def test_what_no_law_can_say_is_counted_and_named_but_not_quoted() -> None:
    """The law would have to quote a text that stands in a given input only."""

    def is_bad(text: str) -> Outcome:
        names = values(json.loads(text), "name") if fails(text) is Outcome.REPRODUCED else []
        passes = fails(text) is not Outcome.REPRODUCED or any(
            str(each).startswith("confidential") for each in names
        )
        return Outcome.PASSED if passes else Outcome.REPRODUCED

    given = [json.dumps({"price": -1, "name": "confidential 7"}), '{"name": "confidential"}']
    found = generalize(CRASH, is_bad, "json", samples=20, passing=given, failing=[CRASH])
    assert found.law is not None
    assert str(found.law) == "//price < 0"
    assert found.law.evidence.exceptions > 0
    assert found.law.missed == found.law.excepted == ()
    assert "confidential" not in json.dumps(found.to_json())
    assert [note for note in found.notes if "Given inputs" in note] == [
        "Given inputs that fail: the law explains 1 of 1.",
        "Given inputs that pass: the law holds for 1 of 2; the first is passing[0].",
        "Given inputs that fail: the pattern explains 1 of 1.",
        "Given inputs that pass: the pattern holds for 1 of 2; the first is passing[0].",
    ]


def test_inputs_that_do_otherwise_are_told_and_count_by_what_they_do() -> None:
    def test(text: str) -> Outcome:
        if "3" in text:
            return Outcome.INVALID
        return Outcome.REPRODUCED if text.startswith("-") else Outcome.PASSED

    called = []

    def once(text: str) -> Outcome:
        called.append(text)
        return test(text)

    found = generalize(
        "-1", once, SIGNED, samples=10, law_runs=0, reduce_first=False,
        passing=["-2", "+1", "-3"], failing=["-1", "+1", "+2", "-2"],
    )  # fmt: skip
    assert [note for note in found.notes if "given" in note.lower()] == [
        "Inputs given as failing that do not fail in this way: 2 of 4; the first is failing[1]."
        " They count as passing.",
        "Inputs given as passing that fail in this way: 1 of 3; the first is passing[0]. They"
        " count as failing.",
        "Given inputs that are invalid or time out: 1 of 7; the first is passing[2]. They are left"
        " out.",
        "Given inputs that fail: the pattern explains 1 of 3; the first that it does not is"
        " passing[0].",
    ]
    assert called.count("-3") == 1


def test_the_first_failing_input_that_the_pattern_does_not_explain_is_named() -> None:
    found = generalize(
        "-1", lambda text: text not in ("", "+1"), SIGNED, samples=10, law_runs=0,
        reduce_first=False, method="ddset-simple", failing=["-2", "+2", "+3"],
    )  # fmt: skip
    assert str(found) == "-<digit>"
    assert found.notes[-1] == (
        "Given inputs that fail: the pattern explains 1 of 3; the first that it does not is"
        " failing[1]."
    )


def test_a_limit_ends_the_runs_of_given_inputs() -> None:
    found = generalize(
        "-1", lambda text: text[0] == "-", SIGNED, reduce_first=False,
        passing=["+1", "+2"], max_runs=1,
    )  # fmt: skip
    assert (found.finished, found.runs, found.holes) == (False, 1, ())


def test_sets_of_alternatives_hold_no_text_of_given_inputs() -> None:
    language = load_language("json")
    table = Table([KINDS])
    for kind, failed in (("a", True), ("b", True), ("hidden", True), ("c", False)):
        text = json.dumps({"kind": kind})
        table.add(text, Parts(language.parse(text).tree, language), failed)
    core = [Parts(language.parse('{"kind": "a"}').tree, language)]

    def sets() -> set[object]:
        return {each.constant for each, _ in literals(table, core) if each.test == "in"}

    assert sets() == {("a", "b", "hidden")}
    table.quotable = frozenset({"a", "b"})
    assert sets() == {("a", "b")}
