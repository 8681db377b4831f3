"""The protocol between engine and languages: parse, substitutability, sampling.

A language is a value that some module of `boildown.languages` builds: from a grammar, from a
parser for one language, or from nothing but brackets and lines. The engine sees only this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeAlias

from boildown.tree import Tree

LONGEST_PARSED = 1_000_000
"""Characters of the longest text that is parsed as it is.

A tree is some 70 times as large as its text, and takes seconds for each million characters, so a
longer text is reduced without one first (`engine.reducing.outline`).
"""

LONG_TEXT = 20_000
"""Characters from which on less than the whole text is checked."""

Check: TypeAlias = Callable[[str, str], bool]
"""Says whether a candidate, the first, is worth a run; the second is a text that is near to it.

The answer is the same whatever that is, where the original has no errors; it saves the most work.
"""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed text: its tree, and notes for the user."""

    tree: Tree
    """Its text is the parsed text, whatever that was."""
    notes: tuple[str, ...] = ()
    """Sentences for the user, such as where the text does not follow the grammar."""
    valid: bool = True
    """Whether the whole text follows the grammar."""


@dataclass(frozen=True, slots=True)
class Expansions:
    """The alternatives of a nonterminal, as sequences of labels."""

    alternatives: tuple[tuple[str, ...], ...]
    """The labels of each alternative's children, in the grammar's order."""
    endless: bool = False
    """Whether it is an unbounded list: the last two alternatives differ by one more step of it."""


@dataclass(frozen=True, slots=True)
class RewritingRule:
    """A rewriting rule: a replacement for a subtree, by its text."""

    label: str
    """Of the subtrees that it is for."""
    pattern: str
    """A regular expression that is searched for in the subtree's text; `.` matches all."""
    template: str
    """What replaces the match, with groups as `re.sub` has them."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The replacements that people write by hand, and no edit of a tree comes to."""

    literals: tuple[str, ...] = ()
    """Short texts that may stand for a body, a statement, an expression or a type."""
    rules: tuple[RewritingRule, ...] = ()
    mended: Callable[[str], str] | None = None
    """Makes a text valid again of which parts are gone: what is left of their uses gets a plain
    value, what is numbered closes up. A text in which nothing is missing comes back as it is."""


NO_REWRITING = Rewriting()
"""That of a language of which nothing is known."""


class Language(Protocol):
    """How a kind of text is parsed, edited and generated."""

    @property
    def name(self) -> str:
        """The name that the user gives and reads."""

    @property
    def gap(self) -> str:
        """White space that may stand between any two tokens, or nothing if none may."""

    @property
    def scope(self) -> Mapping[str, str]:
        """The labels of subtrees that define a name (`defines`) and use one (`uses`), if known.

        `default` may be a text that stands for a use where nothing is defined.
        """

    @property
    def rewriting(self) -> Rewriting:
        """The literals and rewriting rules that are tried in place of subtrees."""

    @property
    def words(self) -> tuple[str, ...]:
        """Keys and names that inputs of the language often have, as a fuzzer's dictionary does."""

    @property
    def strict(self) -> bool:
        """Whether no candidate at all is run that `checker` refuses, not even one of characters."""

    def parse(self, text: str) -> Parsed:
        """Parse any text; one that does not follow the grammar gets a tree and a note."""

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree labelled `label` may stand where one labelled `slot` stands.

        The question is what the place accepts: `stmt` accepts an `if_stmt`, although the labels
        differ.
        """

    def shortest(self, label: str) -> str | None:
        """Return the shortest text that may stand where a subtree labelled so stands, if known."""

    def expansions(self, label: str) -> Expansions | None:
        """Return the alternatives of a nonterminal; None for a token, or if they are not known."""

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return labels that `fits` accepts in place of one, where no expansions tell them.

        They are those of the texts that `sample` has.
        """

    def valid(self, text: str) -> bool:
        """Say whether a whole text follows the grammar, as `parse` does, without a tree."""

    def checker(self, text: str) -> Check:
        """Return a check of the candidates of a job whose original is `text`.

        Always true where edits keep the grammar by construction; elsewhere, whether a parse has no
        error that `text` did not have.
        """

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of this label of about `budget` tokens at most, if it can."""
