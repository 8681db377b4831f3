"""A context-sensitive lexer: matches the terminals that a parser expects at an offset.

It does not run ahead of the parser: a parser knows which terminals can stand at a place, and only
these are matched. Most questions are settled by the first character alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from boildown.grammar.ir import Lit
from boildown.grammar.parsing.core import END, Core, Token
from boildown.grammar.parsing.linear import Matcher, Simulated, compiled
from boildown.grammar.parsing.regexes import Test, may_start


class Tokens:
    """The lexer of one grammar; remembers which terminals each character may start."""

    def __init__(self, core: Core) -> None:
        self._tokens = core.tokens
        self._ignored = core.ignored
        self._longest = core.grammar.longest
        self._tests = [_starts(token) for token in core.tokens]
        self._starting = {"": frozenset((END,))}
        self._skip = _skip(core)
        self.matchers = [token.regex.match for token in core.tokens]

    def starting(self, char: str) -> frozenset[int]:
        """Return the terminals that may start with a character; for `""`, the end of the text."""
        found = self._starting.get(char)
        if found is None:
            found = frozenset(i for i, test in enumerate(self._tests) if test(char))
            self._starting[char] = found
        return found

    def skip(self, text: str, position: int) -> int:
        """Return the offset after ignored text (white space, comments) at an offset."""
        if self._skip is None or self.starting(text[position : position + 1]).isdisjoint(
            self._ignored
        ):
            return position
        match = self._skip.match(text, position)
        return position if match is None else match.end()

    def winners(self, text: str, position: int, candidates: Iterable[int]) -> list[tuple[int, int]]:
        """Return the terminals among some that win at an offset, each with the offset of its end.

        By Lark's rules: the highest priority wins, then the longest, then literals; or, in a
        grammar where every derivation counts, all that match.
        """
        found = []
        for symbol in candidates:
            if symbol == END:
                if position == len(text):
                    return [(END, position)]
            elif (match := self.matchers[symbol](text, position)) and match.end() > position:
                found.append((symbol, match.end()))
        if len(found) < 2 or not self._longest:
            return found
        ranks = [self._rank(symbol, end) for symbol, end in found]
        best = max(ranks)
        return [token for token, rank in zip(found, ranks, strict=True) if rank == best]

    def _rank(self, symbol: int, end: int) -> tuple[int, int, bool]:
        token = self._tokens[symbol]
        return token.priority, end, isinstance(token.pattern, Lit)


def _starts(token: Token) -> Test:
    pattern = token.pattern
    if isinstance(pattern, Lit) and pattern.text and not pattern.ignore_case:
        return pattern.text[0].__eq__
    return may_start(token.regex.pattern)


def _skip(core: Core) -> Matcher | None:
    if not core.ignored:
        return None
    matchers = [core.tokens[symbol].regex for symbol in sorted(core.ignored)]
    pattern = f"(?:{'|'.join(matcher.pattern for matcher in matchers)})+"
    # As nothing comes after it, such a repetition never goes back.
    is_slow = any(isinstance(matcher, Simulated) for matcher in matchers)
    return compiled(pattern) if is_slow else re.compile(pattern)
