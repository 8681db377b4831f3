"""Four programs with two to four failures each: exploring finds all of them, each with its law."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from boildown.engine.exploring.explore import Exploration, ExploreOptions, explore
from boildown.engine.generalizing.generalize import GeneralizeOptions, generalize
from boildown.engine.oracle import Oracle, Outcome, Verdict
from boildown.languages import load_language
from engine.test_laws import anywhere

LAW_RUNS = 200


@dataclass(frozen=True)
class Program:
    """A program with several bugs: what is seen when it fails, of which the first comes first."""

    language: str
    fails: Callable[[str], str]
    """Returns the failure, or nothing; raises ValueError for what the program can't read."""
    original: str
    laws: dict[str, str]
    """Of each failure, the law that is found."""


def shop(text: str) -> str:
    found: list[dict[str, Any]] = []

    def keep(value: dict[str, Any]) -> dict[str, Any]:
        found.append(value)
        return value

    value = json.loads(text, object_hook=keep)
    if any(isinstance(n := each.get("price"), int | float) and n < 0 for each in found):
        return "negative price"
    items = value.get("items") if isinstance(value, dict) else None
    if isinstance(items, list) and len(items) > 4:
        return "too many items"
    if any(each.get("coupon", 0) is None for each in found):
        return "no coupon"
    return ""


def settings(text: str) -> str:
    ports = [each for each in anywhere(json.loads(text), "port") if isinstance(each, int)]
    levels = [each for each in anywhere(json.loads(text), "level") if isinstance(each, int)]
    if any(port > 65535 for port in ports):
        return "port"
    return "level" if any(level > 500 for level in levels) else ""


def table(text: str) -> str:
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    if any(field.startswith("=") for row in rows for field in row):
        return "formula"
    if any(len(row) != len(rows[0]) for row in rows):
        return "ragged"
    if any(len(field) > 20 for row in rows for field in row):
        return "long"
    return "many" if len(rows) > 6 else ""


def feed(text: str) -> str:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError from error
    ids = [each.get("id") for each in root.iter() if each.get("id") is not None]
    if len(set(ids)) < len(ids):
        return "same id"
    plain = any((each.get("url") or "").startswith("http:") for each in root.iter())
    return "plain" if plain else ""


PROGRAMS = {
    "shop": Program(
        "json",
        shop,
        '{"id": 7, "items": [{"price": -2, "count": 1}, {"price": 4}], "coupon": "x1"}',
        {
            "negative price": "//price < 0",
            "too many items": "count(/items/value) > 4",
            "no coupon": '//coupon = "null"',
        },
    ),
    "settings": Program(
        "json",
        settings,
        '{"name": "x", "server": {"port": 70000, "host": "here"}, "log": {"level": 2}}',
        {"port": "//port > 65535", "level": "//level > 500"},
    ),
    "table": Program(
        "csv",
        table,
        "name,size,note\nada,3,=1+1\nbo,4,fine\n",
        {
            "formula": '//field starts with "="',
            "ragged": "count(//row/field) != that of the first",
            "long": "len(//field) > 20",
            "many": "count(row/field[1]) > 6",
        },
    ),
    "feed": Program(
        "xml",
        feed,
        '<feed><title>News</title><entry id="a" url="http://x"/><entry id="a" url="https://y"/></feed>',
        {"same id": "repeated(id/value)", "plain": 'url/DOUBLE_TEXT starts with "http:"'},
    ),
}


def oracle_of(program: Program, expected: str) -> Oracle:
    def verdicts(texts: Any) -> Any:
        for text in texts:
            try:
                seen = program.fails(text)
            except (ValueError, RecursionError, csv.Error):
                yield Verdict(Outcome.INVALID, "")
            else:
                reproduced = seen == expected
                yield Verdict(Outcome.REPRODUCED if reproduced else Outcome.PASSED, seen)

    return verdicts


def explored(program: Program, seed: int = 0) -> Exploration:
    language, expected = load_language(program.language), program.fails(program.original)
    oracle, how = oracle_of(program, expected), GeneralizeOptions(samples=20, law_runs=LAW_RUNS)
    pattern = generalize(program.original, oracle, language, Random(seed), how)
    search = ExploreOptions(400, law_runs=LAW_RUNS)
    return explore(pattern, expected, oracle, Random(seed), search, original=program.original)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "seed"), [("shop", 0), ("settings", 0), ("table", 1), ("feed", 1)]
)
def test_all_failures_are_found_each_with_its_law(name: str, seed: int) -> None:
    program = PROGRAMS[name]
    found = explored(program, seed).found
    laws = {each.signature: str(each.pattern.law) for each in reversed(found)}
    assert laws == program.laws
