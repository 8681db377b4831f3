"""Independent readers: whether a text is valid by another program than the one that fails on it.

Those of the standard library for JSON and XML, and tomlkit; for other languages the grammar, for
Python that of the interpreter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable
from xml.parsers import expat

import tomlkit

from boildown.engine.language import LONGEST_PARSED, Check, Language
from boildown.languages.grammar import GrammarLanguage


@runtime_checkable
class _WithForms(Protocol):
    """A language by a grammar, of tree-sitter (which an extension for editors may lack) or not."""

    def forms(self, text: str) -> Set[tuple[str, str]] | None:
        """Return pairs of a parent and its child in the tree of a text, errors among them."""

    def share_in_error(self, text: str) -> float:
        """Return the share of a text that stands in errors."""


def _reads_xml(text: str) -> None:
    parser = expat.ParserCreate()
    parser.Parse(text.encode("utf-8", "surrogateescape"), True)


_READERS: Mapping[str, Callable[[str], object]] = {
    "json": json.loads,
    "toml": tomlkit.parse,
    "xml": _reads_xml,
}
"""Functions that raise where a text is no text of a language, by its name."""
_LONGEST_BY_PARSER = 200_000
"""Characters that a parser of ours reads in some four seconds, errors among them: SQL of 59 KB took
one."""
_MOST_IN_ERROR = 0.1
"""The share of a text in errors up to which it counts as one of its language: some of a dialect."""


def is_valid(text: str, language: Language) -> bool:
    """Say whether a text is valid by a reader that has nothing to do with the program."""
    if (read := _READERS.get(language.name)) is None:
        return language.valid(text)
    try:
        read(text)
    except Exception:
        # Each has errors of its own, and too deep a text is one that it cannot read.
        return False
    return True


def longest_read(language: Language) -> int:
    """Return the characters of the longest text that is read for each candidate."""
    is_slow = language.name not in _READERS and isinstance(_inner(language), GrammarLanguage)
    return _LONGEST_BY_PARSER if is_slow else LONGEST_PARSED


def is_nearly_valid(text: str, language: Language) -> bool:
    """Say whether a text is valid by a reader but for a small part."""
    return is_valid(text, language) or has_few_errors(text, language)


def has_few_errors(text: str, language: Language) -> bool:
    """Say whether only a small part of a text is in error by a grammar, as in a dialect."""
    inner = _inner(language)
    return isinstance(inner, _WithForms) and inner.share_in_error(text) <= _MOST_IN_ERROR


def kept_valid(language: Language, text: str) -> Language:
    """Return a language of which only valid texts are candidates; `text` is one, or nearly.

    The grammars of tree-sitter take more than their languages, to read what somebody is typing. So
    what stands in what must be as it is in that text, which is known to be right. So must errors.
    """
    grammar = _grammar(language)
    if grammar is None and not is_valid(text, language):
        inner = _inner(language)
        grammar = inner if isinstance(inner, _WithForms) else None
    if grammar is None or (own := grammar.forms(text)) is None:
        return _limited(language, "valid", lambda other: is_valid(other, language))
    forms, only = grammar.forms, "valid in the forms of the original"
    return _limited(
        language, only, lambda other: (found := forms(other)) is not None and found <= own
    )


def kept_filled(language: Language) -> Language:
    """Return a language of which no text without content is a candidate."""
    return _limited(language, "not empty", lambda text: text.strip() != "")


def is_read_by_grammar(language: Language) -> bool:
    """Say whether the reader of a language is a grammar, which knows nothing of names and types."""
    return _grammar(language) is not None


def _grammar(language: Language) -> _WithForms | None:
    """Return the grammar that is the only reader of a language, if one is."""
    inner = _inner(language)
    is_known = language.name in _READERS
    return inner if isinstance(inner, _WithForms) and not is_known else None


def _inner(language: Language) -> Language:
    return language.language if isinstance(language, _Limited) else language


def only_tried(language: Language) -> str:
    """Return the kind of texts that alone are candidates, in words; empty if all are."""
    return f"inputs that are {language.only}" if isinstance(language, _Limited) else ""


def _limited(language: Language, only: str, accepts: Callable[[str], bool]) -> Language:
    if isinstance(language, _Limited):
        outer, only = language.accepts, f"{language.only} and {only}"
        both = _Limited(language.language, only, lambda text: outer(text) and accepts(text))
        return cast(Language, both)
    return cast(Language, _Limited(language, only, accepts))


@dataclass(frozen=True)
class _Limited:
    """A language that refuses all candidates but some; those of its own kind it does not ask."""

    language: Language
    only: str
    accepts: Callable[[str], bool]
    strict: bool = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.language, name)

    def checker(self, _text: str) -> Check:
        return lambda candidate, _near: self.accepts(candidate)
