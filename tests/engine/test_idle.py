"""Parts that are likely not to be needed go before all else, all at once or by halves."""

from __future__ import annotations

from collections.abc import Collection

from boildown.engine.candidates import Splice
from boildown.engine.oracle import from_test
from boildown.engine.reducing.idle import Idle
from boildown.engine.reducing.reduce import reduce
from helpers import Characters, contains, logged

TEXT = "a b c d e f g h"


def tried(needle: str, *guesses: list[Splice], elements: str = "") -> list[str]:
    """Return what is left of the candidates, those of the guesses and of the elements first."""
    log: list[str] = []
    test = from_test(logged(contains(needle), log))

    def more(gone: Collection[int]) -> list[Splice]:
        return sorted([*guesses[0], *(without(elements[at])[0] for at in gone)])

    reduce(TEXT, test, Characters(), ("ddmin",), idle=Idle(guesses, len(elements), more))
    return ["".join(text.split()) for text in log]


def without(letters: str, new: str = "") -> list[Splice]:
    return [(TEXT.index(letter), TEXT.index(letter) + 1, new) for letter in letters]


def test_all_of_them_are_the_first_candidate() -> None:
    assert tried(" ", without("abcdefgh"))[0] == ""


def test_where_one_is_needed_the_others_go_by_halves() -> None:
    # All; the halves, the one with the c first; the quarters, of which that was tried as all.
    assert tried("c", without("abcdefgh"))[:6] == ["", "efgh", "abcd", "cd", "d", "c"]


def test_the_first_guess_that_holds_is_the_last_that_is_tried() -> None:
    guesses = without("abcdefgh"), without("defgh"), without("gh")
    assert tried("c", *guesses)[:2] == ["", "abc"]
    assert "abcdef" not in tried("c", *guesses)


def test_what_makes_the_text_no_smaller_costs_no_run() -> None:
    assert not any("__" in text for text in tried("c", without("abcdefgh", "__")))


def test_elements_go_one_after_the_other_where_the_first_guess_holds() -> None:
    log = tried("c", without("h"), without("gh"), elements="acbd")
    assert log[:5] == ["abcdefg", "bcdefg", "bdefg", "cdefg", "cefg"]


def test_elements_stay_where_only_a_later_guess_holds() -> None:
    assert tried("c", without("bc"), without("h"), without("gh"), elements="a")[:2] == [
        "adefgh",
        "abcdefg",
    ]


def test_elements_are_given_up_after_a_row_of_failures() -> None:
    text = "abcdefghijklmn"
    log: list[str] = []
    test = from_test(logged(lambda text: text.startswith("abcdefghijkl"), log))

    def more(gone: Collection[int]) -> list[Splice]:
        return sorted([(12, 13, ""), *((at, at + 1, "") for at in gone)])

    # The element after the twelfth could go, but is left to the pass.
    elements = Idle([more([]), []], 14, lambda gone: more([13 if at == 12 else at for at in gone]))
    reduce(text, test, Characters(), ("ddmin",), idle=elements)
    assert log[1:13] == ["abcdefghijkln".replace(letter, "") for letter in text[:12]]
    assert log[13] == "ghijkln"
