"""Random texts of a grammar.

A text has a budget of tokens, and an alternative is taken only if what is still to come can be
finished within it. So texts end by themselves, and recursion through many levels of precedence
makes none of them long, as a limit of depth would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from boildown.grammar.core import Core, Production, compile_grammar, nullable
from boildown.grammar.ir import Grammar, Lit
from boildown.grammar.joining import Joiner
from boildown.grammar.parser import Parser, Success
from boildown.grammar.queries import unit_derivations
from boildown.grammar.regexes import Sampling
from boildown.grammar.tokens import Tokens

ENDLESS = 1 << 30
"""The cost of a symbol from which no text can be derived."""


class Sampler:
    """Makes texts of one grammar; the same generator state gives the same text."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._parser = Parser(grammar)
        self._core = compile_grammar(grammar)
        self._tokens = Tokens(self._core)
        self._joiner = Joiner(self._core, self._tokens)
        self._costs = least_costs(self._core)
        self._growing = growing(self._core)
        self._samplings = [Sampling(token.regex.pattern) for token in self._core.tokens]
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
        if symbol is None or self._costs[symbol] >= ENDLESS:
            return None
        for _ in range(10):
            text = self._text(symbol, rng, budget, lambda token: self._random_word(token, rng))
            if self._parses(text, symbol):
                return text
        return self._shortest(symbol)

    def adversarial(self, label: str) -> Iterator[str]:
        """Yield the texts of a label that programs trip over first: empty, quotes, limits.

        Each is another one; there are at most a few hundred.
        """
        symbol = self._core.symbols.get(label)
        if symbol is None or self._costs[symbol] >= ENDLESS:
            return
        seen = set()
        for text in self._nasty_texts(symbol):
            if text not in seen:
                seen.add(text)
                if self._parses(text, symbol):
                    yield text

    def _parses(self, text: str, symbol: int) -> bool:
        """Say whether tokens that were joined did not become others."""
        if self._core.is_terminal(symbol):
            return True
        return isinstance(self._parser.parse(text, self._core.label(symbol)), Success)

    def _shortest(self, symbol: int) -> str:
        return self._text(symbol, Random(0), 0, lambda token: self._samplings[token].shortest())

    def _nasty_texts(self, symbol: int) -> Iterator[str]:
        empty = nullable(self._core)
        if symbol in empty:
            yield ""
        rng = Random(0)
        yield self._shortest(symbol)
        for single in sorted(unit_derivations(self._core, empty)[symbol]):
            if self._core.is_terminal(single):
                yield from self._nasty_words(single)
        for _ in range(100):
            yield self._text(symbol, rng, 12, lambda token: self._nasty_word(token, rng))

    def _text(self, symbol: int, rng: Random, budget: int, word: Callable[[int], str]) -> str:
        """Expand a symbol from left to right, always able to end within the budget."""
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
        """Return the text of the terminals that must all be alike in a node, if some must."""
        name = self.grammar.same.get(self._core.label(symbol))
        terminal = None if name is None else self._core.symbols.get(name)
        return {} if terminal is None else {terminal: word(terminal)}

    def _choose(
        self, symbol: int, spare: int, grow: bool, used: Counter[Production], rng: Random
    ) -> Production:
        """Return an alternative that the budget allows, rather one that was used less.

        To `grow`, rather one that can hold texts of any size.
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
        sampling = self._samplings[symbol]
        pattern = self._core.tokens[symbol].pattern
        if isinstance(pattern, Lit):
            return pattern.text
        for _ in range(30):
            word = sampling.random(rng)
            if self._stands_alone(word):
                return word
        return sampling.shortest()

    def _stands_alone(self, word: str) -> bool:
        """Say whether a regular expression's text is not taken for a keyword or ignored."""
        return word.lower() not in self._words and self._tokens.skip(word, 0) == 0

    def _nasty_word(self, symbol: int, rng: Random) -> str:
        words = list(self._nasty_words(symbol))
        return rng.choice(words) if words else self._random_word(symbol, rng)

    def _nasty_words(self, symbol: int) -> Iterator[str]:
        """Yield the texts to be wary of that are of a terminal."""
        sampling = self._samplings[symbol]
        for inner in NASTY:
            for text in (inner, f'"{inner}"', f"'{inner}'"):
                if text and sampling.matches(text) and self._tokens.skip(text, 0) == 0:
                    yield text


NASTY = (
    *("", "0", "-0", "1", "-1", "00", "0.0", "1e400", "-1e-400", "2147483648", "-2147483649"),
    *("9223372036854775808", "18446744073709551616", "0.1", "1e5", "NaN", "Infinity", " "),
    *("\t", "\n", "\r\n", "\0", "\x7f", "'", '"', "''", '\\"', "\\", "\\\\", "`", "\\u0000"),
    *("\\ud800", "\\n", "<", ">", "&", "&amp;", "<!--", "-->", "</", "]]>", "%", "%s", "%00"),
    *("$", "${a}", "{", "}", "{}", "[", "]", "()", "(", ")", ";", "--", "/*", "*/", "//", "#"),
    *("/", ".", "..", "../", "*", "?", "|", "=", ",", ":", "@", "~", "^", "+", "-", "_", "a"),
    *("A", "aa", "ab", "é", "ß", "İ", "中", "\u200b", "\u202e", "\ufeff", "\U0001f600"),
    *("e\u0301", "a" * 300, "true", "false", "null", "None", "nil", "undefined", "if", "class"),
    *("self", "__proto__", "constructor", "select", "null\0", "1" * 40, "a b", " a", "a "),
    *("\\x00", "CON", "0x0", "1_0"),
)
"""Texts that programs are known to trip over."""


def growing(core: Core) -> frozenset[int]:
    """Return the nonterminals whose texts have no greatest size."""
    parts = {
        symbol: {part for production in core.of(symbol) for part in production.right}
        for symbol in core.nonterminals()
    }
    reached = {symbol: set(inner) for symbol, inner in parts.items()}
    changed = True
    while changed:
        changed = False
        for inner in reached.values():
            more = set().union(*(parts.get(symbol, ()) for symbol in inner)) - inner
            inner |= more
            changed |= bool(more)
    recursive = {symbol for symbol, inner in reached.items() if symbol in inner}
    return frozenset(symbol for symbol, inner in reached.items() if recursive & {symbol, *inner})


def least_costs(core: Core) -> list[int]:
    """Return for each symbol how many tokens its shortest text has."""
    costs = [1] * len(core.tokens) + [ENDLESS] * len(core.shapes)
    grown = True
    while grown:
        grown = False
        for symbol in core.nonterminals():
            least = min((cost(p, costs) for p in core.of(symbol)), default=ENDLESS)
            if least < costs[symbol]:
                costs[symbol] = least
                grown = True
    return costs


def cost(production: Production, costs: list[int]) -> int:
    """Return how many tokens the shortest text of a production has."""
    return min(sum(costs[symbol] for symbol in production.right), ENDLESS)
