"""Languages parsed by tree-sitter, with error recovery and incremental checks of candidates.

Tree-sitter parses malformed text, too, and parses an edited text again incrementally. So edits are
proposed freely, and a candidate with a new syntax error is discarded before a run.
"""

from __future__ import annotations

import importlib
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from random import Random

import tree_sitter

from boildown.engine.difference import changed
from boildown.engine.language import (
    LONG_TEXT,
    NO_REWRITING,
    Check,
    Expansions,
    Parsed,
    Rewriting,
)
from boildown.grammar.parsing.collector import collector_paused
from boildown.languages import llvm
from boildown.languages.concrete import Tables, concrete_tree
from boildown.languages.folder import LanguageError
from boildown.languages.fragments import Fragments
from boildown.languages.plain import Plain, plain_tree

LIMIT, LIMIT_PER_BYTE = 10_000, 0.2
"""Callbacks that a parse may make, and as many more for each byte of the text.

Tree-sitter calls back for every hundred operations and for every `_CHUNK` bytes that it scans, so
the count depends on the text alone. C++ full of templates makes 0.16 for each byte. For malformed
Bash it grows with the square of the length: `a(b<c` times 20,000 takes minutes.
"""

_CHUNK = 1 << 12
"""Bytes that are handed to tree-sitter at a time."""
_HEALED = 3
"""The most lines that are masked in a text with errors."""
_SUSPECTS = 8
"""The most lines that are tried for each of them."""
_HEALABLE = 1 << 17
"""The largest text in which lines are masked, in bytes."""
_FLOW = re.compile(r"[,\[{][ \t]*$|^[ \t]*[]}]", re.MULTILINE)
"""What YAML's brackets over several lines have at the ends of lines."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDE = re.compile("[^\0-\xff]")
_YAML_LEVEL = re.compile(r"(?:^[ \t]*|[-?:][ \t]+)(?=\S)", re.MULTILINE)
_YAML_LEVELS = 200
"""The most levels of nesting that a YAML text may have."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeSitterLanguage:
    """Parses by tree-sitter, and substitutes by its LR tables. Compared by identity."""

    name: str
    tables: Tables
    encoded: Callable[[str], bytes | None]
    """Makes UTF-8 of a text, with as many characters; None for one that tree-sitter can't take."""
    examples: Callable[[], Iterable[str]] = tuple
    """Returns texts of the language that samples are made from."""
    gap: str = " "
    scope: Mapping[str, str] = field(default_factory=dict)
    rewriting: Rewriting = NO_REWRITING
    words: tuple[str, ...] = ()
    strict: bool = False
    module: str = ""
    """The package of the parser, as `tree_sitter_language` takes it."""
    _fragments: Fragments = field(init=False)

    def __post_init__(self) -> None:
        indented = self.name in _INDENTED
        fragments = Fragments(self.examples, self.parse, self.checker, unindented=indented)
        object.__setattr__(self, "_fragments", fragments)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the name of the parser: its tables are in C."""
        made = self.name, self.module, self.examples, self.rewriting, self.words
        return tree_sitter_language, made

    def parse(self, text: str) -> Parsed:
        """Return tree-sitter's tree; with a note on the first error if there is one.

        Error nodes are read as plain text, and so is all of a text that is too much work.
        """
        source = self.encoded(text)
        parser = tree_sitter.Parser(self.tables.language)
        tree = source and _healed(parser, source)
        if not source or not tree:
            return Parsed(plain_tree(text), self._refusal(source), valid=not text)
        offsets = _offsets(text, source)
        with collector_paused():
            parsed = concrete_tree(text, tree.root_node, offsets, self.tables)
        first = next(_errors(tree.root_node), None)
        if first is None:
            return Parsed(parsed)
        return Parsed(parsed, (self._note(text, offsets[first.start_byte]),), valid=False)

    def _refusal(self, source: bytes | None) -> tuple[str, ...]:
        if source is None:
            return (f"The text is nested too deeply for {self.name}; it is read as plain text.",)
        note = f"Reading the text as {self.name} takes too long; it is read as plain text."
        return (note,) if source else ()

    def _note(self, text: str, offset: int) -> str:
        line = text.count("\n", 0, offset) + 1
        column = offset - text.rfind("\n", 0, offset)
        return (
            f"This is no valid {self.name} from line {line}, column {column}; "
            "what is in error is read as plain text."
        )

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot`, by tree-sitter's LR tables."""
        return self.tables.fits(slot, label) or Plain().fits(slot, label)

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label in the examples."""
        return self._fragments.shortest(label)

    def expansions(self, label: str) -> Expansions | None:
        """Return nothing: no grammar is known."""
        return None

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return the labels of the examples' subtrees that may stand in place of one."""
        return self._fragments.substitutes(label, self.fits)

    def valid(self, text: str) -> bool:
        """Say whether tree-sitter finds no error in a text, once a few lines may be masked."""
        source = self.encoded(text)
        tree = source and _healed(tree_sitter.Parser(self.tables.language), source)
        return not tree.root_node.has_error if tree else not text

    def forms(self, text: str) -> Set[tuple[str, str]] | None:
        """Return the pairs of a parent and its child in the tree of a text, by their labels.

        Errors are nodes, too, and one around nothing that has a name is told by its text and by
        what comes next. Nothing is the child of brackets around nothing. None if there is no tree.
        """
        source = self.encoded(text)
        tree = None if source is None else _parse(tree_sitter.Parser(self.tables.language), source)
        if tree is None:
            return None
        found = {("", tree.root_node.type)}
        cursor, parents = tree.walk(), [""]
        while (node := cursor.node) is not None:
            found.add((parents[-1], _form(node)))
            if node.child_count and not node.named_child_count:
                found.add((node.type, ""))
            if cursor.goto_first_child():
                parents.append(node.type)
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return found
                parents.pop()
        return found

    def share_in_error(self, text: str) -> float:
        """Return the share of a text that stands in errors; 1 where there is no tree."""
        source = self.encoded(text)
        tree = source and _parse(tree_sitter.Parser(self.tables.language), source)
        if not source or not tree:
            return 1.0
        covered = end = 0
        for node in _errors(tree.root_node):
            covered += max(0, node.end_byte - max(node.start_byte, end))
            end = max(end, node.end_byte)
        return covered / len(source)

    def checker(self, text: str) -> Check:
        """Return a check that accepts texts with no more syntax errors than `text` has."""
        return _Checker(self, text).accepts

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, recombined from fragments of the examples."""
        return self._fragments.sample(label, rng, budget)


def tree_sitter_language(
    name: str,
    module: str,
    examples: Callable[[], Iterable[str]] = tuple,
    rewriting: Rewriting | None = None,
    words: tuple[str, ...] = (),
) -> TreeSitterLanguage:
    """Make a language of an installed tree-sitter package: `module`, or `module:function`.

    Raises LanguageError.
    """
    found, _, function = module.partition(":")
    try:
        make = getattr(importlib.import_module(found), function or "language")
        tables = Tables(tree_sitter.Language(make()))
    except (AttributeError, ImportError, TypeError, ValueError) as error:
        raise LanguageError(f"The parser {module} can't be used: {error}.") from error
    encoder = _ENCODERS.get(found, _utf8)
    how = replace(rewriting or NO_REWRITING, mended=_MENDERS.get(found))
    return TreeSitterLanguage(
        name, tables, encoder, examples, rewriting=how, words=words, module=module
    )


class _Checker:
    """Counts the syntax errors of candidates, parsed incrementally from another text's tree.

    That is the original, or if it is long, the best text. Never another candidate: where there are
    errors tree-sitter may recover in another way then, and the candidates that are tried must not
    depend on those that others have judged ahead.
    """

    def __init__(self, language: TreeSitterLanguage, text: str) -> None:
        self._encoded = language.encoded
        self._parser = tree_sitter.Parser(language.tables.language)
        self._source = language.encoded(text)
        self._tree = None if self._source is None else _parse(self._parser, self._source)
        self._allowed = 0 if self._tree is None else _count_errors(self._tree)
        self._best = text
        self._is_long = len(text) >= LONG_TEXT
        # tree-sitter can't go on from a tree behind a change of a YAML text.
        self._by_lines = language.name == "yaml"
        # A missing part of a token counts as no error, and yet the tree has one.
        self._clean = self._tree is not None and not self._tree.root_node.has_error

    def accepts(self, text: str, best: str) -> bool:
        """Say whether a text has no more syntax errors than the original; True if unknown."""
        if self._is_long and self._by_lines and self._is_locally_valid(text, best):
            return True
        source = self._encoded(text)
        if source is None or self._source is None or self._tree is None:
            return True
        if self._is_long and best != self._best:
            self._go_on_from(best)
        tree = self._edited(self._source, self._tree, source)
        if tree is None:
            return True
        return not tree.root_node.has_error or (
            not self._clean and _count_errors(tree) <= self._allowed
        )

    def _is_locally_valid(self, text: str, best: str) -> bool:
        """Say whether the lines around a change are valid by themselves."""
        start, end, new_end = changed(best, text)
        low, high = _lines_around(best, start, end)
        part = text[low : high + new_end - end]
        source = None if _FLOW.search(best, low, high) else self._encoded(part)
        tree = None if source is None else _parse(self._parser, source)
        return tree is not None and not tree.root_node.has_error

    def _go_on_from(self, best: str) -> None:
        """Take the tree of the best text in place of the one before."""
        self._best = best
        source = self._encoded(best)
        if source is None or self._source is None or self._tree is None:
            return
        # What is recovered from errors would go on from tree to tree.
        tree = (
            self._edited(self._source, self._tree, source)
            if self._clean
            else _parse(self._parser, source)
        )
        if tree is not None:
            self._source, self._tree = source, tree

    def _edited(
        self, before: bytes, tree: tree_sitter.Tree, source: bytes
    ) -> tree_sitter.Tree | None:
        """Parse a text incrementally, from the tree of another one."""
        old = tree.copy()
        old.edit(*changed(before, source), (0, 0), (0, 0), (0, 0))
        return _parse(self._parser, source, old)


def _lines_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the lines of a change, and of those before and after as little indented.

    The one after is left out where the one before is indented more, for it ends what that is in.
    """
    low, high = text.rfind("\n", 0, start) + 1, (text.find("\n", end) + 1) or len(text)
    least = min(map(_indentation, filter(str.strip, text[low:high].split("\n"))), default=0)
    first = least
    while low:
        above = text.rfind("\n", 0, low - 1) + 1
        line, low = text[above:low], above
        if line.strip() and (first := _indentation(line)) <= least:
            break
    below = high
    while below < len(text):
        line = text[below : (text.find("\n", below) + 1) or len(text)]
        if line.strip() and _indentation(line) <= least:
            return low, below + len(line) if _indentation(line) >= first else below
        below += len(line)
    return low, below


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _utf8(text: str) -> bytes:
    """Return the text in UTF-8, lone surrogates replaced."""
    if text.isascii():
        return text.encode()
    return _SURROGATE.sub("\ufffd", text).encode()


def _narrow_utf8(text: str) -> bytes:
    """Return the text in UTF-8 with no character beyond U+00FF, letters in their stead.

    The scanner of Bash looks characters up in C's tables, which end there, and so may crash.
    """
    return _WIDE.sub("\xe9", text).encode()


def _shallow_utf8(text: str) -> bytes | None:
    """Return the text in UTF-8, or None if its blocks may be nested very deeply.

    The scanner of YAML crashes at about 250 levels. A level is a column at which something starts
    after the indentation, a dash, a question mark or a colon.
    """
    if max(map(len, text.split("\n"))) <= _YAML_LEVELS:
        # Each level has a column of its own.
        return _utf8(text)
    columns: list[int] = []
    for match in _YAML_LEVEL.finditer(text):
        column = match.end() - max(text.rfind("\n", 0, match.end()), -1)
        while columns and columns[-1] >= column:
            columns.pop()
        columns.append(column)
        if len(columns) > _YAML_LEVELS:
            return None
    return _utf8(text)


_INDENTED = frozenset(("yaml", "markdown"))
"""Languages in which indentation counts."""

_MENDERS = {"tree_sitter_llvm": llvm.mended}
"""For those packages whose texts can be made valid again where parts are gone."""

_ENCODERS: dict[str, Callable[[str], bytes | None]] = {
    "tree_sitter_bash": _narrow_utf8,
    "tree_sitter_yaml": _shallow_utf8,
}
"""Encoders for those packages whose scanners crash on some texts; the others take UTF-8."""


def _offsets(text: str, source: bytes) -> Sequence[int]:
    """Return the code-point offset of each byte offset."""
    if len(source) == len(text):
        return range(len(source) + 1)
    offsets = array("L")
    for at, character in enumerate(source.decode()):
        offsets.extend((at,) * len(character.encode()))
    offsets.append(len(text))
    return offsets


def _parse(
    parser: tree_sitter.Parser, source: bytes, old: tree_sitter.Tree | None = None
) -> tree_sitter.Tree | None:
    """Parse a text, from the edited tree of an older one if given; None if it is too much work."""
    left = LIMIT + LIMIT_PER_BYTE * len(source)

    def read(offset: int, _point: object) -> bytes:
        nonlocal left
        left -= 1
        return source[offset : offset + _CHUNK]

    def late(_offset: int, _error: bool) -> bool:
        nonlocal left
        left -= 1
        return left < 0

    try:
        if old is None:
            return parser.parse(read, progress_callback=late)
        return parser.parse(read, old, progress_callback=late)
    except ValueError:
        parser.reset()
        return None


def _healed(parser: tree_sitter.Parser, source: bytes) -> tree_sitter.Tree | None:
    """Parse a text, with up to a few erroneous lines masked if the tree grows by that.

    A masked line is blank to tree-sitter; its text comes back as one that tree-sitter skipped.
    """
    tree = _parse(parser, source)
    for _ in range(_HEALED if len(source) <= _HEALABLE else 0):
        if tree is None or not tree.root_node.has_error:
            break
        tries = [_without_line(source, row) for row in _suspects(tree.root_node)]
        trees = [(_parse(parser, masked), masked) for masked in tries]
        best = max(trees, key=lambda each: _yield(each[0]), default=(None, source))
        if _yield(best[0]) <= _yield(tree):
            break
        tree, source = best
    return tree


def _yield(tree: tree_sitter.Tree | None) -> int:
    """Return the number of nodes in tree-sitter's tree; 0 without a tree."""
    return 0 if tree is None else tree.root_node.descendant_count


def _suspects(root: tree_sitter.Node) -> list[int]:
    """Return a few rows (from 0) in which error nodes start and end, and those next to them."""
    rows: dict[int, None] = {}
    for error in _errors(root):
        first, last = error.start_point.row, error.end_point.row
        rows.update(dict.fromkeys((first, last, last + 1, max(first - 1, 0))))
    return list(rows)[:_SUSPECTS]


def _without_line(source: bytes, row: int) -> bytes:
    lines = source.split(b"\n")
    lines[row : row + 1] = [b" " * len(line) for line in lines[row : row + 1]]
    return b"\n".join(lines)


def _errors(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Yield the error nodes and the missing (inserted) tokens of a tree, from left to right."""
    stack = [root]
    while stack:
        top = stack.pop()
        if top.is_error or top.is_missing:
            yield top
        stack.extend(child for child in reversed(top.children) if child.has_error)


def _form(node: tree_sitter.Node) -> str:
    """Return the label of a node in the forms of a text."""
    is_around = node.has_error and not node.is_error
    if node.is_missing or (is_around and not any(each.has_error for each in node.children)):
        # Of what is missing in a token, or is no node of its own, only what is around it is seen.
        return f"no {node.type}"
    if node.is_error and not node.named_child_count and node.text is not None:
        after = node.next_sibling
        while after is not None and after.child_count:
            after = after.child(0)
        text = node.text.decode(errors="replace")
        return f"{node.type} {text} before {after.type if after is not None else 'nothing'}"
    return node.type


def _count_errors(tree: tree_sitter.Tree) -> int:
    return sum(1 for _ in _errors(tree.root_node)) if tree.root_node.has_error else 0
