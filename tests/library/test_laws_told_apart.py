"""Laws of programs that pass on inputs like the only one at hand: a part, a pair, another way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

import pytest

from boildown.engine.laws.families import counterparts
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.notation import meant, parse_rules
from boildown.engine.laws.strains import strains
from boildown.engine.laws.turned import Directed, answered, shortened, spoken
from engine.test_laws import tags_of
from engine.test_laws_near_the_original import parts_of
from library.test_laws_by_words import law_of

RECIPE = """<h1>Pancakes</h1>
<p>Open daily from nine.</p>
<li>Rest <time datetime="50 min">50 min</time></li>
<li>Cook <time datetime="PT3H20M" itemprop="time">20 min</time></li>
<ul><li>flour</li><li>1 l milk</li></ul>
<p>Prices include <b>tax</b>.</p>
"""
FORM = '<label for=mail>Mail</label><br><input id="mail2">\n<p>Thank you!</p>\n'
CHOIR = """<season choir="Vox">
  <singer voice="tenor" name="Bo"><absent/></singer>
</season>"""
ORDER = '{"weight": 0, "express": true, "items": [{"sku": "B-9"}]}'


def _has_odd_time(text: str) -> bool:
    times = (attrs.get("datetime") for tag, attrs in tags_of(text) if tag == "time")
    return any(each is not None and not each.startswith("PT") for each in times)


def _has_lost_label(text: str) -> bool:
    found = tags_of(text)
    known = {attrs.get("id") for _, attrs in found}
    labels = (attrs.get("for") for tag, attrs in found if tag == "label")
    return any(each is not None and each not in known for each in labels)


def _lacks_singers(text: str) -> bool:
    tree = ElementTree.fromstring(text)
    return len([*tree.iter("absent")]) > len([*tree.iter("present")])


def _has_no_month(text: str) -> bool:
    if text.startswith("0000"):
        raise ValueError(text)
    return re.fullmatch(r"\d{4}-(W.*|\d{3})", text) is not None


def _is_weightless(text: str) -> bool:
    data = json.loads(text)
    return isinstance(data, dict) and data.get("express") is True and data.get("weight") == 0


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "fails", "law"),
    [
        # All values that pass begin with `PT3H2` until another one is tried.
        ("html", RECIPE, _has_odd_time, 'time/datetime not starts with "PT"'),
        # No input at hand has an `id` that is right.
        ("html", FORM, _has_lost_label, "not every label/for in //id"),
        # Only what undoes the failure shows that it is one of two numbers.
        ("xml", CHOIR, _lacks_singers, "count(//absent) > count(//present)"),
        # The year 0000, which a reduction leaves, would be no year for other dates.
        ("datetime", "2002-W14", _has_no_month, '//"-W" or //ORDINAL'),
        ("json", ORDER, _is_weightless, '//.[weight = 0 and express = "true"]'),
    ],
)  # fmt: skip
def test_a_law_is_found(
    language: str, original: str, fails: Callable[[str], bool], law: str
) -> None:
    assert law in law_of(language, original, fails)


def _edits(way: Directed, language: str, text: str, law: str) -> list[str]:
    parts = parts_of(text, language)
    ((literal,),) = parse_rules(law)
    return [*way(meant(literal, parts), text, parts, Corpus(parts.language), Random(0))]


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        ('//a not starts with "PT"', ['"PxH"']),
        ('//a starts with "PTH"', ['"PxH"', '"PTx"']),
        ('//a ends with "TH"', ['"PxH"']),
    ],
)
def test_a_part_of_what_is_asked_for_is_left(law: str, expected: list[str]) -> None:
    made = _edits(shortened, "json", '{"a": "PTH"}', law)
    assert made == [f'{{"a": {each}}}' for each in expected]


def test_each_of_two_conditions_meets_other_words() -> None:
    made = _edits(spoken, "json", '{"on": true, "n": 0}', '//.[n = 0 and on = "true"]')
    assert '{"on": "false", "n": 0}' in made or '{"on": false, "n": 0}' in made


def test_an_element_has_a_counterpart() -> None:
    assert [*counterparts("absent")] == ["present"]
    assert "<t><absent/><present/></t>" in _edits(answered, "xml", "<t><absent/></t>", "//absent")


def test_a_value_is_first_made_equal_to_other_values() -> None:
    parts = parts_of(FORM, "html")
    ((literal,),) = parse_rules('label/for != ""')
    found = strains([meant(literal, parts)], FORM, parts, Corpus(parts.language), Random(0))
    first = [next(found) for _ in range(12)]
    assert any("for=mail2" in each for each in first)
