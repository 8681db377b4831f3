"""The command `why`: the functions of the program in which the bug may be, ranked."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from boildown.cli.display import Display
from boildown.cli.inputs import read_input
from boildown.cli.report import in_json
from boildown.cli.shared import (
    add_input,
    add_options,
    chosen_command,
    job_options,
    name_of,
    put_json,
    put_out,
)
from boildown.cli.stopping import interruptible
from boildown.jobs.advice import for_terminal
from boildown.jobs.events import coded, headed
from boildown.jobs.why import why
from boildown.jobs.words import ranking, summary
from boildown.jobs.work import JOB_OPTIONS


def add_why(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_why)
    add_input(parser, of_folders=True)
    add_options(parser, JOB_OPTIONS)


def _why(options: argparse.Namespace) -> int:
    text = read_input(options)
    chosen = chosen_command(options)
    with interruptible() as interrupted:
        with Display(options.json, options.verbose) as display, interrupted.at_work():
            reduced, found = why(
                text,
                chosen.command,
                job_options(options, chosen),
                display.see,
                interrupted.is_set,
            )
        if options.json:
            report = in_json(text, reduced, options.file) | asdict(found)
            report["notes"] = coded((*reduced.notes, *found.notes), for_terminal)
            report |= {**headed("why"), "output": None, "text": reduced.text}
            put_json(report)
        else:
            for line in summary(name_of(options), text, reduced, for_terminal):
                display.print(line)
            put_out("\n".join(ranking(found)) + "\n")
        reduced.forget()
    if interrupted.status:
        return interrupted.status
    return 1 if reduced.start is not None and not reduced.verified else 0
