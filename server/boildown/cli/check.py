"""The command `check`: the plan of the runs, and the findings of the preflight."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from boildown.cli.inputs import read_input
from boildown.cli.shared import (
    add_input,
    add_options,
    chosen_command,
    job_options,
    name_of,
    put_json,
    status_of,
)
from boildown.cli.stopping import NOTHING_KNOWN, interruptible
from boildown.jobs.advice import for_terminal
from boildown.jobs.check import Plan, Preflight, check, plan_of
from boildown.jobs.events import Event, Note, coded, headed, in_bytes
from boildown.jobs.work import JOB_OPTIONS, PreflightError, Stop, language_for
from boildown.targets.test_command import TestCommand


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_check)
    add_input(parser, of_folders=True)
    add_options(parser, JOB_OPTIONS, ("jobs", "max_seconds", "max_runs", "fresh"))


def _check(options: argparse.Namespace) -> int:
    text = read_input(options)
    chosen = chosen_command(options)
    command = chosen.command
    choices = job_options(options, chosen)
    language = language_for(text, command.name, choices).name
    plan = plan_of(text, command, chosen.origin, language)
    planned = _planned(plan)
    if options.folder is not None:
        from boildown.cli.folders import planned as folder_planned

        planned |= {"folder": folder_planned(options.folder)}
    if not options.json:
        _tell(f"{name_of(options)}, {in_bytes(plan.bytes)}, as {plan.language}:")
        _tell(f"  runs      {plan.command}")
        _tell(f"  because   {plan.because}")
        if options.folder is not None:
            from boildown.cli.folders import described, listing

            _tell(f"  takes     {described(options.folder)}")
            for line in listing(text):
                _tell(f"          {line}")
        for line in _further(plan):
            _tell(f"  {line}")
        _tell(f"  in        {_where(plan)}")
        _tell(f"  with      {_with(plan)}")

    def see(event: Event) -> None:
        if isinstance(event, Note) and not options.json:
            _tell(f"  note      {for_terminal(event.text)}")

    with interruptible() as interrupted:
        try:
            found = check(text, command, choices, interrupted.is_set, see)
        except PreflightError as error:
            if not options.json:
                raise
            _put_problem(planned, error.kind.value, for_terminal(error.message))
            return status_of(error.kind)
        except Stop:
            if not options.json:
                raise
            _put_problem(planned, "stopped", NOTHING_KNOWN)
            return interrupted.status
        if options.json:
            put_json({**headed("check"), **planned, **_facts(found)})
        else:
            _tell_findings(command, found)
    return interrupted.status


def _put_problem(planned: dict[str, Any], problem: str, message: str) -> None:
    put_json({**headed("check"), **planned, "problem": problem, "message": message})


def _tell_findings(command: TestCommand, found: Preflight) -> None:
    used = "" if command.reproduces is None else command.reproduces.used(found.run)
    _tell(f"  fails     {_how_often(found)}: {found.expected.signature or 'exit 0'}{used}")
    _tell(
        f"  takes     {found.seconds:.3f} s per run (spread {found.spread:.3f} s),"
        f" ended after {found.expected.timeout:.3g} s"
    )


def _tell(line: str) -> None:
    print(line, flush=True)


def _further(plan: Plan) -> Iterator[str]:
    """Yield the lines on the commands beside the test command."""
    if plan.quick is not None:
        yield f"first     {plan.quick}, which must exit with 0"
    if plan.good is not None and plan.compare == "output":
        yield f"good      {plan.good}, whose output or exit status must differ"
    elif plan.good is not None:
        yield f"good      {plan.good}, which must exit with 0"


def _where(plan: Plan) -> str:
    """Say where the command runs and where a candidate stands, in words."""
    if plan.workspace is not None:
        return f"{plan.cwd}, in a copy of {plan.workspace} with the candidate in place"
    if plan.names_file:
        return f"{plan.cwd}, with the candidate in a fresh directory"
    return "a fresh directory, with the candidate there and on standard input"


def _with(plan: Plan) -> str:
    """Say which processes do the runs, in words."""
    inside = ", writing only below its own directories" if plan.isolate == "strict" else ""
    if plan.cluster is not None:
        shipped = f", to which {', '.join(plan.ship)} go" if plan.ship else ""
        return f"the workers of {plan.cluster}{shipped}{inside}"
    if plan.preload is not None:
        return f"a Python that loads {plan.preload} once and forks for each run{inside}"
    return f"a process of its own for each run{inside}"


def _how_often(found: Preflight) -> str:
    rate = found.expected.rate
    return "every time" if rate is None else f"in {rate:.0%} of runs"


_PLANNED = ("command", "because", "isolate", "level", "language", "cluster", "quick", "good")


def _planned(plan: Plan) -> dict[str, Any]:
    told = {name: getattr(plan, name) for name in (*_PLANNED, "compare", "bytes")}
    return {**told, "cwd": str(plan.cwd), "signature": plan.level}


def _facts(found: Preflight) -> dict[str, Any]:
    return {
        "failure": found.expected.signature,
        "rate": found.expected.rate or 1.0,
        "seconds_per_run": round(found.seconds, 4),
        "spread": round(found.spread, 4),
        "timeout": found.expected.timeout,
        "runs": found.runs,
        "notes": coded(found.notes, for_terminal),
    }
