"""Compares Boildown with the Debugging Book's DDSet on small programs: test calls per pattern."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.book_subjects import SUBJECTS

from boildown import generalize

TRIES = 100
"""Trials per hole."""
SEEDS = 3
INPUTS = 200


def compare(python: Path) -> list[dict[str, Any]]:
    """Return a row for each subject and tool; `python` is one that has `debuggingbook`."""
    script = Path(__file__).with_name("book_runs.py")
    command = [str(python), str(script), str(TRIES), str(SEEDS), str(INPUTS)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    theirs = json.loads(ran.stdout.splitlines()[-1])
    rows = []
    for name in SUBJECTS:
        rows.append(_row(name, "debuggingbook", theirs[name]))
        rows.append(_row(name, "auto", [_run(name, seed) for seed in range(SEEDS)]))
    return rows


def _run(name: str, seed: int) -> dict[str, Any]:
    grammar, text, program = SUBJECTS[name]
    asked: list[str] = []

    def test(value: str) -> bool:
        asked.append(value)
        return fails(program, value)

    pattern = generalize(text, test, grammar, samples=TRIES, seed=seed, reduce_first=False)
    rng = Random(f"{seed} inputs")
    failed = sum(fails(program, pattern.sample(rng)) for _ in range(INPUTS))
    # The first call, on the text itself, is not counted, as the book does not make it.
    return {"pattern": str(pattern), "calls": len(asked) - 1, "failed": failed}


def fails(program: Callable[[str], None], text: str) -> bool:
    """Say whether a program fails on a text."""
    try:
        program(text)
    except AssertionError:
        return True
    return False


def _row(name: str, tool: str, runs: list[dict[str, Any]]) -> dict[str, Any]:
    holes = [len(re.findall(r"<[a-z]", run["pattern"])) for run in runs]
    return {
        "subject": name,
        "by": tool,
        "holes": f"{min(holes)}-{max(holes)}" if len(set(holes)) > 1 else str(holes[0]),
        "calls": round(statistics.mean(run["calls"] for run in runs)),
        "fail": f"{statistics.mean(run['failed'] for run in runs) / INPUTS:.1%}",
        "pattern": runs[0]["pattern"],
    }


def missed(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the subjects of three holes or more that take more than half of the book's calls."""
    for book in rows:
        if book["by"] != "debuggingbook":
            continue
        own = next(r for r in rows if r["by"] == "auto" and r["subject"] == book["subject"])
        if int(own["holes"].split("-")[0]) >= 3 and own["calls"] > book["calls"] / 2:
            yield own["subject"]
