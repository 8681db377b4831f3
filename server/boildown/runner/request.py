"""Requests to a guardian: the message that has it run the test command on one candidate."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from boildown.folder_text import unpacked
from boildown.runner.command import PLACEHOLDER, TestCommand
from boildown.runner.guardian.messages import (
    FOLDER_PATH,
    OBSERVED,
    OBSERVER_PATH,
    TEMPORARY_FOLDER,
)
from boildown.runner.pytest_runs import import_root, pytest_position
from boildown.runner.run import CannotRun, Obstacle, encode
from boildown.runner.workspace import Mirror

_TEMPORARY_VARIABLES = ("TMPDIR", "TEMP", "TMP")
"""Where programs look for the folder of temporary files."""

_MODULES = (".py", ".pyc", ".pyd", ".so")
"""The suffixes of files that Python imports."""


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """The test command as one worker runs it: the facts that all its runs have in common."""

    command: TestCommand
    base: str
    """The worker's own directory, which holds the fresh directories of its runs."""
    mirror: Mirror | None
    """The worker's copy of the workspace, if it runs in one."""
    program: str
    """The absolute path of the program, or a placeholder."""
    environment: dict[bytes, bytes]
    special: bool
    """Whether the environment is another one than a guardian has that loaded what is needed."""
    mode: int
    """The permissions of a candidate's file."""
    memory: int | None
    """Bytes that a run and its descendants may use together."""
    writable: tuple[bytes, ...] | None
    """The paths that any run may write below; None: all that the user may write."""


def worker_setup(
    command: TestCommand, program: str, base: str, mirror: Mirror | None
) -> WorkerSetup:
    """Return the setup of a worker, found out once for all its runs. Raises CannotRun."""
    own = _isolation(command, mirror)
    variables = {**variables_of(command), **temporary(command, base), **own}
    if command.observed:
        own = _observing(command, variables)
    return WorkerSetup(
        command,
        base,
        mirror,
        program,
        encoded({**variables, **own}),
        bool(own),
        0o644 if command.folder else _mode(command),
        command.memory or half_of_memory(),
        _writable(command, base, mirror) if command.is_strict else None,
    )


def _writable(command: TestCommand, base: str, mirror: Mirror | None) -> tuple[bytes, ...]:
    """Return the paths that all runs of a worker may write: temporary files, mirror, user's list.

    The worker's directory itself is not among them, so no run can exchange what is in it.
    """
    listed = [command.cwd / Path(each).expanduser() for each in command.isolate.writable]
    for path in listed:
        if not os.path.exists(path):
            raise CannotRun(
                f"'{path}' is to be writable, but does not exist; make it first, or name the "
                "folder that it is made in.",
                Obstacle.USAGE,
            )
    own = [Path(base, TEMPORARY_FOLDER), *([mirror.root] if mirror is not None else [])]
    if command.observed:
        own.append(Path(command.observed))
    return tuple(map(os.fsencode, (*own, *listed)))


@dataclass(frozen=True, slots=True)
class RunPaths:
    """The paths of one run."""

    directory: str
    """A fresh one, removed after the run."""
    file: str
    """Where the candidate is written."""
    cwd: str
    """Where the command starts."""


def run_paths(setup: WorkerSetup, number: int) -> RunPaths:
    """Return the paths for the run of that number."""
    command, mirror = setup.command, setup.mirror
    if command.folder:
        assert mirror is not None
        # The same for all runs: what a program remembers of its paths stays true.
        root = str(mirror.root)
        start = command.cwd
        if start.is_relative_to(mirror.workspace):
            # Also where no file of the candidate is: never in the user's folder.
            start = mirror.root / start.relative_to(mirror.workspace)
        return RunPaths(os.path.dirname(root), root, str(start))
    directory = os.path.join(setup.base, str(number))
    cwd = str(command.cwd)
    if mirror is not None:
        inner = mirror.root / command.input_path.relative_to(mirror.workspace)
        return RunPaths(directory, str(inner), str(mirror.path(command.cwd)))
    file = os.path.join(directory, command.name)
    return RunPaths(directory, file, cwd if command.names_file else directory)


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run of the test command on a candidate, before it starts."""

    setup: WorkerSetup
    paths: RunPaths
    number: int
    """Counts all runs of the Runner from 1."""
    text: str
    """The candidate."""
    timeout: float | None
    """Seconds."""
    warm: bool
    """Whether the guardian has loaded what the command needs and only has to call it."""
    tells_imports: bool = False
    """Whether it is to tell which modules it imports from outside of its folder."""
    varied: bool = False
    """Whether its environment has another size than that of other runs."""


def request(planned: PlannedRun) -> dict[str, Any]:
    """Return the message that has a guardian perform a run; all strings in it are bytes."""
    setup, paths, command = planned.setup, planned.paths, planned.setup.command
    argv, program = arguments(setup, paths.file)
    called: dict[str, Any] = {}
    if planned.warm:
        # Only the arguments after the predicate's or pytest's name are for what is called.
        called = {"call": "predicate" if command.predicate else "pytest"}
        position = pytest_position(command.argv) or command.argv.index(str(command.predicate)) + 1
        argv = argv[position:]
    environment = setup.environment if setup.special or not planned.warm else None
    if planned.varied and environment is not None:
        environment = {**environment, b"BOILDOWN_VARIED": b"." * varied_size(planned.number)}
    if planned.tells_imports:
        called["imported"] = os.fsencode(f"{paths.file}.imported")
        environment = {**setup.environment, b"BOILDOWN_IMPORTED": called["imported"]}
    stays = setup.mirror is not None and not command.folder
    own = [os.fsencode(paths.directory), os.fsencode(paths.file)]
    return {
        **called,
        "directory": os.fsencode(paths.directory),
        "file": os.fsencode(paths.file),
        **_content(planned),
        "mode": setup.mode,
        # Whoever compares times and sizes, as Python's bytecode cache does, must see every change.
        "mtime": int(time.time()) + planned.number if stays else None,
        "unlink": _scratch(setup, paths),
        "stdin": not command.names_file,
        "program": os.fsencode(program),
        "argv": [os.fsencode(part) for part in argv],
        # The process that loaded ahead has the environment already, and changing it costs time.
        "environment": environment,
        "cwd": os.fsencode(paths.cwd),
        "first": os.fsencode(_first_entry(command, program, paths.cwd)),
        "timeout": planned.timeout,
        "memory": setup.memory,
        "cpu": command.cpu,
        "writable": None if setup.writable is None else [*own, *setup.writable],
    }


def _scratch(setup: WorkerSetup, paths: RunPaths) -> list[bytes]:
    """Return the files to remove after a run, for its directory is that of the next one, too."""
    command, mirror = setup.command, setup.mirror
    if mirror is None or command.folder:
        return []
    made = [mirror.root / path for path in command.scratch]
    return [os.fsencode(paths.file), *map(os.fsencode, made)]


def varied_size(number: int) -> int:
    """Return how many bytes a varied run's environment is larger, spread over a page of memory.

    The environment lies above the stack, so its size moves all that is on the stack. The factor is
    near the golden section of 16 bytes, of 64 and of 4,096: so few runs in a row already differ in
    how the stack is aligned, and in where a page ends.
    """
    return number * 2_535 % 4_096


def loading(
    setup: WorkerSetup, modules: Sequence[tuple[str, str]], before: Collection[str]
) -> dict[str, Any]:
    """Return the message that has a guardian load pytest, say, ahead of the runs.

    `modules` are those that a run on a folder has imported from outside, by name and file, and
    `before` the names that were taken before the first of the folder's own.
    """
    command, base, mirror = setup.command, setup.base, setup.mirror
    message: dict[str, Any] = {"preload": command.preload}
    if not command.folder:
        cwd, directory = str(command.cwd), os.path.join(base, "empty")
        environment = encoded(temporary(command, base))
    else:
        assert mirror is not None
        paths = run_paths(setup, 0)
        cwd, directory, environment = paths.cwd, paths.directory, setup.environment
        path = os.fsdecode(environment[b"PYTHONPATH"]).split(os.pathsep)
        roots = [os.path.relpath(os.path.join(cwd, root), mirror.root) for root in (cwd, *path)]
        own = own_names(command.files, roots)
        own |= {"before": sorted(before), "folder": os.path.realpath(command.input_path)}
        message |= {"own": own, "modules": list(modules)}
    return {
        **message,
        "directory": os.fsencode(directory),
        "cwd": os.fsencode(cwd),
        "first": os.fsencode(_first_entry(command, setup.program, cwd)),
        "environment": environment,
    }


def own_names(files: Iterable[str], roots: Collection[str]) -> dict[str, Any]:
    """Return the names that modules of a folder may have, as a guardian wants them.

    `modules` are those of files and packages, at whatever place, since a run may put any of its
    folders on the path; `first` those that come before others, below the `roots`, which are on the
    path from the start; `names` are all, also of folders that may be namespaces.
    """
    modules: set[str] = set()
    first: set[str] = set()
    names: set[str] = set()
    for file in map(PurePosixPath, files):
        names.update(file.parts[:-1])
        if file.suffix not in _MODULES:
            continue
        stem = file.name.partition(".")[0]
        found = file.parent if stem == "__init__" else file.with_name(stem)
        modules.add(found.name)
        if str(found.parent) in roots:
            first.add(found.name)
    return {"modules": sorted(modules), "first": sorted(first), "names": sorted(names | modules)}


def _first_entry(command: TestCommand, program: str, cwd: str) -> str:
    """Return the folder that Python's path begins with: the script's, or the working directory."""
    is_script = command.predicate is None and pytest_position(command.argv) == 1
    return os.path.dirname(os.path.realpath(program)) if is_script else cwd


def _content(planned: PlannedRun) -> dict[str, Any]:
    """Return the content that a request has written: a file, or the files of a folder."""
    setup, command = planned.setup, planned.setup.command
    if not command.folder:
        return {"text": encode(command.content(planned.text))}
    files = unpacked(planned.text).items()
    executable = frozenset(command.executable)
    return {
        "text": b"",
        "files": [
            (os.fsencode(path), encode(content), 0o755 if path in executable else setup.mode)
            for path, content in files
        ],
    }


def temporary(command: TestCommand, base: str) -> dict[str, str]:
    """Return the variables that lead the temporary files of runs into the worker's directory.

    Where the user sets one of them, there are none.
    """
    if any(name in command.environment for name in _TEMPORARY_VARIABLES):
        return {}
    return dict.fromkeys(_TEMPORARY_VARIABLES, os.path.join(base, TEMPORARY_FOLDER))


def encoded(variables: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return an environment in bytes, as a guardian takes it."""
    return {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}


def variables_of(command: TestCommand) -> dict[str, str]:
    """Return the environment of the command: Boildown's own, and the user's variables.

    By one more a program can tell that it is run by Boildown.
    """
    return {**os.environ, "BOILDOWN_RUN": "1", **command.environment}


def arguments(setup: WorkerSetup, file: str) -> tuple[list[str], str]:
    """Return the arguments with the placeholders filled in, and the program's path."""
    command, mirror, program = setup.command, setup.mirror, setup.program
    values = {
        "file": file,
        "dir": file if setup.command.folder else os.path.dirname(file),
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
    original = command.input_path
    if command.folder:
        roots = [original, original / "src"]
        path[:0] = [str(inner) for root in roots if (inner := mirror.path(root)) != root]
        path.insert(0, FOLDER_PATH)
    elif (root := import_root(original)) is not None:
        path.insert(0, str(mirror.path(root)))
    if not path:
        return {}
    variables = {"PYTHONPATH": os.pathsep.join(path)}
    return variables | (_of_folders(command) if command.folder else {})


def _observing(command: TestCommand, variables: Mapping[str, str]) -> Mapping[str, str]:
    """Return the variables that have Python and Node note the lines that a run executes."""
    path = variables.get("PYTHONPATH", "").split(os.pathsep)
    # The process that runs on folders are forked from looks for its own folder first.
    path.insert(path[0] == FOLDER_PATH, OBSERVER_PATH)
    return {
        OBSERVED: command.observed,
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "NODE_V8_COVERAGE": variables.get("NODE_V8_COVERAGE") or command.observed,
    }


def _of_folders(command: TestCommand) -> dict[str, str]:
    """Return the variables that each Python has which runs on folders."""
    return {"PYTHONDONTWRITEBYTECODE": "1", "BOILDOWN_ORIGINAL": str(command.input_path)}


def variables_ahead(command: TestCommand) -> dict[str, str]:
    """Return the environment of the process that loads pytest, say, ahead of the runs."""
    variables = variables_of(command)
    if command.folder:
        path = filter(None, (FOLDER_PATH, variables.get("PYTHONPATH", "")))
        variables |= {"PYTHONPATH": os.pathsep.join(path), **_of_folders(command)}
    return variables


def _mode(command: TestCommand) -> int:
    """Return the permissions of a candidate: the original's, but writable."""
    try:
        return command.input_path.stat().st_mode & 0o777 | 0o600
    except OSError:
        return 0o644
