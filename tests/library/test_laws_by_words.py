"""Laws on words that no input of a job has: beside what a law names, of one family, or a sign."""

from __future__ import annotations

import ast
import configparser
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from boildown import generalize
from boildown.engine.laws.families import relatives
from engine.test_laws import anywhere, outcome_of, tags_of
from helpers import by_some_seed

LEVELS = {"DEBUG", "INFO", "WARNING", "ERROR"}
FILM = '<p><video src="a.webm" autoplay></video><img alt="a"></p>'
SCRIPT = """class Line(Base):
    order = 60
    def __eq__(self, other):
        return self.total == other.total
    def save(self):
        return 10
"""
CINEMA = (
    '<plan><show hall="1"><film>Ran</film><ends>21:40</ends></show>'
    "<guest><name>Bo</name></guest></plan>"
)


def _plays_aloud(text: str) -> bool:
    films = (attributes for tag, attributes in tags_of(text) if tag == "video")
    return any("autoplay" in each and "muted" not in each for each in films)


def _has_no_insurance(text: str) -> bool:
    return any(each.find("insurance") is None for each in ElementTree.fromstring(text).iter("show"))


def _has_no_hash(text: str) -> bool:
    classes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ClassDef)]
    names = (
        {each.name for each in one.body if isinstance(each, ast.FunctionDef)} for one in classes
    )
    return any("__eq__" in each and "__hash__" not in each for each in names)


def _has_whole_currency(text: str) -> bool:
    return any(each in ("JPY", "KRW", "CLP") for each in anywhere(json.loads(text), "currency"))


def _has_other_level(text: str) -> bool:
    read_one = configparser.ConfigParser(
        interpolation=None, strict=False, empty_lines_in_values=False
    )
    try:
        read_one.read_string(text)
    except configparser.Error as error:
        raise ValueError from error
    sections = (read_one[name] for name in read_one.sections())
    return any(each["level"] not in LEVELS for each in sections if "level" in each)


def _has_no_plus(text: str) -> bool:
    phones = anywhere(json.loads(text), "phone")
    return any(isinstance(each, str) and not each.startswith("+") for each in phones)


def _is_odd_width(text: str) -> bool:
    widths: list[Any] = anywhere(json.loads(text), "width")
    return any(each % 16 != 0 for each in widths if type(each) in (int, float))


def law_of(language: str, original: str, fails: Callable[[str], bool], seed: int = 0) -> str:
    """Return the law that the library finds for a program."""
    found = generalize(
        original, lambda text: outcome_of(text, fails), language, samples=40, seed=seed
    )
    return str(found.law)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "fails", "law"),
    [
        ("html", FILM, _plays_aloud, "//video[autoplay and not muted]"),
        ("xml", CINEMA, _has_no_insurance, "//show[not insurance]"),
        ("json", '{"price": 9, "currency": "CLP"}', _has_whole_currency,
         '//currency in {"CLP", "JPY", "KRW"}'),
        ("ini", "[log]\nflush = yes\nlevel = TRACE\n", _has_other_level,
         '//level not in {"DEBUG", "ERROR", "INFO", "WARNING"}'),
        ("json", '[{"name": "Bo", "phone": "030 12"}, {"name": "Al"}]', _has_no_plus,
         '//phone not starts with "+"'),
        # A number with an exponent overflows, which is no other law.
        ("json", '{"fps": 25, "sizes": [{"width": 426, "height": 240}, {"width": 320}]}',
         _is_odd_width, "//width % 16 != 0"),
    ],
)  # fmt: skip
def test_a_law_is_found(
    language: str, original: str, fails: Callable[[str], bool], law: str
) -> None:
    found = by_some_seed(lambda seed: law_of(language, original, fails, seed), law)
    assert found == law


@pytest.mark.nightly
def test_a_method_that_is_missing_is_named() -> None:
    found = generalize(
        SCRIPT, lambda text: outcome_of(text, _has_no_hash), "python", samples=40, seed=2
    )
    assert found.law is not None
    assert found.law.matches(SCRIPT)
    both = SCRIPT.replace("def save", "def __hash__")
    assert not found.law.matches(both)
    assert not found.law.matches(SCRIPT.replace("__eq__", "__ne__"))


def test_a_family_has_words_in_the_case_of_the_one_that_is_known() -> None:
    assert [*relatives("debug")][:2] == ["trace", "info"]
    assert "ERROR" in {*relatives("INFO")}
    assert [*relatives("boildown")] == []
