"""A failing test in place of an input: its input is found, reduced and put back."""

from __future__ import annotations

import gzip
import json
import re
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from boildown.cli.main import command_parsers, main
from boildown.jobs.emptying import chosen
from boildown.jobs.generalize import GeneralizeOptions, GivenInput
from boildown.jobs.input_candidates import Source, failing_tests, input_candidates
from boildown.jobs.work import PreflightError
from boildown.targets.failing_tests import selected, selected_by
from boildown.targets.pytest_command import other_cases
from cli.typed import boildown
from targets.dying_runs import DYING, TEST

pytestmark = pytest.mark.e2e

PROGRAM = """
import sys

def load(text):
    kept = [part for part in text.split(",") if part]
    if "<x" in text:
        raise ValueError("x seen")
    return kept

def ask():
    if "<x" in input():
        raise ValueError("x asked")
"""
TESTS = """import io
import sys
from pathlib import Path
import pytest
from program import ask, load

DATA = Path(__file__).with_name("data.json")
CASES = ["one,two", "three,<x>,four"]

def test_passes():
    assert load("one,two") == ["one", "two"]

def test_literal():
    name = "not this, but another"
    text = "aaa,<x>,bbb"
    assert load(text) == ["aaa", name]

def test_file():
    assert load(DATA.read_text()) == "expected as it is"

@pytest.mark.parametrize(("n", "text"), [(1, "one"), (2, "two,<x>")], ids=["first", "second"])
def test_param(n, text):
    load(text)

@pytest.mark.parametrize("text", CASES)
def test_cases(text):
    load(text)

def test_stdin(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("hello <x>\\nworld\\n"))
    ask()

def test_two():
    assert load("an unlike text") + load("and the other") == []

def test_none():
    assert sum([1, 2]) / len([]) == 2

def test_expected():
    with pytest.raises(KeyError, match="no text of any input"):
        raise KeyError(1)

@pytest.mark.parametrize("case", (Path(__file__).parent / "more" / "cases.txt").read_text().split())
def test_of_cases(case):
    load(case)

def test_message():
    told = str(load("one,two"))
    assert_in("a long message that is expected", told)

def assert_in(wanted, told):
    assert wanted in told

WORDS = Path(__file__).with_name("words.txt").read_text()

def test_early():
    load(WORDS)
"""
UNITTEST = """
import unittest
from program import load

class Case(unittest.TestCase):
    def setUp(self):
        self.text = 'SELECT a, "<x>" FROM b'

    def test_it(self):
        with self.subTest("a part"):
            self.assertEqual(load(self.text), ["an expected text"])

    def test_passes(self):
        self.assertEqual(load("a text"), ["a text"])
"""
EXAMPLES = """
from hypothesis import given, strategies as st
from program import load

class TestIt:
    @given(text=st.sampled_from(["aa,<x>,bb"]), n=st.just(1))
    def test_it(self, text, n):
        load(text)
"""
PYTHON = sys.executable


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with failing tests; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    files = {
        "program.py": PROGRAM,
        "test_it.py": TESTS,
        "test_unit.py": UNITTEST,
        "test_examples.py": EXAMPLES,
        "data.json": '["<x>", 1]',
        "words.txt": "one, <x>\n",
        "more/cases.txt": "one,two,four\nthree,<x>,four\n",
        "pytest.ini": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(file: str, folder: Path) -> dict[str, list[tuple[str, str, str, str]]]:
    """Return the likely inputs of each failing test of a file: kind, place, language, text."""
    selection = selected(Path(file), folder)
    assert selection is not None
    return {
        test.id: [
            (each.kind.value, each.where, each.language, each.text)
            for each in input_candidates(test)
            if each.likely
        ]
        for test in failing_tests(selection)
    }


def test_the_likely_inputs_of_each_failing_test(folder: Path) -> None:
    assert found("test_it.py", folder) == {
        "test_literal": [("literal", "test_it.py:15:12", "plain", "aaa,<x>,bbb")],
        "test_file": [("file", "data.json", "json", '["<x>", 1]')],
        "test_param[second]": [("parameter", "test_it.py:21:58", "plain", "two,<x>")],
        "test_cases[three,<x>,four]": [("parameter", "test_it.py:8:21", "plain", "three,<x>,four")],
        "test_stdin": [("stdin", "test_it.py:30:51", "plain", "hello <x>\nworld\n")],
        "test_two": [
            ("literal", "test_it.py:34:17", "plain", "an unlike text"),
            ("literal", "test_it.py:34:42", "plain", "and the other"),
        ],
        "test_none": [("literal", "test_it.py:37:16", "python-data", "[1, 2]")],
        "test_expected": [],
        "test_of_cases[three,<x>,four]": [
            ("file", "more/cases.txt", "plain", "one,two,four\nthree,<x>,four\n")
        ],
        "test_message": [("literal", "test_it.py:48:21", "plain", "one,two")],
        "test_early": [("file", "words.txt", "plain", "one, <x>\n")],
    }


DATA = """import pytest

UNIT = "kilograms"
ORDERS = [{"id": "a1", "price": 3}, {"id": "a2", "price": None}]
CASES = [({"price": 1}, 1), ({"price": "none at all"}, 2)]

def total(orders):
    return sum(order["price"] for order in orders)

def weigh(text):
    if "(  )" in text:
        raise IndexError("list index out of range")

@pytest.fixture
def order():
    return {"price": {"amount": 3}}

def test_data():
    assert total([{"id": "a1", "price": 3}, {"id": "a2", "price": None}]) == 3

def test_constant():
    assert total(ORDERS) == 3

def test_fixture(order):
    assert total([order]) == 3

@pytest.mark.parametrize(("order", "expected"), CASES)
def test_case(order, expected):
    assert total([order]) == expected

@pytest.mark.parametrize("orders", [[{"price": 1}], [{"price": None, "of": date(1, 1, 1)}]])
def test_whole_case(orders):
    total(orders)

def test_f_string():
    assert weigh(f"weigh the tea in {UNIT}, then (  ) add {1 + 2} spoons")

def test_added():
    assert weigh("weigh the tea, " + "then (  ) add " + "three spoons")

def test_joined():
    assert weigh("\\n".join(["weigh the tea", "then (  ) add", "three spoons"]))

@pytest.mark.parametrize(("value", "expected"), [("42", 42), ("1e10000", 0)])
def test_word(order, value, expected):
    separator = "\\n"
    assert int(float(value)) == expected
"""


def test_data_and_pieces_are_inputs_as_they_stand(folder: Path) -> None:
    (folder / "test_data.py").write_text(
        DATA.replace("import pytest", "import pytest\nfrom datetime import date")
    )
    orders = """[{"id": "a1", "price": 3}, {"id": "a2", "price": None}]"""
    text = "weigh the tea in {UNIT}, then (  ) add {1 + 2} spoons"
    pieces = """"weigh the tea, " + "then (  ) add " + "three spoons\""""
    case = """[{"price": None, "of": date(1, 1, 1)}]"""
    assert {test: one for test, (one,) in found("test_data.py", folder).items()} == {
        "test_data": ("literal", "test_data.py:20:18", "python-data", orders),
        "test_constant": ("literal", "test_data.py:5:10", "python-data", orders),
        "test_fixture": (
            "literal",
            "test_data.py:17:12",
            "python-data",
            """{"price": {"amount": 3}}""",
        ),
        "test_case[order1-2]": (
            "parameter",
            "test_data.py:6:30",
            "python-data",
            """{"price": "none at all"}""",
        ),
        "test_whole_case[orders1]": ("parameter", "test_data.py:32:53", "python-data", case),
        "test_f_string": ("literal", "test_data.py:37:18", "plain", text),
        "test_added": ("literal", "test_data.py:40:18", "python-data", pieces),
        "test_joined": (
            "literal",
            "test_data.py:43:28",
            "python-data",
            """["weigh the tea", "then (  ) add", "three spoons"]""",
        ),
        "test_word[1e10000-0]": ("parameter", "test_data.py:45:63", "plain", "1e10000"),
    }


KETTLE = """
def weigh(text):
    if "(  )" in text:
        raise IndexError("list index out of range")
"""
TEMPLATES = """
from kettle import weigh

GUEST = "Ida, from the office"
FORM = "for {guest}: {{12}} g of tea, (  )"

def test_f_string():
    text = f"weigh the tea of {GUEST}, then (  ) pour"
    assert weigh(text)

def test_format():
    assert weigh(FORM.format(guest="Ida, from the office"))

def test_percent():
    assert weigh("for %s: 100 %% tea, (  )" % "Ida, from the office")
"""


def test_a_template_is_the_input_and_not_what_is_put_into_it(folder: Path) -> None:
    (folder / "kettle.py").write_text(KETTLE)
    (folder / "test_forms.py").write_text(TEMPLATES)
    inputs = {test: one[3] for test, (one,) in found("test_forms.py", folder).items()}
    assert inputs == {
        "test_f_string": "weigh the tea of {GUEST}, then (  ) pour",
        "test_format": "for {guest}: {{12}} g of tea, (  )",
        "test_percent": "for %s: 100 %% tea, (  )",
    }


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("test", "runs"), [("test_it.py::test_literal", 4), ("test_orders.py::test_data", 3)]
)
def test_few_runs_come_before_the_first_candidate(
    test: str, runs: int, jobs: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three are of the original, beside the one in which the test was found to fail.

    Data was emptied before, which is a candidate, as the empty input is.
    """
    (folder / "test_orders.py").write_text(
        "def test_data():\n    assert sum(each['n'] for each in [{'n': 1}, {'n': None}]) == 1\n"
    )
    assert main(["reduce", test, "--jobs", str(jobs), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["preflight_runs"], printed["preflight_candidates"]) == (runs, 1)


ENCODED = """import base64, gzip
from pathlib import Path
from tea import weigh, weigh_digits, weigh_token

TEXT = "d2VpZ2ggdGhlIHRlYSwgdGhlbiAoICApIGFkZCB0aHJlZSBzcG9vbnM="

def test_encoded():
    weigh(base64.b64decode(TEXT).decode())

def test_program():
    weigh_token("dGhlIHRlYSwgKCAgKSBhbmQgPz8_")

def test_digits():
    weigh_digits("74 65 61 20  28 20 20 29")

def test_packed():
    weigh(gzip.open(Path(__file__).with_name("tea.gz"), "rt").read())
"""
DECODING = """import base64

def weigh(text):
    if "(  )" in text:
        raise IndexError("list index out of range")

def weigh_token(token):
    weigh(base64.urlsafe_b64decode(token + "==").decode())

def weigh_digits(digits):
    weigh(bytes.fromhex(digits).decode())
"""


def test_data_on_the_line_that_fails_is_emptied_too(folder: Path) -> None:
    (folder / "test_line.py").write_text(
        "def test_none():\n    assert sum([1, 2]) / len([]) == 2\n\n"
        "def test_price():\n    assert [{'price': 3}, {'price': 4}][0]['price'] == 4\n"
    )
    tried = []
    for name in ("test_none", "test_price"):
        selection = selected(f"test_line.py::{name}", folder)
        assert selection is not None
        (test,) = failing_tests(selection)
        tried.append(
            next((each.text, each.likely) for each in chosen(test, input_candidates(test)))
        )
    assert tried == [("[1, 2]", False), ("[{'price': 3}, {'price': 4}]", True)]


COMPILED = """
class Template:
    def __init__(self, text):
        self.names = [name.strip("}") for name in text.split("{")[1:]]

    def render(self, data):
        return "".join(self.value(name, data) for name in self.names)

    def value(self, name, data):
        raise KeyError("no name of any kind")


def double(prices):
    return [price + price for price in prices]


def test_compiled():
    template = Template("{a.b} and {c}")
    assert template.render({"b": 0}) == "01"


def test_wrong_value():
    assert double([1, 2]) == [1, 4]
"""


OPTIONS = """
from pages import render

def test_page():
    page = render(["tables"], "one | two, <b> and three")
    assert "&lt;b&gt;" in page
"""
PAGES = """
def render(plugins, text):
    return text if "tables" in plugins else text.replace("<", "&lt;").replace(">", "&gt;")
"""


def test_an_option_without_which_a_test_passes_is_no_input_beside_a_text(folder: Path) -> None:
    (folder / "pages.py").write_text(PAGES)
    (folder / "test_options.py").write_text(OPTIONS)
    selection = selected("test_options.py::test_page", folder)
    assert selection is not None
    (test,) = failing_tests(selection)
    likely = [each.text for each in chosen(test, input_candidates(test)) if each.likely]
    assert likely == ["one | two, <b> and three"]


def test_an_input_that_no_frame_holds_is_found_by_emptying(folder: Path) -> None:
    (folder / "test_compiled.py").write_text(COMPILED)
    found = {}
    for name in ("test_compiled", "test_wrong_value"):
        selection = selected(f"test_compiled.py::{name}", folder)
        assert selection is not None
        (test,) = failing_tests(selection)
        found[name] = [each.text for each in chosen(test, input_candidates(test)) if each.likely]
    assert found == {"test_compiled": ["{a.b} and {c}"], "test_wrong_value": ["[1, 2]"]}


TABLES = """
from collections import namedtuple
from pathlib import Path
import pytest

HEADERS = ["name", "of an amount"]

def table(rows, headers=(), **options):
    if "(" in str(rows) and (options or headers != []):
        raise ValueError("a bracket")
    return " ".join(headers) + str(rows)

def assert_equal(expected, result):
    assert expected == result

def assert_shown(text):
    table(text)

def test_a_value_in_a_helper():
    rows = [["tea", 41.5], ["cup", "45.0"]]
    expected = "\\n".join(["tea of 41.5", "cup of 45"])
    assert_equal(expected, table(rows, HEADERS))

def test_objects():
    Item = namedtuple("Item", ["name", "amount"])
    items = [Item("tea of some kind", 4), None, Item("cup", 2)]
    table(items, headers=["name", "amount"], style="plain")

def test_repeated():
    table("[" * 90 + "(" * 90)

def test_an_option_that_is_unknown():
    assert len([1, 2], ["no such", "argument"]) == 4

def test_only_argument():
    text = "three (brackets) in a text"
    assert_shown(text)

def test_numbers_of_an_option():
    rows = ["three (brackets)", "and more"]
    table(rows, headers=[9, 9])

def test_included():
    folder = Path(__file__).parent
    text = (folder / "all.txt").read_text()
    for name in text.split():
        text += (folder / name).read_text()
    table(text)
"""


def test_what_a_test_expects_names_or_includes_is_no_input(folder: Path) -> None:
    (folder / "test_tables.py").write_text(TABLES)
    (folder / "all.txt").write_text("one.txt two.txt")
    (folder / "one.txt").write_text("one")
    (folder / "two.txt").write_text("two (2)")
    selection = selected("test_tables.py", folder)
    assert selection is not None
    taken = {}
    for test in failing_tests(selection):
        likely = [each for each in chosen(test, input_candidates(test)) if each.likely]
        taken[test.id] = [(each.where, each.parts) for each in likely]
    assert taken == {
        "test_a_value_in_a_helper": [("test_tables.py:20:12", 1)],
        "test_objects": [("test_tables.py:26:13", 1)],
        "test_repeated": [("test_tables.py:30:11", 1)],
        # None changes the error, so the code of the test is reduced.
        "test_an_option_that_is_unknown": [],
        "test_only_argument": [("test_tables.py:36:12", 1)],
        "test_numbers_of_an_option": [("test_tables.py:40:12", 1)],
        "test_included": [("all.txt", 1)],
    }


@pytest.mark.parametrize(
    ("test", "where", "text", "written"),
    [
        ("encoded", ":5:8", "weigh the tea, then (  ) add three spoons", '"KCAgKQ=="'),
        ("program", ":11:17", "the tea, (  ) and ???", '"KCAgKQ"'),
        ("digits", ":14:18", "tea (  )", '"28202029"'),
    ],
)
def test_the_text_that_a_test_or_its_program_decodes_is_the_input(
    test: str, where: str, text: str, written: str, folder: Path
) -> None:
    (folder / "tea.py").write_text(DECODING)
    (folder / "test_encoded.py").write_text(ENCODED)
    selection = selected(f"test_encoded.py::test_{test}", folder)
    assert selection is not None
    (failing,) = failing_tests(selection)
    (each,) = [each for each in input_candidates(failing) if each.likely]
    assert (each.kind, each.where, each.text) == (Source.ENCODED, f"test_encoded.py{where}", text)
    assert each.written("(  )") == written


def test_a_packed_file_is_reduced_unpacked_and_packed_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "tea.py").write_text(DECODING)
    (folder / "test_encoded.py").write_text(ENCODED)
    packed = folder / "tea.gz"
    packed.write_bytes(gzip.compress(b"weigh the tea, then (  ) add three spoons"))
    typed = ["test_encoded.py::test_packed", "--jobs", "1", "--in-place"]
    assert main(["reduce", *typed]) == 0
    assert gzip.decompress(packed.read_bytes()) == b"(  )"
    told = capsys.readouterr()
    assert "note: test_encoded.py::test_packed fails; the text that the test or" in told.err
    assert "tea.gz: 41 → 4 bytes" in told.err
    assert "In the file it is encoded as before.\n" in told.err


SHARED = """
import pytest

DISHES = [("soup", 5), ("stew", "14,50")]
NOTE = "a note on something else"

@pytest.fixture(scope="session")
def dishes():
    return DISHES
"""


def test_the_data_of_a_shared_fixture_is_the_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "more/conftest.py").write_text(SHARED)
    (folder / "menu.py").write_text("def total(dishes):\n    return sum(n for _, n in dishes)\n")
    (folder / "more/test_menu.py").write_text(
        "from menu import total\n\ndef test_menu(dishes):\n    assert total(dishes) != 19\n"
    )
    typed = ["more/test_menu.py::test_menu", "--jobs", "1", "--in-place"]
    assert main(["reduce", *typed]) == 0
    assert "the literal is reduced: more/conftest.py:4:10, " in told(capsys)
    reduced = SHARED.replace('[("soup", 5), ("stew", "14,50")]', '[("", "")]')
    assert (folder / "more/conftest.py").read_text() == reduced


SAME = """
def normal(name):
    return " ".join(word.title() for word in name.split())

def test_same():
    assert normal("Dr. Ada da Silva") == "Dr. Ada da Silva"
"""


def test_a_text_that_is_expected_unchanged_changes_at_both_places(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "test_same.py"
    file.write_text(SAME)
    assert main(["reduce", "test_same.py::test_same", "--jobs", "1", "--in-place"]) == 0
    assert "fails; the literal is reduced: test_same.py:6:19, 16 bytes" in told(capsys)
    (line,) = re.findall(r'normal\("(.*)"\) == "(.*)"\n', file.read_text())
    assert line[0] == line[1]
    assert re.fullmatch("[a-z]", line[0])


SEVERAL = """import subprocess, sys

def check(text, mark):
    label = "a label of this function"
    if mark and mark * 2 in text:
        raise ValueError("doubled")

def test_both():
    mark = "(and more"
    note = "this note has nothing to do with it"
    text = "one (and more(and more of it"
    check(text, mark)

def test_one(tmp_path):
    note = "this note has nothing to do with it"
    name = "a name of a file.txt"
    (tmp_path / name).write_text("x")
    text = "((one and two))"
    check(note + text + name, "(")
"""


def test_what_is_emptied_without_effect_is_no_input(folder: Path) -> None:
    (folder / "test_several.py").write_text(SEVERAL)
    selection = selected("test_several.py", folder)
    assert selection is not None
    both, one = failing_tests(selection)
    assert "a name of a file.txt" in {Path(each).name for each in one.touched}
    looked = input_candidates(both)
    assert len([each for each in looked if each.likely]) == 2
    first, *others = chosen(both, looked)
    assert (first.where, first.parts, first.language) == ("test_several.py:9:12", 2, "folder")
    assert not any(each.likely for each in others)
    region = SEVERAL[SEVERAL.index('"(and') : SEVERAL.index("    check(text, mark)") - 1]
    assert first.written(first.text) == region
    shorter = first.text.replace("(and more", "(")
    assert first.written(shorter) == region.replace("(and more", "(")
    assert first.command.content(shorter) == SEVERAL.replace(region, first.written(shorter))
    assert first.written("") == region.replace("(and more(and more of it", "").replace(
        "one ", ""
    ).replace('"(and more"', '""')
    tried = chosen(one, input_candidates(one))
    assert [each.text for each in tried if each.likely] == ["((one and two))"]
    assert {each.text: each.matters for each in tried if each.matters is not None} == {
        "this note has nothing to do with it": False,
        "((one and two))": True,
    }


JOINED = """def check(text):
    if "<" in text:
        raise ValueError(text)

def test_joined():
    text = "a<b"
    other = "c<d"
    check(text + other)
"""


def test_words_of_a_message_may_be_put_together_of_two_inputs(folder: Path) -> None:
    (folder / "test_joined.py").write_text(JOINED)
    ran = boildown("test_joined.py", "--output", "-")
    assert ran.returncode == 0
    assert sorted(re.findall('"(.*)"', ran.stdout)) == ["", "<"]


def test_the_last_example_of_hypothesis_is_an_input(folder: Path) -> None:
    pytest.importorskip("hypothesis")
    selection = selected(Path("test_examples.py"), folder)
    assert selection is not None
    (test,) = failing_tests(selection)
    (example,) = [each for each in input_candidates(test) if each.kind.value == "example"]
    assert (example.text, example.likely, example.document) == ("aa,<x>,bb", True, None)
    assert example.written("a'") == """@example(text="a'", n=1)"""
    line = """    @__import__("hypothesis").example(text="a'", n=1)\n"""
    start = EXAMPLES.index("    @given")
    assert example.command.content("a'") == EXAMPLES[:start] + line + EXAMPLES[start:]
    assert example.command.environment["BOILDOWN_EXPLICIT"] == "1"


EXPLICIT = """
from hypothesis import example, given, settings, strategies as st

@given(st.text())
@example("take the first (or the last) of all that are left")
@settings(derandomize=True, database=None, deadline=None, max_examples=5)
def test_text(text):
    assert not ("(" in text and "last" in text)
"""


def test_the_literal_of_an_explicit_example_is_the_input(folder: Path) -> None:
    pytest.importorskip("hypothesis")
    (folder / "test_explicit.py").write_text(EXPLICIT)
    selection = selected("test_explicit.py", folder)
    assert selection is not None
    (test,) = failing_tests(selection)
    (literal,) = [each for each in input_candidates(test) if each.likely]
    assert (literal.kind.value, literal.where) == ("parameter", "test_explicit.py:5:10")
    assert literal.command.environment["BOILDOWN_EXPLICIT"] == "1"
    assert literal.command.content("(last") == EXPLICIT.replace(literal.text, "(last")


@pytest.mark.slow
def test_only_the_candidate_is_tried_of_an_example(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("hypothesis")
    text = EXAMPLES.replace("st.sampled_from([", "st.sampled_from([chr(97) + ")
    (folder / "test_examples.py").write_text(text)
    assert main(["reduce", "test_examples.py"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "<x"
    assert "\nTo have the test try it, put above it: @example(text='<x', n=1)\n" in shown.err


@pytest.mark.slow
def test_a_case_is_reduced_and_written_back(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reduce", "test_it.py::test_cases"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "<x"
    assert '\nIn the test it is "<x"; --in-place writes it into test_it.py.\n' in shown.err
    assert "test_it.py:8:21: 14 → 2 bytes" in shown.err
    assert (folder / "test_it.py").read_text() == TESTS
    assert main(["reduce", "test_it.py::test_param[second]", "--in-place", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["kind"], result["where"]) == ("parameter", "test_it.py:21:58")
    assert (result["written"], result["output"]) == ('"<x"', "test_it.py")
    assert (folder / "test_it.py").read_text() == TESTS.replace("two,<x>", "<x")
    assert (folder / "test_it.py.orig").read_text() == TESTS


def test_other_cases_have_known_inputs(folder: Path) -> None:
    selection = selected(Path("test_it.py"), folder)
    assert selection is not None
    known = {
        test.id: [other_cases(each.command) for each in input_candidates(test) if each.likely]
        for test in failing_tests(selection)
    }
    assert known["test_cases[three,<x>,four]"] == [(("case 1 of test_cases", "one,two"),)]
    # The other argument of that case may be why it passes.
    assert known["test_param[second]"] == [()]
    assert known["test_literal"] == [()]


def test_the_other_cases_are_inputs_for_the_evidence_of_a_pattern(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[GivenInput] = []

    def asked(_text: str, _oracle: object, _language: object, _rng: object, how: GeneralizeOptions,
              *_: object) -> NoReturn:  # fmt: skip
        given.extend(how.given)
        raise SystemExit("this is all that is looked at")

    monkeypatch.setattr("boildown.jobs.generalize.engine.generalize", asked)
    with pytest.raises(SystemExit):
        main(["generalize", "test_it.py::test_cases"])
    assert given[:1] == [GivenInput("case 1 of test_cases", "one,two", fails=False)]


@pytest.mark.slow
def test_the_file_that_a_test_reads_is_reduced(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reduce", "test_it.py::test_file"]) == 0
    assert "note: test_it.py::test_file fails; the file that it reads" in capsys.readouterr().err
    assert (folder / "data.reduced.json").read_text() == "<x"
    assert (folder / "data.json").read_text() == '["<x>", 1]'


@pytest.mark.slow
def test_unittest_needs_no_pytest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [PYTHON, "-m", "unittest", "test_unit"]
    selection = selected_by(command, folder)
    assert selection is not None
    (test,) = failing_tests(selection)
    (likely,) = [each for each in input_candidates(test) if each.likely]
    assert (test.id, likely.language) == ("test_unit.Case.test_it", "sql")
    assert main(["reduce", "--", *command]) == 0
    assert capsys.readouterr().out == "<x"


@pytest.mark.parametrize("kind", DYING)
def test_a_run_that_dies_is_told_by_its_end(
    kind: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    files, message = DYING[kind]
    for name, text in {"test_it.py": TEST, **files}.items():
        (folder / name).write_text(text)
    assert main(["reduce", "test_it.py::test_it"]) == 1
    assert re.fullmatch(f"boildown: {message}\n", told(capsys), re.DOTALL)


def test_a_run_of_unittest_that_dies_is_told_by_its_end(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "test_unit.py").write_text("import os\nos._exit(7)\n")
    assert main(["reduce", "--", PYTHON, "-m", "unittest", "test_unit"]) == 1
    assert told(capsys) == (
        "boildown: unittest ended with exit 7 before its tests were over. It printed nothing.\n"
    )


@pytest.mark.parametrize("end", ["os._exit(7)", "os.kill(os.getpid(), 9)"])
def test_a_test_that_ends_its_process_fails(folder: Path, end: str) -> None:
    code = f"import os\ndef test_it():\n    text = 'an input'\n    if 'in' in text: {end}\n"
    (folder / "test_it.py").write_text(code)
    literal = ("literal", "test_it.py:3:12", "plain", "an input")
    assert literal in found("test_it.py", folder)["test_it"]


def test_a_test_that_closes_files_is_recorded(folder: Path) -> None:
    (folder / "test_it.py").write_text(
        "import os\n"
        "def test_it():\n"
        "    names = {n: os.path.realpath(f'/dev/fd/{n}') for n in range(3, 99)}\n"
        "    closed = [os.close(n) for n, name in names.items() if name.endswith('/record')]\n"
        "    assert closed == [None]\n"
    )
    with pytest.raises(PreflightError, match=r"pytest exits with 0: no test fails\.$"):
        found("test_it.py", folder)


IDS = """import pytest

@pytest.mark.parametrize("text", ["a//b", "::i", "%s{file}"])
def test_text(text):
    assert len(text) > 99
"""


@pytest.mark.parametrize("case", ["a//b", "%s{file}"])
def test_an_id_is_run_as_it_is(case: str, folder: Path) -> None:
    (folder / "test_ids.py").write_text(IDS)
    typed = f"test_ids.py::test_text[{case}]"
    named = command_parsers({"reduce"})[""].parse_args(["reduce", typed]).file
    selection = selected(named, folder)
    assert selection is not None
    (test,) = failing_tests(selection)
    assert test.shown == typed
    assert selection.command(test.id, test.file).test == typed


def refused(capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    """Return the message on a line of arguments that is refused."""
    assert main(["reduce", *typed]) == 2
    return told(capsys).replace(PYTHON, "python")


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is said, but for the note that a busy machine brings about."""
    lines = capsys.readouterr().err.splitlines(keepends=True)
    of_time = ("change with --timeout", "--timeout changes this")
    return "".join(line for line in lines if not any(told in line for told in of_time))


def test_several_tests_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "test_it.py") == (
        "boildown: 11 tests fail. Type one of:\n"
        "  boildown reduce test_it.py::test_literal\n"
        "  boildown reduce test_it.py::test_file\n"
        "  boildown reduce 'test_it.py::test_param[second]'\n"
        "  boildown reduce 'test_it.py::test_cases[three,<x>,four]'\n"
        "  boildown reduce test_it.py::test_stdin\n"
        "  boildown reduce test_it.py::test_two\n"
        "  boildown reduce test_it.py::test_none\n"
        "  boildown reduce test_it.py::test_expected\n"
        "  boildown reduce 'test_it.py::test_of_cases[three,<x>,four]'\n"
        "  boildown reduce test_it.py::test_message\n"
        "  and 1 more\n"
    )


def test_several_inputs_are_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "test_two.py").write_text(
        "from pathlib import Path\n"
        "def test_it():\n"
        "    assert len(Path('data.json').read_text()) * len('an unlike text') == 0\n"
    )
    command = (PYTHON, "-m", "pytest", "-q", "test_two.py::test_it")
    did = "; without it the test fails otherwise or passes\n"
    assert refused(capsys, "--", *command) == (
        "boildown: test_two.py::test_it fails, with 2 possible inputs. Type one of:\n"
        "  boildown reduce --literal 3:53 -- python -m pytest -q test_two.py::test_it"
        f"  # test_two.py:3:53, 14 bytes of plain: 'an unlike text'{did}"
        "  boildown reduce data.json -- python -m pytest -q test_two.py::test_it"
        f"  # data.json, 10 bytes of json: '[\"<x>\", 1]'{did}"
    )
    command = (PYTHON, "-m", "pytest", "-q", "test_it.py::test_two")
    listed = (
        "Type one of:\n"
        "  boildown reduce --literal 34:17 -- python -m pytest -q test_it.py::test_two"
        "  # test_it.py:34:17, 14 bytes of plain: 'an unlike text'\n"
        "  boildown reduce --literal 34:42 -- python -m pytest -q test_it.py::test_two"
        "  # test_it.py:34:42, 13 bytes of plain: 'and the other'\n"
    )
    assert refused(capsys, "--literal", "34", "--", *command) == (
        f"boildown: 2 literals that test_it.py::test_two sees stand at line 34. {listed}"
    )
    assert refused(capsys, "--literal", "7:1", "--", *command) == (
        f"boildown: no literals that test_it.py::test_two sees stand at 7:1. {listed}"
    )


def test_a_literal_is_chosen_by_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", "test_it.py::test_two", "--literal", "34:50", "--max-runs", "1"]) == 1
    assert told(capsys).startswith(
        "note: test_it.py::test_two fails; the literal is reduced: test_it.py:34:42,"
        " 13 bytes of plain: 'and the other'\n"
    )
