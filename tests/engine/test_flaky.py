"""Flaky failures in a reduction: what is run again, when, and what is claimed then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import cycle
from random import Random

import pytest

from boildown.engine.certificate import Certificate, Unit
from boildown.engine.flaky import Care, Careful
from boildown.engine.oracle import Outcome, from_test, judge
from boildown.engine.reducing.reduce import Reduction, reduce
from helpers import Lisp, run_ahead

TEXT = "(a (b (c needle d) e) (f g) h (i j) k l m)"


def reduced(
    misleading: Callable[[str, int], bool] = lambda _text, _number: False, **care: float
) -> tuple[Reduction, Counter[str]]:
    """Reduce to `needle`; return how often each text was run, too.

    `misleading` says whether a run misleads, from the text and how often that was run before.
    """
    ran: Counter[str] = Counter()

    def test(text: str) -> bool:
        number, ran[text] = ran[text], ran[text] + 1
        return ("needle" in text) is not misleading(text, number)

    return reduce(TEXT, from_test(test), Lisp(), care=Care(**care)), ran  # type: ignore[arg-type]


def test_where_nothing_disagrees_ten_runs_are_checks_at_most() -> None:
    plain = reduce(TEXT, from_test(lambda text: "needle" in text), Lisp())
    careful, ran = reduced()
    assert (careful.text, careful.certificate) == (plain.text, plain.certificate)
    assert careful.certificate == Certificate(Unit.CHARACTER, candidates=6)
    assert careful.candidates == plain.runs
    # The first run on the original is not among them, and counts as one.
    assert careful.runs - plain.runs == careful.again == 9
    assert ran.total() == careful.runs
    assert careful.flaky is None
    spent, _ = reduced(checks=10)
    assert spent.again == 3


def test_a_step_that_does_not_fail_is_taken_back() -> None:
    careful, ran = reduced(
        lambda text, number: number == 0 and "needle" not in text and "f" in text
    )
    assert (careful.text, careful.finished) == ("needle", True)
    assert careful.certificate == Certificate(Unit.CHARACTER, candidates=6, confidence=0.95)
    assert [step.text for step in careful.history if "needle" not in step.text] == []
    assert ran.total() == careful.runs
    assert careful.flaky is not None
    assert (careful.flaky.rate, careful.flaky.spurious > 0) == (1.0, True)


def test_a_candidate_that_passed_by_mistake_is_asked_again() -> None:
    careful, _ = reduced(lambda text, number: text == "needle" and number == 0)
    assert (careful.text, careful.finished) == ("needle", True)
    assert careful.certificate == Certificate(Unit.CHARACTER, candidates=6, confidence=0.95)


def test_no_result_is_finished_that_does_not_fail_where_three_of_ten_runs_mislead() -> None:
    for seed in range(25):
        rng = Random(seed)
        answers = lambda text: "needle" in text or rng.random() < 0.3  # noqa: E731, B023
        careful = reduce(TEXT, from_test(answers), Lisp(), care=Care())
        assert "needle" in careful.text or not careful.finished
        assert careful.finished or careful.notes[0].endswith((" them from those that do.", " all."))


def test_nothing_is_claimed_of_a_failure_that_is_too_rare() -> None:
    runs = cycle([True, *[False] * 39])
    oracle = from_test(lambda text: "needle" in text and next(runs))
    assert judge(oracle, TEXT).reproduced
    careful = reduce(TEXT, oracle, Lisp(), care=Care())
    assert (careful.finished, careful.certificate) == (False, None)
    assert careful.flaky is not None
    assert careful.flaky.rate < 0.1


def test_a_failure_that_is_gone_is_not_taken_for_a_rare_one() -> None:
    """As many hits as misses of the measurement would do for a rate of 15 %."""
    total = 0

    def gone(text: str, _number: int) -> bool:
        nonlocal total
        total += 1
        return total > 12 and "needle" in text

    careful, ran = reduced(gone, hits=3, runs=3)
    assert (careful.finished, careful.certificate) == (False, None)
    assert ran.total() <= 60


def test_an_invalid_candidate_is_run_once() -> None:
    ran: Counter[str] = Counter()

    def test(text: str) -> Outcome:
        ran[text] += 1
        if "needle" not in text:
            return Outcome.INVALID
        return Outcome.REPRODUCED if ran[text] % 2 else Outcome.PASSED

    reduce(TEXT, from_test(test), Lisp(), care=Care(hits=5, runs=10))
    assert {number for text, number in ran.items() if "needle" not in text} == {1}


def test_answers_that_are_not_clear_wait_in_their_order() -> None:
    """Texts that were run ahead are run again, if one before them needs another run."""
    answers = {"a": cycle([True, False, False, False]), "b": cycle([True]), "c": cycle([False])}
    asked: list[str] = []

    def oracle(texts):  # type: ignore[no-untyped-def]
        batch = list(texts)
        asked.extend(batch)
        return from_test(lambda text: next(answers[text]))(batch)

    careful = Careful(oracle, "original", Care(hits=19, runs=20))
    verdicts = careful.verdicts(["a", "b", "a", "c"])
    assert [verdict.reproduced for verdict in verdicts] == [False, True, False, False]
    assert careful.cached == 1


@pytest.mark.parametrize("seed", range(8))
def test_the_number_of_workers_changes_no_count(seed: int) -> None:
    rng = Random(seed)
    text = "".join(rng.choice("ab (c) ") for _ in range(60)) + "x (y (z))"
    needles = [text[at : at + 2] for at in (rng.randrange(30), rng.randrange(30, 60))]
    oracle = from_test(lambda text: all(needle in text for needle in needles))
    found = [reduce(text, run_ahead(oracle, n), Lisp(), care=Care()) for n in (1, 2, 5)]
    assert found[0] == found[1] == found[2]
