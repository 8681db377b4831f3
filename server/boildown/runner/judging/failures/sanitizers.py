"""Failures that a sanitizer or libFuzzer reports."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import (
    Failure,
    FailureFinder,
    Files,
    Frame,
    located,
    numbered,
)

_SUMMARY = re.compile(r"^SUMMARY: (?P<tool>\w*[Ss]anitizer|libFuzzer): (?P<rest>.*)$", re.M)
_RUNTIME_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?: runtime error: (?P<text>.*)$",
    re.M,
)
_STACK = re.compile(
    r"^\s*#\d+ 0x[0-9a-f]+ in (?P<function>.+?) (?P<file>[^\s()][^\n]*?)"
    r":(?P<line>\d+)(?::(?P<column>\d+))?\s*$",
    re.M,
)
_RUNTIME_PARTS = ("sanitizer_common", "/asan/", "/msan/", "/tsan/", "/ubsan/", "libsanitizer")


def sanitizer(output: str, files: Files) -> Failure | None:
    """Find the summary of a sanitizer, or a runtime error of the one for undefined behaviour."""
    summary = _SUMMARY.search(output)
    undefined = _RUNTIME_ERROR.search(output)
    if undefined is not None and (summary is None or "Undefined" in summary["tool"]):
        what = re.split(r"[:,]| of |-?\d", undefined["text"], maxsplit=1)[0].strip()
        error, text = f"UndefinedBehaviorSanitizer: {what}", undefined["text"]
        if files.is_own(undefined["file"]):
            return Failure(error, "", text)
        return numbered(error, _frame(undefined, ""), files, text)
    if summary is None:
        return None
    rest = summary["rest"]
    what = "memory leak" if " leaked in " in rest else rest.split(" ", 1)[0]
    if what == "data":
        what = "data race"
    error = f"{summary['tool']}: {what}"
    if what in ("stack-overflow", "out-of-memory", "timeout"):
        return Failure(error)
    failure = located(error, sanitizer_stack(output), files)
    function = rest.rpartition(" in ")[2] if " in " in rest and what != "memory leak" else ""
    return failure if failure.place or not function else Failure(error, function)


def sanitizer_stack(output: str) -> list[Frame]:
    """Return the frames of the first stack that a sanitizer has printed, innermost first."""
    return [
        _frame(frame, frame["function"])
        for frame in _STACK.finditer(_first_stack(output))
        if not any(part in frame["file"] for part in _RUNTIME_PARTS)
    ]


def _frame(found: re.Match[str], function: str) -> Frame:
    line, column = int(found["line"]), int(found["column"] or 0)
    return Frame(found["file"], function, line, column, compiled=True)


def _first_stack(output: str) -> str:
    """Return the output up to the end of the first stack with a line of a source file in it."""
    first = _STACK.search(output)
    return "" if first is None else output[: output.find("\n\n", first.end()) % (len(output) + 1)]


FINDERS: tuple[FailureFinder, ...] = (sanitizer,)
