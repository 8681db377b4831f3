"""The lines of Python that a run of a folder executes, and its calls, told by a run of its own.

A hook in `sitecustomize`, which Python imports when it starts, notes the lines that are executed
and who calls whom, and nothing that the command prints changes. A Python that imports no such
module, or that is ended by a signal, tells nothing; what is learnt is an order of candidates, never
a proof.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from boildown.folder_text import Call, Line
from boildown.runner.command import TestCommand
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner

_SLOWER = 10
"""How much longer a run may take than another: `sys.settrace` calls a function for each line."""
_HOOK = """\
import atexit, os, sys, threading

_lines, _calls = set(), {}
_installed = tuple(
    os.path.join(path, "lib") for path in {sys.prefix, sys.base_prefix, sys.exec_prefix}
)

def _tell():
    # Lines go on to be noted while this runs.
    found = {(os.path.abspath(name), line) for name, line in list(_lines)}
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "%d.lines" % os.getpid()), "a", encoding="utf-8") as file:
        for name, line in sorted(found):
            file.write("%d %s\\n" % (line, name))
        for caller, callee in list(_calls.values()):
            file.write("%d %s\\t%d %s\\n" % (*caller, *callee))

def _place(code):
    return code.co_firstlineno, os.path.abspath(code.co_filename)

def _call(frame):
    # The bodies of modules and classes are no functions.
    if not frame.f_code.co_flags & 1 or frame.f_code.co_filename.startswith(_installed):
        return
    caller = frame.f_back
    while caller is not None and caller.f_code.co_filename.startswith((*_installed, "<")):
        caller = caller.f_back
    code = caller.f_code if caller is not None and caller.f_code.co_flags & 1 else None
    key = id(code), id(frame.f_code)
    if key not in _calls:
        _calls[key] = _place(code) if code else (0, ""), _place(frame.f_code)

def _begin():
    if hasattr(sys, "monitoring"):
        tool = sys.monitoring.PROFILER_ID
        lines = sys.monitoring.events.LINE
        def see(code, line):
            if not code.co_filename.startswith(_installed):
                _lines.add((code.co_filename, line))
            return sys.monitoring.DISABLE
        sys.monitoring.use_tool_id(tool, "boildown")
        sys.monitoring.register_callback(tool, lines, see)
        def enter(code, _offset):
            if code.co_filename.startswith(_installed):
                return sys.monitoring.DISABLE
            _call(sys._getframe(1))
        starts = sys.monitoring.events.PY_START
        sys.monitoring.register_callback(tool, starts, enter)
        sys.monitoring.set_events(tool, lines | starts)
    else:
        def see_line(frame, event, _argument):
            if event == "line":
                _lines.add((frame.f_code.co_filename, frame.f_lineno))
            return see_line
        def see(frame, _event, _argument):
            # Nothing is to be known of the lines of what is installed.
            if frame.f_code.co_filename.startswith(_installed):
                return None
            _call(frame)
            return see_line
        threading.settrace(see)
        sys.settrace(see)
    atexit.register(_tell)

_begin()
"""


@dataclass(frozen=True, slots=True)
class Executed:
    """The trace of a run through the files of a folder; lines are counted from 1."""

    lines: Mapping[str, frozenset[int]]
    calls: Collection[Call]
    """Which function calls which, each by its first line; None calls what modules do."""


def executed_by(
    command: TestCommand, text: str, timeout: float | None, stopped: Callable[[], bool]
) -> Executed:
    """Run a folder's command once; return its trace, which is empty if nothing was told.

    `timeout` is that of other runs, in seconds, if they have one. Raises Stop.
    """
    with tempfile.TemporaryDirectory(prefix="boildown-lines-") as made:
        Path(made, "sitecustomize.py").write_text(_HOOK, "utf-8")
        known = command.environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        path = os.pathsep.join(filter(None, (made, known)))
        isolate = command.isolate
        hooked = replace(
            command,
            environment={**command.environment, "PYTHONPATH": path},
            isolate=replace(isolate, writable=(*isolate.writable, made)),
            warm=False,
        )
        try:
            with Runner(hooked, stopped=stopped) as runner:
                runner.run(text, timeout and timeout * _SLOWER, cold=True)
        except CannotRun:
            return Executed({}, ())
        told = [path.read_text("utf-8", "replace") for path in Path(made).glob("*.lines")]
    return _told("".join(told).splitlines(), frozenset(command.files))


def _told(rows: list[str], files: Collection[str]) -> Executed:
    """Read the rows of the hook: a line and its file, or two of them for a call."""
    lines: dict[str, set[int]] = {}
    calls: set[Call] = set()
    for row in rows:
        caller, callee = (_line(part, files) for part in row.rpartition("\t")[::2])
        if callee is None:
            continue
        if "\t" in row:
            calls.add((caller, callee))
        else:
            lines.setdefault(callee[0], set()).add(callee[1])
    return Executed({file: frozenset(numbers) for file, numbers in lines.items()}, calls)


def _line(told: str, files: Collection[str]) -> Line | None:
    """Return a line of a file of the folder: of the longest path that a name ends with.

    Where the run's folder was is not asked: a file elsewhere that ends alike only adds lines.
    """
    number, _, name = told.partition(" ")
    parts = name.split("/")
    ends = ("/".join(parts[at:]) for at in range(len(parts)))
    file = next((end for end in ends if end in files), None)
    # A module begins before its first line.
    return None if file is None or not number.isdigit() or not int(number) else (file, int(number))
