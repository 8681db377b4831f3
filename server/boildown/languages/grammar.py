"""A language that a context-free grammar describes: parser, sampler and substitution in one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import NO_REWRITING, Check, Expansions, Parsed, Rewriting
from boildown.grammar import Facts, Grammar, Parser, ParseSuccess, Repaired, Sampler
from boildown.grammar.parsing.automaton import TooLarge
from boildown.grammar.parsing.recovery import ERROR
from boildown.languages.folder import INSIDE
from boildown.languages.plain import Plain, plain_tree
from boildown.tree import Kind, Leaf, Node, Place, Tree, places, replace

_NOTES = 5
"""The most notes on a grammar that are shown; more are only counted."""
_WORD = re.compile(r"\w+|[^\w\s]")
_NEAR = 80
"""Characters on either side of a place in which the words around it are looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class GrammarLanguage:
    """Parses, edits and generates by a grammar. Compared by identity."""

    name: str
    gap: str
    grammar: Grammar
    parser: Parser
    facts: Facts
    sampler: Sampler
    scope: Mapping[str, str] = field(default_factory=dict)
    """The nonterminals that define an identifier and that use it, by `defines` and `uses`."""
    rewriting: Rewriting = NO_REWRITING
    words: tuple[str, ...] = ()
    strict: bool = False
    inside: Mapping[str, str] = field(default_factory=dict)
    """The leaves that may hold a text of another symbol, as `language.toml` has them."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the grammar alone: the tables of the parser are made anew."""
        scope = dict(self.scope)
        made_of = (self.grammar, self.name, scope, self.rewriting, self.words, dict(self.inside))
        return grammar_language, made_of

    def parse(self, text: str) -> Parsed:
        """Return the derivation tree; of a text that is not in the language, a repaired one.

        Tokens that no repair gives a place are read as plain text. The note names line and column
        of the first fault, and the tokens that were expected there.
        """
        try:
            return self._parsed(text)
        except TooLarge:
            note = f"The grammar of {self.name} is too large for this text; it is read plain."
            return Parsed(plain_tree(text, 0, len(text)), (*self._left_out(), note), valid=False)

    def _parsed(self, text: str) -> Parsed:
        result = self.parser.parse(text)
        if isinstance(result, ParseSuccess):
            return Parsed(self._opened(result.tree, text), self._left_out())
        note = (
            f"This is no valid {self.name} by its grammar ({result}); parts are read as plain text."
        )
        tree = self._opened(_with_plain_errors(text, self.parser.recover(text)), text)
        return Parsed(tree, (*self._left_out(), note), valid=False)

    def _opened(self, tree: Tree, text: str) -> Tree:
        """Return the tree of a text in which leaves with a text of their own are parsed again."""
        if not self.inside:
            return tree
        label, start, looks, blank = (self.inside[key] for key in INSIDE)
        looks_like = re.compile(looks)
        if looks_like.search(text) is None:
            return tree
        edits: list[tuple[Place, Tree]] = []
        for place in places(tree):
            leaf = place.tree
            if leaf.label != label or isinstance(leaf, Node) or not looks_like.match(leaf.text):
                continue
            blanked = re.sub(blank, lambda match: " " * len(match[0]), leaf.text)
            found = self.parser.parse(blanked, start)
            if isinstance(found, ParseSuccess):
                edits.append((place, _moved(found.tree, leaf)))
        return replace(tree, edits)

    def _left_out(self) -> tuple[str, ...]:
        """Return the notes on features of the grammar that are ignored, at most a few."""
        notes = self.grammar.notes
        more = len(notes) - _NOTES
        return (*notes[:_NOTES], f"and {more} more of this kind") if more > 0 else notes

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot` by the grammar."""
        if self.inside:
            # A leaf with a text of its own may stand wherever such a leaf may.
            outside = {self.inside["start"]: self.inside["label"]}
            slot, label = outside.get(slot, slot), outside.get(label, label)
        if self.facts.knows(slot) or self.facts.knows(label):
            return self.facts.fits(slot, label)
        return Plain().fits(slot, label)

    def shortest(self, label: str) -> str | None:
        """Return the shortest text that a label derives; None if the grammar has no such label."""
        return self.facts.shortest(label)

    def expansions(self, label: str) -> Expansions | None:
        """Return the productions of a nonterminal in the grammar's order; None for a token."""
        found = self.facts.alternatives(label)
        return None if found is None else Expansions(*found)

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return nothing: the productions tell it."""
        return ()

    def valid(self, text: str) -> bool:
        """Say whether a text is in the language; nothing is repaired for that."""
        try:
            return isinstance(self.parser.parse(text), ParseSuccess)
        except TooLarge:
            return False

    def forms(self, text: str) -> Set[tuple[str, str]] | None:
        """Return the parts of a text that the grammar has no place for, as children of nothing.

        Where something is missing, the words around the place. None if the grammar is too large
        for the text.
        """
        faults = self._faults(text)
        if faults is None:
            return None
        return {("", text[a:b]) if a < b else _words_around(text, a) for a, b in faults}

    def share_in_error(self, text: str) -> float:
        """Return the share of a text that the grammar has no place for; 1 if that is not known."""
        faults = self._faults(text)
        return 1.0 if faults is None else sum(b - a for a, b in faults) / max(len(text), 1)

    def _faults(self, text: str) -> tuple[tuple[int, int], ...] | None:
        try:
            valid = isinstance(self.parser.parse(text), ParseSuccess)
            return () if valid else self.parser.recover(text).faults
        except TooLarge:
            return None

    def checker(self, text: str) -> Check:
        """Return the test that every text passes: edits of the tree keep the grammar."""
        return lambda _candidate, _best: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text that a label derives, of about `budget` tokens at most."""
        return self.sampler.sample(label, rng, budget)


def _moved(tree: Tree, leaf: Leaf) -> Tree:
    """Return a tree with the texts of a leaf that is as long, and at its place."""
    edits: list[tuple[Place, Tree]] = []
    for place in places(tree):
        if isinstance(place.tree, Leaf):
            start, end = place.span
            prefix = leaf.text[place.start : start] if edits else leaf.prefix
            at = leaf.start + start if leaf.start >= 0 else -1
            edits.append((place, Leaf(place.tree.label, leaf.text[start:end], prefix, at)))
    return replace(tree, edits)


def _words_around(text: str, place: int) -> tuple[str, str]:
    """Return the words or marks before and behind a place; empty at an end of the text."""
    before, behind = text[max(0, place - _NEAR) : place], text[place : place + _NEAR]
    return "".join(_WORD.findall(before)[-1:]), "".join(_WORD.findall(behind)[:1])


def _with_plain_errors(text: str, repaired: Repaired) -> Tree:
    """Return the tree with lists of plain tokens in place of the leaves in error."""
    edits: list[tuple[Place, Tree]] = []
    for place in _errors(repaired):
        block = plain_tree(text, place.start, place.end).children[0]
        if isinstance(block, Node) and block.width == place.tree.width:
            errors = Node(ERROR, block.children, Kind.LIST, separated=block.separated)
            edits.append((place, errors))
    return replace(repaired.tree, edits)


def _errors(repaired: Repaired) -> Iterator[Place]:
    """Yield the places of leaves in error; visits only subtrees that a fault overlaps."""
    ends = [end for start, end in repaired.faults if start < end]
    stack = [Place(repaired.tree, 0)]
    while stack:
        place = stack.pop()
        after = bisect_right(ends, place.start)
        if after < len(ends) and ends[after] <= place.end:
            if place.tree.label == ERROR and isinstance(place.tree, Leaf):
                yield place
            stack += place.children()


def grammar_language(
    grammar: Grammar,
    name: str,
    scope: Mapping[str, str] | None = None,
    rewriting: Rewriting | None = None,
    words: tuple[str, ...] = (),
    inside: Mapping[str, str] | None = None,
) -> GrammarLanguage:
    """Make a language of a grammar.

    `scope` names the nonterminals that define an identifier and that use it, by `defines` and
    `uses`; `inside` the leaves that hold a text of another symbol (see `folder.About`).
    """
    parser = Parser(grammar)
    facts = Facts(grammar, parser)
    sampler = Sampler(grammar, parser)
    return GrammarLanguage(
        name,
        facts.gap,
        grammar,
        parser,
        facts,
        sampler,
        scope or {},
        rewriting or NO_REWRITING,
        words,
        inside=inside or {},
    )
