"""Parses texts by a grammar."""

from __future__ import annotations

from dataclasses import dataclass

from boildown.grammar.ir import Grammar
from boildown.tree import Tree


@dataclass(frozen=True, slots=True)
class Success:
    """The text follows the grammar."""

    tree: Tree
    """The tree of the text; its root is labelled by the symbol that was asked for."""
    end: int
    """Offset after the last character that the tree covers, in code points."""
    ambiguous: bool = False
    """Whether the text has other trees; the first alternative and the longest left part won."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The text does not follow the grammar."""

    position: int
    """Offset of the first character that no parse gets past, in code points."""
    line: int
    """Line of that character, from 1."""
    column: int
    """Column of that character in code points, from 1."""
    expected: tuple[str, ...]
    """Labels of the terminals that could have stood there; `end of text` if it could have ended."""
    limited: bool = False
    """Whether parsing was given up because it grew beyond the limit, not because of an error."""

    def __str__(self) -> str:
        if self.limited:
            return f"line {self.line}: the text is too ambiguous for this grammar, gave up here"
        shown = ", ".join(self.expected[:8]) + (", ..." if len(self.expected) > 8 else "")
        return f"line {self.line}, column {self.column}: expected {shown or 'nothing more'}"


class Parser:
    """Parses by one grammar; makes its tables as texts need them and keeps them."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def parse(self, text: str, symbol: str | None = None) -> Success | Failure:
        """Parse the whole text as `symbol` (a nonterminal; the grammar's start if None)."""
        raise NotImplementedError

    def parse_prefix(self, text: str, start: int, symbol: str) -> Success | Failure:
        """Parse the longest piece of the text from offset `start` that is a `symbol`.

        Leaves keep their offsets in the whole text. Ignored text after the piece stays outside.
        """
        raise NotImplementedError
