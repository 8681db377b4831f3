"""The simulation of many cores."""

from __future__ import annotations

import pytest
from benchmarks.cores import Workers, report, simulated

from boildown.engine.oracle import Outcome


def needs(*needles: str) -> Workers:
    """Return four workers on which the texts that hold all of these reproduce."""

    def judge(text: str) -> Outcome:
        held = all(needle in text for needle in needles)
        return Outcome.REPRODUCED if held else Outcome.PASSED

    return Workers(judge, 4)


def test_workers_run_texts_at_the_same_time() -> None:
    workers = needs("x")
    assert len(list(workers.oracle("abcdefghij"))) == 10
    assert (workers.started, workers.clock) == (10, 3.0)


def test_what_runs_beside_a_success_is_lost() -> None:
    workers = needs("b")
    verdicts = workers.oracle("abcdefghij")
    assert [next(verdicts).reproduced, next(verdicts).reproduced] == [False, True]
    verdicts.close()  # type: ignore[attr-defined]
    # The runs on "e" to "h" began when those on "a" to "d" had ended.
    assert (workers.started, workers.clock) == (8, 1.0)
    assert [each.reproduced for each in workers.oracle("xy")] == [False, False]
    assert (workers.started, workers.clock) == (10, 2.0)


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_the_result_is_that_of_one_worker(jobs: int) -> None:
    text = '{"a": [1, 2, {"b": "needle"}], "c": "other"}'
    judge = needs("needle", "other").judge
    reduction, workers = simulated(text, judge, "crash.json", jobs)
    alone, worker = simulated(text, judge, "crash.json", 1)
    assert (reduction.text, reduction.runs) == (alone.text, alone.runs)
    assert worker.clock == worker.started == alone.runs
    assert (workers.clock < worker.clock) == (jobs > 1)
    assert (workers.started > worker.started) == (jobs > 1)


def test_the_report_names_runs_and_speed() -> None:
    shown = report([("case", [40, 50, 60, 70], [40.0, 20.0, 10.0, 5.0])])
    assert shown.splitlines()[2:] == [
        "| case | 40 | 50 | 2.0 | 60 | 4.0 | 70 | 8.0 |",
        "| geometric mean | – | – | 2.0 | – | 4.0 | – | 8.0 |",
    ]
