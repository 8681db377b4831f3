"""Failures of programs that bring a runtime along: JavaScript, Java, Go and Rust."""

from __future__ import annotations

import re

from boildown.runner.failures import Failure, IsOwn, place_of

_JS = re.compile(
    r"^(?:Uncaught |\[?Unhandled.*?: )?(?P<type>[A-Z][\w$]*(?:Error|Exception)?|[\w$]+Error)"
    r"(?: \[[^\]\n]*\])?(?:: (?P<message>[^\n]*(?:\n(?!\s+at )[^\n]*){0,20}))?"
    r"\n(?P<frames>(?:\s+at [^\n]*\n?)+)",
    re.M,
)
_JS_FRAME = re.compile(
    r"^\s+at (?:async )?(?:(?P<function>[^(\n]+?) \()?(?P<file>[^()\n]+?):\d+:\d+\)?$", re.M
)


def javascript(output: str, is_own: IsOwn) -> Failure | None:
    """Find an error of Node or another JavaScript engine, with its stack."""
    found = _JS.search(output)
    if found is None or not (frames := list(_JS_FRAME.finditer(found["frames"]))):
        return None
    error, message = found["type"], (found["message"] or "").strip()
    if error == "RangeError" and "call stack" in message:
        return Failure(error, "", message)
    outside = [frame for frame in frames if not is_own(_plain_path(frame["file"]))]
    outside.sort(key=lambda frame: frame["file"].startswith("node:"))
    place = (
        place_of(_plain_path(outside[0]["file"]), outside[0]["function"] or "") if outside else ""
    )
    return Failure(error, place, message)


def _plain_path(file: str) -> str:
    return file.removeprefix("file://")


_JAVA = re.compile(
    r"^(?:Exception in thread \"[^\"\n]*\" )?(?P<type>(?:[\w$]+\.)+[\w$]+)(?:: (?P<message>[^\n]*"
    r"(?:\n(?!\s+at |Caused by)[^\n]*){0,20}))?\n\s+at (?P<place>[\w.$<>/@-]+)\([^)\n]*\)",
    re.M,
)
_CAUSED = re.compile(
    r"^Caused by: (?P<type>[\w.$]+)[^\n]*\n(?:\s+at (?P<place>[\w.$<>/@-]+)\()?", re.M
)


def java(output: str, _is_own: IsOwn) -> Failure | None:
    """Find an exception of Java, with the types of its causes and the place of the first."""
    found = _JAVA.search(output)
    if found is None:
        return None
    error, place = found["type"], found["place"]
    for cause in _CAUSED.finditer(output, found.end()):
        error += f" from {cause['type']}"
        place = cause["place"] or place
    if found["type"].endswith(("StackOverflowError", "OutOfMemoryError")):
        return Failure(error)
    return Failure(error, re.sub(r"\d{2,}", "…", place), (found["message"] or "").strip())


_GO = re.compile(
    r"^(?P<kind>panic|fatal error): (?P<what>[^\n]*)(?P<more>(?:\n(?!\s*goroutine )[^\n]*){0,40}?)"
    r"\n+\s*goroutine \d+[^\n]*\[[^\n]*\]:\n(?P<frames>(?:[^\n]+\n?)+)",
    re.M,
)
_GO_FRAME = re.compile(r"^(?P<function>[^\s(][^\n]*)\([^\n]*\)\n\s+(?P<file>[^\n]+?):\d+", re.M)


def go(output: str, is_own: IsOwn) -> Failure | None:
    """Find a panic or fatal error of Go, at the first frame outside the runtime."""
    found = _GO.search(output)
    if found is None:
        return None
    what = found["what"].removesuffix(" [recovered]")
    error = found["kind"]
    if what.startswith("runtime error: ") or found["kind"] == "fatal error":
        error += ": " + re.split(r" \[|: \S*0x| \(", what, maxsplit=1)[0]
    if "stack overflow" in error or "stack exceeds" in output:
        return Failure("fatal error: stack overflow")
    frames = (
        place_of(frame["file"], frame["function"])
        for frame in _GO_FRAME.finditer(found["frames"])
        if not frame["function"].startswith(("panic", "runtime.")) and not is_own(frame["file"])
    )
    return Failure(error, next(frames, ""), what)


_RUST_NEW = re.compile(
    r"^thread '.*?'(?: \(\d+\))? panicked at (?P<file>[^\n']+?):(?P<line>\d+):\d+:\n"
    r"(?P<message>[^\n]*)",
    re.M,
)
_RUST_OLD = re.compile(
    r"^thread '.*?' panicked at '(?P<message>.*?)', (?P<file>[^\n]+?):(?P<line>\d+):\d+$",
    re.M | re.S,
)


def rust(output: str, is_own: IsOwn) -> Failure | None:
    """Find a panic of Rust: file and line of the program, which do not move with the candidate."""
    found = _RUST_NEW.search(output) or _RUST_OLD.search(output)
    if found is not None:
        place = "" if is_own(found["file"]) else f"{place_of(found['file'])}:{found['line']}"
        return Failure("panic", place, found["message"])
    if re.search(r"^thread '.*' (?:\(\d+\) )?has overflowed its stack$", output, re.M):
        return Failure("stack overflow")
    return None
