"""Explores the neighbourhood of a failing input, by mutation, for further failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any

from boildown.engine.exploring import explore as engine
from boildown.engine.exploring.explore import Exploration
from boildown.engine.generalizing import generalize as generalizing
from boildown.engine.oracle import Stop
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.reducing.reduce import Watch
from boildown.engine.rescue import attempted
from boildown.jobs.events import See, coded, headed
from boildown.jobs.generalize import with_affordable_law
from boildown.jobs.work import JobOptions, prepared
from boildown.runner.advice import Message
from boildown.runner.command import TestCommand
from boildown.runner.runner import Runner


@dataclass(frozen=True, slots=True)
class Explored:
    """The result of an exploration by a test command."""

    exploration: Exploration | None
    """None if the job ended before the pattern of the failing input was known."""
    language: str
    """The name or grammar file from which `load_language` gets the language again."""
    notes: tuple[Message, ...]
    runs: int
    """All of the job, those that reduced and generalized the failing input included."""
    seconds: float
    """From the start of the job to its end."""
    forget: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    """To be called when the result is where it belongs: deletes the record of a finished job."""

    @property
    def finished(self) -> bool:
        """Whether neither a limit nor a stop ended it early."""
        return self.exploration is not None and self.exploration.finished


def explore(
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    how: generalizing.GeneralizeOptions | None = None,
    mutants: int = 1000,
    seed: int = 0,
    *,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Explored:
    """Generalize a failing input, then look for other failures, and for gaps in the pattern.

    A stop, a limit of runs or of seconds is no error: what is known is the result.

    Raises:
        PreflightError: the input does not reproduce; the message says why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such method or pass.
    """
    work = prepared(text, command, options, see, stopped)
    how = how or generalizing.GeneralizeOptions()
    language, passes = work.language, work.options.passes
    generalizing.check_names(how.method, passes)
    found: Exploration | None = None
    with Runner(command, work.options.jobs, work.limits.over, work.note) as runner:
        try:
            start = work.begin(runner)
            with work.oracle(runner, start, "explore", how, mutants, seed) as (oracle, _):
                how = with_affordable_law(how, work)
                search = engine.ExploreOptions(mutants, passes=passes, law_runs=how.law_runs)
                rng = Random(seed)
                find = partial(generalizing.generalize, text, oracle, language, rng, how)
                whole = partial(find, work.watch, passes=passes)
                pattern = attempted("pattern", whole, None, work.defect)
                if pattern is not None and pattern.finished:
                    watch = Watch(
                        entered=work.progress, check=work.limits.check, defect=work.defect
                    )
                    signature = start.expected.signature
                    look = partial(engine.explore, pattern, signature, oracle, rng, search)
                    found = attempted(
                        "explore", partial(look, watch, original=text), None, work.defect
                    )
        except Stop:
            pass
    return Explored(
        found,
        work.options.language or language.name,
        tuple(work.notes),
        work.count.runs,
        work.elapsed(),
        work.forget if found is not None and found.finished else lambda: None,
    )


def dump_explored(explored: Explored, worded: Callable[[Message], str]) -> dict[str, Any]:
    """Return the findings of an exploration as JSON can hold them; `worded` makes notes texts."""
    found = explored.exploration
    return {
        **headed("exploration"),
        "found": [] if found is None else [_dumped(each) for each in found.found],
        "inputs": {} if found is None else found.inputs,
        "recall": None if found is None else found.recall,
        "language": explored.language,
        "finished": explored.finished,
        "runs": explored.runs,
        "seconds": round(explored.seconds, 3),
        "notes": coded(explored.notes, worded),
    }


def _dumped(each: engine.ExplainedFailure) -> dict[str, Any]:
    pattern: Pattern = replace(each.pattern, runs=0, outcomes={})
    return {
        "signature": each.signature,
        "text": pattern.text,
        "pattern": str(pattern),
        "explains": each.explained,
        "matching": each.matching,
        "reducing": each.reducing,
        "details": pattern.to_json(),
    }
