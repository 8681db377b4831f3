"""Measures the cost of a run: the bare command, through a guardian, and forked from a worker.

`python -m benchmarks.runner [RUNS]` prints milliseconds per run, the median and the best tenth of
so many (default 200; a fifth of it for pytest), then what a whole reduction costs beside the bare
command with one worker and with two, the processor time from the start of `boildown reduce` to its
first candidate (Linux), and how all of it stands to the goals. Compare the best tenth on a busy
machine.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from boildown.jobs.events import Event, Progress
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
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
SCRIPT = """
import json, sys
try:
    json.loads(open(sys.argv[1]).read())
except ValueError:
    sys.exit(1)
"""
TEST = """
import json
def test_it():
    assert json.loads('{"n": 7}')["n"] == 8
"""
FORKS = """
import json, os, sys, time
from checks import fails
took = []
for body in (lambda: None, lambda: fails("{")):
    for _ in range(int(sys.argv[1])):
        began = time.perf_counter()
        child = os.fork()
        if child == 0:
            body()
            os._exit(0)
        os.waitpid(child, 0)
        took.append(1000 * (time.perf_counter() - began))
print(json.dumps(took))
"""
"""Forks, ends and waits in a Python as small as a guardian: first for nothing, then to call the
predicate. A warm run can't take less than the latter, save for what another processor does."""
STAMPED = """
cut -d' ' -f14,15 "/proc/$STARTED/stat" >> stamps
! grep -q express "$1"
"""
"""A test that notes the processor time of Boildown, in ticks of the kernel, when it is started."""
STARTS = 10
CANDIDATES = 200
"""The most candidates that a reduction judges, to measure its overhead over the command."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds per run."""

    median: float
    best: float
    """Of the fastest tenth, the slowest."""

    @classmethod
    def of(cls, each: Sequence[float]) -> Times:
        """Summarize; the first run is left out."""
        return cls(statistics.median(each[1:]), statistics.quantiles(each[1:], n=10)[0])


def main(runs: int) -> None:
    print(f"{os.cpu_count()} processors, {_load()}\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in [
            ("checks.py", PREDICATE),
            ("script.py", SCRIPT),
            ("test_it.py", TEST),
            ("pytest.ini", "[pytest]\n"),
            ("crash.txt", "{"),
        ]:
            (folder / file).write_text(text)
        print(f"{'milliseconds per run':34} {'median':>8} {'best 10 %':>10}")
        plain = measure(folder, "true", ["true", "crash.txt"], runs)
        start = measure(folder, "python -c pass", [sys.executable, "-c", "pass", "crash.txt"], runs)
        script = measure(
            folder, "python script.py", [sys.executable, "script.py", "crash.txt"], runs
        )
        predicate = from_predicate("checks:fails", Path("crash.txt"), folder, [sys.executable])
        warm = compare("predicate", [*predicate.argv[:-1], "crash.txt"], predicate, runs)
        nothing, called = forks(folder, runs)
        test = from_argv(
            pytest_argv([sys.executable], "test_it.py::test_it"), Path("test_it.py"), folder
        )
        argv = [part.replace("{file}", "test_it.py") for part in test.argv]
        tests = compare("pytest", argv, test, max(5, runs // 5), TEST)
        print()
        alone, together = whole_reductions(folder)
        start_up = first_candidate(folder) if sys.platform == "linux" else None
    print()
    goal("cold overhead over bare, ms", plain["cold"].best - plain["bare"].best, 5, most=True)
    goal("warm pytest, times as fast as cold", tests["cold"].best / tests["warm"].best, 2.5)
    goal("warm predicate, times as fast as cold", warm["cold"].best / warm["warm"].best, 20)
    for name, other in [("that script", script), ("an interpreter's start", start)]:
        bare = other["bare"].best
        print(f"  beside {name}: {bare / warm['warm'].best:.1f} times as fast", end="")
        print(f" (a bare fork: {bare / nothing.best:.1f}, with the call: {bare / called.best:.1f})")
    goal("one worker, time per verdict over the bare command's", alone, 1.15, most=True)
    goal("two workers, times as fast as one", together, 1.6)
    if start_up is not None:
        goal("processor seconds up to the first candidate", start_up, 0.6, most=True)
    print(f"\n{_load()}")


def _load() -> str:
    return "load " + " ".join(f"{load:.1f}" for load in os.getloadavg())


def goal(what: str, value: float, wanted: float, most: bool = False) -> None:
    """Print a figure beside its goal."""
    holds = value <= wanted if most else value >= wanted
    sign = "at most" if most else "at least"
    print(f"{what}: {value:.2f} (goal: {sign} {wanted:g}{'' if holds else '; MISSED'})")


def measure(folder: Path, name: str, argv: Sequence[str], runs: int) -> dict[str, Times]:
    """Measure a command that names the input."""
    return compare(name, argv, from_argv(argv, Path("crash.txt"), folder), runs)


def compare(
    name: str, bare: Sequence[str], command: TestCommand, runs: int, text: str = "{"
) -> dict[str, Times]:
    """Measure one command in all the ways that it can be run, in turns; print the figures."""
    with Runner(command) as runner:
        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: bare_run(bare, command.cwd),
            "cold": lambda: runner.run(text, cold=True),
        }
        if runner.warm:
            ways["warm"] = lambda: runner.run(text)
        times: dict[str, list[float]] = {way: [] for way in ways}
        # Cold runs between warm ones would end the child that waits for the next warm run.
        for group in (("bare", "cold"), ("warm",)):
            for _ in range(runs):
                for way in group:
                    if way in ways:
                        times[way].append(_timed(ways[way]))
        assert "warm" not in ways or runner.warm, runner.why_cold
    found = {way: Times.of(each) for way, each in times.items()}
    for way, took in found.items():
        print(f"{name + ', ' + way:34} {took.median:8.2f} {took.best:10.2f}")
    return found


def forks(folder: Path, runs: int) -> tuple[Times, Times]:
    """Measure a fork that does nothing, and one that calls the predicate; print the figures."""
    # Isolated as a guardian is, but for the folder of the predicate.
    code = f"import sys; sys.path.insert(0, {str(folder)!r}){FORKS}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(runs)],
        capture_output=True,
        check=True,
    )
    each = json.loads(done.stdout)
    found = Times.of(each[:runs]), Times.of(each[runs:])
    for name, took in zip(("a bare fork", "a bare fork, predicate"), found, strict=True):
        print(f"{name:34} {took.median:8.2f} {took.best:10.2f}")
    return found


def whole_reductions(folder: Path) -> tuple[float, float]:
    """Measure reductions by a command of 50 ms that accepts nothing but the original.

    Returns the time from verdict to verdict with one worker over that of the bare command, which
    is run in turns with it, and how many times as many runs per second two workers do.
    """
    text = '{"n": [' + ", ".join(map(str, range(1000, 2000))) + "]}\n"
    for name in ("original.json", "crash.json"):
        (folder / name).write_text(text)
    argv = ["sh", "-c", 'sleep 0.05; cmp -s "$0" original.json', "crash.json"]
    command = from_argv(argv, Path("crash.json"), folder, interesting=True)
    bare: list[float] = []
    one = verdict_times(
        command, text, 1, lambda: bare.append(_timed(lambda: bare_run(argv, folder)))
    )
    two = verdict_times(command, text, 2)
    print(f"{'milliseconds per verdict':34} {'mean':>8} {'best 10 %':>10}")
    for name, each in [("bare command", bare), ("one worker", one), ("two workers", two)]:
        print(f"{name:34} {statistics.mean(each):8.1f} {Times.of(each).best:10.1f}")
    return Times.of(one).best / Times.of(bare).best, statistics.mean(one) / statistics.mean(two)


def verdict_times(
    command: TestCommand, text: str, workers: int, between: Callable[[], None] | None = None
) -> list[float]:
    """Return the milliseconds from verdict to verdict of a reduction that finds nothing.

    `between` is called after every fourth, and its time does not count.
    """
    took: list[float] = []
    last = time.perf_counter()

    def see(event: Event) -> None:
        nonlocal last
        if isinstance(event, Progress) and event.runs > len(took):
            took.append(1000 * (time.perf_counter() - last))
            if between is not None and len(took) % 4 == 0:
                between()
            last = time.perf_counter()

    options = JobOptions(max_runs=CANDIDATES, fresh=True, jobs=workers)
    assert reduce(text, command, options, see).reduction.text == text
    # The preflight came before the first.
    return took[1:]


def first_candidate(folder: Path) -> float:
    """Return the processor seconds that Boildown itself uses up to its first candidate.

    The runs of the preflight are processes of their own and do not count. Of several starts the
    median: the clock of processes has ticks of ten milliseconds.
    """
    orders = [{"express": True, "number": number} for number in range(50)]
    (folder / "orders.json").write_text(json.dumps(orders))
    (folder / "stamped.sh").write_text(STAMPED)
    line = [sys.executable, "-m", "boildown", "reduce", "orders.json", "--fresh", "--force"]
    line += ["--max-runs", "1", "--json", "--", "sh", str(folder / "stamped.sh"), "orders.json"]
    # Without the compiled modules of an earlier start it is not Boildown that is measured.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    seconds = []
    for _ in range(STARTS + 1):
        (folder / "stamps").unlink(missing_ok=True)
        done = subprocess.run(
            ["sh", "-c", f"STARTED=$$; export STARTED; exec {shlex.join(line)}"],
            cwd=folder,
            env=environment,
            capture_output=True,
            check=True,
        )
        stamps = (folder / "stamps").read_text().splitlines()
        ticks = stamps[json.loads(done.stdout)["preflight_runs"]].split()
        seconds.append(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"))
    print(f"{'seconds up to the first candidate':34} {statistics.median(seconds[1:]):8.2f}")
    return statistics.median(seconds[1:])


def _timed(work: Callable[[], object]) -> float:
    """Return the milliseconds that something takes."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def bare_run(argv: Sequence[str], folder: Path) -> None:
    """Run a command as a shell script would, its outputs kept."""
    subprocess.run(
        argv, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, env=os.environ, check=False
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
