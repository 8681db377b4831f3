"""The command `jobs`: lists the jobs that were cut short, with the files of their best texts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from boildown.cli.shared import put_json
from boildown.jobs.events import headed, in_bytes
from boildown.jobs.unfinished import Unfinished, unfinished


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_jobs)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.epilog = (
        "The same command again goes on with a job, or starts over with --fresh. The best text of a"
        " folder is all its files one after the other."
    )


def _jobs(options: argparse.Namespace) -> int:
    found, problem = unfinished()
    if problem is not None:
        print(f"boildown: {problem}", file=sys.stderr)
    if options.json:
        put_json({**headed("jobs"), "jobs": list(map(_in_json, found))})
        return 0
    lines = [line for each in found for line in _lines(each)] or ["No job is unfinished."]
    print("".join(f"{line}\n" for line in lines), end="")
    return 0


def _lines(each: Unfinished) -> Iterator[str]:
    """Yield the lines on a job."""
    when = _when(each).strftime("%Y-%m-%d %H:%M")
    if each.about is None:
        yield f"a job whose record is lost, {when}: {in_bytes(each.size)}"
    else:
        sizes = f"{each.about.size:,} → {in_bytes(each.size)}"
        yield f"{each.about.kind} {each.about.input}, {when}: {sizes}, {each.outcomes} outcomes"
        yield f"  runs  {each.about.command}"
    yield f"  best  {each.best or 'nothing smaller yet'}"


def _in_json(each: Unfinished) -> dict[str, Any]:
    about = each.about
    return {
        "kind": about and about.kind,
        "input": about and about.input,
        "command": about and about.command,
        "when": _when(each).isoformat(timespec="seconds"),
        "outcomes": each.outcomes,
        "bytes_before": about and about.size,
        "bytes_best": each.size,
        "best": None if each.best is None else str(each.best),
    }


def _when(each: Unfinished) -> datetime:
    return datetime.fromtimestamp(each.touched).astimezone()
