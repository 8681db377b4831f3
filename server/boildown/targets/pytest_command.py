"""The test command for a Python test: pytest on one test, in the project's own Python."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from boildown.files import read_text
from boildown.runner.command import Isolation, TestCommand, with_id_as_it_is
from boildown.runner.pytest_runs import (
    find_interpreter,
    pytest_argv,
    pytest_position,
    without_cache,
)

if TYPE_CHECKING:
    from boildown.targets.reach import Test

CASE = "BOILDOWN_CASE"
"""The environment variable that names the one case that is run."""
MOST_CASES = 20
"""Other cases of a test whose values are taken."""
CASE_PLUGIN = Path(__file__).parent / "plugin" / "boildown_case.py"
"""The plugin that keeps one case of a parametrized test."""
RECORD_PLUGIN = CASE_PLUGIN.with_name("boildown_record.py")
"""The plugin that records what failing tests read; for unittest, the script that does."""
_MARKS_OF_A_PROJECT = ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py")


def command_for(test: Test, file: Path, folder: Path, python: Sequence[str] = ()) -> TestCommand:
    """Return the command that runs one test of a file.

    `folder` is the workspace folder: the project is the nearest folder in it that looks like one.
    `python` runs pytest; without it, the project's own Python does.
    """
    project = project_of(file, folder)
    return command_of(pytest_argv(python or find_interpreter(project), ""), test, file, project)


def command_of(words: Sequence[str], test: Test, file: Path, cwd: Path) -> TestCommand:
    """Return the command that runs one test of a file by pytest, of which `words` are the rest.

    A name that holds the id of a case is taken as it is.
    """
    argv, environment = [*filter(None, words)], {}
    if "[" not in test.name:
        argv += ["-p", CASE_PLUGIN.stem]
        environment = plugin_environment()
    if test.case is not None:
        environment[CASE] = f"{test.case.argument}:{test.case.index}"
    shown = f"{os.path.relpath(file, cwd)}::{test.name}"
    return TestCommand(
        **with_id_as_it_is(without_cache((*argv, f"{{file}}::{test.name}"), cwd), shown),
        cwd=cwd,
        name=file.name,
        original=file,
        isolate=Isolation("copy"),
        environment=environment,
    )


def other_cases(command: TestCommand) -> tuple[tuple[str, str], ...]:
    """Return the values that other cases of a parametrized test have for its input, with names.

    None are known where the cases give values to further arguments: what is expected of one is
    not of another.
    """
    argument, _, own = command.environment.get(CASE, "").partition(":")
    if command.content is None or not own or command.test is None:
        return ()
    # Only here, for these need the parser of Python.
    from boildown.targets.literals import Declined, Module, read
    from boildown.targets.reach import seen_by

    module, name = Module(read_text(command.input_path)), command.test.partition("::")[2]
    found: dict[int, list[str]] = {}
    for node, test in seen_by(module, name):
        case = test.case
        if case is None or case.argument != argument or not case.is_whole or case.index == int(own):
            continue
        try:
            found.setdefault(case.index, []).append(read(module, node).value)
        except Declined:
            continue
    return tuple(
        (f"case {index + 1} of {name}", values[0])
        for index, values in sorted(found.items())
        if len(values) == 1
    )[:MOST_CASES]


def node_id(command: str | Sequence[str], folder: Path) -> str | None:
    """Return the test that a command runs by pytest without any option; None for another command.

    So it can be run by the project's own Python, with the way of reporting that is read best.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError:
        return None
    if pytest_position(words) != len(words) - 1 or PurePath(words[0]).name != words[0]:
        return None
    file, separator, test = words[-1].partition("::")
    is_test = separator and test and file.endswith(".py") and os.path.isfile(folder / file)
    return words[-1] if is_test else None


def plugin_environment() -> dict[str, str]:
    """Return the variables with which Python finds the plugins for the user's pytest."""
    paths = (str(CASE_PLUGIN.parent), os.environ.get("PYTHONPATH", ""))
    return {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def choose(tests: Sequence[Test], file: Path, folder: Path) -> tuple[Test, bool]:
    """Return the test that failed last, by pytest's cache; if none did, the first, and False."""
    for name in failed_last(file, folder):
        for test in tests:
            if test.name == name:
                return test, True
    return tests[0], False


def failed_last(file: Path, folder: Path) -> list[str]:
    """Return the tests of a file that pytest's cache holds as failed, the last one first."""
    for root in (file.parent, *file.parents):
        cache = root / ".pytest_cache" / "v" / "cache" / "lastfailed"
        try:
            failed = json.loads(_beginning(cache))
        except (OSError, ValueError):
            failed = None
        if isinstance(failed, dict):
            ids = [each.partition("::") for each in failed]
            names = [name.partition("[")[0] for path, _, name in ids if root / path == file]
            return names[::-1]
        if root == folder:
            break
    return []


def _beginning(file: Path) -> bytes:
    """Return the content of a file, or as much as is ever read of one. Raises OSError."""
    with file.open("rb") as stream:
        return stream.read(1_000_000)


def project_of(file: Path, folder: Path) -> Path:
    """Return the nearest folder around a file that looks like a project, or the workspace's."""
    for root in file.parents:
        if root == folder or any(os.path.exists(root / name) for name in _MARKS_OF_A_PROJECT):
            return root
    return folder
