"""Failures of Python programs: tracebacks, and pytest's reports of failed tests."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from boildown.runner.judging.failures import (
    Failure,
    FailureFinder,
    Files,
    Frame,
    located,
)

_TRACEBACK = re.compile(r"(?:Exception Group )?Traceback \(most recent call last\):")
_CAUSE = "The above exception was the direct cause of the following exception:"
_FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+)(?:, in (?P<function>.*))?')
_CARETS = re.compile(r"\s*[~^]+\s*$")
_EXCEPTION = re.compile(r"(?P<type>[^\W\d](?:[\w.]|<locals>)*)(?::\s?(?P<message>.*))?$")
_PLACELESS = frozenset({"RecursionError", "MemoryError"})
"""Types of exceptions of which the place is a matter of chance."""
_OF_SOURCE = frozenset({"SyntaxError", "IndentationError", "TabError"})
"""Types of exceptions of source that could not be compiled."""


def python_traceback(output: str, files: Files) -> Failure | None:
    """Find the last traceback; one with direct causes counts with their types and the first place.

    Of an exception group the place is the group's own, and the type includes the sorted types of
    its members.
    """
    if "Traceback (most recent call last):" not in output:
        return None
    lines = output.splitlines()
    starts = [i for i, line in enumerate(lines) if _opens_chain(line)]
    if not starts or (failure := _one_traceback(lines, starts[-1], files)) is None:
        return None
    for start, after in reversed(list(itertools.pairwise(starts))):
        cause = _one_traceback(lines, start, files)
        if cause is None or _CAUSE not in map(_unboxed, lines[start:after]):
            break
        at = cause if cause.place else failure
        error = f"{failure.error} from {cause.error}"
        failure = replace(at, error=error, message=failure.message)
    return failure


def _opens_chain(line: str) -> bool:
    """Say whether a traceback begins here that is no member of a group."""
    stripped = line.lstrip(" ")
    indent = len(line) - len(stripped)
    boxed = stripped.startswith(("| ", "+ "))
    return (not boxed or indent <= 2) and _TRACEBACK.fullmatch(_unboxed(line)) is not None


def _one_traceback(lines: list[str], start: int, files: Files) -> Failure | None:
    """Read the traceback whose first line is at `start`."""
    frames: list[Frame] = []
    for index in range(start + 1, len(lines)):
        line = _unboxed(lines[index])
        if frame := _FRAME.match(line):
            if not frame["file"].startswith("<frozen "):
                below = [_unboxed(each) for each in lines[index + 1 : index + 3]]
                frames.insert(0, _frame(frame["file"], frame["function"], frame["line"], below))
        elif line and not line.startswith(" "):
            if not (found := _EXCEPTION.match(line)):
                return None
            error = found["type"]
            if error in _PLACELESS:
                return Failure(error)
            if error.endswith("ExceptionGroup"):
                error += _members(lines[index + 1 :])
            message = _message(found["message"] or "", lines[index + 1 :])
            if error in _OF_SOURCE and frames and not frames[0].function:
                # The source that could not be compiled is quoted; it was made of the candidate.
                del frames[0]
            return located(error, frames, files, message)
    return None


def _frame(file: str, function: str | None, number: str, below: list[str]) -> Frame:
    """Return a frame with the text of its line, which is printed below, with carets under it."""
    text = below[0] if below and below[0].startswith("    ") else ""
    carets = below[1] if text and len(below) > 1 and _CARETS.match(below[1]) else ""
    column = len(carets) - len(carets.lstrip()) + 1 if carets else 0
    return Frame(file, function or "", int(number), column, text, len(carets.rstrip()) + 1)


def _message(first: str, following: list[str]) -> str:
    """Return a message with the lines that go on with it."""
    lines = [first]
    for line in following:
        if not line.strip() or _unboxed(line).startswith("---") or _TRACEBACK.match(_unboxed(line)):
            break
        lines.append(line)
    return "\n".join(lines).rstrip()


def _members(lines: list[str]) -> str:
    """Return the sorted types of the exceptions in a group."""
    types = set()
    for line in lines:
        stripped = line.lstrip(" ")
        if not stripped.startswith(("|", "+")):
            break
        inner = stripped[2:]
        if (found := _EXCEPTION.match(inner)) and not inner.startswith(("Traceback", "-")):
            types.add(found["type"])
    return f" ({', '.join(sorted(types))})" if types else ""


def _unboxed(line: str) -> str:
    """Return a line without the box that exception groups are printed in."""
    stripped = line.lstrip(" ")
    if stripped.startswith(("| ", "+ ")):
        return stripped[2:].rstrip()
    return line.rstrip()


_SUMMARY = re.compile(r"^(?:FAILED|ERROR) (?P<test>\S+(?:\[.*?\])?)(?: - (?P<message>.*))?$", re.M)
_FAILURES = re.compile(r"^=+ (?:FAILURES|ERRORS|short test summary info) =+$", re.M)
_HEADING = re.compile(r"^_{2,} .* _{2,}$", re.M)
_AT = re.compile(
    r"^(?P<file>[^\s:][^:\n]*\.\w+):(?P<line>\d+): (?:in (?P<function>.+)|(?P<error>[\w.]+).*)?$"
)
_DEF = re.compile(r"^[ >]\s+(?:async )?def (\w+)")
_ERROR_LINE = re.compile(
    r"^E\s{3,}(?P<type>[^\W\d][\w.]*(?:Error|Exception|Exit|Interrupt|\w))"
    r"(?::\s?(?P<message>.*))?$"
)


def pytest_summary(output: str, files: Files) -> Failure | None:
    """Find the first test that pytest reports as failed, with the type and place of its error."""
    summary = _SUMMARY.search(output)
    if _FAILURES.search(output) is None:
        return None
    section = _section(output)
    failure = _error_of(section, files)
    error, message = failure.error, failure.message
    said = (summary["message"] if summary else "") or ""
    if not error and (found := _EXCEPTION.match(said)):
        error, message = found["type"], found["message"] or ""
    if error in _PLACELESS:
        return Failure(error)
    test = summary["test"].rpartition("/")[2] if summary else ""
    return replace(failure, error=error or "failed", place=failure.place or test, message=message)


def _section(output: str) -> list[str]:
    """Return the lines that pytest printed about the first failure."""
    headings = list(itertools.islice(_HEADING.finditer(output), 2))
    if not headings:
        return []
    end = headings[1].start() if len(headings) > 1 else len(output)
    body = output[headings[0].end() : end]
    return re.split(r"^=+ |^-{5,} Captured ", body, maxsplit=1, flags=re.M)[0].splitlines()


def _error_of(section: list[str], files: Files) -> Failure:
    """Return the error that a section ends with."""
    error = function = ""
    marked: list[str] = []
    message: list[str] = []
    frames: list[Frame] = []
    for index, line in enumerate(section):
        if found := _DEF.match(line):
            function = found[1]
        if line.startswith(">"):
            marked = [f" {each[1:]}" for each in section[index : index + 2]]
        elif found := _AT.match(line):
            error = found["error"] or error
            below = section[index + 1 : index + 3] if found["function"] else marked
            name = found["function"] or function
            frames.insert(0, _frame(found["file"], name, found["line"], below))
            marked = []
            if not found["function"]:
                function = ""
        elif line.startswith("E  "):
            message.append(line[1:].strip())
    if message and (found := _ERROR_LINE.match("E   " + message[0])):
        if not error or found["type"].rpartition(".")[2] == error.rpartition(".")[2]:
            error = found["type"]
            message[0] = found["message"] or ""
        elif message[0].startswith("assert "):
            error = error or "AssertionError"
    elif message and not error:
        error = "AssertionError" if message[0].startswith("assert") else ""
    return located(error, frames, files, "\n".join(message))


_COMPARED = re.compile(r"(?:^|\s)(?:assert .+ (?:==|is) .+|.+ != .+)", re.M)


def is_equality(failure: Failure) -> bool:
    """Say whether a failed assertion compared two values for equality.

    Almost any other input makes such an assertion fail as well.
    """
    # pytest tells the values of assertions in files of tests alone, but the line of any.
    told = failure.message or failure.line.translate(_UNMARKED)
    return failure.error.startswith("AssertionError") and bool(_COMPARED.search(told))


_UNMARKED = str.maketrans("", "", "`«»")


FINDERS: tuple[FailureFinder, ...] = (
    pytest_summary,
    python_traceback,
)


def stack_of(output: str) -> list[Frame]:
    """Return the frames of the last traceback in an output, and of pytest's, innermost first.

    Those of the tracebacks before it, which may be its causes, come after them.
    """
    stacks: list[list[Frame]] = [[]]
    for line in output.splitlines():
        told = _unboxed(line)
        if _TRACEBACK.fullmatch(told):
            stacks.append([])
        elif (found := _FRAME.match(told)) or (found := _AT.match(told)):
            frame = Frame(found["file"], found["function"] or "", int(found["line"]))
            stacks[-1].append(frame)
    return [frame for stack in reversed(stacks) for frame in reversed(stack)]
