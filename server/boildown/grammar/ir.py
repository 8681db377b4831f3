"""The intermediate representation of context-free grammars: rules, expressions and terminals.

Expressions are immutable values and keep what the author wrote: a repetition stays a repetition
and an option an option, because these are where a reducer may cut. The text of an expression, in
Lark's notation, is its label in syntax trees.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.grammar.parsing.linear import fault


class GrammarError(Exception):
    """Raised for a grammar that can't be read, with the place of the fault.

    Lines and columns count from 1; they are 0 where the fault has no one place.
    """

    def __init__(self, name: str, reason: str, line: int = 0, column: int = 0) -> None:
        where = f"{name}:{line}:{column}" if line else name
        super().__init__(f"{where}: {reason}")
        self.name = name
        self.reason = reason
        self.line = line
        self.column = column


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset, both counted from 1, in code points."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


@dataclass(frozen=True, slots=True)
class Sym:
    """A reference to a nonterminal or a terminal."""

    name: str


@dataclass(frozen=True, slots=True)
class Lit:
    """A literal: a fixed text."""

    text: str
    ignore_case: bool = False


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression in the syntax of the standard library, flags inline (`(?i:...)`)."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Seq:
    """A sequence of expressions; an empty sequence is the empty text."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """A choice between expressions; the first is preferred where a text is ambiguous."""

    choices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Opt:
    """An option: an expression or nothing."""

    item: Expr


@dataclass(frozen=True, slots=True)
class Repeat:
    """A repetition: from `min` to `max` of an expression, with separators between them if given."""

    item: Expr
    min: int = 0
    max: int | None = None
    """None means without end."""
    separator: Expr | None = None


Expr: TypeAlias = Sym | Lit | Regex | Seq | Alt | Opt | Repeat

EMPTY = Seq(())


def seq(items: Iterable[Expr]) -> Expr:
    """Return the sequence of some expressions, with repetitions recognised.

    `x (sep x)*` becomes one repetition with a separator, and `x x*` one that needs an item.
    """
    flat: list[Expr] = []
    for item in items:
        for part in item.items if isinstance(item, Seq) else (item,):
            if isinstance(part, Repeat):
                part = _with_head(flat, part)
            flat.append(part)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def _with_head(before: list[Expr], repeat: Repeat) -> Repeat:
    """Return a repetition joined with its first item, which is taken off the end of `before`."""
    if repeat.separator is not None:
        return repeat
    parts = repeat.item.items if isinstance(repeat.item, Seq) else (repeat.item,)
    common = 0
    while common < min(len(parts), len(before)) and parts[-1 - common] == before[-1 - common]:
        common += 1
    if not common:
        return repeat
    del before[-common:]
    most = None if repeat.max is None else repeat.max + 1
    separator = seq(parts[:-common]) if common < len(parts) else None
    return Repeat(seq(parts[-common:]), repeat.min + 1, most, separator)


def alt(choices: Iterable[Expr]) -> Expr:
    """Return the choice between expressions: nested choices joined, doubles dropped."""
    flat: dict[Expr, None] = {}
    for choice in choices:
        for part in choice.choices if isinstance(choice, Alt) else (choice,):
            flat[part] = None
    if len(flat) > 1 and EMPTY in flat:
        del flat[EMPTY]
        return opt(alt(flat))
    return next(iter(flat)) if len(flat) == 1 else Alt(tuple(flat))


def opt(item: Expr) -> Expr:
    """Return the option of an expression; an optional repetition is one that may have no items."""
    if isinstance(item, Repeat) and item.min <= 1:
        return Repeat(item.item, 0, item.max, item.separator)
    return item if isinstance(item, Opt) or item == EMPTY else Opt(item)


def repeat(item: Expr, least: int, most: int | None) -> Expr:
    """Return the repetition of an expression, `least` to `most` times; None means without end."""
    if (least, most) == (1, 1):
        return item
    if isinstance(item, Opt) and most is None:
        return Repeat(item.item, 0, None)
    if isinstance(item, Repeat) and item.separator is None and most is item.max is None:
        return Repeat(item.item, min(item.min, least), None)
    return opt(item) if (least, most) == (0, 1) else Repeat(item, least, most)


def label(expr: Expr) -> str:
    """Return an expression in Lark's notation, which is the label of its subtrees."""
    if isinstance(expr, Sym):
        return expr.name
    if isinstance(expr, Lit):
        return json.dumps(expr.text, ensure_ascii=False) + ("i" if expr.ignore_case else "")
    if isinstance(expr, Regex):
        return f"/{expr.pattern}/"
    if isinstance(expr, Seq):
        return " ".join(_grouped(item, Alt) for item in expr.items) or '""'
    if isinstance(expr, Alt):
        return " | ".join(map(label, expr.choices))
    if isinstance(expr, Opt):
        return f"{label(expr.item)}?" if _is_atom(expr.item) else f"[{label(expr.item)}]"
    return _repeat_label(expr)


def _repeat_label(expr: Repeat) -> str:
    if expr.separator is None:
        return _grouped(expr.item, Seq, Alt, Opt, Repeat) + _times(expr.min, expr.max)
    rest = f"({_grouped(expr.separator, Alt)} {_grouped(expr.item, Alt)})"
    most = None if expr.max is None else max(expr.max - 1, 0)
    text = f"{_grouped(expr.item, Alt)} {rest}{_times(max(expr.min - 1, 0), most)}"
    return text if expr.min else f"[{text}]"


def _times(least: int, most: int | None) -> str:
    if most is not None:
        return f"~{least}" if least == most else f"~{least}..{most}"
    return {0: "*", 1: "+"}.get(least, f"~{least}..")


def _is_atom(expr: Expr) -> bool:
    return isinstance(expr, Sym | Lit | Regex)


def _grouped(expr: Expr, *loose: type) -> str:
    return f"({label(expr)})" if isinstance(expr, loose) else label(expr)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal: the pattern and the priority of a named token."""

    pattern: Lit | Regex
    priority: int = 0
    """Where several terminals match, the highest wins, before the longest."""


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """A context-free grammar over regular terminals. Compared by identity."""

    rules: Mapping[str, Expr]
    """The expression of each nonterminal, in the order of the file."""
    start: str = "start"
    terminals: Mapping[str, Terminal] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()
    """Names of the terminals (white space, comments) that may stand before any token."""
    priorities: Mapping[str, int] = field(default_factory=dict)
    """Nonterminals to be preferred (above 0) or avoided (below) where a text is ambiguous."""
    atomic: frozenset[str] = frozenset()
    """Nonterminals that are tokens: a subtree of one is a leaf."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """For nonterminals that are levels of precedence of a rule, the rule's label."""
    same: Mapping[str, str] = field(default_factory=dict)
    """For a nonterminal, a terminal that has the same text wherever it is a child of one node."""
    whole_words: bool = False
    """Whether a literal that ends as a word does is none where the word goes on, as in most
    languages: `DELETEFROM` is no keyword."""
    longest: bool = True
    """Whether the longest terminal wins, as in a lexer; else every derivation counts."""
    name: str = "grammar"
    """The file's name, for messages."""
    notes: tuple[str, ...] = ()
    """Sentences for the user on constructs that the reader had to leave out."""


def parts(exprs: Iterable[Expr]) -> Iterable[Expr]:
    """Yield some expressions with all their subexpressions, in the order of the text."""
    stack = list(exprs)[::-1]
    while stack:
        expr = stack.pop()
        yield expr
        if isinstance(expr, Seq):
            stack.extend(reversed(expr.items))
        elif isinstance(expr, Alt):
            stack.extend(reversed(expr.choices))
        elif isinstance(expr, Opt):
            stack.append(expr.item)
        elif isinstance(expr, Repeat):
            if expr.separator is not None:
                stack.append(expr.separator)
            stack.append(expr.item)


def source(pattern: Lit | Regex) -> str:
    """Return the regular expression of a terminal's pattern."""
    if isinstance(pattern, Regex):
        return pattern.pattern
    escaped = re.escape(pattern.text)
    return f"(?i:{escaped})" if pattern.ignore_case else escaped


MOST_NESTED = 100
"""Expressions in expressions, at most: a test that draws by them nests as many brackets, of which
Python reads 200, and functions over expressions call themselves as often."""


def is_deeper(expr: Expr, most: int) -> bool:
    """Say whether an expression has more than so many levels."""
    stack = [(expr, 1)]
    while stack:
        each, depth = stack.pop()
        if depth > most:
            return True
        if isinstance(each, Seq | Alt):
            inner = each.items if isinstance(each, Seq) else each.choices
            stack += [(one, depth + 1) for one in inner]
        elif isinstance(each, Opt | Repeat):
            stack.append((each.item, depth + 1))
        if isinstance(each, Repeat) and each.separator is not None:
            stack.append((each.separator, depth + 1))
    return False


def check(grammar: Grammar, place: Callable[[str], tuple[int, int]]) -> None:
    """Raise `GrammarError` where a symbol is undefined, a regex is broken, or a rule is too deep.

    `place` returns the line and the column of a piece of the grammar's text, zeros if unknown.
    """
    for name, expr in grammar.rules.items():
        if is_deeper(expr, MOST_NESTED):
            deep = f"{name!r} is nested too deeply; give a part of it a name of its own"
            raise GrammarError(grammar.name, deep, *place(name))
    known = {*grammar.rules, *grammar.terminals}
    patterns: list[Expr] = [terminal.pattern for terminal in grammar.terminals.values()]
    if grammar.start not in grammar.rules:
        raise GrammarError(grammar.name, f"there is no rule {grammar.start!r} to start with")
    for expr in parts([*grammar.rules.values(), *patterns]):
        if isinstance(expr, Sym) and expr.name not in known:
            raise GrammarError(grammar.name, f"{expr.name!r} is not defined", *place(expr.name))
        if isinstance(expr, Regex):
            reason = fault(expr.pattern)
            if reason is not None:
                raise GrammarError(grammar.name, reason, *place(expr.pattern))
