"""The preflight: checks that the failure happens, every time, and because of the input.

Each thing that can be wrong has a message of its own that says what to do next.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from boildown.engine.flaky import is_too_rare
from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.advice import Message, as_message
from boildown.runner.command import AUTO_REPEAT, Isolation, Level, TestCommand
from boildown.runner.judging.doubts import compares_end_alone
from boildown.runner.judging.judge import Expected, expected_of, judge_run, signature_of
from boildown.runner.judging.signature import find_failure
from boildown.runner.judging.telling import named_lines
from boildown.runner.judging.words import Masked, Words
from boildown.runner.pipelines import compiler_on_candidate, last_on_candidate
from boildown.runner.preflight.diagnosis import (
    LONG_RUN_SECONDS,
    SLOW_RUN_SECONDS,
    STEADY_ADVICE,
    PreflightError,
    alone_note,
    compares,
    compiler_note,
    empty_is_fine,
    empty_reproduces,
    end_alone_note,
    fails_alike,
    flaky_note,
    keeps_values,
    long_run_note,
    margin_notes,
    missing_file,
    no_input,
    no_reproduction,
    other_message_note,
    other_reproduces,
    predicate_fault,
    sandbox_notes,
    tells_apart,
    time_notes,
    unsteady_output,
    written_note,
)
from boildown.runner.run import NONE_EARLIER, CannotRun, EarlierRuns, Measured, Obstacle, Run
from boildown.runner.runner import Runner
from boildown.runner.workspace import changes, is_small, snapshot, workspace_of

__all__ = ["Preflight", "PreflightError", "choose_timeout", "preflight"]

FIRST_RUN_TIMEOUT = 600.0
"""Seconds that the first run may take if the user gives no timeout."""
_HANG_TIMEOUT = 10.0
"""Seconds after which a run counts as hanging if hangs are looked for and no timeout is given."""

_FLAKY_RUNS, _RARE_RUNS, _RARE_HITS = 20, 40, 3
"""How often the original is run to measure how often it fails, if not always; more often where it
failed less than three times."""
_HOPEFUL_RUNS, _HOPEFUL_SECONDS = 10, 5.0
"""How often the original is run if it never failed, for it may do so seldom, and how long all these
runs may take."""
_FLAKY_SECONDS = 60.0
"""How long all runs of the original may take, before fewer must do."""
_SHORT = 100
"""Characters from which on a few runs more than a reduction needs do not count."""
_OTHER_TEXT = "0"
"""The text that is tried as another input if no valid one is known."""

_TakeNote: TypeAlias = Callable[[str | Message, str], None]
"""Takes a note, and the code by which programs know it."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """The result of a preflight: the expected failure, and the time that runs take."""

    expected: Expected
    """The failure that a run is compared with, and the seconds that it may take."""
    measured: Measured
    seconds: float
    """Of one run on the original: the median."""
    spread: float
    """Seconds between the fastest and the slowest run on the original."""
    run: Run
    """The first run on the original."""
    runs: int
    """How many runs the preflight took."""
    reproduced: int
    """How many runs on the original reproduced the failure."""
    tried: int
    """How many runs on the original there were."""
    notes: tuple[Message, ...] = ()
    """For the user."""
    judged: Mapping[str, Verdict] = field(default_factory=dict)
    """The verdicts on other texts that were run: on candidates, which need no run in the search."""


def preflight(
    runner: Runner,
    text: str,
    repeat: int = 3,
    trivial: str | None = None,
    tell: Callable[[Message], None] = lambda _message: None,
    alive: Callable[[], None] = lambda: None,
    *,
    earlier: EarlierRuns = NONE_EARLIER,
) -> Preflight:
    """Run the command on the original `repeat` times (more if the results differ) and on others.

    The others are the empty input and `trivial`, the shortest valid one, if there is such a thing.
    `tell` gets each message for the user as soon as it is known, and `alive` is called once a
    second during a long first run. Raises PreflightError with a message for the user, and Stop.
    """
    # A run that is compared with that of another command says nothing without it.
    is_alone = len(runner.command.roles) == 1
    asked = _Asked(text, max(1, repeat), trivial, earlier if is_alone else NONE_EARLIER)
    notes: list[Message] = []

    def note(told: str | Message, code: str) -> None:
        message = as_message(told, code)
        notes.append(message)
        tell(message)

    try:
        found = _preflight(runner, asked, note, alive)
    except CannotRun as error:
        raise PreflightError(error.message, error.kind) from error
    return replace(found, notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The original and the runs that a preflight has of it already."""

    text: str
    repeat: int
    trivial: str | None
    earlier: EarlierRuns


def _preflight(
    runner: Runner, asked: _Asked, note: _TakeNote, alive: Callable[[], None]
) -> Preflight:
    text, trivial = asked.text, asked.trivial
    if not text:
        raise no_input()
    command = runner.command
    for told, code in ((command.notes, "command"), (sandbox_notes(command), "sandbox")):
        for sentence in told:
            note(sentence, code)
    before, began, words = _shared_files(command), runner.runs, Words(text)
    done = _at_once(runner, asked, words, note, alive)
    runs, timeout, masked = done or _measure(runner, asked, words, note, alive)
    # Looked for twice: a run on another input may remove what those on the original have made.
    written = _written(before)
    if unsteady := unsteady_output(command, runs):
        raise unsteady
    expected = _expectation(command, runs, masked, timeout)
    shown = next(run for run in runs if judge_run(command, run, expected).reproduced)
    if expected.rate is not None:
        seen = [_seen(command, run, masked)[0] or run.end for run in runs]
        others = [other for other in seen if other != expected.signature]
        note(flaky_note(len(runs), expected, others), "flaky")
    for message in margin_notes(command, shown):
        note(message, "margin")
    given, command = command, _beside_pipeline(runner, text, shown, expected, note)
    verdict, run = _emptied(runner, asked.earlier.emptied, expected)
    expected, verdict = _by_other_lines(command, shown, run, expected, verdict)
    if compares_end_alone(given, expected, shown):
        note(end_alone_note(shown), "end-alone")
    if suspect := predicate_fault(command, shown):
        note(suspect, "predicate")
    judged: dict[str, Verdict] = {}

    def reproduces(other: str) -> bool:
        if other not in judged:
            judged[other], _ = runner.verdict(other, expected)
        return judged[other].reproduced

    if verdict.reproduced and command.allow_empty is None:
        others = [each for each in (trivial, _OTHER_TEXT, text[: len(text) // 2]) if each]
        stricter = _by_message(command, shown, run, expected, not all(map(reproduces, others)))
        if stricter is not expected:
            expected, verdict = stricter, judge_run(command, run, stricter)
            judged.clear()
            note(other_message_note(command, shown, run), "message")
    if verdict.reproduced and command.allow_empty is not False:
        note(empty_is_fine(command), "empty-reproduces")
    other = trivial or (_OTHER_TEXT if compares(command, shown) else None)
    if other and other != text and reproduces(other):
        note(other_reproduces(command, shown, other), "other-reproduces")
    if command.preload is not None and not runner.warm:
        note(f"Each run starts Python anew: {runner.why_cold}.", "cold-runs")
    written |= _written(before)
    if written and command.isolate.kind != "none":
        _keep_apart(runner, text, expected, sorted(written), note)
    for sentence in _pytest_notes(runner, text, expected, runs, done is None):
        note(sentence, "pytest")
    judged[run.text] = verdict
    return _stated(command, runs, shown, expected, runner.runs - began, judged)


def _emptied(runner: Runner, earlier: Run | None, expected: Expected) -> tuple[Verdict, Run]:
    """Return the verdict and the run on the empty input, of which there may be an earlier one."""
    if earlier is None or expected.rate is not None:
        return runner.verdict("", expected)
    return judge_run(runner.command, earlier, expected), earlier


def _beside_pipeline(
    runner: Runner, text: str, shown: Run, expected: Expected, note: _TakeNote
) -> TestCommand:
    """Have a runner refuse candidates that a program of a pipeline rejects by itself.

    That is the last one, if it reports an error, or a compiler of what dies without a word, if it
    passes on the original. Returns the command that it runs.
    """
    command = runner.command
    if find_failure(shown, shown.file) is not None:
        code, alone = "last-program", last_on_candidate(command)
    else:
        code, alone = "compiler", compiler_on_candidate(command)
    if not alone:
        return command
    runner.go_on_with(replace(command, good=alone))
    if runner.verdict(text, expected)[0].reproduced:
        note(alone_note(command, alone) if code == "last-program" else compiler_note(alone), code)
    else:
        runner.go_on_with(command)
    return runner.command


def _by_message(
    command: TestCommand, shown: Run, empty: Run, expected: Expected, other_passes: bool
) -> Expected:
    """Return how candidates are judged where the empty input fails, too, in the run `empty`.

    By the message as well, if that tells it from the original. Raises PreflightError if the empty
    input is no answer.
    """
    is_told = other_passes and tells_apart(command, shown, empty)
    if is_told or keeps_values(command, shown, empty):
        told = expected_of(command, shown, expected.words, expected.timeout, Level.MESSAGE)
        return replace(told, rate=expected.rate, confidence=command.confidence)
    if not (other_passes and fails_alike(command, shown, empty)):
        raise missing_file(command, empty) or empty_reproduces(command, shown, empty)
    return expected


def _stated(
    command: TestCommand,
    runs: list[Run],
    shown: Run,
    expected: Expected,
    number: int,
    judged: Mapping[str, Verdict],
) -> Preflight:
    """Return the findings of a preflight of so many runs, `runs` of them on the original.

    `judged` are the verdicts on other texts. None counts that a further run could change, as of a
    flaky failure, or of one that is measured more strictly in a search.
    """
    is_sure = expected.rate is None and not (command.reproduces and command.reproduces.measures)
    seconds = [run.seconds for run in runs]
    verdicts = [judge_run(command, run, expected) for run in runs]
    return Preflight(
        expected=expected,
        measured=Measured(
            min(run.cpu for run in runs), min(run.took for run in runs), expected.timeout
        ),
        seconds=statistics.median(seconds),
        spread=max(seconds) - min(seconds),
        run=shown,
        runs=number,
        reproduced=sum(verdict.reproduced for verdict in verdicts),
        tried=len(runs),
        judged=judged if is_sure else {},
    )


def _at_once(
    runner: Runner,
    asked: _Asked,
    words: Container[str],
    note: _TakeNote,
    alive: Callable[[], None],
) -> tuple[list[Run], float, Container[str]] | None:
    """Run a short original of a test three times, two at a time, which shows two things at once.

    That is that it always fails, and that runs do not disturb each other. Returns what `_measure`
    does; None if anything differs, or more runs than these were asked for.
    """
    command, text = runner.command, asked.text
    is_short = len(text) < _SHORT and asked.repeat == AUTO_REPEAT and command.timeout is None
    if not is_short or runner.jobs == 1 or not command.runs_pytest or command.reproduces:
        return None
    first, runs = asked.earlier.original, []
    if first is None:
        longest = longest_run(command)
        first = runner.run(text, longest, cold=True, waits=patience(command, longest, note, alive))
        runs = [first]
    seen = _seen(command, first, words)
    if first.timed_out or seen[1] is not Outcome.REPRODUCED:
        return None
    timeout = choose_timeout(first.took)
    runs += runner.together(text, AUTO_REPEAT, timeout)
    if any(_seen(command, run, words) != seen for run in runs):
        return None
    for message in time_notes(command, min(runs, key=lambda run: run.seconds), timeout):
        note(message, "time")
    return runs, timeout, words


def _measure(
    runner: Runner,
    asked: _Asked,
    words: Container[str],
    note: _TakeNote,
    alive: Callable[[], None],
) -> tuple[list[Run], float, Container[str]]:
    """Run the original, more often if the results differ.

    Returns the runs, the timeout, and the words that are not compared.
    """
    command, text, repeat = runner.command, asked.text, asked.repeat
    wants_hang = command.reproduces is not None and command.reproduces.timeout
    longest = longest_run(command)
    runs = [runner.run(text, longest, cold=True, waits=patience(command, longest, note, alive))]
    timeout = longest if wants_hang else command.timeout or choose_timeout(runs[0].took)
    if runner.warm and repeat > 1 and not runs[0].timed_out:
        # It was cold, which those to come are not.
        runs.append(runner.run(text, timeout))
    if wants_hang or not runs[0].timed_out:
        for message in time_notes(command, runs[-1], timeout):
            note(message, "time")
    while len(runs) < repeat:
        if runs[0].timed_out and not wants_hang:
            break
        runs.append(runner.run(text, timeout))
    if len({_seen(command, run, words) for run in runs}) > 1 and runner.warm:
        runs += _without_warmth(runner, text, words, timeout, runs)
    words = _steadied(command, runs, words)
    while repeat == AUTO_REPEAT and _may_fail(command, runs, words) and len(runs) < _HOPEFUL_RUNS:
        if _took(runs) > _HOPEFUL_SECONDS:
            break
        runs.append(runner.run(text, timeout))
    while len({_seen(command, run, words) for run in runs}) > 1:
        seen = Counter(_seen(command, run, words) for run in runs)
        hits = max((n for each, n in seen.items() if each[1] is Outcome.REPRODUCED), default=0)
        if len(runs) >= (_FLAKY_RUNS if hits >= _RARE_HITS else _RARE_RUNS):
            break
        if _took(runs) > _FLAKY_SECONDS and len(runs) >= 2 * repeat:
            break
        runs.append(runner.run(text, timeout))
    return runs, timeout, words


def _steadied(command: TestCommand, runs: list[Run], words: Container[str]) -> Container[str]:
    """Return the words that are not compared, with those that differ between runs on one input.

    Such are names that a program makes by chance. They are left out if that makes all runs equal,
    and if they are fewer than the words that stay.
    """
    said = [set(re.findall(r"[^\W\d_]+", signature_of(command, run, words))) for run in runs]
    common = set.intersection(*said)
    unsteady = frozenset(word.lower() for word in set.union(*said) - common)
    masked = Masked(words, unsteady)
    is_steady = len({signature_of(command, run, masked) for run in runs}) == 1
    return masked if 0 < len(unsteady) <= len(common) and is_steady else words


def _by_other_lines(
    command: TestCommand, shown: Run, other: Run, expected: Expected, verdict: Verdict
) -> tuple[Expected, Verdict]:
    """Return the failure by lines that a run on another input does not print, and its verdict.

    What is printed there, too, tells nothing of this failure: if that run passes, or if another
    line of the original's run is left to tell it by.
    """
    masked = expected.words if isinstance(expected.words, Masked) else Masked(expected.words)
    lines = named_lines(f"{other.stderr}\n{other.stdout}", other.text)
    masked = replace(masked, untelling=masked.untelling | lines)
    again = expected_of(command, shown, masked, expected.timeout)
    is_usual = expected.rate is None and not (command.interesting or command.reproduces)
    if not lines or not is_usual or (other.failed and again.signature == shown.end):
        return expected, verdict
    again = replace(again, confidence=expected.confidence)
    return again, judge_run(command, other, again)


def _took(runs: Iterable[Run]) -> float:
    """Return the seconds that runs took together, about the same on a busy machine."""
    return sum(run.took for run in runs)


def _may_fail(command: TestCommand, runs: list[Run], words: Container[str]) -> bool:
    """Say whether the original passes as it was run, which a rare failure would let it do."""
    passed = all(not run.failed and not run.timed_out and not run.turned_down for run in runs)
    is_judged = command.interesting or command.reproduces is not None or command.invalid is not None
    return passed and not (is_judged or command.good)


def patience(
    command: TestCommand, longest: float, note: _TakeNote, alive: Callable[[], None]
) -> Callable[[], None]:
    """Return the callback of a first run that may be long: notes so once, and shows some life."""
    began = seen = time.monotonic()
    told = False

    def waits() -> None:
        nonlocal seen, told
        now = time.monotonic()
        if now - began > LONG_RUN_SECONDS and not told:
            told = True
            note(long_run_note(command, longest), "long-run")
        if now - seen > 1:
            seen = now
            alive()

    return waits


def _without_warmth(
    runner: Runner, text: str, words: Container[str], timeout: float, runs: list[Run]
) -> list[Run]:
    """Check whether runs differ because some are warm; if so, make all runs cold.

    The first of `runs` is cold. Returns a second cold run, unless that replaced all the others.
    """
    command = runner.command
    again = runner.run(text, timeout, cold=True)
    warm = {_seen(command, run, words) for run in runs[1:]}
    if _seen(command, again, words) == _seen(command, runs[0], words) and len(warm) == 1:
        runner.warm = False
        runner.why_cold = "runs that are forked from one process end differently"
        del runs[1:]
    return [again]


def _seen(command: TestCommand, run: Run, words: Container[str]) -> tuple[str, Outcome]:
    """Return the signature and the outcome of a run, by which runs are compared.

    `words` are those of the original.
    """
    seen = signature_of(command, run, words)
    return seen, judge_run(command, run, Expected(seen, words=words)).outcome


def _expectation(
    command: TestCommand, runs: list[Run], words: Container[str], timeout: float
) -> Expected:
    """Return the expected failure: the one that was seen most often.

    Raises PreflightError if that is none, or too rare.
    """
    reproduced = [
        seen
        for seen, outcome in (_seen(command, run, words) for run in runs)
        if outcome is Outcome.REPRODUCED
    ]
    if not reproduced:
        raise no_reproduction(command, runs)
    failure, count = Counter(reproduced).most_common(1)[0]
    shown = next(run for run in runs if _seen(command, run, words) == (failure, Outcome.REPRODUCED))
    expected = expected_of(command, shown, words, timeout)
    expected = replace(expected, confidence=command.confidence)
    if command.interesting or command.reproduces is not None:
        count = len(reproduced)
    if count == len(runs):
        return replace(expected, signature=failure)
    rate = count / len(runs)
    if is_too_rare(count, len(runs)):
        seldom = (
            f"The failure is flaky: only {count} of {len(runs)} runs on the input gave '{failure}'."
        )
        raise PreflightError((seldom, *STEADY_ADVICE), Obstacle.FLAKY)
    return replace(expected, signature=failure, rate=rate)


def longest_run(command: TestCommand) -> float:
    """Return the seconds that a run may take of which nothing is known yet."""
    wants_hang = command.reproduces is not None and command.reproduces.timeout
    return command.timeout or (_HANG_TIMEOUT if wants_hang else FIRST_RUN_TIMEOUT)


def choose_timeout(seconds: float) -> float:
    """Return the timeout for a command whose first run took so long: ten times that, within limits.

    At least 1 s, and at most 10 s more than the first run.
    """
    return max(1.0, min(10 * seconds, seconds + 10))


_Shared: TypeAlias = dict[Path, dict[str, tuple[int, int]]]
"""Folders that all runs see, each with its files."""


def _shared_files(command: TestCommand) -> _Shared:
    """Return the files in the workspace, and where the command starts if that is elsewhere."""
    workspace = workspace_of(command)
    folders = [workspace] if command.cwd.is_relative_to(workspace) else [workspace, command.cwd]
    return {folder: snapshot(folder) for folder in folders}


def _written(before: _Shared) -> set[Path]:
    """Return the files that have changed meanwhile."""
    return {
        folder / path
        for folder, files in before.items()
        for path in changes(files, snapshot(folder))
    }


def _keep_apart(
    runner: Runner, text: str, expected: Expected, written: Sequence[Path], note: _TakeNote
) -> None:
    """Keep runs apart that have written where others are: in copies, or one after the other.

    In a copy the failure must be the same, and nothing more be written elsewhere.
    """
    command = runner.command
    names = [os.path.relpath(path, command.cwd) for path in written]
    if command.cluster is not None:
        note(written_note(names, "workers that share the folder may meet there"), "written")
        return
    workspace = workspace_of(command)
    scratch = tuple(os.path.relpath(path, workspace) for path in written)
    # A command that names no file runs elsewhere already, and would run at another place.
    can_move = command.isolate.kind == "auto" and command.names_file and not command.folder
    before = _shared_files(command)
    if can_move and is_small(workspace, before[workspace]):
        runner.go_on_with(replace(command, isolate=Isolation("copy"), scratch=scratch))
        if runner.verdict(text, expected)[0].reproduced and not _written(before):
            note(written_note(names, "each worker has a copy of the folder"), "written")
            return
        runner.go_on_with(command)
    runner.jobs = 1
    note(written_note(names, "running one at a time"), "written")


def _pytest_notes(
    runner: Runner, text: str, expected: Expected, runs: list[Run], may_disturb: bool
) -> list[str]:
    """Check whether parallel runs of pytest disturb each other, and find a slow fixture or test."""
    command = runner.command
    if not command.runs_pytest:
        return []
    notes = []
    if runner.jobs > 1 and may_disturb:
        # Twice as many as workers: the first run of each worker may have to wait for its start.
        verdicts = runner.oracle(expected)([text] * (2 * runner.jobs))
        if not all(verdict.reproduced for verdict in verdicts):
            runner.jobs = 1
            notes.append(
                "Runs at the same time disturb each other (do the tests share a database or a "
                "port?), so one runs at a time."
            )
    if statistics.median(run.seconds for run in runs) >= SLOW_RUN_SECONDS:
        slow = replace(command, argv=(*command.argv, "--durations=1", "--durations-min=0.1"))
        with Runner(slow) as timed:
            run = timed.run(text, expected.timeout)
        if found := re.search(r"^([\d.]+)s (call|setup|teardown) +(.*)$", run.stdout, re.M):
            notes.append(f"Of this, the {found[2]} of {found[3]} takes {found[1]} s.")
    return notes
