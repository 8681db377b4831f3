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
    assert [each.sort for each in families] == [
        *("rows", "rows", "columns", "columns", "rows", "columns", "columns"),
    ]
    rows, columns = families[0], families[-1]
    assert without(text, rows, (0,)) == '{"n": 2, "rows": [[30, 4], [5, 6]]}'
    assert without(text, rows, (0, 2)) == '{"n": 1, "rows": [[30, 4]]}'
    assert without(text, rows, (0, 1, 2)) == '{"n": 0, "rows": []}'
    assert without(text, columns, (0,)) == '{"n": 3, "rows": [[2], [4], [6]]}'
    assert without(text, columns, (1,)) == '{"n": 3, "rows": [[1], [30], [5]]}'
    assert without(text, columns, (0, 1)) == '{"n": 3, "rows": [[], [], []]}'
    assert without(text, families[1], (0,)) == '{"n": 3, "rows": [[1, 1], [5, 6]]}'
    # A column that holds its own number keeps that.
    assert without(text, families[2], (0,)) == '{"n": 3, "rows": [[1], [4], [6]]}'


def test_the_largest_number_in_the_rows_goes_along() -> None:
    text = '{"n": 3, "most": 40, "rows": [[7, 40], [30, 9], [5, 6]]}'
    family = next(iter(table_families(problem(text, load_language("json")))))
    assert without(text, family, (0,)) == '{"n": 2, "most": 30, "rows": [[30, 9], [5, 6]]}'
    assert without(text, family, (1,)) == '{"n": 2, "most": 40, "rows": [[7, 40], [5, 6]]}'
    assert without(text, family, (0, 1, 2)) == '{"n": 0, "most": 0, "rows": []}'
    # A number that counts the rows is not there for the largest one.
    text = '{"n": 3, "rows": [[3], [1], [2]]}'
    family = next(iter(table_families(problem(text, load_language("json")))))
    assert without(text, family, (1,)) == '{"n": 2, "rows": [[3], [2]]}'


def test_numbers_before_the_rows_come_first_then_those_behind_them() -> None:
    text = '[3, ["a","b","c"], 3]'
    families = [*table_families(problem(text, load_language("json")))]
    assert [without(text, each, (0,)) for each in families if each.sort == "rows"] == [
        '[2, ["b","c"], 3]',
        # Both of them, and the one behind.
        '[2, ["b","c"], 2]',
        '[3, ["b","c"], 2]',
    ]


def test_a_few_items_at_either_end_of_a_list_may_be_no_rows() -> None:
    for number, rows in ((3, ["rows"]), (2, [])):
        text = f'{{"n": {number}, "rows": ["a","b","c","d","e","f","g","h","i"]}}'
        families = [*table_families(problem(text, load_language("json")))]
        assert [each.sort for each in families] == rows
        if families:
            (family,) = families
            assert family.size == 3
            assert without(text, family, (0,)) == text.replace('"d",', "").replace("3", "2")


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


@pytest.mark.parametrize("table", ["ACGTACGT\nAC-TAAAA\n", "2 4: 1 0 0 5 1 0 7 8 "])
def test_a_small_table_is_left_alone(table: str) -> None:
    assert [*table_families(problem(table + "word " * 6, Characters()))]
    for text in (table + "word " * 60, "word " * 60 + table):
        assert [*table_families(problem(text, Characters()))] == []


def test_of_words_as_long_as_others_those_that_take_most_room_are_looked_at() -> None:
    sizes = {8: 5, 9: 2, 10: 2, 11: 2, 12: 2}
    text = " ".join("abcdefghijkl"[:size] for size, count in sizes.items() for _ in range(count))
    families = [*table_families(problem(text, Characters()))]
    assert [(each.size, each.weight) for each in families] == [
        (8, 40),
        (12, 24),
        (11, 22),
        (10, 20),
    ]


def test_small_columns_hide_no_large_ones() -> None:
    long = '["aaaaaaaaaaaa","bbbbbbbbbbbb","cccccccccccc"]'
    text = f"[[[1,2],[3,4]],{long},{long.upper()}]"
    families = table_families(problem(text, load_language("json")))
    assert any(each.sort == "columns" and each.size == 3 for each in families)


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
    assert {each.sort for each in (by_two, by_four)} == {"rows of a grid"}
    # They may be numbers of the same row as those of the grid.
    text = "2 3 9 1 2 3 4 5 6"
    by_two, by_three = table_families(problem(text, Characters()))
    assert without(text, by_two, (0,)) == "1 3 9 4 5 6"
    assert without(text, by_three, (0,)) == "2 2 9 3 4 5 6"


def test_the_size_of_a_grid_is_told_near_it() -> None:
    for between, count in ((10, 2), (210, 0)):
        text = f"2 60 {'word ' * between}{'12 ' * 120}"
        assert len([*table_families(problem(text, Characters()))]) == count


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


def test_the_words_of_which_there_are_most_are_looked_at_first() -> None:
    families = [*stretch_families("3 5 b b b a a a a a")]
    assert [each.size for each in families] == [5, 5]
    assert {each.sort for each in families} == {"stretches"}


def test_of_equal_numbers_the_first_is_looked_at_and_of_many_none() -> None:
    text = "3 3 a;b;c"
    families = [*stretch_families(text)]
    assert [without(text, each, (1,)) for each in families if each.name == "3 of ; between"] == [
        "2 3 a;c",
    ]
    assert [*stretch_families("3 3 3 3 a;b;c")] == []


def test_a_word_that_stands_once_ends_no_stretch() -> None:
    assert [*stretch_families("n=1 alpha;")] == []


def test_stretches_may_be_on_several_lines() -> None:
    text = "n=3 a;\nb;\nc;\nd"
    last, first = stretch_families(text)
    assert without(text, last, (0,)) == "n=2\nb;\nc;\nd"
    assert without(text, first, (0,)) == "n=2 a;\nc;\nd"
    assert without(text, first, (2,)) == "n=2 a;\nb;\nc\nd"


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
    assert {each.sort for each in (counted, uncounted)} == {"columns of several sorts"}
    short = '{"names": ["a","b","c"], "more": {"x":1,"y":2,"z":3}}'
    assert [*several_families(problem(short, language))] == []
    alike = '[["a","b","c","d"], ["e","f","g","h"]]'
    assert [*several_families(problem(alike, language))] == []


def test_a_list_of_one_item_is_no_table() -> None:
    text = "[[1],[2]]"
    families = [*table_families(problem(text, load_language("json")))]
    assert [each.name for each in families if each.sort == "columns"] == []
