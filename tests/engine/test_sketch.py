"""Sketches of patterns: what people read, with marks for holes and conditions in words."""

from __future__ import annotations

import pytest

from boildown import Pattern
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Numbers,
    Without,
)
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.sketch import sketch
from boildown.engine.patterns.template import template_of
from boildown.languages import load_language

JSON = load_language("json")
PAIRS = '[pair ("," pair)*]'


def holed(text: str, *holes: Hole, language: str = "json") -> Pattern:
    return Pattern(template_of(text, load_language(language)), holes)


def number(*conditions: Condition) -> Hole:
    return Hole("NUMBER", "NUMBER", (0, 0, 1), 5, 6, conditions)


def test_gaps_are_dots_and_separators_get_their_blanks() -> None:
    before = Hole("a", PAIRS, (), 1, 1, items=(0, 0), after=",")
    after = Hole(
        "b", PAIRS, (), 6, 6, (Lacking("STRING", '"a"', "value"),), items=(1, 1), before=","
    )
    found = sketch(holed('{"a":1}', before, number(Numbers(high=0)), after))
    assert found.text == '{…¹, "a": ⟨number⟩², …³}'
    assert found.where == ("⟨number⟩² < 0", '…³ has no "a" of its own')
    assert str(found).endswith('\nwhere ⟨number⟩² < 0 and …³ has no "a" of its own')
    assert found.holes == ("…¹", "⟨number⟩² < 0", '…³ has no "a" of its own')
    assert found.marks == ("…¹", "⟨number⟩²", "…³")


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Numbers(3, 7, low_included=True), "3 <= ⟨number⟩ < 7"),
        (Without("<&"), "⟨number⟩ has no < or &"),
        (Without("<", inside="array"), "⟨number⟩ has no < in any array"),
        (Containing("e"), "⟨number⟩ has e"),
        (Lacking("close_tag"), "⟨number⟩ has no close tag"),
        (Except(("0", "1", "9")), "⟨number⟩ is not 0, 1 or 9"),
        (Alternatives((("NUMBER",), ('"true"',))), "⟨number⟩ is number or true"),
    ],
)
def test_a_condition_is_told_in_words(condition: Condition, words: str) -> None:
    found = sketch(holed('{"a":1}', number(condition)))
    assert str(found) == f'{{"a": ⟨number⟩}}\nwhere {words}'


def test_holes_of_one_name_have_one_number() -> None:
    one = Hole("$NUMBER", "NUMBER", (0, 0), 1, 2)
    two = Hole("$NUMBER", "NUMBER", (0, 2), 3, 4)
    other = Hole("value", "value", (0, 4), 5, 6)
    assert str(sketch(holed("[1,1,2]", one, two, other))) == "[⟨number⟩¹, ⟨number⟩¹, ⟨value⟩²]"


def test_a_language_in_which_blanks_count_gets_none() -> None:
    field = Hole("field", "field", (0,), 2, 3)
    assert str(sketch(holed("a,b\n", field, language="csv"))) == "a,⟨field⟩\n"


def test_what_may_not_be_empty_is_said_to_be_there() -> None:
    rest = Hole("b", PAIRS, (), 6, 6, (Except(("",)),), items=(1, 1), before=",")
    assert str(sketch(holed('{"a":1}', rest))) == '{"a": 1, ⟨pair, …⟩}'
