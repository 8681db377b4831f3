"""Laws that fall by what stands beside a part: a second list, another statement, one item more."""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

import pytest

from boildown.engine.laws.attack import least_input
from boildown.engine.laws.families import counterparts
from boildown.engine.laws.features import Chosen, Feature, Named
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus, inserted, separators
from boildown.engine.laws.notation import meant, parse_rules
from boildown.engine.laws.parts import BLANK_LINE, INDENTED_LINE, Parts
from boildown.engine.laws.state import LawOptions, Search
from boildown.engine.laws.strains import appended_near, reframed, retold
from boildown.engine.laws.table import Table
from boildown.engine.laws.turned import answered
from boildown.engine.oracle import Outcome
from boildown.languages import load_language
from engine.test_laws import anywhere, tags_of
from engine.test_laws_of_two_parts import objects
from helpers import by_some_seed
from library.test_laws_by_words import law_of

CLUBS = (
    '<town><club name="chess"><guest/><member>Al</member></club><club><member>Bo</member>'
    "<member>Cy</member></club><mayor>Di</mayor></town>"
)
LOGIN = '<p><input name="user"></p><input type="password" name="word"><p>Hello</p>'
GRADES = "student,subject,grade\nAl,art,7\nBo,art,\nCy,music,5\n"


PAGE = '<p id="a1"><a href="/x">more</a></p><i tabindex="3">b</i><p id="a2">c</p>'


def _takes_focus(text: str) -> bool:
    every = [attributes for _, attributes in tags_of(text)]
    return any("autofocus" in e or int(e.get("tabindex") or "0") > 0 for e in every)


def _has_few_members(text: str) -> bool:
    clubs = ElementTree.fromstring(text).iter("club")
    return all(len(each.findall("member")) <= 2 for each in clubs)


def _is_hidden(text: str) -> bool:
    inputs = (attributes for tag, attributes in tags_of(text) if tag == "input")
    return any(each.get("type") == "password" and "required" not in each for each in inputs)


def _decides_in_a_loop(text: str) -> bool:
    loops = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.For))
    return any(isinstance(each, ast.IfExp) for loop in loops for each in ast.walk(loop))


def _has_other_unit(text: str) -> bool:
    return any(each not in ("mm", "cm") for each in anywhere(json.loads(text), "unit"))


def _asserts_in_a_loop(text: str) -> bool:
    loops = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.While))
    return any(isinstance(each, ast.Assert) for loop in loops for each in ast.walk(loop))


def _has_no_method(text: str) -> bool:
    classes = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ClassDef))
    return any(not any(isinstance(e, ast.FunctionDef) for e in ast.walk(c)) for c in classes)


def _rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def _names_no_date(text: str) -> bool:
    return "date" not in (*_rows(text), [])[0]


def _is_seven(text: str) -> bool:
    return any(len(row) > 2 and row[2] == "7" for row in _rows(text)[1:])


def _is_no_grade(text: str) -> bool:
    rows = [row for row in _rows(text) if row]
    grades = (row[2] for row in rows[1:] if len(row) > 2)
    return any(e.removeprefix("-").isdecimal() and not 0 <= int(e) <= 6 for e in grades)


def _is_out_of_range(text: str) -> bool:
    return any(
        isinstance(each.get("choices"), list)
        and type(each.get("best")) in (int, float)
        and each["best"] >= len(each["choices"])
        for each in objects(json.loads(text))
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "fails", "law"),
    [
        # All inputs near the first one fail: an item has to be repeated until one passes.
        ("xml", CLUBS, _has_few_members, "not //club[count(./member) > 2]"),
        # Every unit is one that fails, so to change one of them is not enough.
        ("json", '[{"size": 3, "unit": "in"}, {"unit": "ft", "size": 4}, {"unit": "mm"}]',
         _has_other_unit, '//unit not in {"cm", "mm"}'),
        ("python", "def f(a):\n    while a:\n        b = 1\n        assert b\n    return b\n",
         _asserts_in_a_loop, '//while_stmt[//"assert"]'),
        # In what is like a loop, a branch or a function, it passes.
        ("python", "for a in b:\n    c = 90\n    b.sort(key=d if c else e)\n    b.sort(key=d)\n",
         _decides_in_a_loop, "//for_stmt[//test]"),
        ("python", "import os\nclass Page:\n    pass\n", _has_no_method, '//classdef[not //"def"]'),
        ("html", LOGIN, _is_hidden, '//input[type = "password" and not required]'),
        # No input of the job has the second attribute.
        ("html", PAGE, _takes_focus, "//tabindex > 0 or //autofocus"),
        ("csv", GRADES, _names_no_date, 'not row[1]/field = "date"'),
        # A blank first line is a first row for this program, and for others none.
        ("csv", GRADES, _is_seven, "row[>1]/field[3] = 7"),
        ("csv", GRADES, _is_no_grade, "row[>1]/field[3] < 0 or row[>1]/field[3] > 6"),
        ("json", '{"polls": [{"choices": ["a", "b"], "best": 2}, {"best": 0, "choices": [1]}]}',
         _is_out_of_range, "//.[best >= count(choices/value)]"),
    ],
)  # fmt: skip
def test_a_law_is_found(
    language: str, original: str, fails: Callable[[str], bool], law: str
) -> None:
    found = by_some_seed(lambda seed: law_of(language, original, fails, seed), law)
    assert found == law


def _read(text: str, name: str) -> tuple[Parts, Corpus]:
    language = load_language(name)
    corpus = Corpus(language)
    parts = Parts(language.parse(text).tree, language)
    corpus.add(text, parts)
    return parts, corpus


def test_an_item_alone_in_its_list_has_a_separator() -> None:
    text = "class A:\n    pass\n"
    parts, _ = _read(text, "python")
    index = next(i for i, part in enumerate(parts.all) if part.text == "pass")
    assert separators(text, parts, index) == ("\n    ", "")


def test_a_statement_comes_to_stand_in_the_part_that_a_law_names() -> None:
    text = "x = 1\nclass A:\n    y = 2\n    z = 3\n"
    parts, corpus = _read(text, "python")
    focus = parts.by_label["classdef"]
    made = [*appended_near(text, parts, corpus, Random(0), focus)]
    assert any("\n    z = 3\n    def " in each for each in made)
    assert any("\ndef " in each for each in made)


def test_what_stands_in_one_statement_comes_to_stand_in_others() -> None:
    text = "for a in b:\n    c = 1\n    d(c)\n"
    parts, corpus = _read(text, "python")
    inner = next(i for i, part in enumerate(parts.all) if part.text == "d(c)")
    outer = parts.by_label["for_stmt"][0]
    made = [*reframed(outer, inner, text, parts, corpus, Random(0))]
    assert any(each.startswith("while ") and "d(c)" in each for each in made)
    assert any(each.startswith("if ") and "d(c)" in each for each in made)


def test_what_is_done_is_undone_behind_it() -> None:
    text = "lock(a)\nwork()\n"
    parts, corpus = _read(text, "python")
    literal = meant(parse_rules("//lock")[0][0], parts)
    made = [*answered(literal, text, parts, corpus, Random(0))]
    assert "lock(a)\nunlock(a)\nwork()\n" in made


def test_a_name_stands_in_statements_of_other_sorts() -> None:
    text = "import marshal\n"
    parts, corpus = _read(text, "python")
    name = next(i for i, part in enumerate(parts.all) if part.text == "marshal")
    made = [*retold([name], text, parts, corpus, Random(0))]
    assert any(each.startswith("from marshal import ") for each in made)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("openFile", ["closeFile", "closedFile"]),
        ("SET_FLAG", ["GET_FLAG", "CLEAR_FLAG", "RESET_FLAG", "UNSET_FLAG"]),
        ("_start", ["_end", "_finish", "_stop"]),
        ("settings", []),
        ("", []),
    ],
)
def test_a_name_has_counterparts(name: str, others: list[str]) -> None:
    assert [*counterparts(name)] == others


def test_lines_that_programs_read_in_several_ways_are_told() -> None:
    assert _read("\na,b\n", "csv")[0].numerals() == {BLANK_LINE}
    assert _read("a,b\n\n", "csv")[0].numerals() == set()
    assert _read("[a]\nb = c\n  d\n", "ini")[0].numerals() == {INDENTED_LINE}


def test_an_element_is_of_no_kind_by_its_content() -> None:
    """With an end tag, it may be the same to a program as without."""
    one, two = (_read(f"<a><b id='1'{end}</a>", "xml")[0] for end in ("/>", "></b>"))
    assert one.kinds() == two.kinds() == {("id", "value")}


def test_a_text_that_is_inserted_stays_apart_from_tokens() -> None:
    language = load_language("sql")
    assert inserted(language, "SELECT ?LIMIT 1", 8, "?") == "SELECT ? ? LIMIT 1"
    assert inserted(language, "f()", 2, "a") == "f(a)"


def test_an_input_that_refutes_a_law_is_reduced() -> None:
    """No input between the first and the last one is a row: it would be one exception more."""
    search, ran = _search('{"a": 1, "b": 2, "c": [3]}', lambda text: "b" not in text)
    text = '{"a": 1, "b": 2, "c": [3]}'
    parts = search.parts(text)
    assert parts is not None
    least = least_input(search, text, parts)
    assert least.all[0].text == '{"b": 2}'
    passing = [each for each in search.table.texts if "b" in each]
    assert passing == ['{"b": 2}']
    assert set(ran) > set(search.table.texts)


def _search(original: str, fails: Callable[[str], bool]) -> tuple[Search, list[str]]:
    ran: list[str] = []

    def judge(text: str) -> Outcome:
        ran.append(text)
        return Outcome.REPRODUCED if fails(text) else Outcome.PASSED

    language = load_language("json")
    search = Search(
        *(language, judge, Random(0), LawOptions(), lambda: None, lambda _: True),
        *(Table([]), Corpus(language), [], frozenset()),
    )
    return search, ran


def test_a_table_looks_at_each_feature_once() -> None:
    """Else its rows would count twice, and later ones belong to other inputs."""
    search, _ = _search("{}", lambda text: "a" in text)
    known = Feature("texts", Chosen(Named("pair", "a")))
    search.table.extend([known, known], search.parts)
    for text in ('{"b": 1}', '{"a": 2}'):
        parts = search.parts(text)
        assert parts is not None
        search.run(text, parts)
        search.table.extend([known], search.parts)
    assert search.table.features == [known]
    assert search.table.rows(Atom(known, "exists")) == search.table.failing
