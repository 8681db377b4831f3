"""The speed of a reduction on many cores, simulated: workers with a virtual clock.

`python -m benchmarks.cores` reduces the real bugs with 1, 2, 8 and 16 workers whose every run takes
a second of a clock that nobody waits for, and prints the runs that were started and how many times
as fast the whole job is. Boildown's own time, the first runs on the original and the last
verification are left out. Verdicts are those of the real programs, which run once for each text.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS, Case, cases, large_cases, reproduces
from benchmarks.curves import geometric_mean
from benchmarks.markdown import table
from benchmarks.tools import names

from boildown.engine.oracle import Outcome, Verdict, limited
from boildown.engine.reducing.reduce import Reduction, reduce
from boildown.jobs.work import JobOptions, language_for

JOBS = (1, 2, 8, 16)
"""How many workers there are; the first is what the others are compared with."""
SECONDS = 1.0
"""Of the clock, that each run takes."""
RUNS = 1000
"""Verdicts after which a job is stopped, on whatever number of workers."""


@dataclass(slots=True)
class Workers:
    """Workers that run texts ahead of their verdicts, as the runner's do."""

    judge: Callable[[str], Outcome]
    jobs: int
    clock: float = 0.0
    """Seconds since the job began."""
    started: int = 0
    """Runs, those among them whose verdicts nobody took."""

    def oracle(self, texts: Iterable[str]) -> Iterator[Verdict]:
        """Judge texts in their order; when the iterator is dropped, all under way is ended."""
        source = iter(texts)
        waiting: deque[tuple[float, str]] = deque()
        while True:
            busy = sum(end > self.clock for end, _ in waiting)
            most = 2 * self.jobs if self.jobs > 1 else 1
            while busy < self.jobs and len(waiting) < most:
                if (text := next(source, None)) is None:
                    break
                waiting.append((self.clock + SECONDS, text))
                self.started += 1
                busy += 1
            if not waiting:
                return
            end, text = waiting.popleft()
            self.clock = max(self.clock, end)
            yield Verdict(self.judge(text))


def simulated(
    text: str, judge: Callable[[str], Outcome], name: str, jobs: int, runs: int = RUNS
) -> tuple[Reduction, Workers]:
    """Reduce a text, in a file of that name, on so many workers."""
    workers = Workers(judge, jobs)
    language = language_for(text, name, JobOptions())
    return reduce(text, limited(workers.oracle, runs), language), workers


def main(argv: Sequence[str]) -> int:
    """Simulate the cases that the arguments name, print the table; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cores", description="Simulate reductions on many cores."
    )
    for name, default, meaning in (
        ("--cases", (), "only these small cases (default: all that are set up)"),
        ("--large", (), "these large cases, too"),
    ):
        parser.add_argument(name, type=names, default=default, metavar="A,B", help=meaning)
    parser.add_argument(
        "--runs", type=int, default=RUNS, metavar="N", help="verdicts that end a job"
    )
    options = parser.parse_args(argv)
    try:
        chosen = [*cases(options.cases), *(large_cases(options.large) if options.large else ())]
    except ValueError as error:
        print(f"cores: {error}", file=sys.stderr)
        return 2
    rows = []
    for case in chosen:
        if not case.input.exists() or not reproduces(case, case.input):
            print(f"{case.name}: left out, its program is not set up", file=sys.stderr)
            continue
        rows.append((case.name, *_figures(case, options.runs)))
        print(case.name, *rows[-1][1:], file=sys.stderr, flush=True)
    print(report(rows))
    return 0


def _figures(case: Case, runs: int) -> tuple[list[int], list[float]]:
    """Return the runs started and the seconds of a case for each number of workers.

    Raises:
        AssertionError: the result depends on the number of workers.
    """
    text = case.input.read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="cores-") as folder:
        judge = cache(_judge_of(case, Path(folder) / case.input.name))
        done = [simulated(text, judge, case.input.name, jobs, runs) for jobs in JOBS]
    assert len({reduction.text for reduction, _ in done}) == 1, case.name
    return [workers.started for _, workers in done], [workers.clock for _, workers in done]


def _judge_of(case: Case, file: Path) -> Callable[[str], Outcome]:
    """Return the oracle of a case as a function of a text, which is put into a file."""
    environment = {**os.environ, "BENCH_ENV": str(ENVIRONMENTS)}
    outcomes = {0: Outcome.REPRODUCED, 2: Outcome.INVALID}

    def judge(text: str) -> Outcome:
        file.write_text(text, "utf-8", newline="")
        command = [str(case.oracle), str(file)]
        ran = subprocess.run(command, capture_output=True, env=environment, cwd=file.parent)
        return outcomes.get(ran.returncode, Outcome.PASSED)

    return judge


def report(rows: Sequence[tuple[str, Sequence[int], Sequence[float]]]) -> str:
    """Return the table of the runs and speed-ups of each case, and the means of the speed-ups."""
    speeds = [[seconds[0] / max(each, SECONDS) for each in seconds] for _, _, seconds in rows]
    lines: list[Sequence[object]] = []
    for (name, started, _), speed in zip(rows, speeds, strict=True):
        cells = zip(started[1:], speed[1:], strict=True)
        lines.append((name, started[0], *(cell for pair in cells for cell in _cells(*pair))))
    if rows:
        means = [geometric_mean(column) for column in zip(*speeds, strict=True)]
        lines.append(
            ("geometric mean", None, *(cell for mean in means[1:] for cell in _cells(None, mean)))
        )
    head = [cell for jobs in JOBS[1:] for cell in (f"runs, {jobs} workers", "times as fast")]
    return table(("case", "runs, 1 worker", *head), lines)


def _cells(runs: int | None, speed: float) -> tuple[int | None, str]:
    return runs, f"{speed:.1f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
