"""Differences between the outputs of two commands on one candidate: standard output and end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from boildown.runner.command import Level
from boildown.runner.run import Run

_SHOWN = 60
"""Characters of a line of an output that are shown."""


def output_of(run: Run) -> str:
    """Return the standard output of a run, with placeholders for the paths that only it had."""
    text = run.stdout
    for path, instead in ((run.file, "{file}"), (run.directory, "{dir}")):
        if path:
            text = text.replace(path, instead)
    return text


def difference_of(run: Run, other: Run, level: Level, sign: Callable[[Run], str]) -> str:
    """Return the kind of difference between two runs as a signature, or nothing if there is none.

    `sign` gives the signature of a failed run. Where both end alike, their outputs count, and at
    the level `message` the first lines that differ.
    """
    own, its = (sign(each) or each.end for each in (run, other))
    if run.end != other.end:
        return f"{own} instead of {its}"
    outputs = output_of(run), output_of(other)
    if outputs[0] == outputs[1]:
        return ""
    ends = own if own == its else f"{own} instead of {its}"
    if level is not Level.MESSAGE:
        return f"{ends}, with other output"
    lines = (output.splitlines(keepends=True) for output in outputs)
    first = next(pair for pair in zip_longest(*lines, fillvalue="") if pair[0] != pair[1])
    shown = (_shown(line) for line in first)
    return f"{ends}, with other output: {' instead of '.join(shown)}"


def _shown(line: str) -> str:
    if not line:
        return "nothing"
    return repr(line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…")
