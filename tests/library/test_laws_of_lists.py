"""Laws on lists, in notations where a list with a single item is one part with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from random import Random
from xml.etree import ElementTree

import pytest

from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.notation import meant, parse_rules
from boildown.engine.laws.strains import appended_near
from boildown.engine.laws.turned import stretched
from boildown.engine.laws.vocabulary import OF_SORTS, vocabulary
from engine.test_laws_near_the_original import parts_of
from helpers import by_some_seed
from library.test_laws_by_words import law_of

HIVES = """<apiary>
  <hive>
    <months><month>May</month></months>
    <yield><kg>4</kg></yield>
    <yield old="yes"></yield>
  </hive>
</apiary>"""
TICKETS = """<trip>
  <ticket nr="t4" child="yes"><from>Graz</from></ticket>
</trip>"""
ROTA = json.dumps({
    "staff": [{"nick": "eli", "phone": 1}, {"nick": "finn"}, {"nick": "gus"}],
    "shifts": [{"day": "Mon", "cook": "eli"}, {"day": "Tue"}, {"day": "Wed", "cook": "cy"}],
})  # fmt: skip


def _has_uneven_hive(text: str) -> bool:
    hives = ElementTree.fromstring(text).iter("hive")
    return any(len(each.findall("kg")) != len(months.findall("month")) for hive in hives
               for months in [*hive.iter("months")][:1] for each in hive.iter("yield"))  # fmt: skip


def _is_child_alone(text: str) -> bool:
    return any(
        each.get("child") == "yes" and each.find("value") is None
        for each in ElementTree.fromstring(text).iter("ticket")
    )


def _has_unknown_cook(text: str) -> bool:
    data = json.loads(text)
    lists: Iterable[object] = (
        [] if not isinstance(data, dict) else data.get(each) for each in ("staff", "shifts")
    )
    staff, shifts = (
        [each for each in known if isinstance(each, dict)] if isinstance(known, list) else []
        for known in lists
    )
    known = {json.dumps(each["nick"]) for each in staff if "nick" in each}
    return any(json.dumps(each["cook"]) not in known for each in shifts if "cook" in each)


def _has_fine_fraction(text: str) -> bool:
    return any(len(each) > 7 for each in re.findall(r"[.,]\d+", text))


def _has_long_number(text: str) -> bool:
    return any(len(each) > 8 for each in re.findall(r"[\d.]+", text))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "fails", "law"),
    [
        ("xml", HIVES, _has_uneven_hive, "//hive[count(//months/month) != count(//yield/kg)]"),
        ("xml", TICKETS, _is_child_alone, '//ticket[child = "yes" and not value]'),
        ("json", ROTA, _has_unknown_cook, "not every /shifts/*/cook in /staff/*/nick"),
        # A zone makes it longer, too.
        ("datetime", "2031-03-02 07:12:44.123456789Z", _has_fine_fraction, "len(//FRACTION) > 7"),
        # It is no larger than others.
        ("expressions", "max(rate, sqrt(0.48809345)) - 80467*x", _has_long_number,
         "len(//NUMBER) > 8"),
    ],
)  # fmt: skip
def test_a_law_is_found(
    language: str, original: str, fails: Callable[[str], bool], law: str
) -> None:
    found = by_some_seed(lambda seed: law_of(language, original, fails, seed), law)
    assert found == law


def test_what_a_law_names_is_of_any_sort() -> None:
    parts = parts_of('<a b="c"><d/><e>f</e></a>', "xml")
    features = (each for each in vocabulary([parts], []) if each.kind not in OF_SORTS)
    steps = (step for each in features for step in (each.a.step, each.a.context) if step)
    assert {step.label for step in steps if step.word is not None} == {"*"}


def test_an_item_more_is_put_into_its_own_list() -> None:
    text = '<a b="c"><d/></a>'
    parts = parts_of(text, "xml")
    focus = [i for i, part in enumerate(parts.all) if part.word == "b"]
    made = [*appended_near(text, parts, Corpus(parts.language), Random(0), focus)]
    assert made
    assert all(ElementTree.fromstring(each).attrib.keys() > {"b"} for each in made)


def test_a_long_part_has_an_option_more() -> None:
    text = "2031-03-02 07:12:44"
    parts = parts_of(text, "datetime")
    ((literal,),) = parse_rules("len(//time) > 9")
    made = [*stretched(meant(literal, parts), text, parts, Corpus(parts.language), Random(0))]
    zones = [each.removeprefix(text) for each in made if each.startswith(text)]
    assert any(zone[:1] in ("+", "-") for zone in zones)
    assert any(zone[:1] in (".", ",") for zone in zones)
