"""Finds indices in a text: numbers that point into a list, and shift when an item of it goes.

The numbers after one word are taken to point into the shortest list that has an item for each of
them, if they point to its end, too:

    {"meshes": [{"material": 1}, {"material": 0}, {"material": 2}],
     "materials": ["oak", "ash", "elm"]}

Without the item `ash`, the number 1 has to go with its mesh, or points to the item before it, and
2 becomes 1. These are hypotheses, which runs confirm or refute (see `Family`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from boildown.engine.candidates import Items, Splice, items
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.identifiers import cuts, outermost, removable
from boildown.engine.reducing.links import Links
from boildown.tree import Node, Place

SORTS = ("items, for which others stand", "items with what points to them")
"""What may become of the numbers that pointed to items."""
MOST_WORDS = 3
"""After how many words, those with most different numbers first, numbers may be indices."""
LEAST_REACH = 0.8
"""Up to which part of a list numbers have to point to be indices into it."""
MOST_LISTS = 2
"""How many lists of one length they may point into."""

_WORD_OR_NUMBER = re.compile(r"(?<![\w.])(\d{1,9})(?![\w.])|[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class _Number:
    start: int
    end: int
    value: int


@dataclass(frozen=True)
class _Pointers:
    """Numbers that are taken to point into a list."""

    word: str
    """The one that they follow."""
    numbers: Sequence[_Number]
    base: int
    """The number that points to the first item."""
    items: Items
    is_whole: bool
    """Whether one of them points to the last item."""

    @cached_property
    def by_item(self) -> Mapping[int, Sequence[_Number]]:
        """The numbers that point to each item."""
        found: dict[int, list[_Number]] = {}
        for number in self.numbers:
            found.setdefault(number.value - self.base, []).append(number)
        return found

    def shifted(self, gone: Collection[int]) -> list[Splice]:
        """Return the splices of the numbers without some items.

        What pointed to one of these points to the one before it that is left, or to the first.
        """
        missing = sorted(gone)
        splices = []
        for at, numbers in self.by_item.items():
            new = str(max(at - bisect_right(missing, at), 0) + self.base)
            splices += [(each.start, each.end, new) for each in numbers]
        return splices


def index_families(problem: Problem, found: Links) -> Iterator[Family]:
    """Yield the families of the items of lists that numbers point into.

    Each comes twice: numbers that pointed to an item point to another one, or what holds them goes
    with the item, and so on with all that points there.
    """
    every = _pointers(problem, found)
    for pointers in every:
        removal = _Removal(problem, found, pointers, every)
        for sort, without in zip(SORTS, (removal.with_others, removal.with_all), strict=True):
            name = f"{sort}: {pointers.word} from {pointers.base}"
            size, weight = len(pointers.items), pointers.items.place.tree.width
            yield Family(sort, name, size, without, weight, counted=pointers.is_whole)


def _pointers(problem: Problem, found: Links) -> list[_Pointers]:
    """Return the numbers that may point into lists, by their words, the most different first."""
    by_word: dict[str, list[_Number]] = {}
    word = ""
    for match in _WORD_OR_NUMBER.finditer(problem.text):
        if match[1] is None:
            word = match[0]
        elif word:
            by_word.setdefault(word, []).append(_Number(*match.span(), int(match[1])))
    different = {word: len({each.value for each in numbers}) for word, numbers in by_word.items()}
    by_length: dict[int, list[Place]] = {}
    for place in found.lists:
        assert isinstance(place.tree, Node)
        by_length.setdefault(place.tree.count, []).append(place)
    lengths = sorted(by_length)
    # A single number may be anything; it is an index where others were.
    least_different = 1 if set(SORTS) & problem.hypotheses.confirmed.keys() else 2
    result: list[_Pointers] = []
    for word in sorted(different, key=lambda word: (-different[word], word))[:MOST_WORDS]:
        numbers = by_word[word]
        least, most = (pick(each.value for each in numbers) for pick in (min, max))
        for base in range(min(least, 1) + 1):
            reach = most - base + 1
            at = bisect_left(lengths, reach)
            if (
                different[word] >= least_different
                and at < len(lengths)
                and reach >= LEAST_REACH * lengths[at]
            ):
                listed = (items(problem, place) for place in by_length[lengths[at]])
                others = (each for each in listed if not _holds(each, numbers[0]))
                result += [
                    _Pointers(word, numbers, base, each, reach == lengths[at])
                    for each in islice(others, MOST_LISTS)
                ]
    return result


def _holds(listed: Items, number: _Number) -> bool:
    """Say whether a number is itself an item of a list."""
    return any(listed.item(at).span == (number.start, number.end) for at in range(len(listed)))


class _Removal:
    """Items go from a list that numbers point into."""

    def __init__(
        self, problem: Problem, found: Links, pointers: _Pointers, every: Sequence[_Pointers]
    ) -> None:
        self._problem = problem
        self._found = found
        self._pointers = pointers
        self._every = every
        self._holders: dict[int, dict[int, Place | None]] = {}

    def with_others(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some items, where others stand for them."""
        listed = self._pointers.items
        if len(gone) == len(listed):
            return None
        splices = listed.cuts([(at, at + 1) for at in sorted(gone)])
        return outermost([*splices, *self._pointers.shifted(gone)])

    def with_all(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some items and all that points to them."""
        todo = [(_key(self._pointers.items.place), at) for at in gone]
        known = set(todo)
        places: dict[Place, None] = {}
        while todo:
            key, at = todo.pop()
            for pointers in self._every:
                if _key(pointers.items.place) != key:
                    continue
                places[pointers.items.item(at)] = None
                for number in pointers.by_item.get(at, ()):
                    place = self._holder(pointers, number)
                    if place is None:
                        return None
                    places[place] = None
                    above = place.parent
                    assert above is not None
                    assert isinstance(above.tree, Node)
                    item = _key(above), place.index // above.tree.stride
                    if item not in known:
                        known.add(item)
                        todo.append(item)
        splices = cuts(self._problem, places)
        for pointers in self._every:
            key = _key(pointers.items.place)
            splices += pointers.shifted([at for of, at in known if of == key])
        return outermost(splices)

    def _holder(self, pointers: _Pointers, number: _Number) -> Place | None:
        """Return the part that goes if a number does.

        It is the item of the outermost list of which several items hold such numbers, or else the
        smallest part that may go.
        """
        if id(pointers) not in self._holders:
            chains = {each.start: self._removable(each) for each in pointers.numbers}
            held: dict[tuple[int, int], set[int]] = {}
            for chain in chains.values():
                for place in chain:
                    assert place.parent is not None
                    held.setdefault(_key(place.parent), set()).add(place.index)
            self._holders[id(pointers)] = {
                start: next(
                    (
                        place
                        for place in reversed(chain)
                        if place.parent is not None and len(held[_key(place.parent)]) > 1
                    ),
                    chain[0] if chain else None,
                )
                for start, chain in chains.items()
            }
        return self._holders[id(pointers)][number.start]

    def _removable(self, number: _Number) -> list[Place]:
        leaves = self._found.leaves
        leaf = leaves[bisect_right(leaves, number.start, key=lambda place: place.start) - 1]
        return list(removable(leaf))


def _key(place: Place) -> tuple[int, int]:
    """Tell places of one tree apart that were found one at a time."""
    return place.start, id(place.tree)
