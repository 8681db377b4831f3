"""The use cases, in the words of an editor: text in, events on the way, a result out.

Every front end calls these functions and nothing below them. A job blocks its caller: a server
runs it on a thread, and ends it by letting `stopped` return True.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from boildown.engine.language import Language
from boildown.engine.oracle import Stop, Verdict
from boildown.engine.reduce import Reduction, Step, Watch, unreduced
from boildown.engine.reduce import reduce as reduce_text
from boildown.engine.tidy import tidied
from boildown.languages import detect, load_language
from boildown.runner.cache import SavedJob
from boildown.runner.command import TestCommand
from boildown.runner.diagnosis import no_reproduction
from boildown.runner.judge import Expected, judge_run
from boildown.runner.preflight import LONGEST, Preflight, PreflightError, preflight
from boildown.runner.report import Facts, bug_report
from boildown.runner.run import CannotRun, Run, in_bytes
from boildown.runner.runner import Runner
from boildown.runner.signature import signature
from boildown.work import Event, Note, Options, Progress, See, Work, size, trivial

__all__ = [
    "Event",
    "Note",
    "Options",
    "PreflightError",
    "Progress",
    "Reduced",
    "See",
    "Work",
    "check",
    "in_bytes",
    "language_for",
    "observe",
    "reduce",
    "report",
    "size",
    "tokens",
]


@dataclass(frozen=True, slots=True)
class Reduced:
    """What came of a reduction, with how it was judged."""

    reduction: Reduction
    language: str
    passes: tuple[str, ...]
    notes: tuple[str, ...]
    seconds: float
    """From the start of the job to its end."""
    test_seconds: float
    """Of these, spent in runs of the test command (runs at the same time count each)."""
    verified: bool
    """Whether the result was run once more at the end and reproduced."""
    others: dict[str, str]
    """Other failures that were met on the way: signature to smallest text."""
    start: Preflight | None = None
    """What was known before the first run; None if the job was stopped before."""
    run: Run | None = None
    """The last run on the result, if it reproduced."""


def tokens(text: str) -> int:
    """Return the number of words and punctuation characters of a text."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def language_for(text: str, name: str, options: Options) -> Language:
    """Return the language that was asked for, or the one that the name and text speak for."""
    if options.language is not None:
        return load_language(options.language)
    return detect(name, text, options.language_id)


def check(
    text: str,
    command: TestCommand,
    options: Options | None = None,
    stopped: Callable[[], bool] = lambda: False,
    see: See = lambda _event: None,
) -> Preflight:
    """Run the preflight alone.

    Raises:
        PreflightError: the failing input does not reproduce, or not for sure; the message says
            why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
    """
    options = options or Options()
    language = language_for(text, command.name, options)
    with Runner(command, options.jobs, stopped) as runner:
        shortest = trivial(language, language.parse(text).tree)
        return preflight(
            runner, text, options.repeat, shortest, lambda sentence: see(Note(sentence))
        )


def observe(
    text: str, command: TestCommand, stopped: Callable[[], bool] = lambda: False
) -> tuple[Run, str]:
    """Run the command once on a reduced text; return the run and the signature of its failure.

    Raises:
        PreflightError: it does not fail; the message says what to do.
        Stop: `stopped` became true.
    """
    with Runner(command, 1, stopped) as runner:
        run = runner.run(text, command.timeout or LONGEST)
    seen = signature(run, run.file, command.level)
    if not judge_run(command, run, Expected(seen)).reproduced:
        raise no_reproduction(command, [run])
    return run, seen


def reduce(
    text: str,
    command: TestCommand,
    options: Options | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Reduced:
    """Reduce a failing input by its test command.

    A stop, a limit of runs or of seconds is no error: the best so far is the result.

    Raises:
        PreflightError: nothing can be reduced; the message says why and what to do.
        CannotRun: the cluster that the command names does not answer.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such pass.
    """
    options = options or Options()
    work = Work(text, see, stopped, options.max_seconds)
    language = language_for(text, command.name, options)
    start, run, reduction = None, None, unreduced(text)
    with Runner(command, options.jobs, work.over) as runner:
        try:
            start = work.begin(runner, language, options.repeat)
            reduction = _reduced(work, runner, start, language, options)
        except Stop:
            pass
        test_seconds = runner.seconds
    if start is not None:
        with Runner(command, 1, stopped) as runner:
            reduction, run = _verified(work, reduction, runner, start.expected, language)
    return Reduced(
        reduction,
        language.name,
        options.passes,
        tuple(work.notes),
        work.elapsed(),
        test_seconds,
        run is not None,
        work.others,
        start,
        run,
    )


def report(command: TestCommand, before: str, result: Reduced) -> str | None:
    """Return a bug report in Markdown; None if the result was not run to its end."""
    if result.start is None or result.run is None:
        return None
    reduction, expected = result.reduction, result.start.expected
    return bug_report(
        Facts(
            command,
            reduction.text,
            result.run,
            expected.signature,
            size(before),
            reduction.runs,
            reduction.minimality,
            others=result.others,
            rate=expected.rate,
        )
    )


def _reduced(
    work: Work, runner: Runner, start: Preflight, language: Language, options: Options
) -> Reduction:
    """Reduce, going on from what an earlier attempt that was cut short has left on disk."""
    settings = language.name, options.passes
    with work.oracle(runner, start, options, *settings) as (oracle, saved):
        watch = Watch(_steps_kept(work, saved), work.progress)
        reduction = reduce_text(work.text, oracle, language, options.passes, watch)
        if reduction.finished:
            saved.drop()
    known = reduction.runs - work.count.runs
    return replace(
        reduction,
        runs=work.count.runs,
        cached=reduction.cached + known,
        outcomes=work.count.outcomes,
    )


def _steps_kept(work: Work, saved: SavedJob) -> Callable[[str, Verdict], None]:
    """Return what sees each new best text and keeps it on disk."""
    number = 0

    def accepted(text: str, verdict: Verdict) -> None:
        nonlocal number
        number += 1
        work.accepted(text, verdict)
        saved.step(number, text)

    return accepted


def _verified(
    work: Work, reduction: Reduction, runner: Runner, expected: Expected, language: Language
) -> tuple[Reduction, Run | None]:
    """Run the result afresh; where it does not reproduce, go back to a step that does.

    A result that is one long line is laid out first, if it reproduces so, too. Returns the run that
    reproduced; None if there was no time for it, or no step does.
    """
    if work.stopped():
        return reduction, None
    work.progress("verify")
    steps = reduction.history
    laid_out = tidied(reduction.text, language) if len(steps) > 1 else None
    if laid_out is not None:
        steps = (*steps, Step(steps[-1].run, laid_out))
    for step in reversed(steps):
        try:
            verdict, run = runner.verdict(step.text, expected)
        except (Stop, CannotRun):
            return reduction, None
        if verdict.reproduced:
            if step.text == laid_out:
                reduction = replace(reduction, text=laid_out, history=steps)
            elif step.text != reduction.text:
                work.note(
                    "The smallest text did not fail when it was run again, so the test command is"
                    " not reliable. This is the smallest one that failed twice."
                )
                reduction = replace(reduction, text=step.text, finished=False, minimality=None)
            return reduction, run
    work.note("Not even the original failed when it was run again: nothing is reduced.")
    return replace(reduction, text=work.text, finished=False, minimality=None), None
