"""Concatenates tokens so that a parser splits the text at the same places."""

from __future__ import annotations

from collections.abc import Iterable

from boildown.grammar.parsing.core import Core
from boildown.grammar.parsing.tokens import Tokens


class Joiner:
    """Concatenates tokens of one grammar, with white space only where it is needed."""

    def __init__(self, core: Core, tokens: Tokens) -> None:
        self._tokens = tokens
        self._longest = core.grammar.longest
        self.gap = next((gap for gap in (" ", "\n") if tokens.skip(gap, 0) == len(gap)), "")
        """White space that may stand between any two tokens, or nothing if none may."""

    def join(self, texts: Iterable[str]) -> str:
        """Return the concatenation of tokens."""
        parts: list[str] = []
        for text in texts:
            if parts and text and self.gap and self._would_merge(parts[-1], text):
                parts.append(self.gap)
            if text:
                parts.append(text)
        return "".join(parts)

    def _would_merge(self, before: str, after: str) -> bool:
        if _is_word(before[-1]) and _is_word(after[0]):
            return True
        both = before + after
        return any(
            symbol >= 0
            and (match := self._tokens.matchers[symbol](both)) is not None
            and match.end() > len(before)
            for symbol in self._tokens.starting(before[0])
        )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
