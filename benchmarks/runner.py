"""What a run costs: the bare command, through a guardian, and forked from a loaded Python.

`python benchmarks/runner.py [RUNS]` prints milliseconds per run, the median and the best tenth of
so many (default 200; a fifth of it for pytest). Compare the best tenth on a busy machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from boildown.runner.command import TestCommand, from_argv, from_predicate
from boildown.runner.pytest_runs import pytest_argv
from boildown.runner.runner import Runner

PREDICATE = """
import json
def fails(text):
    try:
        json.loads(text)
    except ValueError:
        return True
    return False
"""
TEST = """
import json
def test_it():
    assert json.loads('{"n": 7}')["n"] == 8
"""


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "checks.py").write_text(PREDICATE)
        (folder / "test_it.py").write_text(TEST)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "crash.txt").write_text("{")
        print(f"{'milliseconds per run':34} {'median':>8} {'best 10 %':>10}")
        command = from_argv(["true", "crash.txt"], Path("crash.txt"), folder)
        compare("true", folder, ["true", "crash.txt"], command, runs)
        interpreter = [sys.executable, "-c", "pass"]
        compare(
            "python -c pass",
            folder,
            interpreter,
            from_argv([*interpreter, "crash.txt"], Path("crash.txt"), folder),
            runs,
        )
        predicate = from_predicate("checks:fails", Path("crash.txt"), folder, [sys.executable])
        bare = [*predicate.argv[:-1], "crash.txt"]
        compare("predicate", folder, bare, predicate, runs)
        test = from_argv(
            pytest_argv([sys.executable], "test_it.py::test_it"), Path("test_it.py"), folder
        )
        bare = [part.replace("{file}", "test_it.py") for part in test.argv]
        compare("pytest", folder, bare, test, max(5, runs // 5), TEST)


def compare(
    name: str,
    folder: Path,
    bare: Sequence[str],
    command: TestCommand,
    runs: int,
    text: str = "{",
) -> None:
    """Measure one command in all the ways that it can be run, in turns."""
    with Runner(command) as runner:
        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: bare_run(bare, folder),
            "cold": lambda: runner.run(text, cold=True),
        }
        if runner.warm:
            ways["warm"] = lambda: runner.run(text)
        times: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(runs):
            for way, run in ways.items():
                began = time.perf_counter()
                run()
                times[way].append(1000 * (time.perf_counter() - began))
        assert "warm" not in ways or runner.warm, runner.why_cold
    medians = {way: statistics.median(each[1:]) for way, each in times.items()}
    best = {way: statistics.quantiles(each[1:], n=10)[0] for way, each in times.items()}
    for way in ways:
        more = ""
        if way == "cold":
            more = f"   {best['cold'] - best['bare']:+.1f} over bare"
        elif way == "warm":
            more = f"   {best['cold'] / best['warm']:.1f} times as fast as cold"
        print(f"{name + ', ' + way:34} {medians[way]:8.1f} {best[way]:10.1f}{more}")


def bare_run(argv: Sequence[str], folder: Path) -> None:
    """Run a command as a shell script would, its outputs kept."""
    subprocess.run(
        argv, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, env=os.environ, check=False
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
