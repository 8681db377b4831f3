"""The large cases: their data, their programs where these are set up, and the table of figures."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import tools
from benchmarks.bugs import HERE, Case, large_cases, reproduces
from benchmarks.large import details, problem, summary
from benchmarks.measured import Measured
from benchmarks.standings import Standing
from benchmarks.tools import Commands, Place, measure

CASES = {case.name: case for case in large_cases()}
MADE = [name for name, case in CASES.items() if (case.oracle.parent / "make_input.py").exists()]


def test_there_are_cases_of_each_kind() -> None:
    assert len(CASES) >= 10
    kinds = {case.kind for case in CASES.values()}
    assert kinds == {"coupled", "flaky", "one by one", "without grammar"}


@pytest.mark.parametrize("name", CASES)
def test_a_large_case_is_complete(name: str) -> None:
    case = CASES[name]
    files = {path.name for path in case.oracle.parent.iterdir()}
    assert {"case.toml", "setup.sh", "oracle", f"best_known{case.input.suffix}"} <= files
    assert case.oracle.stat().st_mode & 0o111
    assert 0 < case.best_bytes < 300
    assert len(case.digest) == 64
    assert 50_000 <= case.size <= 1_000_000


@pytest.mark.parametrize("name", MADE)
def test_an_input_that_is_made_is_the_one_that_was_frozen(name: str) -> None:
    script = HERE / "cases" / name / "make_input.py"
    made = subprocess.run([sys.executable, "-I", str(script)], capture_output=True, check=True)
    assert len(made.stdout) == CASES[name].size
    assert hashlib.sha256(made.stdout).hexdigest() == CASES[name].digest


@pytest.mark.parametrize("name", CASES)
def test_the_input_and_what_is_best_known_reproduce(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    if not case.input.exists():
        pytest.skip(f"{name} is not set up: sh benchmarks/cases/{name}/setup.sh")
    assert problem(case) == ""
    assert reproduces(case, case.oracle.with_name(f"best_known{case.input.suffix}"))
    empty = tmp_path / case.input.name
    empty.touch()
    assert not reproduces(case, empty)


def case_of(folder: Path, oracle: str, chance: float = 1.0) -> Case:
    """Write a case of 12 bytes with an oracle of one line."""
    (folder / "input.txt").write_text("aaaa\nbxbb\nc\n")
    (folder / "oracle").write_text(f"#!/bin/sh\n{oracle}\n")
    (folder / "oracle").chmod(0o755)
    digest = hashlib.sha256((folder / "input.txt").read_bytes()).hexdigest()
    case = Case("tiny", folder / "input.txt", folder / "oracle", 1, "x", "hand", "coupled")
    return replace(case, digest=digest, chance=chance)


def test_a_case_that_cannot_be_measured_says_why(tmp_path: Path) -> None:
    case = case_of(tmp_path, 'grep -q x "$1"')
    assert problem(case) == ""
    assert problem(replace(case, input=tmp_path / "none")) == "it is not set up"
    assert problem(replace(case, digest="0")) == "its input is not the one that was frozen"
    assert problem(case_of(tmp_path, "exit 1")) == "its program does not fail here"


def test_a_tool_ends_when_it_has_used_up_its_runs(tmp_path: Path) -> None:
    case = case_of(tmp_path, 'sleep 0.2; grep -q x "$1"')
    found = measure("boildown", case, cap=60, runs=2)
    assert found.capped
    assert 2 <= found.oracle_runs < 10
    assert (found.bytes_out, found.text) == (12, case.input.read_text())


@pytest.mark.parametrize(("fails_at", "result"), [(3, 12), (99, None)])
def test_the_test_of_a_flaky_failure_runs_until_it_shows(
    fails_at: int, result: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def once(place: Place) -> Commands:
        return [[str(place.test), str(place.input)]], place.folder / "best"

    count = tmp_path / "count"
    line = f"echo >> {count}; [ $(wc -l < {count}) = {fails_at} ]"
    monkeypatch.setitem(tools.TOOLS, "once", once)
    monkeypatch.setattr(tools, "reproduces", lambda case, file: True)
    case = case_of(tmp_path, line, chance=0.5)
    assert case.tries == 7
    found = measure("once", case, cap=60)
    assert (found.oracle_runs, found.bytes_out) == (min(fails_at, 7), result)


def standing(folder: Path, name: str, kind: str, sizes: tuple[int, int], runs: int) -> Standing:
    """Make up a job of so many runs that a cap ended, beside a peer's."""
    case = replace(case_of(folder, "exit 0"), name=name, kind=kind)

    def row(tool: str, size: int) -> Measured:
        return Measured(name, tool, runs, 1.5, size, size, True, ((1, 12), (80, size)))

    return Standing(case, row("boildown", sizes[0]), (row("peer", sizes[1]),))


def test_the_table_is_told_by_kind_and_says_how_far_the_jobs_came(tmp_path: Path) -> None:
    ranked = [
        standing(tmp_path, "a", "coupled", (2, 4), 1600),
        standing(tmp_path, "b", "coupled", (4, 2), 400),
        standing(tmp_path, "c", "flaky", (1, 4), 100),
    ]
    assert ranked[0].idle == pytest.approx(0.95)
    rows = [row.strip("| ").split(" | ") for row in summary(ranked).splitlines()[2:]]
    assert rows == [
        ["coupled", "2", "1.00", "1.00", "0.50 (of 1)", "1.00", "2.8", "1", "88%"],
        ["flaky", "1", "0.25", "–", "–", "0.25", "1.0", "1", "20%"],
        ["all", "3", "0.63", "1.00 (of 2)", "0.50 (of 1)", "0.63", "2.0", "2", "65%"],
    ]
    second = details(ranked).splitlines()[3].strip("| ").split(" | ")
    then, never = ["4", "2 peer", "**2.00**"], ["–"] * 3
    assert second == ["b", "coupled", "12", *then, *then, *never, *then, "400", "80%", "1", "4.0"]
