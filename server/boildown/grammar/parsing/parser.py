"""The parser of a grammar: LR where no moves conflict, else Earley's, and error recovery."""

from __future__ import annotations

from dataclasses import dataclass, replace

from boildown.grammar.ir import Grammar, line_and_column
from boildown.grammar.parsing.automaton import Automaton
from boildown.grammar.parsing.collector import collector_paused
from boildown.grammar.parsing.core import compile_grammar
from boildown.grammar.parsing.earley import EarleyParser, Stuck
from boildown.grammar.parsing.fault import first_fault
from boildown.grammar.parsing.lifting import lifted
from boildown.grammar.parsing.lr import LrParser
from boildown.grammar.parsing.recovery import Repaired, recovered
from boildown.grammar.parsing.tokens import Tokens
from boildown.tree import Leaf, Node, Tree, places, with_children, with_prefix
from boildown.tree import replace as replace_all


@dataclass(frozen=True, slots=True)
class ParseSuccess:
    """The result for a text that follows the grammar."""

    tree: Tree
    """The tree of the text; its root is labelled by the symbol that was asked for."""
    ambiguous: bool = False
    """Whether the text has other trees; the first alternative and the longest left part won."""


@dataclass(frozen=True, slots=True)
class ParseFailure:
    """The result for a text with a syntax error, with its place."""

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


LONG_TEXT = 20_000
"""From so many characters on, a text is parsed by the lifted grammar, if there is one."""


class Parser:
    """Parses texts by one grammar; makes its tables as texts need them and keeps them."""

    def __init__(self, grammar: Grammar, limit: int = 2_500_000) -> None:
        """`limit` is how many steps a text may take where it is ambiguous, at about 2 µs each."""
        self.grammar = grammar
        self.core = compile_grammar(grammar)
        """The grammar's productions."""
        self.tokens = Tokens(self.core)
        """The grammar's lexer."""
        self._limit = limit
        self._automata: dict[int, Automaton] = {}
        self._lr: dict[int, LrParser] = {}
        self._earley: dict[int, EarleyParser] = {}
        self._lifted: Parser | None = None
        self._last: tuple[tuple[str, int], ParseSuccess | ParseFailure] | None = None
        """The last text, if it is not long: many are checked first, and then parsed."""

    def parse(self, text: str, symbol: str | None = None) -> ParseSuccess | ParseFailure:
        """Parse the whole text as `symbol` (a nonterminal; the grammar's start if None).

        In a long text by a grammar of characters, nonterminals that are regular are leaves, which
        `opened` opens.
        """
        is_long = len(text) >= LONG_TEXT
        if is_long and not self.grammar.longest:
            lifted_answer = self._parse_lifted(text, symbol or self.grammar.start)
            if lifted_answer is not None:
                return lifted_answer
        start = self.core.symbols[symbol or self.grammar.start]
        last = self._last
        if last is not None and last[0] == (text, start):
            return last[1]
        with collector_paused():
            answer = self._parse(text, start)
        if not is_long:
            self._last = (text, start), answer
        return answer

    def is_linear(self, text: str) -> bool:
        """Say whether the LR automaton alone parses a whole text, in time linear in its length."""
        with collector_paused():
            return self._lr_parser(self.core.symbols[self.grammar.start]).parse(text) is not None

    def opened(self, leaf: Leaf) -> Tree:
        """Return the subtree of a leaf that is labelled by a nonterminal; any other as it is."""
        symbol = self.core.symbols.get(leaf.label)
        if symbol is None or self.core.is_terminal(symbol) or self.core.shape(symbol).atomic:
            return leaf
        with collector_paused():
            answer = self._parse(leaf.text, symbol)
            if not isinstance(answer, ParseSuccess):
                return leaf
            return with_prefix(moved(answer.tree, max(leaf.start, 0)), leaf.prefix)

    def recover(self, text: str, symbol: str | None = None) -> Repaired:
        """Return a tree of any text, errors repaired; as much as possible follows the grammar.

        Its text is the whole text. What the grammar has no place for is in leaves labelled `ERROR`,
        each before the leaf that follows it, under a node with that leaf's label.
        """
        start = self.core.symbols[symbol or self.grammar.start]
        with collector_paused():
            repaired = recovered(self.tokens, self._automaton(start), text)
            return Repaired(_with_rest(repaired.tree, text), repaired.faults)

    def _parse(self, text: str, start: int) -> ParseSuccess | ParseFailure:
        tree = self._lr_parser(start).parse(text)
        if tree is not None:
            return ParseSuccess(_with_rest(tree, text))
        stuck = first_fault(self.tokens, self._automaton(start), text)
        if stuck is not None:
            return _failure(text, stuck)
        answer = self._earley_parser(start).parse(text, self._limit)
        if isinstance(answer, Stuck):
            return _failure(text, answer)
        return ParseSuccess(_with_rest(answer.tree, text), answer.ambiguous)

    def _parse_lifted(self, text: str, symbol: str) -> ParseSuccess | None:
        """Parse by the lifted grammar; None if it is of no use here."""
        if self._lifted is None:
            grammar = lifted(self.grammar) or self.grammar
            self._lifted = Parser(replace(grammar, longest=True), self._limit)
        rules = self._lifted.grammar.rules
        if symbol not in rules or symbol in self._lifted.grammar.atomic:
            return None
        answer = self._lifted.parse(text, symbol)
        return answer if isinstance(answer, ParseSuccess) else None

    def _automaton(self, start: int) -> Automaton:
        if start not in self._automata:
            self._automata[start] = Automaton(self.core, start)
        return self._automata[start]

    def _lr_parser(self, start: int) -> LrParser:
        if start not in self._lr:
            self._lr[start] = LrParser(self.core, self.tokens, self._automaton(start))
        return self._lr[start]

    def _earley_parser(self, start: int) -> EarleyParser:
        if start not in self._earley:
            self._earley[start] = EarleyParser(self.core, self.tokens, start)
        return self._earley[start]


def _with_rest(tree: Node, text: str) -> Node:
    """Return a tree with the ignored text at the end as the prefix of an empty leaf."""
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


def _failure(text: str, stuck: Stuck) -> ParseFailure:
    line, column = line_and_column(text, stuck.position)
    return ParseFailure(stuck.position, line, column, stuck.expected, stuck.limited)
