"""Tests of the lines that stand above a pattern: the pair, and what the failure needs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from boildown.engine.matters import what_matters
from boildown.engine.oracle import from_test
from boildown.engine.passing import Passing
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.template import template_of
from boildown.jobs.card import card, needs
from boildown.jobs.generalize import Generalized
from boildown.jobs.words import code
from boildown.languages import load_language


def found_of(
    text: str,
    fails: Callable[[str], bool],
    language: str = "plain",
    passing: Passing | None = None,
    holes: tuple[Hole, ...] = (),
) -> Generalized:
    template = template_of(text, load_language(language))
    worth = template.language.valid if template.valid else lambda _text: True
    told = what_matters(text, template.tree, {}, from_test(fails), worth)
    pattern = Pattern(template, holes, tokens=told)
    return Generalized(pattern, language, "", (), 0.0, {}, text, passing)


def below_zero(text: str) -> bool:
    value = json.loads(text)
    return isinstance(value, dict) and value.get("price", 0) < 0


def is_blank_unseen(text: str) -> bool:
    return text.startswith("|") and text.rstrip(" \t\n") != text.rstrip()


def test_a_card_shows_the_pair_what_is_needed_and_what_may_be_others() -> None:
    found = found_of('{"price":-3}', below_zero, "json", Passing('{"price":3}', 1))
    assert card(found) == [
        "fails:  '{\"price\":-3}'",
        "passes: '{\"price\":3}', 1 character away",
        "needed: '{\"price\":…}'",
        '  "price" is needed: with "pricf" it passes',
        "  -3 may be another number: with -2 it fails, with 3 it passes",
    ]


def test_a_card_leaves_out_what_the_pattern_says() -> None:
    hole = Hole("NUMBER", "NUMBER", (0, 0, 1, 0, 2, 0), 9, 11)
    found = found_of('{"price":-3}', below_zero, "json", holes=(hole,))
    assert card(found) == ['  "price" is needed: with "pricf" it passes']
    # The pattern of another text says nothing of this one's tokens.
    assert len(needs(replace(found, smallest='{"price":-4}'))) == 3


def test_a_card_says_where_all_is_needed_and_escapes_what_cannot_be_seen() -> None:
    found = found_of("[](", lambda text: "[](" in text)
    assert card(found) == ["needed: all of it, as it is"]
    found = found_of("|\u00a0", is_blank_unseen)
    assert card(found) == [
        "needed: '|…'",
        r"  '\u00a0' may be other white space: with '\u2003' it fails, with ' ' it passes",
    ]
    assert needs(found, code)[1] == (
        r"  `\u00a0` may be other white space: with `\u2003` it fails, with ` ` it passes"
    )


def test_a_card_says_once_that_equal_names_change_together() -> None:
    found = found_of("a b a", lambda text: text == f"{text.split()[0]} b {text.split()[0]}")
    assert card(found) == [
        "needed: '… b …'",
        "  'a' may be another name, the same in both places: with 'b' it fails; with 'b' in one of"
        " them it passes",
        "  'b' is needed: with 'c' it passes",
    ]


def test_a_card_tells_tokens_of_one_text_apart_by_their_places() -> None:
    found = found_of("a=a", lambda text: re.fullmatch(r"\w*=a", text) is not None)
    assert card(found) == [
        "needed: '…=a'",
        "  'a' (character 1) may go",
        "  'a' (character 3) is needed: with 'b' it passes",
    ]


def test_a_card_of_many_tokens_shows_only_the_text_of_those_that_are_needed() -> None:
    words = " ".join(f"word{number}" for number in range(12))
    found = found_of(f"{words} end", lambda text: text.count(" ") >= 12 and text.endswith("end"))
    assert card(found) == [f"needed: '{'… ' * 12}end'; 12 other tokens may be something else"]
    words = " ".join(f"word{number}" for number in range(60))
    text = f"end {words}"
    (line,) = card(
        found_of(text, lambda other: other.startswith("end ") and len(other) >= len(text))
    )
    assert re.fullmatch(r"needed: 'end … .*'; \d+ other tokens .*; not tried: \d+ tokens", line)
    assert card(replace(found, pattern=replace(found.pattern, tokens=()))) == []
