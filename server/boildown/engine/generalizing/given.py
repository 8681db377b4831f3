"""Other inputs at hand: run once each, learned from, and compared with the answers by name.

Their texts are the user's, and may be private: notes count them and name the first, and quote none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from boildown.engine.oracle import Oracle, Outcome, close
from boildown.engine.patterns.algebra import Texts


@dataclass(frozen=True, slots=True)
class GivenInput:
    """An input of which the user says whether it fails."""

    name: str
    """Of its file, by which notes speak of it."""
    text: str
    fails: bool
    """What the user says; what it does counts."""


def run_given(given: Sequence[GivenInput], oracle: Oracle) -> dict[str, Outcome]:
    """Run the texts of given inputs, each of them once. The oracle may raise `Stop`."""
    texts = list(dict.fromkeys(each.text for each in given))
    verdicts = oracle(texts)
    try:
        return {text: each.outcome for text, each in zip(texts, verdicts, strict=True)}
    finally:
        close(verdicts)


def doubts(given: Sequence[GivenInput], outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    """Yield notes on given inputs that behave in another way than the user says."""
    failing = {Outcome.REPRODUCED: True, Outcome.PASSED: False}
    for fails, wrongly, rightly in (
        (True, "failing that do not fail in this way", "passing"),
        (False, "passing that fail in this way", "failing"),
    ):
        those = [each for each in given if each.fails is fails]
        wrong = [each for each in those if failing.get(outcomes[each.text], fails) is not fails]
        if wrong:
            yield (
                f"Inputs given as {wrongly}: {len(wrong)} of {len(those)}; the first is"
                f" {wrong[0].name}. They count as {rightly}."
            )
    unknown = [each for each in given if outcomes[each.text] not in failing]
    if unknown:
        yield (
            f"Given inputs that are invalid or time out: {len(unknown)} of {len(given)}; the first"
            f" is {unknown[0].name}. They are left out."
        )


def compared(
    name: str,
    answer: Texts,
    given: Sequence[GivenInput],
    outcomes: Mapping[str, Outcome],
    check: Callable[[], None],
) -> Iterator[str]:
    """Yield notes on how many of the given inputs an answer explains; `check` may raise `Stop`."""
    held: dict[str, bool] = {}
    for each in given:
        if each.text not in held:
            check()
            held[each.text] = answer.matches(each.text)
    failing = [each for each in given if outcomes[each.text] is Outcome.REPRODUCED]
    missed = [each for each in failing if not held[each.text]]
    if failing:
        first = f"; the first that it does not is {missed[0].name}" if missed else ""
        yield (
            f"Given inputs that fail: the {name} explains {len(failing) - len(missed)} of"
            f" {len(failing)}{first}."
        )
    passing = [each for each in given if outcomes[each.text] is Outcome.PASSED]
    wrong = [each for each in passing if held[each.text]]
    if wrong:
        yield (
            f"Given inputs that pass: the {name} holds for {len(wrong)} of {len(passing)}; the"
            f" first is {wrong[0].name}."
        )
