"""Compiles a grammar into plain productions (BNF) for the parsers and the queries.

Every option, repetition and choice inside a rule gets a nonterminal of its own, which knows its
label and the kind of its nodes. A repetition is left-recursive over a nonterminal that makes
no node at all: its children join its parent's.

Symbols are numbers: terminals count from 0, nonterminals follow.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from boildown.grammar.ir import (
    Alt,
    Expr,
    Grammar,
    GrammarError,
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
from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.linear import Matcher, compiled, fault
from boildown.tree import Kind, Node, Tree

END = -1
"""The end of the text as a lookahead symbol, beside the terminals."""
MAX_SYMBOLS = 50_000
"""The most terminals, nonterminals and parts of rules that a grammar may have."""
MAX_SIZE = 500_000
"""The most symbols in all productions of a grammar, where `x~9` counts nine times."""


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal with its compiled regular expression."""

    label: str
    pattern: Lit | Regex
    priority: int
    regex: Matcher


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of a nonterminal's nodes."""

    label: str
    kind: Kind | None = Kind.RULE
    """None if the nonterminal makes no node: its children are its parent's."""
    least: int = 0
    """How many items a list must have."""
    separated: bool = False
    atomic: bool = False
    """Whether it makes a leaf of all its text instead of a node."""

    def node(self, children: tuple[Tree, ...]) -> Node:
        """Return a node of this shape."""
        return Node(self.label, children, self.kind or Kind.RULE, self.least, self.separated)


@dataclass(frozen=True, slots=True, eq=False)
class Production:
    """A production: a nonterminal and the symbols that it derives. Compared by identity."""

    number: int
    """Its index among all productions; of one nonterminal's, the first is preferred."""
    left: int
    right: tuple[int, ...]


@dataclass(slots=True)
class Core:
    """The productions of one grammar. Not changed once it is built."""

    grammar: Grammar
    tokens: list[Token] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    """The shapes of the nonterminals, in the order of their numbers."""
    productions: list[list[Production]] = field(default_factory=list)
    """The productions of each nonterminal, the preferred first."""
    symbols: dict[str, int] = field(default_factory=dict)
    """The symbol's number for each label."""
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
    """Return the productions of a grammar, whose references must all be defined.

    Raises GrammarError if it is too large or a regular expression in it can't be matched fast.
    """
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
    if len(core.tokens) >= MAX_SYMBOLS:
        raise GrammarError(core.grammar.name, f"it has more than {MAX_SYMBOLS:,} terminals")
    regex = _matcher(terminal.pattern, core.grammar)
    core.tokens.append(Token(name, terminal.pattern, terminal.priority, regex))


def _matcher(pattern: Lit | Regex, grammar: Grammar) -> Matcher:
    text = source(pattern)
    if isinstance(pattern, Lit):
        is_word = grammar.whole_words and re.search(r"\w\Z", pattern.text)
        return re.compile(rf"{text}(?!\w)" if is_word else text)
    if (reason := fault(text)) is not None:
        raise GrammarError(grammar.name, reason)
    return compiled(text)


class _Builder:
    """Turns expressions into productions."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.count = 0
        self.size = 0
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
        if len(self.core.shapes) >= MAX_SYMBOLS:
            self.too_large(f"more than {MAX_SYMBOLS:,} rules and parts of rules")
        self.core.shapes.append(shape)
        self.core.productions.append([])
        return len(self.core.tokens) + len(self.core.shapes) - 1

    def add(self, left: int, right: Sequence[int]) -> None:
        self.grow(len(right) + 1)
        self.core.of(left).append(Production(self.count, left, tuple(right)))
        self.count += 1

    def grow(self, size: int) -> None:
        """Count symbols of productions. Raises GrammarError if they become too many."""
        self.size += size
        if self.size > MAX_SIZE:
            self.too_large(f"more than {MAX_SIZE:,} symbols, repetitions written out")

    def too_large(self, reason: str) -> NoReturn:
        raise GrammarError(self.core.grammar.name, f"the grammar is too large: {reason}")

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
        self.grow(max(expr.min, expr.max or 0))
        first = [item, *more * (expr.min - 1)]
        if expr.max is None:
            # x* becomes list -> gathered | nothing and gathered -> x | gathered x. Left recursion
            # keeps the LR stack flat, and only `list` makes a node, with all items as its children.
            gathered = self.new(Shape(label(expr), None))
            self.add(symbol, [gathered])
            self.add(gathered, first)
            self.add(gathered, [gathered, *more])
        elif expr.max > 0:
            self.add(symbol, [*first, *self.up_to(expr.max - max(expr.min, 1), more, label(expr))])
        if expr.min == 0 or expr.max == 0:
            self.add(symbol, [])

    def up_to(self, most: int, more: list[int], text: str) -> list[int]:
        """Return the symbols (one, or none) that derive up to `most` further items."""
        rest: list[int] = []
        for _ in range(most):
            symbol = self.new(Shape(text, None))
            self.add(symbol, [*more, *rest])
            self.add(symbol, [])
            rest = [symbol]
        return rest


def reachable(core: Core, start: int) -> list[int]:
    """Return the nonterminals that trees of a start symbol may have, itself among them.

    The other rules of a grammar may not have a say in how a text is parsed.
    """
    found = [start]
    known = {start}
    for symbol in found:
        parts = {part for production in core.of(symbol) for part in production.right} - known
        known |= parts
        found += [part for part in parts if not core.is_terminal(part)]
    return found


def nullable(core: Core) -> frozenset[int]:
    """Return the nullable nonterminals: those that derive the empty text."""
    empty: set[int] = set()
    fresh: list[int] = []
    waiting: dict[int, list[Production]] = {}

    def look(production: Production) -> None:
        # A production waits for one symbol at a time of those that are not nullable yet.
        for part in production.right:
            if part not in empty:
                waiting.setdefault(part, []).append(production)
                return
        if production.left not in empty:
            empty.add(production.left)
            fresh.append(production.left)

    for symbol in core.nonterminals():
        for production in core.of(symbol):
            look(production)
    while fresh:
        for production in waiting.pop(fresh.pop(), ()):
            look(production)
    return frozenset(empty)


def unit_parts(production: Production, empty: frozenset[int]) -> tuple[int, ...]:
    """Return the symbols of a right side that it derives alone: all others may be empty."""
    full = [part for part in production.right if part not in empty]
    return production.right if not full else tuple(full) if len(full) == 1 else ()


Mask: TypeAlias = int
"""A set of terminals as bits: bit 0 for the end of the text, bit n + 1 for the terminal n."""


def first_masks(core: Core, empty: frozenset[int]) -> list[Mask]:
    """Return the FIRST set of each symbol: the terminals that its texts may start with."""
    starts: list[list[int]] = [[] for _ in core.tokens]
    for symbol in core.nonterminals():
        parts_at_start: dict[int, None] = {}
        for production in core.of(symbol):
            for part in production.right:
                parts_at_start[part] = None
                if part not in empty:
                    break
        starts.append(list(parts_at_start))
    return _united([1 << symbol + 1 for symbol in range(len(core.tokens))], starts)


def _united(own: list[Mask], edges: list[list[int]]) -> list[Mask]:
    """Return for each vertex of a graph the union of its own set and of all that it leads to."""
    masks = own + [0] * (len(edges) - len(own))
    same: dict[Mask, Mask] = {}
    for members in components(edges):
        mask = 0
        for vertex in members:
            mask |= masks[vertex]
            for other in edges[vertex]:
                mask |= masks[other]
        # Equal sets are one object, for there may be as many large ones as there are symbols.
        mask = same.setdefault(mask, mask)
        for vertex in members:
            masks[vertex] = mask
    return masks


class Lookaheads:
    """The FOLLOW sets of a grammar: the terminals that may come after each symbol in a text."""

    def __init__(self, core: Core, start: int, empty: frozenset[int]) -> None:
        firsts = first_masks(core, empty)
        own = [0] * len(firsts)
        own[start] = 1
        ends: list[set[int]] = [set() for _ in firsts]
        for symbol in reachable(core, start):
            for production in core.of(symbol):
                after, is_end = 0, True
                for part in reversed(production.right):
                    own[part] |= after
                    if is_end:
                        ends[part].add(symbol)
                    if part not in empty:
                        after, is_end = 0, False
                    after |= firsts[part]
        self._masks = _united(own, [list(each) for each in ends])
        self._sets: dict[Mask, frozenset[int]] = {}

    def __getitem__(self, symbol: int) -> frozenset[int]:
        """Return the terminals that may follow a symbol, END among them."""
        mask = self._masks[symbol]
        found = self._sets.get(mask)
        if found is None:
            bits = enumerate(reversed(f"{mask:b}"), END)
            found = self._sets[mask] = frozenset(symbol for symbol, bit in bits if bit == "1")
        return found


def cyclic(core: Core, empty: frozenset[int]) -> frozenset[int]:
    """Return the cyclic nonterminals: those that derive themselves and nothing else."""
    units: list[set[int]] = [set() for _ in core.tokens]
    units += [
        {part for production in core.of(symbol) for part in unit_parts(production, empty)}
        for symbol in core.nonterminals()
    ]
    return in_cycles(units)


def in_cycles(edges: Sequence[Collection[int]]) -> frozenset[int]:
    """Return the vertices of a graph that lead to themselves."""
    return frozenset(
        vertex
        for members in components(edges)
        for vertex in members
        if len(members) > 1 or vertex in edges[vertex]
    )
