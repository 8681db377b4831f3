"""The abstract syntax of ANTLR 4 grammar files, nothing interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.grammar.ir import GrammarError, line_and_column


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a rule or a token."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """A set of characters, as the inside of a character class (`[...]`)."""

    inside: str


@dataclass(frozen=True, slots=True)
class Wild:
    """The wildcard `.`: any character, or any token."""


@dataclass(frozen=True, slots=True)
class Not:
    """A negation `~x`: any character or token except some."""

    item: Element


@dataclass(frozen=True, slots=True)
class Group:
    """A choice between alternatives in parentheses."""

    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """A repeated element, with `?`, `*` or `+`; `lazy` if not greedy."""

    item: Element
    operator: str
    lazy: bool


Element: TypeAlias = Ref | Text | Chars | Wild | Not | Group | Times


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative of a rule: a sequence of elements."""

    items: tuple[Element, ...]
    is_right: bool = False
    """Whether the operator in it associates to the right."""
    commands: tuple[tuple[str, str], ...] = ()
    """The lexer commands after `->`, each with its name and its argument."""


@dataclass(frozen=True, slots=True)
class G4Rule:
    """A rule of the parser or the lexer, as it is written."""

    name: str
    alternatives: tuple[Alternative, ...]
    offset: int
    is_fragment: bool = False
    mode: str = ""


@dataclass(slots=True)
class File:
    """A parsed grammar file."""

    name: str
    text: str
    kind: str = ""
    """`lexer`, `parser`, or empty for both."""
    rules: list[G4Rule] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def place(file: File, piece: str) -> tuple[int, int]:
    """Return the line and the column where a piece of a file stands first, zeros if nowhere."""
    match = re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", file.text) if piece else None
    return line_and_column(file.text, match.start()) if match else (0, 0)


@contextmanager
def within(rule: G4Rule, file: File) -> Iterator[None]:
    """Give an error that has no place of its own the place where the rule begins."""
    try:
        yield
    except GrammarError as error:
        if error.line:
            raise
        where = line_and_column(file.text, rule.offset)
        raise GrammarError(file.name, error.reason, *where) from None


def is_parser(rule: G4Rule) -> bool:
    """Say whether a rule is a parser rule, not a lexer rule."""
    return not rule.name[0].isupper()


def ignores_case(file: File) -> bool:
    """Say whether the lexer matches letters of both cases (`caseInsensitive`)."""
    return file.options.get("caseInsensitive", "").lower() == "true"
