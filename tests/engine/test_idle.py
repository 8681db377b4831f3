"""Parts that are likely not to be needed go before all else, all at once or by halves."""

from __future__ import annotations

from boildown.engine.candidates import Splice
from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from helpers import Characters, contains, logged

TEXT = "a b c d e f g h"


def tried(needle: str, *guesses: list[Splice]) -> list[str]:
    """Return what is left of the candidates, those of the guesses first."""
    log: list[str] = []
    test = from_test(logged(contains(needle), log))
    reduce(TEXT, test, Characters(), ("ddmin",), idle=guesses)
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
