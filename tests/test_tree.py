"""Trees: every character is kept, edits do what they say, depth is no limit."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown import tree as trees
from boildown.tree import Kind, Leaf, Node, Place, Tree

leaf = st.builds(
    Leaf, st.sampled_from("ab"), st.text("xy1", max_size=3), st.text(" \n", max_size=2)
)
any_tree = st.recursive(
    leaf,
    lambda children: st.builds(
        Node, st.sampled_from("NM"), st.lists(children, max_size=4).map(tuple)
    ),
    max_leaves=20,
)


@given(any_tree)
def test_places_are_where_their_text_is(root: Tree) -> None:
    whole = trees.text(root)
    assert root.width == len(whole)
    for place in trees.places(root):
        assert whole[place.start : place.end] == trees.text(place.tree)
        assert trees.place_at(root, place.path()).tree is place.tree


@given(any_tree)
def test_spans_leave_out_the_prefix(root: Tree) -> None:
    whole = trees.text(root)
    for place in trees.places(root):
        assert whole[slice(*place.span)] == trees.bare_text(place.tree)


@given(st.lists(leaf, max_size=5), st.booleans())
def test_items_are_children_without_the_separators(items: list[Leaf], separated: bool) -> None:
    between: list[Tree] = [Leaf(",", ",")] if separated else []
    children = [part for item in items for part in (*between, item)][len(between) :]
    node = Node("list", tuple(children), Kind.LIST, separated=separated)
    assert node.count == len(items)
    assert [place.tree for place in Place(node, 0).items()] == list(node.items) == items
    for index in range(len(items)):
        kept = trees.without_item(node, index)
        assert [trees.bare_text(item) for item in kept.items] == [
            item.text for item in (*items[:index], *items[index + 1 :])
        ]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted).map(tuple)))
def test_merged_spans_are_the_union_and_do_not_touch(spans: list[tuple[int, int]]) -> None:
    merged = trees.merged(spans)
    points = {at for start, end in spans for at in range(start, end)}
    assert {at for start, end in merged for at in range(start, end)} == points
    assert all(first[1] < second[0] for first, second in itertools.pairwise(merged))


@given(any_tree, st.data())
def test_replace_changes_exactly_the_given_places(root: Tree, data: st.DataObject) -> None:
    chosen: list[Place] = []
    for place in trees.places(root):
        inside = any(place.path()[: len(up.path())] == up.path() for up in chosen)
        if not inside and data.draw(st.booleans()):
            chosen.append(place)
    edits = [(place, data.draw(any_tree)) for place in chosen]
    wanted = trees.text(root)
    for place, new in reversed(edits):
        wanted = wanted[: place.start] + trees.text(new) + wanted[place.end :]
    assert trees.text(trees.replace(root, edits)) == wanted


@given(any_tree, st.text(" ", max_size=3))
def test_with_prefix_sets_the_first_prefix(root: Tree, prefix: str) -> None:
    new = trees.with_prefix(root, prefix)
    if next(trees.leaves(root), None) is None:
        assert new == root
    else:
        assert trees.first_prefix(new) == prefix
        old = trees.first_prefix(root)
        assert trees.text(new)[len(prefix) :] == trees.text(root)[len(old) :]


@given(any_tree, st.data())
def test_with_prefixes_sets_each_prefix(root: Tree, data: st.DataObject) -> None:
    leaves = list(trees.leaves(root))
    prefixes = data.draw(
        st.lists(st.text(" ", max_size=2), min_size=len(leaves), max_size=len(leaves))
    )
    new = trees.with_prefixes(root, prefixes)
    assert [leaf.prefix for leaf in trees.leaves(new)] == prefixes
    assert [leaf.text for leaf in trees.leaves(new)] == [leaf.text for leaf in leaves]
    assert trees.with_prefixes(new, [leaf.prefix for leaf in leaves]) == root


def words(text: str, separator: str = "") -> Node:
    parts: list[Tree] = []
    for word in text.split():
        if parts and separator:
            parts.append(Leaf("sep", separator))
        parts.append(Leaf("word", word, " " if parts else "  "))
    return Node("words", tuple(parts), Kind.LIST, separated=bool(separator))


def test_with_items_keeps_one_separator_between_two_items() -> None:
    listed = words("a b c d", ",")
    assert trees.text(listed) == "  a, b, c, d"
    assert trees.text(trees.with_items(listed, [0, 3])) == "  a, d"
    assert trees.text(trees.with_items(listed, [1, 2])) == " b, c"
    assert trees.text(trees.with_items(listed, [])) == ""


def test_with_items_of_a_plain_list() -> None:
    assert trees.text(trees.with_items(words("a b c"), [0, 2])) == "  a c"


@pytest.mark.nightly
def test_a_hundred_thousand_levels_do_not_overflow() -> None:
    deep: Tree = Leaf("x", "x")
    for _ in range(100_000):
        deep = Node("n", (Leaf("(", "("), deep, Leaf(")", ")")))
    assert len(trees.text(deep)) == 200_001
    innermost = max(
        trees.places(deep),
        key=lambda place: (
            place.start if place.tree.width == 1 and trees.text(place.tree) == "x" else -1
        ),
    )
    new = trees.replace(deep, [(innermost, Leaf("y", "y"))])
    assert trees.text(new) == "(" * 100_000 + "y" + ")" * 100_000
    assert trees.text(trees.with_prefix(deep, " ")) == " " + trees.text(deep)


def lines(*prefixes: str) -> Node:
    return Node("lines", tuple(Leaf("x", "x", prefix) for prefix in prefixes), Kind.LIST)


def test_a_block_that_is_hoisted_moves_as_a_whole() -> None:
    block = lines("\n\t\t", "\n\t\t\t", " ", "\n\n\t\t# why\n\t\t")
    moved = trees.inherit_prefix(block, lines("\n# head\n\t"))
    assert trees.text(moved) == "\n\tx\n\t\tx x\n\n\t# why\n\tx"
    assert trees.text(trees.inherit_prefix(lines("\r\n  ", "\r\n  "), lines(""))) == "x\r\nx"
    assert trees.text(trees.inherit_prefix(lines("\n", "\n"), lines("\n  "))) == "\n  x\n  x"


def test_what_began_a_line_leaves_its_line_break() -> None:
    assert trees.text(trees.inherit_prefix(lines(" "), lines("\n\n# c\n  "))) == "\n  x"
    assert trees.text(trees.inherit_prefix(lines("  ", "\n"), lines(" "))) == " x\nx"
    assert trees.text(trees.inherit_prefix(lines("/* c */ "), lines("  "))) == "  x"
