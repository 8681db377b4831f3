"""Immutable concrete syntax trees that keep every character of the parsed text.

A tree is made of leaves and nodes. A leaf carries its own text and, as its prefix, whatever stands
before it and means nothing to the grammar (white space, comments), so taking a leaf away takes its
white space too. A node knows how wide it is, not where it is: subtrees are shared freely between
trees, and an absolute position exists only on the way down, as a `Place`. Nothing here recurses:
a tree may be a hundred thousand levels deep.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


class Kind(enum.Enum):
    """The node kinds of Perses normal form: which of a node's children may be deleted.

    Source: Sun et al., "Perses: Syntax-Guided Program Reduction", ICSE 2018.
    """

    RULE = "rule"
    """A fixed sequence: each child may be replaced, none may go."""
    LIST = "list"
    """Items of one sort, perhaps with separators between them: items may go."""
    OPTION = "option"
    """At most one child, which may go."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A token, with the white space and comments before it."""

    label: str
    """Its name in the grammar: that of a terminal, or the quoted literal."""
    text: str
    prefix: str = ""
    """White space and comments before the text."""
    start: int = -1
    """Offset of `text` (not of the prefix) in the parsed text, in code points; -1 if made later."""

    @property
    def width(self) -> int:
        """The length of prefix and text together, in code points."""
        return len(self.prefix) + len(self.text)


@dataclass(frozen=True, slots=True)
class Node:
    """An inner node: a label, mostly a nonterminal, and the subtrees derived from it."""

    label: str
    """The nonterminal; for a list or an option inside a rule, its expression, such as `pair*`."""
    children: tuple[Tree, ...]
    kind: Kind = Kind.RULE
    least: int = 0
    """Of a list: how many items must stay."""
    separated: bool = False
    """Of a list: children are item, separator, item, ..., item instead of only items."""
    width: int = field(init=False, compare=False)
    """The length of the text, in code points."""

    def __post_init__(self) -> None:
        width = 0
        for child in self.children:
            width += child.width
        object.__setattr__(self, "width", width)

    @property
    def stride(self) -> int:
        """How many children an item of a list takes: 2 with its separator, else 1."""
        return 2 if self.separated else 1

    @property
    def items(self) -> tuple[Tree, ...]:
        """A list's children without the separators."""
        return self.children[:: self.stride]

    @property
    def count(self) -> int:
        """How many items a list has."""
        return (len(self.children) + self.stride - 1) // self.stride

    @property
    def may_lose(self) -> bool:
        """Whether an item of the list, or the option's child, may be deleted."""
        return self.kind is not Kind.RULE and self.count > self.least


Tree: TypeAlias = Leaf | Node


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """The position of a subtree in a larger tree, with its parent; compared by identity."""

    tree: Tree
    start: int
    """Offset of the first character, prefix included, in the root's text."""
    parent: Place | None = None
    index: int = 0
    """Which of the parent's children this is."""

    @property
    def end(self) -> int:
        """Offset after the last character in the root's text."""
        return self.start + self.tree.width

    @property
    def span(self) -> tuple[int, int]:
        """Start and end offsets without the prefix, in the root's text."""
        return self.start + len(first_prefix(self.tree)), self.end

    def items(self) -> list[Place]:
        """The places of a list's items, separators left out; a leaf has none."""
        return [] if isinstance(self.tree, Leaf) else self.children()[:: self.tree.stride]

    def children(self) -> list[Place]:
        """The places of the children, in order."""
        if isinstance(self.tree, Leaf):
            return []
        places = []
        start = self.start
        for index, child in enumerate(self.tree.children):
            places.append(Place(child, start, self, index))
            start += child.width
        return places

    def path(self) -> tuple[int, ...]:
        """The child indices that lead from the root to this place."""
        path = []
        place = self
        while place.parent is not None:
            path.append(place.index)
            place = place.parent
        return tuple(reversed(path))


def text(tree: Tree) -> str:
    """Return the text of a tree: of a parsed one, exactly the text that was parsed."""
    parts = []
    for leaf in leaves(tree):
        if leaf.prefix:
            parts.append(leaf.prefix)
        parts.append(leaf.text)
    # Of a single part, the string itself is returned, not a copy.
    return "".join(parts)


def bare_text(tree: Tree) -> str:
    """Return the text of a tree without the prefix of its first leaf."""
    return text(tree)[len(first_prefix(tree)) :]


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the leaves from left to right."""
    stack: list[Tree] = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Leaf):
            yield top
        else:
            stack.extend(reversed(top.children))


def is_key_word(leaf: Leaf) -> bool:
    """Say whether a token is a key word or a sign of the grammar, whose label is its text."""
    label = leaf.label
    return label[:1] == '"' and label.rstrip("i")[1:-1].lower() == leaf.text.lower()


def places(root: Tree) -> Iterator[Place]:
    """Yield the places of all subtrees, the root's first, each before its children."""
    stack = [Place(root, 0)]
    while stack:
        place = stack.pop()
        yield place
        stack.extend(reversed(place.children()))


def place_at(root: Tree, path: Iterable[int]) -> Place:
    """Return the place that the child indices of `path` lead to."""
    place = Place(root, 0)
    for index in path:
        place = place.children()[index]
    return place


def find_place(root: Tree, path: Iterable[int]) -> Place | None:
    """Return the place that the child indices of `path` lead to, or None if there is none."""
    place = Place(root, 0)
    for index in path:
        children = place.children()
        if not 0 <= index < len(children):
            return None
        place = children[index]
    return place


def size(tree: Tree) -> int:
    """Return the number of leaves with text: the tokens of the tree."""
    return sum(1 for leaf in leaves(tree) if leaf.text)


def first_prefix(tree: Tree) -> str:
    """Return the prefix of the first leaf, or nothing if there is no leaf."""
    return next((leaf.prefix for leaf in leaves(tree)), "")


def with_prefix(tree: Tree, prefix: str) -> Tree:
    """Return the tree with another prefix on its first leaf; a tree without leaves stays."""
    spine: list[tuple[Node, int]] = []
    top = tree
    while isinstance(top, Node):
        index = next((i for i, child in enumerate(top.children) if _has_leaf(child)), None)
        if index is None:
            return tree
        spine.append((top, index))
        top = top.children[index]
    if top.prefix == prefix:
        return tree
    new: Tree = Leaf(top.label, top.text, prefix, top.start)
    for node, index in reversed(spine):
        new = with_child(node, index, new)
    return new


def with_prefixes(tree: Tree, prefixes: Iterable[str]) -> Tree:
    """Return the tree with other prefixes, one for each leaf from left to right."""
    fresh = iter(prefixes)
    done: list[list[Tree]] = [[]]
    todo: list[tuple[Tree, bool]] = [(tree, False)]
    while todo:
        top, finished = todo.pop()
        if isinstance(top, Leaf):
            prefix = next(fresh)
            same = prefix == top.prefix
            done[-1].append(top if same else Leaf(top.label, top.text, prefix, top.start))
        elif finished:
            children = tuple(done.pop())
            done[-1].append(with_children(top, children))
        else:
            done.append([])
            todo.append((top, True))
            todo.extend((child, False) for child in reversed(top.children))
    return done[0][0]


def inherit_prefix(tree: Tree, predecessor: Tree) -> Tree:
    """Return the tree with its prefixes fitted to the place of another one that it replaces.

    What stood at the beginning of a line leaves its line break and indentation; elsewhere the
    lesser of the two prefixes is taken. The other lines of the tree move with its first line.
    """
    wanted, indents = prefix_for(tree, predecessor)
    if indents is None:
        return with_prefix(tree, wanted)
    before, indent = indents
    starts = re.compile(f"(?<=[\r\n]){before}(?![\r\n])")
    moved = [starts.sub(indent, leaf.prefix) for leaf in leaves(tree)]
    return with_prefixes(tree, [wanted, *moved[1:]])


def prefix_for(tree: Tree, predecessor: Tree) -> tuple[str, tuple[str, str] | None]:
    """Return the prefix that a tree gets in the place of another one (`inherit_prefix`).

    And its own indentation and the other's, if its other lines have to move.
    """
    own, other = first_prefix(tree), first_prefix(predecessor)
    line = _LINE.search(other)
    wanted = line[0] if line else min(own, other, key=_weight)
    before, after = _LINE.search(own), _LINE.search(wanted)
    indent = after[1] if after else wanted
    if before is None or before[1] == indent or indent.strip():
        return wanted, None
    return wanted, (before[1], indent)


_LINE = re.compile(r"(?:\r\n?|\n)([^\S\r\n]*)\Z")
"""The last line break of a prefix, and the indentation after it."""


def _weight(prefix: str) -> tuple[int, int]:
    """How much of a prefix is comment, then how long it is."""
    return (len("".join(prefix.split())), len(prefix))


def _has_leaf(tree: Tree) -> bool:
    return tree.width > 0 or next(leaves(tree), None) is not None


def with_children(node: Node, children: tuple[Tree, ...]) -> Node:
    """Return a node of the same label and kind with other children."""
    return Node(node.label, children, node.kind, node.least, node.separated)


def with_child(node: Node, index: int, child: Tree) -> Node:
    """Return the node with one child replaced."""
    return with_children(node, (*node.children[:index], child, *node.children[index + 1 :]))


def heir(node: Node, index: int) -> Tree:
    """Return an item of a list as it stands once those before it are gone.

    In a separated list it may take over the prefix of the first. In any other it does so where the
    first begins a line and it doesn't itself, or it would join the line before.
    """
    first, item = node.children[0], node.children[index * node.stride]
    joins = _LINE.search(first_prefix(first)) and not _LINE.search(first_prefix(item))
    return inherit_prefix(item, first) if node.separated or joins else item


def with_items(node: Node, keep: Iterable[int]) -> Node:
    """Return a list with only the items at the indices `keep` (ascending).

    Of a separated list, each item but the first kept one brings the separator before it along. What
    becomes the first item may take over the prefix of the old first (`heir`).
    """
    kept = list(keep)
    if not kept:
        return with_children(node, ())
    items = node.items
    children: list[Tree] = [heir(node, kept[0]) if kept[0] else items[0]]
    for index in kept[1:]:
        if node.separated:
            children.append(node.children[2 * index - 1])
        children.append(items[index])
    return with_children(node, tuple(children))


def without_item(node: Node, index: int) -> Node:
    """Return a list without one of its items, as `with_items` does."""
    return with_items(node, (kept for kept in range(node.count) if kept != index))


def replace(root: Tree, edits: Iterable[tuple[Place, Tree]]) -> Tree:
    """Return the tree with the subtrees at some places replaced.

    The places must be of this root, and none may lie inside another.
    """
    ids: dict[tuple[int, int], int] = {}
    levels: dict[int, dict[int, tuple[list[Place], Tree]]] = {}
    for place, new in edits:
        spine = _spine(place)
        key = 0
        for step in spine[1:]:
            key = ids.setdefault((key, step.index), len(ids) + 1)
        levels.setdefault(len(spine) - 1, {})[key] = (spine, new)
    if not levels:
        return root
    parents = {child: parent for (parent, _), child in ids.items()}
    for depth in range(max(levels), 0, -1):
        changed: dict[int, tuple[list[Place], list[Tree]]] = {}
        for key, (spine, new) in levels.pop(depth, {}).items():
            parent = spine[depth - 1].tree
            assert isinstance(parent, Node)
            _, children = changed.setdefault(parents[key], (spine, list(parent.children)))
            children[spine[depth].index] = new
        above = levels.setdefault(depth - 1, {})
        for key, (spine, children) in changed.items():
            parent = spine[depth - 1].tree
            assert isinstance(parent, Node)
            above[key] = (spine, with_children(parent, tuple(children)))
    return levels[0][0][1]


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the union of some intervals in order: those that overlap or touch are joined.

    >>> merged([(4, 6), (0, 2), (2, 3)])
    [(0, 3), (4, 6)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _spine(place: Place) -> list[Place]:
    """Return the places from the root down to this one."""
    spine = [place]
    while (parent := spine[-1].parent) is not None:
        spine.append(parent)
    spine.reverse()
    return spine
