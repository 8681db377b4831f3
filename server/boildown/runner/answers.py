"""What a guardian's answer means: a run, or a reason why there could be none."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from boildown.runner.command import TestCommand
from boildown.runner.run import CannotRun, Problem, Run


def run_of(answer: dict[str, Any], directory: str, file: str) -> Run:
    """Return the run that an answer tells of; the paths are those that it had."""
    status = answer["status"]
    killed = status is not None and status < 0
    return Run(
        status=None if killed else status,
        signal=-status if killed else None,
        stdout=answer["stdout"].decode("utf-8", "backslashreplace"),
        stderr=answer["stderr"].decode("utf-8", "backslashreplace"),
        seconds=answer["seconds"],
        timed_out=answer["timed_out"],
        limit=answer["limit"],
        directory=directory,
        file=file,
    )


def cannot_run(answer: dict[str, Any], command: TestCommand) -> CannotRun:
    """Say why the guardian could not start the command."""
    reason = os.strerror(answer["error"])
    path = answer["path"]
    path = os.fsdecode(path) if isinstance(path, bytes) else str(path)
    match answer["where"]:
        case "exec" if not os.path.exists(path):
            message = f"The program '{path}' of the test command does not exist any more."
            return CannotRun(message, Problem.NOT_FOUND)
        case "exec" if reason == os.strerror(2):
            message = (
                f"'{path}' cannot be started: the interpreter in its first line does not exist."
            )
            return CannotRun(message, Problem.NOT_FOUND)
        case "exec":
            message = (
                f"'{path}' cannot be started ({reason}). If it is a script, give it a first line "
                "such as #!/bin/sh, or name its interpreter in the command."
            )
            return CannotRun(message, Problem.NOT_EXECUTABLE)
        case "cwd":
            message = (
                f"The directory '{command.cwd}' of the test command cannot be entered ({reason})."
            )
            return CannotRun(message, Problem.NOT_STARTED)
        case _:
            message = f"A run could not be prepared: {path}: {reason}."
            return CannotRun(message, Problem.NOT_STARTED)


def no_worker() -> CannotRun:
    """Say why there may be no guardian."""
    if not hasattr(os, "fork"):
        return CannotRun(
            "Test commands cannot be run on this system yet; on Windows, use Boildown in the "
            "Windows Subsystem for Linux.",
            Problem.NOT_STARTED,
        )
    return CannotRun(
        "The process that starts the runs could not begin its work. Is there room, and the "
        f"permission to write, in {tempfile.gettempdir()}?",
        Problem.NOT_STARTED,
    )
