"""Parts that are likely not to be needed go before all else, all at once or by halves."""

from __future__ import annotations

from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from helpers import Characters, contains, logged

TEXT = "a b c d e f g h"


def tried(needle: str, new: str) -> list[str]:
    """Return what is left of the first candidates where each letter is idle, and `new` is less."""
    log: list[str] = []
    idle = [(at, at + 1, new) for at in range(0, len(TEXT), 2)]
    reduce(TEXT, from_test(logged(contains(needle), log)), Characters(), ("ddmin",), idle=idle)
    return ["".join(text.split()) for text in log]


def test_all_of_them_are_the_first_candidate() -> None:
    assert tried(" ", "")[0] == ""


def test_where_one_is_needed_the_others_go_by_halves() -> None:
    # All; the halves, the one with the c first; the quarters, of which that was tried as all.
    assert tried("c", "")[:6] == ["", "efgh", "abcd", "cd", "d", "c"]


def test_what_makes_the_text_no_smaller_costs_no_run() -> None:
    assert not any("__" in text for text in tried("c", "__"))
