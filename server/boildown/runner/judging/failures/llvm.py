"""Failures of Clang and other tools of LLVM: crashes with a stack dump."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import Failure, FailureFinder, Files, place_of

_BACKEND = re.compile(r"fatal error: error in backend: (?P<what>[^\n]*)")
_UNREACHABLE = re.compile(r"^(?P<what>[^\n]*)\nUNREACHABLE executed at (?P<file>[^\n:]*)", re.M)
_CLANG = re.compile(r"PLEASE submit a bug report|^Stack dump:", re.M)
_CLANG_FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?P<function>[^\n(]*)(?P<rest>[^\n]*)", re.M)
_CLANG_HANDLERS = re.compile(
    r"llvm::sys::|SignalHandler|CrashRecovery|__restore_rt|\b(?:raise|abort|gsignal|__pthread_kill"
    r"|pthread_kill|__assert_fail(?:_base)?)\b|llvm_unreachable|report_fatal_error"
)


def clang_error(output: str, _files: Files) -> Failure | None:
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


FINDERS: tuple[FailureFinder, ...] = (clang_error,)
