"""Runs that the clock ended though they were given no time: they are repeated, within limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome
from boildown.runner.command import parse_rule
from boildown.runner.judging.judge import Expected, is_suspect, is_to_repeat
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from runner.commands import needs_linux, shell

ONCE = "[ -e mark ] || {{ touch mark; {}; }}; exit 3"
"""Does something in its first run only."""
FREEZES = {
    "the run": "kill -STOP $$",
    "a process of the run": "sh -c 'kill -STOP $$'",
}
FROZEN = Run(None, timed_out=True, seconds=1.0, withheld=0.5)


@needs_linux
@pytest.mark.parametrize("freeze", FREEZES.values(), ids=list(FREEZES))
def test_a_frozen_run_is_repeated_before_it_counts(tmp_path: Path, freeze: str) -> None:
    with Runner(shell(ONCE.format(freeze), tmp_path)) as runner:
        verdict, run = runner.verdict("x", Expected("exit 3", timeout=1.0))
        assert (verdict.outcome, run.status) == (Outcome.REPRODUCED, 3)
        assert (verdict.runs, verdict.repeated) == (2, 1)
        assert (runner.runs, runner.repeated) == (2, 1)


@needs_linux
def test_a_frozen_run_is_no_hang_either(tmp_path: Path) -> None:
    command = shell(ONCE.format("kill -STOP $$"), tmp_path, reproduces=parse_rule("timeout"))
    with Runner(command) as runner:
        verdict, _ = runner.verdict("x", Expected("timeout", timeout=1.0))
        assert (verdict.outcome, verdict.repeated) == (Outcome.PASSED, 1)


@needs_linux
def test_a_run_that_freezes_each_time_times_out(tmp_path: Path) -> None:
    with Runner(shell("kill -STOP $$", tmp_path)) as runner:
        verdict, _ = runner.verdict("x", Expected("exit 3", timeout=0.4))
        assert (verdict.outcome, verdict.runs, verdict.repeated) == (Outcome.TIMEOUT, 3, 2)


def test_what_makes_a_timeout_suspect() -> None:
    def late(cpu: float = 0.0, delayed: float = 0.0) -> bool:
        return is_suspect(Run(None, timed_out=True, seconds=1.0, cpu=cpu, delayed=delayed))

    assert is_suspect(FROZEN)
    # A program that sleeps, and one that was given most of the time.
    assert not late()
    assert not late(cpu=0.9, delayed=0.1)
    assert late(cpu=0.2, delayed=0.8)
    # One with so many threads that they are in each other's way.
    assert not late(cpu=1.9, delayed=0.6)
    assert not is_suspect(Run(3, seconds=1.0, withheld=0.5))


def test_repeats_are_few_on_a_machine_that_is_always_overloaded() -> None:
    assert is_to_repeat(FROZEN, repeats=0, repeated=9, runs=20)
    assert not is_to_repeat(FROZEN, repeats=0, repeated=10, runs=20)
    assert is_to_repeat(FROZEN, repeats=1, repeated=49, runs=1000)
    assert not is_to_repeat(FROZEN, repeats=1, repeated=50, runs=1000)
    assert not is_to_repeat(FROZEN, repeats=2, repeated=2, runs=1000)
