"""The Python language, parsed by parso, which recovers from syntax errors.

Where the original is valid Python, the interpreter's own parser filters candidates before a run.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from parso.grammar import load_grammar
from parso.tree import BaseNode

from boildown.engine.language import (
    LONG_TEXT,
    NO_REWRITING,
    Check,
    Expansions,
    Parsed,
    Rewriting,
)
from boildown.grammar.parsing.collector import collector_paused
from boildown.languages.fragments import Fragments
from boildown.languages.plain import Plain, plain_tree
from boildown.languages.python_checks import StatementChecks
from boildown.languages.python_tree import python_tree
from boildown.tree import text as text_of

_FILE = "<boildown candidate>"
"""The file name that candidates are compiled under: nobody wants to see warnings about them."""

_SIMPLE = frozenset(
    ("expr_stmt", "del_stmt", "return_stmt", "raise_stmt", "global_stmt", "nonlocal_stmt")
) | {"assert_stmt", "import_name", "import_from", "simple_stmt", '"pass"', '"break"', '"continue"'}
_COMPOUND = frozenset(
    ("if_stmt", "while_stmt", "for_stmt", "try_stmt", "with_stmt", "funcdef", "classdef")
) | {"decorated", "match_stmt", "async_stmt", "async_funcdef"}
_STATEMENTS = _SIMPLE | _COMPOUND | {'"return"', '"raise"'}
_EXPRESSIONS = frozenset(
    ("name", "number", "string", "strings", "fstring", "atom", "atom_expr", "power", "factor")
) | {
    *("term", "arith_expr", "shift_expr", "and_expr", "xor_expr", "expr", "comparison"),
    *("not_test", "and_test", "or_test", "test", "ternary", "lambdef", "namedexpr_test"),
    *("testlist_star_expr", "testlist", "yield_expr", "star_expr"),
    *('"None"', '"True"', '"False"', '"..."'),
}
_BLOCKS = frozenset(("suite", "file_input"))


@dataclass(frozen=True, slots=True, eq=False)
class Python:
    """The Python language, of the version that Boildown runs on."""

    name: str = "python"
    examples: Callable[[], Iterable[str]] = tuple
    """Returns texts that samples are made from."""
    gap: str = " "
    scope: Mapping[str, str] = field(default_factory=dict)
    rewriting: Rewriting = NO_REWRITING
    words: tuple[str, ...] = ()
    strict: bool = False
    _fragments: Fragments = field(init=False)

    def __post_init__(self) -> None:
        fragments = Fragments(self.examples, self.parse, self.checker, unindented=True)
        object.__setattr__(self, "_fragments", fragments)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments it was made from: caches are filled anew."""
        return python_language, (self.examples, self.rewriting, self.words)

    def parse(self, text: str) -> Parsed:
        """Return parso's tree; of a text that is no valid Python, with a note that says where."""
        note = _syntax_error(text)
        notes = (note,) if note else ()
        try:
            with collector_paused():
                tree = python_tree(*_read(text))
        except RecursionError:
            tree = plain_tree(text)
        if text_of(tree) != text:
            tree = plain_tree(text)
        return Parsed(tree, notes, valid=not note)

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot`.

        Statements, blocks and expressions may replace a statement, expressions an expression.
        """
        if slot in _STATEMENTS:
            return label in _STATEMENTS or label in _EXPRESSIONS or label in _BLOCKS
        if slot in _BLOCKS:
            return label in _STATEMENTS or label in _BLOCKS
        if slot in _EXPRESSIONS:
            return label in _EXPRESSIONS
        return Plain().fits(slot, label)

    def shortest(self, label: str) -> str | None:
        """Return a minimal statement, block, or expression; None for other labels."""
        if label in _STATEMENTS or label in _BLOCKS:
            return "pass"
        if label in ("number", "string"):
            return {"number": "0", "string": '""'}[label]
        return "a" if label in _EXPRESSIONS else None

    def expansions(self, label: str) -> Expansions | None:
        """Return nothing: parso does not tell."""
        return None

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return the labels of the examples' subtrees that may stand in place of one."""
        return self._fragments.substitutes(label, self.fits)

    def valid(self, text: str) -> bool:
        """Say whether the interpreter's parser accepts a text."""
        return not _syntax_error(text)

    def checker(self, text: str) -> Check:
        """Return a check that accepts valid Python, or no more syntax errors than `text` has.

        Of a long text with errors all candidates are accepted.
        """
        if not _syntax_error(text):
            return StatementChecks(text, _module).accepts
        if len(text) > LONG_TEXT:
            # parso takes seconds for such a text.
            return lambda _candidate, _best: True
        allowed = _count_errors(text)
        return lambda candidate, _best: _count_errors(candidate) <= allowed

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, recombined from fragments of the examples."""
        return self._fragments.sample(label, rng, budget)


def python_language(
    examples: Callable[[], Iterable[str]] = tuple,
    rewriting: Rewriting | None = None,
    words: tuple[str, ...] = (),
) -> Python:
    """Make the language of Python texts; compiler warnings about candidates are never shown."""
    warnings.filterwarnings("ignore", module=_FILE)
    return Python(examples=examples, rewriting=rewriting or NO_REWRITING, words=words)


def _read(text: str) -> tuple[BaseNode, Mapping[int, str]]:
    """Parse a text by parso; return its tree, and the soft keywords that were masked from it."""
    words = _soft_keywords(text)
    parts: list[str] = []
    end = 0
    for offset, word in sorted(words.items()):
        parts += (text[end:offset], _STAND_INS[word])
        end = offset + len(word)
    module = load_grammar().parse("".join((*parts, text[end:])))
    assert isinstance(module, BaseNode)
    return module, words


_STAND_INS = {"match": "while", "case": "with", "if": "or"}
"""Keywords that mask those of a match statement, which parso's grammar does not have."""


def _soft_keywords(text: str) -> dict[int, str]:
    """Return the keywords of match statements by offset; none if the text is not valid Python."""
    if not re.search(r"^\s*match\b", text, re.MULTILINE):
        return {}
    try:
        module = _compiled(text)
    except _REFUSED:
        return {}
    lines = [0, *(match.end() for match in re.finditer(r"\r\n?|\n", text))]

    def offset(line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        start = lines[line - 1]
        return start + len(text[start:].encode()[:column].decode(errors="ignore"))

    words = {}
    for node in ast.walk(module):
        if not isinstance(node, ast.Match):
            continue
        words[offset(node.lineno, node.col_offset)] = "match"
        for case in node.cases:
            start = offset(case.pattern.lineno, case.pattern.col_offset)
            words[text.rfind("case", 0, start)] = "case"
            if case.guard is not None:
                start = offset(case.guard.lineno, case.guard.col_offset)
                words[text.rfind("if", 0, start)] = "if"
    return words


def _syntax_error(text: str) -> str:
    """Return the syntax error of a text as a sentence; empty if it is valid Python."""
    try:
        _compiled(text)
    except SyntaxError as error:
        where = f" at line {error.lineno}, column {error.offset}" if error.lineno else ""
        return f"This is no valid Python{where}: {error.msg}."
    except _REFUSED as error:
        return f"This is no valid Python: {error}."
    return ""


_REFUSED = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
"""The exceptions that the interpreter's parser raises for a text that it does not accept."""


def _module(text: str) -> ast.Module | None:
    """Return the syntax tree of a text; None if it is no valid Python."""
    try:
        module = _compiled(text)
    except _REFUSED:
        return None
    assert isinstance(module, ast.Module)
    return module


def _compiled(text: str) -> ast.AST:
    module = compile(
        text.removeprefix("\ufeff"), _FILE, "exec", ast.PyCF_ONLY_AST, dont_inherit=True
    )
    assert isinstance(module, ast.AST)
    return module


def _count_errors(text: str) -> int:
    """Return the number of error nodes and leaves in parso's tree of a text."""
    try:
        todo = [_read(text)[0]]
    except RecursionError:
        return 0
    count = 0
    while todo:
        for child in todo.pop().children:
            count += child.type in ("error_node", "error_leaf")
            if isinstance(child, BaseNode):
                todo.append(child)
    return count
