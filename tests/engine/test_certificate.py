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
    assert certificate("(ab)") == Certificate(Unit.CHARACTER)
    # "ab" is no step of a single character, and "(b)" is one, whichever pass asked for it first.
    assert certificate("(ab)", late=("ab", "(b)", "(a)")) == Certificate(Unit.CHARACTER, timeouts=2)


def test_it_names_the_sweeps_that_were_not_worth_their_runs() -> None:
    long = NotSwept(Unit.CHARACTER, 200)
    assert certificate("a" * 201) == Certificate(Unit.TOKEN, not_swept=(long,))
    longer = Certificate(Unit.TREE, not_swept=(NotSwept(Unit.TOKEN, 2000), long))
    assert certificate("a" * 2001, ("trees", "tokens", "characters")) == longer


def test_it_names_the_sweeps_that_nobody_asked_for() -> None:
    others = (NotSwept(Unit.TREE), NotSwept(Unit.CHARACTER))
    assert certificate("(ab)", ("tokens",)) == Certificate(Unit.TOKEN, not_swept=others)
    assert certificate("(ab)", ("perses",)) is None


def test_nothing_is_claimed_of_a_single_character_before_the_empty_text_was_tried() -> None:
    reduction = reduce("ab", from_test(lambda _: True), Characters(), ("ddmin",))
    assert (reduction.text, reduction.minimality) == ("", "1-character-minimal")
