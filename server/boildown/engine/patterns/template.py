"""Templates: a text and its tree, of which slots can be filled and read back.

Filling goes from values to a text, reading from a text back to the values: it parses the text as a
whole and goes through both trees side by side. What is read from a text that was filled are the
values that were put in, unless they made something else of the text around them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from random import Random
from typing import Protocol, TypeAlias, runtime_checkable

from boildown import tree as trees
from boildown.engine.candidates import spliced
from boildown.engine.language import Language
from boildown.engine.patterns.conditions import Value
from boildown.tree import Kind, Leaf, Node, Place, Tree

Path: TypeAlias = tuple[int, ...]
"""The child indices from the root of a tree to a subtree."""
Span: TypeAlias = tuple[int, int]
"""Start and end of a subtree in the text, the blanks before it left out."""

Items: TypeAlias = tuple[int, int]
"""Some items of a list: the first, and the one after the last; none if these are equal."""
Slot: TypeAlias = "tuple[Path, Items | None]"
"""A position that may be filled: the subtree at a path, or some items of the list there."""
Order: TypeAlias = tuple[float, ...]
"""The position of a slot in the order of the text; compared as tuples are."""
Holds: TypeAlias = Callable[[Slot, Value], bool]
"""Says whether a value may stand in a slot."""

TREES_REMEMBERED = 2000
"""Trees that are kept: the same texts are read again and again."""


@runtime_checkable
class Strict(Protocol):
    """A language that can tell sooner than by a tree that a text does not follow it."""

    def follows(self, text: str) -> bool:
        """Say whether the whole text follows the grammar."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text and its tree, with slots to fill and to read; compared by the text."""

    text: str
    tree: Tree
    valid: bool
    """Whether the text follows its language's grammar."""
    language: Language
    _read: dict[str, Tree | None] = field(default_factory=dict)
    """The trees of texts that were read before, as many as are worth keeping."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def span(self, path: Path, items: Items | None = None) -> Span:
        """Return start and end of the subtree at a path, or of some items of the list there.

        Items come with what stands between them and the item before; without one, the item after.
        """
        place = trees.place_at(self.tree, path)
        if items is None:
            return place.span
        low, high = items
        spans = [each.span for each in place.items()]
        if low > 0:
            start = spans[low - 1][1]
            return start, spans[high - 1][1] if high > low else start
        start = spans[0][0]
        return start, spans[high][0] if high > low else start

    def order(self, slot: Slot) -> Order:
        """Return the position of a slot in the order of the text.

        Offsets don't tell it: at the end of a list that ends another list, both may have a gap.
        """
        path, items = slot
        if items is None:
            return path
        list_ = trees.place_at(self.tree, path).tree
        assert isinstance(list_, Node)
        return (*path, items[0] * list_.stride - 0.5)

    def value(self, path: Path, items: Items | None = None) -> Value:
        """Return the value at a path, or of some items of the list there."""
        tree = trees.place_at(self.tree, path).tree
        return _value(tree if items is None else _some(tree, *items))

    def has(self, slot: Slot, where: Span, label: str) -> bool:
        """Say whether a slot is there, with a span and a label."""
        path, items = slot
        place = trees.find_place(self.tree, path)
        if place is None or (items is not None and not _has_items(place.tree, *items)):
            return False
        return self.span(path, items) == where and place.tree.label == label

    def fill(self, values: Iterable[tuple[Span, str]]) -> str:
        """Replace spans, which must not overlap, by other texts.

        What goes to one offset stays in the order that it is given in.
        """
        found = sorted(values, key=lambda each: each[0])
        splices = [(start, end, value) for (start, end), value in found]
        return spliced(self.text, splices, self.language.gap)

    def read(
        self, text: str, slots: Mapping[Slot, str], holds: Holds = lambda _slot, _value: True
    ) -> dict[Slot, Value] | None:
        """Match another text; return the values of the slots, or None if it differs elsewhere.

        `slots` tells the label of what may stand there. White space and comments between tokens
        don't count. Where values can be told apart in several ways, one is found for which `holds`.
        """
        tree = self._tree(text)
        if tree is None:
            return None
        return _Reader(self.language, slots, holds).read(_steps(slots), self.tree, tree)

    def core(self, slots: Iterable[Slot]) -> Path | None:
        """Return the path of the least subtree with all text outside of slots; None if none is."""
        filled = [self.span(*slot) for slot in slots]
        fixed = [
            place.span
            for place in trees.places(self.tree)
            if isinstance(place.tree, Leaf)
            and place.tree.text
            and not any(low <= place.span[0] and place.span[1] <= high for low, high in filled)
        ]
        if not fixed:
            return None
        start, end = min(low for low, _ in fixed), max(high for _, high in fixed)
        place: Place | None = trees.Place(self.tree, 0)
        while place is not None:
            least = place
            inner = (child for child in place.children() if child.span[0] <= start)
            place = next((child for child in inner if end <= child.span[1]), None)
        return least.path()

    def read_parts(
        self, text: str, core: Path, slots: Mapping[Slot, str], holds: Holds
    ) -> Iterator[dict[Slot, Value]]:
        """Match each part of another text with the subtree at a path; yield the values of slots.

        They are those of `read`, of the slots in that subtree.
        """
        tree, mine, steps = self._tree(text), trees.place_at(self.tree, core).tree, _steps(slots)
        for index in core:
            steps = steps.inner.get(index, _Steps())
        for place in [] if tree is None else trees.places(tree):
            if place.tree.label == mine.label:
                found = _Reader(self.language, slots, holds).read(steps, mine, place.tree)
                if found is not None:
                    yield found

    def surrounded(
        self, text: str, core: Path, rng: Random, budget: int, inputs: Sequence[str] = ()
    ) -> str | None:
        """Put the subtree at a path, as it is in a filled text, into another text in its place.

        That is one of some inputs, or, if there are none, a random one; `budget` is how many
        tokens, about, that has at most. None if it has no place for it.
        """
        place = trees.place_at(self.tree, core)
        start, end = place.span
        around = (
            rng.choice(inputs) if inputs else self.language.sample(self.tree.label, rng, budget)
        )
        tree = None if around is None else self._tree(around)
        if around is None or tree is None:
            return None
        fitting = [
            each.span
            for each in trees.places(tree)
            if each.span != (0, len(around))
            and self.language.fits(each.tree.label, place.tree.label)
        ]
        if not fitting:
            return None
        inner = text[start : len(text) - (len(self.text) - end)]
        return spliced(around, [(*rng.choice(fitting), inner)], self.language.gap)

    def repeated(self, text: str, label: str, least: int) -> list[str]:
        """Return the texts of the subtrees that fit a label and stand in a text so many times."""
        tree = self._tree(text)
        fits = self.language.fits
        parts = [] if tree is None else (place.tree for place in trees.places(tree))
        counts = Counter(trees.bare_text(part) for part in parts if fits(label, part.label))
        return [found for found, count in counts.items() if count >= least]

    def _tree(self, text: str) -> Tree | None:
        """Return the tree of a text, or None if it does not follow the grammar and should."""
        if text not in self._read:
            if len(self._read) >= TREES_REMEMBERED:
                self._read.clear()
            self._read[text] = self._parsed(text)
        return self._read[text]

    def _parsed(self, text: str) -> Tree | None:
        if self.valid and isinstance(self.language, Strict) and not self.language.follows(text):
            return None
        parsed = self.language.parse(text)
        return None if self.valid and not parsed.valid else parsed.tree


def template_of(text: str, language: Language) -> Template:
    """Parse a text into the template for its patterns."""
    parsed = language.parse(text)
    return Template(text, parsed.tree, parsed.valid, language)


def _value(tree: Tree) -> Value:
    return Value(trees.bare_text(tree), tree)


@dataclass(slots=True)
class _Steps:
    """The slots at and below a node, as a trie of their paths."""

    here: Slot | None = None
    gaps: list[Slot] = field(default_factory=list)
    """Of the node's own items."""
    inner: dict[int, _Steps] = field(default_factory=dict)
    """By the indices of children."""


def _steps(slots: Iterable[Slot]) -> _Steps:
    root = _Steps()
    for path, items in slots:
        steps = root
        for index in path:
            steps = steps.inner.setdefault(index, _Steps())
        if items is None:
            steps.here = (path, None)
        else:
            steps.gaps.append((path, items))
    return root


@dataclass(frozen=True, slots=True)
class _Reader:
    """Matches two trees side by side, slots against subtrees."""

    language: Language
    slots: Mapping[Slot, str]
    holds: Holds

    def read(self, root: _Steps, left: Tree, right: Tree) -> dict[Slot, Value] | None:
        found: dict[Slot, Value] = {}
        stack = [(root, left, right)]
        while stack:
            steps, mine, other = stack.pop()
            if steps.here is not None:
                if not self.language.fits(self.slots[steps.here], other.label):
                    return None
                value = _value(other)
                if not self.holds(steps.here, value):
                    return None
                found[steps.here] = value
            elif not steps.gaps and not steps.inner:
                # The first word that differs ends it, for the other may be large.
                if any(one != two for one, two in zip_longest(_words(mine), _words(other))):
                    return None
            elif isinstance(mine, Leaf) or isinstance(other, Leaf) or mine.label != other.label:
                return None
            elif steps.gaps:
                aligned = _Alignment(self, steps, mine, other).rest(0, 0)
                if aligned is None:
                    return None
                found.update(aligned)
            else:
                ours, theirs = _children(mine.children), _children(other.children)
                if len(ours) != len(theirs):
                    return None
                for index, pair in enumerate(zip(ours, theirs, strict=True)):
                    stack.append((steps.inner.get(index, _Steps()), *pair))
        return found


class _Alignment:
    """An alignment of a list that has gaps with another list, by backtracking."""

    def __init__(self, reader: _Reader, steps: _Steps, mine: Node, other: Node) -> None:
        self._reader, self._steps, self._mine, self._other = reader, steps, mine, other
        self._known: dict[tuple[int, int], dict[Slot, Value] | None] = {}
        self._parts: list[int | Slot] = []
        at = 0
        for slot in sorted(steps.gaps, key=lambda gap: gap[1] or (0, 0)):
            low, high = slot[1] or (0, 0)
            self._parts += [*range(at, low), slot]
            at = high
        self._parts += range(at, mine.count)

    def rest(self, part: int, item: int) -> dict[Slot, Value] | None:
        """Match the parts from one on with the other's items; return the values of the gaps."""
        if part == len(self._parts):
            return {} if item == self._other.count else None
        # Each rest is matched once, however the parts before it were: this keeps it polynomial.
        if (part, item) not in self._known:
            slot = self._parts[part]
            if not isinstance(slot, int):
                self._known[part, item] = self._gap(slot, part, item)
            elif (own := self._item(slot, item)) is None:
                self._known[part, item] = None
            else:
                rest = self.rest(part + 1, item + 1)
                self._known[part, item] = None if rest is None else {**own, **rest}
        return self._known[part, item]

    def _gap(self, slot: Slot, part: int, item: int) -> dict[Slot, Value] | None:
        """Match a gap with as few items as can be, and the parts after it."""
        for after in range(item, self._other.count + 1):
            # The rest comes first: a value is as long as the list, and most are of no use.
            if (rest := self.rest(part + 1, after)) is not None:
                value = _value(_some(self._other, item, after))
                if self._reader.holds(slot, value):
                    return {slot: value, **rest}
        return None

    def _item(self, mine: int, other: int) -> dict[Slot, Value] | None:
        if other >= self._other.count:
            return None
        return self._read(mine * self._mine.stride, other * self._other.stride)

    def _read(self, mine: int, other: int) -> dict[Slot, Value] | None:
        """Match an item, and with it the separator before it: that may be a hole, too."""
        found: dict[Slot, Value] = {}
        back = 1 if self._mine.separated and mine and other else 0
        for index in range(-back, 1):
            steps = self._steps.inner.get(mine + index, _Steps())
            pair = self._mine.children[mine + index], self._other.children[other + index]
            values = self._reader.read(steps, *pair)
            if values is None:
                return None
            found.update(values)
        return found


def _has_items(tree: Tree, low: int, high: int) -> bool:
    """Say whether a tree is a list with these items, and with others."""
    if not isinstance(tree, Node) or tree.kind is not Kind.LIST:
        return False
    return 0 <= low <= high <= tree.count and high - low < tree.count


def _some(tree: Tree, low: int, high: int) -> Node:
    """Return a list with some of its items."""
    assert isinstance(tree, Node)
    kept = tree.children[low * tree.stride : high * tree.stride]
    if tree.separated and high < tree.count:
        kept = kept[:-1]
    return Node(tree.label, kept, Kind.LIST, separated=tree.separated)


def _words(tree: Tree) -> Iterator[str]:
    return (leaf.text for leaf in trees.leaves(tree) if leaf.text)


def _children(children: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Return the children without an empty leaf at the end, which only holds white space."""
    last = children[-1] if children else None
    if isinstance(last, Leaf) and last.prefix and not last.text:
        return children[:-1]
    return children
