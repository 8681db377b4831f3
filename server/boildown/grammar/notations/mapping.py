"""Reads grammars in the format of the Fuzzing Book: a mapping from nonterminals to alternatives.

A nonterminal is a name in angle brackets; an alternative is a string in which nonterminals stand
among literal text, a list of symbols, or a pair of one of these and options. The labels of trees
are the names without the brackets.

Names in upper case are tokens: their subtrees are leaves. Of the options, `priority` (a number; of
two alternatives that fit, the higher wins) means something here, the others are for fuzzers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from boildown.grammar import ir
from boildown.grammar.ir import Expr, Grammar, GrammarError, line_and_column

_SYMBOL = re.compile(r"<([^<> ]+)>")


def read_mapping(
    mapping: Mapping[str, Sequence[Any]], name: str = "mapping", start: str | None = None
) -> Grammar:
    """Return the grammar that a mapping describes.

    `name` stands in messages. The start symbol is `<start>`, or else the first one. Raises
    `GrammarError`.
    """
    rules: dict[str, Expr] = {}
    if not isinstance(mapping, Mapping) or not mapping:
        raise GrammarError(name, "a grammar is a mapping from nonterminals to lists of expansions")
    for key, expansions in mapping.items():
        symbol = _SYMBOL.fullmatch(key) if isinstance(key, str) else None
        if symbol is None:
            raise GrammarError(name, f"{key!r} is no nonterminal, such as '<digit>'")
        if isinstance(expansions, str) or not isinstance(expansions, Sequence):
            raise GrammarError(name, f"the expansions of {key} must be a list")
        rules[symbol[1]] = _alternatives(name, key, expansions)
    start = (start or "start").strip("<>")
    if start not in rules and start == "start":
        start = next(iter(rules))
    tokens = frozenset(rule for rule in rules if rule.isupper())
    grammar = Grammar(rules, start, longest=False, atomic=tokens, name=name)
    ir.check(grammar, lambda _piece: (0, 0))
    return grammar


def read_mapping_json(text: str, name: str = "grammar.json", start: str | None = None) -> Grammar:
    """Return the grammar that a JSON text in this format describes. Raises `GrammarError`."""
    try:
        mapping = json.loads(text, object_pairs_hook=partial(_unique, name))
    except GrammarError as error:
        raise _located(error, text) from None
    except ValueError as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        raise GrammarError(
            name, f"not JSON: {getattr(error, 'msg', error)}", line, column
        ) from None
    except RecursionError:
        raise GrammarError(name, "the JSON is nested too deeply") from None
    try:
        return read_mapping(mapping, name, start)
    except GrammarError as error:
        raise _located(error, text) from None


def _unique(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of some JSON pairs; raise `GrammarError` if a key is there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise GrammarError(name, f"{twice} is there twice")
    return found


def _alternatives(name: str, key: str, expansions: Sequence[Any]) -> Expr:
    if not expansions:
        raise GrammarError(name, f"{key} has no expansions")
    choices: list[tuple[float, int, Expr]] = []
    for expansion in expansions:
        body, priority = expansion, 0
        if _is_pair(expansion):
            body, options = expansion
            priority = options.get("priority") or 0
            if not isinstance(priority, int | float):
                raise GrammarError(name, f"the priority of {key} is no number: {priority!r}")
        choices.append((-priority, len(choices), _sequence(name, key, body)))
    ordered = [choice for _, _, choice in sorted(choices, key=lambda choice: choice[:2])]
    return ordered[0] if len(ordered) == 1 else ir.Alt(tuple(ordered))


def _is_pair(expansion: Any) -> bool:
    return (
        isinstance(expansion, Sequence)
        and not isinstance(expansion, str)
        and len(expansion) == 2
        and isinstance(expansion[1], Mapping)
    )


def _sequence(name: str, key: str, body: Any) -> Expr:
    pieces: list[str] = []
    if isinstance(body, str):
        pieces = re.split(r"(<[^<> ]+>)", body)
    elif isinstance(body, Sequence) and all(isinstance(piece, str) for piece in body):
        pieces = list(body)
    else:
        raise GrammarError(name, f"an expansion of {key} is no text, list or pair: {body!r}")
    items: list[Expr] = []
    for piece in filter(None, pieces):
        symbol = _SYMBOL.fullmatch(piece)
        items.append(ir.Lit(piece) if symbol is None else ir.Sym(symbol[1]))
    return items[0] if len(items) == 1 else ir.Seq(tuple(items))


def _located(error: GrammarError, text: str) -> GrammarError:
    """Return the error with the place of the first nonterminal that it names."""
    named = re.search(r"<[^<> ]+>|'[^']+'", error.reason)
    offset = -1 if named is None else text.find(f"<{named[0].strip('<>' + chr(39))}>")
    place = (0, 0) if offset < 0 else line_and_column(text, offset)
    return GrammarError(error.name, error.reason, *place)
