"""Summaries of reductions: the claim and its doubts in one sentence, in each front end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from boildown.engine.certificate import Certificate, Certified, NotSwept, Unit
from boildown.engine.oracle import Outcome, Step
from boildown.engine.passing import Passing
from boildown.engine.reducing.reduce import Reduction
from boildown.jobs import words
from boildown.jobs.events import size
from boildown.jobs.reduce import Reduced
from boildown.jobs.words import stated, summary

PLAIN = Certificate(Unit.CHARACTER)
LONG = Certificate(Unit.TOKEN, not_swept=(NotSwept(Unit.CHARACTER, 200),))
LATE = Certificate(Unit.CHARACTER, timeouts=3)
FLAKY = Certificate(Unit.TREE, timeouts=1, confidence=0.95)
MEASURED = Certificate(Unit.CHARACTER, margin=0.1)
LAID_OUT = Certificate(Unit.CHARACTER, of=Certified.BEFORE_LAYOUT)


def reduced(certificate: Certificate | None, **other: object) -> Reduced:
    reduction = Reduction("x" * 10, 1200, 3, True, certificate, (Step(0, "x" * 100),))
    result = Reduced(reduction, "plain", (), (), 2.0, 1.0, True, {})
    return replace(result, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("certificate", "claims"),
    [
        (PLAIN, ["1-character-minimal: no single character of it can be left out."]),
        (
            LATE,
            [
                "1-character-minimal: no single character of it can be left out; 3 runs were ended"
                " by the time-out and count as not failing."
            ],
        ),
        (
            FLAKY,
            [
                "1-tree-minimal: no single part of it can be left out; 1 run was ended by the"
                " time-out and counts as not failing; runs on one text differ, and this holds with"
                " 95% confidence."
            ],
        ),
        (
            MEASURED,
            [
                "1-character-minimal: no single character of it can be left out; what is less than"
                " 10% beyond the limit counts as not failing."
            ],
        ),
        (
            LONG,
            [
                "1-token-minimal: no single token of it can be left out.",
                "No single character was left out by itself: it has more than 200 characters. To"
                ' try that, reduce the result with passes = ["characters"] in boildown.toml.',
            ],
        ),
    ],
)
def test_the_claim_and_its_doubts(certificate: Certificate, claims: list[str]) -> None:
    result = reduced(certificate)
    how = "100 → 10 bytes, 90.0% smaller, in 1,200 runs and 2.0 s"
    assert summary("crash", "x" * 100, result) == [f"crash: {how}", *claims]
    assert words.result(result, 100) == " ".join((f"Reduced: {how}.", *claims))


@pytest.mark.parametrize(("again", "told"), [(200, "1,000 candidates"), (1199, "1 candidate")])
def test_candidates_are_told_where_there_were_more_runs(again: int, told: str) -> None:
    result = reduced(PLAIN)
    outcomes = {Outcome.REPRODUCED: 100, Outcome.PASSED: 1100}
    result = replace(result, reduction=replace(result.reduction, outcomes=outcomes, again=again))
    first, *_ = summary("crash", "x" * 100, replace(result, verify_runs=3))
    assert first == f"crash: 100 → 10 bytes, 90.0% smaller, in 1,203 runs ({told}) and 2.0 s"


def test_sizes_are_those_of_the_text_before_its_layout() -> None:
    result = reduced(LAID_OUT, layout="x\n" * 20)
    assert size(result.text) == 40
    assert [step.text for step in result.history] == ["x" * 100, result.text]
    first, claim = summary("crash", "x" * 100, result)
    assert first.startswith("crash: 100 → 10 bytes (40 with its layout), 90.0% smaller")
    assert claim.endswith("no single character of it can be left out, apart from its layout.")
    told = words.result(result, 100)
    assert told.startswith("Reduced: 100 → 10 bytes (40 with its layout), 90.0% ")
    assert stated(LAID_OUT) == "1-character-minimal apart from its layout"


def test_an_early_end_is_told() -> None:
    result = reduced(None, stopped="runs")
    assert summary("crash", "", result)[-1] == "It was stopped early: there may be a smaller one."
    # Where the result had to be taken back, a note has said so, and nobody stopped it.
    taken_back = reduced(None)
    assert len(summary("crash", "", taken_back)) == 1


@pytest.mark.parametrize(
    ("passing", "told"),
    [
        (Passing("x" * 9, 1), f"{'x' * 9!r}, 1 character away"),
        (Passing("y", 10), "'y', 10 characters away, the closest of those that were tried"),
        (
            Passing("x" * 10 + "y" * 71, 71),
            f"with '{'y' * 71}' at character 11, 71 characters away, the closest of those that were"
            " tried",
        ),
        (
            Passing("x" * 8 + "y" * 101, 101),
            f"with '{'y' * 40}…{'y' * 40}' in place of 'xx' at character 9, 101 characters away,"
            " the closest of those that were tried",
        ),
    ],
)
def test_the_closest_input_that_passes_stands_below(passing: Passing, told: str) -> None:
    result = reduced(PLAIN, failures=("exit 1", "exit 1"))
    result = replace(result, reduction=replace(result.reduction, passing=passing))
    assert summary("crash", "x" * 100, result)[-1] == f"  passes:   {told}"
    assert words.result(result, 100).endswith(f" It passes as {told}.")


def test_equal_failures_are_told_of_once_in_an_editor() -> None:
    same, other = ("KeyError", "KeyError"), ("KeyError", "ValueError")
    assert words.failures(reduced(PLAIN, failures=same)) == "It fails as before: KeyError"
    told = "Original: KeyError; reduced: ValueError"
    assert words.failures(reduced(PLAIN, failures=other)) == told
    shown = words.failures(reduced(PLAIN, failures=same), "\n\nReduced: ", words.code)
    assert shown == "It fails as before: `KeyError`"


LONG_FAILURE = f"exit 1: ValueError in {'deep/' * 80}parser.py: {'value ' * 200}"


@pytest.mark.parametrize("before", [5, 100, 10**9])
@pytest.mark.parametrize(
    "failures",
    [
        None,
        ("KeyError", "KeyError"),
        (LONG_FAILURE, LONG_FAILURE),
        (LONG_FAILURE, f"{LONG_FAILURE}: 7"),
        (LONG_FAILURE, LONG_FAILURE[::-1]),
    ],
)
@pytest.mark.parametrize("stopped", [None, "seconds"])
def test_a_brief_result_fits_into_a_message(
    before: int, failures: tuple[str, str] | None, stopped: str | None
) -> None:
    result = reduced(None if stopped else FLAKY, failures=failures, stopped=stopped)
    told = words.brief(result, before)
    assert len(told) <= words.SHORT
    if before > 10:
        assert told.startswith(f"Reduced {before:,} → 10 bytes")
        assert failures is None or failures[0][:20] in told


@pytest.mark.parametrize(
    ("message", "short"),
    [
        ("x" * 200, "x" * 200),
        (f"It is so. {'More of it. ' * 30}", "It is so"),
        (f"It is so: {'more of it ' * 30}", "It is so"),
        (f"{'y' * 300}. More.", f"{'y' * 80}…{'y' * 80}"),
    ],
)
def test_a_long_message_is_shortened_to_its_first_sentence(message: str, short: str) -> None:
    assert words.short(message) == short
    assert len(short) <= words.SHORT
