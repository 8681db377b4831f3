"""A grammar as plain productions: what the parsers and the queries work on.

Every option, repetition and choice inside a rule gets a nonterminal of its own, which knows its
label and what kind of node it makes. A repetition is left-recursive over a nonterminal that makes
no node at all: its children join its parent's.

Symbols are numbers: terminals count from 0, nonterminals follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from boildown.grammar.ir import (
    Alt,
    Expr,
    Grammar,
    Lit,
    Opt,
    Regex,
    Repeat,
    Seq,
    Sym,
    Terminal,
    label,
    parts,
    source,
)
from boildown.tree import Kind, Node, Tree

END = -1
"""The end of the text, where a terminal is looked for."""


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal."""

    label: str
    pattern: Lit | Regex
    priority: int
    regex: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Shape:
    """A nonterminal: what its nodes look like."""

    label: str
    kind: Kind | None = Kind.RULE
    """None if it makes no node: its children are its parent's."""
    least: int = 0
    separated: bool = False
    atomic: bool = False
    """Whether it makes a leaf of all its text."""

    def node(self, children: tuple[Tree, ...]) -> Node:
        """Return a node of this shape."""
        return Node(self.label, children, self.kind or Kind.RULE, self.least, self.separated)


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """One way to derive a nonterminal. Compared by identity."""

    number: int
    """Its place among all; of one nonterminal's, the first is preferred."""
    left: int
    right: tuple[int, ...]


@dataclass(slots=True)
class Core:
    """The productions of one grammar. Not changed once it is built."""

    grammar: Grammar
    tokens: list[Token] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    """Of the nonterminals, in the order of their numbers."""
    productions: list[list[Production]] = field(default_factory=list)
    """Of each nonterminal, the preferred first."""
    symbols: dict[str, int] = field(default_factory=dict)
    """The symbol of each label."""
    ignored: frozenset[int] = frozenset()
    """The terminals that may stand before any token."""

    def is_terminal(self, symbol: int) -> bool:
        """Say whether a symbol is a terminal."""
        return symbol < len(self.tokens)

    def shape(self, symbol: int) -> Shape:
        """Return the shape of a nonterminal."""
        return self.shapes[symbol - len(self.tokens)]

    def of(self, symbol: int) -> list[Production]:
        """Return the productions of a nonterminal."""
        return self.productions[symbol - len(self.tokens)]

    def label(self, symbol: int) -> str:
        """Return the label of a symbol."""
        return self.tokens[symbol].label if self.is_terminal(symbol) else self.shape(symbol).label

    def passes_on(self, production: Production) -> bool:
        """Say whether a production makes no node: it leads from one level of a rule to another."""
        right = production.right
        return (
            len(right) == 1
            and not self.is_terminal(right[0])
            and right[0] != production.left
            and self.shape(right[0]) == self.shape(production.left)
            and self.shape(right[0]).kind is Kind.RULE
        )

    def nonterminals(self) -> range:
        """Return all nonterminals."""
        return range(len(self.tokens), len(self.tokens) + len(self.shapes))


def compile_grammar(grammar: Grammar) -> Core:
    """Return the productions of a grammar, whose references must all be defined."""
    core = Core(grammar)
    _collect_tokens(core)
    core.ignored = frozenset(core.symbols[name] for name in grammar.ignore)
    _Builder(core).build()
    return core


def _collect_tokens(core: Core) -> None:
    for name, terminal in core.grammar.terminals.items():
        _add_token(core, name, terminal)
    for expr in parts(core.grammar.rules.values()):
        if isinstance(expr, Lit | Regex) and label(expr) not in core.symbols:
            _add_token(core, label(expr), Terminal(expr))


def _add_token(core: Core, name: str, terminal: Terminal) -> None:
    core.symbols[name] = len(core.tokens)
    regex = re.compile(source(terminal.pattern))
    core.tokens.append(Token(name, terminal.pattern, terminal.priority, regex))


class _Builder:
    """Turns expressions into productions."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.count = 0
        self.helpers: dict[Expr, int] = {}

    def build(self) -> None:
        rules = self.core.grammar.rules
        for name in rules:
            atomic = name in self.core.grammar.atomic
            shown = self.core.grammar.labels.get(name, name)
            self.core.symbols[name] = self.new(Shape(shown, atomic=atomic))
        for name, expr in rules.items():
            self.alternatives(self.core.symbols[name], expr)

    def new(self, shape: Shape) -> int:
        self.core.shapes.append(shape)
        self.core.productions.append([])
        return len(self.core.tokens) + len(self.core.shapes) - 1

    def add(self, left: int, right: Iterable[int]) -> None:
        self.core.of(left).append(Production(self.count, left, tuple(right)))
        self.count += 1

    def alternatives(self, left: int, expr: Expr) -> None:
        for choice in expr.choices if isinstance(expr, Alt) else (expr,):
            self.add(left, self.symbols(choice))

    def symbols(self, expr: Expr) -> list[int]:
        """Return the symbols of a sequence."""
        if isinstance(expr, Seq):
            return [symbol for item in expr.items for symbol in self.symbols(item)]
        return [self.symbol(expr)]

    def symbol(self, expr: Expr) -> int:
        """Return the one symbol that stands for an expression."""
        if isinstance(expr, Sym):
            return self.core.symbols[expr.name]
        if isinstance(expr, Lit | Regex):
            return self.core.symbols[label(expr)]
        if expr not in self.helpers:
            self.helper(expr)
        return self.helpers[expr]

    def helper(self, expr: Expr) -> None:
        """Make the nonterminal of an expression inside a rule."""
        kind, least, separated = Kind.RULE, 0, False
        if isinstance(expr, Opt):
            kind = Kind.OPTION
        elif isinstance(expr, Repeat):
            kind, least, separated = Kind.LIST, expr.min, expr.separator is not None
        symbol = self.new(Shape(label(expr), kind, least, separated))
        self.helpers[expr] = symbol
        self.core.symbols.setdefault(label(expr), symbol)
        if isinstance(expr, Opt):
            self.add(symbol, [self.item(expr.item)])
            self.add(symbol, [])
        elif isinstance(expr, Repeat):
            self.repetition(symbol, expr)
        else:
            self.alternatives(symbol, expr)

    def item(self, expr: Expr) -> int:
        """Return the symbol of an expression that has to be one subtree."""
        return self.symbol(
            expr.items[0] if isinstance(expr, Seq) and len(expr.items) == 1 else expr
        )

    def repetition(self, symbol: int, expr: Repeat) -> None:
        item = self.item(expr.item)
        more = [item] if expr.separator is None else [self.item(expr.separator), item]
        first = [item, *more * (expr.min - 1)]
        if expr.max is None:
            gathered = self.new(Shape(label(expr), None))
            self.add(symbol, [gathered])
            self.add(gathered, first)
            self.add(gathered, [gathered, *more])
        elif expr.max > 0:
            self.add(symbol, [*first, *self.up_to(expr.max - max(expr.min, 1), more, label(expr))])
        if expr.min == 0 or expr.max == 0:
            self.add(symbol, [])

    def up_to(self, most: int, more: list[int], text: str) -> list[int]:
        """Return what stands for up to `most` further items."""
        rest: list[int] = []
        for _ in range(most):
            symbol = self.new(Shape(text, None))
            self.add(symbol, [*more, *rest])
            self.add(symbol, [])
            rest = [symbol]
        return rest


def nullable(core: Core) -> frozenset[int]:
    """Return the nonterminals that derive the empty text."""
    empty: set[int] = set()
    grown = True
    while grown:
        grown = False
        for symbol in core.nonterminals():
            if symbol not in empty and any(empty.issuperset(p.right) for p in core.of(symbol)):
                empty.add(symbol)
                grown = True
    return frozenset(empty)


def first_sets(core: Core, empty: frozenset[int]) -> list[set[int]]:
    """Return for each symbol the terminals that its texts may start with."""
    firsts = [{symbol} for symbol in range(len(core.tokens))]
    firsts += [set() for _ in core.shapes]
    grown = True
    while grown:
        grown = False
        for symbol in core.nonterminals():
            before = len(firsts[symbol])
            for production in core.of(symbol):
                for part in production.right:
                    firsts[symbol] |= firsts[part]
                    if part not in empty:
                        break
            grown |= len(firsts[symbol]) != before
    return firsts


def follow_sets(core: Core, start: int, empty: frozenset[int]) -> list[set[int]]:
    """Return for each symbol the terminals that may follow it in a text of `start`."""
    firsts = first_sets(core, empty)
    follows: list[set[int]] = [set() for _ in firsts]
    follows[start].add(END)
    grown = True
    while grown:
        grown = False
        for symbol in core.nonterminals():
            for production in core.of(symbol):
                after = follows[symbol]
                for part in reversed(production.right):
                    before = len(follows[part])
                    follows[part] |= after
                    grown |= len(follows[part]) != before
                    after = after | firsts[part] if part in empty else firsts[part]
    return follows


def cyclic(core: Core, empty: frozenset[int]) -> frozenset[int]:
    """Return the nonterminals that may derive themselves and nothing else."""
    units: dict[int, set[int]] = {
        symbol: {
            part
            for production in core.of(symbol)
            for i, part in enumerate(production.right)
            if all(other in empty for j, other in enumerate(production.right) if j != i)
        }
        for symbol in core.nonterminals()
    }
    grown = True
    while grown:
        grown = False
        for reached in units.values():
            more = set().union(*(units.get(symbol, ()) for symbol in reached)) - reached
            reached |= more
            grown |= bool(more)
    return frozenset(symbol for symbol, reached in units.items() if symbol in reached)
