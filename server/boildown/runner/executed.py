"""The lines of Python that a run of a folder executes, and its calls, told by a run of its own.

What is learnt is an order of candidates, never a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from boildown.folder_text import Call, Line
from boildown.runner.command import TestCommand
from boildown.runner.observation import SLOWER, Observation, observing
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner


@dataclass(frozen=True, slots=True)
class Executed:
    """The trace of a run through the files of a folder; lines are counted from 1."""

    lines: Mapping[str, frozenset[int]]
    calls: Collection[Call]
    """Which function calls which, each by its first line; None calls what modules do."""


def executed_by(
    command: TestCommand, text: str, timeout: float | None, stopped: Callable[[], bool]
) -> Executed:
    """Run a folder's command once; return its trace, which is empty if nothing was told.

    `timeout` is that of other runs, in seconds, if they have one. Raises Stop.
    """
    with observing(replace(command, warm=False, coverage=()), "calls") as (observed, take):
        try:
            with Runner(observed, stopped=stopped) as runner:
                runner.run(text, timeout and timeout * SLOWER, cold=True)
        except CannotRun:
            return Executed({}, ())
        return _told(take(lambda _file: ""), frozenset(command.files))


def _told(found: Observation, files: Collection[str]) -> Executed:
    """Return the part of an observation that is about the files of a folder."""
    lines: dict[str, set[int]] = {}
    for file, number, _column in found.places:
        if (line := _line((file, number), files)) is not None:
            lines.setdefault(line[0], set()).add(line[1])
    pairs = ((_line(caller, files), _line(callee, files)) for caller, callee in found.calls)
    calls = {(caller, callee) for caller, callee in pairs if callee is not None}
    return Executed({file: frozenset(numbers) for file, numbers in lines.items()}, calls)


def _line(told: Line, files: Collection[str]) -> Line | None:
    """Return a line of a file of the folder: of the longest path that a name ends with.

    Where the run's folder was is not asked: a file elsewhere that ends alike only adds lines.
    """
    name, number = told
    parts = name.split("/")
    ends = ("/".join(parts[at:]) for at in range(len(parts)))
    file = next((end for end in ends if end in files), None)
    # A module begins before its first line.
    return None if file is None or not number else (file, number)
