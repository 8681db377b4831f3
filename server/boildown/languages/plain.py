"""The fallback language for any text: brackets, indentation, lines, lists and tokens.

It assumes only conventions that most notations share. Matching brackets group, lines that are
indented deeper belong to the line above, semicolons terminate and commas separate, a quoted string
is one token. Every level is a list, so a reducer may delete any part; brackets or quotes that don't
match are tokens like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import Expansions, Parsed
from boildown.grammar.parsing.collector import collector_paused
from boildown.tree import Kind, Leaf, Node, Tree, first_prefix

_TOKEN = re.compile(
    r"""(\s*)(?:
    (?P<end>\Z)
  | (?P<string>[rRbBuUfFL]{0,2}(?:"{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}))
  | (?P<double>[rRbBuUfFL]{0,2}"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*")
  | (?P<single>(?<!\w)[rRbBuUfFL]{0,2}'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'(?![\w(]))
  | (?P<number>\d\w*(?:\.\w+)*)
  | (?P<word>\w+)
  | (?P<bytes>[\udc80-\udcff]+)
  | (?P<escape>\\["'\\])
  | (?P<symbol>\.\.\.|<<=|>>=|===|!==|[-+*/%&|^!=<>:]=|->|=>|::|\+\+|--|<<|>>|&&|\|\||\*\*|//|\S)
    )""",
    re.VERBOSE,
)
_CLOSERS = {")": "(", "]": "[", "}": "{"}
_OPENERS = frozenset("([{")
_BREAKS = frozenset((",", ";"))

_FITS = {
    "text": frozenset(("block", "section", "line", "items", "group")),
    "section": frozenset(("block", "section", "line", "items")),
    "block": frozenset(("block", "section", "line", "items")),
    "line": frozenset(("block", "section", "line", "items")),
    "items": frozenset(("block", "section", "line", "items")),
    "group": frozenset(("block", "line", "items", "group")),
}
_SHORTEST = {
    "string": '""""""',
    "double": '""',
    "single": "''",
    "number": "0",
    "word": "a",
    "group": "",
    "section": "",
}


@dataclass(frozen=True, slots=True)
class Plain:
    """The language of all texts, structured by brackets, indentation and lines."""

    name: str = "plain"
    gap: str = " "
    scope: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Sentences for the user on why a text is not read in a language of its own."""

    def parse(self, text: str) -> Parsed:
        """Return the tree of brackets, lines and tokens; every text is valid."""
        with collector_paused():
            return Parsed(plain_tree(text), self.notes)

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot`.

        The contents of brackets may replace the brackets, a block its header and itself, a line
        the line around it, and a token another one of its lexical class.
        """
        return label in _FITS.get(slot, (slot,))

    def shortest(self, label: str) -> str | None:
        """Return the shortest token of a lexical class; None for a symbol, which is fixed."""
        return _SHORTEST.get(label)

    def expansions(self, label: str) -> Expansions | None:
        """Return nothing: no grammar is known."""
        return None

    def checker(self, text: str) -> Callable[[str], bool]:
        """Return a check that accepts every text."""
        return lambda _candidate: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random word, number or string; None for anything else."""
        letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(1, 6)))
        samples = {
            "word": letters,
            "number": str(rng.choice((0, 1, -1, rng.randint(-9, 99), rng.randint(0, 2**33)))),
            "double": f'"{rng.choice(("", letters))}"',
            "single": f"'{rng.choice(('', letters))}'",
        }
        return samples.get(label)


def plain_tree(text: str, offset: int = 0, end: int | None = None) -> Node:
    """Parse a text, or the piece of it between two offsets, by brackets, lines and tokens.

    The leaves keep their offsets in the whole text. White space at the end becomes the prefix of
    an empty leaf.
    """
    tokens, indents, tail = _tokens(text, offset, len(text) if end is None else end)
    root = _nested(tokens, indents)
    if tail is None:
        return Node("text", (root,))
    return Node("text", (root, tail))


def arranged(parts: Sequence[Tree]) -> Node:
    """Group leaves and whole subtrees into a block, by brackets, lines and separators.

    A bracket is a leaf that is nothing but the bracket. The subtrees stay as they are.
    """
    return _nested(parts, [indentation(first_prefix(part)) for part in parts])


def plain_leaves(text: str, start: int, end: int) -> list[Leaf]:
    """Return the tokens of a piece of a text; white space at its end goes to an empty leaf."""
    tokens, _, tail = _tokens(text, start, end)
    return tokens if tail is None else [*tokens, tail]


def _tokens(text: str, start: int, end: int) -> tuple[list[Leaf], list[int], Leaf | None]:
    """Return the leaves, the indentation of each that begins a line (else -1), and the tail.

    The tail is an empty leaf whose prefix is the white space at the end; None if there is none.
    """
    tokens: list[Leaf] = []
    indents: list[int] = []
    tail = None
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup
        prefix = match[1]
        if kind == "end":
            tail = Leaf("end", "", prefix, match.end()) if prefix else None
            break
        assert kind is not None
        token = match[kind]
        tokens.append(Leaf(kind, token, prefix, match.start(kind)))
        indents.append(indentation(prefix) if prefix else -1)
    if indents and indents[0] < 0:
        indents[0] = len(tokens[0].prefix)
    return tokens, indents, tail


def indentation(prefix: str) -> int:
    """Return the columns of white space after the last line break of a prefix; -1 without one."""
    line = max(prefix.rfind("\n"), prefix.rfind("\r"))
    return -1 if line < 0 else len(prefix[line + 1 :].expandtabs(8))


@dataclass(slots=True)
class _Frame:
    """The items collected since a bracket was opened, on the stack of open brackets."""

    opener: Leaf | None = None
    indent: int = -1
    items: list[Tree] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)

    def add(self, item: Tree, indent: int) -> None:
        self.items.append(item)
        self.indents.append(indent)


def _nested(tokens: Sequence[Tree], indents: Sequence[int]) -> Node:
    """Return the block of a text, with a node for each pair of brackets that match."""
    matched = _matched(tokens)
    frames = [_Frame()]
    for token, indent, match in zip(tokens, indents, matched, strict=True):
        if not match or not isinstance(token, Leaf):
            frames[-1].add(token, indent)
        elif token.text in _OPENERS:
            frames.append(_Frame(token, indent))
        else:
            frame = frames.pop()
            assert frame.opener is not None
            inside = _content(frame.items, frame.indents)
            frames[-1].add(Node("group", (frame.opener, inside, token)), frame.indent)
    return _as_list(_lines(frames[0].items, frames[0].indents), "block")


def _matched(tokens: Sequence[Tree]) -> bytearray:
    """Mark the brackets that have a partner.

    A closing bracket takes the nearest opening one of its sort; those in between have none.
    """
    marks = bytearray(len(tokens))
    stack: list[tuple[int, str]] = []
    waiting = dict.fromkeys(_OPENERS, 0)
    for index, token in enumerate(tokens):
        if not isinstance(token, Leaf):
            continue
        bracket = token.text
        if bracket in _OPENERS:
            stack.append((index, bracket))
            waiting[bracket] += 1
        elif (opener := _CLOSERS.get(bracket)) and waiting[opener]:
            while stack[-1][1] != opener:
                waiting[stack.pop()[1]] -= 1
            marks[stack.pop()[0]] = marks[index] = 1
            waiting[opener] -= 1
    return marks


def _content(items: list[Tree], indents: list[int]) -> Node:
    """Return the contents of a pair of brackets as a comma-separated list, or as lines."""
    breaks = {item.text for item in items if isinstance(item, Leaf) and item.text in _BREAKS}
    if breaks == {","}:
        return _separated(items, indents, ",")
    return _as_list(_lines(items, indents), "line")


def _separated(items: list[Tree], indents: list[int], separator: str) -> Node:
    """Split items at a separator into a separated list; an item may be empty."""
    children: list[Tree] = []
    start = 0
    for index, item in enumerate(items):
        if isinstance(item, Leaf) and item.text == separator:
            children.append(_lines(items[start:index], indents[start:index]))
            children.append(item)
            start = index + 1
    children.append(_lines(items[start:], indents[start:]))
    return Node("items", tuple(children), Kind.LIST, separated=True)


def _lines(items: list[Tree], indents: list[int]) -> Tree:
    """Return a line, or a block of several, nested by their indentation."""
    starts = [index for index, indent in enumerate(indents) if indent >= 0 and index]
    if not starts:
        return _line(items)
    if indents[0] < 0:
        indents[0] = min(indents[start] for start in starts)
    levels: list[tuple[int, list[Tree]]] = [(indents[0], [])]
    for low, high in zip([0, *starts], [*starts, len(items)], strict=True):
        _close_blocks(levels, indents[low])
        if indents[low] > levels[-1][0] and levels[-1][1]:
            levels.append((indents[low], []))
        levels[-1][1].append(_line(items[low:high]))
    _close_blocks(levels, -1)
    return Node("block", tuple(levels[0][1]), Kind.LIST)


def _close_blocks(levels: list[tuple[int, list[Tree]]], indent: int) -> None:
    """Pop the blocks that are indented deeper than the line that follows them.

    A line between the depths of two blocks belongs to the deeper one.
    """
    while len(levels) > 1 and levels[-1][0] > indent and levels[-2][0] >= indent:
        block = Node("block", tuple(levels.pop()[1]), Kind.LIST)
        above = levels[-1][1]
        above[-1] = Node("section", (above[-1], block))
    if levels[-1][0] > indent >= 0:
        levels[-1] = (indent, levels[-1][1])


def _line(items: list[Tree]) -> Tree:
    """Return the list of a line's parts; of a line with a single part, that part."""
    if len(items) == 1:
        return items[0]
    for separator in (";", ","):
        breaks = [isinstance(item, Leaf) and item.text == separator for item in items]
        if any(breaks[:-1]):
            together = [-1] * len(items)
            if not breaks[-1]:
                return _separated(items, together, separator)
            parts = _separated(items[:-1], together[:-1], separator)
            return Node("line", (parts, items[-1]), Kind.LIST)
    return Node("line", tuple(items), Kind.LIST)


def _as_list(tree: Tree, label: str) -> Node:
    if isinstance(tree, Node) and tree.kind is Kind.LIST:
        return tree
    return Node(label, (tree,), Kind.LIST)
