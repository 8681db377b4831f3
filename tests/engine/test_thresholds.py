"""Thresholds of laws: between which inputs a bound is looked for, and which others are tried."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from boildown.engine.laws.learner import Proposal
from boildown.engine.laws.literals import Atom, Constant, between, together
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.search import LawOptions, _begin, find_law
from boildown.engine.laws.state import Search
from boildown.engine.laws.table import Table
from boildown.engine.laws.thresholds import _target, bisected
from boildown.engine.oracle import Outcome
from boildown.languages import load_language


@pytest.mark.parametrize(
    ("inside", "outside", "exact", "target"),
    [
        (100, 0, True, 50),
        (3, 2, True, 2),
        (-3, -4, True, -4),
        (100.0, 1.0, False, 50),
        # What is round is one of the two already.
        (2.0, 1.0, False, 1.5),
        (1.75, 1.5, False, 1.625),
        (0.3, 0.1, False, 0.2),
    ],
)
def test_the_middle_of_two_numbers_is_as_round_as_can_be(
    inside: float, outside: float, exact: bool, target: float
) -> None:
    found = _target(inside, outside, exact)
    assert (found, isinstance(found, int)) == (target, isinstance(target, int))


def searched(
    original: str, fails: Callable[[Mapping[str, object]], bool], language: str = "json"
) -> tuple[str, list[str]]:
    """Return the law of a program on JSON objects, and the inputs that were run for it."""
    runs: list[str] = []

    def judge(text: str) -> Outcome:
        runs.append(text)
        try:
            data = json.loads(text)
            failed = isinstance(data, dict) and fails(data)
        except (ValueError, TypeError):
            return Outcome.INVALID
        return Outcome.REPRODUCED if failed else Outcome.PASSED

    law, _ = find_law(
        original,
        original,
        {},
        load_language(language),
        judge,
        Random(0),
        options=LawOptions(250, 20),
    )
    return str(law), runs


@pytest.fixture(scope="module")
def heavy() -> tuple[str, list[str]]:
    return searched('{"n": "x", "w": 640}', lambda data: int(str(data.get("w", 0))) > 137)


def numbers(runs: list[str]) -> set[int]:
    """Return the numbers that were run in the place of the one that decides."""
    found = (re.search(r'"w": ?(-?\d+)[,}]', each) for each in runs)
    return {int(match[1]) for match in found if match is not None}


def test_a_bound_is_exact_and_both_numbers_at_it_were_run(heavy: tuple[str, list[str]]) -> None:
    law, runs = heavy
    assert law == "//w > 137"
    assert {137, 138} <= numbers(runs)


def test_numbers_far_from_a_bound_are_run(heavy: tuple[str, list[str]]) -> None:
    assert {0, 1, -1, -1000, 1_000_000} <= numbers(heavy[1])


@pytest.mark.nightly
def test_the_other_characters_of_its_sort_are_run_where_one_matters() -> None:
    _, runs = searched('{"k": "a1", "n": 3}', lambda data: str(data.get("k", ""))[:1] in "abcd")
    begun = {match[1] for each in runs if (match := re.search(r'"k": ?"([a-z])', each))}
    assert set("abcdefghijklmnopqrstuvwxyz") <= begun


Fails = Callable[[dict[str, Any]], bool]
Made = Callable[[Search], Atom]


def atom(words: str, test: str, relation: str = "", constant: Constant = None) -> Made:
    """Return a function to the condition that is said in these words."""

    def made(search: Search) -> Atom:
        features = (each for each in search.table.columns if each.kind == "texts")
        found = (Atom(each, test, relation, constant) for each in features)
        return next(each for each in found if str(each) == words)

    return made


def both(join: Callable[[Atom, Atom], Atom], one: Made, two: Made) -> Made:
    return lambda search: join(one(search), two(search))


def begun(fails: Fails, *inputs: str, runs: int = 250) -> tuple[Search, list[str]]:
    """Return a search whose table has some inputs, and the list of those that it runs.

    The first of them fails.
    """
    asked: list[str] = []
    language = load_language("json")

    def judged(text: str) -> Outcome:
        return Outcome.REPRODUCED if fails(json.loads(text)) else Outcome.PASSED

    def judge(text: str) -> Outcome:
        asked.append(text)
        return judged(text)

    tree = language.parse(inputs[0]).tree
    parts = Parts(tree, language)
    search = Search(
        *(language, judge, Random(0), LawOptions(runs, 20), lambda: None, lambda _text: True),
        *(Table([]), Corpus(language), [], frozenset(parts.naming)),
    )
    _begin(search, (inputs[0],) * 2, (tree, tree), {text: judged(text) for text in inputs}, {})
    return search, asked


def ran(fails: Fails, rules: Sequence[Sequence[Made]], *inputs: str, runs: int = 250) -> list[str]:
    """Return the inputs that are run for the thresholds of a law."""
    search, asked = begun(fails, *inputs, runs=runs)
    made = tuple(tuple(each(search) for each in rule) for rule in rules)
    assert bisected(search, Proposal(made, 1.0)) == bool(asked)
    return asked


def weights(*numbers: float, before: str = "", after: str = "") -> list[str]:
    return [f'{{{before}"w": {number}{after}}}' for number in numbers]


HEAVY = atom("//w > 137", "most", ">", 137)
SEVEN = atom('//v = "7"', "some is", "", "7")
STARTS = atom('//k starts with "a"', "begins", "", "a")
LETTERS = "bcdefghijklmnopqrstuvwxyz"
BETWEEN_640_AND_20 = (330, 175, 97, 136, 155, 145, 140, 138, 137)
FAR_OF_137 = (0, 1, -1, -1000, 1_000_000, 1370, 68)


def test_a_bound_is_bisected_and_then_numbers_far_from_it_and_several_at_it_are_run() -> None:
    several = '{"w": 137,"w": 137,"w": 137,"w": 137}'
    asked = ran(lambda data: data["w"] > 137, [[HEAVY]], '{"w": 640}', '{"w": 20}')
    assert asked == [*weights(*BETWEEN_640_AND_20, *FAR_OF_137), several]
    # Several numbers below zero have a sum that is below it, too.
    light = atom("//w < 137", "least", "<", 137)
    asked = ran(lambda data: data["w"] < 137, [[light]], '{"w": 20}', '{"w": 640}')
    assert asked == weights(*BETWEEN_640_AND_20, *FAR_OF_137)
    cold = atom("//w < -5", "least", "<", -5)
    asked = ran(lambda data: data["w"] < -5, [[cold]], '{"w": -9}', '{"w": -2}')
    assert asked[:3] == weights(-6, -4, -5)
    assert asked[-1] == '{"w": -5,"w": -5,"w": -5,"w": -5}'


def test_a_bound_of_other_numbers_than_whole_ones_is_found_about() -> None:
    warm = atom("//w > 21.6", "most", ">", 21.6)
    asked = ran(lambda data: data["w"] > 21.6, [[warm]], '{"w": 21.75}', '{"w": 21.25}')
    assert asked[:3] == weights(21.5, 21.625, 0)
    asked = ran(lambda data: data["w"] > 21.6, [[warm]], '{"w": 22}', '{"w": 21.25}')
    assert asked[:3] == weights(21.625, 21.438, 0)
    small = atom("//w > 0.3", "most", ">", 0.3)
    asked = ran(lambda data: data["w"] > 0.3, [[small]], '{"w": 0.5}', '{"w": 0.25}')
    assert asked[:4] == weights(0.375, 0.312, 0, 1)


@pytest.mark.parametrize("runs", [0, 1, 3, 9, 12])
def test_no_more_is_run_than_may_be(runs: int) -> None:
    asked = ran(lambda data: data["w"] > 137, [[HEAVY]], '{"w": 640}', '{"w": 20}', runs=runs)
    assert asked == weights(*BETWEEN_640_AND_20, *FAR_OF_137)[:runs]
    asked = ran(lambda data: data["k"] == "a1", [[STARTS]], '{"k": "a1"}', runs=runs)
    assert asked == [f'{{"k": "{each}1"}}' for each in LETTERS[:runs]]


def test_without_an_input_on_the_other_side_nothing_is_bisected() -> None:
    asked = ran(lambda data: data["w"] > 137, [[HEAVY]], '{"w": 640}')
    assert asked[:-1] == weights(*FAR_OF_137)
    # And without a failing input that has it, no character is exchanged.
    assert ran(lambda data: data["k"] == "z1", [[STARTS]], '{"k": "z1"}', '{"k": "a1"}') == []


def test_of_several_numbers_one_is_taken_far_from_an_interval() -> None:
    least, most = atom("//w > 60", "most", ">", 60), atom("//w < 200", "least", "<", 200)
    inputs = [f'{{"a": {{"w": {one}}}, "b": {{"w": 7}}}}' for one in (100, 20)]

    def fails(data: dict[str, Any]) -> bool:
        return any(60 < each["w"] < 200 for each in data.values())

    asked = ran(fails, [[both(between, least, most)]], *inputs)
    assert '{"a": {"w": 500}, "b": {"w": 7}}' in asked


def test_no_number_is_run_that_is_very_large() -> None:
    large = atom("//w > 2000000", "most", ">", 2_000_000)
    asked = ran(lambda data: data["w"] > 2_000_000, [[large]], *weights(2_000_001, 2_000_000))
    assert asked[:-1] == weights(0, 1, -1, -1000, 1_000_000)


def test_an_input_that_lacks_another_condition_is_not_run() -> None:
    inputs = ['{"w": 640, "v": 7}', '{"w": 0, "v": 7}', '{"w": 20, "v": 8}']
    asked = ran(lambda data: data["w"] > 137 and data["v"] == 7, [[HEAVY, SEVEN]], *inputs)
    assert '{"w": 1, "v": 7}' in asked
    assert not any(each.startswith('{"w": 0,') for each in asked)


def test_what_was_run_already_is_not_run_again() -> None:
    search, asked = begun(lambda data: data["w"] > 137, '{"w": 640}', '{"w": 20}')
    proposal = Proposal(((HEAVY(search),),), 1.0)
    assert bisected(search, proposal)
    count = len(asked)
    assert not bisected(search, proposal)
    assert len(asked) == count


def test_what_another_condition_or_another_rule_decides_tells_nothing_of_a_bound() -> None:
    seven = {"after": ', "v": 7'}
    inputs = [*weights(640, 20, **seven), '{"w": 100, "v": 8}', '{"w": 600, "v": 8}']
    asked = ran(lambda data: data["w"] > 137 and data["v"] == 7, [[HEAVY, SEVEN]], *inputs)
    assert asked[:16] == weights(*BETWEEN_640_AND_20, *FAR_OF_137, **seven)
    assert asked[16:] == [f'{{"w": 138, "v": {digit}}}' for digit in "012345689"]
    inputs = [*weights(640, 20, after=', "v": 8'), '{"w": 200, "v": 7}']
    asked = ran(lambda data: data["w"] > 137 or data["v"] == 7, [[HEAVY], [SEVEN]], *inputs)
    assert asked[:9] == weights(*BETWEEN_640_AND_20, after=', "v": 8')


def test_lengths_are_bisected_too_and_the_shortest_are_run() -> None:
    long = atom("len(//k) > 5", "longest", ">", 5)
    asked = ran(lambda data: len(data["k"]) > 5, [[long]], '{"k": "abcdefghijkl"}', '{"k": "ab"}')
    asked = [each[7:-2] for each in asked]
    between = ["abcdefg", "abcd", "abcde", "abcdef"]
    assert asked == [*between, "", "a", ("abcdef" * 9)[:50], "aa"]


def test_both_bounds_of_an_interval_are_bisected_and_many_numbers_far_from_them_are_run() -> None:
    least, most = atom("//w > 60", "most", ">", 60), atom("//w < 200", "least", "<", 200)
    inputs = weights(100, 20, 300)
    asked = ran(lambda data: 60 < data["w"] < 200, [[both(between, least, most)]], *inputs)
    assert asked == weights(
        *(60, 80, 70, 65, 62, 61, 200, 150, 175, 187, 193, 196, 198, 199),
        *(0, 1, -1, -1000, 1_000_000, 10, 50, 500, 2000, 5000, 10_000, 20_000, 50_000, 100_000),
    )


def test_the_bounds_of_two_parts_side_by_side_are_bisected_one_after_the_other() -> None:
    few = atom("//v < 30", "least", "<", 30)

    def fails(data: dict[str, Any]) -> bool:
        return any(each["w"] > 137 and each["v"] < 30 for each in data["a"])

    inputs = [f'{{"a": [{{"w": {w}, "v": {v}}}]}}' for w, v in ((640, 3), (20, 3), (640, 90))]
    asked = ran(fails, [[both(together, HEAVY, few)]], *inputs)
    found = [(int(each.split()[2][:-1]), int(each.split()[4][:-3])) for each in asked]
    assert found[:9] == [(weight, 3) for weight in BETWEEN_640_AND_20]
    assert found[9:] == [(640, number) for number in (46, 24, 35, 29, 32, 30)]


@pytest.mark.parametrize(
    ("condition", "key", "others"),
    [
        (STARTS, "a1", LETTERS[:-1]),
        (atom('//k = "a"', "some is", "", "a"), "a", LETTERS),
        (atom('//k in {"a", "b"}', "in", "", ("a", "b")), "a", LETTERS),
        (atom('//k = "="', "some is", "", "="), "=", "+-@#!%&*$~^?:;./_|<>"),
        (atom('//k = "é"', "some is", "", "é"), "é", ""),
        (atom('//k = "ab"', "some is", "", "ab"), "ab", ""),
    ],
)
def test_where_one_character_matters_the_others_of_its_sort_are_run(
    condition: Made, key: str, others: str
) -> None:
    inputs = [f'{{"k": "{each}"}}' for each in (key, "z1", f"{key[:1]}long")]
    asked = ran(lambda data: data["k"] == key, [[condition]], *inputs)
    assert asked == [f'{{"k": "{each}{key[1:]}"}}' for each in others]
