"""What exploring finds near a pattern: other failures, and what the pattern leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from random import Random

import pytest

from boildown.engine.exploring.explore import Exploration, ExploreOptions, aimed, explore
from boildown.engine.exploring.mutation import mutant
from boildown.engine.generalizing.generalize import GeneralizeOptions as How
from boildown.engine.generalizing.generalize import generalize
from boildown.engine.oracle import Oracle, Outcome, Verdict, judge, limited
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import template_of
from boildown.languages import load_language
from helpers import run_ahead
from seed_grammars import EXPRESSIONS, POSITIVE_INTEGERS

GRAMMARS = {"expressions": load_language(EXPRESSIONS), "numbers": load_language(POSITIVE_INTEGERS)}


def judging(signature: Callable[[str], str], expected: str) -> Oracle:
    """Return an oracle of a program, given what is seen when it fails."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            seen = signature(text)
            reproduced = seen == expected
            yield Verdict(Outcome.REPRODUCED if reproduced else Outcome.PASSED, seen)

    return verdicts


def two_bugs(text: str) -> str:
    if re.search(r"[(][(].*[)][)]", text):
        return "doubled"
    return "division" if re.search(r"/ 0(?![0-9.])", text) else ""


def two_ranges(text: str) -> str:
    """One failure, for negative numbers and for large ones."""
    return "range" if int(text) < 0 or int(text) > 999 else ""


def explored(text: str, seed: int = 0, workers: int = 1, mutants: int = 500) -> Exploration:
    oracle = run_ahead(judging(two_bugs, "doubled"), workers)
    language = GRAMMARS["expressions"]
    pattern = generalize(text, oracle, language, Random(seed), How(samples=20))
    return explore(pattern, "doubled", oracle, Random(seed), ExploreOptions(mutants))


@pytest.mark.parametrize("seed", range(3))
def test_a_second_bug_is_found_and_reduced(seed: int) -> None:
    found = explored("((2))", seed)
    first, second = found.found[0], found.found[-1]
    assert (first.signature, str(first.pattern)) == ("doubled", "((<expr>))")
    assert (second.signature, second.pattern.text) == ("division", "0 / 0")
    assert re.fullmatch("… <factor.*> / 0 …", str(second.pattern))
    assert two_bugs(second.pattern.text) == "division"
    assert second.explained > 0
    assert found.finished


def test_every_input_is_told_of_by_at_most_one_pattern() -> None:
    found = explored("((2))")
    assert set(found.inputs) == {"doubled", "division"}
    for signature, met in found.inputs.items():
        explaining = [each.explained for each in found.found if each.signature == signature]
        assert 0 < sum(explaining) <= met
    first = found.found[0]
    assert found.recall == first.matching / found.inputs["doubled"]
    assert 0 < found.recall < 1


def test_what_a_narrow_pattern_leaves_out_gets_a_pattern() -> None:
    language, oracle = GRAMMARS["numbers"], judging(two_ranges, "range")
    pattern = generalize("-1", oracle, language, Random(0), How(samples=20))
    assert str(pattern) == "<int> < 0"
    found = explore(pattern, "range", oracle, Random(0))
    assert [str(each.pattern) for each in found.found] == ["<int> < 0", "<int> > 999"]
    assert found.found[1].pattern.text == "1110"
    assert all(each.matching > 10 for each in found.found)
    assert found.found[0].matching + found.found[1].matching == found.inputs["range"]


@pytest.mark.nightly
def test_workers_do_not_change_what_is_found() -> None:
    alone, several = explored("((2))", workers=1), explored("((2))", workers=3)
    assert (alone.found, alone.inputs) == (several.found, several.inputs)
    assert alone.inputs != explored("((2))", seed=1).inputs


@pytest.mark.parametrize("runs", [0, 5, 60])
def test_a_limit_gives_what_is_known(runs: int) -> None:
    language = GRAMMARS["expressions"]
    oracle = judging(two_bugs, "doubled")
    pattern = generalize("((2))", oracle, language, Random(0), How(samples=20))
    found = explore(pattern, "doubled", limited(oracle, runs), Random(0))
    assert not found.finished
    assert found.runs == runs
    assert found.found[0].pattern == pattern
    for each in found.found:
        assert two_bugs(each.pattern.text) == each.signature
    assert {each.signature for each in found.found} == set(found.inputs)


def test_a_pattern_of_all_inputs_ends_the_search() -> None:
    language = load_language({"<start>": ["<digit>"], "<digit>": list("01234")})
    oracle = judging(lambda _text: "all", "all")
    pattern = generalize("1", oracle, language, Random(0), How(samples=20))
    found = explore(pattern, "all", oracle, Random(0))
    assert found.finished
    assert found.recall == 1
    assert found.inputs["all"] <= 5


def test_another_failure_can_be_the_one_that_reproduces() -> None:
    oracle = aimed(judging(two_bugs, "doubled"), "division")
    outcomes = [judge(oracle, text).outcome for text in ("1 / 0", "((2))", "1")]
    assert outcomes == [Outcome.REPRODUCED, Outcome.PASSED, Outcome.PASSED]


def test_mutants_follow_the_grammar_and_differ() -> None:
    language = GRAMMARS["expressions"]
    source = template_of("1 + ((2 * 3 / 4))", language)
    texts = {mutant(source, [source], Random(seed), 20) for seed in range(50)}
    assert len(texts) > 40
    assert source.text not in texts
    assert all(text is not None and language.parse(text).valid for text in texts)


def test_mutants_lose_items_of_lists() -> None:
    language = load_language("json")
    source = template_of("[1, 2, 3]", language)
    texts = {mutant(source, [source], Random(seed), 5) for seed in range(200)}
    assert {"[1, 2]", "[2, 3]", "[1, 3]"} <= texts


def test_a_text_without_parts_has_no_mutants() -> None:
    plain = Pattern(template_of("", load_language("json")))
    assert mutant(plain.template, [], Random(0), 5) is None
