"""Turns rules that are lists by recursion into repetitions, as grammars for fuzzers write lists.

`<words> ::= <word> | <word> <words>` says `word+`, and `<row> ::= <field> | <field>,<row>` says
`field ("," field)*`. As repetitions they are lists of items rather than nested pairs, so that items
can be left out, counted, and stand for any number.
"""

from __future__ import annotations

from dataclasses import replace

from boildown.grammar import ir
from boildown.grammar.ir import Alt, Expr, Grammar, Repeat, Seq, Sym


def with_repetitions(grammar: Grammar) -> Grammar:
    """Return a grammar of the same language whose lists are repetitions.

    A list is a rule with two alternatives: an item, and the item with the rule itself at one end;
    a separator may stand between the two. A rule that may be nothing stays, as a text that goes on.
    """
    found = {name: _as_repetition(name, rule) for name, rule in grammar.rules.items()}
    return replace(grammar, rules=found)


def _as_repetition(name: str, rule: Expr) -> Expr:
    """Return the expression of a rule, as a repetition if it is a list."""
    if not isinstance(rule, Alt) or len(rule.choices) != 2:
        return rule
    last, again = sorted(rule.choices, key=lambda each: _uses(each, name))
    if _uses(last, name) or not isinstance(again, Seq) or _uses(again, name) != 1:
        return rule
    for parts in (again.items, again.items[::-1]):
        if parts[-1] == Sym(name):
            return _list(last, parts[:-1], backwards=parts is not again.items) or rule
    return rule


def _list(last: Expr, rest: tuple[Expr, ...], backwards: bool) -> Expr | None:
    """Return the repetition of an item, which `rest` has before a separator; None if it is none."""
    item = last.items if isinstance(last, Seq) else (last,)
    item = item[::-1] if backwards else item
    if not item or rest[: len(item)] != item:
        return None
    separator = rest[len(item) :]
    between = _sequence(separator, backwards) if separator else None
    return Repeat(last, 1, None, between)


def _sequence(items: tuple[Expr, ...], backwards: bool) -> Expr:
    return ir.seq(items[::-1] if backwards else items)


def _uses(expr: Expr, name: str) -> int:
    """Count how often an expression uses a symbol."""
    return sum(part == Sym(name) for part in ir.parts([expr]))
