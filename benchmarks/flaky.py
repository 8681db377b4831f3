"""Measures reductions of flaky failures: what is claimed, whether it is true, and what it costs.

Run: python -m benchmarks.flaky [--tries N] [--only missed=30% ...] (or `make bench-flaky`). Each
random predicate has a truth, which tells the results that do not fail at all and, by brute force,
the certificates that are false. In one row, a run on a text that fails misses the failure at a
rate; in another, a run on one that does not fail shows it at a rate. The runs are compared with
those of the same reduction without flakiness; "floor" is what no sequential test can do without
where failures are missed. "Library" is the engine with the care that a library
takes, "job" the whole job of a test command, whose runs are simulated.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from unittest import mock

from benchmarks.predicates import PIECES, Predicate, left_out, random_predicate

from boildown.engine.flaky import CONFIDENCE, Care
from boildown.engine.language import Language
from boildown.engine.oracle import Oracle, Verdict, from_test, limited
from boildown.engine.reducing.reduce import Reduction
from boildown.engine.reducing.reduce import reduce as reduce_text
from boildown.jobs import reduce as job
from boildown.jobs.work import JobOptions, PreflightError
from boildown.languages import load_language
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected, decide, judge_run
from boildown.runner.run import Run

TRIES = 200
CHARACTERS = 100
"""Of each text."""
MISSED = (0.01, 0.05, 0.1, 0.3, 0.5, 0.9, 0.99)
SPURIOUS = (0.01, 0.05, 0.1, 0.3)
MOST_RUNS = 5000
"""After so many runs a reduction is stopped, and claims nothing."""


@dataclass(frozen=True)
class Rates:
    """The rates at which runs mislead."""

    missed: float = 0.0
    spurious: float = 0.0

    def __str__(self) -> str:
        if self.missed:
            return f"missed={self.missed:.0%}"
        return f"spurious={self.spurious:.0%}" if self.spurious else "none"


ROWS = (*(Rates(missed=rate) for rate in MISSED), *(Rates(spurious=rate) for rate in SPURIOUS))


@dataclass(frozen=True)
class Subject:
    """A random text with a predicate that it fulfils, and the empty text does not."""

    seed: int
    text: str
    language: Language
    truth: Predicate

    def test(self, rates: Rates) -> Predicate:
        """Return the predicate as it misleads at the rates; the same for the same seed."""
        rng = Random(f"{self.seed} {rates}")

        def fails(text: str) -> bool:
            if self.truth(text):
                return rng.random() >= rates.missed
            return rng.random() < rates.spurious

        return fails


def subject(seed: int) -> Subject:
    """Return the subject of a seed."""
    rng = Random(f"flaky {seed}")
    name = rng.choice(("plain", "json"))
    text = "".join(rng.choice(PIECES[name]) for _ in range(CHARACTERS))[:CHARACTERS]
    truth = random_predicate(text, rng)
    while truth(""):
        truth = random_predicate(text, rng)
    return Subject(seed, text, load_language(name), truth)


@dataclass(frozen=True)
class Result:
    """The result of one reduction, and all its runs."""

    reduction: Reduction
    runs: int


def by_library(given: Subject, rates: Rates) -> Result | None:
    """Reduce as the library does; None if it refuses."""
    test = given.test(rates)
    if not test(given.text):
        return None
    oracle = limited(from_test(test), MOST_RUNS)
    reduction = reduce_text(given.text, oracle, given.language, care=Care())
    return Result(reduction, 1 + reduction.runs)


_ERROR = """Traceback (most recent call last):
  File "/tool.py", line 1, in main
    raise SystemError("the state is corrupt")
SystemError: the state is corrupt
"""
"""What a failing run prints: where it were only an exit status, no invalid candidate would run."""


class Simulated:
    """A runner whose runs ask a predicate in place of a command."""

    jobs, seconds, full, warm, why_cold = 1, 0.0, 0, False, ""

    def __init__(self, test: Predicate, command: TestCommand) -> None:
        self._test = test
        self.command = command
        self.runs = 0

    def __enter__(self) -> Simulated:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, text: str, *_: object, **_options: object) -> Run:
        self.runs += 1
        fails = self._test(text)
        return Run(int(fails), text=text, stderr=_ERROR if fails else "")

    def vary(self, on: bool) -> None:
        """Do nothing: the predicate knows the text alone."""

    def go_on_alone(self, command: TestCommand, _stopped: Callable[[], bool]) -> None:
        """Go on with a command; runs are made one at a time as it is."""
        self.command = command

    def verdict(self, text: str, expected: Expected) -> tuple[Verdict, Run]:
        verdicts: list[Verdict] = []
        while True:
            run = self.run(text)
            verdicts.append(judge_run(self.command, run, expected))
            if (verdict := decide(verdicts, expected)) is not None:
                return replace(verdict, runs=len(verdicts)), run

    def oracle(self, expected: Expected) -> Oracle:
        return lambda texts: (self.verdict(text, expected)[0] for text in texts)


def by_job(given: Subject, rates: Rates) -> Result | None:
    """Reduce as a job with a test command does; None if it refuses."""
    test = given.test(rates)
    options = JobOptions(given.language.name, max_runs=MOST_RUNS, fresh=True)

    def simulated(command: TestCommand, *_: object) -> Simulated:
        return Simulated(test, command)

    with tempfile.TemporaryDirectory() as folder:
        command = TestCommand(("tool",), Path(folder), "crash")
        environment = {"XDG_CACHE_HOME": folder}
        with mock.patch.object(job, "Runner", simulated), mock.patch.dict(os.environ, environment):
            try:
                done = job.reduce(given.text, command, options)
            except PreflightError:
                return None
    return Result(done.reduction, done.runs)


WAYS = {"library": by_library, "job": by_job}


def fewest_runs(given: Subject, rates: Rates, result: Result) -> float:
    """Return the runs without which no sequential test shows a certificate of a missed failure.

    They are those of the search itself, with one run for each candidate, and further runs on each
    single part of the result, until the chance that any of them fails is the doubt of the claim:
    by a test that knows both rates (A. Wald, Sequential Tests of Statistical Hypotheses, 1945, the
    bound on the average sample number). Measuring the rates and verifying the result come on top.
    """
    test = given.test(rates)
    while not test(given.text):
        pass
    searched = reduce_text(given.text, limited(from_test(test), MOST_RUNS), given.language)
    parts = max(len(result.reduction.text), 1)
    each = math.ceil(math.log((1 - CONFIDENCE) / parts) / math.log(rates.missed))
    return 1 + searched.runs + parts * (each - 1)


@dataclass
class Row:
    """The results at some rates."""

    tries: int = 0
    refused: int = 0
    stopped: int = 0
    """Those called unfinished."""
    not_failing: int = 0
    """Called finished, but the result does not fail at all."""
    sure: int = 0
    """Certificates that say nothing of a flaky failure."""
    sure_and_false: int = 0
    doubted: int = 0
    """Certificates with a confidence."""
    doubted_and_false: int = 0
    ratios: list[float] = field(default_factory=list)
    """Runs beside those of the same reduction without flakiness."""
    floors: list[float] = field(default_factory=list)
    """The same of the fewest runs by which a sequential test could show what is claimed."""

    def add(self, given: Subject, rates: Rates, result: Result | None, steady: int) -> None:
        """Count the result on a subject, which takes so many runs without flakiness."""
        self.tries += 1
        if result is None:
            self.refused += 1
            return
        reduction, certificate = result.reduction, result.reduction.certificate
        self.ratios.append(result.runs / steady)
        if rates.missed:
            self.floors.append(fewest_runs(given, rates, result) / steady)
        self.stopped += not reduction.finished
        is_false = not given.truth(reduction.text)
        self.not_failing += is_false and reduction.finished
        if certificate is None:
            return
        unit = certificate.unit
        is_false |= bool(left_out(reduction.text, unit, given.truth, given.language))
        if certificate.confidence is None:
            self.sure += 1
            self.sure_and_false += is_false
        else:
            self.doubted += 1
            self.doubted_and_false += is_false

    def __str__(self) -> str:
        ratio = f"{median(self.ratios):.2f}" if self.ratios else "-"
        cells = (
            self.refused,
            self.stopped,
            self.not_failing,
            f"{self.sure_and_false} of {self.sure}",
            f"{self.doubted_and_false} of {self.doubted}",
            ratio,
            f"{median(self.floors):.2f}" if self.floors else "-",
        )
        return " | ".join(map(str, cells))


def measured(way: str, rates: Rates, tries: int) -> Row:
    """Reduce so many subjects at some rates."""
    row = Row()
    for seed in range(tries):
        given = subject(seed)
        steady = WAYS[way](given, Rates())
        assert steady is not None
        row.add(given, rates, WAYS[way](given, rates), steady.runs)
    return row


HEAD = """\
| through | misleading runs | refused | unfinished | does not fail | false, none doubted \
| false, doubted | runs, median | floor |
|---|---|--:|--:|--:|--:|--:|--:|--:|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=TRIES, help="predicates of each row")
    parser.add_argument("--only", nargs="+", help="rows, as in spurious=10%%")
    options = parser.parse_args()
    print(HEAD, flush=True)
    for way, rates in product(WAYS, ROWS):
        if options.only is None or str(rates) in options.only:
            print(f"| {way} | {rates} | {measured(way, rates, options.tries)} |", flush=True)


if __name__ == "__main__":
    main()
