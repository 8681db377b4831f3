"""Lifts character-level grammars: regular nonterminals become single tokens.

Where every letter is a node, a megabyte of text is too much. Lifting keeps the language of each
nonterminal, and so any tree that a lifted grammar gives is a tree of the grammar itself in which
some subtrees are leaves that are not opened yet.
"""

from __future__ import annotations

import re
from dataclasses import replace

from boildown.grammar import ir
from boildown.grammar.ir import EMPTY, Alt, Expr, Grammar, Lit, Opt, Regex, Repeat, Seq, Sym
from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.linear import fault
from boildown.grammar.parsing.regexes import width

MAX_REPEATED_WIDTH = 1000
"""How many characters a repeated part may match: nested endless ones may take for ever."""
LONGEST_PATTERN = 20_000
"""Characters of the longest regular expression that is made: nested rules double in length."""


def lifted(grammar: Grammar) -> Grammar | None:
    """Return a grammar for the same texts in which regular nonterminals are tokens.

    None if that changes nothing. The start symbol stays as it is.
    """
    regular: dict[str, str] = {}
    names = list(grammar.rules)
    numbers = {name: number for number, name in enumerate(names)}
    uses = [
        [numbers[e.name] for e in ir.parts([expr]) if isinstance(e, Sym) and e.name in numbers]
        for expr in grammar.rules.values()
    ]
    # A rule comes after those that it uses.
    for name in (names[number] for members in components(uses) for number in members):
        if name == grammar.start:
            continue
        pattern = _Pattern(name, regular).of_rule(grammar.rules[name])
        if pattern is not None and len(pattern) <= LONGEST_PATTERN and fault(pattern) is None:
            regular[name] = pattern
    if not regular:
        return None
    rules = {
        name: _token(regular[name]) if name in regular else expr
        for name, expr in grammar.rules.items()
    }
    used = _reachable(rules, grammar.start)
    return replace(
        grammar,
        rules={name: expr for name, expr in rules.items() if name in used},
        atomic=grammar.atomic | regular.keys(),
    )


def _token(pattern: str) -> Expr:
    """Return the expression of a token, which is never empty, or of none where it may be."""
    token = Regex(pattern)
    return Opt(token) if re.fullmatch(pattern, "") else token


def _reachable(rules: dict[str, Expr], start: str) -> set[str]:
    found, fresh = {start}, [start]
    while fresh:
        names = {e.name for e in ir.parts([rules[fresh.pop()]]) if isinstance(e, Sym)} - found
        found |= names
        fresh.extend(names)
    return found


class _Pattern:
    """Finds the regular expression of a nonterminal, if it has one."""

    def __init__(self, name: str, known: dict[str, str]) -> None:
        self._this = Sym(name)
        self._known = known

    def of_rule(self, expr: Expr) -> str | None:
        """Return the pattern of a rule that calls itself at most at one end."""
        choices = expr.choices if isinstance(expr, Alt) else (expr,)
        rows = [choice.items if isinstance(choice, Seq) else (choice,) for choice in choices]
        plain = [row for row in rows if self._this not in row]
        right = [row[:-1] for row in rows if row and row[-1] == self._this]
        left = [row[1:] for row in rows if row and row[0] == self._this]
        if (left and right) or len(plain) + len(left) + len(right) != len(rows):
            return None
        ends = self._choice(plain)
        if not left and not right:
            return ends
        again = self._choice(left or right)
        if (
            ends is None
            or again is None
            or width(again)[0] == 0
            or width(again)[1] > MAX_REPEATED_WIDTH
        ):
            return None
        return f"{ends}(?:{again})*" if left else f"(?:{again})*{ends}"

    def _choice(self, rows: list[tuple[Expr, ...]]) -> str | None:
        """Return the pattern of one of several sequences, the longest first."""
        patterns = [self._sequence(row) for row in rows]
        if not patterns or None in patterns:
            return None
        return _either([pattern for pattern in patterns if pattern is not None])

    def _sequence(self, row: tuple[Expr, ...]) -> str | None:
        pieces = [self._pattern(item) for item in row]
        return None if None in pieces else "".join(filter(None, pieces))

    def _pattern(self, expr: Expr) -> str | None:
        if isinstance(expr, Lit | Regex):
            return f"(?:{ir.source(expr)})" if len(ir.source(expr)) > 2 else ir.source(expr)
        if isinstance(expr, Sym):
            found = self._known.get(expr.name)
            return None if found is None else f"(?:{found})"
        if isinstance(expr, Seq):
            return self._sequence(expr.items)
        if isinstance(expr, Alt):
            return self._choice([(choice,) for choice in expr.choices])
        if isinstance(expr, Opt):
            inner = self._pattern(expr.item)
            return None if inner is None else f"(?:{inner})?"
        return self._repeat(expr)

    def _repeat(self, expr: Repeat) -> str | None:
        item = self._pattern(expr.item)
        separator = self._pattern(expr.separator or EMPTY)
        if item is None or separator is None or re.fullmatch(separator + item, ""):
            return None
        most = "" if expr.max is None else max(expr.max - 1, 0)
        rest = f"{item}(?:{separator}{item}){{{max(expr.min - 1, 0)},{most}}}"
        return rest if expr.min else f"(?:{rest})?"


def _either(patterns: list[str]) -> str:
    """Return the choice between patterns, the longest first, single characters as a set."""
    single = [p for p in patterns if len(p) == 1 or (len(p) == 2 and p[0] == "\\")]
    others = [p for p in dict.fromkeys(patterns) if p and p not in single]
    others.sort(key=lambda pattern: tuple(-size for size in reversed(width(pattern))))
    if single:
        inside = "".join(f"\\{p}" if p in "-^]" else p for p in dict.fromkeys(single))
        others.append(f"[{inside}]")
    choice = others[0] if len(others) == 1 else f"(?:{'|'.join(others)})"
    return f"(?:{choice})?" if "" in patterns else choice
