"""Restrictions of grammars: tokens without some of their matches, rules that derive some text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from boildown.grammar import ir
from boildown.grammar.ir import EMPTY, Alt, Expr, Grammar, Lit, Opt, Regex, Repeat, Seq, Sym

NOTHING = Alt(())
"""The expression that derives no text."""


@dataclass(frozen=True, slots=True)
class NarrowRegex(Regex):
    """A regular expression without some of its matches; `pattern` says all of it with look-ahead.

    The look-ahead goes to the end of the text, to see where the plain expression would stop.
    """

    plain: str = ""
    """The regular expression before anything was left out."""
    without: str = ""
    """Characters that a match has none of."""
    texts: tuple[str, ...] = ()
    """Matches that are left out."""


def token(
    plain: str,
    without: str = "",
    texts: Iterable[str] = (),
    words: Iterable[str] = (),
    only: str = "",
) -> Regex:
    """Return a token with some of the matches of a regular expression.

    Those with certain characters, some texts, and some words are left out; `only` is the one word
    that it may be. A word may stand between quotes and the like.

    >>> import re
    >>> re.match(token("[a-z]+", texts=["if", "in"]).pattern, "in"), token("[a-z]+")
    (None, Regex(pattern='[a-z]+'))
    >>> re.match(token("[a-z]+", texts=["if", "in"]).pattern, "int")[0]
    'int'
    """
    texts = tuple(texts)
    refused = [*map(re.escape, texts), *map(_spelled, words)]
    if not (without or refused or only):
        return Regex(plain)
    ahead = f"(?=(?:{plain})(?P<rest>[\\s\\S]*)\\Z)"
    if refused:
        ahead += f"(?!(?:{'|'.join(refused)})(?P=rest)\\Z)"
    inner = _spelled(only) if only else f"[^{_listed(without)}]+" if without else plain
    return NarrowRegex(f"{ahead}(?:{inner})(?=(?P=rest)\\Z)", plain, without, texts)


def _spelled(word: str) -> str:
    """Return a regular expression of the texts that are a word, between quotes or not."""
    return rf"[^\w*]*{re.escape(word)}[^\w*]*"


def _listed(characters: str) -> str:
    """Return characters as they can stand in a class of a regular expression."""
    return "".join(f"\\{each}" if each in r"\]^-[" else each for each in characters)


def apart(grammar: Grammar) -> dict[str, ir.Terminal]:
    """Return the terminals of a grammar, none of which matches a fixed text of its rules.

    That is what the choice of the longest token comes to, where a fixed text wins over others.
    """
    if not grammar.longest:
        return dict(grammar.terminals)
    fixed = {each.text for each in ir.parts(grammar.rules.values()) if isinstance(each, Lit)}
    found = {}
    for name, terminal in grammar.terminals.items():
        pattern = terminal.pattern
        if isinstance(pattern, Regex) and name not in grammar.ignore:
            taken = sorted(each for each in fixed if re.fullmatch(pattern.pattern, each))
            terminal = replace(terminal, pattern=token(pattern.pattern, texts=taken))
        found[name] = terminal
    return found


def useful(rules: Mapping[str, Expr], starts: Iterable[str], base: Grammar) -> dict[str, Expr]:
    """Return the rules that some text needs, without alternatives that derive none."""
    productive: set[str] = set(base.terminals)
    grown = True
    while grown:
        more = {name for name, expr in rules.items() if _derives(expr, productive)}
        grown = not more <= productive
        productive |= more
    found: dict[str, Expr] = {}
    pending = [name for name in starts if name in productive]
    while pending:
        name = pending.pop()
        if name in found or name not in rules:
            continue
        found[name] = _pruned(rules[name], productive)
        pending += [each.name for each in ir.parts([found[name]]) if isinstance(each, Sym)]
    return found


def _derives(expr: Expr, productive: set[str]) -> bool:
    """Say whether an expression derives some text."""
    if isinstance(expr, Sym):
        return expr.name in productive
    if isinstance(expr, Seq):
        return all(_derives(each, productive) for each in expr.items)
    if isinstance(expr, Alt):
        return any(_derives(each, productive) for each in expr.choices)
    return not isinstance(expr, Repeat) or expr.min == 0 or _derives(expr.item, productive)


def _pruned(expr: Expr, productive: set[str]) -> Expr:
    """Return an expression without alternatives that derive no text."""
    if isinstance(expr, Seq):
        return ir.seq([_pruned(each, productive) for each in expr.items])
    if isinstance(expr, Alt):
        kept = [each for each in expr.choices if _derives(each, productive)]
        return ir.alt(_pruned(each, productive) for each in kept)
    if isinstance(expr, Opt | Repeat) and not _derives(expr.item, productive):
        return EMPTY
    if isinstance(expr, Opt):
        return ir.opt(_pruned(expr.item, productive))
    if isinstance(expr, Repeat):
        item = _pruned(expr.item, productive)
        between = None if expr.separator is None else _pruned(expr.separator, productive)
        if between is None and item == EMPTY:
            return EMPTY
        return replace(expr, item=item, separator=between)
    return expr
