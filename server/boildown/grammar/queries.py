"""Static queries of a grammar: nullable symbols, shortest texts, alternatives, substitution."""

from __future__ import annotations

from typing import TypeAlias

from boildown.grammar.ir import Grammar, Lit
from boildown.grammar.joining import Joiner
from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.core import Core, Production, nullable, unit_parts
from boildown.grammar.parsing.parser import Parser
from boildown.grammar.parsing.regex_samples import Sampling
from boildown.tree import Kind

MAX_TOKENS = 10_000
"""The most tokens of a shortest text; a symbol whose texts are all longer counts as having none."""
MAX_SPELLED_OUT = 100_000
"""The most symbols in the alternatives that are told of a nonterminal; further ones are not."""

_Alternatives: TypeAlias = tuple[tuple[tuple[str, ...], ...], bool]
"""Labels of children, by the alternative, and whether the list is endless."""


class Facts:
    """Answers static queries of one grammar by the labels of its trees; keeps its tables."""

    def __init__(self, grammar: Grammar, parser: Parser | None = None) -> None:
        """`parser` is one of the grammar, if there is: its tables are used."""
        self.grammar = grammar
        parser = parser or Parser(grammar)
        self._core = parser.core
        self._joiner = Joiner(self._core, parser.tokens)
        self._empty = nullable(self._core)
        self._alternatives: dict[str, _Alternatives | None] = {}
        self._units: dict[int, frozenset[int]] = {}
        self._shortest: list[str | None] | None = None

    @property
    def gap(self) -> str:
        """White space that may stand between any two tokens, or nothing if none may."""
        return self._joiner.gap

    def knows(self, label: str) -> bool:
        """Say whether the grammar has a symbol with this label."""
        return label in self._core.symbols

    def nullable(self, label: str) -> bool:
        """Say whether the empty text can be derived from a label."""
        return self._core.symbols.get(label) in self._empty

    def shortest(self, label: str) -> str | None:
        """Return the shortest text that can be derived from a label.

        None if the grammar does not know the label, or nothing can be derived from it.
        """
        if self._shortest is None:
            self._shortest = shortest_texts(self._core, self._joiner)
        symbol = self._core.symbols.get(label)
        return None if symbol is None else self._shortest[symbol]

    def alternatives(self, label: str) -> _Alternatives | None:
        """Return the alternatives of a nonterminal as labels of children, and if it is endless.

        Of a list without end, the shortest and those with an item more; it goes on with what the
        last has more than the one before. None for a token, or a label that is not known.
        """
        if label not in self._alternatives:
            self._alternatives[label] = self._expanded(label)
        return self._alternatives[label]

    def _expanded(self, label: str) -> _Alternatives | None:
        core, symbol = self._core, self._core.symbols.get(label)
        if symbol is None or core.is_terminal(symbol) or core.shape(symbol).atomic:
            return None
        if (endless := self._list(symbol)) is not None:
            least, item, separators = endless
            more = [*separators, item]
            rights = [[item, *more * (max(least, 1) - 1)], [item, *more * max(least, 1)]]
            rights = rights if least else [[], *rights]
        else:
            rights = self._spelled_out(symbol)
        return tuple(tuple(map(core.label, right)) for right in rights), endless is not None

    def _spelled_out(self, symbol: int) -> list[list[int]]:
        """Return a nonterminal's right sides; those of nonterminals without nodes are put in."""
        core = self._core
        found: list[list[int]] = []
        pending = [list(production.right) for production in reversed(core.of(symbol))]
        size = 0
        while pending and size <= MAX_SPELLED_OUT:
            right = pending.pop()
            size += len(right) + 1
            last = right[-1] if right else None
            if last is None or core.is_terminal(last) or core.shape(last).kind is not None:
                found.append(right)
            else:
                pending += [[*right[:-1], *more.right] for more in core.of(last)]
        return found

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree labelled `label` may replace one labelled `slot`.

        It may if the slot derives it and nothing besides: `stmt` derives `if_stmt`, and a list
        derives its one item. A list may also stand where one of the same items may be as short.
        """
        if slot == label:
            return True
        outer, inner = self._core.symbols.get(slot), self._core.symbols.get(label)
        if outer is None or inner is None:
            return False
        reached = self._derived(outer)
        return inner in reached or any(self._list_fits(symbol, inner) for symbol in reached)

    def _list_fits(self, outer: int, inner: int) -> bool:
        wide, narrow = self._list(outer), self._list(inner)
        if wide is None or narrow is None:
            return False
        return wide[0] <= narrow[0] and wide[2] == narrow[2] and narrow[1] in self._derived(wide[1])

    def _derived(self, symbol: int) -> frozenset[int]:
        """Return the symbols that a symbol derives alone (unit derivations), itself included."""
        if symbol not in self._units:
            reached, fresh = {symbol}, [symbol]
            while fresh:
                top = fresh.pop()
                for production in () if self._core.is_terminal(top) else self._core.of(top):
                    more = set(unit_parts(production, self._empty)) - reached
                    reached |= more
                    fresh.extend(more)
            self._units[symbol] = frozenset(reached)
        return self._units[symbol]

    def _list(self, symbol: int) -> tuple[int, int, tuple[int, ...]] | None:
        """Return the least count, the item and the separators of an endless list."""
        if self._core.is_terminal(symbol) or self._core.shape(symbol).kind is not Kind.LIST:
            return None
        right = self._core.of(symbol)[0].right
        gathered = right[0] if right else 0
        if self._core.is_terminal(gathered) or self._core.shape(gathered).kind is not None:
            return None
        more = self._core.of(gathered)[1].right
        return self._core.shape(symbol).least, more[-1], more[1:-1]


def shortest_texts(core: Core, joiner: Joiner) -> list[str | None]:
    """Return the shortest text of each symbol; None if it derives none.

    Of several that are as short, one that needs no blank beside a word is preferred. A fixed point
    in rounds over each recursion, after the symbols that it leads to.
    """
    best: list[tuple[str, ...] | None] = [(_plainest(core, i),) for i in range(len(core.tokens))]
    best += [None] * len(core.shapes)
    costs = [_cost(words[0]) if words else (0, 0) for words in best]
    edges: list[list[int]] = [[] for _ in core.tokens]
    edges += [[n for p in core.of(symbol) for n in p.right] for symbol in core.nonterminals()]
    for members in components(edges):
        grown = True
        while grown:
            grown = False
            for production in (p for s in members if not core.is_terminal(s) for p in core.of(s)):
                words, left = _words(production, best), production.left
                if words is None:
                    continue
                cost = _cost(joiner.join(words))
                if best[left] is None or cost < costs[left]:
                    best[left], costs[left] = words, cost
                    grown = True
    return [None if words is None else joiner.join(words) for words in best]


def _cost(text: str) -> tuple[int, int]:
    """Return the length of a text, and how many of its ends would merge with a word."""
    return len(text), sum(end.isalnum() or end == "_" for end in (text[:1], text[-1:]))


def _words(production: Production, best: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    words: list[str] = []
    for symbol in production.right:
        part = best[symbol]
        if part is None:
            return None
        words += part
        if len(words) > MAX_TOKENS:
            return None
    return tuple(words)


def _plainest(core: Core, symbol: int) -> str:
    token = core.tokens[symbol]
    if isinstance(token.pattern, Lit):
        return token.pattern.text
    return Sampling(token.regex.pattern).shortest()
