"""Likely causes of a run that ended otherwise than wanted, and the end of its output."""

from __future__ import annotations

import re
from pathlib import Path

from boildown.runner.advice import Printed
from boildown.runner.command import TestCommand
from boildown.runner.judging.signature import failing_output
from boildown.runner.run import Run

_CAUSES = (
    (
        re.compile(r"can't open file '(?P<what>[^'\n]*)'|cannot open '?(?P<other>[^'\n:]*)'?"),
        "A file that the command names was not found; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?m)^(?P<what>\S.*): No module named pytest$"),
        "The module 'pytest' is missing: install it with `{what} -m pip install pytest`, or let "
        "another Python run the tests.",
    ),
    (
        re.compile(
            r"(?:ModuleNotFoundError: |ImportError: |\b)No module named '?(?P<what>[\w.]+)'?"
        ),
        "The module '{what}' is missing: is this the project's own interpreter?",
    ),
    (
        re.compile(r"Cannot find module '(?P<what>[^'\n]+)'"),
        "The module '{what}' is missing; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?:No such file or directory|cannot find the file)(?:: '?(?P<what>[^'\n]+))?"),
        "A file was not found; relative paths start at {cwd}.",
    ),
    (
        re.compile(r"(?im)^(?:error: )?usage: "),
        "The program complains about its arguments; see what it was called with: {shown}.",
    ),
)
_CAUSE_OF_STATUS = {
    126: "Exit 126 from a shell means that a file may not be executed.",
    127: "Exit 127 from a shell means that a program was not found.",
}


def likely_cause(command: TestCommand, run: Run) -> str:
    """Return the likely cause in the test command, as a sentence after a space, or nothing."""
    if run.status in _CAUSE_OF_STATUS:
        return " " + _CAUSE_OF_STATUS[run.status]
    output = run.stderr + run.stdout
    for pattern, words in _CAUSES:
        if found := pattern.search(output):
            what = next((value for value in found.groupdict().values() if value), "")
            return " " + words.format(what=what, cwd=command.cwd, shown=command.shown)
    return ""


_MARKED = re.compile(
    r"^(?:E  +|INTERNALERROR> +|(?=ImportError while loading conftest ))(.*\S)", re.MULTILINE
)


def why_none(run: Run) -> str:
    """Return the errors of pytest itself, or of an import, else the end of its output."""
    lines = _errors_of(run)[-5:]
    return (
        " It says:" + "".join(f"\n    {line[:200]}" for line in lines)
        if lines
        else output_tail(run)
    )


def _errors_of(run: Run) -> list[str]:
    """Return the lines of an output that pytest marks as errors."""
    marked = _MARKED.findall(f"{run.stdout}\n{run.stderr}")
    folder = f"{Path(run.file).parent}/"
    return [line.replace(folder, "") if run.file else line for line in marked]


def output_tail(run: Run) -> Printed:
    """Return the tail of a run's output: its last five lines, to end a message with."""
    lines = [line for line in failing_output(run).splitlines() if line.strip()]
    if not lines:
        return Printed(" It printed nothing.")
    return Printed(" It printed:" + "".join(f"\n    {line[:200]}" for line in lines[-5:]))
