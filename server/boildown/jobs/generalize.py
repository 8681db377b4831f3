"""Generalizes a failing input by its test command: finds the pattern of those that fail alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from boildown.engine.generalizing import generalize as engine
from boildown.engine.generalizing.generalize import LAW_RUNS, GeneralizeOptions
from boildown.engine.generalizing.given import GivenInput
from boildown.engine.language import Language
from boildown.engine.laws.law import Law
from boildown.engine.laws.law import worded as worded_rule
from boildown.engine.oracle import Oracle, Outcome, Stop, judge, limited, observed
from boildown.engine.passing import Passing, PassingTexts
from boildown.engine.patterns.hole import Evidence, Hole, Recall
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.patterns.sketch import sketch
from boildown.engine.rescue import attempted
from boildown.jobs.events import See
from boildown.jobs.reduce import Reduced
from boildown.jobs.work import JobOptions, Work, prepared
from boildown.runner.advice import Message
from boildown.runner.command import TestCommand
from boildown.runner.runner import Runner
from boildown.targets.pytest_command import other_cases

__all__ = [
    "LAW_RUNS",
    "METHODS",
    "Evidence",
    "GeneralizeOptions",
    "Generalized",
    "GivenInput",
    "Hole",
    "Law",
    "Recall",
    "generalize",
    "sketch",
    "worded_rule",
]

_MOST_REMEMBERED = 200
"""Texts of an earlier reduction that passed, the closest ones, whose verdicts count."""
METHODS = tuple(sorted(engine.METHODS))
"""The names of the methods of generalization."""


@dataclass(frozen=True, slots=True)
class Generalized:
    """The result of a generalization by a test command."""

    pattern: Pattern
    language: str
    """The name or grammar file from which `load_language` gets the language again."""
    signature: str
    """The failure that the pattern is of."""
    notes: tuple[Message, ...]
    seconds: float
    """From the start of the job to its end."""
    others: dict[str, str]
    """Other failures that were met on the way: signature to smallest text. None where inputs were
    given, since these texts may be mutants of them."""
    smallest: str = ""
    """The smallest failing input that was met."""
    passing: Passing | None = None
    """The input that passes closest to that, of those that were tried; None: none is known, or
    inputs were given, as for `others`."""
    forget: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """To be called when the result is where it belongs: deletes the record of a finished job."""


def generalize(
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    how: GeneralizeOptions | None = None,
    seed: int = 0,
    *,
    before: Reduced | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Generalized:
    """Find the pattern of a failing input by its test command.

    A stop, a limit of runs or of seconds is no error: what is known is the result. Where the input
    is the value of one case of a parametrized test, those of the others are run, too. `before` is a
    reduction that led to the input: its verdicts count if its original still reproduces.

    Raises:
        PreflightError: the input does not reproduce; the message says why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such method or pass.
    """
    work, how = prepared(text, command, options, see, stopped), how or GeneralizeOptions()
    language, passes = work.language, work.options.passes
    near = PassingTexts()
    cases = (GivenInput(name, value, fails=False) for name, value in other_cases(command))
    how = replace(how, given=(*how.given, *cases))
    engine.check_names(how.method, passes)
    with Runner(command, work.options.jobs, work.limits.over, work.note) as runner:
        try:
            start = work.begin(runner)
            with work.oracle(runner, start, "generalize", how, seed) as (oracle, _):
                how = with_affordable_law(how, work)
                seen = observed(oracle, lambda new, it: near.see(new, it, len(work.best or text)))
                find = partial(engine.generalize, text, seen, language, Random(seed))
                if before is not None:
                    find = partial(find, **_remembered(before, oracle))
                whole = partial(find, how, work.watch, passes=passes)
                pattern = attempted("pattern", whole, None, work.defect) or _plain(
                    work.best or text, language, how
                )
                is_over = pattern.finished
        except Stop:
            return _result(work, _plain(text, language, how), "", near)
    with Runner(command, 1, stopped, work.note) as runner:
        work.progress("verify")
        verify = partial(_reproduces, runner.oracle(work.expected(start)), pattern.text)
        if not attempted("verify", verify, True, work.defect):
            work.note(
                "The text of the pattern did not fail when it was run again, so the test command"
                " is not reliable, and neither is the pattern.",
                "unreliable",
            )
            pattern = replace(pattern, finished=False)
    for sentence in pattern.notes:
        work.note(sentence, "pattern")
    found = _result(work, pattern, start.expected.signature, near)
    if before is not None and before.reduction.text == found.smallest:
        found = replace(found, passing=before.reduction.passing or found.passing)
    if is_over:
        found = replace(found, forget=work.forget)
    return replace(found, others={}, passing=None) if how.given else found


def _remembered(before: Reduced, oracle: Oracle) -> dict[str, Any]:
    """Return the verdicts of an earlier reduction, unless its original reproduces no more."""
    found = before.reduction
    original = found.history[0].text
    if not judge(oracle, original).reproduced:
        return {}
    known = dict.fromkeys(found.tried.around(found.text, _MOST_REMEMBERED), Outcome.PASSED)
    known |= dict.fromkeys((step.text for step in found.history), Outcome.REPRODUCED)
    short = {text: each for text, each in known.items() if len(text) <= engine.LONGEST_EVIDENCE}
    return {"known": short, "original": original}


def with_affordable_law(how: GeneralizeOptions, work: Work) -> GeneralizeOptions:
    """Return options with the runs for a law that a job can afford, and tell if they are few."""
    assert work.measured is not None
    cpu, took = work.measured.cpu, work.measured.took
    how, told = engine.with_affordable_law(how, cpu, took, work.options.max_seconds)
    if told is not None:
        work.note(told, "law-runs")
    return how


def _result(work: Work, pattern: Pattern, signature: str, near: PassingTexts) -> Generalized:
    smallest = work.best or pattern.text
    return Generalized(
        replace(pattern, runs=work.count.runs, outcomes=work.count.outcomes),
        work.options.language or work.language.name,
        signature,
        tuple(work.notes),
        work.elapsed(),
        work.others,
        smallest,
        near.closest(smallest),
    )


def _plain(text: str, language: Language, how: GeneralizeOptions) -> Pattern:
    """Return the pattern of a text of which nothing is known."""
    stopped = limited(lambda _texts: iter(()), 0)
    how = replace(how, reduce_first=False)
    return replace(engine.generalize(text, stopped, language, Random(0), how), finished=False)


def _reproduces(oracle: Oracle, text: str) -> bool:
    """Say whether a text reproduces when it is run afresh; yes if a stop leaves no time for it."""
    try:
        return judge(oracle, text).reproduced
    except Stop:
        return True
