"""The functions of a package on the stack that a failing run prints, innermost first."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.why.functions import functions, owner
from benchmarks.why.scoring import Function

_PYTHON = re.compile(r'^  File "([^"]+)", line (\d+), in ', re.M)
_JAVASCRIPT = re.compile(r"^    at (?:.*\()?(?:file://)?(/[^:()]+):(\d+):\d+\)?$", re.M)


def stack(printed: str, packages: Path) -> list[Function]:
    """Return the functions of the last stack in an output that stand in a folder of packages."""
    last = printed.rpartition("Traceback (most recent call last):\n")[2]
    frames = list(reversed(_PYTHON.findall(last))) or _JAVASCRIPT.findall(printed)
    located = (locate(Path(file), int(line), packages) for file, line in frames)
    return [each for each in located if each is not None]


def locate(file: Path, line: int, packages: Path) -> Function | None:
    """Return the function that a line stands in; None outside of functions and of packages."""
    if not file.is_relative_to(packages) or not file.exists():
        return None
    found = owner(functions(file), line)
    return (file.relative_to(packages).as_posix(), found.name) if found else None
