"""What makes two failures the same: pure analysis of what a run printed and how it ended.

The first kind of failure that is found, in standard error and then in standard output, decides;
without any, the exit status alone does. A signature is a line for people, such as
`exit 1: TypeError in jsonschema/validators.py: iter_errors`, and two failures are the same if their
signatures are equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from boildown.runner.command import Level
from boildown.runner.failures import Failure, Kind
from boildown.runner.failures.compilers import clang_error, gcc_error, rustc_error
from boildown.runner.failures.managed import go, java, javascript, rust
from boildown.runner.failures.native import c_assertion, c_library, cpp_exception, sanitizer
from boildown.runner.failures.python import pytest_summary, python_traceback
from boildown.runner.run import Run

KINDS: tuple[Kind, ...] = (
    sanitizer,
    pytest_summary,
    python_traceback,
    rust,
    go,
    java,
    javascript,
    rustc_error,
    gcc_error,
    c_assertion,
    clang_error,
    cpp_exception,
    c_library,
)
"""In the order in which they are looked for: what wraps another's report comes first."""

_SEARCHED = 200_000
"""Characters at the end of an output that are searched; a failure is reported last."""


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
    is_own = owner(file)
    for output in (run.stderr, run.stdout):
        for kind in KINDS:
            if (failure := kind(output[-_SEARCHED:], is_own)) is not None:
                return failure
    return None


def telling(run: Run) -> str:
    """Return the output of a run that tells of its failure.

    That is the one in which a failure is found; the other may hold warnings. Where there is none,
    it is what there is of both, standard error last.
    """
    is_own = owner(run.file)
    for output in (run.stderr, run.stdout):
        if any(kind(output[-_SEARCHED:], is_own) is not None for kind in KINDS):
            return output
    stdout, stderr = run.stdout.strip(), run.stderr.strip()
    return f"{stdout}\n{stderr}" if stdout and stderr else stdout or stderr


def owner(file: str) -> Callable[[str], bool]:
    """Return what says of a path, absolute or relative, whether it is the candidate's."""
    whole = file.replace("\\", "/")

    def is_own(path: str) -> bool:
        path = path.replace("\\", "/").removeprefix("./")
        while path.startswith("../"):
            path = path[3:]
        return path != "" and (path == whole or whole.endswith("/" + path))

    return is_own


def normal(text: str, run: Run, file: str) -> str:
    """Return a text without what differs from run to run.

    Paths of the run, positions in the candidate, addresses, times and process ids are replaced.
    """
    for path, instead in ((file, "{file}"), (run.directory, "{dir}")):
        if path:
            text = text.replace(path, instead)
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text


_VOLATILE = (
    (re.compile(r"\{file\}(?::\d+)+"), "{file}:…"),
    (re.compile(r"\bline \d+(?:,? col(?:umn)? \d+)?(?: \(char \d+(?: - \d+)?\))?"), "line …"),
    (re.compile(r"\b0x[0-9a-fA-F]{5,}\b"), "0x…"),
    (re.compile(r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|minutes?)\b"), "… s"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"), "…"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"), "…"),
    (re.compile(r"(?i)\b(pid|process|thread)([ :=]+)\d+\b"), r"\1\2…"),
    (re.compile(r"==\d+=="), "==…=="),
)
