"""A language that a grammar describes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import Expansions, Parsed
from boildown.grammar import Facts, Grammar, Parser, Sampler, Success
from boildown.languages.plain import plain_tree


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
    """Which nonterminals define a name and which use it, by `defines` and `uses`."""

    def parse(self, text: str) -> Parsed:
        """Return the grammar's tree, or the plain tree with a note that says where it went wrong.

        The note names line, column and what could have stood there.
        """
        result = self.parser.parse(text)
        if isinstance(result, Success):
            return Parsed(result.tree)
        note = (
            f"This is no valid {self.name} by its grammar ({result}); parts are read as plain text."
        )
        return Parsed(plain_tree(text), (note,), valid=False)

    def fits(self, slot: str, label: str) -> bool:
        """Say whether the grammar lets one stand for the other."""
        return self.facts.fits(slot, label)

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label; None for one that the grammar does not know."""
        return self.facts.shortest(label)

    def expansions(self, label: str) -> Expansions | None:
        """Return the alternatives of a label in the grammar's order; None for a token."""
        found = self.facts.alternatives(label)
        return None if found is None else Expansions(*found)

    def checker(self, text: str) -> Callable[[str], bool]:
        """Return the test that every text passes: edits of the tree keep the grammar."""
        return lambda _candidate: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, of about `budget` tokens at most."""
        return self.sampler.sample(label, rng, budget)


def grammar_language(
    grammar: Grammar, name: str, scope: Mapping[str, str] | None = None
) -> GrammarLanguage:
    """Make a language of a grammar."""
    facts = Facts(grammar)
    return GrammarLanguage(
        name, facts.gap, grammar, Parser(grammar), facts, Sampler(grammar), scope or {}
    )
