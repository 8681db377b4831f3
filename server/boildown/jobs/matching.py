"""Matches inputs with a formula: a law as it is typed, or files with patterns, or both."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boildown.engine.language import Language
from boildown.engine.laws import notation
from boildown.engine.laws.law import Law
from boildown.engine.laws.notation import Combination, Formula, Negation, NotationError, Stored
from boildown.engine.patterns.pattern import Pattern
from boildown.jobs.events import PatternError
from boildown.jobs.stored import load
from boildown.jobs.work import JobOptions, language_for


@dataclass(frozen=True, slots=True)
class Matched:
    """Whether a formula explains an input."""

    name: str
    """The input's name, as it was given."""
    explained: bool
    valid: bool
    """Whether the input follows the grammar of its language."""
    language: str
    """The name of that language."""


@dataclass(frozen=True, slots=True)
class ReadFormula:
    """A formula with the patterns in the files that it names."""

    typed: str
    formula: Formula
    patterns: dict[str, Pattern] = field(default_factory=dict)
    """By the names of the files."""

    def explains(self, text: str, language: Language) -> bool:
        """Say whether it explains a text, which must follow the grammar.

        A pattern file explains what its law or its pattern does. Raises PatternError.
        """
        return language.valid(text) and self._holds(self.formula, text, language)

    def law(self, language: Language) -> Law | None:
        """Return the law that it is, or that of the one pattern file that it is, if there is one.

        Raises PatternError.
        """
        if isinstance(self.formula, Stored):
            return self.patterns[self.formula.name].law
        return _law(self.formula, language) if not self.patterns else None

    def _holds(self, formula: Formula, text: str, language: Language) -> bool:
        if not any(_files(formula)):
            return _law(formula, language).matches(text)
        if isinstance(formula, Stored):
            pattern = self.patterns[formula.name]
            return pattern.matches(text) or (pattern.law is not None and pattern.law.matches(text))
        if isinstance(formula, Negation):
            return not self._holds(formula.of, text, language)
        assert isinstance(formula, Combination)
        joined = all if formula.operator == "and" else any
        return joined(self._holds(part, text, language) for part in formula.parts)


def _law(formula: Formula, language: Language) -> Law:
    try:
        return Law(notation.rules_of(formula), language)
    except NotationError as error:
        raise PatternError(str(error)) from None


def read_formula(
    typed: str, read: Callable[[Path], str], language: str | None = None
) -> ReadFormula:
    """Parse a formula, or the path of a pattern file, and read the files that it names.

    Patterns are read in the languages that they name, or in another one. Raises PatternError,
    LanguageError, and what `read` raises.
    """
    if typed.endswith(".json") and os.path.isfile(Path(typed)):
        formula: Formula = Stored(typed)
    else:
        try:
            formula = notation.parse(typed)
        except NotationError as error:
            raise PatternError(str(error)) from None
    names = dict.fromkeys(_files(formula))
    patterns = {name: load(read(Path(name)), name, language).pattern for name in names}
    return ReadFormula(typed, formula, patterns)


def _files(formula: Formula) -> Iterator[str]:
    """Yield the names of the files that a formula names."""
    if isinstance(formula, Stored):
        yield formula.name
    elif isinstance(formula, Negation):
        yield from _files(formula.of)
    elif isinstance(formula, Combination):
        for part in formula.parts:
            yield from _files(part)


def match(
    formula: ReadFormula, inputs: Iterable[tuple[str, str]], language: str | None = None
) -> Iterator[Matched]:
    """Yield for each input, a name with its text, whether a formula explains it.

    An input's language is found by its name, else by its text, unless one is given. Raises
    PatternError and LanguageError.
    """
    for name, text in inputs:
        spoken = language_for(text, name, JobOptions(language=language))
        explained = formula.explains(text, spoken)
        yield Matched(name, explained, explained or spoken.valid(text), spoken.name)
