"""Look, by the test command, for what else fails near a failing input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from boildown import jobs
from boildown.engine import explore as engine
from boildown.engine import generalize as generalizing
from boildown.engine.explore import Exploration
from boildown.engine.oracle import Stop
from boildown.engine.pattern import Pattern
from boildown.engine.reduce import Watch
from boildown.runner.command import TestCommand
from boildown.runner.runner import Runner
from boildown.work import Work


@dataclass(frozen=True, slots=True)
class Explored:
    """What came of an exploration, with how it was judged."""

    exploration: Exploration | None
    """None if the job ended before the pattern of the failing input was known."""
    language: str
    """What `load_language` takes to get the language again."""
    notes: tuple[str, ...]
    runs: int
    """All of the job, those that reduced and generalized the failing input included."""
    seconds: float
    """From the start of the job to its end."""

    @property
    def finished(self) -> bool:
        """Whether neither a limit nor a stop ended it early."""
        return self.exploration is not None and self.exploration.finished


def explore(
    text: str,
    command: TestCommand,
    options: jobs.Options | None = None,
    how: generalizing.Options | None = None,
    mutants: int = 1000,
    seed: int = 0,
    see: jobs.See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Explored:
    """Generalize a failing input, then look for other failures, and for what the pattern misses.

    A stop, a limit of runs or of seconds is no error: what is known is the result.

    Raises:
        PreflightError: the input does not reproduce; the message says why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such method or pass.
    """
    options, how = options or jobs.Options(), how or generalizing.Options()
    language = jobs.language_for(text, command.name, options)
    work = Work(text, see, stopped, options.max_seconds)
    settings = ("explore", language.name, options.passes, how, mutants, seed)
    search = engine.Options(mutants, passes=options.passes)
    found: Exploration | None = None
    with Runner(command, options.jobs, work.over) as runner:
        try:
            start = work.begin(runner, language, options.repeat)
            with work.oracle(runner, start, options, *settings) as (oracle, saved):
                rng = Random(seed)
                pattern = generalizing.generalize(
                    text, oracle, language, rng, how, work.watch, options.passes
                )
                if pattern.finished:
                    watch = Watch(entered=work.progress)
                    signature = start.expected.signature
                    found = engine.explore(pattern, signature, oracle, rng, search, watch)
                if found is not None and found.finished:
                    saved.drop()
        except Stop:
            pass
    return Explored(
        found,
        options.language or language.name,
        tuple(work.notes),
        work.count.runs,
        work.elapsed(),
    )


def dump_explored(explored: Explored) -> dict[str, Any]:
    """Return what an exploration found as what JSON can hold."""
    found = explored.exploration
    return {
        "found": [] if found is None else [_dumped(each) for each in found.found],
        "inputs": {} if found is None else found.inputs,
        "recall": None if found is None else found.recall,
        "language": explored.language,
        "finished": explored.finished,
        "runs": explored.runs,
        "seconds": round(explored.seconds, 3),
        "notes": list(explored.notes),
    }


def _dumped(each: engine.Explained) -> dict[str, Any]:
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
