"""Laws stay near the original: mutants keep its tags alike, and say what others in it say."""

from __future__ import annotations

from html.parser import HTMLParser
from random import Random
from xml.etree import ElementTree

import pytest

from boildown import parse_law
from boildown.engine.laws.attack import unlike
from boildown.engine.laws.features import Chosen, Feature, Named
from boildown.engine.laws.law import Law
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.propose import literals
from boildown.engine.laws.search import LawOptions, find_law
from boildown.engine.laws.strains import strains
from boildown.engine.laws.table import Table
from boildown.engine.oracle import Outcome
from boildown.languages import load_language

PAGE = (
    "<html><body><ul><p><li>y</li></p></ul><ul><li>one</li></ul>"
    "<p>About<b>now</b></p></body></html>"
)
GRAPH = '<graph>\n  <node id="n1"/>\n  <edge to="n5"/>\n  <edge to="n1"/>\n</graph>'


def parts_of(text: str, name: str) -> Parts:
    language = load_language(name)
    return Parts(language.parse(text).tree, language)


@pytest.mark.parametrize(
    ("original", "admits"),
    [
        (PAGE, False),
        # Two words may be the same by chance, or be what fails.
        ("<ul><li>a</li></ul>", True),
        ("<ul><p><li>a</li></b></ul>", True),
    ],
)
def test_the_two_tags_of_an_element_go_together(original: str, admits: bool) -> None:
    corpus = Corpus(load_language("html"))
    corpus.keep_pairs(parts_of(original, "html"))
    assert corpus.admits(parts_of("<ul><li>a</li></ul>", "html"))
    assert corpus.admits(parts_of("<ul><lix>a</li></ul>", "html")) == admits


def test_so_do_two_tokens_of_one_sort() -> None:
    corpus = Corpus(load_language("xml"))
    corpus.keep_pairs(parts_of("<a><b>x</b><c></c></a>", "xml"))
    assert corpus.admits(parts_of("<a></a>", "xml"))
    assert not corpus.admits(parts_of("<a></c>", "xml"))


class _Items(HTMLParser):
    """Looks for an `li` that stands directly in anything but a `ul`."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found = False

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.found |= tag == "li" and self.open[-1:] != ["ul"]
        self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: object) -> None:
        self.found |= tag == "li" and self.open[-1:] != ["ul"]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass


def misplaced(text: str) -> bool:
    page = _Items()
    page.feed(text)
    return page.found


def undefined(text: str) -> bool:
    """Say whether an edge leads to an id that no element before it has."""
    ids: set[str | None] = set()
    for each in ElementTree.fromstring(text).iter():
        if each.tag == "edge" and "to" in each.attrib and each.attrib["to"] not in ids:
            return True
        ids.add(each.get("id"))
    return False


def found(name: str, original: str, reduced: str, seed: int) -> Law:
    def judge(text: str) -> Outcome:
        try:
            fails = undefined(text) if name == "xml" else misplaced(text)
        except (ValueError, ElementTree.ParseError):
            return Outcome.INVALID
        return Outcome.REPRODUCED if fails else Outcome.PASSED

    assert judge(original) is judge(reduced) is Outcome.REPRODUCED
    language = load_language(name)
    law, stood = find_law(
        original, reduced, {}, language, judge, Random(seed), options=LawOptions(260, 60)
    )
    assert law is not None
    assert stood
    return law


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_an_item_outside_of_a_list(seed: int) -> None:
    assert str(found("html", PAGE, "<li/>", seed)) == "//li[not parent(ul)]"


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(3))
def test_what_is_used_in_one_sort_of_parts_only(seed: int) -> None:
    law = found("xml", GRAPH, '<edge to=""/>', seed)
    assert str(law) == "not every edge/to in earlier(//id)"


def test_a_definition_is_not_earlier_than_a_use_beside_it() -> None:
    law = parse_law("not every //to in earlier(//id)", "xml")
    assert law.matches('<g><edge id="a" to="a"/></g>')
    assert not law.matches('<g><node id="a"/><edge to="a"/></g>')
    assert law.matches('<g><edge to="a"/><node id="a"/></g>')


def test_a_number_becomes_how_many_there_are() -> None:
    text = '<list count=""><item/><item/><item/></list>'
    language = load_language("xml")
    parts = parts_of(text, "xml")
    corpus = Corpus(language)
    corpus.add(text, parts)
    exists = Atom(Feature("texts", Chosen(Named("attribute", "count"))), "exists")
    made = set(strains([exists], text, parts, corpus, Random(0)))
    assert text.replace('""', '"3"') in made
    assert text.replace('""', '"0"') in made


def test_a_token_becomes_equal_to_another_one() -> None:
    parts = parts_of(GRAPH, "xml")
    corpus = Corpus(load_language("xml"))
    corpus.add(GRAPH, parts)
    exists = Atom(Feature("texts", Chosen(Named("attribute", "to"))), "exists")
    made = set(strains([exists], GRAPH, parts, corpus, Random(0)))
    assert GRAPH.replace("n5", "n1") in made


@pytest.mark.parametrize(("names", "added"), [(('"x"', '"y"'), False), (("3", "0"), True)])
def test_a_sum_is_one_of_numbers(names: tuple[str, str], added: bool) -> None:
    stated = Feature("stated", Chosen(Named("pair", "port")), Chosen(Named("pair", "name")))
    table = Table([stated])
    for port, name, failed in ((5, names[0], True), (0, names[1], False)):
        text = f'{{"port": {port}, "name": {name}}}'
        table.add(text, parts_of(text, "json"), failed)
    found = {str(literal) for literal, _ in literals(table, [])}
    assert ("//port != sum(//name)" in found) == added
    assert "//port > count(//name)" in found


@pytest.mark.parametrize(
    ("language", "failing", "passing", "label", "has_text"),
    [
        ("json", '{"on": true}', '{"on": false}', "pair", False),
        ("json", '{"on": "tea"}', '{"on": "pot"}', "pair", True),
        ("sql", "BEGIN", "ROLLBACK", "transaction", False),
        ("email", '"@"<a@a>', '"x"<a@a>', "phrase", True),
    ],
)
def test_a_keyword_is_no_text(
    language: str, failing: str, passing: str, label: str, has_text: bool
) -> None:
    """What it begins with, what is in it and how long it is mean nothing."""
    core = parts_of(failing, language)
    step = Named(label, "on") if label == "pair" else Named(label)
    table = Table([Feature("texts", Chosen(step))])
    table.add(failing, core, True)
    table.add(passing, parts_of(passing, language), False)
    found = {str(literal) for literal, _ in literals(table, [core])}
    assert any(" = " in each for each in found)
    about_text = ("starts with", "ends with", "contains", "len(")
    assert any(each in words for words in found for each in about_text) == has_text


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("a,7,2024-05-06", set()),
        ("7,-1", {"signs"}),
        ("+0.5", {"signs", "fractions"}),
        ("1e3,x", {"fractions"}),
        ("- 1", {"signs", "blanks"}),
    ],
)
def test_numbers_have_more_than_digits(row: str, expected: set[str]) -> None:
    assert parts_of(row, "csv").numerals() == expected


def test_what_is_like_the_original_comes_first() -> None:
    model = parts_of('{"a": 1, "b": [2]}', "json")
    assert unlike(model, model) == (0, 0, 0)
    assert unlike(parts_of('{"a": 7}', "json"), model) > (0, 9)
    assert unlike(parts_of('{"a": 1, "b": [2], "c": 3}', "json"), model)[0] == 0
