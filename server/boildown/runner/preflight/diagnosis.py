"""Diagnosis of the runs on the original: messages with the likely cause, and with advice."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from boildown.runner.advice import LOOSER_LEVEL, Advice, Message
from boildown.runner.command import Level, TestCommand
from boildown.runner.guardian.sandbox import version
from boildown.runner.judging.failures.python import is_equality
from boildown.runner.judging.judge import MARGIN, Expected, no_test_ran, unusable
from boildown.runner.judging.outputs import output_of
from boildown.runner.judging.signature import find_failure, signature
from boildown.runner.preflight.causes import likely_cause, output_tail, why_none
from boildown.runner.pytest_runs import PYTEST_NOTHING_COLLECTED
from boildown.runner.run import CommandRefused, Obstacle, Run
from boildown.runner.versions import fitting_version

SLOW_RUN_SECONDS = 1.0
"""Seconds of one run from which on the user is told how long a reduction may take."""
LONG_RUN_SECONDS = 3.0
"""Seconds after which the user is told that the first run has not ended yet."""
_HANG_SECONDS = 10.0
"""Seconds that are proposed for each candidate where a hang is the failure, at most."""
_RUNS = {100: (15, 60), 1_000: (20, 150), 10_000: (40, 500), math.inf: (100, 1000)}
"""The least and the most runs that most inputs of up to so many characters need."""
_FILES_SHOWN = 5
"""Files that a note names at most."""


class PreflightError(CommandRefused):
    """The test command cannot be used for a reduction as it is; the message is for the user.

    >>> try:
    ...     check("orders.json", "true")
    ... except PreflightError as error:
    ...     print(error)
    The input does not reproduce a failure: the command exits with 0 in 10 runs. ...
    """


def no_input() -> PreflightError:
    """Return the error for an input of which nothing can be left out."""
    return PreflightError(
        "The input is empty, so there is nothing to reduce; name the one that the program fails "
        "on. If it fails on an empty one, that is the smallest already.",
        Obstacle.USAGE,
    )


def no_reproduction(command: TestCommand, runs: list[Run]) -> PreflightError:
    """Return the error for an original on which no run reproduces the failure."""
    run = runs[0]
    if run.turned_down or run.other is not None:
        return _further_command(command, run)
    times = f" in {len(runs)} runs" if len(runs) > 1 else ""
    if run.timed_out:
        limit = command.timeout or run.took
        message: Message = (
            f"The command {_late(run, limit)} on the input. If it is only slow, give a longer ",
            Advice("timeout"),
            "; if the hang is the failure, say ",
            Advice("reproduces", "seconds>N"),
            " with more seconds of processor time than a run takes that ends, or, if it waits "
            "instead of computing, ",
            Advice("reproduces", "timeout"),
            " and ",
            Advice("timeout", float(f"{min(limit, _HANG_SECONDS):.2g}")),
            ".",
        )
        return PreflightError(message, Obstacle.TIMES_OUT)
    if unusable(command, run):
        return PreflightError(
            f"The predicate '{command.predicate}' cannot be used by {command.argv[0]} in "
            f"{command.cwd}.{likely_cause(command, run)}{output_tail(run)}",
            Obstacle.NO_PREDICATE,
        )
    if command.invalid is not None and command.invalid.matches(run):
        return PreflightError(
            "The input counts as invalid by the rule given for that: the command ended with "
            f"{run.end}.{likely_cause(command, run)}{output_tail(run)}",
            Obstacle.INVALID,
        )
    if command.reproduces is not None:
        return PreflightError(
            "The input does not reproduce the failure: the rule given for reproductions does not "
            f"match the run, which ended with {run.end}{command.reproduces.used(run)}."
            f"{likely_cause(command, run)}{output_tail(run)}",
            Obstacle.PASSES,
        )
    if command.interesting:
        message = (
            f"The interestingness test must exit with 0 on the input, but it ended with {run.end}. "
            "If the command is the failing program itself, leave ",
            Advice("interesting", True),
            f" out.{likely_cause(command, run)}",
            output_tail(run),
        )
        return PreflightError(message, Obstacle.NOT_INTERESTING)
    if no_test_ran(command, run):
        cause = likely_cause(command, run) or (
            " Name a test of this file as pytest does, as in tests/test_it.py::test_one."
            if "not found: " in run.stderr or run.status == PYTEST_NOTHING_COLLECTED
            else ""
        )
        return PreflightError(
            f"pytest ran no test (exit {run.status}).{cause}{why_none(run)}", Obstacle.NO_TEST
        )
    if command.runs_pytest:
        return PreflightError(
            f"The input does not reproduce a failure: pytest exits with 0{times}: no test fails.",
            Obstacle.PASSES,
        )
    message = (
        f"The input does not reproduce a failure: the command exits with 0{times}. If the command "
        "is an interestingness test, for which 0 means that the failure is there, say ",
        Advice("interesting", True),
        ". If it fails only now and then, run it more often with ",
        Advice("repeat", 30),
        ".",
    )
    return PreflightError(message, Obstacle.PASSES)


def no_failing_test(command: TestCommand, run: Run, complete: bool) -> PreflightError:
    """Return the error for a run of tests in which none is known to have failed.

    `complete` says whether the test runner ended it.
    """
    if run.timed_out or no_test_ran(command, run) or (complete and not run.failed):
        return no_reproduction(command, [run])
    told = f"{'pytest' if command.runs_pytest else 'unittest'} ended with {run.end}"
    told += ", and no test is known to have failed." if complete else " before its tests were over."
    return PreflightError(f"{told}{likely_cause(command, run)}{why_none(run)}", Obstacle.NO_TEST)


def _late(run: Run, limit: float) -> str:
    """Return how a run that timed out has missed its limit, in seconds."""
    if run.cpu > 1.2 * run.seconds:
        return f"used {limit:.1f} s of processor time, on several processors, and did not end"
    return f"did not end within {limit:.1f} s"


def _further_command(command: TestCommand, run: Run) -> PreflightError:
    """Return the error for an original that does not reproduce for the sake of another command."""
    culprit, name = (run, "quick") if run.other is None else (run.other, "other")
    if culprit.timed_out:
        message: Message = (
            f"The {name} command {_late(culprit, command.timeout or culprit.took)} on the input; "
            "give a longer ",
            Advice("timeout"),
            ".",
        )
        return PreflightError(message, Obstacle.TIMES_OUT)
    if run.turned_down:
        return PreflightError(
            "The quick command must exit with 0 on the input, or the test command would never be "
            f"run, but it ended with {run.end}.{likely_cause(command, run)}{output_tail(run)}",
            Obstacle.NOT_INTERESTING,
        )
    if command.compares_output:
        return PreflightError(
            f"Both commands print the same on the input and end with {run.end}, so nothing differs "
            f"that could be kept.{output_tail(run)}",
            Obstacle.PASSES,
        )
    return PreflightError(
        "The command that must pass fails on the input, too: it ended with "
        f"{culprit.end}, so this is no regression, or it is not the version that is good."
        f"{likely_cause(command, culprit)}{output_tail(culprit)}",
        Obstacle.PASSES,
    )


def unsteady_output(command: TestCommand, runs: list[Run]) -> PreflightError | None:
    """Return the error for a command whose output on one input is another in each run.

    Then it always differs from that of the other command. None where outputs are not compared.
    """
    pairs = [(run, run.other) for run in runs if run.other is not None]
    if not command.compares_output or any(run.end != other.end for run, other in pairs):
        return None
    for name, outputs in zip(("test", "other"), zip(*pairs, strict=True), strict=True):
        if len({output_of(run) for run in outputs}) > 1:
            return PreflightError(
                f"The {name} command prints something else in each run on the same input, so a "
                "difference says nothing. Leave out what changes (times, addresses, the order of "
                "sets), in the program or with a filter, as in sh -c 'tool {file} | grep -v time'.",
                Obstacle.FLAKY,
            )
    return None


STEADY_ADVICE: Message = (
    " Make the command deterministic (fixed seeds, no clock, no network), or compare less of the "
    "failure with ",
    *LOOSER_LEVEL,
    ".",
)
"""Advice against flaky failures, after a space."""


def flaky_note(runs: int, expected: Expected, others: Iterable[str]) -> Message:
    """Return the note on a flaky failure: its rate, other failures, and how it is judged."""
    assert expected.rate is not None
    other = "".join(f", others '{seen}'" for seen, _ in Counter(others).most_common(1))
    told = (
        f"The failure is flaky: {round(expected.rate * runs)} of {runs} runs on the input gave "
        f"'{expected.signature or 'exit 0'}'{other}. Candidates are run until it is "
        f"{100 * expected.confidence:g} % sure whether they fail, too, which takes several runs."
    )
    return (told, *STEADY_ADVICE)


def compares(command: TestCommand, run: Run) -> bool:
    """Say whether the failure is a failed assertion that two values are equal."""
    failure = find_failure(run, run.file)
    return failure is not None and is_equality(failure) and command.level is not Level.MESSAGE


def _keep_values(command: TestCommand) -> Message:
    """Return the advice on assertions of equality, after a space."""
    return (
        *_good_version(command),
        ", or keep the values with ",
        Advice("level", "message"),
        ".",
    )


def empty_reproduces(command: TestCommand, shown: Run, run: Run) -> PreflightError:
    """Return the error for an empty input that reproduces; `shown` is the run on the original."""
    if compares(command, shown):
        message: Message = (
            "The empty input reproduces too: the failure is an assertion that two values are "
            "equal, which almost any other input fails as well.",
            *_keep_values(command),
            output_tail(run),
        )
        return PreflightError(message, Obstacle.EMPTY_REPRODUCES)
    suspect = predicate_fault(command, shown)
    if suspect:
        told: Message = (f"{suspect} The empty input fails so, too.", output_tail(run))
        return PreflightError(told, Obstacle.EMPTY_REPRODUCES)
    own, other = _whole_messages(shown, run)
    if own != other and command.level is not Level.MESSAGE and not _is_ruled(command):
        message = (
            f"The empty input fails too, in another way: '{other}' instead of '{own}'. To tell "
            "these apart, say ",
            Advice("level", "message"),
            *_EMPTY_IS_FINE,
        )
        return PreflightError(message, Obstacle.EMPTY_REPRODUCES)
    message = (
        f"The empty input reproduces too: {_why_empty(command)}",
        *_EMPTY_IS_FINE,
        likely_cause(command, run),
        output_tail(run),
    )
    return PreflightError(message, Obstacle.EMPTY_REPRODUCES)


_EMPTY_IS_FINE: Message = (
    "; to take the empty input for the result, say ",
    Advice("allow_empty", True),
    ", to find the smallest that is not empty, ",
    Advice("allow_empty", False),
    ".",
)
"""The choice to go on, at the end of a sentence."""


def empty_is_fine(command: TestCommand) -> Message:
    """Return the note on an empty input that reproduces, which is an answer or allowed."""
    told = f"The empty input of '{command.name}' reproduces too, so the result may be empty"
    return (f"{told}; to find the smallest that is not, say ", Advice("allow_empty", False), ".")


def alone_note(command: TestCommand, alone: Sequence[str]) -> Message:
    """Return the note on a pipeline whose last program passes on the input itself."""
    line = alone[-1].replace("{file}", command.name)
    return (
        f"'{line}' passes, so the fault is in the program before it; inputs on which it fails are"
        " not taken.",
    )


def compiler_note(alone: Sequence[str]) -> Message:
    """Return the note on a program in which its compiler finds nothing that dies by chance."""
    return (
        f"{alone[-1].split()[0]} finds nothing in the input that dies by chance, as a variable that"
        " is never set, so programs in which it does are not taken. To take them, say ",
        Advice("keep_valid", False),
        ".",
    )


def fails_alike(command: TestCommand, shown: Run, run: Run) -> bool:
    """Say whether a run on the empty input failed as that on the original, with the same words.

    Then the empty input is an answer, if others pass. An assertion of equality, or a slip in a
    predicate, fails alike for almost any input, and its values say nothing.
    """
    if compares(command, shown) or predicate_fault(command, shown):
        return False
    own, other = _whole_messages(shown, run)
    by_rule = command.interesting or command.reproduces is not None
    return by_rule or own == other or command.level is Level.MESSAGE


def tells_apart(command: TestCommand, shown: Run, run: Run) -> bool:
    """Say whether the message of an error tells the original's failure from that of another run.

    Not if it holds all of the input, for then no other could have the same; nor if what failed is
    an assertion, whose message is made of values.
    """
    failure = find_failure(shown, shown.file)
    if failure is None or failure.error.startswith("AssertionError") or _is_ruled(command):
        return False
    own, other = _whole_messages(shown, run)
    return command.level is Level.LOCATION and own != other and shown.text.strip() not in own


def keeps_values(command: TestCommand, shown: Run, run: Run) -> bool:
    """Say whether a failed assertion shows so much of the input that its values may be kept.

    That is each of the words of the input, and a value that is longer than it: so no part of the
    input can be that value itself, of which nothing would be wrong.
    """
    failure = find_failure(shown, shown.file)
    if failure is None or not failure.error.startswith("AssertionError") or _is_ruled(command):
        return False
    own, other = _whole_messages(shown, run)
    words = re.findall(r"[^\W\d_]{3,}", shown.text)
    values = re.split(" [=!]= ", failure.message.rpartition(" not found in ")[2])
    is_long = all(len(each.strip(" '\"")) > len(shown.text) for each in values)
    is_whole = values != [failure.message] and "..." not in failure.message
    is_shown = bool(words) and all(word in failure.message for word in words)
    is_usual = own != other and command.level is Level.LOCATION
    return is_usual and is_whole and is_long and is_shown


def _good_version(command: TestCommand) -> Message:
    return (
        " Name a version that gets it right, such as ",
        Advice("good", fitting_version(command)),
    )


def other_message_note(command: TestCommand, shown: Run, run: Run) -> Message:
    """Return the note on an empty input that fails at the same place with another message."""
    if keeps_values(command, shown, run):
        told = (
            "The failure is an assertion that almost any other input fails, too. So the values that"
            " it shows must stay as they are."
        )
        return (told, *_good_version(command), ", and a shorter input may do.")
    own, other = _whole_messages(shown, run)
    return (
        f"The empty input fails, too, with another message: '{other}' instead of '{own}'. So a"
        " candidate must have the same message; if the empty input will do as a result, say ",
        Advice("allow_empty", True),
        ".",
    )


def _whole_messages(shown: Run, run: Run) -> tuple[str, str]:
    own, other = (signature(each, each.file, Level.MESSAGE) for each in (shown, run))
    return own, other


def _is_ruled(command: TestCommand) -> bool:
    """Say whether the verdict is by a rule of the user's, or by the outputs of two commands."""
    return command.interesting or command.reproduces is not None or command.compares_output


_FILE_NAME = re.compile(r"[\w./+-]*(?:/|\.[A-Za-z]\w{0,9})[\w.+-]*")
_NOT_THERE = re.compile(
    r"(?i)no such file|can(?:'t|not) (?:open|find|access)|not found|does not exist|cannot stat"
)


def missing_file(command: TestCommand, run: Run) -> PreflightError | None:
    """Return the error for a file that the command names and that no run finds, if it is so."""
    output = f"{run.stderr}\n{run.stdout}"
    if not run.failed or _NOT_THERE.search(output) is None or command.folder:
        return None
    names = (name for part in command.argv[1:] for name in part.split())
    for name in names:
        is_name = _FILE_NAME.fullmatch(name) is not None and "{" not in name
        if is_name and name in output and not os.path.exists(command.cwd / name):
            told = f"The command names '{name}', and there is no such file in {command.cwd}."
            return PreflightError(f"{told}{output_tail(run)}", Obstacle.NOT_FOUND)
    return None


def _why_empty(command: TestCommand) -> str:
    """Return the likely reason why the empty input reproduces, without its full stop."""
    if command.compares_output:
        return "the outputs of the two commands differ on it as well"
    if command.predicate is not None:
        return f"the predicate '{command.predicate}' holds for it, as it may for any text"
    if command.runs_pytest or command.content is not str:
        return "the test fails whatever the input is, as far as was tried"
    if command.names_file:
        return (
            "either the failure does not depend on the input, or the command does not read the "
            "candidate, whose path stands where {file} is in the command"
        )
    return (
        "either the failure does not depend on the input, or the command does not read the "
        f"candidate, which it gets on standard input and as '{command.name}' where it runs; put "
        "{file} where the input's path goes in the command"
    )


_OWN_FAULTS = frozenset({"NameError", "UnboundLocalError", "TypeError", "ImportError"})
"""Errors that are more likely in a new predicate than in the program that it calls."""


def predicate_fault(command: TestCommand, run: Run) -> str:
    """Return the sentence that suspects the predicate where it fails itself; else nothing."""
    failure = find_failure(run, run.file) if command.predicate is not None else None
    if failure is None or command.predicate is None or failure.error not in _OWN_FAULTS:
        return ""
    module, _, function = command.predicate.partition(":")
    file, _, place = failure.place.partition(": ")
    if Path(file).stem != module.rpartition(".")[2] or function.split(".")[-1] not in place:
        return ""
    message = f": {failure.message}" if failure.message else ""
    return (
        f"The failure is a {failure.error} in the predicate '{command.predicate}' itself{message}. "
        "If this is a slip in the predicate, mend it first."
    )


def other_reproduces(command: TestCommand, shown: Run, other: str) -> Message:
    """Return the note on a short, unrelated input `other` that reproduces the failure, too."""
    if compares(command, shown):
        told = (
            "The failure is an assertion that two values are equal, and almost any other input "
            f"fails it as well, even {other!r}."
        )
        return (told, *_keep_values(command))
    return (f"Even {other!r} fails like the input, so little else can matter in it.",)


def long_run_note(command: TestCommand, longest: float) -> Message:
    """Return the note on a first run that is still running, and may take so many seconds."""
    told = (
        f"The first run takes more than {LONG_RUN_SECONDS:.0f} s. It is ended after {longest:.3g}"
        " s; "
    )
    if command.timeout is not None or command.reproduces is not None:
        return (told, Advice("timeout"), " changes this.")
    is_hang = " changes this. If the hang is the failure, say "
    return (told, Advice("timeout"), is_hang, Advice("reproduces", "seconds>N"), ".")


def time_notes(command: TestCommand, run: Run, timeout: float) -> list[Message]:
    """Return notes on the timeout and, if runs are slow, on the time a reduction will take."""
    notes: list[Message] = []
    if command.timeout is None:
        told = f"Runs are stopped after {timeout:.1f} s; change with "
        notes.append((told, Advice("timeout"), "."))
    if run.seconds >= SLOW_RUN_SECONDS:
        least, most = next(_RUNS[size] for size in _RUNS if len(run.text) <= size)
        expected = f"{_span(least * run.seconds)} to {_span(most * run.seconds)}"
        notes.append(
            (
                f"A run takes {run.seconds:.1f} s. Inputs of this size need some {least} to {most} "
                f"runs, so expect {expected} (less with ",
                Advice("jobs"),
                "); the best so far can be had at any time.",
            )
        )
    return notes


def _span(seconds: float) -> str:
    """Return a number of seconds as hours, minutes or seconds."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def margin_notes(command: TestCommand, run: Run) -> list[Message]:
    """Return the note on a rule that limits time or memory, with a warning if it hardly does."""
    rule = command.reproduces
    if rule is None or not rule.measures:
        return []
    told = "What a run uses varies, so a candidate must be beyond the limit by a tenth"
    if not rule.matches(run, MARGIN):
        told += f". The input itself used too little for that{rule.used(run)}; give a lower limit"
    return [(f"{told}.",)]


def end_alone_note(run: Run) -> Message:
    """Return the note on a failure of which only the exit status or signal can be compared."""
    told = (
        f"Only the end of a run is compared ({run.end}), for the output names no failure. If other"
        " failures end so, too, say what yours prints with "
    )
    return (told, Advice("reproduces", "stderr=REGEX"), ".")


def written_note(written: Sequence[str], how: str) -> str:
    """Return the note on files that the command wrote in a shared folder, and the consequence."""
    names = ", ".join(written[:_FILES_SHOWN])
    more = f" and {len(written) - _FILES_SHOWN} more" if written[_FILES_SHOWN:] else ""
    return f"The command wrote {names}{more}; {how}."


def sandbox_notes(command: TestCommand) -> list[Message]:
    """Return the note on a sandbox that this system cannot make, if one is asked for."""
    if not command.is_strict or version():
        return []
    told = (
        "This system cannot keep a run from writing elsewhere: that takes Landlock, which Linux "
        "has from 5.13 on where it is enabled. The runs go on without it."
    )
    return [(told,)]
