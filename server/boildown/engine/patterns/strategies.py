"""How texts of a pattern are drawn, as plain data that a generated test can interpret.

An expression is a tuple of its kind and its parts; `targets.inputs` writes it into code, with the
function that draws by it. Choices stand by the size of what they lead to, so that the first one
ends soonest: it is what others shrink to, and what is taken where enough was drawn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from boildown.engine.language import Language
from boildown.engine.patterns.conditions import Containing, Except, Numbers
from boildown.engine.patterns.grammars import NOT_EMPTY, NotContextFree, Restricted, grammar_of
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern, whole_bounds
from boildown.grammar import ir
from boildown.grammar.ir import Alt, Expr, Grammar, Lit, Opt, Regex, Repeat, Seq, Sym
from boildown.grammar.restriction import NarrowRegex, apart, useful

Drawn: TypeAlias = "tuple[Any, ...]"
"""An expression: `text`, `token`, `rule`, `any of`, `all of`, `many`, `alike`, `it`, `number`,
`texts`, `but`, `with` or `around`, and its parts."""

START = "hole"
"""What stands before the name of a hole in that of its rule, which no grammar has."""
TEXTS = 8
"""Texts that are listed of a token that no regular expression alone tells."""
DISTANCES = (10**6, 10**4, 1000, 100, 10, 5, 1, 0)
"""How far from its only bound a number is drawn, at most: the first that can stand there."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the holes of a pattern are filled."""

    rules: dict[str, Drawn]
    holes: dict[str, Drawn]
    """By the names of the holes."""
    gap: str
    """White space that may stand between any two tokens, or nothing if none may."""


def drawing(pattern: Pattern, known: Mapping[str, Sequence[str]]) -> Drawing:
    """Return how texts of a pattern are drawn: each hole by the grammar and its conditions.

    `known` are values of each hole, by its name; a hole that no grammar describes is one of these.
    """
    language = pattern.template.language
    holes: dict[str, Drawn] = {name: ("texts", *texts) for name, texts in known.items()}
    try:
        grammar = grammar_of(language)
    except NotContextFree:
        return Drawing({}, holes, "")
    made = Restricted(grammar)
    starts: dict[str, Expr] = {}
    for hole in pattern.holes:
        with suppress(NotContextFree):
            starts[f"{START} {hole.name}"] = made.hole(hole)
    rules = useful({**grammar.rules, **made.rules, **starts}, starts, grammar)
    encoder = _Encoder(language, grammar, rules, made.origins)
    for hole in pattern.holes:
        start = f"{START} {hole.name}"
        if start in rules:
            holes[hole.name] = _hole(pattern, hole, encoder.drawn(rules[start]), known)
    written = {name: encoder.rule(name) for name in rules if name not in starts}
    return Drawing(written, holes, language.gap)


def _hole(pattern: Pattern, hole: Hole, drawn: Drawn, known: Mapping[str, Sequence[str]]) -> Drawn:
    """Return how a hole is filled, whose conditions on rules are met by an expression."""
    for condition in hole.conditions:
        if isinstance(condition, Numbers):
            drawn = _number(pattern, hole, condition) or ("texts", *known[hole.name])
    for condition in hole.conditions:
        if isinstance(condition, Except) and condition != NOT_EMPTY:
            drawn = ("but", list(condition.texts), drawn)
        elif isinstance(condition, Containing):
            drawn = ("with", condition.character, drawn)
    if hole.items is not None:
        if NOT_EMPTY not in hole.conditions:
            drawn = "any of", ("all of",), drawn
        drawn = ("around", hole.before, hole.after, drawn)
    return drawn


def _number(pattern: Pattern, hole: Hole, bounds: Numbers) -> Drawn | None:
    """Return how numbers within bounds are drawn that can stand in a hole; None if none was found.

    What can stand there is found by trying numbers at several distances.
    """
    low, high = whole_bounds(bounds)
    own = pattern.text[hole.start : hole.end]
    width = len(own) if own.isdecimal() and own.startswith("0") and len(own) > 1 else 0

    def stands(number: str) -> bool:
        return pattern.instance({hole.name: number.zfill(width)}) is not None

    lows = [low] if low is not None else [(high or 0) - each for each in DISTANCES]
    highs = [high] if high is not None else [(low or 0) + each for each in DISTANCES]
    least = next((each for each in [*lows, 0, 1] if stands(str(each))), None)
    most = next((each for each in highs if stands(str(each))), None)
    if least is None or most is None or least > most:
        return None
    return "number", least, most, width, not width and least < most and stands(f"{least}.25")


class _Encoder:
    """Writes expressions of a grammar as tuples."""

    def __init__(
        self,
        language: Language,
        grammar: Grammar,
        rules: Mapping[str, Expr],
        origins: Mapping[str, str],
    ) -> None:
        self._language = language
        self._same, self._rules, self._terminals = grammar.same, rules, apart(grammar)
        self._origins = origins
        self._sizes = _sizes(rules)

    def rule(self, name: str) -> Drawn:
        """Return the expression of a rule."""
        drawn = self.drawn(self._rules[name])
        word = self._same.get(self._origins.get(name, name))
        if word is None:
            return drawn
        return "alike", self.drawn(Sym(word)), _with_it(drawn, self.drawn(Sym(word)))

    def drawn(self, expr: Expr) -> Drawn:
        """Return an expression as a tuple."""
        if isinstance(expr, Sym):
            terminal = self._terminals.get(expr.name)
            if terminal is None:
                return "rule", expr.name
            return self._looking_on(expr.name, terminal.pattern) or self.drawn(terminal.pattern)
        if isinstance(expr, Lit):
            return "text", expr.text
        if isinstance(expr, NarrowRegex):
            return "token", _narrowed(expr.plain), expr.without, list(expr.texts)
        if isinstance(expr, Regex):
            looking_on = self._looking_on(ir.label(expr), expr)
            return looking_on or ("token", _narrowed(expr.pattern), "", [])
        if isinstance(expr, Seq):
            return "all of", *map(self.drawn, expr.items)
        if isinstance(expr, Alt):
            ordered = sorted(expr.choices, key=lambda each: _size(each, self._sizes))
            return "any of", *map(self.drawn, ordered)
        if isinstance(expr, Opt):
            return "any of", ("all of",), self.drawn(expr.item)
        between = ("all of",) if expr.separator is None else self.drawn(expr.separator)
        return "many", self.drawn(expr.item), between, expr.min, expr.max

    def _looking_on(self, label: str, pattern: Lit | Regex) -> Drawn | None:
        """Return some texts of a token with look-ahead beyond its end; None for others."""
        drawn = (self._language.sample(label, Random(seed), 3) for seed in range(TEXTS))
        texts = dict.fromkeys(text for text in drawn if text)
        plain = pattern.plain if isinstance(pattern, NarrowRegex) else ir.source(pattern)
        fits = not texts or any(re.fullmatch(plain, text) for text in texts)
        return None if fits else ("texts", *sorted(texts, key=lambda text: (len(text), text)))


def _narrowed(pattern: str) -> str:
    """Return a regular expression without ranges of letters beyond ASCII, if others are left.

    Hypothesis would list each of them, which takes it seconds.
    """
    narrow = re.sub(f"{_WIDE}-{_WIDE}", "", pattern)
    try:
        re.compile(narrow)
    except re.error:
        return pattern
    return narrow


_WIDE = r"(?:[^\x00-\x7f]|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})"


def _with_it(drawn: Drawn, word: Drawn) -> Drawn:
    """Return an expression with one token in all places of an equal one."""
    if drawn == word:
        return ("it",)
    return tuple(_with_it(each, word) if isinstance(each, tuple) else each for each in drawn)


def _sizes(rules: Mapping[str, Expr]) -> dict[str, float]:
    """Return the nodes of the smallest tree of each rule."""
    sizes = dict.fromkeys(rules, math.inf)
    for _ in rules:
        found = {name: 1 + _size(expr, sizes) for name, expr in rules.items()}
        if found == sizes:
            break
        sizes = found
    return sizes


def _size(expr: Expr, sizes: Mapping[str, float]) -> float:
    if isinstance(expr, Sym):
        return sizes.get(expr.name, 0)
    if isinstance(expr, Seq):
        return sum(_size(each, sizes) for each in expr.items)
    if isinstance(expr, Alt):
        return min((_size(each, sizes) for each in expr.choices), default=math.inf)
    return _size(expr.item, sizes) if isinstance(expr, Repeat) and expr.min else 0
