"""Rules that are lists by recursion, read as repetitions."""

from __future__ import annotations

import pytest

from boildown.grammar import read_mapping
from boildown.grammar.ir import Lit, Repeat, Seq, Sym
from boildown.grammar.notations.recursion import with_repetitions


@pytest.mark.parametrize(
    ("expansions", "repetition"),
    [
        (["<item>", "<item><list>"], Repeat(Sym("item"), 1)),
        (["<item><list>", "<item>"], Repeat(Sym("item"), 1)),
        (["<item>", "<list><item>"], Repeat(Sym("item"), 1)),
        (["<item>", "<item>;<list>"], Repeat(Sym("item"), 1, None, Lit(";"))),
        (["<item>", "<list>, <item>"], Repeat(Sym("item"), 1, None, Lit(", "))),
        (
            ["<item>;", "<item>;<list>"],
            Repeat(Seq((Sym("item"), Lit(";"))), 1),
        ),
        (
            ["<item>!", "<list>, <item>!"],
            Repeat(Seq((Sym("item"), Lit("!"))), 1, None, Lit(", ")),
        ),
    ],
)
def test_lists_are_repetitions(expansions: list[str], repetition: Repeat) -> None:
    grammar = read_mapping({"<list>": expansions, "<item>": ["a", "b"]})
    assert with_repetitions(grammar).rules["list"] == repetition


@pytest.mark.parametrize(
    "expansions",
    [
        ["", "<item><list>"],
        ["<item>", "<item><list>", "<item>;<list>"],
        ["<item>", "x<list>"],
        ["<item>", "<list><list>"],
        ["<item>", "<list>"],
        ["(<list>)", "<item><list>"],
        ["<item>", "(<list>)"],
        ["<item>", "<item>"],
    ],
)
def test_other_rules_stay(expansions: list[str]) -> None:
    grammar = read_mapping({"<list>": expansions, "<item>": ["a", "b"]})
    assert with_repetitions(grammar).rules == grammar.rules
