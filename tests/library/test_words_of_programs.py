"""Words of the program: a law says that a part is missing which no input of the job ever had."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from boildown import Outcome, generalize, load_language
from boildown.engine.language import Language
from boildown.engine.laws.words import MOST_RUNS, find_lacking
from boildown.languages.grammar import GrammarLanguage

CRASH = '{"id": 3, "items": [{"price": 3}, {"price": 4}], "name": "x"}'
WORDS = ("items", "price", "count", "currency", "EUR", "10", "discount", 'a "quote"')


def without_words(name: str) -> Language:
    """Return a language without the words that are common in it."""
    language = load_language(name)
    assert isinstance(language, GrammarLanguage)
    return replace(language, words=())


JSON = without_words("json")


def keys(value: Any) -> set[str]:
    """Return the keys at any depth of a JSON value."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    return {*value, *(key for each in value.values() for key in keys(each))}


def lacks(*wanted: str) -> Callable[[str], Outcome]:
    """Make a test of a program that fails if one of some keys stands nowhere."""

    def test(text: str) -> Outcome:
        try:
            found = keys(json.loads(text))
        except ValueError:
            return Outcome.INVALID
        return Outcome.PASSED if {*wanted} <= found else Outcome.REPRODUCED

    return test


@pytest.mark.nightly
def test_a_law_says_which_word_is_missing() -> None:
    words = tuple(each.replace("currency", "moneta") for each in WORDS)
    alone = generalize(CRASH, lacks("moneta"), "json", samples=20)
    assert alone.law is None
    found = generalize(CRASH, lacks("moneta"), "json", samples=20, words=words)
    assert found.law is not None
    assert str(found.law) == "not //moneta"
    assert found.law.sampler == "mutants of this job's inputs and the words of the program"
    assert found.law.evidence.near > 0
    assert found.law.evidence.exceptions == 0
    assert not found.law.matches('[{"moneta": 1}]')


@pytest.mark.nightly
def test_a_word_that_is_common_in_the_language_needs_not_be_given() -> None:
    found = generalize(CRASH, lacks("currency"), "json", samples=20)
    assert found.law is not None
    assert str(found.law) == "not //currency"
    assert found.law.sampler == "mutants of this job's inputs and common words of the language"
    assert found.law.evidence.exceptions == 0


@pytest.mark.nightly
def test_words_may_be_quoted_where_the_texts_of_given_inputs_are_not() -> None:
    given = ['{"secret": "hidden"}']
    found = generalize(
        CRASH, lacks("currency"), "json", samples=20, words=WORDS, failing=given
    )  # fmt: skip
    assert found.law is not None
    assert str(found.law) == "not //currency"
    assert found.law.sampler == (
        "mutants of this job's inputs and of the given ones and the words of the program"
    )
    assert "hidden" not in json.dumps(found.to_json())


@pytest.mark.nightly
def test_words_that_change_nothing_leave_the_law_as_it_was() -> None:
    def negative(text: str) -> bool:
        return re.search(r'"price":-[0.]*[1-9]', text.replace(" ", "")) is not None

    crash = '{"id": 3, "items": [{"price": -3}, {"price": 4}]}'
    alone = generalize(crash, negative, "json", samples=20)
    found = generalize(crash, negative, "json", samples=20, words=WORDS)
    assert str(found.law) == str(alone.law) == "//price < 0"
    assert found.law is not None
    assert alone.law is not None
    assert found.law.to_json() == alone.law.to_json()


def test_few_runs_find_the_words_that_are_needed() -> None:
    words = [f"w{number}" for number in range(64)]
    for wanted, most in ((["w40"], 9), (["w3", "w50"], 16)):
        found = find_lacking(words, CRASH, "0", JSON, lacks(*wanted))
        assert list(found.passing.values()) == [wanted]
        (text,) = found.passing
        assert keys(json.loads(text)) == {*keys(json.loads(CRASH)), *wanted}
        assert len(found.outcomes) <= most


def test_each_of_several_words_that_do_is_found() -> None:
    def test(text: str) -> Outcome:
        done = {each(text) for each in (lacks("w2"), lacks("w5"))}
        return Outcome.PASSED if Outcome.PASSED in done else Outcome.REPRODUCED

    words = [f"w{number}" for number in range(8)]
    found = find_lacking(words, CRASH, "0", JSON, test)
    assert list(found.passing.values()) == [["w2"], ["w5"]]


def test_words_on_which_it_fails_otherwise_are_left_out_by_halves() -> None:
    def test(text: str) -> Outcome:
        return Outcome.INVALID if "w6" in keys(json.loads(text)) else lacks("w2")(text)

    words = [f"w{number}" for number in range(8)]
    found = find_lacking(words, CRASH, "0", JSON, test)
    assert list(found.passing.values()) == [["w2"]]


def test_words_that_the_runs_do_not_suffice_for_are_not_kept() -> None:
    """An input with all that were not looked at yet would be no use to anyone."""
    words = [f"w{number}" for number in range(64)]
    found = find_lacking(words, CRASH, "0", JSON, lacks("w3", "w20", "w41", "w50", "w60"))
    assert Outcome.PASSED in found.outcomes.values()
    assert found.passing == {}


def test_runs_are_limited() -> None:
    words = [f"w{number}" for number in range(200)]
    found = find_lacking(words, CRASH, CRASH, JSON, lambda _text: Outcome.INVALID)
    assert (len(found.outcomes), found.passing) == (MOST_RUNS, {})


def test_words_that_the_grammar_does_not_allow_are_not_run() -> None:
    asked = []

    def test(text: str) -> Outcome:
        asked.append(json.loads(text))
        return lacks("b")(text)

    found = find_lacking(['a"', "b", 'c"d'], "[]", '{"x": 1}', JSON, test)
    assert found.passing == {'{"b": 1,"x": 1}': ["b"]}
    assert asked == [{"b": 1, "x": 1}]


def test_both_tags_of_an_element_get_the_word() -> None:
    xml = without_words("xml")

    def test(text: str) -> Outcome:
        return Outcome.PASSED if "<title>yy</title>" in text else Outcome.REPRODUCED

    original = "<feed><id>x</id><p>yy</p></feed>"
    found = find_lacking(["entry", "title"], original, "<feed/>", xml, test)
    assert found.passing == {
        "<feed><title>yy</title><id>x</id><p>yy</p></feed>": ["title"],
    }


def test_a_part_that_stands_in_no_list_is_renamed() -> None:
    ini = without_words("ini")

    def test(text: str) -> Outcome:
        return Outcome.PASSED if "[main]" in text else Outcome.REPRODUCED

    found = find_lacking(["port", "main"], "[log]\n", "[log]\n", ini, test)
    assert found.passing == {"[main]\n": ["main"]}


def test_a_part_whose_own_word_makes_it_fail_lacks_none() -> None:
    ini = without_words("ini")

    def test(text: str) -> Outcome:
        return Outcome.REPRODUCED if "[log]" in text else Outcome.PASSED

    found = find_lacking(["port", "main"], "[log]\n", "[log]\n", ini, test)
    assert (found.passing, [*found.outcomes][-1]) == ({}, "[loglog]\n")
