"""Verdicts: from rules, from signatures, and from several runs of a flaky failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.command import TestCommand, parse_rule
from boildown.runner.guardian.messages import UNUSABLE_STATUS
from boildown.runner.judging.judge import (
    MARGIN,
    Expected,
    decide,
    described,
    expected_of,
    judge_run,
)
from boildown.runner.preflight.diagnosis import margin_notes
from boildown.runner.run import Run

SAME = Run(status=1)
OTHER = Run(status=3)
FINE = Run(status=0)
LATE = Run(status=None, timed_out=True)
KILLED = Run(status=None, limit="memory")


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
        (command(reproduces=parse_rule("exit=3")), OTHER, Outcome.REPRODUCED, "exit 3"),
        (command(reproduces=parse_rule("exit=3")), SAME, Outcome.PASSED, "exit 1"),
        (command(reproduces=parse_rule("timeout")), LATE, Outcome.REPRODUCED, "timeout"),
        (command("pytest"), SAME, Outcome.REPRODUCED, "exit 1"),
        (command("python3", "-m", "pytest"), Run(status=4), Outcome.INVALID, "exit 4"),
        (command("pytest"), Run(status=2), Outcome.INVALID, "exit 2"),
        (command("python", "x.py", "pytest"), Run(status=5), Outcome.PASSED, "exit 5"),
        (command("pytest"), Run(status=2, stdout="FAILED a\n"), Outcome.PASSED, "exit 2: failed"),
        (command(predicate="a:b"), Run(status=UNUSABLE_STATUS), Outcome.INVALID, "exit 78"),
        (command(predicate="a:b"), SAME, Outcome.REPRODUCED, "exit 1"),
        # The quick command says nothing of the test command.
        (command(), replace(SAME, turned_down=True), Outcome.INVALID, ""),
        (command(), replace(LATE, turned_down=True), Outcome.TIMEOUT, ""),
    ],
)
def test_verdicts(test: TestCommand, run: Run, outcome: Outcome, seen: str) -> None:
    assert judge_run(test, run, Expected("exit 1")) == Verdict(outcome, seen)


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
