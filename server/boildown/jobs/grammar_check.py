"""Checks a grammar: that it can be read, parses examples, and that its own samples parse again."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from boildown.files import read_text
from boildown.grammar import Grammar, GrammarError, ParseFailure, Parser, Sampler
from boildown.grammar.ir import line_and_column
from boildown.grammar.parsing.automaton import TooLarge
from boildown.grammar.parsing.core import cyclic, in_cycles, nullable
from boildown.languages.folder import about, grammar_file, read_grammar

SAMPLES, BUDGET = 100, 40
"""Random texts that are drawn, and the tokens that one has at most, about."""
LONGEST_SAMPLE = 10_000
"""Characters of the longest sample that is parsed: a grammar with tokens of thousands has none that
says more, and an ambiguous one would take gigabytes."""
_SHOWN = 60
"""Characters of a sample that are shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a grammar or an example, or may be."""

    path: Path
    line: int
    """Counted from 1, as is the column."""
    column: int
    is_error: bool
    """Whether the grammar can't be used as it is; otherwise it may be meant."""
    message: str

    def __str__(self) -> str:
        kind = "error" if self.is_error else "warning"
        return f"{self.path}:{self.line}:{self.column}: {kind}: {self.message}"


@dataclass(frozen=True, slots=True)
class CheckedGrammar:
    """The result of a check."""

    findings: tuple[Finding, ...]
    examples: int
    """How many there are."""
    parsed: int
    """How many of them the grammar parses."""
    linear: int
    """How many of them the LR automaton parses alone; others take Earley's algorithm."""
    samples: int
    reparsed: int
    """How many of the samples the grammar parses again."""
    left_recursive: tuple[str, ...]
    """The nonterminals that may begin with themselves."""


def check_grammar(path: Path, examples: Sequence[Path] = (), seed: int = 0) -> CheckedGrammar:
    """Check a grammar file, or the folder of a language, on examples and on samples of its own.

    The examples of a folder are taken where none are given. Raises FileError for an example that
    can't be read.
    """
    start = None
    try:
        if os.path.isdir(path):
            start = about(path).start
            examples = examples or sorted((path / "examples").glob("*"))
            path = grammar_file(path) or path / "grammar.lark"
        grammar = read_grammar(path, start)
        parser = Parser(grammar)
    except GrammarError as error:
        place = Path(error.name), max(error.line, 1), max(error.column, 1)
        return CheckedGrammar((Finding(*place, True, error.reason),), len(examples), *(0,) * 4, ())
    text = read_text(path)
    findings = [Finding(path, 1, 1, False, note) for note in grammar.notes]
    findings += _of_rules(path, text, parser)
    parsed = linear = 0
    for example in examples:
        finding, is_linear = _of_example(example, parser)
        parsed += finding is None or not finding.is_error
        linear += is_linear
        findings += [] if finding is None else [finding]
    recursive = left_recursive(parser)
    slow = parsed - linear
    if recursive and slow:
        message = (
            f"{', '.join(recursive)} may begin with {_themselves(recursive)}, and {slow} of"
            f" {parsed} examples need Earley's algorithm, whose time may grow with the square of"
            " the length."
        )
        findings.append(Finding(path, *_place(text, recursive[0]), False, message))
    samples, reparsed, more = _of_samples(path, text, grammar, parser, seed)
    findings += more
    counts = len(examples), parsed, linear, samples, reparsed
    return CheckedGrammar(tuple(findings), *counts, recursive)


def left_recursive(parser: Parser) -> tuple[str, ...]:
    """Return the nonterminals of the author that may begin with themselves, in their order."""
    core = parser.core
    empty = nullable(core)
    first: list[set[int]] = [set() for _ in core.tokens]
    for symbol in core.nonterminals():
        leading: set[int] = set()
        for production in core.of(symbol):
            for part in production.right:
                leading.add(part)
                if part not in empty:
                    break
        first.append(leading)
    # A list is left-recursive for the parser; its author has written a repetition.
    found = {core.label(symbol) for symbol in in_cycles(first)}
    return tuple(name for name in parser.grammar.rules if name in found)


def _of_rules(path: Path, text: str, parser: Parser) -> Iterator[Finding]:
    core = parser.core
    endless = {core.label(symbol) for symbol in cyclic(core, nullable(core))}
    for name in parser.grammar.rules:
        if name in endless:
            message = f"{name} derives itself alone, so its texts have trees without end."
            yield Finding(path, *_place(text, name), False, message)


def _of_example(path: Path, parser: Parser) -> tuple[Finding | None, bool]:
    """Return the findings on an example, and whether the automaton alone parses it."""
    text = read_text(path)
    try:
        answer = parser.parse(text)
    except TooLarge:
        return Finding(path, 1, 1, True, "the grammar is too large for this text."), False
    if isinstance(answer, ParseFailure):
        said = str(answer).partition(": ")[2]
        return Finding(path, answer.line, answer.column, True, f"{said}."), False
    if answer.ambiguous:
        message = "it has more than one tree; the first alternative and the longest part win."
        return Finding(path, 1, 1, False, message), False
    return None, parser.is_linear(text)


def _of_samples(
    path: Path, text: str, grammar: Grammar, parser: Parser, seed: int
) -> tuple[int, int, list[Finding]]:
    """Draw samples; return their number, how many parse again, and the findings."""
    sampler, rng = Sampler(grammar, parser), Random(seed)
    place = _place(text, grammar.start)
    drawn = [sampler.sample(grammar.start, rng, BUDGET) for _ in range(SAMPLES)]
    samples = [each for each in drawn if each is not None and len(each) <= LONGEST_SAMPLE]
    if not samples:
        return 0, 0, [Finding(path, *place, True, f"no text can be derived from {grammar.start}.")]
    failing: list[str] = []
    ambiguous: list[str] = []
    for each in samples:
        try:
            answer = parser.parse(each)
        except TooLarge:
            continue
        if isinstance(answer, ParseFailure):
            failing.append(each)
        elif answer.ambiguous:
            ambiguous.append(each)
    findings = []
    for found, is_error, said in (
        (failing, True, "do not parse, though they are made by the grammar"),
        (ambiguous, False, "have more than one tree"),
    ):
        if found:
            shown = repr(min(found, key=len))
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            message = f"{len(found)} of {len(samples)} samples {said}, such as {shown}."
            findings.append(Finding(path, *place, is_error, message))
    return len(samples), len(samples) - len(failing), findings


def _place(text: str, name: str) -> tuple[int, int]:
    """Return the line and the column at which a grammar's text defines a nonterminal."""
    bare = re.escape(name)
    defined = rf'^[ \t]*(?:[?!]{{1,2}})?"?(?P<name>{bare})"?(?:\{{[^}}]*\}}|\.-?\d+)?\s*:'
    found = re.search(defined, text, re.MULTILINE) or re.search(rf'"(?P<name>{bare})"\s*:', text)
    return (1, 1) if found is None else line_and_column(text, found.start("name"))


def _themselves(names: Sequence[str]) -> str:
    return "itself" if len(names) == 1 else "themselves"
