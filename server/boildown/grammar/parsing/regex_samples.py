"""Samples texts that a regular expression matches: random ones, and the shortest."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from random import Random
from typing import Any

from boildown.grammar.parsing.linear import compiled
from boildown.grammar.parsing.regexes import ATOMIC, REPEATS, ZERO_WIDTH, char_test, parse, sre

MAX_REPETITIONS = 20_000
"""The most repetitions in a text that is made for a pattern."""


class Sampling:
    """Samples texts that a pattern matches in full."""

    def __init__(self, pattern: str) -> None:
        """Raises `re.error`."""
        self._tree = parse(pattern)
        self._matches = compiled(pattern).fullmatch
        self._shortest: str | None = None

    def matches(self, text: str) -> bool:
        """Say whether the pattern matches the whole text."""
        return self._matches(text) is not None

    def random(self, rng: Random) -> str:
        """Return a random text; the shortest where none was found in a few tries."""
        for _ in range(20):
            text = _Attempt(rng, bool(self._tree.state.flags & re.IGNORECASE)).text(self._tree)
            if text and self.matches(text):
                return text
        return self.shortest()

    def shortest(self) -> str:
        """Return a text as short as could be found, with the plainest characters."""
        if self._shortest is None:
            plain = _Attempt(None, fold=False).text(self._tree)
            if not plain or not self.matches(plain):
                plain = self._shortest_of_many() or plain
            self._shortest = plain
        return self._shortest

    def _shortest_of_many(self) -> str:
        rng = Random(0)
        texts = (_Attempt(rng, fold=False).text(self._tree) for _ in range(300))
        return min(
            (t for t in texts if t and self.matches(t)), key=lambda t: (len(t), t), default=""
        )


_PLAIN = "a0 A_1bxyz" + string.ascii_letters + string.digits + ".-,;:/()[]{}=+*!?\"'<>&|\n\t"
"""Characters, the first to be preferred where a short text may have any."""
_CHARACTERS = (
    string.ascii_letters + string.digits + string.punctuation + " " * 6 + "\t\néßøЖ中\U0001f600"
)
"""Characters to draw from where almost any may stand."""


def _plainness(branch: Any) -> tuple[bool, int]:
    """Order branches: those that only look around come last, as nobody looks for them."""
    return len(branch) > 0 and all(op in ZERO_WIDTH for op, _ in branch), branch.getwidth()[0]


def _weight(op: Any, arg: Any) -> int:
    """Return how often a part of a set is drawn: wide ranges more often than single characters."""
    if op is sre.RANGE:
        return min(int(arg[1]) - int(arg[0]) + 1, 26)
    return 10 if op is sre.CATEGORY else 1


class _Attempt:
    """Makes one text, without regard to assertions: it may not match."""

    def __init__(self, rng: Random | None, fold: bool) -> None:
        """Without `rng`, the text is the shortest."""
        self._rng = rng
        self._fold = fold
        self._groups: dict[int, str] = {}
        self._left = MAX_REPETITIONS

    def text(self, nodes: Iterable[Any]) -> str:
        return "".join(self._one(op, arg) for op, arg in nodes)

    def _one(self, op: Any, arg: Any) -> str:
        if op is sre.LITERAL:
            return self._cased(chr(arg))
        if op in ZERO_WIDTH:
            return ""
        if op is sre.BRANCH:
            return self.text(self._branch(arg[1]))
        if op is sre.SUBPATTERN:
            text = self.text(arg[3])
            if arg[0] is not None:
                self._groups[arg[0]] = text
            return text
        if op in REPEATS:
            return self._repeated(arg[2], self._count(arg[0], arg[1]))
        if op is sre.GROUPREF:
            return self._groups.get(arg, "")
        if op is ATOMIC:
            return self.text(arg)
        if op is sre.GROUPREF_EXISTS:
            return self.text((arg[1] if arg[0] in self._groups else arg[2]) or ())
        return self._character(op, arg)

    def _repeated(self, nodes: Iterable[Any], count: int) -> str:
        parts: list[str] = []
        while count and self._left > 0:
            self._left -= 1
            count -= 1
            parts.append(self.text(nodes))
        return "".join(parts)

    def _branch(self, branches: list[Any]) -> Any:
        if self._rng is None:
            return min(branches, key=_plainness)
        return self._rng.choice(branches)

    def _count(self, least: int, most: Any) -> int:
        if self._rng is None:
            return least
        count = least
        while count < most and self._rng.random() < 0.7:
            count += 1
        return count

    def _cased(self, char: str) -> str:
        if self._rng is None or not self._fold:
            return char
        return self._rng.choice((char.lower(), char.upper()))

    def _character(self, op: Any, arg: Any) -> str:
        test = char_test(op, arg)
        if self._rng is None:
            plain = next(filter(test, _PLAIN), None)
            if not plain and op is sre.IN and all(o in (sre.LITERAL, sre.RANGE) for o, _ in arg):
                return chr(min(part if o is sre.LITERAL else part[0] for o, part in arg))
            if not plain and op is sre.LITERAL:
                return chr(arg)
            return plain or next(filter(test, map(chr, range(0x110000))), "")
        if op is sre.IN and arg[0][0] is not sre.NEGATE:
            return self._member(*self._rng.choices(arg, [_weight(*part) for part in arg])[0])
        for _ in range(30):
            if test(char := self._rng.choice(_CHARACTERS)):
                return char
        return next(filter(test, _PLAIN), "")

    def _member(self, op: Any, arg: Any) -> str:
        """Return a character of one part of a set."""
        assert self._rng is not None
        if op is sre.LITERAL:
            return self._cased(chr(arg))
        if op is sre.RANGE:
            last = min(arg[1], max(arg[0] + 0x17F, 0x17F))
            return chr(self._rng.randint(arg[0], last))
        return self._character(op, arg)
