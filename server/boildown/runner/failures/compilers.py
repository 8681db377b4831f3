"""Internal errors of compilers."""

from __future__ import annotations

import re

from boildown.runner.failures import Failure, IsOwn, place_of

_GCC = re.compile(
    r"internal compiler error: (?:(?P<what>[^\n]*?), )?in (?P<function>\S+), at (?P<file>\S+?):"
    r"(?P<line>\d+)|internal compiler error: (?P<signal>[^\n]*)"
)
_GCC_FRAME = re.compile(r"^0x[0-9a-f]+ (?P<function>[^\n(]+)[^\n]*\n\s+(?P<file>\S+):\d+", re.M)
_GCC_HANDLERS = ("crash_signal", "internal_error", "fancy_abort", "diagnostic_", "???")


def gcc_error(output: str, _is_own: IsOwn) -> Failure | None:
    """Find an internal error of GCC (or another compiler that words it so)."""
    found = _GCC.search(output)
    if found is None:
        return None
    error = "internal compiler error"
    if found["function"]:
        what = f": {found['what']}" if found["what"] else ""
        return Failure(error + what, f"{place_of(found['file'])}: {found['function']}")
    frames = (
        place_of(frame["file"], frame["function"])
        for frame in _GCC_FRAME.finditer(output, found.end())
        if not frame["function"].startswith(_GCC_HANDLERS)
    )
    return Failure(f"{error}: {found['signal'].strip()}", next(frames, ""))


_BACKEND = re.compile(r"fatal error: error in backend: (?P<what>[^\n]*)")
_UNREACHABLE = re.compile(r"^(?P<what>[^\n]*)\nUNREACHABLE executed at (?P<file>[^\n:]*)", re.M)
_CLANG = re.compile(r"PLEASE submit a bug report|^Stack dump:", re.M)
_CLANG_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?P<function>[^\n(]*)(?P<rest>[^\n]*)", re.M)
_CLANG_HANDLERS = re.compile(
    r"llvm::sys::|SignalHandler|CrashRecovery|__restore_rt|\b(?:raise|abort|gsignal|__pthread_kill"
    r"|pthread_kill|__assert_fail(?:_base)?)\b|llvm_unreachable|report_fatal_error"
)


def clang_error(output: str, _is_own: IsOwn) -> Failure | None:
    """Find a crash of Clang or another tool of LLVM."""
    crashed = _CLANG.search(output)
    backend = _BACKEND.search(output)
    if crashed is None and backend is None:
        return None
    if backend is not None:
        return Failure("error in backend", "", backend["what"])
    if unreachable := _UNREACHABLE.search(output):
        return Failure(f"unreachable: {unreachable['what']}", place_of(unreachable["file"]))
    assert crashed is not None
    for frame in _CLANG_FRAME.finditer(output, crashed.end()):
        function = frame["function"].strip()
        if function and not _CLANG_HANDLERS.search(function):
            return Failure("compiler crash", function)
    return Failure("compiler crash")


_RUSTC = re.compile(
    r"^error: internal compiler error: (?:(?P<file>\S+?:\d+):\d+: )?(?P<what>.*)$", re.M
)


def rustc_error(output: str, is_own: IsOwn) -> Failure | None:
    """Find an internal error that rustc reports without a panic of its own."""
    found = _RUSTC.search(output)
    if found is None:
        return None
    file = found["file"] or ""
    place = "" if not file or is_own(file.rpartition(":")[0]) else place_of(file)
    return Failure("internal compiler error", place, found["what"])
