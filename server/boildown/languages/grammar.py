"""A language that a context-free grammar describes: parser, sampler and substitution in one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import NO_REWRITING, Check, Expansions, Parsed, Rewriting
from boildown.grammar import Facts, Grammar, Parser, ParseSuccess, Repaired, Sampler
from boildown.grammar.parsing.automaton import TooLarge
from boildown.grammar.parsing.recovery import ERROR
from boildown.languages.plain import Plain, plain_tree
from boildown.tree import Kind, Leaf, Node, Place, Tree, replace

_NOTES = 5
"""The most notes on a grammar that are shown; more are only counted."""


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

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the grammar alone: the tables of the parser are made anew."""
        scope = dict(self.scope)
        return grammar_language, (self.grammar, self.name, scope, self.rewriting, self.words)

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
            return Parsed(result.tree, self._left_out())
        note = (
            f"This is no valid {self.name} by its grammar ({result}); parts are read as plain text."
        )
        tree = _with_plain_errors(text, self.parser.recover(text))
        return Parsed(tree, (*self._left_out(), note), valid=False)

    def _left_out(self) -> tuple[str, ...]:
        """Return the notes on features of the grammar that are ignored, at most a few."""
        notes = self.grammar.notes
        more = len(notes) - _NOTES
        return (*notes[:_NOTES], f"and {more} more of this kind") if more > 0 else notes

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot` by the grammar."""
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

    def checker(self, text: str) -> Check:
        """Return the test that every text passes: edits of the tree keep the grammar."""
        return lambda _candidate, _best: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text that a label derives, of about `budget` tokens at most."""
        return self.sampler.sample(label, rng, budget)


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
) -> GrammarLanguage:
    """Make a language of a grammar.

    `scope` names the nonterminals that define an identifier and that use it, by `defines` and
    `uses`.
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
    )
