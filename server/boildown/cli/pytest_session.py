"""Reduces the input of a test that failed in a session of pytest, within a number of seconds.

The plugin, `pytest_boildown`, calls it when the session has ended. Nothing is written but a report.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from boildown.cli.stopping import interruptible
from boildown.files import FileError, is_replaceable, write_text
from boildown.jobs.advice import for_terminal, message_of
from boildown.jobs.emptying import chosen
from boildown.jobs.generalize import GeneralizeOptions, generalize, sketch
from boildown.jobs.inert import short, terminal
from boildown.jobs.input_candidates import InputCandidate, failing_tests, input_candidates
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.report import report as bug_report
from boildown.jobs.words import summary
from boildown.jobs.work import CannotRun, JobOptions, LanguageError, PreflightError, Stop
from boildown.targets.failing_tests import selected

_SHOWN = 2000
"""Characters of a reduced input or of a pattern that are shown."""
_PATTERN_RUNS = 200
"""Runs that are made for a pattern: somebody waits for the end of the session."""


def reduced(node: str, cwd: Path, seconds: float, report: Path | None) -> tuple[list[str], int]:
    """Reduce the input of a failing test; return the lines that tell of it, also of an error.

    `node` is the test as pytest selects it from the folder `cwd`; the Python that runs this runs
    it. The seconds count from the first candidate. With a path for it, a bug report is written.
    With the lines comes the exit status that a signal asks for, if one has ended the job; else 0.
    """
    lines: list[str] = []
    with interruptible() as interrupted:
        try:
            with interrupted.at_work():
                for line in _lines(node, cwd, seconds, report, interrupted.is_set):
                    lines.append(terminal(line))
        except (PreflightError, CannotRun, FileError, LanguageError) as error:
            lines += terminal(message_of(error, for_terminal)).splitlines()
        except Stop:
            lines.append(f"The input of {terminal(node)} was not found.")
    return lines, interrupted.status


def _lines(
    node: str, cwd: Path, seconds: float, report: Path | None, over: Callable[[], bool]
) -> Iterator[str]:
    if over():
        raise Stop("the session is to end")
    if report is not None and not is_replaceable(cwd / report):
        raise FileError(f"{report} is there already, and not from Boildown. Name another file.")

    selection = selected(node, cwd, (sys.executable,))
    assert selection is not None  # It names a test.
    test, *_ = failing_tests(selection, stopped=over)
    likely = [each for each in chosen(test, input_candidates(test), over) if each.likely]
    if not likely:
        yield f"{test.shown} reads neither a literal nor a file."
        return
    found, *others = likely
    options = JobOptions(
        language=found.language, max_seconds=seconds, from_candidate=True, earlier=found.earlier
    )
    began = time.monotonic()
    result = reduce(found.text, found.command, options, stopped=over)
    yield from _told(found, result)
    result.forget()
    if others:
        yield f"It may be another input, too: {', '.join(each.where for each in others)}."
    if not over() and result.reduction.finished:
        left = max(0.0, seconds - (time.monotonic() - began))
        limits = replace(options, max_seconds=left, max_runs=_PATTERN_RUNS)
        yield from _pattern(found, result, limits, over)
    yield f"The same again: boildown reduce {shlex.quote(node)}"
    if report is not None:
        markdown = bug_report(found.command, found.text, result)
        if markdown is None:
            yield "There is no report, for the result was not run to its end."
        else:
            write_text(cwd / report, markdown)
            yield f"Report written to {report}."


def _told(found: InputCandidate, result: Reduced) -> Iterator[str]:
    """Yield the lines on a result, with the reduced text after the first."""
    first, *others = summary(f"{found.named} ({found.where})", found.text, result, for_terminal)
    yield first
    yield f"  {short(found.written(result.text), _SHOWN)}"
    yield from others


def _pattern(
    found: InputCandidate, result: Reduced, options: JobOptions, over: Callable[[], bool]
) -> Iterator[str]:
    """Yield the pattern of the inputs that fail like the reduced one."""
    how = GeneralizeOptions(reduce_first=False)
    generalized = generalize(result.text, found.command, options, how, stopped=over)
    generalized.forget()
    pattern = generalized.pattern
    early = "" if pattern.finished else " before it was stopped"
    if pattern.is_general:
        yield f"The pattern of those that fail like it, in {pattern.runs} runs{early}:"
        yield f"  {short(sketch(pattern).line, _SHOWN)}"
    else:
        yield f"No pattern was found in {pattern.runs} runs{early}."
