"""Failures of compiled programs: sanitizers, assertions, the C and C++ runtimes."""

from __future__ import annotations

import re

from boildown.runner.failures import Failure, IsOwn, place_of

_SUMMARY = re.compile(r"^SUMMARY: (?P<tool>\w*[Ss]anitizer|libFuzzer): (?P<rest>.*)$", re.M)
_RUNTIME_ERROR = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::\d+)?: runtime error: (?P<text>.*)$", re.M
)
_STACK = re.compile(
    r"^\s*#\d+ 0x[0-9a-f]+ in (?P<function>.+?) (?P<file>[^\s()][^\n]*?):\d+(?::\d+)?\s*$", re.M
)
_RUNTIME_PARTS = ("sanitizer_common", "/asan/", "/msan/", "/tsan/", "/ubsan/", "libsanitizer")


def sanitizer(output: str, is_own: IsOwn) -> Failure | None:
    """Find the summary of a sanitizer, or a runtime error of the one for undefined behaviour."""
    summary = _SUMMARY.search(output)
    undefined = _RUNTIME_ERROR.search(output)
    if undefined is not None and (summary is None or "Undefined" in summary["tool"]):
        what = re.split(r"[:,]| of |-?\d", undefined["text"], maxsplit=1)[0].strip()
        place = "" if is_own(undefined["file"]) else place_of(undefined["file"])
        if place:
            place += f":{undefined['line']}"
        return Failure(f"UndefinedBehaviorSanitizer: {what}", place, undefined["text"])
    if summary is None:
        return None
    rest = summary["rest"]
    what = "memory leak" if " leaked in " in rest else rest.split(" ", 1)[0]
    if what == "data":
        what = "data race"
    error = f"{summary['tool']}: {what}"
    if what in ("stack-overflow", "out-of-memory", "timeout"):
        return Failure(error)
    frames = (
        place_of(frame["file"], frame["function"])
        for frame in _STACK.finditer(output)
        if not any(part in frame["file"] for part in _RUNTIME_PARTS) and not is_own(frame["file"])
    )
    function = rest.rpartition(" in ")[2] if " in " in rest and what != "memory leak" else ""
    return Failure(error, next(frames, function))


_ASSERTIONS = (
    re.compile(
        r"^(?:[^:\n]+: )?(?P<file>[^:\n]+):\d+: (?P<function>[^\n]+): "
        r"Assertion [`'](?P<what>.*?)'? failed\.?",
        re.M,
    ),
    re.compile(
        r"^Assertion failed: \((?P<what>.*)\), function (?P<function>.*), file (?P<file>.*), line",
        re.M,
    ),
    re.compile(r"^Assertion failed: (?P<what>.*) \((?P<file>[^:]*): (?P<function>.*): \d+\)", re.M),
    re.compile(r"^Assertion failed: (?P<what>.*), file (?P<file>.*), line \d+(?P<function>)", re.M),
)


def c_assertion(output: str, is_own: IsOwn) -> Failure | None:
    """Find a failed `assert` of C or C++, as the common C libraries print it."""
    for pattern in _ASSERTIONS:
        if found := pattern.search(output):
            place = "" if is_own(found["file"]) else place_of(found["file"], found["function"])
            return Failure(f"assertion {found['what']}", place)
    return None


_TERMINATE = re.compile(
    r"^(?:terminate called after throwing an instance of '(?P<gnu>.*)'"
    r"|libc\+\+abi: terminating.* exception of type (?P<llvm>[^:\n]*))"
    r"(?:\n\s*what\(\):\s*|: )?(?P<message>.*)",
    re.M,
)


def cpp_exception(output: str, _is_own: IsOwn) -> Failure | None:
    """Find a C++ exception that nothing caught."""
    if found := _TERMINATE.search(output):
        return Failure(found["gnu"] or found["llvm"], "", found["message"])
    return None


_HEAP = re.compile(
    r"^(?:\*\*\* )?(?P<what>stack smashing detected|buffer overflow detected|double free or "
    r"corruption[^\n]*|(?:free|malloc|realloc|munmap_chunk)\(\): [^\n*]+|corrupted [^\n*]+|"
    r"double free detected[^\n*]*)",
    re.M,
)


def c_library(output: str, _is_own: IsOwn) -> Failure | None:
    """Find what the C library says before it aborts a program with a broken heap or stack."""
    if found := _HEAP.search(output):
        return Failure(found["what"].strip())
    return None
