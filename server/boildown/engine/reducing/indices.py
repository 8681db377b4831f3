"""Finds indices in a text: numbers that point into a list, and shift when an item of it goes.

The numbers after one word are taken to point into the shortest list that has an item for each of
them, if they point to its end, too:

    {"meshes": [{"material": 1}, {"material": 0}, {"material": 2}],
     "materials": ["oak", "ash", "elm"]}

Without the item `ash`, the number 1 has to go with its mesh, or points to the item before it, and
2 becomes 1. If such a list is counted by a number, or others are as long, these may go along: the
count, and the item at the same place of each. Items may also number themselves, one after the
other, as in `%1 = add 2, 3` before `%2 = neg %1`. All are hypotheses, which runs confirm or refute
(see `Family`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from boildown.engine.candidates import Items, Splice, items
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.identifiers import cuts, outermost, removable
from boildown.engine.reducing.links import Links
from boildown.engine.reducing.tables import LEAST_OF_SEVERAL, LEAST_SHARE, WrittenNumbers, saying
from boildown.tree import Node, Place

SORTS = ("items, for which others stand", "items with what points to them")
"""What may become of the numbers that pointed to items."""
_TIES = ("", ", counted and in step", ", in step", ", counted")
"""What else may be tied to the items: the numbers that count them, and the items of lists that are
as long."""
MOST_WORDS = 3
"""After how many words, those with most different numbers first, numbers may be indices."""
LEAST_REACH = 0.8
"""Up to which part of a list numbers have to point to be indices into it, if nothing else is tied
to the list."""
MOST_LISTS = 2
"""How many lists of one length they may point into."""

MOST_BEFORE = 4
"""How many characters of an item may stand before its own number."""
LEAST_NUMBERED = 3
"""How many items of a list must be numbered one after the other, to begin with."""

_SIGN_AND_NUMBER = re.compile(r"(?<![\w.])([%@#$!])(\d{1,9})(?![\w.])")
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
    reach: float
    """Up to which part of the list they point; 1 if one points to the last item."""

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
    every = [*_pointers(problem, found), *_numbered(problem, found)]
    tied = _Tied(problem, found)
    for ties, pointers in product(_TIES, every):
        # Where a few numbers are left, they are indices if more is tied to the list.
        if not tied.has(ties, pointers.items) or (not ties and pointers.reach < LEAST_REACH):
            continue
        removal = _Removal(problem, found, pointers, every, tied, ties)
        for sort, without in zip(SORTS, (removal.with_others, removal.with_all), strict=True):
            name = f"{sort}{ties}: {pointers.word} from {pointers.base}"
            size, weight = len(pointers.items), pointers.items.place.tree.width
            is_counted = pointers.reach == 1 or bool(ties)
            yield Family(f"{sort}{ties}", name, size, without, weight, is_counted)


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
    by_length = _by_length(found)
    lengths = sorted(by_length)
    widths = {each: sum(place.tree.width for place in by_length[each]) for each in lengths}
    # A single number may be anything; it is an index where others were.
    least_different = 1 if any(map(_is_of_indices, problem.hypotheses.confirmed)) else 2
    result: list[_Pointers] = []
    for word in sorted(different, key=lambda word: (-different[word], word))[:MOST_WORDS]:
        if different[word] < least_different:
            continue
        numbers = by_word[word]
        least, most = (pick(each.value for each in numbers) for pick in (min, max))
        for base in range(min(least, 1) + 1):
            reach = most - base + 1
            at = bisect_left(lengths, reach)
            if at == len(lengths):
                continue
            is_near = reach >= LEAST_REACH * lengths[at]
            length = lengths[at] if is_near else max(lengths[at:], key=widths.__getitem__)
            listed = (items(problem, place) for place in by_length[length])
            others = (each for each in listed if not _holds(each, numbers[0]))
            result += [
                _Pointers(word, numbers, base, each, reach / length)
                for each in islice(others, MOST_LISTS)
            ]
    return result


def _numbered(problem: Problem, found: Links) -> Iterator[_Pointers]:
    """Yield the numbers in lists whose items are numbered one after the other, by their signs."""
    numbers: dict[str, list[_Number]] = {}
    for match in _SIGN_AND_NUMBER.finditer(problem.text):
        numbers.setdefault(match[1], []).append(_Number(*match.span(2), int(match[2])))
    for place, (sign, every) in product(found.lists if numbers else (), numbers.items()):
        if place.tree.width < LEAST_SHARE * len(problem.text):
            continue
        low, high = (bisect_left(every, at, key=lambda each: each.start) for at in place.span)
        inside = every[low:high]
        listed = items(problem, place)
        firsts = [_first(inside, listed.item(at)) for at in range(len(listed))]
        # Items before them, such as a head, and a few behind them have no number of their own.
        start = next((at for at, first in enumerate(firsts) if first is not None), 0)
        if (base := firsts[start]) is None:
            continue
        if firsts[start : start + LEAST_NUMBERED] == list(range(base, base + LEAST_NUMBERED)):
            yield _Pointers(f"{sign} at {place.start}", inside, base - start, listed, 1)


def _first(numbers: Sequence[_Number], item: Place) -> int | None:
    """Return the number that an item begins with, or about."""
    at = bisect_left(numbers, item.span[0], key=lambda each: each.start)
    is_there = at < len(numbers) and numbers[at].start <= item.span[0] + MOST_BEFORE
    return numbers[at].value if is_there else None


def _by_length(found: Links) -> dict[int, list[Place]]:
    """Return the lists of several items by how many they have."""
    lists: dict[int, list[Place]] = {}
    for place in found.lists:
        assert isinstance(place.tree, Node)
        lists.setdefault(place.tree.count, []).append(place)
    return lists


def _is_of_indices(sort: str) -> bool:
    return sort.startswith(SORTS)


def _holds(listed: Items, number: _Number) -> bool:
    """Say whether a number is itself an item of a list."""
    return any(listed.item(at).span == (number.start, number.end) for at in range(len(listed)))


class _Tied:
    """The ties of the lists of a text: numbers that count their items, and lists as long."""

    def __init__(self, problem: Problem, found: Links) -> None:
        self._problem = problem
        self._numbers = WrittenNumbers(problem.text)
        self._by_length = _by_length(found)
        is_known = any(
            _is_of_indices(sort) and "in step" in sort for sort in problem.hypotheses.confirmed
        )
        self._least = 2 if is_known else LEAST_OF_SEVERAL

    def has(self, ties: str, listed: Items) -> bool:
        """Say whether a list has each of these ties."""
        if "counted" in ties and not self.said(listed):
            return False
        return "in step" not in ties or len(self.in_step(listed)) > 1

    def said(self, listed: Items) -> Sequence[tuple[int, int]]:
        """Return the numbers outside of a list that may count its items."""
        place = listed.place
        found = self._numbers.saying(len(listed), place.start, place.end)
        return found[0] if found else []

    def in_step(self, listed: Items) -> Sequence[Items]:
        """Return a list and those beside it that are as long, if that is hardly an accident."""
        place = listed.place
        beside = [
            items(self._problem, each)
            for each in self._by_length.get(len(listed), ())
            if each.end <= place.start or place.end <= each.start
        ]
        return [listed, *beside] if len(listed) >= self._least else [listed]


class _Removal:
    """Items go from a list that numbers point into."""

    def __init__(
        self,
        problem: Problem,
        found: Links,
        pointers: _Pointers,
        every: Sequence[_Pointers],
        tied: _Tied,
        ties: str,
    ) -> None:
        self._problem = problem
        self._found = found
        self._pointers = pointers
        self._every = every
        self._tied = tied
        self._ties = ties
        self._holders: dict[int, dict[int, Place | None]] = {}

    @cached_property
    def _lists(self) -> Sequence[Items]:
        """The list, and those of which the items at the same places go, too."""
        listed = self._pointers.items
        return self._tied.in_step(listed) if "in step" in self._ties else [listed]

    @cached_property
    def _said(self) -> Sequence[tuple[int, int]]:
        """The numbers that say how long these lists are."""
        return self._tied.said(self._pointers.items) if "counted" in self._ties else []

    @cached_property
    def _into(self) -> Sequence[_Pointers]:
        """All numbers that point into these lists; each number once."""
        if not self._ties:
            return [self._pointers]
        keys = {_key(each.place) for each in self._lists}
        found = {each.word: each for each in self._every if _key(each.items.place) in keys}
        return list(found.values())

    def with_others(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some items, where others stand for them."""
        size = len(self._pointers.items)
        if len(gone) == size:
            return None
        ranges = [(at, at + 1) for at in sorted(gone)]
        splices = [splice for each in self._lists for splice in each.cuts(ranges)]
        splices += [splice for each in self._into for splice in each.shifted(gone)]
        return outermost([*splices, *saying(self._said, size - len(gone))])

    def with_all(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some items and all that points to them."""
        todo = [(_key(each.place), at) for at in gone for each in self._lists]
        known = set(todo)
        places: dict[Place, None] = {}
        in_step = {_key(each.place) for each in self._lists}
        while todo:
            key, at = todo.pop()
            places.update((each.item(at), None) for each in self._lists if _key(each.place) == key)
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
                    others = in_step if item[0] in in_step else (item[0],)
                    new = {(of, item[1]) for of in others} - known
                    known |= new
                    todo += new
        splices = cuts(self._problem, places)
        for pointers in self._every:
            key = _key(pointers.items.place)
            splices += pointers.shifted([at for of, at in known if of == key])
        left = len(self._pointers.items) - len({at for of, at in known if of in in_step})
        return outermost([*splices, *saying(self._said, left)])

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
