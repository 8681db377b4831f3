"""Writer of grammars in Lark's notation, as Lark itself reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from boildown.grammar import ir
from boildown.grammar.ir import EMPTY, Alt, Expr, Grammar, Opt, Regex, Repeat, Seq, Sym
from boildown.grammar.restriction import apart


def write_lark(grammar: Grammar) -> str:
    """Return a grammar in Lark's notation, the start symbol first, for its Earley parser.

    >>> from boildown.grammar.ir import Lit
    >>> words = Grammar({"start": Repeat(Sym("<word>"), 3), "<word>": Lit("a/b")}, "start")
    >>> print(write_lark(words), end="")
    start: word~2 word+
    word: "a/b"
    """
    used = {each.name for each in ir.parts(grammar.rules.values()) if isinstance(each, Sym)}
    known = {
        name: each for name, each in apart(grammar).items() if name in {*used, *grammar.ignore}
    }
    names = _names(grammar.rules, str.lower) | _names(known, str.upper)
    ordered = sorted(grammar.rules, key=lambda name: name != grammar.start)
    lines = [f"{names[name]}: {_rule(grammar.rules[name], names)}".rstrip() for name in ordered]
    for name, terminal in known.items():
        priority = f".{terminal.priority}" if terminal.priority else ""
        lines.append(f"{names[name]}{priority}: {ir.label(_plain(terminal.pattern, names))}")
    return "".join(
        f"{line}\n" for line in [*lines, *(f"%ignore {names[n]}" for n in grammar.ignore)]
    )


def _names(old: Iterable[str], cased: Callable[[str], str]) -> dict[str, str]:
    """Return names that Lark takes for rules, or for terminals."""
    found: dict[str, str] = {}
    for name in old:
        base = cased(re.sub(r"[^A-Za-z0-9_]", "", name).lstrip("0123456789_") or "x")
        count = 1
        chosen = base
        while chosen in found.values():
            count += 1
            chosen = f"{base}_{count}"
        found[name] = chosen
    return found


def _rule(expr: Expr, names: Mapping[str, str]) -> str:
    return "" if expr == EMPTY else ir.label(_plain(expr, names))


def _plain(expr: Expr, names: Mapping[str, str]) -> Expr:
    """Return an expression with other names, in the forms that Lark knows."""
    if isinstance(expr, Sym):
        return Sym(names[expr.name])
    if isinstance(expr, Regex):
        # Lark ends a regular expression at the first slash without a backslash, and at the line.
        pattern = re.sub(r"(?<!\\)((?:\\\\)*)/", r"\1\/", expr.pattern)
        return Regex(re.sub(r"[\x00-\x1f]", lambda found: f"\\x{ord(found[0]):02x}", pattern))
    if isinstance(expr, Seq):
        return ir.seq(_plain(each, names) for each in expr.items)
    if isinstance(expr, Alt):
        return ir.alt(_plain(each, names) for each in expr.choices)
    if isinstance(expr, Opt):
        return Opt(_plain(expr.item, names))
    if isinstance(expr, Repeat):
        item = _plain(expr.item, names)
        between = None if expr.separator is None else _plain(expr.separator, names)
        if expr.min > 1 and expr.max is None:
            more = item if between is None else Seq((between, item))
            head = Repeat(item, expr.min - 1, expr.min - 1, between)
            return Seq((head, Repeat(more, 1)))
        return replace(expr, item=item, separator=between)
    return expr
