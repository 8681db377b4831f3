"""Failures of compilers: internal errors of GCC and rustc."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import (
    Failure,
    FailureFinder,
    Files,
    Frame,
    numbered,
    place_of,
)

_GCC = re.compile(
    r"internal compiler error: (?:(?P<what>[^\n]*?), )?in (?P<function>\S+), at (?P<file>\S+?):"
    r"(?P<line>\d+)|internal compiler error: (?P<signal>[^\n]*)"
)
_GCC_FRAME = re.compile(r"^0x[0-9a-f]+ (?P<function>[^\n(]+)[^\n]*\n\s+(?P<file>\S+):\d+", re.M)
_GCC_HANDLERS = ("crash_signal", "internal_error", "fancy_abort", "diagnostic_", "???")


def gcc_error(output: str, _files: Files) -> Failure | None:
    """Find an internal error of GCC (or another compiler that words it so)."""
    found = _GCC.search(output)
    if found is None:
        return None
    error = "internal compiler error"
    if found["function"]:
        what = f": {found['what']}" if found["what"] else ""
        place = f"{place_of(found['file'])}: {found['function']}"
        return Failure(error + what, place, line=f"line {found['line']}")
    frames = (
        place_of(frame["file"], frame["function"])
        for frame in _GCC_FRAME.finditer(output, found.end())
        if not frame["function"].startswith(_GCC_HANDLERS)
    )
    return Failure(f"{error}: {found['signal'].strip()}", next(frames, ""))


_RUSTC = re.compile(
    r"^error: internal compiler error: (?:(?P<file>\S+?:\d+):\d+: )?(?P<what>.*)$", re.M
)


def rustc_error(output: str, files: Files) -> Failure | None:
    """Find an internal error that rustc reports without a panic of its own."""
    found = _RUSTC.search(output)
    if found is None:
        return None
    file = found["file"] or ""
    place = "" if not file or files.is_own(file.rpartition(":")[0]) else place_of(file)
    return Failure("internal compiler error", place, found["what"])


_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\s:][^\n:]*):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>(?:fatal )?error): "
    r"(?P<what>.*)$",
    re.M,
)


def diagnostic(output: str, files: Files) -> Failure | None:
    """Find the first error that a compiler reports in a file of a folder that is the input.

    In a single file that is reduced, such an error says that it is no meaningful input.
    """
    found = next(
        (each for each in _DIAGNOSTIC.finditer(output) if files.is_movable(each["file"])), None
    )
    if found is None:
        return None
    frame = Frame(found["file"], number=int(found["line"]), column=int(found["column"] or 0))
    return numbered(found["kind"], frame, files, found["what"])


FINDERS: tuple[FailureFinder, ...] = (
    rustc_error,
    gcc_error,
    diagnostic,
)
