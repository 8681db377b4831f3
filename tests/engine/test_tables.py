"""Tables in a text: which rows, columns and numbers are taken to belong together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from boildown.engine.candidates import spliced
from boildown.engine.language import Language
from boildown.engine.oracle import from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.coupling import Family
from boildown.engine.reducing.tables import several_families, stretch_families, table_families
from boildown.languages import load_language
from helpers import Characters


def problem(text: str, language: Language) -> Problem:
    return Problem(language.parse(text).tree, from_test(lambda _: True), language)


def without(text: str, family: Family, gone: Sequence[int]) -> str | None:
    splices = family.without(gone)
    return None if splices is None else spliced(text, splices, "")


def told(families: Iterable[Family]) -> list[tuple[str, int, int, bool]]:
    return [(each.name, each.size, each.weight, each.counted) for each in families]


def test_rows_go_with_the_number_that_counts_them_and_columns_from_all_rows() -> None:
    text = '{"n": 3, "rows": [[1, 2], [30, 4], [5, 6]]}'
    families = [*table_families(problem(text, load_language("json")))]
    label = '[value ("," value)*]'
    assert told(families) == [
        (f"3 rows of {label} 0", 3, 23, True),
        # The 2 in the first row may count the two rows behind it.
        (f"2 rows of {label} 1", 2, 16, True),
        # It may be how many columns there are, in this list or anywhere.
        *[(f"columns of 2 {label} 0", 2, 13, True)] * 2,
        (f"2 rows of {label} 0", 2, 5, True),
        *[(f"columns of 2 {label} 1", 2, 13, False)] * 2,
    ]
    rows, columns = families[0], families[-1]
    assert without(text, rows, (0,)) == '{"n": 2, "rows": [[30, 4], [5, 6]]}'
    assert without(text, rows, (0, 2)) == '{"n": 1, "rows": [[30, 4]]}'
    assert without(text, rows, (0, 1, 2)) == '{"n": 0, "rows": []}'
    assert without(text, columns, (0,)) == '{"n": 3, "rows": [[2], [4], [6]]}'
    assert without(text, columns, (1,)) == '{"n": 3, "rows": [[1], [30], [5]]}'
    # A column that holds its own number keeps that.
    assert without(text, families[2], (0,)) == '{"n": 3, "rows": [[1], [4], [6]]}'


def test_the_largest_number_in_the_rows_goes_along() -> None:
    text = '{"n": 3, "most": 40, "rows": [[7, 40], [30, 9], [5, 6]]}'
    family = next(iter(table_families(problem(text, load_language("json")))))
    assert without(text, family, (0,)) == '{"n": 2, "most": 30, "rows": [[30, 9], [5, 6]]}'
    assert without(text, family, (1,)) == '{"n": 2, "most": 40, "rows": [[7, 40], [5, 6]]}'
    assert without(text, family, (0, 1, 2)) == '{"n": 0, "most": 0, "rows": []}'


def test_of_many_equal_numbers_none_is_taken_to_count() -> None:
    for numbers, count in (("3, 3, 3", 4), ("3, 3, 3, 3", 0)):
        text = f'{{"n": [{numbers}], "rows": ["x", ["y"], "z"]}}'
        families = table_families(problem(text, load_language("json")))
        # All of them together are one hypothesis, each by itself is another.
        assert sum((each.sort, each.weight) == ("rows", 15) for each in families) == count


def test_columns_of_characters_go_from_equally_long_words() -> None:
    text = "one 2 8\nACGTACGT\nAC-TAAAA\n"
    counted, uncounted = table_families(problem(text, Characters()))
    assert told([counted, uncounted]) == [
        ("columns of 8 characters 0", 8, 16, True),
        ("columns of 8 characters 1", 8, 16, False),
    ]
    assert without(text, counted, (0,)) == "one 2 7\nCGTACGT\nC-TAAAA\n"
    assert without(text, counted, (7,)) == "one 2 7\nACGTACG\nAC-TAAA\n"
    assert without(text, uncounted, (0, 2)) == "one 2 8\nCTACGT\nCTAAAA\n"
    assert without(text, counted, range(8)) is None


@pytest.mark.parametrize("text", ["abcdefg 7 ABCDEFG", "abcdefgh 8", "abcdefgh ijklmnopq"])
def test_words_that_are_short_or_alone_are_no_rows_of_columns(text: str) -> None:
    assert [*table_families(problem(text, Characters()))] == []


def test_a_small_table_is_left_alone() -> None:
    text = "ACGTACGT\nAC-TAAAA\n" + "word " * 40
    assert [*table_families(problem(text, Characters()))] == []


def test_two_numbers_before_a_grid_say_its_rows_and_columns_either_way() -> None:
    text = "size 2 4: 1 0 0 5 1 0 7 8"
    by_two, by_four, from_the_third = table_families(problem(text, Characters()))
    assert told([by_two, by_four, from_the_third]) == [
        ("2 rows of numbers", 2, 15, True),
        ("4 rows of numbers", 4, 15, True),
        ("2 rows of numbers", 2, 11, True),
    ]
    assert without(text, by_two, (0,)) == "size 1 4: 1 0 7 8"
    assert without(text, by_two, (1,)) == "size 1 4: 1 0 0 5 "
    assert without(text, by_four, (3,)) == "size 2 3: 1 0 0 5 1 0 "
    assert without(text, from_the_third, (0,)) == "size 1 4: 1 0 0 7 8"


def test_a_cell_of_a_grid_may_have_several_numbers() -> None:
    text = "P3 2 2 " + "1 2 3 " * 3 + "4 5 6"
    family = next(iter(table_families(problem(text, Characters()))))
    assert (family.name, without(text, family, (0,))) == (
        "2 rows of numbers",
        "P3 1 2 1 2 3 4 5 6",
    )
    too_many = "P3 2 2 " + "1 2 3 4 5 " * 3 + "1 2 3 4 5"
    assert [*table_families(problem(too_many, Characters()))] == []


def test_stretches_end_with_a_word_or_begin_with_it() -> None:
    text = "n=3 1 2 0 5 0 0\nend"
    last, first = stretch_families(text)
    assert told([last, first]) == [("3 of 0 last", 3, 12, True), ("3 of 0 first", 3, 7, True)]
    assert without(text, last, (0,)) == "n=2 5 0 0\nend"
    assert without(text, last, (2,)) == "n=2 1 2 0 5 0\nend"
    assert without(text, first, (0,)) == "n=2 1 2 0 0\nend"
    assert without(text, first, (2,)) == "n=2 1 2 0 5 0 \nend"
    assert last.uncounted is not None
    assert spliced(text, last.uncounted((0,)) or [], "") == "n=3 5 0 0\nend"


def test_a_word_may_separate_what_a_number_counts() -> None:
    text = "3 alpha;beta;gamma"
    (family,) = stretch_families(text)
    assert told([family]) == [("3 of ; between", 3, 17, True)]
    assert without(text, family, (1,)) == "2 alpha;gamma"
    assert without(text, family, (0, 2)) == "1beta;"


def test_long_lists_of_several_sorts_are_columns() -> None:
    language = load_language("json")
    text = '{"names": ["a","b","c","d"], "more": {"x":1,"y":2,"z":3,"q":4}}'
    counted, uncounted = several_families(problem(text, language))
    assert told([counted, uncounted]) == [
        ("columns of 4 several sorts 0", 4, 38, True),
        ("columns of 4 several sorts 1", 4, 38, True),
    ]
    assert without(text, uncounted, (0,)) == (
        '{"names": ["b","c","d"], "more": {"y":2,"z":3,"q":4}}'
    )
    short = '{"names": ["a","b","c"], "more": {"x":1,"y":2,"z":3}}'
    assert [*several_families(problem(short, language))] == []
    alike = '[["a","b","c","d"], ["e","f","g","h"]]'
    assert [*several_families(problem(alike, language))] == []


def test_a_list_of_one_item_is_no_table() -> None:
    text = '{"n": 1, "rows": [[1], [2]]}'
    families = [*table_families(problem(text, load_language("json")))]
    assert [each.name for each in families if each.sort == "columns"] == []
