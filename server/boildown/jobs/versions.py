"""The version of the failing program, for a bug report: as it or its project tells it, or none.

A program is asked with `--version`, once, in the sandbox and with the limits of a run. Where a test
calls it as a library, its project file tells the version, or else the installed distribution does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import PurePath
from typing import Any

from boildown.config.project import project_table
from boildown.jobs.inert import code
from boildown.runner.command import OPTIONS, TestCommand, find_loader, find_program, from_argv
from boildown.runner.pytest_runs import unittest_position
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner
from boildown.runner.workspace import workspace_of

_UNJUDGED: dict[str, Any] = {
    each.name: each.default
    for each in fields(TestCommand)
    if each.name in OPTIONS and OPTIONS[each.name].judges
}
"""The options that judge a run, as they are without any."""
_PATIENCE = 5.0
"""Seconds that a program has to say its version."""
_LONGEST = 200
"""Characters of a line that says a version; a longer one says something else."""
_VERSION = re.compile(r"\d+\.\d+")
_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?")
"""Matches names of distributions."""
_STARTERS = frozenset(
    {"bash", "dash", "env", "ksh", "nice", "nohup", "sh", "stdbuf", "time", "timeout", "zsh"}
)
"""Programs that start the one that fails, so that their own version says nothing of it."""
_INSTALLED = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


def program_version(
    command: TestCommand, stopped: Callable[[], bool] = lambda: False
) -> str | None:
    """Return the program's version as a line of Markdown; None: it is not known.

    Raises:
        Stop: `stopped` became true.
    """
    runs_tests = command.runs_pytest or unittest_position(command.argv) is not None
    if runs_tests or command.predicate is not None:
        return _of_project(command, stopped)
    program = PurePath(command.argv[0]).name
    # An interestingness test is the user's own script, and what it prints may be about anything.
    if command.interesting or "{" in command.argv[0] or program in _STARTERS:
        return None
    module = command.argv[1:3] if command.argv[1:2] == ("-m",) else ()
    line = _first_line(command, ("--version",), stopped, module)
    if line is None or not _VERSION.search(line):
        return None
    return f"{code(line)} ({code(' '.join((program, *module, '--version')))})"


def _of_project(command: TestCommand, stopped: Callable[[], bool]) -> str | None:
    """Return name and version of the project whose tests are run."""
    project = project_table(command.cwd, workspace_of(command))
    name, version = project.get("name"), project.get("version")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return None
    if not isinstance(version, str):
        version = _first_line(command, ("-c", _INSTALLED, name), stopped)
    return code(f"{name} {version}") if version else None


def _first_line(
    command: TestCommand,
    arguments: Sequence[str],
    stopped: Callable[[], bool],
    module: Sequence[str] = (),
) -> str | None:
    """Return the first line that the program prints with other arguments; None if it fails."""
    try:
        program = find_loader(command) if "-c" in arguments else find_program(command)
        if program is None:
            return None
        asked = from_argv((program, *module, *arguments), command.input_path, command.cwd)
        # All that holds for a run of the command, but what judges it, and what it is run on.
        asked = replace(
            command,
            argv=asked.argv,
            notes=(),
            predicate=None,
            warm=False,
            content=str,
            keep=(),
            folder=False,
            files=(),
            **_UNJUDGED,
        )
        with Runner(asked, 1, stopped) as runner:
            run = runner.run("", min(command.timeout or _PATIENCE, _PATIENCE))
    except CannotRun:
        return None
    lines = (run.stdout.strip() or run.stderr.strip()).splitlines()
    told = run.status == 0 and lines and len(lines[0]) <= _LONGEST
    return lines[0].strip() if told else None
