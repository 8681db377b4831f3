"""What the engine asks of a language: parse a text, say what fits where, make new text.

A language is a value that some module of `boildown.languages` builds: from a grammar, from a
parser for one language, or from nothing but brackets and lines. The engine sees only this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

from boildown.tree import Tree


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tree of a text, and what a person should know of how it was made."""

    tree: Tree
    """Its text is the parsed text, whatever that was."""
    notes: tuple[str, ...] = ()
    """Sentences for the user, such as where the text does not follow the grammar."""
    valid: bool = True
    """Whether the whole text follows the grammar."""


@dataclass(frozen=True, slots=True)
class Expansions:
    """What a nonterminal may stand for."""

    alternatives: tuple[tuple[str, ...], ...]
    """The labels of the children of each, in the grammar's order."""
    endless: bool = False
    """Whether it is a list that may go on with what the last has more than the one before it."""


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
        """The labels of what defines a name (`defines`) and of what uses one (`uses`), if known.

        `default` may be a text that stands for a use where nothing is defined.
        """

    def parse(self, text: str) -> Parsed:
        """Return a tree of any text; a text that does not follow the grammar gets a note."""

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree labelled `label` may stand where one labelled `slot` stands.

        The question is what the place accepts: `stmt` accepts an `if_stmt`, although the labels
        differ.
        """

    def shortest(self, label: str) -> str | None:
        """Return the shortest text that may stand where a subtree labelled so stands, if known."""

    def expansions(self, label: str) -> Expansions | None:
        """Return what a label may stand for; None for a token, or if it is not known."""

    def checker(self, text: str) -> Callable[[str], bool]:
        """Return a test of whether a text that edits made of `text` is worth a run.

        Always true where edits keep the grammar by construction; elsewhere, whether a fresh parse
        has no error that `text` did not have.
        """

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of this label of about `budget` tokens at most, if it can."""
