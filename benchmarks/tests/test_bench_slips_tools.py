"""The cases of real tools that slip have the form that their judge relies on."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.slips import tools
from benchmarks.slips.tools import KINDS, Case, Outcome, Place, made_input, report, rows, totals

CASES = tools.cases()
STUB = Case(
    "stub",
    "one status",
    "a stub 1.0",
    "magic",
    "in.txt",
    "boildown reduce in.txt -- sh tool.sh in.txt",
    "@@ sml 2\nmagic\n@@@ lib/words.txt 2 3\n@@@ lib/last.txt\n",
    "magic",
    "no magi",
    "sh tool.sh in.txt | grep -q 'fatal: found'",
    files={"tool.sh": "grep -q magic $1 && echo fatal: found || echo fatal: lost\nexit 3\n"},
)


def stub_place(tmp_path: Path) -> Place:
    return Place(STUB, tmp_path, {"PATH": "/usr/bin:/bin"}, STUB.input)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_names_its_tool_its_command_and_its_judge(case: Case) -> None:
    assert case.typed.startswith(f"boildown reduce {case.file} ")
    assert " -- " in case.typed
    assert case.pip or case.npm or case.deb
    assert all("==" in each for each in (*case.pip, *case.fixed_pip))
    assert all("@" in each for each in (*case.npm, *case.fixed_npm))
    assert all("=" in each for each in case.deb)
    assert bool(case.fixed_pip or case.fixed_npm) == ("$fixed/" in case.judge)
    assert case.file in case.judge
    assert "issue" in case.bug
    assert case.file not in case.files


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_smallest_input_of_a_case_and_its_near_miss_are_small(case: Case) -> None:
    assert 0 < len(case.smallest.encode()) < 100
    assert case.near != case.smallest
    assert len(case.near.encode()) < 100


def test_an_input_is_made_of_ordinary_blocks_and_lines_of_installed_files(tmp_path: Path) -> None:
    packages = tmp_path / "python/lib/python3.11/site-packages/lib"
    packages.mkdir(parents=True)
    (packages / "words.txt").write_text("one\ntwo\nthree\nfour\n")
    (packages / "last.txt").write_text("end\nof it\n")
    assert made_input(STUB.input, tmp_path) == (
        "fun amber0 (x, y) = if x > 0 then x * y else y + 0\n"
        "fun delta1 (x, y) = if x > 1 then x * y else y + 1\n"
        "magic\ntwo\nthree\nend\nof it\n"
    )


def test_a_judge_tells_the_bug_from_another_failure(tmp_path: Path) -> None:
    place = stub_place(tmp_path)
    assert place.shows("some magic here")
    assert not place.shows("none")
    assert not list(tmp_path.iterdir())


def test_a_check_prints_whether_the_judge_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = stub_place(tmp_path)
    monkeypatch.setattr(tools, "place", lambda case: replace(place, case=case))
    assert tools.check(STUB)
    assert not tools.check(replace(STUB, near="magic, too"))
    right, wrong = capsys.readouterr().out.splitlines()
    assert right.startswith("stub: right, ")
    assert wrong.endswith("[True, True, True]")


def test_slips_are_counted_by_whether_a_doubt_is_named() -> None:
    outcomes = {
        each.name: each
        for each in (
            Outcome("a", 20, 4, 9, same=True),
            Outcome("b", 20, 4, 9),
            Outcome("c", 20, 4, 9, doubts="weak"),
            Outcome("d", 20, problem="exit 2: boildown: no"),
        )
    }
    assert totals(outcomes, 24) == (
        "4 of 24 cases were measured. Slips without a named doubt: 1; with one: 1. "
        "Same bug: 1; no result: 1."
    )


def test_the_report_shows_what_was_not_measured() -> None:
    other = replace(STUB, name="other", typed="boildown reduce in.txt -- sh -c 'a | b'")
    outcome = Outcome("other", 2000, 4, 1234, doubts="weak")
    assert rows([STUB, other], {"other": outcome}) == [
        ("other", "one status", "`boildown reduce in.txt -- sh -c 'a \\| b'`", "2,000 → 4", 5,
         "1,234", "no", "weak"),
    ]  # fmt: skip
    shown = report([STUB, other], {}, {"other": outcome}, ["stub, for sh is not installed."])
    assert "\nNot measured: stub.\n" in shown
    assert "\nLeft out: stub, for sh is not installed.\n" in shown
    assert "\nNothing was measured yet.\n" in shown


def test_there_are_24_cases_of_the_kinds_that_slip_most() -> None:
    found = Counter(case.kind for case in CASES)
    assert found == dict(zip(KINDS, (6, 6, 4, 8), strict=True))


def test_the_outcomes_before_are_of_cases() -> None:
    before = tools.HERE / "tools_before.json"
    kept = json.loads(before.read_text()) if before.exists() else {}
    assert kept.keys() <= {case.name for case in CASES}
