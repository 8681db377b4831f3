"""The passes `prune` and `shorten`: each candidate that they try, in its order."""

from __future__ import annotations

import re
import sys

import pytest

from boildown.engine.oracle import from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes.prune import PrunedList, Pruning
from boildown.languages import load_language
from helpers import Characters, Lisp, Test, contains, logged, run_pass


def tried(name: str, text: str, test: Test) -> list[str]:
    """Return the candidates of a pass, without white space where none may go."""
    asked: list[str] = []
    run_pass(name, text, logged(test, asked), Lisp())
    return asked


def nothing(_text: str) -> bool:
    return False


def test_prune_divides_what_has_to_stay_into_halves_of_equal_weight() -> None:
    assert tried("prune", "(a (bbb cc) dddd)", nothing) == [
        *("", "()", "( dddd)", "(a dddd)", "(a () dddd)", "(a (bbb cc))", "(a ( cc) dddd)"),
        *("(a (bbb) dddd)", "( (bbb cc) dddd)"),
    ]


def test_prune_goes_on_from_a_success_with_what_was_queued() -> None:
    assert tried("prune", "(a (bbb cc) dddd)", contains("cc")) == [
        *("", "()", "( dddd)", "(a dddd)", "(a () dddd)", "(a (bbb cc))", "(a ( cc))", "(a ())"),
        "( ( cc))",
    ]
    assert tried("prune", "(aa b cc d ee f)", contains("b", "f")) == [
        *("", "()", "( d ee f)", "(aa b cc)", "(aa b cc d)", "( cc d ee f)", "(aa b d ee f)"),
        *("(aa b d f)", "(aa b f)", "(aa b)", "( b f)", "( f)"),
    ]


def listed(*widths: int, least: int = 0, separator: int = 0) -> PrunedList:
    """Return a list of items with these widths, one after the other."""
    starts, at = [], 0
    for width in widths:
        starts.append(at)
        at += width + separator
    ends = [start + width for start, width in zip(starts, widths, strict=True)]
    cuts = [starts[0], *ends[:-1]] if separator else starts
    return PrunedList(starts, ends, cuts, lambda _index: (), least)


def test_an_item_goes_with_the_separator_before_it_and_the_first_with_that_behind() -> None:
    each = listed(2, 2, 2, separator=1)
    assert [*each.spans([(1, 2)])] == [(2, 5)]
    assert [*each.spans([(0, 1)])] == [(0, 3)]
    assert [*each.spans([(0, 3)])] == [(0, 8)]
    assert [*each.spans([(0, 1), (2, 3)])] == [(0, 3), (5, 8)]


def test_ranges_that_touch_are_one() -> None:
    each = listed(1, 1, 1, 1)
    each.gone = [(0, 1)]
    assert each.without(1, 2) == [(0, 2)]
    assert each.without(2, 3) == [(0, 1), (2, 3)]


@pytest.mark.parametrize(("many", "equal"), [(2, 3), (100_000, 2)])
def test_the_middle_is_that_of_the_weight(
    many: int, equal: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[Pruning.__module__], "MANY_ITEMS", many)
    assert listed(1, 1, 1, 9).middle(0, 4) == 3
    assert listed(9, 1, 1, 1).middle(0, 4) == 1
    # By offsets, what begins at the half belongs to the first one.
    assert listed(3, 3, 3, 3).middle(0, 4) == equal
    assert listed(9, 3, 3, 3, 3).middle(1, 5) == 1 + equal


def test_no_candidate_has_fewer_items_than_the_list_needs() -> None:
    text = "abc"
    problem = Problem(Characters().parse(text).tree, from_test(nothing), Characters())
    pruning = Pruning(problem, [listed(1, 1, 1, least=2)])
    texts = [each and each.text for each in pruning.candidates()]
    assert texts == [None, None, "bc", "ac", "ab"]


def test_a_word_is_shortened_everywhere_then_at_each_place_then_made_another() -> None:
    assert tried("shorten", "(needle thread needle)", nothing) == [
        *("(a thread a)", "(needle thread a)", "(a thread needle)", "(needle a needle)"),
    ]
    assert tried("shorten", "(needle thread needle)", lambda text: text.count("needle") == 1) == [
        *("(a thread a)", "(needle thread a)", "(b thread a)", "(needle a a)"),
    ]


def test_a_quoted_text_keeps_its_quotes() -> None:
    assert tried("shorten", '("abcd" x)', nothing) == ['("" x)', '("x" x)', '("a" x)']


def test_a_number_becomes_a_digit() -> None:
    assert tried("shorten", '("abcd" "abcd" 123)', nothing) == [
        *('("" "" 123)', '("a" "a" 123)', '("abcd" "" 123)', '("abcd" "a" 123)'),
        *('("" "abcd" 123)', '("a" "abcd" 123)', '("abcd" "abcd" 0)', '("abcd" "abcd" 1)'),
    ]


def test_ever_smaller_pieces_of_a_token_go_and_then_its_words_get_other_names() -> None:
    assert tried("shorten", "(x/needle/y needle)", nothing) == [
        *("( needle)", "(x/nee needle)", "(dle/y needle)", "(x/needle needle)"),
        *("(x/need/y needle)", "(x/nele/y needle)", "(x/edle/y needle)", "(needle/y needle)"),
        *("(x/needle/ needle)", "(x/needley needle)", "(x/needl/y needle)"),
        *("(x/neede/y needle)", "(x/neele/y needle)", "(x/nedle/y needle)"),
        *("(x/eedle/y needle)", "(xneedle/y needle)", "(/needle/y needle)"),
        *("(x/needle/y x)", "(x/needle/y a)", "(x/x/y x)", "(x/a/y a)"),
    ]


def test_of_code_that_is_one_token_words_go_whole() -> None:
    text = "#define DATA REG32(BASE + 80)\nint a = DATA;"
    asked: list[str] = []
    run_pass("shorten", text, logged(nothing, asked), load_language("c"))
    bodies = [match[1] for each in asked if (match := re.match("#define DATA (.*)", each))]
    assert not any(re.search(r"\b(?:RE|REG|G32|BA|BAS|ASE|SE)\b", body) for body in bodies)
    assert {"(BASE + 80)", "REG32BASE + 80)"} <= set(bodies)


def test_what_is_left_of_a_token_is_divided_further() -> None:
    assert tried("shorten", "(ab-cdef-gh)", contains("f")) == [
        *("()", "(ab-cd)", "(ef-gh)", "(ef-)", "(e)", "(f-)", "(f)"),
    ]


def test_what_takes_most_room_is_shortened_first() -> None:
    assert tried("shorten", "(aaaa bb bb bb)", nothing)[0] == "(aaaa a a a)"
