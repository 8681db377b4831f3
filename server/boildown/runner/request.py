"""From a test command and a candidate to what a guardian needs to know for one run."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boildown.runner.command import PLACEHOLDER, Placement, TestCommand, find_program
from boildown.runner.guardian.messages import TEMPORARY
from boildown.runner.pytest_runs import import_root
from boildown.runner.run import encode
from boildown.runner.workspace import Mirror

_TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""Where programs look for the folder of temporary files."""


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one run."""

    base: str
    """The worker's own directory, the same for all its runs."""
    directory: str
    """A fresh one, removed after the run."""
    file: str
    """Where the candidate is written."""
    cwd: str


def places(command: TestCommand, base: str, number: int, mirror: Mirror | None) -> Places:
    """Return the paths for the run of that number; `mirror` is the worker's, for an overlay."""
    directory = os.path.join(base, str(number))
    cwd = str(command.cwd)
    if mirror is not None:
        inner = mirror.root / _original(command).relative_to(mirror.workspace)
        return Places(base, directory, str(inner), str(mirror.path(command.cwd)))
    if command.placement is Placement.BESIDE:
        original = _original(command)
        unique = f"{original.stem}.{os.path.basename(base)}-{number}{original.suffix}"
        return Places(base, directory, str(original.with_name(unique)), cwd)
    file = os.path.join(directory, command.name)
    return Places(base, directory, file, cwd if command.names_file else directory)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What all runs of a worker have in common."""

    program: str
    environment: dict[bytes, bytes]
    special: bool
    """Whether the environment is another one than a guardian has that loaded what is needed."""
    mode: int
    """The permissions of a candidate."""
    memory: int | None


def fixed_parts(command: TestCommand, base: str, mirror: Mirror | None) -> Fixed:
    """Find out what need not be found out for each run. Raises CannotRun."""
    isolation = _isolation(command, mirror)
    return Fixed(
        find_program(command),
        encoded({**variables_of(command), **temporary(command, base), **isolation}),
        bool(isolation),
        _mode(command),
        command.memory or half_of_memory(),
    )


def request(
    command: TestCommand,
    where: Places,
    fixed: Fixed,
    text: str,
    timeout: float | None,
    number: int,
    mirror: Mirror | None,
    warm: bool,
) -> dict[str, Any]:
    """Return the message for the guardian; all strings in it are bytes.

    `warm` says that the guardian has loaded what the command needs and only has to call it.
    """
    argv, program = arguments(command, where, fixed.program, mirror)
    called: dict[str, Any] = {}
    if warm:
        called = {"call": "predicate" if command.predicate else "pytest"}
        argv = argv[argv.index("pytest" if command.predicate is None else command.predicate) + 1 :]
    stays = command.placement is not Placement.TEMP
    return {
        **called,
        "directory": os.fsencode(where.directory),
        "file": os.fsencode(where.file),
        "text": encode(command.content(text)),
        "mode": fixed.mode,
        # Whoever compares times and sizes, as Python's bytecode cache does, must see every change.
        "mtime": int(time.time()) + number if stays else None,
        "unlink": stays,
        "stdin": not command.names_file,
        "program": os.fsencode(program),
        "argv": [os.fsencode(part) for part in argv],
        # What was loaded ahead has it already.
        "environment": fixed.environment if fixed.special or not warm else None,
        "cwd": os.fsencode(where.cwd),
        "timeout": timeout,
        "memory": fixed.memory,
        "cpu": command.cpu,
    }


def temporary(command: TestCommand, base: str) -> dict[str, str]:
    """Return the variables that lead the temporary files of runs into the worker's directory.

    Where the user sets one of them, there are none.
    """
    if any(name in command.environment for name in _TEMPORARY):
        return {}
    return dict.fromkeys(_TEMPORARY, os.path.join(base, TEMPORARY))


def encoded(variables: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return an environment as a guardian takes it."""
    return {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}


def variables_of(command: TestCommand) -> dict[str, str]:
    """Return the environment that the command has wherever its candidate stands."""
    return {**os.environ, **command.environment}


def arguments(
    command: TestCommand, where: Places, program: str, mirror: Mirror | None
) -> tuple[list[str], str]:
    """Return the arguments with the placeholders filled in, and the program's path."""
    values = {
        "file": where.file,
        "dir": os.path.dirname(where.file),
        "original": str(command.original or ""),
        "test": command.test or "",
    }
    argv = [PLACEHOLDER.sub(lambda match: values[match[1]], part) for part in command.argv]
    if program.startswith("{"):
        return argv, argv[0]
    if mirror is not None:
        return [mirror.argument(part) for part in argv], mirror.argument(program)
    return argv, program


def half_of_memory() -> int | None:
    """Return half the bytes of the machine's memory, or None if that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return None


def _isolation(command: TestCommand, mirror: Mirror | None) -> Mapping[str, str]:
    """Return the variables that keep a run out of the user's folders.

    In a mirror, Python's import path leads to the mirror first: an editable installation would
    lead back to the user's files.
    """
    if mirror is None:
        return {"PYTHONDONTWRITEBYTECODE": "1"} if command.runs_pytest else {}
    given = command.environment.get("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    path = [mirror.argument(part) for part in given.split(os.pathsep) if part]
    root = import_root(_original(command))
    if root is not None:
        path.insert(0, str(mirror.path(root)))
    return {"PYTHONPATH": os.pathsep.join(path)} if path else {}


def _original(command: TestCommand) -> Path:
    return command.original or command.cwd / command.name


def _mode(command: TestCommand) -> int:
    """Return the permissions of a candidate: the original's, but writable."""
    try:
        return _original(command).stat().st_mode & 0o777 | 0o600
    except OSError:
        return 0o644
