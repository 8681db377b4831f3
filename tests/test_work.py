"""What all jobs are made of."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.engine.language import LONGEST_PARSED
from boildown.engine.oracle import Outcome, Stop, Verdict
from boildown.jobs.advice import for_terminal
from boildown.jobs.events import Event, Note, Progress, size
from boildown.jobs.generalize import LAW_RUNS, GeneralizeOptions, with_affordable_law
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions, prepared, trivial
from boildown.languages import load_language
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.judging.others import MOST_CHARACTERS, Others
from boildown.runner.run import Measured
from boildown.runner.runner import Runner


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestCommand:
    """Fails on "x", fails differently on "y"."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tool").write_text(
        "#!/bin/sh\ngrep -q x $1 && exit 1\ngrep -q y $1 && exit 2\nexit 0\n"
    )
    (tmp_path / "tool").chmod(0o755)
    return from_argv(["./tool", "crash.txt"], Path("crash.txt"), tmp_path, repeat=1)


def test_a_job_counts_what_it_ran_and_keeps_what_it_met(command: TestCommand) -> None:
    events: list[Event] = []
    work = prepared("xyz", command, None, events.append, lambda: False)
    with Runner(command, 1, work.limits.over) as runner:
        start = work.begin(runner)
        assert start.expected.signature == "exit 1"
        for attempt in (1, 2):
            with work.oracle(runner, start, "reduce") as (oracle, saved):
                assert saved.known == (5 if attempt == 2 else 1), saved.known
                outcomes = [verdict.outcome for verdict in oracle(["x", "yz", "y", "z"])]
            assert outcomes == [Outcome.REPRODUCED, *[Outcome.PASSED] * 3]
    # The second time all answers came from the record of the first.
    assert work.count.runs == 4
    assert work.outcomes == {Outcome.REPRODUCED: 2, Outcome.PASSED: 6}
    assert work.others == {"exit 2": "y"}
    assert work.notes == [event.text for event in events if isinstance(event, Note)]
    assert for_terminal(work.notes[-1]).startswith(
        "This job was cut short before and goes on from there: 4 "
    )
    last = [event for event in events if isinstance(event, Progress)][-1]
    assert (last.runs, last.before, last.after, last.text) == (8, 3, 3, "xyz")


def test_a_resumed_job_decides_by_what_was_measured_first(command: TestCommand) -> None:
    first, later = Measured(0.01, 0.01, 3.0), Measured(50.0, 60.0, 9.0)
    for measured in (first, later):
        work = prepared("x", command, None, lambda _event: None, lambda: False)
        with Runner(command, 1, work.limits.over) as runner:
            start = work.begin(runner)
            start = replace(start, measured=measured)
            with work.oracle(runner, start, "reduce") as (oracle, _saved):
                list(oracle(["x"]))
                how = with_affordable_law(GeneralizeOptions(law_runs=None), work)
        assert work.measured == first
        assert work.expected(start).timeout == 3.0
        assert how.law_runs == LAW_RUNS


def test_why_a_job_ended_early_is_told_unless_it_was_asked_to(command: TestCommand) -> None:
    asked = False
    work = prepared("x", command, None, lambda _event: None, lambda: asked)
    with Runner(command, 1, work.limits.over) as runner:
        start = work.begin(runner)
        with work.oracle(runner, start, "reduce") as (oracle, _):
            verdicts = oracle(["x", "xx"])
            assert next(verdicts).reproduced
            (command.cwd / "tool").unlink()
            with pytest.raises(Stop):
                next(verdicts)
    assert for_terminal(work.notes[-1]).startswith("It ended early: ")
    noted = len(work.notes)
    shutil.copy("/bin/sh", command.cwd / "tool")
    with (
        Runner(command, 1, work.limits.over) as runner,
        work.oracle(runner, start, "reduce", afresh=True) as (oracle, _),
    ):
        asked = True
        with pytest.raises(Stop):
            next(oracle(["x"]))
    assert len(work.notes) == noted


def test_the_shortest_valid_text() -> None:
    json, plain = load_language("json"), load_language("plain")
    assert trivial(json, "[1, 2]") == ("0", ())
    assert trivial(json, "0") == (None, ())
    assert trivial(plain, "a b c") == (None, ())
    assert trivial(json, f'["{"x" * LONGEST_PARSED}"') == ("0", ())


def test_long_texts_of_other_failures_are_not_piled_up() -> None:
    others = Others("KeyError")
    for number in range(10):
        others.see("x" * (MOST_CHARACTERS // 3), Verdict(Outcome.PASSED, f"Error{number}"))
    assert list(others.found) == ["Error0", "Error1", "Error2"]
    others.see("x", Verdict(Outcome.PASSED, "Error2"))
    assert others.found["Error2"] == "x"


def test_sizes_are_those_of_the_bytes_that_are_written() -> None:
    assert [size(text) for text in ("ab", "é", "\udcff", "\ud800")] == [2, 2, 1, 3]


def test_progress_tells_the_failures_and_how_many_runs_a_sweep_has_left(
    command: TestCommand,
) -> None:
    events: list[Event] = []
    options = JobOptions("plain", passes=("tokens",), jobs=1, fresh=True)
    reduce("a x b", command, options, events.append)
    told = [each for each in events if isinstance(each, Progress)]
    assert {each.failures for each in told} == {None, ("exit 1", "exit 1")}
    left = [each.runs_left for each in told if each.phase == "tokens"]
    assert (left[0], left[-1]) == (3, 0)
    assert left == sorted(left, key=lambda number: -(number or 0))
    assert [each.runs_left for each in told if each.phase == "verify"] == [None]
