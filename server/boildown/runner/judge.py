"""From a run to a verdict: what the failure was, and whether it is the one that is looked for."""

from __future__ import annotations

from dataclasses import dataclass

from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.command import TestCommand
from boildown.runner.run import Run
from boildown.runner.signature import signature


@dataclass(frozen=True, slots=True)
class Expected:
    """What a run must show to reproduce the failure; the preflight finds it."""

    signature: str = ""
    """The signature of the run on the original; unused where a rule or exit 0 decides."""
    timeout: float | None = None
    """Seconds a run may take."""


def judge_run(command: TestCommand, run: Run, expected: Expected) -> Verdict:
    """Return the verdict on one run.

    A rule of the user's comes before all else, `invalid` before `reproduces`. A signature beside
    PASSED means that the run failed, but differently.
    """
    seen = "" if command.interesting else signature(run, run.file, command.level)
    if command.invalid is not None and command.invalid.matches(run):
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
