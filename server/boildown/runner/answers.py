"""Answers of a guardian: read as a run, or as the reason why the command could not start."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import Any

from boildown.runner.command import TestCommand
from boildown.runner.run import CannotRun, Obstacle, Run


def run_of(answer: dict[str, Any], directory: str, file: str, text: str) -> Run:
    """Return an answer as a run on a text; `directory` and `file` are the paths that it had."""
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
        cpu=answer["cpu"],
        memory=answer["memory"],
        waited=answer["waited"],
        full=answer["full"],
        directory=directory,
        file=file,
        text=text,
        read=frozenset(map(os.fsdecode, answer.get("read", ()))),
    )


def imported_modules(told: bytes) -> tuple[Sequence[tuple[str, str]], frozenset[str]]:
    """Return the modules that a run on a folder imported from outside of it, by name and file.

    Beside them are the names that were taken before the first module of the folder itself came.
    """
    modules: list[tuple[str, str]] = []
    before: frozenset[str] | None = None
    for line in told.decode("utf-8", "surrogateescape").split("\n"):
        name, separator, file = line.partition("\t")
        if separator:
            modules.append((name, file))
        elif before is None:
            before = frozenset(each.partition(".")[0] for each, _ in modules)
    return modules, before or frozenset()


def missing_program(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the answer on a run that could not begin as a shell would tell of it: status 127."""
    told = os.strerror(answer["error"]).encode()
    limits = {"seconds": 0.0, "timed_out": False, "limit": "", "cpu": 0.0, "memory": 0}
    doubts = {"waited": 0.0, "full": False, "in_place": answer["in_place"]}
    return {"status": 127, "stdout": b"", "stderr": told, **limits, **doubts}


def cannot_run(answer: dict[str, Any], command: TestCommand) -> CannotRun:
    """Return the error for a command that the guardian could not start."""
    reason = os.strerror(answer["error"])
    path = answer["path"]
    path = os.fsdecode(path) if isinstance(path, bytes) else str(path)
    match answer["where"]:
        case "exec" if not os.path.exists(path):
            message = f"The program '{path}' does not exist any more."
            return CannotRun(message, Obstacle.NOT_FOUND)
        case "exec" if reason == os.strerror(2):
            message = (
                f"'{path}' cannot be started: the interpreter in its first line does not exist."
            )
            return CannotRun(message, Obstacle.NOT_FOUND)
        case "exec":
            message = (
                f"'{path}' cannot be started ({reason}). If it is a script, give it a first line "
                "such as #!/bin/sh, or name its interpreter in the command."
            )
            return CannotRun(message, Obstacle.NOT_EXECUTABLE)
        case "cwd":
            message = (
                f"The directory '{command.cwd}' of the test command cannot be entered ({reason})."
            )
            return CannotRun(message, Obstacle.NOT_STARTED)
        case "sandbox":
            message = f"The sandbox of a run could not be made ({reason})."
            return CannotRun(message, Obstacle.NOT_STARTED)
        case _:
            message = f"A run could not be prepared: {path}: {reason}."
            return CannotRun(message, Obstacle.NOT_STARTED)


def no_fork() -> CannotRun:
    """Return the error for a system on which there are no guardians."""
    return CannotRun(
        "Test commands cannot be run on this system yet; on Windows, use Boildown in the "
        "Windows Subsystem for Linux (WSL).",
        Obstacle.NOT_STARTED,
    )


def no_worker() -> CannotRun:
    """Return the error for a guardian that could not be started."""
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:
        folder = "the temporary folder"
    return CannotRun(
        "The process that starts the runs could not begin its work. Is there room, and the "
        f"permission to write, in {folder}?",
        Obstacle.NOT_STARTED,
    )
