"""What a nonterminal may stand for, as the labels of its children."""

from __future__ import annotations

import pytest

from boildown.grammar import Facts, read_lark

FACTS = Facts(
    read_lark(
        'start: a b? c* d+ (e ("," e)*) "x"~2..4 [a ("," a)*] ("+" | "-") | e\n'
        'a: "a"\nb: "b"\nc: "c"\nd: "d"\ne: "e" | "f" a | \nNAME: /[a-z]/\n',
        "test",
    )
)


@pytest.mark.parametrize(
    ("label", "alternatives", "endless"),
    [
        ("a", [['"a"']], False),
        ("b?", [["b"], []], False),
        ("c*", [[], ["c"], ["c", "c"]], True),
        ("d+", [["d"], ["d", "d"]], True),
        ('e ("," e)*', [["e"], ["e", '","', "e"]], True),
        ('[a ("," a)*]', [[], ["a"], ["a", '","', "a"]], True),
        ('"x"~2..4', [['"x"'] * 2, ['"x"'] * 3, ['"x"'] * 4], False),
        ('"+" | "-"', [['"+"'], ['"-"']], False),
    ],
)
def test_alternatives(label: str, alternatives: list[list[str]], endless: bool) -> None:
    assert FACTS.alternatives(label) == (tuple(map(tuple, alternatives)), endless)


def test_tokens_and_unknown_labels_have_no_alternatives() -> None:
    assert FACTS.alternatives("NAME") is None
    assert FACTS.alternatives('"a"') is None
    assert FACTS.alternatives("nothing") is None
