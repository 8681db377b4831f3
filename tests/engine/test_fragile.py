"""Fragile failures: a result that fails less reliably than its original is taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from boildown.engine.flaky import RESULT_SHARE, Care, Rate
from boildown.engine.oracle import from_test, limited
from boildown.engine.reducing.reduce import Reduction, reduce
from helpers import Lisp

FILLER = " ".join(f"(w{index} (v{index} x))" for index in range(60))
DEEP = f"{FILLER} {'(' * 40}0{')' * 40} {FILLER}"


def levels(text: str) -> int:
    return text.count("(0") and text[: text.index("(0") + 1].rpartition(" ")[2].count("(")


def reduced(
    misses: Callable[[int], int], least: int, limit: int = 10_000, **care: object
) -> Reduction:
    """Reduce by a test that `least` levels around 0 fail, in so many runs.

    `misses` says of a number of levels every how many runs one passes all the same; 0 for none.
    """
    ran: Counter[str] = Counter()

    def test(text: str) -> bool:
        found = levels(text)
        ran[text] += 1
        every = misses(found)
        return found >= least and not (every and ran[text] % every == every - 1)

    oracle = limited(from_test(test), limit)
    how = Care(hits=3, runs=3, checks=5, **care)  # type: ignore[arg-type]
    return reduce(DEEP, oracle, Lisp(), care=how)


def test_nesting_is_not_cut_to_below_where_the_failure_is_reliable() -> None:
    """The step that was as reliable is gone back to, and the rest goes all the same."""
    found = reduced(lambda found: 7 if found < 26 else 0, least=20)
    assert levels(found.text) == 26
    assert found.text.strip("()") == "0"
    assert found.reliability is not None
    assert found.reliability.reduced.always
    assert found.reliability.reduced.runs >= 60
    assert found.reliability.original.always
    assert found.reliability.fragile is not None
    assert not found.reliability.fragile.always


def test_a_failure_that_is_as_flaky_in_all_inputs_is_not_fragile() -> None:
    found = reduced(lambda _found: 7, least=20)
    assert levels(found.text) == 20
    assert found.reliability is not None
    assert found.reliability.fragile is None


def test_a_result_is_run_again_in_varied_surroundings_for_a_share_of_the_runs() -> None:
    states = [False]
    found = reduced(lambda _found: 0, least=20, vary=states.append)
    assert found.reliability is not None
    assert found.reliability.reduced == Rate(8, 8)
    assert found.runs * RESULT_SHARE < 10
    # Each run in varied surroundings ends with the usual ones.
    assert states[1::2] == [True] * (len(states) // 2)
    assert states[::2] == [False] * (len(states) - len(states) // 2)


@pytest.mark.parametrize("limit", range(200, 640, 40))
def test_a_search_that_is_stopped_keeps_no_text_that_is_known_to_be_fragile(limit: int) -> None:
    """Wherever the limit falls once that is known: also in the middle of going back."""
    found = reduced(lambda found: 7 if found < 26 else 0, least=20, limit=limit)
    assert found.runs <= limit + 1
    assert not found.finished
    assert levels(found.text) >= 26 or found.flaky is None


def test_where_every_part_adds_a_little_to_the_chance_the_search_ends() -> None:
    """No text is smaller and as reliable, and each takes many runs to tell."""
    words = " ".join("(x)" for _ in range(400))
    ran: Counter[str] = Counter()

    def test(text: str) -> bool:
        ran[text] += 1
        every = text.count("x") // 10
        return every > 0 and (every >= 40 or ran[text] % every != every - 1)

    found = reduce(words, from_test(test), Lisp(), care=Care(hits=3, runs=3, checks=5))
    assert not found.finished
    assert found.notes == ("Smaller texts fail less reliably, and it takes too many runs to tell.",)
    # The last step that is as reliable as can be told.
    assert found.text.count("x") > 250


def test_where_every_item_adds_to_the_chance_as_many_are_kept_as_it_takes() -> None:
    """All copies are reduced at once, for alone none could go: eleven miss in each third run."""
    items = " ".join(f"(item {number} (x))" for number in range(60))
    ran: Counter[str] = Counter()

    def test(text: str) -> bool:
        ran[text] += 1
        count = text.count("(x")
        return count > 0 and (count >= 12 or ran[text] % 3 != 2)

    found = reduce(items, from_test(test), Lisp(), care=Care(hits=3, runs=3, checks=5))
    assert found.text == "(x" * 12
    assert found.finished
    assert found.reliability is not None
    assert found.reliability.reduced.always
