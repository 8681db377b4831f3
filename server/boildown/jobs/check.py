"""Checks a test command without reducing: the plan of a run, the preflight, a single run."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from boildown.jobs.events import See, size
from boildown.jobs.work import JobOptions, prepared
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected, judge_run, signature_of
from boildown.runner.preflight.diagnosis import no_reproduction
from boildown.runner.preflight.preflight import FIRST_RUN_TIMEOUT, Preflight
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from boildown.runner.workspace import workspace_of

__all__ = ["Plan", "Preflight", "check", "observe", "plan_of"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a check: the command, where it runs, and the processes that run it."""

    command: str
    """The command in one line."""
    because: str
    """Where the command comes from, in words."""
    cwd: Path
    isolate: str
    """How runs are kept apart: `auto`, `none`, `copy` or `strict`."""
    workspace: Path | None
    """The folder that is copied for the runs; None if none is."""
    names_file: bool
    """Whether the command says where the candidate goes; else it runs there, in a fresh folder."""
    level: str
    """How much of a failure must be the same."""
    language: str
    bytes: int
    """The size of the failing input."""
    preload: str | None
    """The predicate or module that is loaded once for all runs; None: each run starts anew."""
    cluster: str | None
    """The address of the scheduler whose workers do the runs; None: this machine does."""
    ship: tuple[str, ...]
    """Globs of the files that go to the cluster."""
    quick: str | None
    """The cheap command that is run first, in one line."""
    good: str | None
    """The command that is right where the test command is wrong, in one line."""
    compare: str
    """What of both is compared: `status` or `output`."""


def plan_of(text: str, command: TestCommand, because: str, language: str) -> Plan:
    """Return the plan of the runs of a command on a text and on candidates made from it."""
    return Plan(
        command.shown,
        because,
        command.cwd,
        command.isolate.kind,
        workspace_of(command) if command.in_copy else None,
        command.names_file,
        command.level.value,
        language,
        size(text),
        command.preload,
        command.cluster,
        command.ship,
        shlex.join(command.quick) or None,
        shlex.join(command.good) or None,
        command.compare.value,
    )


def check(
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    stopped: Callable[[], bool] = lambda: False,
    see: See = lambda _event: None,
) -> Preflight:
    """Run the preflight alone.

    Raises:
        PreflightError: the failing input does not reproduce, or not for sure; the message says
            why and what to do.
        LanguageError: there is no such language, or its grammar is broken.
        ValueError: there is no such pass.
    """
    work = prepared(text, command, options, see, stopped)
    with Runner(command, work.options.jobs, work.limits.over, work.note) as runner:
        found = work.begin(runner)
    return replace(found, notes=tuple(work.notes))


def observe(
    text: str, command: TestCommand, stopped: Callable[[], bool] = lambda: False
) -> tuple[Run, str]:
    """Run the command once on a reduced text; return the run and the signature of its failure.

    Raises:
        PreflightError: it does not fail; the message says what to do.
        Stop: `stopped` became true.
    """
    with Runner(command, 1, stopped) as runner:
        run = runner.run(text, command.timeout or FIRST_RUN_TIMEOUT)
    seen = signature_of(command, run)
    if not judge_run(command, run, Expected(seen)).reproduced:
        raise no_reproduction(command, [run])
    return run, seen
