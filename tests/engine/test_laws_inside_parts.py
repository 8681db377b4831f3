"""Laws on what stands inside one part: counts that it states, repeated items, what it lacks."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from boildown.engine.laws.features import Chosen, Feature, Named
from boildown.engine.laws.learner import learn
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.notation import parse_rules
from boildown.engine.laws.parts import ANY, read
from boildown.engine.laws.strains import probes
from boildown.engine.laws.table import Table
from boildown.engine.laws.vocabulary import vocabulary
from boildown.languages import load_language
from boildown.library.laws import parse_law
from engine.test_laws import anywhere, found, numbers
from helpers import by_some_seed

POLL = (
    '<poll><question answers="1"><answer/></question>'
    '<question answers="2"><answer/></question></poll>'
)
DISHES = '{"dishes": [{"allergens": ["fish", "egg"]}, {"allergens": ["egg", "egg"]}]}'
ORDERS = (
    '[{"total": 5, "items": [{"price": 2}, {"price": 3}]},'
    ' {"total": 9, "items": [{"price": 4}, {"price": 3}]}]'
)
LINE = (
    '{"stops": [{"departs": "08:07", "arrives": "08:06"}, {"departs": "08:16"},'
    ' {"arrives": "08:18", "name": "Zoo"}], "depot": {"name": "East"}}'
)
LINKS = (
    '<nav><a href="/help" target="_blank">Help</a> <a rel="next" href="/2" target="_self">2</a>'
    '</nav><p><a target="_blank" rel="nofollow" href="/m">m</a></p>'
)
QUERY = "SELECT place, id FROM loans WHERE lent IS NOT NULL ORDER BY place;"


def _is_miscounted(text: str) -> bool:
    questions = ElementTree.fromstring(text).iter("question")
    stated = ((each.get("answers"), each.findall("answer")) for each in questions)
    return any(number is not None and number != str(len(inner)) for number, inner in stated)


def _is_named_twice(text: str) -> bool:
    lists = [each for each in anywhere(json.loads(text), "allergens") if isinstance(each, list)]
    names = [[name for name in each if isinstance(name, str)] for each in lists]
    return any(len(set(each)) < len(each) for each in names)


def _orders(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _orders(each)


def _is_added_up_wrongly(text: str) -> bool:
    orders = [each for each in _orders(json.loads(text)) if "total" in each]
    if any(isinstance(each["total"], bool) for each in orders):
        return True  # To Python, `False` is 0.
    return any(e["total"] != sum(numbers(anywhere(e.get("items"), "price"))) for e in orders)


def _is_old(text: str) -> bool:
    return any(word.endswith("_old") for word in re.findall(r"\w+", text.lower()))


def _is_endless(text: str) -> bool:
    loops = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.While)]
    return any(not any(isinstance(i, ast.Break) for i in ast.walk(loop)) for loop in loops)


def _is_out_of_range(text: str) -> bool:
    year = re.match(r"(\d{4})-", text)
    return year is not None and not 1970 <= int(year[1]) <= 2037


def _is_clamped_to_too_few(text: str) -> bool:
    calls = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
    return any(getattr(e.func, "id", "") == "clamp" and len(e.args) < 3 for e in calls)


def _is_without_arrival(text: str) -> bool:
    value = json.loads(text)
    stops = value.get("stops") if isinstance(value, dict) else None
    return isinstance(stops, list) and any(
        not isinstance(each, dict) or "arrives" not in each for each in stops
    )


def _is_locked(text: str) -> bool:
    value = json.loads(text)
    attempts = value.get("attempts") if isinstance(value, dict) else None
    return isinstance(attempts, int | float) and attempts > 5


class _Links(HTMLParser):
    """The attributes of the links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links.append(dict(attrs))


def _is_open_to_others(text: str) -> bool:
    return any(each.get("target") == "_blank" and "rel" not in each for each in _Links(text).links)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "reduced", "fails", "expected"),
    [
        (
            *("xml", POLL, '<question answers=""/>', _is_miscounted),
            "//question[answers != count(answer)]",
        ),
        (
            *("json", DISHES, '{"allergens":["",""]}', _is_named_twice),
            "//allergens[repeated(./STRING)]",
        ),
        (
            "sql",
            "DROP TABLE books_old;",
            "DROP VIEW _old",
            _is_old,
            'lower(//NAME) ends with "_old"',
        ),
        (
            *("json", ORDERS, '{"total":1,"items":[]}', _is_added_up_wrongly),
            "//.[total is not sum(items//price)]",
        ),
        (
            "python",
            *("while a():\n    if b():\n        break\nwhile c():\n    d()\n", "while c():d"),
            *(_is_endless, '//while_stmt[not //"break"]'),
        ),
        (
            *("html", LINKS, '<a target="_blank"/>', _is_open_to_others),
            '//a[target = "_blank" and not rel]',
        ),
        ("json", LINE, '{"stops":[0]}', _is_without_arrival, "/stops/value[not arrives]"),
        (
            # In no input of the job, attempts stand anywhere but at the top.
            *("json", '{"user": "bo", "attempts": 7, "minutes": 34}', '{"attempts":6}'),
            *(_is_locked, "/attempts > 5"),
        ),
        (
            # No number of the job's inputs is in the range.
            *("datetime", "2052-10-03T14:03:00Z", "0000-01", _is_out_of_range),
            "//YEAR < 1970 or //YEAR > 2037",
        ),
        (
            # No call of the job's inputs has as many arguments as it should have.
            *("expressions", "clamp() * clamp(depth - 11.9)", "clamp()", _is_clamped_to_too_few),
            "count(//clamp/expr) < 3",
        ),
    ],
)
def test_a_law_is_found(
    language: str, original: str, reduced: str, fails: Callable[[str], bool], expected: str
) -> None:
    law = by_some_seed(lambda seed: found(language, original, reduced, fails, seed)[0], expected)
    assert law == expected


@pytest.mark.nightly
def test_a_law_of_three_conditions_is_found() -> None:
    """An order without a limit fails in a query; what no query is may be ordered."""

    def fails(text: str) -> bool:
        parts = text.upper().split(";")
        return any("SELECT" in e and "ORDER BY" in e and "LIMIT" not in e for e in parts)

    law, _ = found("sql", QUERY, "SELECT*ORDER BY?", fails)
    assert law.matches("SELECT a FROM b ORDER BY a; SELECT c FROM d LIMIT 3")
    assert not law.matches("SELECT a FROM b ORDER BY a LIMIT 3")
    assert not law.matches("VALUES (1) ORDER BY 1")


def _told(texts: dict[str, bool], law: str) -> tuple[Table, list[tuple[Atom, int]]]:
    """Return a table of JSON inputs, and the literals of a law with their rows."""
    (rule,) = parse_rules(law)
    table = Table([literal.feature for literal in rule])
    for text, fails in texts.items():
        parts = read(text, load_language("json"))
        assert parts is not None
        table.add(text, parts, fails)
    return table, [(literal, table.rows(literal)) for literal in rule]


def test_each_of_three_conditions_keeps_out_several_inputs() -> None:
    """Where one keeps out only one or two, these may be of another cause."""
    law = "//<pair a> and //<pair b> and not //<pair c>"
    keys = {"ab": True, "a": False, "b": False, "abc": False}
    texts = {
        json.dumps(dict.fromkeys(each, number)): fails
        for each, fails in keys.items()
        for number in range(3)
    }
    table, known = _told(texts, law)
    assert [each.rules for each in learn(table, known, 5)] == [parse_rules(law)]
    table, known = _told(
        {text: fails for text, fails in texts.items() if '"c": 2' not in text}, law
    )
    assert learn(table, known, 5) == []


@pytest.mark.parametrize(
    ("language", "law", "explained", "others"),
    [
        # A file has not the name of its first section, nor a power that of the call in it.
        ("ini", '//paths//VALUE starts with "~"', "[paths]\na=~", "[paths]\na=b\n[x]\nc=~\n"),
        ("expressions", "//clamp[expr[2] > expr[3]]", "clamp(0, 9, 4) ^ 2", "clamp(0, 4, 9) ^ 2"),
    ],
)
def test_a_part_has_its_own_name_alone(
    language: str, law: str, explained: str, others: str
) -> None:
    made = parse_law(law, load_language(language))
    assert made.matches(explained)
    assert not made.matches(others)


LOW, HIGH = (Chosen(Named("expr"), "nth", Named(ANY, "clamp"), at) for at in (1, 2))


@pytest.mark.parametrize(
    ("language", "core", "around", "feature"),
    [
        ("expressions", "clamp(0,1,0)", "2 + clamp(x, 9, 4)", Feature("beside", LOW, HIGH)),
        (
            # The grammar has another nonterminal for the first section than for those that follow.
            *("ini", "[paths]\na=~", "[x]\nb=1\n[paths]\na=~\n"),
            Feature("texts", Chosen(Named(ANY), "under", Named(ANY, "paths"))),
        ),
    ],
)
def test_the_vocabulary_has_a_feature(
    language: str, core: str, around: str, feature: Feature
) -> None:
    one, other = (read(text, load_language(language)) for text in (core, around))
    assert one is not None
    assert other is not None
    assert feature in vocabulary([one], [other])


def test_a_number_becomes_no_multiple_of_what_it_was_one_of() -> None:
    """It is one of the probes of a survey."""
    language = load_language("json")
    text = '{"offset": 2060}'
    parts = read(text, language)
    assert parts is not None
    (index,) = (i for i, part in enumerate(parts.all) if part.text == "2060")
    made = [*probes(text, parts, index, Corpus(language), Random(0))]
    assert '{"offset": 2061}' in made
