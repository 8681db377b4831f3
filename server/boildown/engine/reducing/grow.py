"""Grows a fragile text by copies of a part of it, until its failure is reliable again.

A search that goes by single runs ends with one item where ten make the failure sure, and with a
depth just below where the stack overflows always. The text then says what matters: a part of it
that stands there many times, or around itself many times, fails as the original does. With more
copies than that needs, a run is clear, so all copies are reduced at once, in a few runs for each
edit; then as few copies are kept as do. Else the search would have to take each single part away
from a text in which each matters a little.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from boildown.engine.language import Language
from boildown.tree import Place, Tree, places

LONGEST = 2_000
"""Characters of a text that is worth it."""
MOST_PARTS = 200
"""How many parts of it are tried, the shortest first."""
_MOST_COPIES = 1_000
_WIDEST = 3
"""Parts in a row that are repeated together, such as an item with what separates it, and levels
that are."""
_FEW_RUNS = 8
"""Runs by which an edit of all copies is accepted: more copies than it takes make a run clear."""

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Repeated:
    """A text with a part of it that may stand there any number of times."""

    before: str
    left: str
    core: str
    right: str
    after: str
    """`right` closes what `left` opens, and is empty where that is only repeated."""
    named: bool = False
    """Whether the first word of each copy is another one."""

    def made(self, copies: int) -> str:
        """Return the text with so many copies."""
        lefts = self.left * copies
        if self.named:
            names = map(_name, range(copies))
            lefts = "".join(_WORD.sub(name, self.left, count=1) for name in names)
        return self.before + lefts + self.core + self.right * copies + self.after

    @property
    def width(self) -> int:
        """The characters of a copy."""
        return len(self.left + self.right)

    def with_text(self, field: str, text: str) -> Repeated:
        """Return copies with another text in one of the fields."""
        changed: dict[str, Any] = {field: text}
        return replace(self, **changed)

    def most(self, length: int) -> int:
        """Return how many copies a text of fewer characters holds."""
        rest = length - 1 - len(self.before + self.core + self.after)
        return min(rest // self.width, _MOST_COPIES)


def _name(number: int) -> str:
    """Return the name of a number: a to z, then ba, bb and so on."""
    letters = chr(ord("a") + number % 26)
    return letters if number < 26 else _name(number // 26) + letters


def grown(
    fragile: str, length: int, language: Language, holds: Callable[[str, int], bool]
) -> Iterator[str]:
    """Yield ever smaller texts that are as reliable as can be, grown from one that is not.

    Each has fewer characters than `length`. `holds` says of a text and a number of runs whether it
    fails as reliably as the original in so many; 0 stands for as many as a result takes. Costs a
    run or two for each part of the text where none is what matters.
    """
    if len(fragile) > LONGEST:
        return
    tried = set[str]()
    for repeated in _candidates(fragile, language.parse(fragile).tree):
        most = repeated.most(length)
        text = repeated.made(most)
        if most > 1 and text not in tried and holds(text, 0):
            yield from _fewest(repeated, most, holds)
            return
        tried.add(text)
        if len(tried) == MOST_PARTS:
            return


def _fewest(repeated: Repeated, most: int, holds: Callable[[str, int], bool]) -> Iterator[str]:
    """Yield the text with the most copies, made smaller, and then with ever fewer ones."""
    smaller = _smaller(repeated, most, holds)
    if smaller == repeated or holds(smaller.made(most), 0):
        repeated = smaller
    yield repeated.made(most)
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if holds(repeated.made(middle), 0):
            high = middle
            yield repeated.made(high)
        else:
            low = middle


def _candidates(text: str, tree: Tree) -> Iterator[Repeated]:
    """Yield the parts to repeat, the shortest first, and named copies after plain ones."""
    found = (*_beside(text, tree), *_around(text, tree))
    ordered = sorted((each for each in found if each.left), key=lambda each: each.width)
    yield from ordered
    for each in ordered:
        if not each.right and _WORD.search(each.left):
            yield replace(each, named=True)


def _beside(text: str, tree: Tree) -> Iterator[Repeated]:
    """Yield the parts, or a few in a row, each to be copied beside itself."""
    for place in (Place(tree, 0), *places(tree)):
        ends = [place.start, *(child.end for child in place.children())]
        rows = (zip(ends, ends[number:], strict=False) for number in range(1, _WIDEST + 1))
        for start, end in chain([place.span], *rows):
            yield Repeated(text[:start], text[start:end], "", "", text[end:])


def _around(text: str, tree: Tree) -> Iterator[Repeated]:
    """Yield the parts with one inside, each to be copied around itself."""
    for place in places(tree):
        outer, (start, end) = place.parent, place.span
        for _ in range(_WIDEST):
            if outer is not None:
                low, high = outer.span
                around = text[low:start], text[start:end], text[end:high]
                yield Repeated(text[:low], *around, text[high:])
                outer = outer.parent


def _smaller(repeated: Repeated, copies: int, holds: Callable[[str, int], bool]) -> Repeated:
    """Return shorter copies, with as little around them, as far as so many of them do."""
    for field in ("left", "right", "core", "before", "after"):

        def does(new: str, repeated: Repeated = repeated, field: str = field) -> bool:
            smaller = repeated.with_text(field, new)
            return smaller.width > 0 and holds(smaller.made(copies), _FEW_RUNS)

        repeated = repeated.with_text(field, _shortened(getattr(repeated, field), does))
    return repeated


def _shortened(text: str, does: Callable[[str], bool]) -> str:
    """Return a text without tokens, by halves, and with shorter words, as far as that does."""
    tokens = _TOKEN.findall(text)
    size = len(tokens)
    while size:
        at = 0
        while at < len(tokens):
            rest = [*tokens[:at], *tokens[at + size :]]
            if does("".join(rest)):
                tokens = rest
            else:
                at += size
        size //= 2
    for at, token in enumerate(tokens):
        shorter = [*tokens[:at], token[:1], *tokens[at + 1 :]]
        if len(token) > 1 and does("".join(shorter)):
            tokens = shorter
    return "".join(tokens)
