"""From a run to a verdict: what the failure was, and whether it is the one that is looked for."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.command import TestCommand
from boildown.runner.guardian.messages import UNUSABLE
from boildown.runner.pytest_runs import INTERRUPTED, NOTHING_COLLECTED, USAGE_ERROR
from boildown.runner.run import Run
from boildown.runner.signature import signature

_NO_PYTEST = re.compile(r"^\S.*: No module named pytest$", re.MULTILINE)
"""What Python itself says when `-m pytest` names nothing that it has."""

_FAILED = re.compile(r"^FAILED ", re.MULTILINE)
"""How the line of a test that failed begins in pytest's summary."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a run must show to reproduce the failure; the preflight finds it."""

    signature: str = ""
    """The signature of the run on the original; unused where a rule or exit 0 decides."""
    timeout: float | None = None
    """Seconds a run may take."""
    rate: float | None = None
    """Of a flaky failure: the share of runs on the original that reproduced it."""


def judge_run(command: TestCommand, run: Run, expected: Expected) -> Verdict:
    """Return the verdict on one run.

    Where there was no predicate to call, the candidate is not meaningful, whatever it shows. A rule
    of the user's comes before all else, `invalid` before `reproduces`. A signature beside PASSED
    means that the run failed, but differently. Where pytest could run no test, the candidate is
    not meaningful.
    """
    seen = "" if command.interesting else signature(run, run.file, command.level)
    if unusable(command, run):
        return Verdict(Outcome.INVALID, seen)
    if command.invalid is not None and command.invalid.matches(run):
        return Verdict(Outcome.INVALID, seen)
    if command.reproduces is None and not command.interesting and no_test_ran(command, run):
        return Verdict(Outcome.INVALID, seen)
    if command.reproduces is not None:
        reproduced = command.reproduces.matches(run)
    elif command.interesting:
        reproduced = run.status == 0
    else:
        reproduced = run.failed and seen == expected.signature
    if reproduced:
        return Verdict(Outcome.REPRODUCED, seen)
    return Verdict(Outcome.TIMEOUT if run.timed_out else Outcome.PASSED, seen)


def no_test_ran(command: TestCommand, run: Run) -> bool:
    """Say whether the command runs pytest and this found nothing to run, or is missing."""
    if not command.runs_pytest:
        return False
    if run.status == INTERRUPTED:
        return _FAILED.search(run.stdout) is None
    if run.status in (USAGE_ERROR, NOTHING_COLLECTED):
        return True
    return run.status == 1 and _NO_PYTEST.search(run.stderr) is not None


def unusable(command: TestCommand, run: Run) -> bool:
    """Say whether the command is a predicate that can't be loaded, or gives no answer."""
    return command.predicate is not None and run.status == UNUSABLE


_CERTAIN = math.log(0.95 / 0.05)
"""Where a sequential test ends: a chance of 5 % for either mistake."""
_LONGEST = 100
"""Runs after which a sequential test ends in any case."""


def decide(verdicts: Sequence[Verdict], expected: Expected) -> Verdict | None:
    """Return the verdict on a candidate from those on its runs so far, or None for another run.

    One run is enough, unless the failure is flaky. Then the question is whether the candidate
    fails about as often as the original or at most a third as often: the sequential probability
    ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945) decides it with 95 %
    confidence and the fewest runs on average.
    """
    if expected.rate is None or verdicts[-1].outcome is Outcome.INVALID:
        return verdicts[-1]
    high = min(max(expected.rate, 0.05), 0.95)
    low = high / 3
    hits = sum(verdict.reproduced for verdict in verdicts)
    misses = len(verdicts) - hits
    evidence = hits * math.log(high / low) + misses * math.log((1 - high) / (1 - low))
    if abs(evidence) < _CERTAIN and len(verdicts) < _LONGEST:
        return None
    return next(verdict for verdict in verdicts if verdict.reproduced is (evidence > 0))
