"""Finds links in a text: the definitions of names, and the units that refer to them.

This is known from the tree and the text alone, without knowing the language: hypotheses, which
runs confirm or refute. A *unit* is an item of a list. A word is *defined* by a unit if it stands
near the unit's beginning in a context where it comes once, and hardly another one twice. It is used
wherever else it stands, as a token or as a part of one:

    %record = type {i32, i32}                 context: nothing before, word 1    defines `record`
    define i32 @work0(i32 %v0, ptr %v1) {     context: `define`, word 2          defines `work0`
    define i32 @work1(i32 %v0, ptr %v1) {     context: `define`, word 2          defines `work1`
      %v2 = call i32 @work0(i32 %v0)
    }

The word `i32` comes twice in one context, and so do `v0` and `v1`: nothing there defines them. `v2`
is defined in the list of its line. A word that the outermost of its lists define once has its uses
all over the text; one that several lists define has them in each list for itself. Where a list
defines a word twice, the unit whose context holds most words has it, for that is what the others
refer to.

Everything is found in about linear time: no pair of units is looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from boildown import tree as trees
from boildown.tree import Kind, Leaf, Place

HEAD_TOKENS = 12
"""How many tokens at the beginning of a unit may define a name."""
MIN_WORDS = 2
"""How many words a context must hold to define them."""

MOST_AGAIN = 0.25
"""Which part of the words of a context may come again: keys of a state machine that another pass
had made alike, 40 of 200."""

_WORD = re.compile(r"\w+(?:[-.:]\w+)*")
_PART = re.compile(r"\w+(?:-\w+)*")
_SIGILS = "%@#$!"


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where a name stands."""

    start: int
    end: int
    """Offsets in the text."""
    leaf: int
    """Which leaf it is in."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkedName:
    """A unit that defines a name, and the uses of the name outside of it."""

    word: str
    unit: Place
    """The list item that goes if the name goes."""
    uses: tuple[Reference, ...]
    before: Place | None = None
    """The item before it, such as its description, if those like it have one there, too."""

    @property
    def parts(self) -> tuple[Place, ...]:
        """The list items that go if the name goes."""
        return (self.unit,) if self.before is None else (self.before, self.unit)


@dataclass(slots=True)
class Links:
    """The definitions of a text, and the references between its units."""

    text: str
    leaves: list[Place]
    definitions: list[LinkedName]
    """In the order of the text, an outer unit before those inside of it."""
    lists: list[Place]
    """The lists of several items."""
    targets: list[list[int]] = field(default_factory=list)
    """For each definition, those whose names its unit uses, in the order of the text."""
    starts: list[int] = field(default_factory=list)
    """Where the unit of each definition starts."""

    def outermost(self) -> tuple[list[int], list[int]]:
        """Return the definitions that are inside of no other one's unit, and the others."""
        outer: list[int] = []
        inner: list[int] = []
        end = 0
        for at, definition in enumerate(self.definitions):
            (outer if definition.unit.end > end else inner).append(at)
            end = max(end, definition.unit.end)
        return outer, inner

    def inside(self, start: int, end: int) -> Iterator[int]:
        """Yield the definitions whose units lie in a span of the text."""
        for at in range(bisect_left(self.starts, start), bisect_left(self.starts, end)):
            if self.definitions[at].unit.end <= end:
                yield at


def links(root: trees.Tree, text: str) -> Links:
    """Find the definitions of a text and their uses."""
    leaves, lists = _leaves_and_lists(root)
    words = _Words(text, leaves)
    found: dict[str, list[tuple[int, Place, Place]]] = {}
    before: dict[Place, Place] = {}
    for depth, place in lists:
        listed = place.items()
        defined = _defined(listed, words)
        for word, unit in defined.items():
            found.setdefault(word, []).append((depth, place, unit))
        before.update(_companions(listed, set(defined.values())))
    definitions: list[LinkedName] = []
    for word, units in found.items():
        least = min(depth for depth, _, _ in units)
        outermost = [(place, unit) for depth, place, unit in units if depth == least]
        for place, unit in outermost:
            low, high = (0, len(text)) if len(outermost) == 1 else (place.start, place.end)
            uses = tuple(words.uses(word, low, unit.start)) + tuple(
                words.uses(word, unit.end, high)
            )
            if uses:
                definitions.append(LinkedName(word, unit, uses, before.get(unit)))
    definitions.sort(key=lambda each: (each.unit.start, -each.unit.end))
    starts = [each.unit.start for each in definitions]
    result = Links(text, leaves, definitions, [place for _, place in lists], starts=starts)
    result.targets = _targets(result)
    return result


def _targets(found: Links) -> list[list[int]]:
    uses = sorted(
        (use.start, at)
        for at, definition in enumerate(found.definitions)
        for use in definition.uses
    )
    starts = [start for start, _ in uses]
    targets = []
    for at, definition in enumerate(found.definitions):
        low, high = (
            bisect_left(starts, definition.unit.start),
            bisect_left(starts, definition.unit.end),
        )
        targets.append(list(dict.fromkeys(to for _, to in uses[low:high] if to != at)))
    return targets


def _leaves_and_lists(root: trees.Tree) -> tuple[list[Place], list[tuple[int, Place]]]:
    """Return the places of the leaves with text, and of the lists with their depths in lists."""
    leaves: list[Place] = []
    lists: list[tuple[int, Place]] = []
    stack = [(0, Place(root, 0))]
    while stack:
        depth, place = stack.pop()
        tree = place.tree
        if isinstance(tree, Leaf):
            if tree.text:
                leaves.append(place)
            continue
        if tree.kind is Kind.LIST and tree.count > 1:
            lists.append((depth, place))
            depth += 1
        stack.extend((depth, child) for child in reversed(place.children()))
    return leaves, lists


class _Words:
    """The words of a text, with the leaves that they are in."""

    def __init__(self, text: str, leaves: Sequence[Place]) -> None:
        self.leaves = leaves
        self.starts = [place.end - len(_text(place)) for place in leaves]
        self.at: list[tuple[int, str]] = []
        """Offset and word, in the order of the text."""
        self._uses: dict[str, list[Reference]] = {}
        for match in _WORD.finditer(text):
            for start, end in _parts(match):
                leaf = bisect_right(self.starts, start) - 1
                if leaf < 0 or end > leaves[leaf].end:
                    continue
                word = text[start:end]
                if word.isdigit():
                    if text[start - 1 : start] not in _SIGILS or not start:
                        continue
                    word = text[start - 1 : end]
                self.at.append((start, word))
                self._uses.setdefault(word, []).append(Reference(start, end, leaf))

    def leaf(self, offset: int) -> int:
        """Return the first leaf that starts at or after an offset."""
        return bisect_left(self.starts, offset)

    def between(self, start: int, end: int) -> Sequence[tuple[int, str]]:
        """Return the words in a span of the text."""
        return self.at[bisect_left(self.at, (start, "")) : bisect_left(self.at, (end, ""))]

    def is_shared(self, word: str) -> bool:
        """Say whether a word stands at several places."""
        return len(self._uses[word]) > 1

    def uses(self, word: str, start: int, end: int) -> list[Reference]:
        """Return the places of a word in a span of the text."""
        found = self._uses[word]
        low, high = (
            bisect_left(found, offset, key=lambda use: use.start) for offset in (start, end)
        )
        return found[low:high]


def _parts(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of a word and of the words that it is made of: `a:b-c`, `a`, `b-c`."""
    yield match.span()
    if ":" in match[0] or "." in match[0]:
        for part in _PART.finditer(match[0]):
            yield match.start() + part.start(), match.start() + part.end()


def _defined(listed: Sequence[Place], words: _Words) -> dict[str, Place]:
    """Return the words that the items of a list define, each with its item."""
    contexts: dict[tuple[str, int], Counter[str]] = {}
    seen: list[tuple[Place, list[tuple[str, tuple[str, int]]]]] = []
    for unit in listed:
        if isinstance(unit.tree, Leaf) or not unit.tree.width:
            continue
        first = words.leaf(unit.start)
        last = min(first + HEAD_TOKENS, words.leaf(unit.end)) - 1
        if last < first:
            continue
        opening = _text(words.leaves[first])
        found = []
        is_first = True
        for start, word in words.between(words.starts[first], words.leaves[last].end):
            index = bisect_right(words.starts, start) - 1 - first
            context = (opening if index else "", index)
            if index and is_first:
                # A bracket alone tells nothing: `(declare-fun f ...)` is no `(assert f ...)`.
                opening += word
            is_first = False
            contexts.setdefault(context, Counter())[word] += 1
            if words.is_shared(word):
                found.append((word, context))
        seen.append((unit, found))
    scores = {
        context: len(each) if each.total() - len(each) <= MOST_AGAIN * len(each) else 0
        for context, each in contexts.items()
    }
    best: dict[str, tuple[int, Place]] = {}
    for unit, found in seen:
        for word, context in found:
            score = scores[context]
            is_once = contexts[context][word] == 1
            if is_once and score >= MIN_WORDS and (word not in best or score > best[word][0]):
                best[word] = score, unit
    return {word: unit for word, (_, unit) in best.items()}


def _companions(listed: Sequence[Place], units: Collection[Place]) -> dict[Place, Place]:
    """Return the item before each unit, if it begins like those before half of the units do."""
    before = {
        unit: last
        for last, unit in pairwise(listed)
        if unit in units and last not in units and last.tree.width
    }
    openings = Counter(map(_opening, before.values()))
    return {
        unit: last for unit, last in before.items() if 2 * openings[_opening(last)] >= len(units)
    }


def _opening(place: Place) -> str:
    """Return the character that a part begins with."""
    return next(trees.leaves(place.tree)).text[:1]


def _text(place: Place) -> str:
    assert isinstance(place.tree, Leaf)
    return place.tree.text
