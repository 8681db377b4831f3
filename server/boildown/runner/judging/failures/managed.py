"""Failures of JavaScript, Java, Go and Rust: errors, exceptions and panics with their stack."""

from __future__ import annotations

import re

from boildown.runner.judging.failures import (
    Failure,
    FailureFinder,
    Files,
    Frame,
    line_of,
    located,
    numbered,
)

_JS = re.compile(
    r"^(?:Uncaught |\[?Unhandled.*?: |[^\s:]+\.\w+: )?"
    r"(?P<type>[A-Z][\w$]*(?:Error|Exception)?|[\w$]+Error)"
    r"(?: \[[^\]\n]*\])?(?:: (?P<message>[^\n]*(?:\n(?!\s+at )[^\n]*){0,20}))?"
    r"\n(?P<frames>(?:\s+at [^\n]*\n?)+)",
    re.M,
)
_JS_FRAME = re.compile(
    r"^\s+at (?:async )?(?:(?P<function>[^(\n]+?) \()?"
    r"(?P<file>[^()\n]+?):(?P<line>\d+):(?P<column>\d+)\)?$",
    re.M,
)


def javascript(output: str, files: Files) -> Failure | None:
    """Find an error of Node or another JavaScript engine, with its stack."""
    found = _JS.search(output)
    if found is None or not (frames := javascript_stack(found["frames"])):
        return None
    error, message = found["type"], (found["message"] or "").strip()
    if error == "RangeError" and "call stack" in message:
        return Failure(error, "", message)
    frames.sort(key=lambda frame: frame.file.startswith("node:"))
    return located(error, frames, files, message)


def javascript_stack(output: str) -> list[Frame]:
    """Return the frames that a JavaScript engine has printed in an output, innermost first."""
    return [
        Frame(
            frame["file"].removeprefix("file://"),
            frame["function"] or "",
            int(frame["line"]),
            int(frame["column"]),
        )
        for frame in _JS_FRAME.finditer(output)
    ]


_JAVA = re.compile(
    r"^(?:Exception in thread \"[^\"\n]*\" )?(?P<type>(?:[\w$]+\.)+[\w$]+)(?:: (?P<message>[^\n]*"
    r"(?:\n(?!\s+at |Caused by)[^\n]*){0,20}))?\n\s+at (?P<place>[\w.$<>/@-]+)\([^)\n]*\)",
    re.M,
)
_CAUSED = re.compile(
    r"^Caused by: (?P<type>[\w.$]+)[^\n]*\n(?:\s+at (?P<place>[\w.$<>/@-]+)\()?", re.M
)
_JAVA_FRAME = re.compile(
    r"\s+at (?P<place>[\w.$<>/@-]+)\((?:(?P<file>[^():\n]+):(?P<line>\d+))?[^)\n]*\)[^\n]*\n?"
)
_JAVA_LIBRARY = re.compile(r"(?:[\w.]+@[\w.]*/|java\.|javax\.|jdk\.|sun\.|kotlin\.|scala\.)")


def java(output: str, files: Files) -> Failure | None:
    """Find an exception of Java, with the types of its causes and the place of the first."""
    found = _JAVA.search(output)
    if found is None:
        return None
    error, place, start = found["type"], found["place"], found.start("place")
    for cause in _CAUSED.finditer(output, found.end()):
        error += f" from {cause['type']}"
        if cause["place"]:
            place, start = cause["place"], cause.start("place")
    if found["type"].endswith(("StackOverflowError", "OutOfMemoryError")):
        return Failure(error)
    message = (found["message"] or "").strip()
    inner, user = _java_frames(output[output.rfind("\n", 0, start) :])
    caller = "" if user is inner else _steady(user.function)
    return Failure(error, _steady(place), message, line_of(user, files), caller)


def _java_frames(stack: str) -> tuple[Frame, Frame]:
    """Return the innermost frame of a stack, and the innermost of the user's own code."""
    frames: list[Frame] = []
    position = 0
    while frame := _JAVA_FRAME.match(stack, position):
        position = frame.end()
        package = frame["place"].rpartition("/")[2].split(".")[:-2]
        file = "/".join([*package, frame["file"]]) if frame["file"] else ""
        frames.append(Frame(file, frame["place"], int(frame["line"] or 0), compiled=True))
        if not _JAVA_LIBRARY.match(frame["place"]) and "java.base/" not in frame["place"]:
            return frames[0], frames[-1]
    inner = frames[0] if frames else Frame("")
    return inner, inner


def _steady(place: str) -> str:
    """Return the name of a method without the numbers of classes that are made while it runs."""
    return re.sub(r"\d{2,}", "…", place)


_GO = re.compile(
    r"^(?P<kind>panic|fatal error): (?P<what>[^\n]*)(?P<more>(?:\n(?!\s*goroutine )[^\n]*){0,40}?)"
    r"\n+\s*goroutine \d+[^\n]*\[[^\n]*\]:\n(?P<frames>(?:[^\n]+\n?)+)",
    re.M,
)
_GO_FRAME = re.compile(
    r"^(?P<function>[^\s(][^\n]*)\([^\n]*\)\n\s+(?P<file>[^\n]+?):(?P<line>\d+)", re.M
)


def go(output: str, files: Files) -> Failure | None:
    """Find a panic or fatal error of Go, at the first frame outside the runtime."""
    found = _GO.search(output)
    if found is None:
        return None
    what = re.sub(r" \[recovered[^]]*\]$", "", found["what"])
    error = found["kind"]
    if what.startswith("runtime error: ") or found["kind"] == "fatal error":
        error += ": " + re.split(r" \[|: \S*0x| \(", what, maxsplit=1)[0]
    if "stack overflow" in error or "stack exceeds" in output:
        return Failure("fatal error: stack overflow")
    frames = [
        Frame(frame["file"], frame["function"], int(frame["line"]), compiled=True)
        for frame in _GO_FRAME.finditer(found["frames"])
    ]
    # Above the panic stands who recovered from it and raised it again, as `go test` does.
    raised = [n for n, frame in enumerate(frames) if frame.function == "panic"]
    below = frames[raised[-1] + 1 :] if raised else frames
    own = (frame for frame in below if not frame.function.startswith("runtime."))
    return located(error, own, files, what)


_RUST_NEW = re.compile(
    r"^thread '.*?'(?: \(\d+\))? panicked at (?P<file>[^\n']+?):(?P<line>\d+):(?P<column>\d+):\n"
    r"(?P<message>[^\n]*)",
    re.M,
)
_RUST_OLD = re.compile(
    r"^thread '.*?' panicked at '(?P<message>.*?)', "
    r"(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+)$",
    re.M | re.S,
)


def rust(output: str, files: Files) -> Failure | None:
    """Find a panic of Rust at its line of the program: its text, or its number."""
    found = _RUST_NEW.search(output) or _RUST_OLD.search(output)
    if found is not None:
        if files.is_own(found["file"]):
            return Failure("panic", "", found["message"])
        frame = Frame(found["file"], "", int(found["line"]), int(found["column"]))
        return numbered("panic", frame, files, found["message"])
    if re.search(r"^thread '.*' (?:\(\d+\) )?has overflowed its stack$", output, re.M):
        return Failure("stack overflow")
    return None


FINDERS: tuple[FailureFinder, ...] = (
    rust,
    go,
    java,
    javascript,
)
