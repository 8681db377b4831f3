"""The contract of all passes, on texts of grammars."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boildown.engine.problem import key
from boildown.engine.reducing.passes import PASSES, Pass
from boildown.languages import load_language
from boildown.languages.grammar import GrammarLanguage
from engine.seed_languages import ASSIGNMENTS, EXPRESSIONS, NUMBERS
from helpers import contains, example_count, run

NAMES = ("hdd", "gtr", "grammar", "grammar-all", "grammar-depth", "production", "choices")
STRICT = pytest.mark.parametrize(
    "each", [each for each in PASSES if each.name in NAMES], ids=lambda each: each.name
)
"""The passes whose candidates all follow the grammar."""

JSON = cast(GrammarLanguage, load_language("json"))

Case = tuple[GrammarLanguage, str, Callable[[str], bool]]


@st.composite
def failing(draw: st.DrawFn) -> Case:
    """Draw a language, a text of it, and a test that it fulfils."""
    language = draw(st.sampled_from([EXPRESSIONS, ASSIGNMENTS, NUMBERS, JSON]))
    rng = Random(draw(st.integers(0, 10_000)))
    text = language.sample(language.grammar.start, rng, 25)
    assert text is not None
    kept = draw(st.lists(st.integers(0, len(text) - 1), max_size=3, unique=True))
    return language, text, contains(*(text[at] for at in sorted(kept)))  # type: ignore[return-value]


@STRICT
@settings(max_examples=example_count(30))
@given(failing())
def test_the_result_reproduces_and_follows_the_grammar(each: Pass, case: Case) -> None:
    language, text, test = case
    result, _ = run(each, text, test, language)
    assert test(result)
    assert key(result) <= key(text)
    assert language.parse(result).valid


@STRICT
@settings(max_examples=example_count(30))
@given(failing())
def test_the_result_does_not_depend_on_the_number_of_workers(each: Pass, case: Case) -> None:
    language, text, test = case
    assert run(each, text, test, language, 1) == run(each, text, test, language, 4)
