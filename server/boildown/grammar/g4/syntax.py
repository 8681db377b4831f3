"""What an ANTLR 4 grammar file says, nothing interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from boildown.grammar.ir import GrammarError, line_and_column


@dataclass(frozen=True, slots=True)
class Ref:
    """A rule's or token's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set, as the inside of a regular expression's brackets."""

    inside: str


@dataclass(frozen=True, slots=True)
class Wild:
    """Any character, or any token."""


@dataclass(frozen=True, slots=True)
class Not:
    """Any character or token but these."""

    item: Element


@dataclass(frozen=True, slots=True)
class Group:
    """One of several alternatives."""

    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """An element with `?`, `*` or `+`; `lazy` if as few as will do."""

    item: Element
    operator: str
    lazy: bool


Element: TypeAlias = Ref | Text | Chars | Wild | Not | Group | Times


@dataclass(frozen=True, slots=True)
class Alternative:
    """Elements in a row."""

    items: tuple[Element, ...]
    is_right: bool = False
    """Whether the operator in it associates to the right."""
    commands: tuple[tuple[str, str], ...] = ()
    """What a lexer does with the token: the command's name and its argument."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A named rule."""

    name: str
    alternatives: tuple[Alternative, ...]
    offset: int
    is_fragment: bool = False
    mode: str = ""


@dataclass(slots=True)
class File:
    """What one file says."""

    name: str
    text: str
    kind: str = ""
    """`lexer`, `parser`, or empty for both."""
    rules: list[Rule] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def place(file: File, piece: str) -> tuple[int, int]:
    """Return the line and the column where a piece of a file stands first, zeros if nowhere."""
    match = re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", file.text) if piece else None
    return line_and_column(file.text, match.start()) if match else (0, 0)


@contextmanager
def within(rule: Rule, file: File) -> Iterator[None]:
    """Let an error that has no place of its own name the beginning of the rule."""
    try:
        yield
    except GrammarError as error:
        if error.line:
            raise
        where = line_and_column(file.text, rule.offset)
        raise GrammarError(file.name, error.reason, *where) from None


def is_parser(rule: Rule) -> bool:
    """Say whether a rule is the parser's."""
    return not rule.name[0].isupper()


def ignores_case(file: File) -> bool:
    """Say whether letters of both cases are the same."""
    return file.options.get("caseInsensitive", "").lower() == "true"
