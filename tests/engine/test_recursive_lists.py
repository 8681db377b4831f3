"""Lists by recursion, as grammars for fuzzers write them, are lists to laws."""

from __future__ import annotations

import string

import pytest

from boildown import generalize
from boildown.engine.laws.parts import read
from boildown.engine.laws.recursion import with_lists
from boildown.languages import load_language
from boildown.tree import Kind, Leaf, Node, Tree, places, text

WORD = {"<word>": ["<letter>", "<letter><word>"], "<letter>": list(string.ascii_lowercase)}
TABLE = {
    "<start>": ["<rows>"],
    "<rows>": ["<row>", "<row>\n<rows>"],
    "<row>": ["<field>", "<field>,<row>"],
    "<field>": ["", "<word>", "<digits>", "-<digits>"],
    "<digits>": ["<digit>", "<digits><digit>"],
    "<digit>": list(string.digits),
    **WORD,
}


@pytest.mark.parametrize(
    ("alternatives", "given", "items"),
    [
        (["<word>", "<word>,<list>"], "a,bc,d", ["a", "bc", "d"]),
        (["<list> <word>", "<word>"], "a bc d", ["a", "bc", "d"]),
        (["", "<word>;<list>"], "a;bc;", ["a", ";", "bc", ";"]),
        (["", "<letter><list>"], "abc", ["a", "b", "c"]),
        (["<word>", "<word>,<list>"], "a", ["a"]),
        (["<word>", "[<list>]"], "[[a]]", None),
        (["<word>", "-<list>"], "--a", None),
        (["<word>", "<list>,<list>"], "a,b", None),
        (["<word>", "<letter>,<list>"], "a,b", None),
        (["<word>", "<word>,<list>", "<word>;<list>"], "a,b", None),
    ],
)
def test_a_list_is_told_from_other_recursions(
    alternatives: list[str], given: str, items: list[str] | None
) -> None:
    language = load_language({"<start>": ["<list>"], "<list>": alternatives, **WORD})
    tree = with_lists(language.parse(given).tree, language)
    found = [each.tree for each in places(tree) if isinstance(each.tree, Node)]
    lists = [each for each in found if each.kind is Kind.LIST and each.label == "list*"]
    assert [[*map(text, each.items)] for each in lists] == ([] if items is None else [items])
    assert text(tree) == given


def test_a_list_of_any_length_is_read() -> None:
    language = load_language({"<start>": ["<word>"], **WORD})
    tree: Tree = Node("word", (Node("letter", (Leaf('"a"', "a"),)),))
    for _ in range(100_000):
        tree = Node("word", (Node("letter", (Leaf('"b"', "b"),)), tree))
    listed = with_lists(tree, language)
    assert isinstance(listed, Node)
    assert [len(each.children) for each in listed.children if isinstance(each, Node)] == [100_001]
    assert text(listed) == "b" * 100_000 + "a"


def test_letters_and_digits_that_a_grammar_spells_out_are_no_parts() -> None:
    parts = read("id,-12\n\n7", load_language(TABLE))
    assert parts is not None
    shown = [(part.labels, part.text) for part in parts.all if not part.is_literal]
    assert shown == [
        (("start", "rows"), "id,-12\n\n7"),
        (("row",), "id,-12"),
        (("field", "word"), "id"),
        (("field",), "-12"),
        (("digits",), "12"),
        (("row",), ""),
        (("row", "field", "digits", "digit"), "7"),
    ]


@pytest.mark.parametrize(
    ("given", "law"),
    [
        ("id,age\nx,12\ny,150\nz,7", "row[>1]/field[2] > 120"),
        ("id,age\nx,12\ny\nz,7", "count(//row/field) != that of the first"),
    ],
)
@pytest.mark.nightly
def test_laws_of_rows_and_fields(given: str, law: str) -> None:
    def fails(text: str) -> bool:
        rows = [line.split(",") for line in text.split("\n") if line]
        if law.startswith("count"):
            return len({len(row) for row in rows}) > 1
        return any(len(row) > 1 and row[1].isdigit() and int(row[1]) > 120 for row in rows[1:])

    assert str(generalize(given, fails, TABLE).law) == law
