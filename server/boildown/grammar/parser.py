"""Parses texts by a grammar."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boildown.grammar.automaton import Automaton
from boildown.grammar.collector import collector_paused
from boildown.grammar.core import compile_grammar
from boildown.grammar.earley import EarleyParser, Stuck
from boildown.grammar.fault import first_fault
from boildown.grammar.ir import Grammar, line_and_column
from boildown.grammar.lifting import lifted
from boildown.grammar.lr import LrParser
from boildown.grammar.recovery import Repaired, recovered
from boildown.grammar.tokens import Tokens
from boildown.tree import Leaf, Node, Tree, places, with_children, with_prefix
from boildown.tree import replace as replace_all


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


LONG = 20_000
"""From this many characters on, a text by a grammar of characters is parsed by tokens."""


class Parser:
    """Parses by one grammar; makes its tables as texts need them and keeps them."""

    def __init__(self, grammar: Grammar, limit: int = 2_500_000) -> None:
        """`limit` is how many steps a text may take where it is ambiguous, at about 2 µs each."""
        self.grammar = grammar
        self._core = compile_grammar(grammar)
        self._tokens = Tokens(self._core)
        self._limit = limit
        self._automata: dict[int, Automaton] = {}
        self._lr: dict[int, LrParser] = {}
        self._earley: dict[tuple[int, bool], EarleyParser] = {}
        self._lifted: Parser | None = None

    def parse(self, text: str, symbol: str | None = None) -> Success | Failure:
        """Parse the whole text as `symbol` (a nonterminal; the grammar's start if None).

        In a long text by a grammar of characters, nonterminals that are regular are leaves, which
        `opened` opens.
        """
        if len(text) >= LONG and not self.grammar.longest:
            answer = self._parse_lifted(text, symbol or self.grammar.start)
            if answer is not None:
                return answer
        start = self._core.symbols[symbol or self.grammar.start]
        with collector_paused():
            return self._parse(text, start)

    def opened(self, leaf: Leaf) -> Tree:
        """Return the subtree of a leaf that is labelled by a nonterminal; any other as it is."""
        symbol = self._core.symbols.get(leaf.label)
        if symbol is None or self._core.is_terminal(symbol) or self._core.shape(symbol).atomic:
            return leaf
        with collector_paused():
            answer = self._parse(leaf.text, symbol)
            if not isinstance(answer, Success):
                return leaf
            return with_prefix(moved(answer.tree, max(leaf.start, 0)), leaf.prefix)

    def parse_prefix(self, text: str, start: int, symbol: str) -> Success | Failure:
        """Parse the longest piece of the text from offset `start` that is a `symbol`.

        Leaves keep their offsets in the whole text. Ignored text after the piece stays outside.
        """
        number = self._core.symbols[symbol]
        with collector_paused():
            answer = self._earley_parser(number, open_end=True).parse(text, start, self._limit)
            if isinstance(answer, Stuck):
                return _failure(text, answer)
            return Success(answer.tree, answer.end, answer.ambiguous)

    def recover(self, text: str, symbol: str | None = None) -> Repaired:
        """Return a tree of any text, as much as possible of it by the grammar.

        Its text is the whole text. What the grammar has no place for is in leaves labelled `ERROR`,
        each before the leaf that follows it, under a node with that leaf's label.
        """
        start = self._core.symbols[symbol or self.grammar.start]
        with collector_paused():
            repaired = recovered(self._tokens, self._automaton(start), text)
            return Repaired(_with_rest(repaired.tree, text), repaired.faults)

    def _parse(self, text: str, start: int) -> Success | Failure:
        tree = self._lr_parser(start).parse(text)
        if tree is not None:
            return Success(_with_rest(tree, text), len(text))
        stuck = first_fault(self._tokens, self._automaton(start), text)
        if stuck is not None:
            return _failure(text, stuck)
        answer = self._earley_parser(start).parse(text, 0, self._limit)
        if isinstance(answer, Stuck):
            return _failure(text, answer)
        return Success(_with_rest(answer.tree, text), len(text), answer.ambiguous)

    def _parse_lifted(self, text: str, symbol: str) -> Success | None:
        """Parse by the lifted grammar; None if it is of no use here."""
        if self._lifted is None:
            grammar = lifted(self.grammar) or self.grammar
            self._lifted = Parser(replace(grammar, longest=True), self._limit)
        rules = self._lifted.grammar.rules
        if symbol not in rules or symbol in self._lifted.grammar.atomic:
            return None
        answer = self._lifted.parse(text, symbol)
        return answer if isinstance(answer, Success) else None

    def _automaton(self, start: int) -> Automaton:
        if start not in self._automata:
            self._automata[start] = Automaton(self._core, start)
        return self._automata[start]

    def _lr_parser(self, start: int) -> LrParser:
        if start not in self._lr:
            self._lr[start] = LrParser(self._core, self._tokens, self._automaton(start))
        return self._lr[start]

    def _earley_parser(self, start: int, open_end: bool = False) -> EarleyParser:
        if (start, open_end) not in self._earley:
            parser = EarleyParser(self._core, self._tokens, start, open_end)
            self._earley[start, open_end] = parser
        return self._earley[start, open_end]


def _with_rest(tree: Node, text: str) -> Node:
    """Add what was ignored at the end of the text, as the prefix of an empty leaf."""
    if tree.width == len(text):
        return tree
    rest = Leaf("", "", text[tree.width :], len(text))
    return with_children(tree, (*tree.children, rest))


def moved(tree: Tree, distance: int) -> Tree:
    """Return a tree with its leaves' offsets greater by a distance."""
    edits = [
        (place, Leaf(leaf.label, leaf.text, leaf.prefix, leaf.start + distance))
        for place in places(tree)
        if isinstance(leaf := place.tree, Leaf) and leaf.start >= 0
    ]
    return replace_all(tree, edits) if distance else tree


def _failure(text: str, stuck: Stuck) -> Failure:
    line, column = line_and_column(text, stuck.position)
    return Failure(stuck.position, line, column, stuck.expected, stuck.limited)
