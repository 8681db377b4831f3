"""Patterns as values: how they print, what belongs to them, what they give."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import seed_grammars
from boildown.decoding import WrongShape, decode
from boildown.engine.generalizing.gaps import gap
from boildown.engine.numerals import exact_number
from boildown.engine.oracle import Outcome
from boildown.engine.patterns import conditions
from boildown.engine.patterns.algebra import NoSample
from boildown.engine.patterns.bounds import at_least, lower_bound, upper_bound
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Numbers,
    Value,
    Without,
    both,
)
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.reading import pattern_from_json
from boildown.engine.patterns.template import template_of
from boildown.languages import load_language
from boildown.tree import Kind, Leaf, Node, Place, place_at, places

MARKUP = load_language(seed_grammars.SIMPLE_HTML)
TRIPLES = load_language(seed_grammars.TRIPLES)
JSON = load_language("json")


def hole(pattern: Pattern, path: tuple[int, ...], *found: Condition, name: str = "") -> Hole:
    tree = place_at(pattern.template.tree, path).tree
    start, end = pattern.template.span(path)
    return Hole(name or tree.label, tree.label, path, start, end, found)


def triple(*found: tuple[int, tuple[Condition, ...]], name: str = "") -> Pattern:
    pattern = Pattern(template_of("2, 1, 3", TRIPLES))
    return pattern.with_holes([hole(pattern, (at,), *each, name=name) for at, each in found])


FIRST, SECOND, THIRD = 0, 2, 4
"""Where the numbers of a triple are in its tree."""


def markup(*found: Condition) -> Pattern:
    pattern = Pattern(template_of('<a>"</a>', MARKUP))
    paths = ((0, 0, 0), (0, 0, 1, 0, 1), (0, 0, 2))
    holes = [hole(pattern, path) for path in paths]
    return pattern.with_holes([replace(holes[0], conditions=found), *holes[1:]])


def test_a_pattern_prints_as_in_the_documents() -> None:
    assert str(markup()) == '<opening-tag>"<plain-text><closing-tag>'
    assert [(each.start, each.end) for each in markup().holes] == [(0, 3), (4, 4), (4, 8)]
    assert str(triple((THIRD, ()))) == "2, 1, <int>"


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (Numbers(high=0), "<int> < 0, 1, 3"),
        (Numbers(low=0, low_included=True), "<int> >= 0, 1, 3"),
        (Numbers(1, 9, high_included=True), "1 < <int> <= 9, 1, 3"),
        (Numbers(), "<int>, 1, 3"),
        (Without("\"' \n"), '<int without " \' " " "\\n">, 1, 3'),
        (Without("x", "digit"), "<int without x in digit>, 1, 3"),
        (Containing("7"), "<int with 7>, 1, 3"),
        (Lacking("digit"), "<int without <digit>>, 1, 3"),
        (Except(("12", "a b")), "<int except 12 a b>, 1, 3"),
        (
            Alternatives((("positive-int",), ('"-"', "positive-int"))),
            "<int: positive-int | - positive-int>, 1, 3",
        ),
    ],
)
def test_conditions_print_in_their_hole(condition: Condition, shown: str) -> None:
    assert str(triple((FIRST, (condition,)))) == shown


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("pair*", "<pair>*"),
        ("pair+", "<pair>+"),
        ('[pair ("," pair)*]', "<pair>*"),
        ('pair ("," pair)*', "<pair>+"),
        ("(text | element)*", "<text | element>*"),
        ('[("**" | "^") factor]', '<("**" | "^") factor>?'),
        ("expr?", "<expr>?"),
        ('"+" | "-"', '<"+" | "-">'),
        ("int", "<int>"),
    ],
)
def test_lists_and_options_print_as_such(label: str, shown: str) -> None:
    assert str(Hole(label, label, (), 0, 0)) == shown


def test_names_are_unique_but_for_holes_that_covary() -> None:
    pattern = triple((FIRST, ()), (SECOND, ()), (THIRD, ()))
    assert [each.name for each in pattern.holes] == ["int", "int_2", "int_3"]
    assert pattern.covarying == ()
    same = triple((FIRST, ()), (THIRD, ()), name="$int")
    assert str(same) == "<$int>, 1, <$int>"
    assert same.covarying == ((0, 1),)
    assert same.matches("7, 1, 7")
    assert not same.matches("7, 1, 8")
    first, _, last = same.sample(Random(3)).split(", ")
    assert first == last


def test_what_belongs_to_a_pattern() -> None:
    pattern = markup(Without("\"'", "plain-text"))
    assert pattern.matches('<a>"</a>')
    assert pattern.matches('<foo x="">"bar</b7>')
    assert not pattern.matches('<foo x="\'">"bar</b7>')
    assert not pattern.matches("<a></a>")
    assert not pattern.matches("plain")
    assert not pattern.matches("<a")


def test_white_space_between_tokens_does_not_count() -> None:
    pattern = Pattern(template_of('{"a": [1]}', JSON))
    pattern = pattern.with_holes([hole(pattern, (0, 0, 1, 0, 2))])
    assert str(pattern) == '{"a": <value>}'
    assert pattern.matches('\n{ "a" :{"b" : [ ]} } \n')
    assert not pattern.matches('{"b": 1}')
    assert not pattern.matches('{"a": 1, "b": 1}')


def test_values_that_merge_with_the_text_are_no_instance() -> None:
    pattern = triple((FIRST, ()))
    assert pattern.instance({"int": "5"}) is not None
    assert pattern.instance({"int": "5, 5"}) is None
    assert pattern.instance({"int": ""}) is None


@given(seed=st.integers(0, 10**6))
def test_what_is_drawn_belongs_to_the_pattern(seed: int) -> None:
    for pattern in (
        markup(Without("\"'", "plain-text")),
        triple((FIRST, (Numbers(high=5),)), (THIRD, (Numbers(low=1, high=2000),))),
    ):
        text = pattern.sample(Random(seed))
        assert pattern.matches(text)
        assert text == pattern.sample(Random(seed))
        values = pattern.read(text)
        assert values is not None
        assert all(each.holds(value) for each, value in zip(pattern.holes, values, strict=True))


def test_numbers_far_away_are_drawn_too() -> None:
    pattern = triple((FIRST, (Numbers(low=2**31, low_included=True),)))
    assert int(pattern.sample(Random(0)).split(",")[0]) >= 2**31


def test_no_sample_where_nothing_meets_the_conditions() -> None:
    pattern = triple((FIRST, (Containing("x"),)))
    with pytest.raises(NoSample, match="No random text was found that belongs to <int with x>, 1"):
        pattern.sample(Random(0))
    assert pattern.distinct(5, Random(0)) == []


def test_distinct_texts() -> None:
    texts = triple((FIRST, ())).distinct(50, Random(0))
    assert len(texts) == len(set(texts)) == 50
    few = triple((FIRST, (Numbers(low=0, high=4),)))
    assert sorted(few.distinct(50, Random(0))) == ["1, 1, 3", "2, 1, 3", "3, 1, 3"]


def test_json_gives_the_pattern_back() -> None:
    pattern = replace(
        markup(
            Without("'", "plain-text"),
            Alternatives((("lt", "id", "gt"),)),
            Numbers(1, 2.5, True),
            Except(("<b>",)),
            Containing("<"),
            Lacking("attrs"),
        ),
        joint=Evidence(90, 3, 4, 1),
        method="ddset",
        budget=7,
        finished=False,
        runs=12,
        outcomes={Outcome.INVALID: 4},
        notes=("A note.",),
    )
    evidence = Evidence(5, 1, 2, 3)
    first = replace(pattern.holes[0], evidence=evidence, counterexample="<b></b>")
    pattern = pattern.with_holes([first, *pattern.holes[1:]])
    stored = json.loads(json.dumps(pattern.to_json()))
    assert pattern_from_json(stored, MARKUP) == pattern
    assert stored["pattern"] == str(pattern)
    assert stored["joint"] == {
        "trials": 93,
        "reproduced": 90,
        "invalid": 4,
        "timeouts": 1,
        "rate": 90 / 93,
        "lower_bound": lower_bound(90, 93),
    }
    assert [stored["holes"][0][key] for key in ("start", "end", "text")] == [0, 3, "<a>"]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda stored: stored.pop("holes"), "it has no 'holes'"),
        (lambda stored: stored.update(holes=3), "'holes' must be a list, not 3."),
        (
            lambda stored: stored["holes"][0].update(items=""),
            "'holes[0].items' must be a list, not \"\".",
        ),
        (
            lambda stored: stored["holes"][0].update(start=-1),
            "'holes[0].start' must be a whole number from 0 to 10**15, not -1.",
        ),
        (
            lambda stored: stored["holes"][0].update(conditions=[{"kind": "x"}]),
            """'holes[0].conditions[0].kind' must be one of "without", "containing", "lacking",""",
        ),
        (
            lambda stored: stored["holes"][0].update(conditions=[{"kind": "numbers", "x": 1}]),
            """'holes[0].conditions[0]' has the key "x", which no numbers has.""",
        ),
        (
            lambda stored: stored["holes"][0].update(
                conditions=[{"kind": "numbers", "high": "abc"}]
            ),
            """'holes[0].conditions[0].high' must be a number, not "abc".""",
        ),
        (
            lambda stored: stored["holes"][0].update(
                conditions=[{"kind": "numbers", "low": float("nan")}]
            ),
            "'holes[0].conditions[0].low' must be a number that is finite, not NaN.",
        ),
        (
            lambda stored: stored["joint"].update(reproduced=94),
            "'joint' makes no sense: 94 of 0 trials can't have reproduced.",
        ),
        (lambda stored: stored["holes"].append(stored["holes"][-1]), "stands in or before 'holes["),
        (lambda stored: stored.update(text="7"), "not one of the language mapping"),
        (lambda stored: stored["holes"][0].update(path=[0, 99]), "its text has no opening-tag"),
    ],
)
def test_what_is_no_pattern_is_refused(spoil: Callable[[Any], Any], message: str) -> None:
    stored = markup().to_json()
    spoil(stored)
    with pytest.raises(WrongShape, match=re.escape(message)):
        pattern_from_json(stored, MARKUP)


def test_both_of_two_patterns() -> None:
    negative = triple((FIRST, (Numbers(high=0),)), (SECOND, ()))
    small = triple((FIRST, ()), (SECOND, (Numbers(high=10),)))
    combined = negative & small
    assert str(combined) == f"({negative} & {small})"
    assert combined.matches("-4, 3, 3")
    assert not combined.matches("4, 3, 3")
    text = combined.sample(Random(0))
    assert negative.matches(text)
    assert small.matches(text)


def test_one_of_two_patterns() -> None:
    combined = triple((FIRST, ())) | triple((THIRD, ()))
    assert combined.matches("9, 1, 3")
    assert combined.matches("2, 1, 9")
    assert not combined.matches("9, 1, 9")
    assert {combined.sample(Random(seed))[-1] == "3" for seed in range(20)} == {True, False}


def test_not_a_pattern() -> None:
    other = ~triple((FIRST, ()), (SECOND, ()), (THIRD, (Numbers(low=0),)))
    assert other.matches("1, 1, -1")
    assert not other.matches("1, 1, 1")
    assert not other.matches("no triple")
    assert int(other.sample(Random(0)).split(",")[-1]) <= 0


def test_a_pattern_and_not_another() -> None:
    both_signs = triple((FIRST, ()))
    positive = triple((FIRST, (Numbers(low=0),)))
    rest = both_signs & ~positive
    assert int(rest.sample(Random(0)).split(",")[0]) <= 0
    with pytest.raises(NoSample, match="none belongs to"):
        (positive & ~both_signs).sample(Random(0))


def test_bounds_are_those_of_clopper_and_pearson() -> None:
    assert lower_bound(0, 10) == 0
    assert lower_bound(10, 10) == pytest.approx(0.05**0.1)
    assert lower_bound(9, 10) == pytest.approx(0.60584, abs=1e-5)
    assert lower_bound(982, 1000) == pytest.approx(0.973424, abs=1e-6)
    assert upper_bound(0, 100) == pytest.approx(0.02951, abs=1e-5)
    assert upper_bound(10, 10) == 1


@given(trials=st.integers(1, 400), data=st.data())
def test_a_bound_is_where_chance_gives_out(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(1, trials))
    bound = lower_bound(successes, trials)
    assert at_least(successes, trials, bound) == pytest.approx(0.05, abs=1e-6)
    assert bound <= successes / trials


def test_evidence_counts_only_what_says_something() -> None:
    evidence = Evidence()
    for outcome in (*Outcome, Outcome.REPRODUCED):
        evidence = evidence.plus(outcome)
    assert evidence == Evidence(2, 1, 1, 1)
    assert evidence.trials == 3
    assert evidence.rate == pytest.approx(2 / 3)
    assert Evidence().rate == Evidence().lower_bound == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("-0", 0), ("007", 7), ("1.5", 1.5), ("-1e3", -1000.0), (".5", 0.5), ("5.", 5.0)),
        *(("", None), ("1e400", float("inf")), ("x", None), ("1_0", None), ("- 1", None)),
        ("9" * 301, None),
    ],
)
def test_what_is_a_number(text: str, value: float | None) -> None:
    assert exact_number(text) == value


def test_numbers_are_told_apart_exactly() -> None:
    assert exact_number("9007199254740993.0") == 9007199254740993
    assert exact_number("9007199254740993.0") != exact_number("9007199254740992.0")
    assert exact_number("0.1") != exact_number("0.10000000000000000001")
    value = Value("9007199254740993.0", Leaf("NUMBER", "9007199254740993.0"))
    assert not Numbers(high=9007199254740993).holds(value)
    tenth = Value("0.1", Leaf("NUMBER", "0.1"))
    assert Numbers(high=0.1, high_included=True).holds(tenth)
    assert not Numbers(low=0.1).holds(tenth)
    assert exact_number("1e-999999999") == 0


def test_conditions_of_one_kind_are_joined() -> None:
    assert both((Without("a"),), Without("b")) == (Without("ab"),)
    assert both((Without("a"),), Without("b", "x")) == (Without("a"), Without("b", "x"))
    assert both((Except(("p",)),), Except(("o",))) == (Except(("o", "p")),)
    shapes = Alternatives((("a",), ("b",)))
    assert both((Containing("x"), shapes), Alternatives((("b",), ("c",)))) == (
        Containing("x"),
        Alternatives((("b",),)),
    )
    assert both((Numbers(high=1),), Numbers(high=1)) == (Numbers(high=1),)


def test_every_condition_is_in_the_table() -> None:
    value = Value("a", Leaf("A", "a"))
    for condition in (Without("b"), Containing("a"), Lacking("B"), Alternatives((("A",),))):
        assert condition.holds(value)
        assert decode(Condition, conditions.to_json(condition)) == condition


def list_pattern(text: str, *gaps: tuple[int, int]) -> Pattern:
    """Return a list of JSON with gaps for some runs of its items."""
    pattern = Pattern(template_of(text, JSON))
    list_ = next(
        place
        for place in places(pattern.template.tree)
        if isinstance(place.tree, Node) and place.tree.kind is Kind.LIST
    )
    found = [gap(pattern.template, list_, items, 8) for items in gaps]
    return pattern.with_holes([each for each in found if each is not None])


@pytest.mark.parametrize(
    ("text", "gaps", "shown"),
    [
        ("[1, 2]", [(0, 0)], "[<value>*, 1, 2]"),
        ("[1, 2]", [(1, 1)], "[1, <value>*, 2]"),
        ("[1, 2]", [(2, 2)], "[1, 2, <value>*]"),
        ("[1, 2, 3]", [(0, 1), (2, 3)], "[<value>*, 2, <value>*]"),
        ("[1]", [(0, 0), (1, 1)], "[<value>*,1,<value>*]"),
    ],
)
def test_gaps_hold_any_number_of_items(text: str, gaps: list[tuple[int, int]], shown: str) -> None:
    pattern = list_pattern(text, *gaps)
    assert str(pattern) == shown
    assert pattern.matches(text)
    assert pattern_from_json(json.loads(json.dumps(pattern.to_json())), JSON) == pattern
    kept = [int(each) for each in shown if each.isdigit()]
    texts = pattern.distinct(30, Random(0))
    for made in texts:
        assert pattern.matches(made)
        values = iter(json.loads(made))
        assert all(any(value == each for value in values) for each in kept)
    assert max(len(json.loads(made)) for made in texts) > len(kept) + 1
    assert json.loads(pattern.fill({hole.name: "" for hole in pattern.holes})) == kept


@pytest.mark.parametrize(("text", "looked_at"), [("[1,2,3,4,5,6,7,8]", 0), ("[1,2,null,3,4]", 2)])
def test_of_a_gap_only_values_are_looked_at_that_leave_a_match(text: str, looked_at: int) -> None:
    pattern = list_pattern("[null]", (0, 0), (1, 1))
    slots = {each.slot: each.label for each in pattern.holes}
    seen: list[str] = []

    def holds(_slot: object, value: Value) -> bool:
        seen.append(value.text)
        return True

    found = pattern.template.read(text, slots, holds)
    assert (found is not None, len(seen)) == (looked_at > 0, looked_at)


def test_gaps_are_told_apart_by_what_is_between() -> None:
    pattern = list_pattern("[1, 2, 3]", (0, 1), (2, 3))
    values = pattern.read("[7, 8, 2, 9]")
    assert values is not None
    assert [value.text for value in values] == ["7, 8", "9"]
    assert pattern.read("[7, 8, 9]") is None
    assert [value.text for value in pattern.read("[2]") or ()] == ["", ""]


def test_items_are_chosen_so_that_conditions_hold() -> None:
    pattern = list_pattern("[2]", (0, 0), (1, 1))
    first, last = pattern.holes
    pattern = pattern.with_holes([first, replace(last, conditions=(Lacking("NUMBER", "2"),))])
    values = pattern.read("[2, 5, 2, 6]")
    assert values is not None
    assert [value.text for value in values] == ["2, 5", "6"]
    assert not pattern.matches("[3, 4]")


@pytest.mark.parametrize("items", [[0, 2], [1, 0], [0, 9]])
def test_items_that_are_not_there_are_refused(items: list[int]) -> None:
    stored = list_pattern("[1, 2]", (0, 0)).to_json()
    stored["holes"][0]["items"] = items
    with pytest.raises(ValueError, match="not one of the language json"):
        pattern_from_json(stored, JSON)


def twice(name: str) -> Pattern:
    """Return the pattern of objects that have a key twice, with gaps before each of the two."""
    found = list_pattern('{"a":1,"a":1}', (0, 0), (1, 1))
    paths = [place.path() for place in places(found.template.tree) if place.tree.label == "STRING"]
    keys = [hole(found, path, name=name) for path in paths]
    of = [hole(found, place.path()) for place in places(found.template.tree) if is_value(place)]
    return found.with_holes([*found.holes, *keys, *of[1:]])


def is_value(place: Place) -> bool:
    return place.tree.label == "value"


def test_equal_holes_beside_gaps_are_bound_before_the_gaps_are_told_apart() -> None:
    pattern = twice("$STRING")
    assert str(pattern) == "{<pair>*,<$STRING>:<value>,<pair>*,<$STRING>:<value>}"
    for text in (
        *('{"a":1,"a":2}', '{"b":1,"a":1,"a":2}', '{"a":1,"b":1,"a":2}'),
        *('{"b":1,"a":1,"c":[],"a":2}', '{"a":0,"b":{"a":0,"c":0},"c":0,"a":0}'),
    ):
        assert pattern.matches(text), text
    assert not pattern.matches('{"b":1,"a":1,"c":2}')
    assert not pattern.matches('{"a":1,"a":2,"b":1}')
    values = pattern.read('{"b":1,"a":1,"a":2}')
    assert values is not None
    assert [each.text for each in values] == ['"b":1', '"a"', "1", "", '"a"', "2"]


def test_draws_fill_each_gap_beside_equal_holes() -> None:
    pattern = twice("$STRING")
    rng = Random(0)
    drawn = [pattern.draw(rng) for _ in range(40)]
    gaps = [index for index, each in enumerate(pattern.holes) if each.items is not None]
    for gap_ in gaps:
        filled = [made for made in drawn if made is not None and made.values[gap_].text]
        assert len(filled) > 15


def test_gaps_at_one_offset_are_filled_from_the_inner_to_the_outer_one(tmp_path: Path) -> None:
    grammar = tmp_path / "rows.lark"
    grammar.write_text('start: row*\nrow: "r" cell*\ncell: "c" | "d"\n')
    pattern = Pattern(template_of("rc", load_language(grammar)))
    lists = [
        place
        for place in places(pattern.template.tree)
        if isinstance(place.tree, Node) and place.tree.kind is Kind.LIST
    ]
    found = [gap(pattern.template, place, (1, 1), 8) for place in lists]
    pattern = pattern.with_holes([each for each in found if each is not None])
    assert str(pattern) == "rc<cell>*<row>*"
    made = [pattern.draw(Random(seed)) for seed in range(40)]
    both_filled = [each for each in made if each and all(value.text for value in each.values)]
    assert len(both_filled) > 10
    assert all(each.text.startswith("rc") for each in both_filled)


def test_the_separators_between_items_beside_a_gap_count() -> None:
    language = load_language("expressions")
    plain = Pattern(template_of("x - 1", language))
    list_ = next(
        place
        for place in places(plain.template.tree)
        if isinstance(place.tree, Node) and place.tree.separated and place.tree.count == 2
    )
    rest = gap(plain.template, list_, (2, 2), 8)
    assert rest is not None
    pattern = plain.with_holes([rest])
    assert pattern.matches("x - 1 - 2")
    assert not pattern.matches("x + 1 - 2")
    sign = list_.children()[1]
    pattern = plain.with_holes([rest, hole(plain, sign.path())])
    values = pattern.read("x + 1 - 2")
    assert values is not None
    assert [each.text for each in values] == ["+", "2"]
