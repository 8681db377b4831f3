"""Failures that test runners report in a form of their own: Node's, Jest, Go's and Cargo's.

What a test prints itself, such as a panic, other finders find. pytest is in `python`.
"""

from __future__ import annotations

import re
import textwrap

from boildown.runner.judging.failures import Failure, FailureFinder, Files, Frame, located
from boildown.runner.judging.failures.managed import javascript

_TAP = re.compile(
    r"^(?P<indent> *)not ok \d+[^\n]*\n(?P=indent)  ---\n"
    r"(?P<report>(?:(?:(?P=indent)  [^\n]*)?\n){0,400}?)(?P=indent)  \.\.\.$",
    re.M,
)
_TAP_COMMENT = re.compile(r"^# ?", re.M)
_SPEC = re.compile(r"^✖ failing tests:\n(?P<report>.*)", re.M | re.S)


def node_test(output: str, files: Files) -> Failure | None:
    """Find the first failed test of `node --test`, as TAP or in Node's own form."""
    for found in _TAP.finditer(output):
        report = textwrap.dedent(found["report"])
        if stack := _value(report, "stack"):
            name, message = _value(report, "name") or "Error", _value(report, "error")
            frames = "".join(f"    at {line}\n" for line in stack.splitlines())
            return javascript(f"{name}: {message}\n{frames}", files)
    if output.startswith("TAP version"):
        # A file that fails as a whole prints its error; the runner makes comments of it.
        return javascript(_TAP_COMMENT.sub("", output), files)
    if (found_spec := _SPEC.search(output)) is not None:
        return javascript(re.sub(r"^  ", "", found_spec["report"], flags=re.M), files)
    return None


def _value(report: str, key: str) -> str:
    """Return the value of a key in the simple YAML that Node writes."""
    found = re.search(
        rf"^{key}: (?:\|-\n(?P<block>(?:(?: .*)?\n)+)|'(?P<quoted>.*)'$|(?P<plain>.*)$)",
        f"{report}\n",
        re.M,
    )
    if found is None:
        return ""
    if found["block"] is not None:
        return textwrap.dedent(found["block"]).strip()
    return found["plain"] or (found["quoted"] or "").replace("''", "'")


_JEST = re.compile(r"^  ● [^\n]*\n\n(?P<report>(?:(?:    [^\n]*)?\n)+)", re.M)
_JEST_ERROR = re.compile(r"(?P<type>[A-Z][\w$]*|[\w$]+(?:Error|Exception)): (?P<message>.*)")
_JEST_FRAME = re.compile(r"^ +(at [^\n]+:\d+:\d+\)?)$", re.M)


def jest(output: str, files: Files) -> Failure | None:
    """Find the first failed test that Jest reports, with the frames below its picture."""
    found = _JEST.search(output)
    if found is None:
        return None
    first = found["report"].lstrip().partition("\n")[0].strip()
    # Jest leaves out the type of a plain Error.
    said = first if _JEST_ERROR.match(first) else f"Error: {first}"
    frames = "".join(f"    {frame}\n" for frame in _JEST_FRAME.findall(found["report"]))
    failure = javascript(f"{said}\n{frames}", files)
    if failure is None:
        name, _, message = said.partition(": ")
        return Failure(name, message=message)
    return failure


_GO_TEST = re.compile(
    r"^(?P<indent> *)--- FAIL: (?P<test>[^\s/]+)[^\n]*\n(?P<log>(?:(?P=indent)    +[^\n]*\n?)+)",
    re.M,
)
_GO_LOG = re.compile(r"^ +(?P<file>[\w./-]+\.go):(?P<line>\d+): (?P<text>.*)$", re.M)
_GO_FAILS = re.compile(r"\.(?:Error|Fatal|Fail)")


def go_test(output: str, files: Files) -> Failure | None:
    """Find the first failed test of `go test`, at the line that called `t.Error` or `t.Fatal`."""
    if (found := _GO_TEST.search(output)) is None:
        return None
    logged = list(_GO_LOG.finditer(found["log"]))
    if not logged:
        return Failure("failed", found["test"])
    lines = (files.line(each["file"], int(each["line"])) for each in logged)
    at = next(
        (each for each, line in zip(logged, lines, strict=True) if _GO_FAILS.search(line)),
        logged[0],
    )
    frame = Frame(at["file"], found["test"], int(at["line"]), compiled=True)
    return located("failed", [frame], files, at["text"])


_CARGO_RETURNED = re.compile(r"^---- (?P<test>\S+) stdout ----\nError: (?P<message>.*)$", re.M)


def cargo_test(output: str, _files: Files) -> Failure | None:
    """Find a test of `cargo test` that returned an error; one that panics is found as such."""
    if (found := _CARGO_RETURNED.search(output)) is None:
        return None
    return Failure("returned an error", found["test"], found["message"])


FINDERS: tuple[FailureFinder, ...] = (
    node_test,
    jest,
    go_test,
    cargo_test,
)
