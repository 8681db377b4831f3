"""Verdicts: from rules, from signatures, and from several runs of a flaky failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.command import Compare, Level, TestCommand, parse_rule
from boildown.runner.guardian.messages import UNUSABLE_STATUS
from boildown.runner.judging.judge import (
    MARGIN,
    Expected,
    decide,
    described,
    differ_in_value,
    expected_of,
    judge_run,
    signature_of,
    takes_other,
)
from boildown.runner.preflight.diagnosis import margin_notes
from boildown.runner.run import Run

SAME = Run(status=1)
OTHER = Run(status=3)
FINE = Run(status=0)
LATE = Run(status=None, timed_out=True)
NO_PYTEST = "/usr/bin/python: No module named pytest\n"
KILLED = Run(status=None, limit="memory")


DIFFERS = "exit 0, with other output"


def command(*argv: str, **options: object) -> TestCommand:
    return TestCommand(argv or ("tool",), Path("/"), "crash", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("test", "run", "outcome", "seen"),
    [
        (command(), SAME, Outcome.REPRODUCED, "exit 1"),
        (command(), OTHER, Outcome.PASSED, "exit 3"),
        (command(), FINE, Outcome.PASSED, ""),
        (command(), LATE, Outcome.TIMEOUT, "timeout"),
        (command(), KILLED, Outcome.PASSED, "memory limit"),
        (command(interesting=True), FINE, Outcome.REPRODUCED, ""),
        (command(interesting=True), SAME, Outcome.PASSED, ""),
        (command(interesting=True), LATE, Outcome.TIMEOUT, ""),
        (command(invalid=parse_rule("exit=1,3")), SAME, Outcome.INVALID, "exit 1"),
        (command(invalid=parse_rule("timeout")), LATE, Outcome.INVALID, "timeout"),
        (command(invalid=parse_rule("exit=3")), SAME, Outcome.REPRODUCED, "exit 1"),
        (command(reproduces=parse_rule("exit=3")), OTHER, Outcome.REPRODUCED, "exit 3"),
        (command(reproduces=parse_rule("exit=3")), SAME, Outcome.PASSED, "exit 1"),
        (command(reproduces=parse_rule("timeout")), LATE, Outcome.REPRODUCED, "timeout"),
        (command("pytest"), SAME, Outcome.REPRODUCED, "exit 1"),
        (command("python3", "-m", "pytest"), Run(status=4), Outcome.INVALID, "exit 4"),
        (command("pytest"), Run(status=2), Outcome.INVALID, "exit 2"),
        (command("pytest"), Run(status=5), Outcome.INVALID, "exit 5"),
        (command("pytest"), replace(SAME, stderr=NO_PYTEST), Outcome.INVALID, "exit 1"),
        (command("pytest"), replace(OTHER, stderr=NO_PYTEST), Outcome.PASSED, "exit 3"),
        (command("tool"), replace(SAME, stderr=NO_PYTEST), Outcome.REPRODUCED, "exit 1"),
        # What the user says of runs comes before what is known of pytest.
        (command("pytest", interesting=True), Run(status=4), Outcome.PASSED, ""),
        (
            command("pytest", reproduces=parse_rule("exit=4")),
            Run(status=4),
            Outcome.REPRODUCED,
            "exit 4",
        ),
        (
            command(reproduces=parse_rule("exit=3"), invalid=parse_rule("exit=3")),
            OTHER,
            Outcome.INVALID,
            "exit 3",
        ),
        (command("python", "x.py", "pytest"), Run(status=5), Outcome.PASSED, "exit 5"),
        (command("pytest"), Run(status=2, stdout="FAILED a\n"), Outcome.PASSED, "exit 2: failed"),
        (command(predicate="a:b"), Run(status=UNUSABLE_STATUS), Outcome.INVALID, "exit 78"),
        (command(), Run(status=UNUSABLE_STATUS), Outcome.PASSED, "exit 78"),
        (command(predicate="a:b"), SAME, Outcome.REPRODUCED, "exit 1"),
        # The quick command says nothing of the test command.
        (command(), replace(SAME, turned_down=True), Outcome.INVALID, ""),
        (command(), replace(LATE, turned_down=True), Outcome.TIMEOUT, ""),
    ],
)
def test_verdicts(test: TestCommand, run: Run, outcome: Outcome, seen: str) -> None:
    assert judge_run(test, run, Expected("exit 1")) == Verdict(outcome, seen)


def unequal(value: int, shown: str = "") -> Run:
    """Return a run in which a test expected 1, with what pytest shows of its values."""
    trace = f"Traceback (most recent call last):\nAssertionError: {value} != 1\n"
    return Run(1, stdout=shown, stderr=trace)


ERROR = Run(1, stderr="Traceback (most recent call last):\nKeyError: 'a'\n")
BY_END = command(good=("old",))
IN_A_SCRIPT = replace(BY_END, interesting=True)
BY_OUTPUT = command(good=("old",), compare=Compare.OUTPUT)


@pytest.mark.parametrize(
    ("test", "run", "other", "outcome", "seen"),
    [
        (BY_END, SAME, FINE, Outcome.REPRODUCED, "exit 1"),
        (BY_END, SAME, OTHER, Outcome.PASSED, "exit 1; the other command: exit 3"),
        (BY_END, SAME, LATE, Outcome.TIMEOUT, "exit 1"),
        (BY_END, SAME, ERROR, Outcome.PASSED, "exit 1; the other command: exit 1: KeyError"),
        (IN_A_SCRIPT, FINE, OTHER, Outcome.PASSED, "the other command: exit 3"),
        (BY_OUTPUT, SAME, FINE, Outcome.PASSED, "exit 1 instead of exit 0"),
        (BY_OUTPUT, replace(FINE, stdout="a"), FINE, Outcome.REPRODUCED, DIFFERS),
        (BY_OUTPUT, replace(SAME, stdout="a"), SAME, Outcome.PASSED, "exit 1, with other output"),
        (BY_OUTPUT, FINE, FINE, Outcome.PASSED, ""),
        (BY_OUTPUT, SAME, SAME, Outcome.PASSED, "exit 1 with both commands"),
        (BY_OUTPUT, ERROR, ERROR, Outcome.PASSED, "exit 1: KeyError with both commands"),
        (BY_OUTPUT, FINE, LATE, Outcome.TIMEOUT, "exit 0 instead of timeout"),
        # By a rule any difference counts, but there must be one.
        (replace(BY_OUTPUT, reproduces=parse_rule("exit=1")), SAME, FINE, Outcome.REPRODUCED, None),
        (replace(BY_OUTPUT, reproduces=parse_rule("exit=1")), SAME, SAME, Outcome.PASSED, None),
    ],
)
def test_verdicts_beside_another_version(
    test: TestCommand, run: Run, other: Run, outcome: Outcome, seen: str | None
) -> None:
    verdict = judge_run(test, replace(run, other=other), Expected(DIFFERS))
    assert verdict.outcome is outcome
    assert seen in (None, verdict.signature)


@pytest.mark.parametrize(
    ("test", "run", "expected", "takes"),
    [
        (command(), SAME, Expected("exit 1"), False),
        (BY_END, SAME, Expected("exit 1"), True),
        (BY_END, SAME, Expected("exit 3"), False),
        (BY_END, replace(SAME, turned_down=True), None, False),
        # Where nothing is expected yet, any failure is compared.
        (BY_END, SAME, None, True),
        (BY_END, FINE, None, False),
        (BY_END, LATE, None, False),
        (BY_END, replace(ERROR, status=3), Expected("exit 3", level=Level.EXIT), True),
        (BY_END, replace(ERROR, status=3), Expected("exit 3", level=Level.ERROR), False),
        (replace(BY_END, invalid=parse_rule("exit=1")), SAME, None, False),
        (BY_OUTPUT, FINE, Expected(DIFFERS), True),
        (BY_OUTPUT, LATE, Expected(DIFFERS), False),
    ],
)
def test_which_runs_are_compared_with_another_version(
    test: TestCommand, run: Run, expected: Expected | None, takes: bool
) -> None:
    assert takes_other(test, run, expected) is takes


def test_a_good_version_may_expect_another_value_for_another_input() -> None:
    for run, other, differs in (
        (unequal(2), unequal(3), True),
        (unequal(2), unequal(2), False),
        (unequal(2, "E  +2\n-1\n"), unequal(2, "E  +2\n-3\n"), False),
        (unequal(2, "E  +2\n"), unequal(2, "E  +3\n"), True),
        (unequal(2), ERROR, False),
        (ERROR, unequal(2), False),
    ):
        assert differ_in_value(run, other) is differs
        outcome = Outcome.REPRODUCED if differs else Outcome.PASSED
        expected = expected_of(BY_END, run, frozenset())
        assert judge_run(BY_END, replace(run, other=other), expected).outcome is outcome


def test_of_a_difference_a_person_sees_the_lines_that_differ() -> None:
    run = Run(0, stdout="one\ntwo 3\n", other=Run(0, stdout="one\ntwo 14\n"))
    assert described(BY_OUTPUT, run) == "exit 0, with other output: 'two 3' instead of 'two 14'"
    assert signature_of(BY_OUTPUT, run) == DIFFERS
    assert signature_of(BY_OUTPUT, run, level=Level.MESSAGE) == f"{DIFFERS}: '3' instead of '14'"
    assert signature_of(BY_END, run) == ""
    assert described(BY_END, replace(SAME, other=OTHER)) == "exit 1"
    assert described(BY_OUTPUT, SAME) == "exit 1"
    slow = command(reproduces=parse_rule("seconds>2"))
    assert described(slow, Run(0, cpu=2.3)) == "exit 0, 2.30 s of processor time"


def test_a_candidate_must_be_beyond_a_limit_by_a_tenth() -> None:
    slow = command(reproduces=parse_rule("seconds>2"))
    near, beyond = Run(status=0, cpu=2.1), Run(status=0, cpu=2.3)
    for run, margin, outcome in (
        (near, 0.0, Outcome.REPRODUCED),
        (near, MARGIN, Outcome.PASSED),
        (beyond, MARGIN, Outcome.REPRODUCED),
    ):
        assert judge_run(slow, run, Expected(margin=margin)).outcome is outcome
    told = "What a run uses varies, so a candidate must be beyond the limit by a tenth"
    assert margin_notes(slow, beyond) == [(f"{told}.",)]
    assert margin_notes(slow, near) == [
        (
            f"{told}. The input itself used too little for that, 2.10 s of processor time; give a"
            " lower limit.",
        )
    ]
    assert margin_notes(command(reproduces=parse_rule("exit=1")), near) == []


HIT = Verdict(Outcome.REPRODUCED, "exit 1")
MISS = Verdict(Outcome.PASSED)


def test_one_run_decides_unless_the_failure_is_flaky() -> None:
    assert decide([HIT], Expected("exit 1")) == HIT
    assert decide([MISS], Expected("exit 1")) == MISS


def test_an_invalid_candidate_needs_no_second_run() -> None:
    invalid = Verdict(Outcome.INVALID)
    assert decide([HIT, invalid], Expected("exit 1", rate=0.3)) == invalid


@pytest.mark.parametrize(("rate", "hits", "misses"), [(0.3, 3, 12), (0.5, 3, 6), (0.95, 3, 2)])
def test_how_many_runs_decide(rate: float, hits: int, misses: int) -> None:
    expected = Expected("exit 1", rate=rate)
    assert decide([HIT] * (hits - 1), expected) is None
    assert decide([HIT] * hits, expected) == HIT
    assert decide([MISS] * (misses - 1), expected) is None
    assert decide([MISS] * misses, expected) == MISS


def test_after_many_runs_the_likelier_answer_is_taken() -> None:
    expected = Expected("exit 1", rate=0.5)
    assert decide([HIT] * 31 + [MISS] * 68, expected) is None
    assert decide([HIT] * 32 + [MISS] * 68, expected) == HIT
    assert decide([HIT] * 31 + [MISS] * 69, expected) == MISS


@pytest.mark.parametrize("rate", [0.3, 0.7])
@pytest.mark.parametrize("factor", [1.0, 1 / 3])
def test_mistakes_are_as_rare_as_promised(rate: float, factor: float) -> None:
    rng = Random(1)
    expected = Expected("exit 1", rate=rate)
    wrong = 0
    for _ in range(2000):
        seen: list[Verdict] = []
        verdict = None
        while verdict is None:
            seen.append(HIT if rng.random() < rate * factor else MISS)
            verdict = decide(seen, expected)
        wrong += verdict.reproduced is not (factor == 1.0)
    assert wrong / 2000 < 0.06


def test_the_failure_of_a_run_is_what_others_are_compared_with() -> None:
    expected = expected_of(command(), SAME, words := frozenset({"word"}), 2.5, Level.EXIT)
    assert expected == Expected("exit 1", 2.5, words=words, level=Level.EXIT)


UBSAN = "tool.c:3: runtime error: signed integer overflow: 1 + 2147483647 cannot be represented\n"


def test_where_the_source_is_missing_the_number_of_a_line_stands_for_its_text(
    tmp_path: Path,
) -> None:
    (tmp_path / "tool.c").write_text("\n\nsum += each;\n")
    here = TestCommand(("tool",), tmp_path, "crash")
    expected = expected_of(here, Run(status=1, stderr=UBSAN), frozenset())
    assert "tool.c: `sum += each;`" in expected.signature
    assert "tool.c:3:" in expected.numbered
    elsewhere = TestCommand(("tool",), tmp_path / "shipped", "crash")
    for command in (here, elsewhere):
        run = Run(status=1, stderr=UBSAN.replace("1 +", "17 +"))
        assert judge_run(command, run, expected).reproduced
        run = Run(status=1, stderr=UBSAN.replace(":3:", ":2:"))
        assert judge_run(command, run, expected).outcome is Outcome.PASSED


def test_a_person_sees_the_whole_message_in_one_line() -> None:
    run = Run(status=1, stderr=f"{UBSAN}{'more ' * 100}")
    assert described(command(), run) == (
        "exit 1: UndefinedBehaviorSanitizer: signed integer overflow in tool.c:3: "
        "signed integer overflow: 1 + 2147483647 cannot be represented"
    )
    assert len(described(command(), Run(status=1, stderr=UBSAN.replace("1 +", "1" * 999)))) == 200
