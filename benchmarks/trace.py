"""The way of a text: the modules from the command line to the file of the first candidate.

`python -m benchmarks.trace` reduces the demo's input by the command line, in this process, and
follows it with `sys.setprofile` until the first candidate is written. A module is on the way if
one of its frames is on the call stack when the candidate goes into the pipe to the guardian, or in
the guardian when it writes the candidate's file. A module that holds the failing input or the
candidate in an argument or a local variable at some call, but has returned before that, is beside
the way: it parses the text, turns it into bytes, judges it, keeps it or shows it. The wrappers of
the oracle count as one module.

Exits with 1 if more than `MOST` modules are on the way.
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import boildown
from boildown.cli.main import main as command_line
from boildown.engine.problem import Problem
from boildown.runner import worker
from boildown.runner.guardian import files

MOST = 12
"""Modules that may be on the way."""
PACKAGE = Path(boildown.__file__).parent
WRAPPER = "verdicts"
"""The name of the function in every wrapper of the oracle."""

_IN_GUARDIAN = """
import sys
def _note(frame, event, _argument):
    if event == "call" and (frame.f_code.co_filename, frame.f_code.co_name) == {write!r}:
        text, stack = frame.f_locals["request"]["text"], []
        while frame is not None:
            stack.append((frame.f_code.co_filename, frame.f_code.co_name))
            frame = frame.f_back
        with open({log!r}, "a") as file:
            file.write(repr((text, stack[::-1])) + chr(10))
sys.setprofile(_note)
"""
"""Runs before a guardian: notes each text that it writes, with the call stack, outermost first."""

Call = tuple[str, str]
"""A module, as a path in the package, and the name of a function in it."""


class Follower:
    """A profile function that notes the calls that the failing input and a candidate pass."""

    def __init__(self, *texts: str) -> None:
        self.candidate: bytes | None = None
        """The first candidate, once it goes to a guardian."""
        self.way: list[Call] = []
        """The call stack at that moment, outermost first."""
        self.held: dict[str, dict[str, None]] = {}
        """The functions, by module, in which one of the texts was seen."""
        self._texts = {*texts, *(text.encode() for text in texts)}
        self._sizes = set(map(len, self._texts))

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Take an event of `sys.setprofile`."""
        if event != "call" or self.candidate is not None:
            return
        for each in (frame.f_back, frame):
            call = None if each is None else _call(each)
            if call is not None and each is not None and any(map(self._holds, _values(each))):
                self.held.setdefault(call[0], {})[call[1]] = None
        if frame.f_code is worker.Worker.start.__code__:
            stack = list(_stack(frame))
            if any(each.f_code is Problem.consider_first.__code__ for each in stack):
                self.candidate = frame.f_locals["request"]["text"]
                self.way = [call for each in reversed(stack) if (call := _call(each))]

    def _holds(self, value: object, depth: int = 1) -> bool:
        """Say whether a value is one of the texts, or holds it as an item or as its `text`."""
        if isinstance(value, str | bytes):
            return len(value) in self._sizes and value in self._texts
        inner: list[Any] = []
        if isinstance(value, list | tuple):
            inner = list(value[:20])
        elif isinstance(value, dict):
            inner = list(value.values())[:20]
        elif hasattr(type(value), "__slots__") or hasattr(value, "__dict__"):
            inner = [getattr(value, "text", None)]
        return depth > 0 and any(self._holds(each, depth - 1) for each in inner)


def _values(frame: FrameType) -> list[object]:
    return list(frame.f_locals.values())


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _call(frame: FrameType) -> Call | None:
    return _named(frame.f_code.co_filename, frame.f_code.co_name)


def _named(file: str, function: str) -> Call | None:
    path = Path(file)
    return (str(path.relative_to(PACKAGE)), function) if path.is_relative_to(PACKAGE) else None


def followed(follower: Follower) -> None:
    """Run the command line until the first candidate has been run."""
    arguments = ["reduce", "orders.json", "--jobs", "1", "--max-runs", "1", "--fresh", "--"]
    sys.setprofile(follower)
    try:
        command_line([*arguments, sys.executable, "receipts.py", "orders.json"])
    finally:
        sys.setprofile(None)


def in_guardian(log: Path, candidate: bytes) -> list[Call]:
    """Return the call stack of the guardian when it wrote a candidate, outermost first."""
    for line in log.read_text().splitlines():
        text, stack = ast.literal_eval(line)
        if text == candidate:
            return [call for each in stack if (call := _named(*each))]
    raise ValueError("the candidate was not written")


def grouped(way: list[Call]) -> list[tuple[str, list[str]]]:
    """Return the modules on a way, each with its functions; wrappers of the oracle are one."""
    modules: dict[str, dict[str, None]] = {}
    for module, function in way:
        is_wrapper = function == WRAPPER and not module.startswith("runner/runner")
        name = "wrappers of the oracle" if is_wrapper else module
        modules.setdefault(name, {})[module if is_wrapper else function] = None
    return [(name, list(functions)) for name, functions in modules.items()]


def main() -> int:
    """Follow the text, and print its way."""
    with tempfile.TemporaryDirectory(prefix="boildown-trace-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        log, inputs = Path(folder, "guardian.log"), Path(folder, "demo")
        inputs.mkdir()
        for name in ("receipts.py", "orders.json"):
            shutil.copy(PACKAGE / "demo" / name, inputs)
        os.chdir(inputs)
        write = (files.write.__code__.co_filename, "write")
        worker._START_CODE = _IN_GUARDIAN.format(write=write, log=str(log)) + worker._START_CODE
        # The first time only tells which text the first candidate is.
        text, first = Path("orders.json").read_text(), Follower()
        followed(first)
        assert first.candidate is not None
        follower = Follower(text, first.candidate.decode())
        followed(follower)
        way = grouped([*follower.way, *in_guardian(log, first.candidate)])
        os.chdir("/")
    print(f"On the way, {len(way)} modules (at most {MOST}):")
    for number, (module, functions) in enumerate(way, 1):
        print(f"{number:4}  {module}: {', '.join(functions)}")
    passed = {module for module, _ in follower.way}
    beside = {name: held for name, held in follower.held.items() if name not in passed}
    print(f"Beside it, {len(beside)} modules:")
    for module, held in beside.items():
        print(f"      {module}: {', '.join(held)}")
    return 1 if len(way) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
