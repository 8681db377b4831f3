"""What can be known of a grammar without a text: what may be empty, what fits where."""

from __future__ import annotations

from boildown.grammar.core import Core, Production, compile_grammar, nullable
from boildown.grammar.ir import Grammar, Lit
from boildown.grammar.joining import Joiner
from boildown.grammar.regexes import Sampling
from boildown.grammar.tokens import Tokens
from boildown.tree import Kind


class Facts:
    """Answers about one grammar, by the labels of its trees. Computed once."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._core = compile_grammar(grammar)
        self._joiner = Joiner(self._core, Tokens(self._core))
        self._empty = nullable(self._core)
        self._units = unit_derivations(self._core, self._empty)
        self._shortest: list[str | None] | None = None

    @property
    def gap(self) -> str:
        """White space that may stand between any two tokens, or nothing if none may."""
        return self._joiner.gap

    def knows(self, label: str) -> bool:
        """Say whether the grammar has a symbol with this label."""
        return label in self._core.symbols

    def nullable(self, label: str) -> bool:
        """Say whether the empty text is one of this label."""
        return self._core.symbols.get(label) in self._empty

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label.

        None if the grammar does not know the label, or nothing can be derived from it.
        """
        if self._shortest is None:
            self._shortest = shortest_texts(self._core, self._joiner)
        symbol = self._core.symbols.get(label)
        return None if symbol is None else self._shortest[symbol]

    def alternatives(self, label: str) -> tuple[tuple[tuple[str, ...], ...], bool] | None:
        """Return the children's labels in each alternative of a nonterminal, and if it is endless.

        Of a list without end, the shortest and those with an item more; it goes on with what the
        last has more than the one before. None for a token, or a label that is not known.
        """
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
        """Return the productions of a nonterminal, those that make no node written out."""
        core = self._core
        found: list[list[int]] = []
        pending = [list(production.right) for production in reversed(core.of(symbol))]
        while pending:
            right = pending.pop()
            last = right[-1] if right else None
            if last is None or core.is_terminal(last) or core.shape(last).kind is not None:
                found.append(right)
            else:
                pending += [[*right[:-1], *more.right] for more in core.of(last)]
        return found

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a subtree labelled `label` may stand where one labelled `slot` stands.

        It may if the slot derives it and nothing besides: `stmt` derives `if_stmt`, and a list
        derives its one item. A list may also stand where one of the same items may be as short.
        """
        if slot == label:
            return True
        outer, inner = self._core.symbols.get(slot), self._core.symbols.get(label)
        if outer is None or inner is None:
            return False
        reached = self._units[outer]
        return inner in reached or any(self._list_fits(symbol, inner) for symbol in reached)

    def _list_fits(self, outer: int, inner: int) -> bool:
        wide, narrow = self._list(outer), self._list(inner)
        if wide is None or narrow is None:
            return False
        return wide[0] <= narrow[0] and wide[2] == narrow[2] and narrow[1] in self._units[wide[1]]

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


def unit_derivations(core: Core, empty: frozenset[int]) -> list[frozenset[int]]:
    """Return for each symbol the symbols that it derives and nothing besides, itself included."""
    direct: list[set[int]] = [set() for _ in core.tokens]
    direct += [
        {
            part
            for production in core.of(symbol)
            for i, part in enumerate(production.right)
            if empty.issuperset(production.right[:i] + production.right[i + 1 :])
        }
        for symbol in core.nonterminals()
    ]
    derived = []
    for symbol in range(len(direct)):
        reached, fresh = {symbol}, [symbol]
        while fresh:
            more = direct[fresh.pop()] - reached
            reached |= more
            fresh.extend(more)
        derived.append(frozenset(reached))
    return derived


def shortest_texts(core: Core, joiner: Joiner) -> list[str | None]:
    """Return the shortest text of each symbol; None if it derives none.

    Knuth's generalization of Dijkstra's algorithm (1977), as rounds until nothing gets shorter.
    """
    best: list[tuple[str, ...] | None] = [(_plainest(core, i),) for i in range(len(core.tokens))]
    best += [None] * len(core.shapes)
    grown = True
    while grown:
        grown = False
        for symbol in core.nonterminals():
            for production in core.of(symbol):
                words = _words(production, best)
                if words is not None and _is_shorter(words, best[symbol], joiner):
                    best[symbol] = words
                    grown = True
    return [None if words is None else joiner.join(words) for words in best]


def _words(production: Production, best: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    words: list[str] = []
    for symbol in production.right:
        part = best[symbol]
        if part is None:
            return None
        words += part
    return tuple(words)


def _is_shorter(words: tuple[str, ...], than: tuple[str, ...] | None, joiner: Joiner) -> bool:
    return than is None or len(joiner.join(words)) < len(joiner.join(than))


def _plainest(core: Core, symbol: int) -> str:
    token = core.tokens[symbol]
    if isinstance(token.pattern, Lit):
        return token.pattern.text
    return Sampling(token.regex.pattern).shortest()
