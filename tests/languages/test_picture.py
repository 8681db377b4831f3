"""Pictures of trees, in the three forms."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from boildown.languages import load_language
from boildown.languages.picture import as_dot, as_rows, as_svg, as_text
from boildown.tree import Kind, Leaf, Node, Tree

TREE = Node(
    "start",
    (
        Leaf('"("', "("),
        Node("list", (Leaf("NUMBER", "12"), Leaf("STRING", '"a\n<\udc80"', " ")), Kind.LIST),
        Node("x?", (), Kind.OPTION),
        Leaf('")"', ")"),
        Leaf("end", "", "\n"),
    ),
)


def test_text() -> None:
    assert as_text(TREE) == (
        "start\n"
        '  "("\n'
        "  list (list)\n"
        '    NUMBER "12"\n'
        '    STRING "\\"a\\n<\\udc80\\""\n'
        "  x? (option)\n"
        '  ")"\n'
    )


def test_dot() -> None:
    lines = as_dot(TREE).splitlines()
    assert lines[0] == "digraph tree {"
    assert '  n1 [label="\\"(\\"", fontcolor=blue];' in lines
    assert '  n4 [label="STRING \\"\\\\\\"a\\\\n<\\\\udc80\\\\\\"\\"", fontcolor=blue];' in lines
    assert [line for line in lines if "->" in line] == [
        "  n0 -> n1;",
        "  n0 -> n2;",
        "  n2 -> n3;",
        "  n2 -> n4;",
        "  n0 -> n5;",
        "  n0 -> n6;",
    ]


def test_svg_is_well_formed_and_nothing_overlaps() -> None:
    root = ElementTree.fromstring(as_svg(TREE))
    texts = [each for each in root if each.tag.endswith("text")]
    assert {each.attrib["class"] for each in texts} == {"token", "rule", "list", "option"}
    assert [each.text for each in texts] == as_text(TREE).replace("  ", "").splitlines()
    rows: dict[str, list[tuple[float, float]]] = {}
    for each in texts:
        middle, half = float(each.attrib["x"]), len(each.text or "") * 3.6
        assert middle - half >= 0
        assert middle + half <= float(root.attrib["width"])
        rows.setdefault(each.attrib["y"], []).append((middle - half, middle + half))
    for row in rows.values():
        assert all(one[1] < other[0] for one, other in pairwise(row))


def test_rows_tell_the_numbers_of_holes() -> None:
    rows = as_rows(TREE, {(1, 0): 1, (2,): 2, (4,): 3}, {(1,): (4, 5)})
    assert [(row.level, row.caption, row.sort, row.hole, row.gaps) for row in rows] == [
        (0, "start", "rule", None, ()),
        (1, '"("', "token", None, ()),
        (1, "list (list)", "list", None, (4, 5)),
        (2, 'NUMBER "12"', "token", 1, ()),
        (2, 'STRING "\\"a\\n<\\udc80\\""', "token", None, ()),
        (1, "x? (option)", "option", 2, ()),
        (1, '")"', "token", None, ()),
    ]
    assert [row.hole for row in as_rows(TREE, {(1,): 7})] == [None, None, 7, 7, 7, None, None]
    assert {row.hole for row in as_rows(TREE)} == {None}


@pytest.mark.parametrize("draw", [as_text, as_dot, as_svg, as_rows])
def test_depth_does_no_harm(draw: object) -> None:
    tree: Tree = Leaf("x", "x")
    for _ in range(50_000):
        tree = Node("n", (tree,))
    assert callable(draw)
    assert len(draw(tree)) < 30_000_000


def test_languages_can_be_drawn() -> None:
    drawing = as_text(load_language("plain").parse("f(a, b)\n").tree)
    assert 'items (list)\n        word "a"\n' in drawing
