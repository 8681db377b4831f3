"""Certificates: what a reduction claims, and the doubts that it names."""

from __future__ import annotations

from boildown.engine.certificate import Certificate, NotSwept, Unit
from boildown.engine.oracle import Outcome, from_test
from boildown.engine.reducing.passes import AUTO
from boildown.engine.reducing.reduce import reduce
from helpers import Characters, Lisp


def certificate(
    text: str, passes: tuple[str, ...] = AUTO, late: tuple[str, ...] = ()
) -> Certificate | None:
    """Return the certificate of a text that nothing can be left out of; some candidates hang."""

    def test(new: str) -> Outcome:
        if new in late:
            return Outcome.TIMEOUT
        return Outcome.REPRODUCED if new == text else Outcome.PASSED

    reduction = reduce(text, from_test(test), Lisp(), passes)
    assert reduction.text == text
    return reduction.certificate


def test_it_counts_the_steps_that_timed_out() -> None:
    # "ab" is no step of a single character, and "(b)" is one, whichever pass asked for it first.
    late = Certificate(Unit.CHARACTER, candidates=7, timeouts=2)
    assert certificate("(ab)", late=("ab", "(b)", "(a)")) == late


def test_it_counts_the_texts_that_it_rests_on() -> None:
    # Its characters `ab)`, `(b)`, `(a)` and `(ab`, its token `()`, its subtrees `a` and `b`.
    assert certificate("(ab)") == Certificate(Unit.CHARACTER, candidates=7)
    others = (NotSwept(Unit.TREE), NotSwept(Unit.TOKEN))
    alone = Certificate(Unit.CHARACTER, candidates=4, not_swept=others)
    assert certificate("(ab)", ("characters",)) == alone


def test_it_names_the_sweeps_that_were_not_worth_their_runs() -> None:
    long = NotSwept(Unit.CHARACTER, 200)
    assert certificate("a" * 201) == Certificate(Unit.TOKEN, candidates=1, not_swept=(long,))
    longer = Certificate(Unit.TREE, candidates=1, not_swept=(NotSwept(Unit.TOKEN, 2000), long))
    assert certificate("a" * 2001, ("trees", "tokens", "characters")) == longer


def test_it_names_the_sweeps_that_nobody_asked_for() -> None:
    others = (NotSwept(Unit.TREE), NotSwept(Unit.CHARACTER))
    assert certificate("(ab)", ("tokens",)) == Certificate(
        Unit.TOKEN, candidates=3, not_swept=others
    )
    assert certificate("(ab)", ("perses",)) is None


def test_nothing_is_claimed_of_a_single_character_before_the_empty_text_was_tried() -> None:
    reduction = reduce("ab", from_test(lambda _: True), Characters(), ("ddmin",))
    assert (reduction.text, reduction.minimality) == ("", "1-character-minimal")
