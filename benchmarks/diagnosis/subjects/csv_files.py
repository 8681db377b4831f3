"""CSV: tables with a header, as spreadsheets export them."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Callable, Sequence
from random import Random

from benchmarks.diagnosis.subject import Subject

Rows = list[list[str]]
Table = Sequence[Sequence[object]]


def fails_if(law: Callable[[Rows], bool]) -> Callable[[str], bool]:
    """Make a truth of a predicate on the rows of a text, blank lines left out."""

    def fails(text: str) -> bool:
        try:
            rows = list(csv.reader(io.StringIO(text, newline="")))
        except csv.Error as error:
            raise ValueError(str(error)) from error
        return law([row for row in rows if row])

    return fails


def written(rows: Table) -> str:
    """Write rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().removesuffix("\n")


NAMES = ("Ada", "Bo", "Cy", "Di", "Smith, J", 'Al "Ace"')
NOTES = ("", "new", "paid", "call back", "two, or three", "see below")


def people(rng: Random, least: int = 1, most: int = 5) -> list[list[object]]:
    """Make a table of people."""
    rows: list[list[object]] = [["id", "name", "age", "note"]]
    for number in range(rng.randint(least, most)):
        rows.append([number + 1, rng.choice(NAMES), rng.randint(1, 99), rng.choice(NOTES[1:])])
    return rows


def _varied(rng: Random, change: Callable[[list[list[object]]], None], share: float = 0.5) -> str:
    rows = people(rng)
    if rng.random() < share:
        change(rows)
    return written(rows)


def _ragged(rng: Random) -> str:
    def change(rows: list[list[object]]) -> None:
        row = rng.choice(rows[1:])
        row[-1:] = rng.choice(([], ["new", "x"], ["", ""]))

    return _varied(rng, change)


def _long(rng: Random) -> str:
    def change(rows: list[list[object]]) -> None:
        rng.choice(rows)[rng.randint(0, 3)] = " ".join(rng.choices(NOTES[1:], k=rng.randint(1, 7)))

    return _varied(rng, change, 0.9)


def _blank(rng: Random) -> str:
    def change(rows: list[list[object]]) -> None:
        rng.choice(rows[1:])[rng.choice((1, 1, 3))] = ""

    return _varied(rng, change, 0.7)


def _ids(rng: Random) -> str:
    rows = people(rng, 2, 5)
    for row in rows[1:]:
        row[0] = rng.randint(1, 12)
    return written(rows)


def _ages(rng: Random) -> str:
    def change(rows: list[list[object]]) -> None:
        rng.choice(rows[1:])[2] = rng.choice((rng.randint(-20, 5), rng.randint(110, 300), 120, 0))

    return _varied(rng, change, 0.7)


def _age_column(rows: Rows) -> list[int]:
    return [
        int(row[2]) for row in rows[1:] if len(row) > 2 and row[2].removeprefix("-").isdecimal()
    ]


def _days(rng: Random) -> str:
    days = [rng.randint(1, 28) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.6:
        days.sort()
    return written([["day", "amount"], *([day, rng.randint(1, 99)] for day in days)])


def _unsorted(rows: Rows) -> bool:
    days = [int(row[0]) for row in rows[1:] if row[0].isdecimal()]
    return any(before > after for before, after in itertools.pairwise(days))


def _headers(rng: Random) -> str:
    names = rng.choices(("id", "name", "age", "note", "date", "sum", "tax"), k=rng.randint(2, 4))
    return written([names, *([rng.randint(1, 9) for _ in names] for _ in range(rng.randint(1, 2)))])


def _formulas(rng: Random) -> str:
    def change(rows: list[list[object]]) -> None:
        cell = rng.choice(("=A1", "@x", "+1 2", "-", "a=b", "1+1", "x@y", "(-1)"))
        rng.choice(rows[1:])[rng.choice((1, 3))] = cell

    return _varied(rng, change, 0.9)


SUBJECTS = (
    Subject(
        "csv ragged", "csv", "some row has not as many fields as the first",
        "//row[count(field) != count(/row[1]/field)]",
        ("same length", "unequal"),
        fails_if(lambda rows: any(len(row) != len(rows[0]) for row in rows)),
        _ragged,
    ),
    Subject(
        "csv long field", "csv", "some field is longer than 24 characters", "len(//field) > 24",
        ("length",),
        fails_if(lambda rows: any(len(cell) > 24 for row in rows for cell in row)),
        _long,
    ),
    Subject(
        "csv many rows", "csv", "there are more than 8 rows", "count(/row) > 8",
        ("count",),
        fails_if(lambda rows: len(rows) > 8),
        lambda rng: written(people(rng, 1, 14)),
    ),
    Subject(
        "csv no name", "csv", "the second field of a row is empty", "empty(/row/field[2])",
        ("empty", "child"),
        fails_if(lambda rows: any(len(row) > 1 and not row[1] for row in rows)),
        _blank,
    ),
    Subject(
        "csv same id", "csv", "the first fields of two rows are equal", "repeated(/row/field[1])",
        ("equal",),
        fails_if(lambda rows: len(rows) > len({row[0] for row in rows})),
        _ids,
    ),
    Subject(
        "csv age", "csv", "a number in the third column is not from 0 to 120",
        "/row/field[3] < 0 or /row/field[3] > 120",
        ("interval", "or"),
        fails_if(lambda rows: any(not 0 <= age <= 120 for age in _age_column(rows))),
        _ages,
    ),
    Subject(
        "csv unsorted", "csv", "the number that begins a row is smaller than the one before",
        "/row[field[1] < previous(field[1])]",
        ("less", "order"),
        fails_if(_unsorted),
        _days,
    ),
    Subject(
        "csv same header", "csv", "two fields of the first row are equal",
        "repeated(/row[1]/field)",
        ("equal", "child"),
        fails_if(lambda rows: bool(rows) and len(rows[0]) > len(set(rows[0]))),
        _headers,
    ),
    Subject(
        "csv formula", "csv", "a field begins with =, +, - or @", '//field matches "[=+@-]"',
        ("prefix", "alternatives"),
        fails_if(lambda rows: any(cell[:1] in set("=+-@") for row in rows for cell in row)),
        _formulas,
    ),
)  # fmt: skip
