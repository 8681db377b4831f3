"""Blocks, lines and fields of a text, found from its layout: brackets, indentation, separators.

Worked example. The lines

    for i do
      a, b
    end
    x = 1

have one that is indented deeper: with the line above it makes a section. `end` stands where a
block has just ended, and so does each line that begins with this word, so it belongs to what it
ends: a compound, which may go as a whole, lose a part, or be replaced by the block in it. The line
inside is a list of two fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from boildown.tree import Kind, Leaf, Node, Tree

_CLOSERS = {")": "(", "]": "[", "}": "{"}
_OPENERS = frozenset("([{")
_FEWEST_TOGETHER = 3
"""Lines between two empty ones that make a list of their own."""
_ENDS = frozenset(";:")
"""What ends a line or a header, and is no part of its last field."""
_SEPARATORS = {";": 1, ",": 1, "|": 2}
"""How often each separator has to be in a line to divide it, those that divide first first."""
_GAPS = ("\t", "  ", " ")
"""White space between fields, the widest first."""


@dataclass(frozen=True, slots=True)
class Row:
    """Leaves and subtrees of a text in order, with the known openers and closers."""

    trees: Sequence[Tree]
    indents: Sequence[int]
    """The indentation of each that begins a line, else -1."""
    opens: Mapping[int, str] = field(default_factory=dict)
    """Which of them, besides brackets, open something, and of which sort."""
    closes: Mapping[int, str] = field(default_factory=dict)
    """Which of them, besides brackets, close something, and of which sort."""


def indentation(prefix: str) -> int:
    """Return the columns of white space after the last line break of a prefix; -1 without one."""
    line = max(prefix.rfind("\n"), prefix.rfind("\r"))
    return -1 if line < 0 else len(prefix[line + 1 :].expandtabs(8))


@dataclass(slots=True)
class _Frame:
    """The items collected since an opener, on the stack of open ones."""

    opener: Tree | None = None
    indent: int = -1
    items: list[Tree] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)

    def add(self, item: Tree, indent: int) -> None:
        self.items.append(item)
        self.indents.append(indent)


def nested(parts: Row) -> Node:
    """Return the block of a text, with a node for each pair of parts that open and close."""
    frames = [_Frame()]
    for tree, indent, match in zip(parts.trees, parts.indents, _matched(parts), strict=True):
        if not match:
            frames[-1].add(tree, indent)
        elif match == 1:
            frames.append(_Frame(tree, indent))
        else:
            frame = frames.pop()
            assert frame.opener is not None
            bracket = isinstance(tree, Leaf) and tree.text in _CLOSERS
            inside = _content(frame.items, frame.indents, bracket)
            frames[-1].add(Node("group", (frame.opener, inside, tree)), frame.indent)
    return _as_list(_lines(frames[0].items, frames[0].indents), "block")


def _matched(parts: Row) -> bytearray:
    """Mark the parts that have a partner: those that open by 1, those that close by 2.

    What closes takes the nearest open one of its sort; those in between have no partner.
    """
    marks = bytearray(len(parts.trees))
    stack: list[tuple[int, str]] = []
    waiting: dict[str, int] = {}
    opens, closes = parts.opens, parts.closes
    for index, tree in enumerate(parts.trees):
        bracket = tree.text if isinstance(tree, Leaf) else ""
        opener = bracket if bracket in _OPENERS else opens.get(index)
        if opener:
            stack.append((index, opener))
            waiting[opener] = waiting.get(opener, 0) + 1
            continue
        closed = _CLOSERS.get(bracket) or closes.get(index)
        if closed and waiting.get(closed):
            while stack[-1][1] != closed:
                waiting[stack.pop()[1]] -= 1
            marks[stack.pop()[0]], marks[index] = 1, 2
            waiting[closed] -= 1
    return marks


def _is(tree: Tree, text: str) -> bool:
    return isinstance(tree, Leaf) and tree.text == text


def _content(items: list[Tree], indents: list[int], bracket: bool) -> Node:
    """Return the content of a pair as a comma-separated list, or as lines."""
    if bracket and _is_listed(items, indents):
        return _separated(items, indents, ",")
    return _as_list(_lines(items, indents), "line")


def _is_listed(items: list[Tree], indents: list[int]) -> bool:
    """Say whether commas divide the content of brackets, rather than line breaks."""
    commas = breaks = beside = 0
    for index, item in enumerate(items):
        if isinstance(item, Leaf):
            if item.text == ";":
                return False
            commas += item.text == ","
        if indents[index] >= 0 and index:
            breaks += 1
            beside += _is(items[index - 1], ",") or _is(item, ",")
    return commas > 0 and 2 * beside >= breaks


def _separated(items: list[Tree], indents: list[int], separator: str) -> Node:
    """Split items at a separator into a separated list; an item may be empty."""
    children: list[Tree] = []
    start = 0
    for index, item in enumerate(items):
        if _is(item, separator):
            children.append(_lines(items[start:index], indents[start:index]))
            children.append(item)
            start = index + 1
    children.append(_lines(items[start:], indents[start:]))
    return Node("items", tuple(children), Kind.LIST, separated=True)


@dataclass(slots=True)
class _Level:
    """The lines of one depth, with the sections that they head; each in a list of parts."""

    indent: int
    items: list[list[Tree]] = field(default_factory=list)

    def block(self) -> Node:
        trees = [
            parts[0] if len(parts) == 1 else Node("compound", tuple(parts), Kind.LIST)
            for parts in self.items
        ]
        return Node("block", tuple(_paragraphs(trees)), Kind.LIST)


def _lines(items: list[Tree], indents: list[int]) -> Tree:
    """Return a line, or a block of several, nested by their indentation."""
    starts = [index for index, indent in enumerate(indents) if indent >= 0 and index]
    if not starts:
        return _line(items)
    if indents[0] < 0:
        indents[0] = min(indents[start] for start in starts)
    starts.insert(0, 0)
    closers = _closers(items, indents, starts)
    levels = [_Level(indents[0])]
    for low, high in zip(starts, [*starts[1:], len(items)], strict=True):
        indent = indents[low]
        closed = _close_blocks(levels, indent)
        level = levels[-1]
        line = _line(items[low:high])
        if indent > level.indent and level.items:
            levels.append(_Level(indent, [[line]]))
        elif closed and indent == level.indent and _head(items[low]) in closers:
            level.items[-1].append(line)
        else:
            level.items.append([line])
    _close_blocks(levels, -1)
    return levels[0].block()


def _close_blocks(levels: list[_Level], indent: int) -> bool:
    """Pop the blocks that are indented deeper than the line that follows them; say if any was.

    A line between the depths of two blocks belongs to the deeper one.
    """
    closed = False
    while len(levels) > 1 and levels[-1].indent > indent and levels[-2].indent >= indent:
        block = levels.pop().block()
        above = levels[-1].items[-1]
        above[-1] = Node("section", (above[-1], block))
        closed = True
    if levels[-1].indent > indent >= 0:
        levels[-1].indent = indent
    return closed


def _head(tree: Tree) -> str:
    """Return the first token of a line, if it is not a bracket."""
    return tree.text if isinstance(tree, Leaf) else ""


def _closers(items: list[Tree], indents: list[int], starts: list[int]) -> set[str]:
    """Return the tokens of which each, at the beginning of a line, stands where a block ends."""
    ends: dict[str, bool] = {}
    open_at: list[int] = []
    for start in starts:
        indent, closed = indents[start], False
        while open_at and open_at[-1] > indent:
            open_at.pop()
            closed = True
        closed = closed and bool(open_at) and open_at[-1] == indent
        if not open_at or open_at[-1] < indent:
            open_at.append(indent)
        head = _head(items[start])
        ends[head] = ends.get(head, True) and closed
    ends.pop("", None)
    return {head for head, always in ends.items() if always}


def _paragraphs(trees: list[Tree]) -> list[Tree]:
    """Group items by the empty lines between them.

    A few of them stay side by side: a definition with its description before it is no list.
    """
    starts = [at for at, tree in enumerate(trees) if at and _is_apart(tree)]
    groups: list[Tree] = []
    for low, high in zip([0, *starts], [*starts, len(trees)], strict=True):
        if starts and high - low >= _FEWEST_TOGETHER:
            groups.append(Node("block", tuple(trees[low:high]), Kind.LIST))
        else:
            groups += trees[low:high]
    return groups


def _is_apart(tree: Tree) -> bool:
    """Say whether an empty line is before a tree."""
    return _prefix(tree).count("\n") > 1


def _line(items: list[Tree]) -> Tree:
    """Return the list of a line's statements or fields; of a line with a single part, that part.

    It is divided at semicolons, behind blocks in braces, at commas, at bars if there are several,
    or else at blanks.
    """
    if len(items) == 1:
        return items[0]
    breaks = dict.fromkeys(_SEPARATORS, 0)
    for item in items:
        if isinstance(item, Leaf) and item.text in breaks:
            breaks[item.text] += 1
    if not breaks[";"]:
        starts = [at for at in range(1, len(items)) if _ends(items[at - 1], items[at])]
        if starts:
            return Node("line", tuple(_line(part) for part in _parted(items, starts)), Kind.LIST)
    last = items[-1].text if items and isinstance(items[-1], Leaf) else ""
    for separator, fewest in _SEPARATORS.items():
        if breaks[separator] - (last == separator) >= fewest:
            inside = items[:-1] if last == separator else items
            parts = _separated(inside, [-1] * len(inside), separator)
            return Node("line", (parts, items[-1]), Kind.LIST) if last == separator else parts
    if last in _ENDS:
        fields = _fields(items[:-1])
        is_line = isinstance(fields, Node) and fields.label == "line"
        ahead = fields.children if isinstance(fields, Node) and is_line else (fields,)
        return Node("line", (*ahead, items[-1]), Kind.LIST)
    return _fields(items)


def _ends(tree: Tree, following: Tree) -> bool:
    """Say whether a statement ends with a block in braces: a word comes behind it."""
    return (
        isinstance(tree, Node)
        and tree.label == "group"
        and _is(tree.children[0], "{")
        and isinstance(following, Leaf)
        and following.label != "symbol"
    )


def _parted(items: list[Tree], starts: list[int]) -> Iterator[list[Tree]]:
    """Yield the items from one start to the next; the first part begins before the first start."""
    for low, high in zip([0, *starts], [*starts, len(items)], strict=True):
        yield items[low:high]


def _fields(items: list[Tree], gaps: Sequence[str] = _GAPS) -> Tree:
    """Group parts into fields, by tabs, runs of blanks, or else single blanks.

    What has no blanks inside is divided at colons if there are several.
    """
    if len(items) == 1:
        return items[0]
    if len(items) > 2:
        prefixes = [_prefix(item) for item in items]
        for number, gap in enumerate(gaps):
            starts = [at for at in range(1, len(items)) if gap in prefixes[at]]
            # `key: value` is divided as `key:value` is.
            keys = {at - 1 for at in starts if _is(items[at - 1], ":")}
            starts = sorted({*starts, *keys}) if keys else starts
            if len(starts) == len(items) - 1:
                break
            if starts:
                parts = _parted(items, starts)
                fields = (_fields(part, gaps[number + 1 :]) for part in parts)
                return Node("line", tuple(fields), Kind.LIST)
        else:
            if sum(_is(item, ":") for item in items) > 1:
                return _separated(items, [-1] * len(items), ":")
    return Node("line", tuple(items), Kind.LIST)


def _prefix(tree: Tree) -> str:
    """Return the white space before a tree; nothing if it begins with an empty item."""
    while isinstance(tree, Node):
        if not tree.children:
            return ""
        tree = tree.children[0]
    return tree.prefix


def _as_list(tree: Tree, label: str) -> Node:
    if isinstance(tree, Node) and tree.kind is Kind.LIST:
        return tree
    return Node(label, (tree,), Kind.LIST)
