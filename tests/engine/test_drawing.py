"""Random texts of patterns in the shipped languages: each is read as what was put into it."""

from __future__ import annotations

from random import Random

import pytest

from boildown.engine.generalizing.gaps import gap
from boildown.engine.generalizing.generalization import covers, hole_at
from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import from_test
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import Template, template_of
from boildown.languages import load_language
from boildown.tree import Kind, Node, Place, place_at, places
from grammar.shipped import NAMES

BUDGET = 8
"""Tokens, about, of a random value."""
TEXTS, DRAWS = 6, 8
"""Texts of each language with holes at random places, and draws from each."""


def holes(template: Template, rng: Random) -> list[Hole]:
    """Return holes at random places, then gaps in lists, which take up the holes in them."""
    found: list[Hole] = []
    everywhere = list(places(template.tree))
    for place in rng.sample(everywhere, len(everywhere) * 2 // 3):
        path = place.path()
        candidate = hole_at(template, path, BUDGET)
        if candidate is not None and not any(
            covers(template, each.slot, path) or covers(template, candidate.slot, each.path)
            for each in found
        ):
            found.append(candidate)
    for place in places(template.tree):
        taken = any(covers(template, each.slot, place.path()) for each in found)
        if rng.random() < 0.5 and not taken and (candidate := a_gap(template, place, rng)):
            within = [each for each in found if covers(template, candidate.slot, each.path)]
            found = [*(each for each in found if each not in within), candidate]
    return found


def a_gap(template: Template, place: Place, rng: Random) -> Hole | None:
    list_ = place.tree
    if not isinstance(list_, Node) or list_.kind is not Kind.LIST or not list_.count:
        return None
    low = rng.randint(0, list_.count)
    high = rng.randint(low, min(list_.count, low + list_.count - 1))
    return gap(template, place, (low, high), BUDGET)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_is_read(name: str) -> None:
    language, read = load_language(name), 0
    label = language.parse("").tree.label
    for seed in range(TEXTS):
        rng = Random(seed)
        text = language.sample(label, rng, 40) or ""
        template = template_of(text, language)
        pattern = Pattern(template, budget=BUDGET).with_holes(holes(template, rng))
        for _ in range(DRAWS):
            instance = pattern.draw(rng)
            if instance is not None:
                assert pattern.read(instance.text) == instance.values
                assert len(instance.values) == len(pattern.holes)
                read += 1
    assert read > 0


def test_a_separator_that_is_a_hole_goes_with_the_item_after_it() -> None:
    """Lines of INI files are separated by one of several line ends, so each of these is a hole."""
    template = template_of("a=1\nb=2\nc=3\nd=4", load_language("ini"))
    lines = (1, 0)
    between = [hole_at(template, (*lines, at), BUDGET) for at in (1, 3, 5)]
    found = gap(template, place_at(template.tree, lines), (1, 2), BUDGET)
    assert found is not None
    assert [covers(template, found.slot, each.path) for each in filter(None, between)] == [
        True,
        False,
        False,
    ]
    left = [each for each in between if each and not covers(template, found.slot, each.path)]
    pattern = Pattern(template, budget=BUDGET).with_holes([found, *left])
    assert pattern.read("a=1\r\nc=3\nd=4") is not None


def test_alternatives_of_a_number_are_run_where_they_are_texts_alone() -> None:
    """In dates the label `"-" WEEKDAY` begins like a literal, and is none."""
    language = load_language("datetime")
    fails = from_test(lambda text: "7" in text and len(text) >= 12)
    options = GeneralizeOptions(samples=20)
    pattern = generalize("2026-W53-7/P1Y2M10DT2H30M", fails, language, Random(20135), options)
    assert pattern.matches(pattern.text)
