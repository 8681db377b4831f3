"""The lines of Python that a run of a folder executes, told by a run of its own.

A hook in `sitecustomize`, which Python imports when it starts, notes the lines that are executed,
and nothing that the command prints changes. A Python that imports no such module, or that is ended
by a signal, tells nothing; what is learnt is an order of candidates, never a proof.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from boildown.runner.command import TestCommand
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner

_SLOWER = 10
"""How much longer a run may take than another: `sys.settrace` calls a function for each line."""
_HOOK = """\
import atexit, os, sys, threading

_lines = set()
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
        sys.monitoring.set_events(tool, lines)
    else:
        def see_line(frame, event, _argument):
            if event == "line":
                _lines.add((frame.f_code.co_filename, frame.f_lineno))
            return see_line
        def see(frame, _event, _argument):
            # Nothing is to be known of the lines of what is installed.
            return None if frame.f_code.co_filename.startswith(_installed) else see_line
        threading.settrace(see)
        sys.settrace(see)
    atexit.register(_tell)

_begin()
"""


def executed_lines(
    command: TestCommand, text: str, timeout: float | None, stopped: Callable[[], bool]
) -> Mapping[str, frozenset[int]]:
    """Run a folder's command once; return the lines of each file that it executes.

    `timeout` is that of other runs, in seconds, if they have one. Of no file if nothing was told.
    Raises Stop.
    """
    with tempfile.TemporaryDirectory(prefix="boildown-lines-") as made:
        Path(made, "sitecustomize.py").write_text(_HOOK, "utf-8")
        known = command.environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
        path = os.pathsep.join(filter(None, (made, known)))
        hooked = replace(
            command,
            environment={**command.environment, "PYTHONPATH": path},
            writable=(*command.writable, made),
            warm=False,
        )
        try:
            with Runner(hooked, stopped=stopped) as runner:
                runner.run(text, timeout and timeout * _SLOWER, cold=True)
        except CannotRun:
            return {}
        told = [path.read_text("utf-8", "replace") for path in Path(made).glob("*.lines")]
    return _by_file("".join(told).splitlines(), frozenset(command.files))


def _by_file(lines: list[str], files: frozenset[str]) -> dict[str, frozenset[int]]:
    """Return the lines of each file of the folder: the longest path that a name ends with.

    Where the run's folder was is not asked: a file elsewhere that ends alike only adds lines.
    """
    found: dict[str, set[int]] = {}
    for line in lines:
        number, _, name = line.partition(" ")
        parts = name.split("/")
        ends = ("/".join(parts[at:]) for at in range(len(parts)))
        file = next((end for end in ends if end in files), None)
        # A module begins before its first line.
        if file is not None and number.isdigit() and int(number):
            found.setdefault(file, set()).add(int(number))
    return {file: frozenset(numbers) for file, numbers in found.items()}
