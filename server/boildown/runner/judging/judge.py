"""The verdict on a candidate: judges its runs against the expected failure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from boildown.engine.flaky import CONFIDENCE, most_runs
from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.command import Level, Role, TestCommand
from boildown.runner.guardian.messages import UNUSABLE_STATUS
from boildown.runner.judging.failures.python import is_equality
from boildown.runner.judging.outputs import changed_parts, difference_of, in_context
from boildown.runner.judging.signature import find_failure, program_of, signature
from boildown.runner.pytest_runs import (
    PYTEST_INTERRUPTED,
    PYTEST_NOTHING_COLLECTED,
    PYTEST_USAGE_ERROR,
)
from boildown.runner.run import Run

_NO_PYTEST = re.compile(r"^\S.*: No module named pytest$", re.MULTILINE)
"""Python's own message when `-m pytest` names no module that it has."""

_PYTEST_VALUES = re.compile(r"^E .*", re.MULTILINE)
"""The lines in which pytest shows values: the message alone has them shortened."""

_FAILED = re.compile(r"^FAILED ", re.MULTILINE)
"""How the line of a test that failed begins in pytest's summary."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected failure, with which runs are compared; the preflight finds it."""

    signature: str = ""
    """The signature of the run on the original; unused where a rule or exit 0 decides."""
    timeout: float | None = None
    """Seconds a run may take."""
    rate: float | None = None
    """Of a flaky failure: the share of runs on the original that reproduced it."""
    confidence: float = CONFIDENCE
    """Of a flaky failure: the confidence of each verdict."""
    words: Container[str] = frozenset()
    """The words of the original: in a message they may be the input's, and are not compared."""
    margin: float = 0.0
    """The share by which a run must be beyond what a rule limits."""
    numbered: str = ""
    """The signature with numbers of lines for their text, for where sources cannot be read."""
    level: Level | None = None
    """How much of the failure is compared; None: as much as the command says."""

    def is_seen_in(self, signature: str) -> bool:
        """Say whether a run with this signature failed as expected."""
        return signature == self.signature or (self.numbered != "" and signature == self.numbered)


def expected_of(
    command: TestCommand,
    run: Run,
    words: Container[str],
    timeout: float | None = None,
    level: Level | None = None,
) -> Expected:
    """Return the failure of a run as the expected one; `words` are those of the original."""
    seen = signature_of(command, run, words, level)
    numbered = signature_of(command, run, words, level, read=False)
    numbered = "" if numbered == seen else numbered
    return Expected(seen, timeout, words=words, numbered=numbered, level=level)


def signature_of(
    command: TestCommand,
    run: Run,
    words: Container[str] = frozenset(),
    level: Level | None = None,
    read: bool = True,
) -> str:
    """Return the signature of a run of a command, at the command's level if none is given.

    Where two commands are compared, it is the kind of their difference. `read` says whether lines
    are read from source files.
    """
    level = level or command.level
    sign = _signing(command, words, level, read)
    if run.other is None or not command.compares_output:
        return sign(run)
    return difference_of(run, run.other, sign, changed_parts if level is Level.MESSAGE else None)


def _signing(
    command: TestCommand, words: Container[str], level: Level, read: bool = True
) -> Callable[[Run], str]:
    """Return the function from the run of a command, or of the other one, to its signature."""
    program = program_of(command, words, read)
    return lambda run: signature(run, run.file, level, program)


_DESCRIBED = 200
"""Characters of a failure's description."""


def described(command: TestCommand, run: Run) -> str:
    """Return the failure of a run in a line for a person, with the first line of its message."""
    sign = _signing(command, frozenset(), Level.MESSAGE)

    def first_line(each: Run) -> str:
        return sign(each).partition("\n")[0]

    if run.other is not None and command.compares_output:
        return difference_of(run, run.other, first_line, in_context)
    line = first_line(run) or run.end
    if command.reproduces is not None:
        line += command.reproduces.used(run)
    return line if len(line) <= _DESCRIBED else f"{line[: _DESCRIBED - 1]}…"


def judge_run(command: TestCommand, run: Run, expected: Expected) -> Verdict:
    """Return the verdict on one run: its outcome and the signature of its failure.

    A signature beside PASSED means that the run failed, but differently. A candidate that the quick
    command turned down is not meaningful: nothing is known of the test command on it.
    """
    if run.turned_down:
        return Verdict(Outcome.TIMEOUT if run.timed_out else Outcome.INVALID)
    seen = "" if command.interesting else signature_of(command, run, expected.words, expected.level)
    if run.other is None:
        return Verdict(_judged_alone(command, run, seen, expected), seen)
    if command.compares_output:
        # A rule has been asked already, and leaves any difference to count.
        is_expected = seen != "" and (command.reproduces or expected.is_seen_in(seen))
        outcome = Outcome.REPRODUCED if is_expected else Outcome.PASSED
        if not seen and run.failed:
            seen = f"{_signing(command, expected.words, command.level)(run)} with both commands"
    elif run.other.failed and not differ_in_value(run, run.other):
        outcome = Outcome.PASSED
        its = _signing(command, expected.words, command.level)(run.other)
        seen = f"{seen}; the other command: {its}".removeprefix("; ")
    else:
        outcome = Outcome.REPRODUCED
    return Verdict(Outcome.TIMEOUT if run.other.timed_out else outcome, seen)


def differ_in_value(run: Run, other: Run) -> bool:
    """Say whether two runs fail an assertion that two values are equal, with different values.

    What a test expects belongs to one input, so a good version fails it on most others, too.
    """
    found = [(find_failure(each, each.file), each) for each in (run, other)]
    told = {
        (failure.message, *_PYTEST_VALUES.findall(each.stdout))
        for failure, each in found
        if failure is not None and is_equality(failure)
    }
    return len(told) == len(found)


def takes_other(command: TestCommand, run: Run, expected: Expected | None) -> bool:
    """Say whether a run of the test command is to be compared with one of the other command.

    It is, unless it decides alone. `expected` is None where any failure counts.
    """
    if Role.GOOD not in command.roles or run.turned_down:
        return False
    wanted = expected or Expected()
    seen = signature_of(command, run, wanted.words, wanted.level)
    outcome = _judged_alone(command, run, seen, expected or Expected(seen))
    return outcome is Outcome.REPRODUCED


def _judged_alone(command: TestCommand, run: Run, seen: str, expected: Expected) -> Outcome:
    """Return the outcome of a run of the test command, as far as no other is needed.

    Where there was no predicate to call, the candidate is not meaningful, whatever it shows. A rule
    of the user's comes before all else, `invalid` before `reproduces`. Where pytest could run no
    test, the candidate is not meaningful.
    """
    if unusable(command, run):
        return Outcome.INVALID
    if command.invalid is not None and command.invalid.matches(run):
        return Outcome.INVALID
    if command.reproduces is None and not command.interesting and no_test_ran(command, run):
        return Outcome.INVALID
    if command.reproduces is not None:
        reproduced = command.reproduces.matches(run, expected.margin)
    elif command.interesting:
        reproduced = run.status == 0
    elif command.compares_output:
        reproduced = not run.timed_out
    else:
        reproduced = run.failed and expected.is_seen_in(seen)
    if reproduced:
        return Outcome.REPRODUCED
    return Outcome.TIMEOUT if run.timed_out else Outcome.PASSED


MARGIN = 0.1
"""The share by which a candidate must be beyond what a rule limits: these figures vary, and a
result must be beyond the limit in another run, too."""


def no_test_ran(command: TestCommand, run: Run) -> bool:
    """Say whether the command runs pytest and this found nothing to run, or is missing."""
    if not command.runs_pytest:
        return False
    if run.status == PYTEST_INTERRUPTED:
        return _FAILED.search(run.stdout) is None
    if run.status in (PYTEST_USAGE_ERROR, PYTEST_NOTHING_COLLECTED):
        return True
    return run.status == 1 and _NO_PYTEST.search(run.stderr) is not None


def unusable(command: TestCommand, run: Run) -> bool:
    """Say whether the command is a predicate that can't be loaded, or gives no answer."""
    return command.predicate is not None and run.status == UNUSABLE_STATUS


def decide(verdicts: Sequence[Verdict], expected: Expected) -> Verdict | None:
    """Return the verdict on a candidate from those on its runs so far, or None for another run.

    One run is enough, unless the failure is flaky. Then the question is whether the candidate
    fails about as often as the original or at most a third as often: the sequential probability
    ratio test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945) decides it with the
    confidence that is wanted and the fewest runs on average.
    """
    if expected.rate is None or verdicts[-1].outcome is Outcome.INVALID:
        return verdicts[-1]
    high = min(max(expected.rate, 0.01), 0.95)
    low = high / 3
    hits = sum(verdict.reproduced for verdict in verdicts)
    misses = len(verdicts) - hits
    evidence = hits * math.log(high / low) + misses * math.log((1 - high) / (1 - low))
    certain = math.log(expected.confidence / (1 - expected.confidence))
    if abs(evidence) < certain and len(verdicts) < most_runs(high):
        return None
    return next(verdict for verdict in verdicts if verdict.reproduced is (evidence > 0))
