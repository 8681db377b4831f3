"""The places that runs execute, as the observers in them have noted them.

A module on PYTHONPATH (`observer_path`), which Python imports when it starts, notes each line when
it is executed for the first time; nothing that the command prints changes. A Python that imports no
such module tells nothing. Of JavaScript it is what V8 counts (`v8_coverage`), of other languages
what a command of the user's prints (`lcov`).
"""

from __future__ import annotations

import ast
import itertools
import os
import re
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias

from boildown.engine.locating.branches import TraceStep
from boildown.folder_text import Line, Place
from boildown.runner import lcov, v8_coverage
from boildown.runner.command import TestCommand

SLOWER = 10
"""How much longer a run may take than another: `sys.settrace` calls a function for each line."""
_RECORD = re.compile(r"\d+\.\d+\.(places|files|calls|remarks|steps0|steps1)")
_MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Observation:
    """The places that processes of a run have executed; of Python in order of the first time."""

    places: tuple[Place, ...] = ()
    """Each once, by the absolute path of its file; lines are counted from 1."""
    functions: Mapping[Place, str] = field(default_factory=dict)
    """The names of functions, of places whose runtime tells them: not of Python."""
    calls: frozenset[tuple[Line, Line]] = frozenset()
    """Functions that call others, each by its first line; line 0 stands for what modules do."""
    remarks: frozenset[str] = frozenset()
    """Words on lines that were not seen: "traced", "replaced" and "full"."""
    steps: tuple[TraceStep, ...] = ()
    """The last ones through the function that was to be followed."""


Take: TypeAlias = Callable[[Callable[[str], str]], Observation]
"""Returns what was noted since the last time; is given what returns the text of a source file."""


@contextmanager
def observing(
    command: TestCommand, *wanted: str, followed: Line | None = None
) -> Iterator[tuple[TestCommand, Take]]:
    """Give a command whose runs are observed, and the function that returns their lines.

    `wanted` may be "calls", for who calls whom, and "installed", for installed packages, too. If a
    line is to be `followed`, steps through its function are noted, and no places; its file is the
    end of a path. Raises CannotRun where a command for coverage fails, and so does the function.
    """
    told = " ".join(wanted) + (f"\n{followed[1]} {followed[0]}" if followed else "")
    with tempfile.TemporaryDirectory(prefix="boildown-lines-") as made:
        Path(made, "wanted").write_text(told, "utf-8", "surrogateescape")
        if command.coverage:
            lcov.collected(command)  # That of earlier runs.
        yield replace(command, observed=made), partial(_taken, command, Path(made))


def _taken(command: TestCommand, folder: Path, source: Callable[[str], str]) -> Observation:
    """Read the notes in a folder, and delete them."""
    found: dict[str, dict[str, Path]] = {}
    functions: dict[Place, str] = {}
    for path in sorted(folder.iterdir(), key=lambda path: os.lstat(path).st_ctime_ns):
        if not os.path.isfile(path) or os.path.islink(path):
            continue
        if v8_coverage.RECORD.fullmatch(path.name):
            functions.update(v8_coverage.executed(path.read_bytes(), source))
            path.unlink()
        elif _RECORD.fullmatch(path.name):
            found.setdefault(path.stem, {})[path.suffix] = path
    lines: dict[Line, None] = {}
    calls: set[tuple[Line, Line]] = set()
    remarks: set[str] = set()
    steps: list[TraceStep] = []
    frames: dict[tuple[str, int], int] = {}
    for stem, paths in found.items():
        lines.update(dict.fromkeys(_lines(paths)))
        for row in _rows(paths, ".calls"):
            caller, _, callee = row.partition("\t")
            calls.add((_line(caller), _line(callee)))
        remarks.update(_rows(paths, ".remarks"))
        for step in _noted_steps(paths):
            # Processes number their calls alike.
            frame = frames.setdefault((stem, step.frame), len(frames))
            steps.append(replace(step, frame=frame))
    for paths in found.values():
        for path in paths.values():
            path.unlink(missing_ok=True)
    if command.coverage:
        functions.update(lcov.collected(command))
    places = (*((*line, 0) for line in lines), *functions)
    return Observation(places, functions, frozenset(calls), frozenset(remarks), tuple(steps))


def _noted_steps(paths: dict[str, Path]) -> list[TraceStep]:
    """Return the last steps that one process has noted; a damaged one ends them."""
    both = [each for each in (_rows(paths, ".steps0"), _rows(paths, ".steps1")) if each]
    both.sort(key=len, reverse=True)  # The one that is written is not full.
    noted = []
    for row in itertools.chain.from_iterable(both):
        try:
            noted.append(TraceStep(*ast.literal_eval(row)))
        except (ValueError, SyntaxError, TypeError):
            break
    return noted[-_MOST_STEPS:]


def _lines(paths: dict[str, Path]) -> Iterator[Line]:
    """Yield the lines that one process has noted, in their order."""
    files = {number: name for name, number in map(_line, _rows(paths, ".files"))}
    if ".places" not in paths:
        return
    data = paths[".places"].read_bytes().rstrip(b"\0")
    data += b"\0" * (-len(data) % 8)
    for (place,) in struct.iter_unpack("=Q", data):
        # A process that was killed may not have come to name the file.
        if (file := files.get(place >> 32)) is not None:
            yield file, place & 0xFFFFFFFF


def _rows(paths: dict[str, Path], kind: str) -> list[str]:
    if kind not in paths:
        return []
    return os.fsdecode(paths[kind].read_bytes()).splitlines()


def _line(told: str) -> Line:
    """Read a number and a name."""
    number, _, name = told.partition(" ")
    return name, int(number) if number.isdigit() else 0
