"""The passes `prune` and `shorten`: each candidate that they try, in its order."""

from __future__ import annotations

import re
import sys
from itertools import islice
from string import ascii_lowercase

import pytest

from boildown.engine.oracle import from_test
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes.prune import PrunedList, Pruning
from boildown.languages import load_language
from helpers import Characters, Lisp, Test, contains, logged, run_pass


def tried(name: str, text: str, test: Test, ahead: int = 1) -> list[str]:
    """Return the candidates of a pass that are judged, of which so many are taken ahead."""
    asked: list[str] = []
    run_pass(name, text, logged(test, asked), Lisp(), ahead)
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


@pytest.mark.parametrize("ahead", [2, 3, 7, 100])
@pytest.mark.parametrize(
    ("name", "needed"),
    [("prune", "cc"), ("prune", "gg"), ("prune", "(dd"), ("shorten", "ccc"), ("shorten", "gg")],
)
def test_the_order_is_the_same_however_many_candidates_are_taken_ahead(
    name: str, needed: str, ahead: int
) -> None:
    text = "(aaa (bbb ccc (dd e) dd) ffff (gg (h iiiii)) aaa jj kkkk-ll)"
    test = contains(needed)
    assert tried(name, text, test, ahead) == tried(name, text, test)


def test_a_text_without_lists_has_nothing_to_prune() -> None:
    assert run_pass("prune", "abc", nothing, Characters()) == ("abc", 0)


def test_lists_inside_of_others_are_of_another_kind() -> None:
    assert tried("prune", "(bbbbb (eeeee))", nothing) == [
        *("", "()", "(bbbbb)", "(bbbbb ())", "( (eeeee))"),
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


def test_separators_of_a_language_go_with_items() -> None:
    asked: list[str] = []
    run_pass("prune", "[1,22,333]", logged(nothing, asked), load_language("json"))
    assert asked == ["[]", "[333]", "[1,22]", "[1,333]", "[22,333]"]


def test_ranges_that_touch_are_one() -> None:
    each = listed(1, 1, 1, 1)
    each.gone = [(0, 1)]
    assert each.without(1, 2) == [(0, 2)]
    assert each.without(2, 3) == [(0, 1), (2, 3)]


@pytest.mark.parametrize(("many", "equal"), [(3, 3), (4, 2)])
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


def test_where_one_list_has_to_stay_those_of_its_kind_wait_and_where_one_goes_they_do_not() -> None:
    text = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddd"

    def lists() -> list[PrunedList]:
        spans = [(0, 10, "list"), (10, 20, "list"), (20, 30, "list"), (30, 39, "option")]
        return [
            PrunedList([start], [end], [start], lambda _index: (), kind=(label, 0))
            for start, end, label in spans
        ]

    def first_gone(pruning: Pruning, count: int = 4) -> list[str]:
        texts = [each.text for each in islice(pruning.candidates(), count) if each]
        return ["".join(sorted(set("abcd") - set(each))) for each in texts]

    problem = Problem(Characters().parse(text).tree, from_test(nothing), Characters())
    assert first_gone(Pruning(problem, lists())) == ["a", "d", "b", "c"]
    pruning = Pruning(problem, lists())
    assert first_gone(pruning, 2) == ["a", "d"]
    pruning.accept(0)
    assert first_gone(pruning) == ["ab", "ad", "ac"]


def test_a_word_is_shortened_everywhere_then_at_each_place_then_made_another() -> None:
    assert tried("shorten", "(needle thread needle)", nothing) == [
        *("(a thread a)", "(needle thread a)", "(a thread needle)", "(needle a needle)"),
    ]
    assert tried("shorten", "(needle thread needle)", lambda text: text.count("needle") == 1) == [
        *("(a thread a)", "(needle thread a)", "(b thread a)", "(needle a a)"),
    ]


def test_a_quoted_text_keeps_its_quotes_and_what_is_before_them() -> None:
    assert tried("shorten", '("abcd" x)', nothing) == ['("" x)', '("x" x)', '("a" x)']
    assert tried("shorten", '(b"abcd" x)', nothing) == ['(b"" x)', '(b"b" x)', '(b"a" x)']


def test_the_shortest_token_of_its_sort_comes_first() -> None:
    class Marked(Lisp):
        def shortest(self, label: str) -> str | None:
            return "?" if label == "word" else None

    asked: list[str] = []
    run_pass("shorten", "(123 x)", logged(nothing, asked), Marked())
    assert asked == ["(? x)", "(0 x)", "(1 x)"]


def test_a_new_name_is_the_shortest_that_is_not_in_use_if_it_is_shorter() -> None:
    used = " ".join(ascii_lowercase)
    # Of two letters both are in use, so the names that there are do for them alone.
    assert tried("shorten", f"({used} needle zz)", nothing) == [
        *(f"({used} a zz)", f"({used} aa zz)"),
    ]


def test_of_the_words_inside_tokens_those_that_take_most_room_come_first() -> None:
    asked = tried("shorten", "(+needle +zz-zz+zz+zz+zz)", nothing)
    assert asked[-2:] == ["(+needle +a-a+a+a+a)", "(+a +zz-zz+zz+zz+zz)"]


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
    assert tried("shorten", "(1-2-3)", contains("-2-3")) == [
        *("()", "(1-2)", "(1-3)", "(-2-3)", "(-2-)", "(-23)", "(--3)", "(2-3)", "(-2)", "(-3)"),
    ]
    assert tried("shorten", "(a-b-c-d-e-f)", contains("a", "f")) == [
        *("()", "(a-b-c-)", "(ad-e-f)", "(d-e-f)", "(ad-e)", "(ad-f)", "(-f)", "(ad-)", "(adf)"),
        *("(af)", "(f)", "(a)"),
    ]


def test_what_takes_most_room_is_shortened_first() -> None:
    assert tried("shorten", "(aaaa bb bb bb)", nothing)[0] == "(aaaa a a a)"
