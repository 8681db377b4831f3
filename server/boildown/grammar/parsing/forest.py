"""The parse forest of an Earley parse, and the preferred derivation tree that is read from it.

The parser leaves, for every entry, the entry one symbol before it (`left`) and that symbol's
derivation (`child`). To read a derivation is to follow these links from right to left. A nullable
symbol that was stepped over has no link: it is seen from the gap in the production.

For example, by `start: A B? A` the text `aa` leaves these entries, `done` for the start symbol, and
reading begins at the last one, with the dot after three symbols:

    items                                     left     child
    1  start -> . A B? A                      none     none
    2  start -> A . B? A, start -> A B? . A   1        `a` at 0
    3  start -> A B? A .                      2        `a` at 1

The child of 3 is the third symbol, `A`, as its `left` has the item with the dot before it. The dot
goes on to 2 symbols, of which the second, `B?`, is not the child of entry 2 (an `A`): so it is
empty. The dot goes on to 1 symbol, which is the child of 2. Entry 1 has no child: all is read.

>>> from boildown.grammar import read_lark
>>> from boildown.grammar.parsing.core import compile_grammar
>>> from boildown.grammar.parsing.earley import EarleyParser
>>> from boildown.grammar.parsing.tokens import Tokens
>>> core = compile_grammar(read_lark('start: A B? A\\nA: "a"\\nB: "b"'))
>>> found = EarleyParser(core, Tokens(core), core.symbols["start"]).parse("aa", 100)
>>> [(child.label, child.width) for child in found.tree.children]
[('A', 1), ('B?', 0), ('A', 1)]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from boildown.grammar.parsing.core import Core, Production
from boildown.grammar.parsing.values import builder
from boildown.tree import Leaf

Item: TypeAlias = tuple[Production, int]


@dataclass(slots=True, eq=False)
class EarleyState:
    """A set of items that belong together: they began at one place and were advanced together."""

    items: frozenset[Item]
    complete: list[Production]
    advanced: dict[int, frozenset[Item]]
    """The items after each symbol that may come next."""
    after: dict[int, EarleyState] = field(default_factory=dict)
    """The states after symbols; filled as texts need them."""
    shifts: dict[str, list[int]] = field(default_factory=dict)
    """The terminals that may come next, by the next character; filled as texts need them."""
    completed: dict[str, list[Production]] = field(default_factory=dict)
    """The complete productions that count, by the next character; filled as texts need them."""


@dataclass(slots=True, eq=False)
class Column:
    """A column of the Earley chart: the entries at one offset of the text."""

    position: int
    begin: int = 0
    """Where the next token begins, after ignored text."""
    char: str = ""
    """The next character; empty at the end."""
    entries: dict[EarleyState, dict[Column, EarleyEntry]] = field(default_factory=dict)
    """By state and by the column where its productions began."""
    done: dict[tuple[int, Column], Done] = field(default_factory=dict)
    """The nonterminals that are complete here, by symbol and by the column where they began."""
    masks: dict[EarleyState, int] = field(default_factory=dict)
    """For states with many entries: the bits of the positions where their productions began."""
    predicted: EarleyEntry | None = None
    """The entry of all productions that may begin here; made when all other entries are known."""
    waiting: dict[int, dict[EarleyState, Crowd]] = field(default_factory=dict)
    """For a nonterminal, the entries with the dot before it: by the states that they will be in,
    and by where their productions began. Filled when the nonterminal is completed."""


@dataclass(slots=True, eq=False)
class Crowd:
    """The entries of a column that will be in the same state after a symbol."""

    entries: dict[Column, EarleyEntry] = field(default_factory=dict)
    """By the column where their productions began."""
    mask: int = 0
    """The positions of these columns as a bit mask, if there are many; made when needed."""


@dataclass(slots=True, eq=False)
class EarleyEntry:
    """A state whose productions began at a column, with the links that lead back."""

    state: EarleyState
    origin: Column
    left: EarleyEntry | None = None
    """The entry one symbol before; None at the beginning."""
    child: Done | Scanned | None = None
    """The derivation of the symbol between `left` and this entry."""


@dataclass(slots=True, eq=False)
class Done:
    """A completed nonterminal, and its preferred derivation."""

    production: Production
    entry: EarleyEntry

    @property
    def symbol(self) -> int:
        """The nonterminal."""
        return self.production.left

    @property
    def position(self) -> int:
        """Where it begins."""
        return self.entry.origin.position


@dataclass(slots=True, eq=False)
class Scanned:
    """A scanned token."""

    symbol: int
    position: int
    """Where the token before it ended."""
    begin: int
    end: int


class Trees:
    """Reads trees from the records of parses by one grammar."""

    def __init__(self, core: Core, empty: frozenset[int]) -> None:
        self._core = core
        self._nullable = empty
        self._builders: dict[Production, Callable[[list[Any]], Any]] = {}
        self._empty = _empty_productions(core)

    def tree(self, text: str, root: Done) -> Any:
        """Return the value of a derivation: a tree, if its nonterminal makes a node.

        The stack of open productions is explicit, as derivations may be deeper than Python's stack.
        """
        frames: list[tuple[Production, list[Done | Scanned | int], list[Any]]]
        frames = [(root.production, self._parts(root), [])]
        while True:
            production, parts, values = frames[-1]
            if len(values) < len(parts):
                part = parts[len(values)]
                if isinstance(part, Scanned):
                    values.append(self._leaf(text, part))
                elif isinstance(part, Done):
                    frames.append((part.production, self._parts(part), []))
                else:
                    values.append(self.empty(part))
                continue
            value = self._value(production, values)
            frames.pop()
            if not frames:
                return value
            frames[-1][2].append(value)

    def empty(self, symbol: int) -> Any:
        """Return the value of a nonterminal's empty derivation, always a fresh one."""
        production = self._empty[symbol]
        return self._value(production, [self.empty(part) for part in production.right])

    def _value(self, production: Production, values: list[Any]) -> Any:
        build = self._builders.get(production)
        if build is None:
            build = self._builders[production] = builder(self._core, production)
        return build(values)

    def _leaf(self, text: str, token: Scanned) -> Leaf:
        label = self._core.tokens[token.symbol].label
        prefix = text[token.position : token.begin]
        return Leaf(label, text[token.begin : token.end], prefix, token.begin)

    def _parts(self, done: Done) -> list[Done | Scanned | int]:
        """Return the derivations of a production's symbols; of an empty one, the symbol."""
        production, entry = done.production, done.entry
        # `dot` is how many symbols are still to be read, those up to the entry at hand.
        right = production.right
        parts: list[Done | Scanned | int] = []
        dot = len(right)
        while entry.left is not None and entry.child is not None:
            last = _last_part(production, dot, entry.left, entry.child)
            parts.extend(reversed(right[last:dot]))
            parts.append(entry.child)
            dot = last - 1
            entry = entry.left
        parts.extend(reversed(right[:dot]))
        parts.reverse()
        return parts


def last_part(done: Done) -> int:
    """Return how many symbols of a derivation there are up to the last that is not empty."""
    entry = done.entry
    if entry.left is None or entry.child is None:
        return 0
    return _last_part(done.production, len(done.production.right), entry.left, entry.child)


def _last_part(production: Production, dot: int, left: EarleyEntry, child: Done | Scanned) -> int:
    """Return how many of a production's first `dot` symbols there are up to that of `child`.

    The others were empty. A symbol may stand in a production several times: the one meant is the
    last before which the entry to the left has the dot.
    """
    right = production.right
    while right[dot - 1] != child.symbol or (production, dot - 1) not in left.state.items:
        dot -= 1
    return dot


def leaves_more_empty(new: EarleyEntry, old: EarleyEntry | None) -> bool:
    """Say whether one of two entries at a place has more empty symbols at its end.

    Both stand for the same beginnings of productions. If their last symbols differ, the one whose
    last symbol begins earlier has stepped over the other's.
    """
    if old is None or old.child is None or new.child is None:
        return False
    return new.child.symbol != old.child.symbol and new.child.position < old.child.position


def _empty_productions(core: Core) -> dict[int, Production]:
    """Return for each nonterminal that may be empty the production that makes it so.

    The choices are well-founded: none leads back to itself.
    """
    chosen: dict[int, Production] = {}
    grown = True
    while grown:
        found = {
            production.left: production
            for symbol in core.nonterminals()
            if symbol not in chosen
            for production in reversed(core.of(symbol))
            if all(part in chosen for part in production.right)
        }
        chosen |= found
        grown = bool(found)
    return chosen
