"""The plain language takes any text, loses nothing, and finds the structure that is there."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.languages.plain import Plain, plain_tree
from boildown.tree import Kind, Node, leaves, places, text
from languages.drawing import drawn

AWKWARD = st.text(
    st.one_of(
        st.sampled_from(list("()[]{}<>/\"'\\,;:|-\n\r\t ab1_\0\ufeff\u2028\U0001f600\udc80\udcff")),
        st.characters(),
    )
)


def tree(source: str) -> Node:
    return plain_tree(source)


@given(AWKWARD)
def test_every_text_comes_back(source: str) -> None:
    assert text(tree(source)) == source


@given(AWKWARD)
def test_leaves_know_where_they_are(source: str) -> None:
    for leaf in leaves(tree(source)):
        assert source[leaf.start : leaf.start + len(leaf.text)] == leaf.text


@given(AWKWARD)
def test_all_but_brackets_and_headers_can_go(source: str) -> None:
    for place in places(tree(source)):
        if isinstance(place.tree, Node) and place.tree.kind is not Kind.LIST:
            assert place.tree.label in ("text", "group", "section", "tag")
        elif isinstance(place.tree, Node):
            assert place.tree.least == 0


@given(AWKWARD, st.integers(0, 5), st.integers(0, 5))
def test_a_piece_keeps_its_offsets(source: str, before: int, after: int) -> None:
    # After a letter, a sign such as % is an operator, and no beginning of a name.
    whole = "," * before + source + "y" * after
    piece = plain_tree(whole, before, before + len(source))
    assert text(piece) == source
    assert [leaf.start - before for leaf in leaves(piece)] == [
        leaf.start for leaf in leaves(tree(source))
    ]


def test_lines_and_blocks() -> None:
    source = "if x:\n    y\n    if z:\n      w v\n  odd\nend"
    assert drawn(tree(source)) == [
        "text",
        [
            "block",
            [
                "compound",
                [
                    "section",
                    ["line", "if", "x", ":"],
                    [
                        "block",
                        "y",
                        ["section", ["line", "if", "z", ":"], ["block", ["line", "w", "v"]]],
                        "odd",
                    ],
                ],
                "end",
            ],
        ],
    ]


def test_brackets_group_lines() -> None:
    source = "f(a, [b c]) {\n  x = 1; y\n  g()\n}"
    assert drawn(tree(source)) == [
        "text",
        [
            "line",
            [
                "line",
                "f",
                ["group", "(", ["items", "a", ",", ["group", "[", ["line", "b", "c"], "]"]], ")"],
            ],
            [
                "group",
                "{",
                [
                    "block",
                    ["items", ["line", "x", "=", "1"], ";", "y"],
                    ["line", "g", ["group", "(", ["line"], ")"]],
                ],
                "}",
            ],
        ],
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[1, 2,]", ["group", "[", ["items", "1", ",", "2", ",", ["line"]], "]"]),
        ("(a ] b)", ["group", "(", ["line", "a", "]", "b"], ")"]),
        ("{a ( b}", ["group", "{", ["line", "a", "(", "b"], "}"]),
        ("x)", ["line", "x", ")"]),
        ("don't 'a (b' x", ["line", ["line", "don", "'", "t"], "'a (b'", "x"]),
        (r'"a\"(" "b', ["line", r'"a\"("', ["line", '"', "b"]]),
        (
            "'(a b) '(c)",
            [
                "line",
                ["line", "'", ["group", "(", ["line", "a", "b"], ")"]],
                ["line", "'", ["group", "(", ["line", "c"], ")"]],
            ],
        ),
        ("a->b <= 1.5", ["line", ["line", "a", "->", "b"], "<=", "1.5"]),
        ("f'{x}' b\"(\"", ["line", "f'{x}'", 'b"("']),
        ("x = '''a\n(''' y", ["line", "x", "=", "'''a\n('''", "y"]),
        ("\udc80\udcff ok", ["line", "\udc80\udcff", "ok"]),
    ],
)
def test_tokens_and_what_does_not_match(source: str, expected: object) -> None:
    assert drawn(tree(source))[1] in (expected, ["block", expected])


def test_white_space_is_in_prefixes() -> None:
    found = [(leaf.prefix, leaf.text) for leaf in leaves(tree("\ufeff a\r\n\tb \n"))]
    assert found == [("", "\ufeff"), (" ", "a"), ("\r\n\t", "b"), (" \n", "")]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000 + ")" * 100_000,
        "([{" * 30_000,
        "\n".join(" " * depth + "x" for depth in range(1500)),
        '\\"' * 100_000,
        "f'" * 100_000,
        ("'''" + '"') * 50_000,
    ],
    ids=["deep", "open", "stairs", "escaped quotes", "quotes", "long quotes"],
)
def test_depth_and_odd_quotes_do_no_harm(source: str) -> None:
    assert text(tree(source)) == source


def test_what_is_inside_may_stand_for_what_is_around() -> None:
    plain = Plain()
    assert all(plain.fits("group", label) for label in ("line", "items", "block", "group"))
    assert all(plain.fits("section", label) for label in ("block", "section", "line"))
    assert plain.fits("word", "word")
    assert not plain.fits("word", "line")
    assert not plain.fits("line", "word")


def test_samples_are_tokens_of_their_sort() -> None:
    plain = Plain()
    for label in ("word", "double", "single"):
        for seed in range(20):
            sample = plain.sample(label, Random(seed), 10)
            assert sample is not None
            leaf = next(leaves(tree(sample)))
            assert (leaf.label, leaf.text) == (label, sample)
    assert plain.sample("line", Random(0), 10) is None
