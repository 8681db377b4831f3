"""Grammars of patterns and of laws: the grammar of a language, specialized to their texts.

A condition on a hole that a grammar can say becomes copies of the rules below the hole, in which
what it forbids is left out. A law on the parts that an input has becomes copies of the rules that
can reach such a part: of a list, one item has it. Source: R. Gopinath, H. Nemati and A. Zeller,
Input Algebras, ICSE 2021.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias, runtime_checkable

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.laws.features import Named
from boildown.engine.laws.law import Law
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.notation import BARE
from boildown.engine.laws.parts import ANY
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Except,
    Lacking,
    Without,
    is_literal_label,
)
from boildown.engine.patterns.hole import Hole
from boildown.engine.patterns.pattern import Pattern
from boildown.grammar import ir
from boildown.grammar.ir import Alt, Expr, Grammar, Lit, Opt, Regex, Repeat, Seq, Sym
from boildown.grammar.restriction import NOTHING, token, useful

NOT_EMPTY = Except(("",))
"""The condition that there is some text."""
MOST_WANTED = 3
"""Parts that a rule of a law may ask for: each doubles the copies of the rules."""


class NotContextFree(Exception):  # noqa: N818 - an answer, not an error
    """A pattern or a law that is not written as a context-free grammar; the message says why."""


@runtime_checkable
class Grammatical(Protocol):
    """A language that is described by a context-free grammar."""

    @property
    def grammar(self) -> Grammar:
        """The grammar."""


def grammar_of(language: Language) -> Grammar:
    """Return the grammar of a language.

    Raises:
        NotContextFree: it has none.
    """
    if not isinstance(language, Grammatical):
        raise NotContextFree(f"{language.name} is not read by a grammar of Boildown's.")
    return language.grammar


def grammar_of_pattern(pattern: Pattern) -> Grammar:
    """Return a grammar of the texts of a pattern.

    Raises:
        NotContextFree: a hole has a condition that no rules can say, or equals another one.
    """
    made = Restricted(grammar_of(pattern.template.language))
    if pattern.covarying:
        raise NotContextFree("Two of its holes must hold the same text.")
    words: list[Expr] = []
    at, end = pattern.shown
    for hole in pattern.holes:
        words += [Lit(each) for each in _tokens(pattern, at, hole.start)]
        words.append(_standing(made, hole))
        at = hole.end
    words += [Lit(each) for each in _tokens(pattern, at, end)]
    if not pattern.anywhere:
        return made.grammar(ir.seq(words))
    label = trees.place_at(pattern.template.tree, pattern.core).tree.label
    made.parts[label] = ir.seq(words)
    return made.grammar(made.made(Sym(made.base.start), frozenset({PartAsked(label)})))


def _standing(made: Restricted, hole: Hole) -> Expr:
    """Return the expression of a hole with the separators around it."""
    for condition in hole.conditions:
        if condition != NOT_EMPTY and not isinstance(condition, Without | Lacking | Alternatives):
            raise NotContextFree(f"{hole} is a condition on a text, not on its rules.")
    found = made.hole(hole)
    if hole.items is None:
        return found
    around = [Lit(each.strip()) for each in (hole.before, hole.after)]
    parts = (around[0], found, around[1])
    return ir.opt(ir.seq(each for each in parts if each != Lit("")))


def _tokens(pattern: Pattern, start: int, end: int) -> Iterator[str]:
    """Yield the tokens between two offsets of a pattern's text."""
    at = 0
    for leaf in trees.leaves(pattern.template.tree):
        at += len(leaf.prefix)
        if start <= at and at + len(leaf.text) <= end and leaf.text:
            yield leaf.text
        at += len(leaf.text)


def grammar_of_law(law: Law) -> Grammar:
    """Return a grammar of the texts for which a law holds.

    Raises:
        NotContextFree: it asks more than which parts there are, and not so many of them.
    """
    grammar = grammar_of(law.language)
    naming = dict(law.naming)
    made: list[Grammar] = []
    for number, rule in enumerate(law.rules, 1):
        wanted = [each for each in rule if not each.negated]
        if len(wanted) > MOST_WANTED:
            raise NotContextFree(f"It asks for {len(wanted)} parts at once.")
        banned = [_fragment(each, grammar, naming) for each in rule if each.negated]
        reached = [_fragment(each, grammar, naming) for each in wanted]
        below = Restricted(grammar, tuple(banned), f"_{number}")
        made.append(below.grammar(below.made(Sym(grammar.start), frozenset(reached))))
    start = ir.alt(each.rules[each.start] for each in made)
    rules = {name: expr for each in made for name, expr in each.rules.items()}
    return replace(made[0], rules={**rules, made[0].start: start})


@dataclass(frozen=True, slots=True)
class PartAsked:
    """The parts with a label, and with a word at their beginning if one is given."""

    label: str
    head: str = ""
    """The label of the token that is the word."""
    word: str = ""


def _fragment(literal: Atom, grammar: Grammar, naming: Mapping[str, str]) -> PartAsked:
    """Return the parts that a literal asks for."""
    chosen = literal.feature.a
    if literal.feature.kind != "texts" or literal.test != "exists" or chosen.where:
        plain = replace(literal, negated=False)
        raise NotContextFree(f"{plain} asks more than whether a part stands somewhere.")
    step = _meant(chosen.step, grammar, naming)
    if step.label in grammar.labels.values():
        raise NotContextFree(f"{step} is on several levels of precedence.")
    if is_literal_label(step.label):
        raise NotContextFree(f"{step} is a fixed token.")
    if step.word is None:
        return PartAsked(step.label)
    if naming.get(step.label) not in grammar.terminals:
        raise NotContextFree(f"The grammar has no one token that names a {step.label}.")
    return PartAsked(step.label, naming[step.label], step.word)


def _meant(step: Named, grammar: Grammar, naming: Mapping[str, str]) -> Named:
    if step.label != BARE and step.label != ANY:
        return step
    if step.word in grammar.rules or step.word in grammar.terminals:
        return Named(step.word or "")
    owners = [label for label in naming if label in grammar.rules]
    fixed = ir.parts(grammar.rules.values())
    if len(owners) != 1 or any(isinstance(each, Lit) and each.text == step.word for each in fixed):
        raise NotContextFree(f"{step} may be parts of several sorts.")
    return Named(owners[0], step.word)


_Key: TypeAlias = tuple[str, frozenset[PartAsked], frozenset[Condition]]
"""A rule, the parts that its texts have, and the conditions that they meet."""


@dataclass(slots=True)
class Restricted:
    """A maker of copies of a grammar's rules, in which parts are left out or asked for."""

    base: Grammar
    banned: tuple[PartAsked, ...] = ()
    """Parts that no text has."""
    suffix: str = ""
    """What stands behind the names of the copies."""
    parts: dict[str, Expr] = field(default_factory=dict)
    """The texts that a part that is asked for has to be, by its label; any of it if none are."""
    rules: dict[str, Expr] = field(default_factory=dict)
    """The copies that were made so far."""
    origins: dict[str, str] = field(default_factory=dict)
    """The rules that they are copies of."""
    _names: dict[_Key, str] = field(default_factory=dict)
    """The copies by the rule, and by what its texts have and have not."""
    _pending: list[_Key] = field(default_factory=list)
    """The copies that have to be made yet."""

    def hole(self, hole: Hole) -> Expr:
        """Return the expression of a hole's values; conditions that are not on rules are left out.

        Raises NotContextFree.
        """
        expr = self._hole(hole)
        self._complete()
        return expr

    def _hole(self, hole: Hole) -> Expr:
        expr = self._known(hole.label)
        body = self.base.rules.get(expr.name, expr) if isinstance(expr, Sym) else expr
        if hole.items is not None or NOT_EMPTY in hole.conditions:
            if isinstance(body, Repeat):
                expr = replace(body, min=max(body.min, 1))
            elif isinstance(body, Opt):
                expr = body.item
        told = frozenset(each for each in hole.conditions if isinstance(each, Without | Lacking))
        for condition in hole.conditions:
            if isinstance(condition, Alternatives):
                return ir.alt(self.made(each, told=told) for each in self._chosen(expr, condition))
        return self.made(expr, told=told, is_root=True)

    def _known(self, label: str) -> Expr:
        """Return the expression with a label."""
        if label in self.base.rules or label in self.base.terminals:
            return Sym(label)
        for expr in ir.parts(self.base.rules.values()):
            if ir.label(expr) == label:
                return expr
        raise NotContextFree(f"{label} is no rule of the grammar.")

    def _chosen(self, expr: Expr, condition: Alternatives) -> Iterator[Expr]:
        body = self.base.rules.get(expr.name, expr) if isinstance(expr, Sym) else expr
        left = set(condition.shapes)
        for choice in body.choices if isinstance(body, Alt) else (body,):
            shape = tuple(map(self._label, choice.items if isinstance(choice, Seq) else (choice,)))
            if shape in left:
                left.discard(shape)
                yield choice
        if left:
            raise NotContextFree(f"{condition} are no alternatives of {ir.label(expr)}.")

    def _label(self, expr: Expr) -> str:
        name = ir.label(expr)
        return self.base.labels.get(name, name)

    def made(
        self,
        expr: Expr,
        wanted: frozenset[PartAsked] = frozenset(),
        told: frozenset[Condition] = frozenset(),
        is_root: bool = False,
    ) -> Expr:
        """Return an expression for the texts that have all wanted parts, and none of the others.

        `told` are the conditions on holes that such a text meets; at the root of a hole those on
        what stands outside of its own label are kept.
        """
        label = self._label(expr)
        told = frozenset(self._inherited(label, told, is_root))
        if any(_bans(each, label) for each in told) or PartAsked(label) in self.banned:
            return NOTHING
        asked = PartAsked(label)
        if asked in wanted and label in self.parts:
            return ir.alt((self.parts[label], self._below(expr, wanted, told)))
        return self._below(expr, wanted - {asked}, told)

    def _below(self, expr: Expr, wanted: frozenset[PartAsked], told: frozenset[Condition]) -> Expr:
        """Return an expression for the texts in which the wanted parts are below the node."""
        if not (wanted or told or self.banned):
            return expr
        if isinstance(expr, Sym) and expr.name in self.base.rules:
            return self._rule(expr.name, wanted, told)
        if isinstance(expr, Sym | Lit | Regex):
            return NOTHING if wanted else self._token(expr, told)
        if isinstance(expr, Alt):
            return ir.alt(self.made(each, wanted, told) for each in expr.choices)
        if isinstance(expr, Opt):
            inner = self.made(expr.item, wanted, told)
            return inner if wanted else ir.opt(inner)
        if isinstance(expr, Seq):
            return self._sequence(expr, wanted, told)
        return self._list(expr, wanted, told)

    def _inherited(
        self, label: str, told: Iterable[Condition], is_root: bool
    ) -> Iterator[Condition]:
        """Yield the conditions that count below a node with a label."""
        for each in told:
            if isinstance(each, Without) and each.inside == label:
                yield Without(each.characters)
            if is_root or not (isinstance(each, Lacking) and each.outside == label):
                yield each

    def _rule(self, name: str, wanted: frozenset[PartAsked], told: frozenset[Condition]) -> Sym:
        """Return the symbol of a copy of a rule, which is made later: rules may lead far."""
        key = name, wanted, told
        if key not in self._names:
            copy = self._names[key] = f"{name}{self.suffix}_{len(self._names) + 1}"
            self.origins[copy] = name
            self._pending.append(key)
        return Sym(self._names[key])

    def _complete(self) -> None:
        """Make the copies of rules that are named and not there yet. Raises NotContextFree."""
        while self._pending:
            key = self._pending.pop()
            self.rules[self._names[key]] = self._copy(*key)

    def _copy(self, name: str, wanted: frozenset[PartAsked], told: frozenset[Condition]) -> Expr:
        """Return the body of a copy of a rule."""
        label = self.base.labels.get(name, name)
        mine = {each.word: each.head for each in self.banned if each.word and each.label == label}
        excluded = [*mine]
        body = self.base.rules[name]
        for head in mine.values():
            body = _headed(body, head, self._head(head, excluded))
        ways = [self.made(body, wanted, told)]
        for each in sorted(wanted, key=str):
            if each.word and each.label == label:
                named = self._head(each.head, excluded, each.word)
                own = _headed(self.base.rules[name], each.head, named)
                ways.append(self.made(own, wanted - {each}, told))
        return ir.alt(ways)

    def _head(self, head: str, excluded: Iterable[str], only: str = "") -> Regex:
        """Return the token that is the word of a part."""
        plain = ir.source(self.base.terminals[head].pattern)
        return token(plain, words=excluded, only=only)

    def _token(self, expr: Sym | Lit | Regex, told: frozenset[Condition]) -> Expr:
        pattern = self.base.terminals[expr.name].pattern if isinstance(expr, Sym) else expr
        without = "".join(sorted({char for each in told if isinstance(each, Without)
                                  and not each.inside for char in each.characters}))  # fmt: skip
        texts = sorted(each.text for each in told
                       if isinstance(each, Lacking) and each.label == ir.label(expr))  # fmt: skip
        if not without and not texts:
            return expr
        if isinstance(pattern, Lit):
            bad = pattern.text in texts or any(char in pattern.text for char in without)
            return NOTHING if bad else expr
        return token(pattern.pattern, without, texts)

    def _sequence(
        self, expr: Seq, wanted: frozenset[PartAsked], told: frozenset[Condition]
    ) -> Expr:
        """Return the sequences in which each wanted part is in some item."""
        listed = sorted(wanted, key=str)
        ways = []
        for places in itertools.product(range(len(expr.items)), repeat=len(listed)):
            asked = [frozenset(part for part, at in zip(listed, places, strict=True) if at == index)
                     for index in range(len(expr.items))]  # fmt: skip
            pairs = zip(expr.items, asked, strict=True)
            ways.append(ir.seq([self.made(item, parts, told) for item, parts in pairs]))
        return ir.alt(ways)

    def _list(self, expr: Repeat, wanted: frozenset[PartAsked], told: frozenset[Condition]) -> Expr:
        """Return the lists of which some items have the wanted parts."""
        item = self.made(expr.item, told=told)
        between = None if expr.separator is None else self.made(expr.separator, told=told)
        if not wanted:
            return Repeat(item, expr.min, expr.max, between)
        if expr.min > 1 or expr.max is not None:
            raise NotContextFree(f"{ir.label(expr)} has a certain length.")
        some, and_then = Repeat(item, 1, None, between), () if between is None else (between,)
        ways = []
        for count in range(1, len(wanted) + 1):
            for chosen in map(frozenset, itertools.combinations(sorted(wanted, key=str), count)):
                first = self.made(expr.item, chosen, told)
                rest = wanted - chosen
                after = Seq((*and_then, self._list(expr, rest, told) if rest else some))
                parts = (Opt(Seq((some, *and_then))), first, after if rest else Opt(after))
                ways.append(Seq(parts))
        return ir.alt(ways)

    def grammar(self, start: Expr) -> Grammar:
        """Return the grammar of an expression, with the rules that it needs.

        Raises NotContextFree.
        """
        if self.base.same:
            raise NotContextFree("Two names around one element must be the same.")
        self._complete()
        name = f"inputs{self.suffix}"
        found = useful({**self.base.rules, **self.rules, name: start}, [name], self.base)
        if name not in found:
            raise NotContextFree("No text follows its grammar.")
        return replace(self.base, rules=found, start=name)


def _bans(condition: Condition, label: str) -> bool:
    return isinstance(condition, Lacking) and not condition.text and condition.label == label


def _headed(expr: Expr, head: str, named: Regex) -> Expr:
    """Return the body of a rule with another token in place of the first of a label."""
    if isinstance(expr, Alt):
        return Alt(tuple(_headed(each, head, named) for each in expr.choices))
    if isinstance(expr, Seq):
        items = list(expr.items)
        if Sym(head) in items:
            items[items.index(Sym(head))] = named
        return Seq(tuple(items))
    return named if expr == Sym(head) else expr
