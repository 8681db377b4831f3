"""The places that a program in any language executes, by a command of the user's that prints lcov.

lcov is the text that tools for coverage of many compilers write: records of files, with how often
each line was executed. It says nothing of their order.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

from boildown.folder_text import Place
from boildown.runner.command import TestCommand
from boildown.runner.request import variables_of
from boildown.runner.run import CannotRun, Obstacle

_PATIENCE = 60
"""Seconds that the command may take."""


def collected(command: TestCommand) -> list[tuple[Place, str]]:
    """Return the places that were executed since the last time, by the command for coverage.

    That command counts from zero afterwards. Raises CannotRun with the end of its complaint.
    """
    try:
        done = subprocess.run(
            command.coverage,
            cwd=command.cwd,
            env=variables_of(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotRun(f"The command for coverage failed: {error}.", Obstacle.USAGE) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        told = said[-1] if said else f"exit {done.returncode}"
        message = f"The command for coverage failed: {told}"
        raise CannotRun(message, Obstacle.USAGE)
    return list(executed(os.fsdecode(done.stdout), str(command.cwd)))


@dataclass(slots=True)
class _File:
    """The record of a source file, as far as it was read."""

    path: str
    functions: list[tuple[int, int, str]] = field(default_factory=list)
    """The first line, the last one (0 if it is not told), and the name."""
    bounds: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Lines of functions whose names come later, by their numbers, as since lcov 2.2."""
    lines: list[int] = field(default_factory=list)
    """Those that were executed."""

    def places(self) -> Iterator[tuple[Place, str]]:
        """Yield the executed lines with the names of their functions, if they are in any."""
        self.functions.sort()
        for line in sorted(self.lines):
            # The innermost function is the last that begins before the line and does not end there.
            names = (
                name
                for first, last, name in reversed(self.functions)
                if first <= line and (not last or line <= last)
            )
            yield (self.path, line, 0), next(names, "")


def executed(text: str, folder: str) -> Iterator[tuple[Place, str]]:
    """Yield the lines that were executed, with the names of their functions; empty outside of them.

    Relative paths start from `folder`. What is no lcov is passed over.
    """
    file: _File | None = None
    for row in text.splitlines():
        kind, _, told = row.partition(":")
        if kind == "SF":
            file = _File(os.path.abspath(os.path.join(folder, told)))
        elif row == "end_of_record" and file is not None:
            yield from file.places()
            file = None
        elif file is not None:
            _read(file, kind, told)


def _read(file: _File, kind: str, told: str) -> None:
    """Read a row of the record of a file."""
    first, _, rest = told.partition(",")
    if kind == "DA" and first.isdecimal() and rest.partition(",")[0] not in ("0", ""):
        file.lines.append(int(first))
    elif kind == "FN" and first.isdecimal():
        # The last line is told since lcov 2.0; names of C++ have commas.
        last, _, name = rest.partition(",")
        bounds = int(first), int(last) if name and last.isdecimal() else 0
        file.functions.append((*bounds, name if bounds[1] else rest))
    elif kind == "FNL":
        begin, _, end = rest.partition(",")
        if begin.isdecimal():
            file.bounds[first] = int(begin), int(end) if end.isdecimal() else 0
    elif kind == "FNA" and first in file.bounds:
        file.functions.append((*file.bounds[first], rest.partition(",")[2]))
