"""The intermediate representation of a grammar: what every reader makes and every tool reads.

Expressions are immutable values and keep what the author wrote: a repetition stays a repetition
and an option an option, because these are where a reducer may cut. The text of an expression, in
Lark's notation, is its label in syntax trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias


class GrammarError(Exception):
    """A grammar that can't be read: where, and why.

    Lines and columns count from 1; they are 0 where the fault has no one place.
    """

    def __init__(self, name: str, reason: str, line: int = 0, column: int = 0) -> None:
        where = f"{name}:{line}:{column}" if line else name
        super().__init__(f"{where}: {reason}")
        self.name = name
        self.reason = reason
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Sym:
    """A reference to a rule or a terminal."""

    name: str


@dataclass(frozen=True, slots=True)
class Lit:
    """A fixed text."""

    text: str
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression in the syntax of the standard library, flags inline (`(?i:...)`)."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Seq:
    """One expression after the other; an empty sequence is the empty text."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of several expressions; the first is preferred where a text is ambiguous."""

    choices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Opt:
    """An expression or nothing."""

    item: Expr


@dataclass(frozen=True, slots=True)
class Repeat:
    """From `min` to `max` of the same expression, with separators between them if given."""

    item: Expr
    min: int = 0
    max: int | None = None
    """None means without end."""
    separator: Expr | None = None


Expr: TypeAlias = Sym | Lit | Regex | Seq | Alt | Opt | Repeat

EMPTY = Seq(())


@dataclass(frozen=True, slots=True)
class Terminal:
    """A named token."""

    pattern: Lit | Regex
    priority: int = 0
    """Where several terminals match, the highest wins, before the longest."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A context-free grammar over regular terminals. Compared by identity."""

    rules: Mapping[str, Expr]
    """What each nonterminal stands for, in the order of the file."""
    start: str = "start"
    terminals: Mapping[str, Terminal] = field(default_factory=lambda: MappingProxyType({}))
    ignore: tuple[str, ...] = ()
    """Names of the terminals (white space, comments) that may stand before any token."""
    priorities: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Nonterminals to be preferred (above 0) or avoided (below) where a text is ambiguous."""
    longest: bool = True
    """Whether the longest terminal wins, as in a lexer; else every derivation counts."""
    name: str = "grammar"
    """Where it comes from, for messages."""
    notes: tuple[str, ...] = ()
    """Sentences for the user on what a reader had to leave out."""
