"""Differences between the outputs of two commands on one candidate: standard output and end."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from boildown.engine.difference import difference
from boildown.runner.run import Run

_SHOWN = 60
"""Characters of a line of an output that are shown."""
_BEFORE = 20
"""Of these, those that stand before the first one that differs."""


def output_of(run: Run) -> str:
    """Return the standard output of a run, with placeholders for the paths that only it had."""
    text = run.stdout
    for path, instead in ((run.file, "{file}"), (run.directory, "{dir}")):
        if path:
            text = text.replace(path, instead)
    return text


def difference_of(
    run: Run,
    other: Run,
    sign: Callable[[Run], str],
    tell: Callable[[str, str], tuple[str, str]] | None = None,
) -> str:
    """Return the kind of difference between two runs as a signature, or nothing if there is none.

    `sign` gives the signature of a failed run. Where both end alike, their outputs count; `tell`
    returns what is told of the first lines that differ, which without it are not told of.
    """
    own, its = (sign(each) or each.end for each in (run, other))
    if run.end != other.end:
        return f"{own} instead of {its}"
    outputs = output_of(run), output_of(other)
    if outputs[0] == outputs[1]:
        return ""
    ends = own if own == its else f"{own} instead of {its}"
    if tell is None:
        return f"{ends}, with other output"
    lines = (output.splitlines(keepends=True) for output in outputs)
    first = next(pair for pair in zip_longest(*lines, fillvalue="") if pair[0] != pair[1])
    return f"{ends}, with other output: {' instead of '.join(map(repr, tell(*first)))}"


def changed_parts(first: str, second: str) -> tuple[str, str]:
    """Return the parts of two lines in which they differ: they stay while an input shrinks."""
    start, end, instead = difference(first, second)
    return first[start:end], instead


def in_context(first: str, second: str) -> tuple[str, str]:
    """Return two lines for a person, around the first character that differs if they are long."""
    start = max(0, difference(first, second)[0] - _BEFORE)
    return _clipped(first, start), _clipped(second, start)


def _clipped(line: str, start: int) -> str:
    line = line.rstrip("\n")
    if len(line) <= _SHOWN:
        return line
    end = start + _SHOWN
    return f"{'…' if start else ''}{line[start:end]}{'…' if len(line) > end else ''}"
