"""The subjects of the benchmark of fragile failures have the form that its judge relies on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.fragile.__main__ import HERE, SUBJECTS, Outcome, Place, _load, rows, totals
from benchmarks.fragile.laws import PROGRAMS, rate
from benchmarks.fragile.made import MADE
from benchmarks.fragile.real import REAL
from benchmarks.fragile.simulated import is_drawn, simulate
from benchmarks.fragile.subject import Subject

from boildown.jobs.work import JobOptions


def name(subject: Subject) -> str:
    return subject.name


def test_ten_subjects_are_real_and_twenty_are_made() -> None:
    assert (len(REAL), len(MADE)) == (10, 20)
    assert len({each.name for each in SUBJECTS}) == 30


@pytest.mark.parametrize("subject", SUBJECTS, ids=name)
def test_a_subject_has_an_original_that_its_best_text_is_much_smaller_than(
    subject: Subject,
) -> None:
    assert subject.command[-1] == subject.file
    assert "@@" not in subject.text
    assert len(subject.text) > 3 * len(subject.best)


@pytest.mark.parametrize("subject", REAL, ids=name)
def test_a_real_subject_says_how_it_fails(subject: Subject) -> None:
    assert subject.shows
    assert re.search(subject.shows, "exit 0\n") is None


@pytest.mark.parametrize("subject", MADE, ids=name)
def test_a_made_subject_is_reliable_at_its_best_and_at_no_smaller_part_of_it(
    subject: Subject,
) -> None:
    original = rate(subject.name, subject.text)
    assert original > 0
    assert rate(subject.name, "") == 0
    assert rate(subject.name, subject.best) >= 0.99 * original
    for at in range(len(subject.best)):
        part = subject.best[:at] + subject.best[at + 1 :]
        assert rate(subject.name, part) < 0.99 * original


@pytest.mark.parametrize("subject", MADE, ids=name)
def test_a_made_program_fails_on_its_original_at_the_rate_of_its_law(
    subject: Subject, tmp_path: Path
) -> None:
    """Ten draws of one seed, or a failure that is sure."""
    (tmp_path / subject.file).write_text(subject.text)
    for file, content in subject.files.items():
        (tmp_path / file).write_text(content)
    environment = {
        **os.environ,
        "FRAGILE_SEED": "1",
        "FRAGILE_COUNT": str(tmp_path / "count"),
    }
    command = Place(subject, tmp_path, environment).command
    sure = rate(subject.name, subject.text) > 0.999
    failures = set()
    for _ in range(1 if sure else 10):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert ("SystemError" in done.stderr) == bool(done.returncode)
        failures.add(done.returncode)
    assert 1 in failures


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_that_draws_no_number_is_sure_to_fail_on_its_original(program: str) -> None:
    [text] = [each.text for each in MADE if each.name == program]
    assert rate(program, text) == pytest.approx(1, abs=1e-6)
    assert PROGRAMS[program](text)


def test_the_draws_of_a_seed_are_the_same_each_time(tmp_path: Path) -> None:
    [half] = [each for each in MADE if each.name == "fixed-half"]
    (tmp_path / half.file).write_text(half.best)
    (tmp_path / "laws.py").write_text(half.files["laws.py"])

    def drawn(count: str) -> list[int]:
        environment = {**os.environ, "FRAGILE_SEED": "7", "FRAGILE_COUNT": str(tmp_path / count)}
        command = [sys.executable, "-S", "laws.py", half.name, half.file]
        return [
            subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True).returncode
            for _ in range(12)
        ]

    assert drawn("one") == drawn("two")
    assert set(drawn("three")) == {0, 1}


def test_a_result_that_fails_less_often_is_not_counted_as_small() -> None:
    [sharp] = [each for each in MADE if each.name == "depth-sharp"]
    best = len(sharp.best)
    outcomes = {sharp.name: Outcome(sharp.name, 1.0, 0.85, 2342, best, 500)}
    told = totals(SUBJECTS, outcomes)
    assert told.startswith("Of 1 subjects (29 of 30 were not measured), 0 results fail at 95%")
    assert "0 do the former" in totals(SUBJECTS, outcomes)
    outcomes = {sharp.name: Outcome(sharp.name, 1.0, 0.96, 2342, best, 500)}
    assert "1 results fail at 95%" in totals(SUBJECTS, outcomes)
    assert "0 at 99%; 1 do the former" in totals(SUBJECTS, outcomes)
    [row] = rows(SUBJECTS, outcomes)
    assert row[4] == "96.0%"


def test_the_outcomes_are_of_subjects() -> None:
    written = (HERE.parent / "FRAGILE.md").read_text("utf-8")
    before, now = (_load(HERE / name) for name in ("before.json", "outcomes.json"))
    assert {*before, *now} <= {each.name for each in SUBJECTS}
    for outcome in (*before.values(), *now.values()):
        assert f"\n| {outcome.name} | " in written


def test_a_simulated_job_draws_by_the_law() -> None:
    subject = next(each for each in MADE if each.name == "fixed-half")
    done, text = simulate(subject, 1, JobOptions(max_runs=2_000, fresh=True))
    assert done["bytes_after"] < len(subject.text) / 10
    assert done["flaky"] is not None
    assert rate(subject.name, text) == 0.5


def test_only_what_draws_numbers_anew_is_simulated() -> None:
    """The size of the environment is the same in all runs that are not varied."""
    kept = {each.name for each in SUBJECTS if not is_drawn(each)}
    assert kept == {"environment-page", "environment-alignment", *(each.name for each in REAL)}
