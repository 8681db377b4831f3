"""Analyses regular expressions: their first characters and lengths.

A pattern is parsed with the standard library's own parser, so the analysis agrees with `re`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

if sys.version_info >= (3, 11):
    from re import _compiler as sre_compile  # type: ignore[attr-defined]
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_compile
    import sre_constants as sre
    import sre_parse

__all__ = ["sre", "sre_compile", "sre_parse"]

Test: TypeAlias = Callable[[str], bool]
"""A predicate on characters: whether one belongs to a set."""

ZERO_WIDTH = (sre.AT, sre.ASSERT, sre.ASSERT_NOT)
REPEATS = tuple(
    getattr(sre, name)
    for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
    if hasattr(sre, name)
)
ATOMIC = getattr(sre, "ATOMIC_GROUP", None)


def parse(pattern: str) -> Any:
    """Return the standard library's parse of a pattern. Raises `re.error`."""
    return sre_parse.parse(pattern)


def width(pattern: str) -> tuple[int, int]:
    """Return the length of the shortest and of the longest text that a pattern matches."""
    least, most = parse(pattern).getwidth()
    return int(least), int(most)


def may_start(pattern: str) -> Test:
    """Return the predicate for the characters with which a match of the pattern may start.

    The answer may be a yes too many, never a no too many.
    """
    tree = parse(pattern)
    tests, _ = _first(tree, bool(tree.state.flags & re.IGNORECASE))
    return lambda char: any(test(char) for test in tests)


def _first(nodes: Iterable[Any], fold: bool) -> tuple[list[Test], bool]:
    """Return tests for the first character of a sequence, and whether it may be empty."""
    tests: list[Test] = []
    for op, arg in nodes:
        more, empty = _first_of(op, arg, fold)
        tests += more
        if not empty:
            return tests, False
    return tests, True


def _first_of(op: Any, arg: Any, fold: bool) -> tuple[list[Test], bool]:
    if op in ZERO_WIDTH:
        return [], True
    if op is sre.BRANCH:
        parts = [_first(branch, fold) for branch in arg[1]]
        return [test for tests, _ in parts for test in tests], any(empty for _, empty in parts)
    if op is sre.SUBPATTERN:
        _, add, remove, inner = arg
        fold = (fold or bool(add & re.IGNORECASE)) and not remove & re.IGNORECASE
        return _first(inner, fold)
    if op is ATOMIC:
        return _first(arg, fold)
    if op in REPEATS:
        tests, empty = _first(arg[2], fold)
        return tests, empty or arg[0] == 0
    if op in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
        return [_folded(char_test(op, arg)) if fold else char_test(op, arg)], False
    return [lambda _char: True], True


def _folded(test: Test) -> Test:
    return lambda char: test(char) or test(char.lower()) or test(char.upper())


def char_test(op: Any, arg: Any) -> Test:
    """Return the predicate for the characters that one parsed node matches."""
    if op is sre.LITERAL:
        return lambda char: char == chr(arg)
    if op is sre.NOT_LITERAL:
        return lambda char: char != chr(arg)
    if op is sre.RANGE:
        return lambda char: len(char) == 1 and arg[0] <= ord(char) <= arg[1]
    if op is sre.CATEGORY:
        return _CATEGORIES.get(arg, lambda _char: True)
    if op is sre.IN:
        negated = bool(arg) and arg[0][0] is sre.NEGATE
        tests = [char_test(*node) for node in (arg[1:] if negated else arg)]
        return lambda char: any(test(char) for test in tests) is not negated
    return lambda _char: True


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


_CATEGORIES: dict[Any, Test] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    sre.CATEGORY_WORD: _is_word,
    sre.CATEGORY_NOT_WORD: lambda char: not _is_word(char),
}
