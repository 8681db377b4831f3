"""Patterns of parts, which may stand anywhere in an input."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import Outcome, Verdict, from_test, observed
from boildown.engine.patterns.hole import Recall
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.reading import pattern_from_json
from boildown.engine.patterns.sketch import sketch
from boildown.languages import load_language

JSON = load_language("json")
DRAFTS = '{"name": "tea", "posts": [{"id": 1, "draft": false}, {"id": 2, "draft": true}]}'
AT_MOST = 40
"""Trials of a statement: enough for a bound of 0.92."""


def objects(value: Any) -> list[dict[str, Any]]:
    """Return all objects of a JSON value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict) else []
    return own + [found for each in inner for found in objects(each)]


def has_draft(text: str) -> bool:
    """Say whether there is a draft, of whatever several equal keys say."""
    found: list[bool] = []
    json.loads(text, object_pairs_hook=lambda pairs: found.append(("draft", True) in pairs))
    return any(found)


def is_draft_in_a_list(text: str) -> bool:
    """Say whether a draft is the input, or an item of a list that is."""
    value = json.loads(text, object_pairs_hook=tuple)
    shallow = value if isinstance(value, list) else [value]
    return any(isinstance(each, tuple) and ("draft", True) in each for each in shallow)


def generalized(text: str, fails: Callable[[str], bool]) -> Pattern:
    options = GeneralizeOptions(samples=AT_MOST, goal=0.9)
    return generalize(text, from_test(fails), JSON, Random(0), options)


@pytest.fixture(scope="module")
def drafts() -> Pattern:
    return generalized(DRAFTS, has_draft)


def test_a_part_of_the_original_is_generalized_to_inputs_with_such_a_part(drafts: Pattern) -> None:
    assert drafts.text == '{"draft":true}'
    assert drafts.anywhere
    assert str(drafts) == '… {<pair>*,"draft":true,<pair>*} …'
    assert str(sketch(drafts)) == '… {…¹, "draft": true, …²} …'
    assert drafts.recall is not None
    assert drafts.recall.original
    assert drafts.recall.explained == drafts.recall.failing


def test_it_matches_what_has_such_a_part_and_nothing_else(drafts: Pattern) -> None:
    for text in (DRAFTS, '{"draft": true}', '[[{"a": 1, "draft": true, "b": [2]}]]'):
        assert drafts.matches(text)
    for text in ('[{"draft": 1}]', '["draft", true]', '{"draft": [true]}', '[{"draft": true}'):
        assert not drafts.matches(text)


def test_its_texts_have_the_part_inside_of_others(drafts: Pattern) -> None:
    texts = [drafts.sample(Random(seed)) for seed in range(50)]
    assert all(has_draft(text) and drafts.matches(text) for text in texts)
    assert sum("draft" not in json.loads(text) for text in texts) == 50


def test_the_evidence_is_from_inputs_with_the_part_inside_of_others() -> None:
    runs: list[str] = []

    def note(text: str, verdict: Verdict) -> None:
        runs.append(text)

    oracle = observed(from_test(has_draft), note)
    options = GeneralizeOptions(samples=AT_MOST, goal=0.9)
    found = generalize(DRAFTS, oracle, JSON, Random(0), options)
    assert found.joint.reproduced == found.joint.trials == AT_MOST
    assert found.sampler == "random texts of json around it, about 32 tokens at most"
    assert all("draft" not in json.loads(text) for text in runs[-AT_MOST:])


def test_where_such_a_part_does_not_always_fail_the_pattern_is_of_whole_inputs() -> None:
    found = generalized('[1, {"id": 2, "draft": true}]', is_draft_in_a_list)
    assert not found.anywhere
    assert str(found) == '{<pair>*,"draft":true,<pair>*}'
    assert found.recall is not None
    assert replace(found.recall, missed=None) == Recall(5, 2, original=False, part=True)
    assert str(found.recall) == "2 of 5 failing inputs met before, but of the original only a part"


def test_a_part_without_holes_is_general_too() -> None:
    found = generalized('{"name": ["tea", "bad"]}', lambda text: '"bad"' in text)
    assert (found.text, found.holes, found.anywhere) == ('"bad"', (), True)
    assert (str(found), str(sketch(found))) == ('… "bad" …', '… "bad" …')
    assert found.is_general
    assert len(found.distinct(5, Random(0))) == 5


def test_a_pattern_that_matches_the_original_stays() -> None:
    runs = generalized('{"draft": true}', has_draft)
    assert not runs.anywhere
    assert runs.recall is not None
    assert runs.recall.original


def test_inputs_that_fail_in_another_way_say_nothing() -> None:
    """Of the inputs around the part, those with many lists fail before it is looked at."""

    def judged(text: str) -> Verdict:
        if text.count("[") > 3:
            return Verdict(Outcome.PASSED, "other")
        return Verdict(Outcome.REPRODUCED if has_draft(text) else Outcome.PASSED)

    def oracle(texts: Iterable[str]) -> Iterator[Verdict]:
        return map(judged, texts)

    found = generalize(DRAFTS, oracle, JSON, Random(0), GeneralizeOptions(samples=AT_MOST))
    assert found.anywhere
    assert found.joint.reproduced == found.joint.trials == AT_MOST
    assert found.joint.invalid > 0


def test_a_few_inputs_around_it_may_pass_and_are_told() -> None:
    """Of equal keys only the last counts, so that now and then the part is lost."""

    def fails(text: str) -> bool:
        return any(each.get("draft") is True for each in objects(json.loads(text)))

    found = generalize(DRAFTS, from_test(fails), JSON, Random(0), GeneralizeOptions())
    assert found.anywhere
    assert 0 < found.joint.passed < 8
    assert found.joint.lower_bound > 0.85
    assert found.notes == (
        f"Of 100 texts with all holes filled, {found.joint.reproduced} reproduced. That is 95% of"
        " all such texts is more than can be said.",
    )


def test_few_runs_are_made_where_the_inputs_around_it_are_invalid() -> None:
    invalid: list[str] = []

    def judged(text: str) -> Outcome:
        if text != DRAFTS and not text.startswith('{"'):
            invalid.append(text)
            return Outcome.INVALID
        return Outcome.REPRODUCED if has_draft(text) else Outcome.PASSED

    options = GeneralizeOptions(samples=AT_MOST, goal=0.9, reduce_first=False)
    found = generalize('{"a":{"draft":true}}', from_test(judged), JSON, Random(0), options)
    assert str(found)
    assert not found.anywhere
    assert len(invalid) <= 2 * AT_MOST


def test_a_stored_one_is_read_back(drafts: Pattern) -> None:
    stored = json.loads(json.dumps(drafts.to_json()))
    assert stored["anywhere"] == [0, len('{"draft":true}')]
    read = pattern_from_json(stored, JSON)
    assert (read.anywhere, str(read)) == (True, str(drafts))
    assert read.matches(DRAFTS)


def test_equal_holes_are_looked_for_in_each_part() -> None:
    def fails(text: str) -> bool:
        return any(
            each["a"] == each["b"] for each in objects(json.loads(text)) if {*each} == {*"ab"}
        )

    found = generalized('[{"a": 17, "b": 17}, 3]', fails)
    assert str(found) == '… {"a":<$value>,"b":<$value>} …'
    assert found.matches('[{"a": 1, "b": 2}, {"a": 3, "b": 3}]')
    assert not found.matches('[{"a": 1, "b": 2}, {"a": 3, "b": 4}]')


def test_a_part_of_a_large_input_is_put_into_large_inputs() -> None:
    """Random texts around it fail in another way: each object has a name."""

    def outcome(text: str) -> Outcome:
        try:
            found = objects(json.loads(text))
        except ValueError:
            return Outcome.INVALID
        if not all("name" in each for each in found):
            return Outcome.INVALID
        drafts = any(each.get("draft") is True for each in found)
        return Outcome.REPRODUCED if drafts else Outcome.PASSED

    parts = [{"name": f"part {each}", "size": each, "draft": each == 7} for each in range(20)]
    original = json.dumps({"name": "A list of parts", "parts": parts, "edition": 3})
    options = GeneralizeOptions(samples=AT_MOST)
    pattern = generalize(original, from_test(outcome), JSON, Random(0), options)
    assert pattern.matches(original)
    assert pattern.anywhere
    assert pattern.joint.lower_bound > 0.85
    assert {outcome(text) for text in pattern.around} == {Outcome.PASSED}
    assert pattern_from_json(json.loads(json.dumps(pattern.to_json())), JSON) == pattern
