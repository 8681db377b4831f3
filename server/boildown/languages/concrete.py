"""Converts tree-sitter's concrete syntax trees to trees with lists and options.

Tree-sitter's tree does not say which children are optional. Its LR tables do: a child may be
deleted if the token after it is accepted in the state before the child. That is one token of
lookahead, so it is a guess, and a fresh parse has to confirm an edit; but it needs no description
of any language. Adjacent children that may be deleted make a list, a single one an option.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import tree_sitter

from boildown.languages.plain import arranged, plain_leaves
from boildown.tree import Kind, Leaf, Node, Tree

ERROR = 65535
"""The kind of a node that holds what could not be parsed."""
UNKNOWN = -1
"""The symbol of a token that tree-sitter does not know, and the state before it."""

_BREAKS = frozenset((",", ";"))
_BRACKETS = frozenset("()[]{}")
_NO_ITEM = _BREAKS | _BRACKETS

Step: TypeAlias = "tuple[str, int, int, int] | None"
"""A token, or the end of a node: its label, its first token, its symbol, the state before it."""

_REMEMBERED = 8
"""Nodes with at most this many children have their cuts cached, by the shape of the node."""


class _Everything:
    """The set of all symbols, which stands for the lookahead of an unknown state."""

    def __contains__(self, symbol: object) -> bool:
        return True


class Tables:
    """The LR tables of a tree-sitter language: symbols accepted per state, with a cache."""

    def __init__(self, language: tree_sitter.Language) -> None:
        self.language = language
        self.labels: dict[int, str] = {ERROR: "ERROR"}
        """The labels seen so far, by kind."""
        self.comments: set[str] = set()
        """The labels seen so far that comments have."""
        self._cuts: dict[tuple[object, ...], tuple[Cut, ...]] = {}
        self._accepted: dict[int, frozenset[int] | _Everything] = {}
        self._states: dict[str, int] = {}

    def label(self, node: tree_sitter.Node) -> str:
        """Return the label of a node: its symbol's name, in quotes if it is an anonymous token."""
        label = node.type if node.is_named else json.dumps(node.type, ensure_ascii=False)
        self.labels[node.kind_id] = label
        if node.is_named and "comment" in label.lower():
            self.comments.add(label)
        return label

    def cuts(
        self,
        label: str,
        children: tuple[Tree, ...],
        symbols: list[int],
        states: list[int],
        comes: list[int],
    ) -> tuple[Cut, ...]:
        """Return the ranges of a node's children that may be deleted.

        Args:
            label: the node's label.
            children: the node's children.
            symbols: their symbols.
            states: the parser's state before each of them.
            comes: the first token of each of them, and the token after the node.
        """
        # Symbols don't tell the texts of tokens that tree-sitter does not know, such as a comma in
        # a string; where those were missing, a tree depended on the texts that were parsed before.
        shape = (label, *symbols, *states, *comes, *map(_mark, children))
        found = self._cuts.get(shape)
        if found is None:
            found = _found_cuts(children, symbols, states, comes, self)
            if len(children) <= _REMEMBERED:
                self._cuts[shape] = found
        return found

    def shifts(self, state: int, symbol: int) -> bool:
        """Say whether a state has a goto or shift on a symbol; True if the state is unknown."""
        if symbol < 0 or not 0 <= state < self.language.parse_state_count:
            return True
        return bool(self.language.next_state(state, symbol))

    def accepted(self, state: int) -> Container[int]:
        """Return the lookahead symbols that a state accepts: all of them if it is unknown."""
        found = self._accepted.get(state)
        if found is None:
            known = 0 <= state < self.language.parse_state_count
            lookahead = self.language.lookahead_iterator(state) if known else None
            found = frozenset((*lookahead.symbols(), UNKNOWN)) if lookahead else _Everything()
            self._accepted[state] = found
        return found

    def fits(self, slot: str, label: str) -> bool:
        """Say whether `label` is accepted in most of the states in which `slot` is.

        The items of a node may stand where the node may, an optional part where it may alone.
        """
        wanted, offered = slot.rstrip("*?"), label.rstrip("*?")
        if wanted == offered:
            return True
        here = self._places(wanted)
        return 2 * (here & self._places(offered)).bit_count() > here.bit_count()

    def _places(self, label: str) -> int:
        """Return the LR states in which a nonterminal is accepted, as a bit set."""
        places = self._states.get(label)
        if places is None:
            symbol = self.language.id_for_node_kind(label, True)
            places = 0
            if symbol is not None:
                for state in range(self.language.parse_state_count):
                    if self.language.next_state(state, symbol):
                        places |= 1 << state
            self._states[label] = places
        return places


def _mark(child: Tree) -> str | None:
    """Return what cuts depend on beside the symbols: of a token its text, if it is a separator."""
    if isinstance(child, Leaf):
        return child.text if child.text in _NO_ITEM else ""
    return None


@dataclass(slots=True)
class _Tokens:
    """The tokens of a text from left to right, and the ends of the nodes around them.

    Lists side by side instead of objects: a text of a megabyte has half a million of these.
    """

    text: str
    leaves: list[Leaf] = field(default_factory=list)
    symbols: list[int] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    """The state of the parser before each token."""
    steps: list[Step] = field(default_factory=list)
    at: int = 0
    """The end of the last token."""
    seen: int = 0
    """The end of the last token or comment."""

    def add(self, label: str, start: int, end: int, symbol: int, state: int) -> None:
        """Append a token, with the white space and comments before it as its prefix."""
        self.leaves.append(Leaf(label, self.text[start:end], self.text[self.at : start], start))
        self.symbols.append(symbol)
        self.states.append(state)
        self.steps.append(None)
        self.at = self.seen = end

    def add_skipped(self, end: int, error: bool) -> None:
        """Append the text before an offset that tree-sitter skipped, white space aside."""
        skipped = self.text[self.seen : end]
        if not skipped or skipped.isspace():
            return
        if error:
            for leaf in plain_leaves(self.text, self.seen, end):
                if leaf.text:
                    self.add(leaf.label, leaf.start, leaf.start + len(leaf.text), UNKNOWN, UNKNOWN)
        else:
            start = end - len(skipped.lstrip())
            self.add("text", start, start + len(skipped.strip()), UNKNOWN, UNKNOWN)


def concrete_tree(
    text: str, root: tree_sitter.Node, offsets: Sequence[int], tables: Tables
) -> Node:
    """Return the tree of a text that tree-sitter parsed.

    `offsets[b]` is the code point that begins at byte `b`. Comments and white space are prefixes;
    whatever else tree-sitter left out becomes a leaf.
    """
    tokens = _collect(text, root, offsets, tables)
    tokens.add_skipped(len(text), error=True)
    trees = _assembled(tokens, tables)
    if tokens.at < len(text):
        trees.append(Leaf("end", "", text[tokens.at :], len(text)))
    whole = trees[0] if len(trees) == 1 else None
    return whole if isinstance(whole, Node) else Node("text", tuple(trees))


def _collect(text: str, root: tree_sitter.Node, offsets: Sequence[int], tables: Tables) -> _Tokens:
    tokens = _Tokens(text)
    labels, comments = tables.labels, tables.comments
    add, add_skipped = tokens.add, tokens.add_skipped
    stack: list[tree_sitter.Node | tuple[int, str, int, int, int]] = [root]
    around = [False]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            if tokens.seen < top[0]:
                add_skipped(top[0], around[-1])
            tokens.steps.append(top[1:])
            around.pop()
            continue
        start, end = offsets[top.start_byte], offsets[top.end_byte]
        if tokens.seen < start:
            add_skipped(start, around[-1])
        if start == end:
            continue
        symbol = top.grammar_id
        label = labels.get(top.kind_id) or tables.label(top)
        if label in comments and top.is_extra:
            tokens.seen = end
        elif children := top.children:
            stack.append((end, label, len(tokens.leaves), symbol, top.parse_state))
            around.append(symbol == ERROR)
            children.reverse()
            stack += children
        elif symbol == ERROR:
            add_skipped(end, error=True)
        else:
            add(label, start, end, symbol, top.parse_state)
    return tokens


def _assembled(tokens: _Tokens, tables: Tables) -> list[Tree]:
    """Build the nodes bottom-up from the tokens; return the roots."""
    following = [*tokens.symbols, 0]  # the end of the text has this symbol in all languages
    trees: list[Tree] = []
    firsts: list[int] = []
    symbols: list[int] = []
    states: list[int] = []
    done = 0
    for step in tokens.steps:
        if step is None:
            trees.append(tokens.leaves[done])
            firsts.append(done)
            symbols.append(following[done])
            states.append(tokens.states[done])
            done += 1
            continue
        label, first, symbol, state = step
        if first == done:
            continue
        low = bisect_left(firsts, first)
        children = tuple(trees[low:])
        if symbol == ERROR:
            block = arranged(children)
            node = Node("ERROR", block.children, Kind.LIST, separated=block.separated)
        elif len(children) == 1:
            node = Node(label, children)  # a part that may go with its parent
        else:
            if isinstance(children[0], Leaf):
                states[low] = state
            comes = [following[token] for token in (*firsts[low:], done)]
            cuts = tables.cuts(label, children, symbols[low:], states[low:], comes)
            node = _cut(label, children, cuts) if cuts else Node(label, children)
        del trees[low:], firsts[low:], symbols[low:], states[low:]
        trees.append(node)
        firsts.append(first)
        symbols.append(symbol)
        states.append(state)
    return trees


@dataclass(frozen=True, slots=True)
class Cut:
    """A range of a node's children that may be deleted: from `low` to before `high`."""

    low: int
    high: int
    separated: bool = False
    """Whether every second child of the range is a separator."""
    least: int = 0
    """How many items have to stay."""


def _cut(label: str, children: tuple[Tree, ...], cuts: tuple[Cut, ...]) -> Node:
    """Return a node with a list or option around each range that may be deleted."""
    parts: list[Tree] = []
    at = 0
    for cut in cuts:
        parts += children[at : cut.low]
        at = cut.high
        items = children[cut.low : cut.high]
        if len(items) == len(children) > 1:
            return Node(label, items, Kind.LIST, cut.least, cut.separated)
        if len(items) == 1:
            parts.append(Node(f"{items[0].label}?", items, Kind.OPTION))
        else:
            parts.append(Node(f"{label}*", items, Kind.LIST, cut.least, cut.separated))
    parts += children[at:]
    return Node(label, tuple(parts))


def _found_cuts(
    children: tuple[Tree, ...],
    symbols: list[int],
    states: list[int],
    comes: list[int],
    tables: Tables,
) -> tuple[Cut, ...]:
    """Find the ranges of children that may be deleted, from the states and lookahead tokens."""
    texts = [child.text if isinstance(child, Leaf) else "" for child in children]
    accepted = [tables.accepted(state) for state in states]
    going = [
        texts[index] not in _BRACKETS
        and comes[index + 1] in accepted[index]
        and (
            index + 1 == len(texts)
            or (index and isinstance(children[index], Leaf))
            or isinstance(children[index + 1], Leaf)
            or tables.shifts(states[index], symbols[index + 1])
        )
        for index in range(len(texts))
    ]
    cuts: list[Cut] = []
    low = 0
    while low < len(texts):
        high = _separated(texts, going, low)
        if high - low > 1 and comes[low + 2] in accepted[low]:
            cuts.append(Cut(low, high, separated=True, least=int(comes[high] not in accepted[low])))
        else:
            high = low + 1
            while going[low] and high < len(texts) and going[high]:
                if not _BREAKS.isdisjoint(texts[high : high + 2]):
                    break
                high += 1
            if going[low]:
                cuts.append(Cut(low, high))
        low = high
    return tuple(cuts)


def _separated(texts: list[str], going: list[bool], low: int) -> int:
    """Return the index after the longest separated list that starts at a child.

    `texts` are those of children that are tokens. Semicolons that stay when an item goes, as in
    the head of a loop, separate no list.
    """
    high = low + 1
    if high >= len(texts) or texts[low] in _NO_ITEM:
        return high
    separator = texts[high]
    if separator not in _BREAKS or (going[low] and separator == ";"):
        return high
    while high + 1 < len(texts) and texts[high] == separator and texts[high + 1] not in _NO_ITEM:
        high += 2
    return high
