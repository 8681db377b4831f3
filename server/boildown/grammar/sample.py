"""Samples random texts of a grammar within a budget of tokens.

A text has a budget of tokens, and an alternative is taken only if what is still to come can be
finished within it. So texts end by themselves, and recursion through many levels of precedence
makes none of them long, as a limit of depth would.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable
from random import Random

from boildown.grammar.ir import Grammar, Lit
from boildown.grammar.joining import Joiner
from boildown.grammar.parsing.automaton import TooLarge
from boildown.grammar.parsing.components import components
from boildown.grammar.parsing.core import Core, Production, in_cycles
from boildown.grammar.parsing.parser import Parser, ParseSuccess
from boildown.grammar.parsing.regex_samples import Sampling

UNDERIVABLE_COST = 1 << 16
"""The cost of a symbol from which no text can be derived, or none of fewer tokens than this."""


class Sampler:
    """Samples texts of one grammar; the same state of the random generator gives the same text."""

    def __init__(self, grammar: Grammar, parser: Parser | None = None) -> None:
        """`parser` is one of the grammar, if there is: its tables are used."""
        self.grammar = grammar
        self._parser = parser or Parser(grammar)
        self._core, self._tokens = self._parser.core, self._parser.tokens
        self._joiner = Joiner(self._core, self._tokens)
        self._costs = least_costs(self._core)
        self._growing = growing(self._core)
        self._samplings: dict[int, Sampling] = {}
        self._words = {
            token.pattern.text.lower()
            for token in self._core.tokens
            if isinstance(token.pattern, Lit) and grammar.longest
        }

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, of about `budget` tokens at most.

        None if the grammar does not know the label, or nothing can be derived from it.
        """
        symbol = self._core.symbols.get(label)
        if symbol is None or self._costs[symbol] >= UNDERIVABLE_COST:
            return None
        for _ in range(10):
            text = self._text(symbol, rng, budget, lambda token: self._random_word(token, rng))
            if self._parses(text, symbol):
                return text
        return self._shortest(symbol)

    def _parses(self, text: str, symbol: int) -> bool:
        """Say whether a text of concatenated tokens still follows the grammar."""
        if self._core.is_terminal(symbol):
            return True
        try:
            return isinstance(self._parser.parse(text, self._core.label(symbol)), ParseSuccess)
        except TooLarge:
            return False

    def _shortest(self, symbol: int) -> str:
        return self._text(symbol, Random(0), 0, lambda token: self._sampling(token).shortest())

    def _text(self, symbol: int, rng: Random, budget: int, word: Callable[[int], str]) -> str:
        """Return a random text of a symbol; `word` gives the text of each terminal.

        The symbols are expanded from left to right. `spare` is how many tokens of the budget are
        left once everything still to come takes its shortest form, so that form is always possible.
        """
        words: list[str] = []
        aim = rng.randint(0, max(budget, 0))
        stack: list[tuple[int, dict[int, str]]] = [(symbol, {})]
        spare = budget - self._costs[symbol]
        used: Counter[Production] = Counter()
        while stack:
            top, siblings = stack.pop()
            if self._core.is_terminal(top):
                words.append(siblings[top] if top in siblings else word(top))
                continue
            production = self._choose(top, spare, budget - spare < aim, used, rng)
            spare += self._costs[top] - self._cost(production)
            siblings = self._alike(top, word)
            stack.extend((part, siblings) for part in reversed(production.right))
        return self._joiner.join(words)

    def _alike(self, symbol: int, word: Callable[[int], str]) -> dict[int, str]:
        """Return the text of the terminal that must be the same throughout a node, if any."""
        name = self.grammar.same.get(self._core.label(symbol))
        terminal = None if name is None else self._core.symbols.get(name)
        return {} if terminal is None else {terminal: word(terminal)}

    def _choose(
        self, symbol: int, spare: int, grow: bool, used: Counter[Production], rng: Random
    ) -> Production:
        """Choose an alternative that the budget allows; those used less are more likely.

        To `grow`, those are more likely that can hold texts of any size.
        """
        least = self._costs[symbol]
        productions = self._core.of(symbol)
        allowed = [p for p in productions if self._cost(p) - least <= spare]
        if not allowed:
            allowed = [p for p in productions if self._cost(p) == least]
        is_list = self._core.shape(symbol).kind is None
        weights = [
            (4 if grow and not self._growing.isdisjoint(production.right) else 1)
            / (1 if is_list else 1 + used[production])
            for production in allowed
        ]
        chosen = rng.choices(allowed, weights)[0]
        used[chosen] += 1
        return chosen

    def _cost(self, production: Production) -> int:
        return cost(production, self._costs)

    def _random_word(self, symbol: int, rng: Random) -> str:
        sampling = self._sampling(symbol)
        pattern = self._core.tokens[symbol].pattern
        if isinstance(pattern, Lit):
            return pattern.text
        for _ in range(30):
            word = sampling.random(rng)
            if self._stands_alone(word):
                return word
        return sampling.shortest()

    def _sampling(self, symbol: int) -> Sampling:
        found = self._samplings.get(symbol)
        if found is None:
            found = self._samplings[symbol] = Sampling(self._core.tokens[symbol].regex.pattern)
        return found

    def _stands_alone(self, word: str) -> bool:
        """Say whether a token can't be taken for a keyword or for ignored text."""
        return word.lower() not in self._words and self._tokens.skip(word, 0) == 0


def growing(core: Core) -> frozenset[int]:
    """Return the nonterminals whose texts may be of any size, as they reach a recursion."""
    edges: list[set[int]] = [set() for _ in core.tokens]
    edges += [
        {part for production in core.of(symbol) for part in production.right}
        for symbol in core.nonterminals()
    ]
    found = set(in_cycles(edges))
    for members in components(edges):
        if any(not found.isdisjoint((symbol, *edges[symbol])) for symbol in members):
            found.update(members)
    return frozenset(found)


def least_costs(core: Core) -> list[int]:
    """Return for each symbol the number of tokens in its shortest text.

    The cheapest symbols are settled first, and a production when all its symbols are (Knuth, A
    Generalization of Dijkstra's Algorithm, 1977).
    """
    costs = [1] * len(core.tokens) + [UNDERIVABLE_COST] * len(core.shapes)
    used_in: dict[int, list[Production]] = defaultdict(list)
    missing: dict[Production, int] = {}
    queue: list[tuple[int, int]] = [(1, symbol) for symbol in range(len(core.tokens))]
    for symbol in core.nonterminals():
        for production in core.of(symbol):
            missing[production] = len(set(production.right))
            for part in set(production.right):
                used_in[part].append(production)
            if not production.right:
                heapq.heappush(queue, (0, symbol))
                costs[symbol] = 0
    heapq.heapify(queue)
    settled: set[int] = set()
    while queue:
        _, symbol = heapq.heappop(queue)
        if symbol in settled:
            continue
        settled.add(symbol)
        for production in used_in[symbol]:
            missing[production] -= 1
            least, left = cost(production, costs), production.left
            if not missing[production] and least < costs[left]:
                costs[left] = least
                heapq.heappush(queue, (least, left))
    return costs


def cost(production: Production, costs: list[int]) -> int:
    """Return the number of tokens in the shortest text of a production."""
    return min(sum(costs[symbol] for symbol in production.right), UNDERIVABLE_COST)
