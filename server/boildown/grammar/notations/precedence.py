"""Unfolds rules with operators into one nonterminal for each level of precedence.

A rule such as `e: e '*' e | e '+' e | INT` leaves open how `1 + 2 * 3` is to be read. As in ANTLR
(Parr, Harwell and Fisher, Adaptive LL(*) Parsing, 2014, section 3), an alternative binds tighter
than those after it, and to the left unless it says otherwise. One nonterminal for each level says
so in a context-free way; all of them have the rule's own label, and a level that only passes on
to the next makes no node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boildown.grammar.ir import Expr, Seq, Sym, alt


@dataclass(frozen=True, slots=True)
class PrecedenceChoice:
    """An alternative of a rule whose operators have precedence by their order."""

    expr: Expr
    is_right: bool = False
    """Whether its operator associates to the right."""


def levels(name: str, choices: Sequence[PrecedenceChoice]) -> dict[str, Expr]:
    """Return the rules that replace one; the first has its name, the others are tighter levels.

    A rule without operators stays as it is.
    """
    this = Sym(name)
    operators = [c for c in choices if _starts(c, this) or _ends(c, this)]
    primaries = [c.expr for c in choices if c not in operators]
    if not primaries or not any(_starts(choice, this) for choice in operators):
        return {name: alt(choice.expr for choice in choices)}
    symbols = [this, *(Sym(f"{name}{{{level}}}") for level in range(2, len(operators) + 2))]
    rules: dict[str, Expr] = {}
    looser: list[Expr] = []
    for same, tighter, choice in zip(symbols, symbols[1:], reversed(operators), strict=False):
        last = same if choice.is_right or not _starts(choice, this) else tighter
        if _starts(choice, this) and _ends(choice, this) and looser:
            operand = Sym(f"{last.name}-")
            rules.setdefault(operand.name, alt([last, *looser]))
            last = operand
        first = tighter if choice.is_right else same
        expr = _with_ends(choice, this, first, last)
        rules[same.name] = alt([expr, tighter])
        if not _starts(choice, this):
            looser.append(expr)
    rules[symbols[-1].name] = alt(primaries)
    return {name: rules.pop(name), **rules}


def _parts(choice: PrecedenceChoice) -> tuple[Expr, ...]:
    return choice.expr.items if isinstance(choice.expr, Seq) else (choice.expr,)


def _starts(choice: PrecedenceChoice, this: Sym) -> bool:
    return len(_parts(choice)) > 1 and _parts(choice)[0] == this


def _ends(choice: PrecedenceChoice, this: Sym) -> bool:
    return len(_parts(choice)) > 1 and _parts(choice)[-1] == this


def _with_ends(choice: PrecedenceChoice, this: Sym, first: Sym, last: Sym) -> Expr:
    """Return an alternative with the operands at its ends replaced by certain levels."""
    parts = list(_parts(choice))
    if _ends(choice, this):
        parts[-1] = last
    if _starts(choice, this):
        parts[0] = first
    return Seq(tuple(parts))
