"""What makes two failures the same: pure analysis of what a run printed and how it ended.

Each kind of failure has one function that finds it in an output; the first kind that is found, in
standard error and then in standard output, decides. Without any, the exit status alone does. A
signature is a line for people, such as `exit 1: TypeError in validators.py: iter_errors`, and two
failures are the same if their signatures are equal.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from boildown.runner.command import Level
from boildown.runner.run import Run


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as a program reported it."""

    error: str
    """Its type, such as `TypeError`."""
    place: str = ""
    """File and function of the innermost frame outside the candidate, if there is one."""
    message: str = ""
    """What the program said about it."""


IsOwn: TypeAlias = Callable[[str], bool]
"""Whether a file named in an output is the candidate itself."""
Kind: TypeAlias = Callable[[str, IsOwn], Failure | None]


def signature(run: Run, file: str, level: Level = Level.LOCATION) -> str:
    """Return the signature of a failed run, or nothing for a run that exits with 0.

    `file` is the path that the candidate had: frames in it say nothing about the program, for its
    lines move.
    """
    if not run.failed and not run.timed_out:
        return ""
    failure = None if run.timed_out or level is Level.EXIT else find_failure(run, file)
    if failure is None:
        return run.end
    parts = [f"{run.end}: {failure.error}"]
    if level in (Level.LOCATION, Level.MESSAGE) and failure.place:
        parts.append(f" in {failure.place}")
    if level is Level.MESSAGE and failure.message:
        parts.append(f": {failure.message}")
    return normal("".join(parts), run, file)


def find_failure(run: Run, file: str) -> Failure | None:
    """Return the failure that the run reported, if it is of a known kind."""
    name = file.replace("\\", "/").rpartition("/")[2]

    def is_own(path: str) -> bool:
        return path == file or (
            path.endswith(name)
            and path.replace("\\", "/").endswith("/" + name)
            and run.directory != ""
            and run.directory in path
        )

    for output in (run.stderr, run.stdout):
        for kind in KINDS:
            if (failure := kind(output, is_own)) is not None:
                return failure
    return None


_TRACEBACK = "Traceback (most recent call last):"
_CAUSE = "The above exception was the direct cause of the following exception:"
_FRAME = re.compile(r'  File "(?P<file>.*)", line \d+(?:, in (?P<function>.*))?')
_EXCEPTION = re.compile(r"(?P<type>[^\W\d][\w.]*)(?::\s?(?P<message>.*))?$")
_PLACELESS = frozenset({"RecursionError", "MemoryError"})
"""Where these are raised is a matter of chance."""


def python_traceback(output: str, is_own: IsOwn) -> Failure | None:
    """Find the last traceback of Python; a chained one counts with its direct cause."""
    lines = output.splitlines()
    starts = [i for i, line in enumerate(lines) if _unboxed(line) == _TRACEBACK]
    if not starts:
        return None
    failure = _one_traceback(lines, starts[-1], is_own)
    if failure is None:
        return None
    causes = []
    for before, start in reversed(list(itertools.pairwise(starts))):
        if _CAUSE not in lines[before:start]:
            break
        if (cause := _one_traceback(lines, before, is_own)) is not None:
            causes.append(f" from {cause.error}")
    return Failure(failure.error + "".join(causes), failure.place, failure.message)


def _one_traceback(lines: list[str], start: int, is_own: IsOwn) -> Failure | None:
    """Read the traceback whose first line is at `start`."""
    place = ""
    for index in range(start + 1, len(lines)):
        line = _unboxed(lines[index])
        if frame := _FRAME.match(line):
            if not is_own(frame["file"]) and not frame["file"].startswith("<frozen "):
                place = _place(frame["file"], frame["function"] or "")
        elif line and not line.startswith(" "):
            if not (found := _EXCEPTION.match(line)):
                return None
            error = found["type"]
            message = [found["message"] or ""]
            for more in lines[index + 1 :]:
                if not more or more == _CAUSE or _unboxed(more) == _TRACEBACK:
                    break
                message.append(more)
            if error in _PLACELESS:
                return Failure(error)
            return Failure(error, place, "\n".join(message).rstrip())
    return None


def _unboxed(line: str) -> str:
    """Return a line without the box that exception groups are printed in."""
    stripped = line.lstrip(" ")
    if stripped.startswith(("| ", "+ ")):
        return stripped[2:].rstrip()
    return line.rstrip()


def _place(file: str, function: str) -> str:
    """Return a place in words; of the path the last two parts, for the rest may vary."""
    short = "/".join(file.replace("\\", "/").split("/")[-2:])
    return f"{short}: {function}" if function else short


KINDS: tuple[Kind, ...] = (python_traceback,)


def normal(text: str, run: Run, file: str) -> str:
    """Return a text without what differs from run to run: paths of the run, addresses, times."""
    for path, instead in ((file, "{file}"), (run.directory, "{dir}")):
        if path:
            text = text.replace(path, instead)
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text


_VOLATILE = (
    (re.compile(r"\b0x[0-9a-fA-F]{5,}\b"), "0x…"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|sec|secs|seconds)\b"), "… s"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "…"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), "…"),
)
