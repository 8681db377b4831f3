"""The first tries are well-formed, and each outcome that was kept is of one of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from benchmarks.first_tries.__main__ import HERE, Tried, Try, _tried, load, report
from benchmarks.first_tries.inputs import filled

CASES = [load(path) for path in sorted((HERE / "tries").glob("*.toml"))]
CASE = Try("one", "a bug", {}, "boildown reduce a -- cat a | sh", 3, "KeyError")
SUMMARY = "a: 1,234 → 3 bytes, 99.8% smaller, in 21 runs and 3.2 s\n  original: exit 1: KeyError\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_try_names_its_files_and_the_line_after_a_refusal(case: Try) -> None:
    assert "boildown reduce " in case.typed
    assert bool(case.refused) == bool(case.then)
    assert all("@@" not in filled(text) for text in case.files.values())


def test_the_blocks_around_a_bug_are_numbered_through() -> None:
    assert filled("@@ sml 1\nbug\n@@ sml 1\n") == (
        "fun amber0 (x, y) = if x > 0 then x * y else y + 0\nbug\n"
        "fun delta1 (x, y) = if x > 1 then x * y else y + 1\n"
    )


def test_the_outcomes_are_of_tries() -> None:
    kept = json.loads((HERE / "outcomes.json").read_text())
    assert kept.keys() <= {case.name for case in CASES}
    written = (HERE.parent / "FIRST_TRIES.md").read_text()
    assert all(f"\n| {name} | " in written for name in kept)


@pytest.mark.parametrize(
    ("case", "status", "printed", "outcome"),
    [
        (CASE, 0, SUMMARY, "at first"),
        (CASE, 2, "boildown: no\n", "exit 2, no result"),
        (replace(CASE, bytes=2), 0, SUMMARY, "larger than 2 bytes"),
        (replace(CASE, said="IndexError"), 0, SUMMARY, "does not say “IndexError”"),
    ],
)
def test_what_is_printed_at_last_decides(
    case: Try, status: int, printed: str, outcome: str
) -> None:
    tried = _tried(case, "at first", status, printed, 2.04)
    assert tried.outcome == outcome
    if status == 0:
        assert (tried.sizes, tried.runs, tried.seconds) == ((1234, 3), 21, 2.0)


def test_the_report_counts_and_shows_a_pipe_in_a_table() -> None:
    shown = report([CASE], {"one": Tried("one", "at first", (9, 3), 7, 1.6)}, ["two, for b."])
    assert "\n1 of 1 work at first, 0 after one sentence, 0 do not.\n" in shown
    assert (
        "| one | a bug | `boildown reduce a -- cat a \\| sh` | at first | 9 → 3 | 7 | 2 |" in shown
    )
    assert "\nLeft out: two, for b.\n" in shown
