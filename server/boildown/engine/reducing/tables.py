"""Finds tables in a text: lists of equal length, and the numbers that say how long.

The rows of a table are items of a list, its columns are characters or items of rows that are
equally long. A number may count the rows or the columns, or be the largest number among them:

    ntax=3 nchar=4          3 rows of a name and 4 columns of characters
    one    ACGT
    two    AC-T
    three  AGGT

Or two numbers count the rows and columns of numbers that stand in no list of lists: `2 3` before
`1 0 0 0 1 0`.

Rows go with the number that counts them, the k-th column goes from all rows at once. These are
hypotheses, which runs confirm or refute (see `Family`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, permutations, product

from boildown import tree as trees
from boildown.engine.candidates import Items, Splice, items
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.identifiers import outermost
from boildown.tree import Kind, Node, Place

LEAST_SHARE = 0.1
"""Which part of the text a table has to be."""
MOST_TABLES = 4
"""How many tables of each sort, the largest first, are tried."""
MOST_WORDS = 2
"""How many words, the most frequent first, a number may count."""
MOST_NUMBERS = 3
"""How many numbers of one value may count the same thing; of more, none is taken to."""
MOST_IN_A_CELL = 4
"""How many numbers a cell of a grid may have, such as those of a color."""
NEAR = 1000
"""How many characters before a grid its size may be told."""
MOST_COUNTED = 4
"""How many ways to count a list's items are tried."""
BEFORE = 16
"""Characters before a number by which it is known again when it has another value."""
AROUND = 3
"""How many items before and after the rows, in the same list, may be none."""
SEVERAL = "several sorts"
"""Instead of a label: of lists that are equally long, such as names of columns and values."""
LEAST_OF_SEVERAL = 4
"""How long lists of several sorts have to be for this to be no accident."""
LEAST_COLUMNS = 8
"""How many characters equally long words must have to be rows of columns."""

_NUMBER = re.compile(r"(?<![\w.])\d{1,9}(?![\w.])")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_CELL = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_SERIES = re.compile(rf"(?<![\w.])(?:{_CELL.pattern}[\s,]+){{7,}}{_CELL.pattern}(?![\w.])")
_FIELD = re.compile(r"[^\s\"'`,;|<>()\[\]{}=]+")


@dataclass(frozen=True, slots=True)
class _Rows:
    """Some items of a list that are counted, or may be."""

    items: Items
    low: int
    high: int
    """The rows are the items from `low` to before `high`."""

    @property
    def start(self) -> int:
        return self.items.item(self.low).start

    @property
    def end(self) -> int:
        return self.items.item(self.high - 1).end


def table_families(problem: Problem) -> Iterator[Family]:
    """Yield the families of rows and columns: counted ones first, then the largest."""
    numbers = WrittenNumbers(problem.text)
    lists = _lists(problem)
    found = [
        *_counted_rows(problem, lists, numbers),
        *_columns_of_characters(problem, numbers),
        *_grids(problem.text),
        *_columns_of_items(problem, _by_length(lists, of_one_sort=True), numbers),
    ]
    yield from sorted(found, key=lambda family: (not family.counted, -family.weight))


def several_families(problem: Problem) -> Iterator[Family]:
    """Yield the families of columns of lists of several sorts, whose length may well be chance."""
    by_length = _by_length(_lists(problem), of_one_sort=False)
    yield from _columns_of_items(problem, by_length, WrittenNumbers(problem.text))


def _lists(problem: Problem) -> list[Place]:
    return [
        place
        for place in trees.places(problem.tree)
        if isinstance(place.tree, Node) and place.tree.kind is Kind.LIST and place.tree.count > 1
    ]


class WrittenNumbers:
    """The numbers of a text, in its order and by their values."""

    def __init__(self, text: str) -> None:
        self.all = [(match.start(), match.end(), int(match[0])) for match in _NUMBER.finditer(text)]
        self._by_value: dict[int, list[tuple[int, int]]] = {}
        for start, end, value in self.all:
            self._by_value.setdefault(value, []).append((start, end))

    def saying(self, value: int, start: int = 0, end: int = 0) -> list[list[tuple[int, int]]]:
        """Return the numbers outside of a span that may be there to say a value.

        All of them together come first, then each.
        """
        found = [
            span for span in self._by_value.get(value, ()) if span[1] <= start or span[0] >= end
        ]
        if not 0 < len(found) <= MOST_NUMBERS:
            return []
        return [found] if len(found) == 1 else [found, *([span] for span in found)]

    def first(self, value: int) -> list[tuple[int, int]]:
        """Return the first number of a value; none if many say the same."""
        found = self._by_value.get(value, [])
        return found[:1] if len(found) <= MOST_NUMBERS else []


def _columns_of_characters(problem: Problem, numbers: WrittenNumbers) -> Iterator[Family]:
    """Yield the families of the characters of equally long words."""
    text = problem.text
    by_length: dict[int, list[int]] = {}
    for match in _FIELD.finditer(text):
        if match.end() - match.start() >= LEAST_COLUMNS:
            by_length.setdefault(match.end() - match.start(), []).append(match.start())
    for length, starts in _largest(by_length, len(text)):
        for number, said in enumerate([*numbers.saying(length), []]):

            def without(
                gone: Collection[int],
                said: Sequence[tuple[int, int]] = said,
                starts: Sequence[int] = starts,
                length: int = length,
            ) -> list[Splice] | None:
                if len(gone) == length:
                    return None
                kept = [at for at in range(length) if at not in set(gone)]
                splices = [
                    (start, start + length, "".join(text[start + at] for at in kept))
                    for start in starts
                ]
                return sorted([*splices, *saying(said, len(kept))])

            yield Family(
                "columns",
                f"columns of {length} characters {number}",
                length,
                without,
                length * len(starts),
                bool(said),
            )


_Sort = tuple[str, int, int]
"""A label, a length, and where the list starts that all are in, or -1."""


def _by_length(lists: Sequence[Place], of_one_sort: bool) -> Mapping[_Sort, Sequence[Place]]:
    """Return the lists that are equally long, of one label or of several."""
    found: dict[_Sort, list[Place]] = {}
    for place in lists:
        node = place.tree
        assert isinstance(node, Node)
        if not of_one_sort:
            if node.count >= LEAST_OF_SEVERAL:
                found.setdefault((SEVERAL, node.count, -1), []).append(place)
            continue
        around = place.parent
        while around is not None and not _is_list(around):
            around = around.parent
        for inside in dict.fromkeys((-1, -1 if around is None else around.start)):
            found.setdefault((node.label, node.count, inside), []).append(place)
    return {
        sort: places
        for sort, places in found.items()
        if len({place.tree.label for place in places} if sort[0] == SEVERAL else places) > 1
    }


def _columns_of_items(
    problem: Problem, by_length: Mapping[_Sort, Sequence[Place]], numbers: WrittenNumbers
) -> Iterator[Family]:
    """Yield the families of the items of equally long lists, those that take most room first."""
    found = sorted(by_length.items(), key=lambda each: -sum(p.tree.width for p in each[1]))
    for (label, count, _), places in found[:MOST_TABLES]:
        weight = sum(place.tree.width for place in places)
        if weight < LEAST_SHARE * len(problem.text):
            break
        rows = [items(problem, place) for place in places]
        for number, said in enumerate([*numbers.saying(count), []]):

            def without(
                gone: Collection[int],
                said: Sequence[tuple[int, int]] = said,
                rows: Sequence[Items] = rows,
                count: int = count,
            ) -> list[Splice] | None:
                ranges = trees.merged((at, at + 1) for at in gone)
                splices = [splice for row in rows for splice in _cuts(row, ranges)]
                return outermost([*splices, *saying(said, count - len(gone))])

            yield Family(
                f"columns of {SEVERAL}" if label == SEVERAL else "columns",
                f"columns of {count} {label} {number}",
                count,
                without,
                weight,
                bool(said) or label == SEVERAL,
            )


def _cuts(row: Items, ranges: Sequence[tuple[int, int]]) -> Iterator[Splice]:
    """Yield the splices that leave out items; the new first one begins the line."""
    for low, high in ranges:
        if low == 0 and high < len(row):
            yield row.item(0).span[0], row.item(high).span[0], ""
        else:
            yield from row.cuts([(low, high)])


def _grids(text: str) -> Iterator[Family]:
    """Yield the families of the rows of numbers that are as many as two numbers before say.

    Either of these two may be taken to count the rows; a cell may have several numbers.
    """
    series = sorted(_SERIES.finditer(text), key=lambda match: match.start() - match.end())
    for match in series[:MOST_TABLES]:
        if match.end() - match.start() < LEAST_SHARE * len(text):
            break
        cells = [number.start() for number in _CELL.finditer(text, *match.span())]
        for first in range(MOST_NUMBERS + 1):
            before = _NUMBER.finditer(text, max(cells[first] - NEAR, 0), cells[first])
            said = [number.span() for number in before][-MOST_NUMBERS - 1 :]
            for one, other in permutations(said, 2):
                rows, columns = (int(text[start:end]) for start, end in (one, other))
                of_each, rest = divmod(len(cells) - first, max(rows * columns, 1))
                if rows > 1 and 1 <= of_each <= MOST_IN_A_CELL and not rest:
                    width = columns * of_each
                    yield _rows_of_numbers(one, [*cells[first::width], match.end()])


def _rows_of_numbers(said: tuple[int, int], ends: Sequence[int]) -> Family:
    """Return the family of the rows between some offsets, whose number is said."""

    def without(gone: Collection[int]) -> list[Splice] | None:
        ranges = trees.merged((at, at + 1) for at in sorted(gone))
        splices = [(ends[low], ends[high], "") for low, high in ranges]
        return sorted([*splices, *saying([said], len(ends) - 1 - len(gone))])

    count = len(ends) - 1
    return Family(
        "rows of a grid", f"{count} rows of numbers", count, without, ends[-1] - ends[0], True
    )


def _is_list(place: Place) -> bool:
    return isinstance(place.tree, Node) and place.tree.kind is Kind.LIST


def _counted_rows(
    problem: Problem, lists: Sequence[Place], numbers: WrittenNumbers
) -> Iterator[Family]:
    """Yield the families of the items of a list that a number counts."""
    # Not the widest ones, for those around a table are wider still.
    wide = [place for place in lists if place.tree.width >= LEAST_SHARE * len(problem.text)]
    for place in sorted(wide, key=_fewer_items)[:MOST_TABLES]:
        label = place.tree.label
        for number, (rows, said) in enumerate(_counted(items(problem, place), numbers)):
            count = rows.high - rows.low
            largest = _Largest(numbers, rows)

            def without(
                gone: Collection[int],
                said: Sequence[tuple[int, int]] = said,
                rows: _Rows = rows,
                largest: _Largest = largest,
            ) -> list[Splice] | None:
                ranges = trees.merged((rows.low + at, rows.low + at + 1) for at in gone)
                splices = rows.items.cuts(ranges)
                splices += saying(said, rows.high - rows.low - len(gone))
                return outermost([*splices, *largest.said_without(gone)])

            yield Family(
                "rows",
                f"{count} rows of {label} {number}",
                count,
                without,
                rows.end - rows.start,
                True,
                partial(without, said=()),
                _before(problem.text, label, said),
            )


def _fewer_items(place: Place) -> int:
    """Order lists by the number of their items, the longest first."""
    assert isinstance(place.tree, Node)
    return -place.tree.count


def _counted(
    found: Items, numbers: WrittenNumbers
) -> Sequence[tuple[_Rows, Sequence[tuple[int, int]]]]:
    """Return the rows among the items of a list with the numbers that count them.

    Numbers before the rows come first, and of many only some are taken to count anything.
    """
    counted: list[tuple[_Rows, Sequence[tuple[int, int]]]] = [
        (rows, said)
        for before, after in product(range(AROUND + 1), repeat=2)
        if len(found) - before - after > 1
        for rows in (_Rows(found, before, len(found) - after),)
        for said in numbers.saying(rows.high - rows.low, rows.start, rows.end)
    ]
    counted.sort(key=lambda each: each[1][-1][0] > each[0].start)
    return counted[:MOST_COUNTED]


def stretch_families(text: str) -> Iterator[Family]:
    """Yield the families of the stretches between the places of a word, whose number is said.

    Each ends with the word, or begins with it, or it separates them. Where white space alone tells
    items apart, as in `n=3 1 2 0 5 0 0`, no list of the tree holds them. Of equal numbers only the
    first is looked at, for that there are as many as a number says is often chance.
    """
    numbers = WrittenNumbers(text)
    places: dict[str, list[tuple[int, int]]] = {}
    for match in _TOKEN.finditer(text):
        places.setdefault(match[0], []).append(match.span())
    found = [
        (f"{word} {way}", stretches, said)
        for word, spans in places.items()
        if len(spans) > 1
        for extra in (0, 1)
        if (said := numbers.first(len(spans) + extra))
        for way, stretches in _stretches(text, spans, said[0][1])
        if len(stretches) == len(spans) + extra
    ]
    found = [each for each in found if _width(each[1]) >= LEAST_SHARE * len(text)]
    # The more of them a number counts, the less likely that is chance.
    found.sort(key=lambda each: -len(each[1]))
    for name, stretches, said in found[:MOST_WORDS]:

        def without(
            gone: Collection[int],
            stretches: Sequence[tuple[int, int]] = stretches,
            said: Sequence[tuple[int, int]] = said,
        ) -> list[Splice] | None:
            cut = trees.merged(stretches[at] for at in gone)
            splices = [(start, end, "") for start, end in cut]
            return outermost([*splices, *saying(said, len(stretches) - len(gone))])

        count, weight = len(stretches), _width(stretches)
        uncounted = partial(without, said=())
        before = _before(text, name, said)
        yield Family(
            "stretches", f"{count} of {name}", count, without, weight, True, uncounted, before
        )


def _stretches(
    text: str, spans: Sequence[tuple[int, int]], said: int
) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Yield the stretches that a word ends, that it begins, and that it separates.

    They are on the lines of the word, and behind the number that says how many they are, or else
    all before it.
    """
    first, last = spans[0][0], spans[-1][1]
    start = max(text.rfind("\n", 0, first) + 1, said if said <= first else 0)
    end = text.find("\n", last) if "\n" in text[last:] else len(text)
    starts, ends = [each for each, _ in spans], [each for _, each in spans]
    yield "last", list(pairwise([start, *ends]))
    yield "first", list(pairwise([*starts, end]))
    yield "between", list(pairwise([start, *ends, end]))


def _before(text: str, counted: str, said: Sequence[tuple[int, int]]) -> str:
    """Return the name of something with the text before the numbers that count it."""
    return "\n".join([counted, *(text[max(start - BEFORE, 0) : start] for start, _ in said)])


def _width(stretches: Sequence[tuple[int, int]]) -> int:
    return stretches[-1][1] - stretches[0][0]


class _Largest:
    """The numbers before some rows that are the largest number in them, without its sign."""

    def __init__(self, numbers: WrittenNumbers, rows: _Rows) -> None:
        row = rows.low
        self._in_row = [0] * (rows.high - rows.low)
        for start, _, value in numbers.all:
            if rows.start <= start < rows.end:
                while start >= rows.items.item(row).end:
                    row += 1
                self._in_row[row - rows.low] = max(self._in_row[row - rows.low], value)
        largest = max(self._in_row)
        said = numbers.saying(largest, rows.start, rows.end)
        self._said = said[0] if said and largest != rows.high - rows.low else []

    def said_without(self, gone: Collection[int]) -> list[Splice]:
        """Return the splices that say the largest number without some rows."""
        if not self._said:
            return []
        missing = set(gone)
        left = (value for row, value in enumerate(self._in_row) if row not in missing)
        return saying(self._said, max(left, default=0))


def saying(said: Sequence[tuple[int, int]], value: int) -> list[Splice]:
    """Return the splices that make numbers say a value."""
    return [(start, end, str(value)) for start, end in said]


def _largest(by_length: Mapping[int, list[int]], size: int) -> list[tuple[int, list[int]]]:
    """Return the lengths that several words have, those that take most room first."""
    found = [each for each in by_length.items() if len(each[1]) > 1]
    found.sort(key=lambda each: -each[0] * len(each[1]))
    return [each for each in found[:MOST_TABLES] if each[0] * len(each[1]) >= LEAST_SHARE * size]
