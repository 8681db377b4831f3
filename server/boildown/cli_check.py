"""The command line: `check` says what would run and why, and what the preflight finds."""

from __future__ import annotations

import argparse
import json
from typing import Any

from boildown import jobs
from boildown.cli_shared import add_input, command_and_origin, status_of
from boildown.files import read_text
from boildown.runner.command import Placement, TestCommand
from boildown.runner.preflight import Preflight
from boildown.runner.workspace import workspace_of


def add_command(commands: Any) -> None:
    """Add the command to the parser of all."""
    check = commands.add_parser("check", help="say what would run, and whether it reproduces")
    check.set_defaults(run=_check)
    add_input(check)
    check.add_argument("--language", metavar="L", help="a language's name, or a grammar file")


def _check(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command, origin = command_and_origin(options)
    choices = jobs.Options(language=options.language, repeat=options.repeat)
    language = jobs.language_for(text, command.name, choices).name
    plan = {
        "command": command.shown,
        "because": origin,
        "cwd": str(command.cwd),
        "placement": command.placement.value,
        "signature": command.level.value,
        "language": language,
        "cluster": command.cluster,
        "bytes": jobs.size(text),
    }
    if not options.json:
        print(f"{options.file}, {jobs.in_bytes(jobs.size(text))}, as {language}:")
        print(f"  runs      {command.shown}")
        print(f"  because   {origin}")
        print(f"  in        {_where(command)}")
        print(f"  with      {_with(command)}", flush=True)
    try:
        found = jobs.check(text, command, choices)
    except jobs.PreflightError as error:
        if not options.json:
            raise
        print(json.dumps({**plan, "problem": error.kind.value, "message": error.message}))
        return status_of(error.kind)
    if options.json:
        print(json.dumps({**plan, **_facts(found)}))
        return 0
    print(f"  fails     {_how_often(found)}: {found.expected.signature or 'exit 0'}")
    print(
        f"  takes     {found.seconds:.3f} s per run (spread {found.spread:.3f} s),"
        f" ended after {found.expected.timeout:.3g} s"
    )
    for note in found.notes:
        print(f"  note      {note}")
    return 0


def _where(command: TestCommand) -> str:
    """Say where the command runs and where a candidate stands, in words."""
    if command.placement is Placement.OVERLAY:
        return f"{command.cwd}, in a mirror of {workspace_of(command)} with the candidate in place"
    if command.placement is Placement.BESIDE:
        return f"{command.cwd}, with the candidate beside the input"
    if command.names_file:
        return f"{command.cwd}, with the candidate in a fresh directory"
    return "a fresh directory, with the candidate there and on standard input"


def _with(command: TestCommand) -> str:
    """Say what stands behind a run."""
    if command.cluster is not None:
        shipped = f", to which {', '.join(command.ship)} go" if command.ship else ""
        return f"the workers of {command.cluster}{shipped}"
    if command.preload is not None:
        return f"a Python that loads {command.preload} once and forks for each run"
    return "a process of its own for each run"


def _how_often(found: Preflight) -> str:
    rate = found.expected.rate
    return "every time" if rate is None else f"in {rate:.0%} of runs"


def _facts(found: Preflight) -> dict[str, Any]:
    return {
        "failure": found.expected.signature,
        "rate": found.expected.rate or 1.0,
        "seconds_per_run": round(found.seconds, 4),
        "spread": round(found.spread, 4),
        "timeout": found.expected.timeout,
        "runs": found.runs,
        "notes": list(found.notes),
    }
