"""Finds lengths in a text: numbers that say how many characters something has.

They stand before it, with the same signs around it as others of the kind have, or a few tokens
before a token of this length, in quotes or not, or anywhere if it is the end of the text:

    4:spam,6:banana,      {"size": 6, "data": "banana"}      Content-Length: 6

                                                             banana

A character goes with one off the number. These are hypotheses, which runs confirm or refute (see
`Family`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from boildown import tree as trees
from boildown.engine.candidates import Splice
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.links import Links
from boildown.tree import Leaf

LEAST_LENGTH = 8
"""How long something has to be where it is the only one of its kind."""
LEAST_SHARE = 0.1
"""Which part of the text all of a kind has to be."""
MOST_SIGNS = 4
"""How many characters may stand between a number and what it measures."""
TOKENS_AFTER = 8
"""How many tokens after a number may be measured by it."""

_NUMBER = re.compile(r"(?<![\w.])[1-9]\d{0,8}(?![\w.])")
_SIGNS = re.compile(rf"\W{{1,{MOST_SIGNS}}}")
_QUOTES = "\"'`"


@dataclass(frozen=True, slots=True)
class _Measured:
    """A number, and the span of the text that it tells the length of."""

    number: tuple[int, int]
    start: int
    end: int


def length_families(problem: Problem, found: Links) -> Iterator[Family]:
    """Yield the families of the characters whose numbers are told, by their surroundings."""
    sort = "characters that are counted"
    is_known = sort in problem.hypotheses.confirmed
    largest = 0
    for kind, nested in _kinds(problem.text, found):
        measured = _apart(nested)
        size = sum(each.end - each.start for each in measured)
        # Another kind is only worth its runs if as much of the text is of it.
        is_large = size >= largest and size >= LEAST_SHARE * len(problem.text)
        if is_large and (size >= LEAST_LENGTH or len(measured) > 1 or is_known):
            largest = size
            name = f"{sort}, {kind}"
            family = _Lengths(measured)
            without, uncounted = family.without, partial(family.without, numbers=False)
            yield Family(sort, name, size, without, size, True, uncounted, name, exact=True)


def _apart(measured: Iterable[_Measured]) -> list[_Measured]:
    """Leave out spans inside of another, or with the number of the one before them."""
    result: list[_Measured] = []
    for each in measured:
        if not result or result[-1].end <= each.number[0]:
            result.append(each)
    return result


def _kinds(text: str, found: Links) -> Iterator[tuple[str, Sequence[_Measured]]]:
    """Yield the spans that numbers measure: tokens, the text behind them, the end of the text."""
    numbers = [(*match.span(), int(match[0])) for match in _NUMBER.finditer(text)]
    for kind, measured in sorted(_tokens(numbers, found).items(), key=lambda each: each[0]):
        yield f"{kind[0]} tokens after the number", measured
    for start, end, length in numbers:
        if text[-length - 1 : -length] == "\n" and end < len(text) - length:
            yield "at the end", [_Measured((start, end), len(text) - length, len(text))]
    for signs, measured in sorted(_following(text, numbers).items()):
        yield f"{signs!r} after the number", measured


def _tokens(
    numbers: Sequence[tuple[int, int, int]], found: Links
) -> Mapping[tuple[int, str], list[_Measured]]:
    """Return the tokens that are as long as the numbers before them say, by how far they are."""
    leaves = found.leaves
    result: dict[tuple[int, str], list[_Measured]] = {}
    others: dict[tuple[int, str], int] = {}
    for at, end, length in numbers:
        first = bisect_right(leaves, at, key=lambda place: place.start)
        for away, place in enumerate(leaves[first : first + TOKENS_AFTER], start=1):
            leaf = place.tree
            assert isinstance(leaf, Leaf)
            quoted = leaf.text[:1] in _QUOTES and len(leaf.text) > 1
            start, stop = place.end - len(leaf.text) + quoted, place.end - quoted
            if stop - start == length > 1:
                result.setdefault((away, leaf.label), []).append(_Measured((at, end), start, stop))
            else:
                others[away, leaf.label] = others.get((away, leaf.label), 0) + 1
    return {
        kind: measured for kind, measured in result.items() if len(measured) >= others.get(kind, 0)
    }


def _following(text: str, numbers: Sequence[tuple[int, int, int]]) -> Mapping[str, list[_Measured]]:
    """Return the spans as long as the number before them says, by the signs between these two.

    It ends the text, or the same character comes after most of its kind.
    """
    result: dict[str, list[_Measured]] = {}
    starts: dict[str, int] = {}
    for at, end, length in numbers:
        signs = _SIGNS.match(text, end)
        for start in range(end + 1, signs.end() + 1 if signs else 0):
            between = text[end:start]
            starts[between] = starts.get(between, 0) + 1
            if start + length <= len(text):
                result.setdefault(between, []).append(_Measured((at, end), start, start + length))
    kinds = {}
    for between, measured in result.items():
        afters = Counter(text[each.end : each.end + 1] for each in measured)
        after, count = max(afters.items(), key=lambda each: each[1])
        if 2 * count >= starts[between]:
            kinds[between] = [each for each in measured if text[each.end : each.end + 1] == after]
    return kinds


class _Lengths:
    """Characters go, with so many off the numbers that tell their number."""

    def __init__(self, measured: Sequence[_Measured]) -> None:
        self._measured = measured
        self._firsts: list[int] = []
        """The index of the first character of each, over all of them."""
        size = 0
        for each in measured:
            self._firsts.append(size)
            size += each.end - each.start

    def without(self, gone: Collection[int], numbers: bool = True) -> list[Splice] | None:
        """Return the splices without some characters, and with the right numbers."""
        splices: list[Splice] = []
        lost: dict[int, int] = {}
        for low, high in trees.merged((at, at + 1) for at in sorted(gone)):
            at = low
            while at < high:
                index = bisect_right(self._firsts, at) - 1
                each = self._measured[index]
                start = each.start + at - self._firsts[index]
                end = min(start + high - at, each.end)
                splices.append((start, end, ""))
                lost[index] = lost.get(index, 0) + end - start
                at += end - start
        for index, count in lost.items() if numbers else ():
            each = self._measured[index]
            splices.append((*each.number, str(each.end - each.start - count)))
        return sorted(splices)
