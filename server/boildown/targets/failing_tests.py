"""Selections of tests as people type them, and the record of those that fail.

A selection is a node id of pytest, a file of tests, or a command that runs pytest or unittest. It
is run once, in a mirror of the workspace, with a plugin that writes down which tests fail, with
which values in their frames, and which files they open.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any

from boildown.files import FileError
from boildown.runner.command import Isolation, TestCommand, with_id_as_it_is
from boildown.runner.pytest_runs import (
    find_interpreter,
    pytest_argv,
    pytest_position,
    unittest_position,
    without_cache,
)
from boildown.runner.run import Run
from boildown.runner.workspace import Mirror, workspace_of
from boildown.targets.pytest_command import RECORD_PLUGIN, command_of, plugin_environment

RECORD = "BOILDOWN_RECORD"
"""The environment variable that names the file of the record."""
_TAKE_A_FOLDER = ("--rootdir", "--confcutdir", "--basetemp", "--ignore", "--deselect", "-c")
"""Options of pytest whose value is not a place of tests."""
_NO_INPUTS = frozenset(
    {"pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg", "setup.py", "boildown.toml"}
)
"""Files that test runners read for themselves, before the tests."""
_LINKED = frozenset({"site-packages", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Selection:
    """Tests as they are selected for a run."""

    words: tuple[str, ...]
    """The command that runs one of them, without its name at the end."""
    argv: tuple[str, ...]
    """The command that runs them all."""
    cwd: Path
    is_command: bool = False
    """Whether the user named them by a command."""
    is_unittest: bool = False

    def command(self, test: str, file: Path) -> TestCommand:
        """Return the command that runs one test of a file, in which candidates are placed."""
        if self.is_unittest:
            return TestCommand(
                (*self.words, test), self.cwd, file.name, file, isolate=Isolation("copy")
            )
        # Only here, for it needs the parser of Python.
        from boildown.targets.reach import Test

        return command_of(self.words, Test(test), file, self.cwd)

    def recording(self, record: str) -> TestCommand:
        """Return the command that runs the tests and records them in a file."""
        argv, environment = self.argv, {RECORD: record}
        if self.is_unittest:
            position = unittest_position(argv) or 0
            argv = (*argv[: position - 2], str(RECORD_PLUGIN), *argv[position:])
        else:
            position = pytest_position(argv) or 0
            argv = without_cache(argv, self.cwd)
            argv = (*argv[:position], "-p", RECORD_PLUGIN.stem, *argv[position:])
            environment |= plugin_environment()
        named = (self.cwd / word.partition("::")[0] for word in self.argv if ".py" in word)
        file = next((path for path in named if os.path.isfile(path)), self.cwd / ".tests")
        return TestCommand(
            **with_id_as_it_is(argv),
            cwd=self.cwd,
            name=file.name,
            original=file,
            isolate=Isolation("copy"),
            environment=environment,
            warm=False,
        )


def selected(file: Path | str, cwd: Path, python: Sequence[str] = ()) -> Selection | None:
    """Return the selection of a node id, `tests/test_it.py::test_one`, or of a file of tests.

    None for anything else. An id is a string, for a path would change it. `python` runs pytest;
    without it, the project's own Python does. Raises FileError if there is no such file.
    """
    name, separator, test = str(file).partition("::")
    path = Path(os.path.abspath(cwd / name))
    if not separator and not _is_file_of_tests(path):
        return None
    if not os.path.isfile(path):
        raise FileError(f"There is no file {name}.")
    words = pytest_argv(python or find_interpreter(cwd), "")[:-1]
    inner = os.path.relpath(path, cwd)
    whole = (*(word for word in words if word != "-x"), f"{inner}::{test}" if test else inner)
    return Selection(words, whole, cwd)


def selected_by(command: Sequence[str], cwd: Path) -> Selection | None:
    """Return the tests that a command runs by pytest or unittest; None for another command."""
    position = unittest_position(command)
    is_unittest = position is not None
    if position is None and (position := pytest_position(command)) is None:
        return None
    own = list(command[:position])
    if not is_unittest:
        # The options may change how a test runs; the other tests are left out.
        for before, word in zip(command[position - 1 :], command[position:], strict=False):
            if before in _TAKE_A_FOLDER or not _is_place(cwd / word.partition("::")[0]):
                own.append(word)
    return Selection(tuple(own), tuple(command), cwd, True, is_unittest)


def _is_file_of_tests(path: Path) -> bool:
    """Say whether pytest takes a file for tests by itself."""
    return path.suffix == ".py" and (path.stem.startswith("test_") or path.stem.endswith("_test"))


def _is_place(path: Path) -> bool:
    return os.path.isdir(path) or (path.suffix == ".py" and os.path.isfile(path))


@dataclass(frozen=True, slots=True)
class FrameRecord:
    """The record of a frame of a failing test: its line, and the texts in its variables."""

    file: Path
    line: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test that failed when it was run once, with the facts of that run."""

    selection: Selection
    id: str
    """As its runner selects it; for pytest without the file."""
    file: Path
    run: Run
    """The run of the whole selection."""
    indices: Mapping[str, int]
    """The position of the case in the values of each argument, if it is parametrized."""
    frames: tuple[FrameRecord, ...] = ()
    """Outermost first; none if its process ended with the test."""
    opened: tuple[Path, ...] = ()
    """The files of the workspace that it opened for reading."""
    opened_before: tuple[Path, ...] = ()
    """Those that were opened while tests were collected."""
    alone: bool = True
    """Whether no other test failed in that run."""
    touched: tuple[str, ...] = ()
    """Paths that it wrote, made or removed, and the words of the commands that it ran."""
    decoded: tuple[tuple[str, str], ...] = ()
    """Names of functions that decode, each with a text that it was called with."""

    @property
    def name(self) -> str:
        """Its name in its file, such as `TestIt::test_one`, without a case."""
        if self.selection.is_unittest:
            return "::".join(self.id.split(".")[-2:])
        return self.id.partition("[")[0]

    @property
    def typed(self) -> tuple[str, ...]:
        """The words by which a run of Boildown is told of this test alone."""
        return ("--", *self.words) if self.selection.is_command else (self.shown,)

    @property
    def words(self) -> tuple[str, ...]:
        """The command that runs this test alone."""
        return *self.selection.words, self.shown

    def run_on(self, text: str) -> Run | None:
        """Return its run, with a text that is its input; None if other tests ran, too."""
        is_own = self.alone and self.shown in self.selection.argv
        return replace(self.run, text=text) if is_own else None

    @property
    def shown(self) -> str:
        """The test as its runner selects it from the folder of the selection."""
        if self.selection.is_unittest:
            return self.id
        return f"{os.path.relpath(self.file, self.selection.cwd)}::{self.id}"


def failing_tests(
    selection: Selection, command: TestCommand, run: Run, record: str
) -> tuple[FailingTest, ...]:
    """Return the tests that failed in a run by the record of it, in their order.

    Where none did and the run did not end well, a test that was never over failed: it ended its
    process, or a signal or the time-out did so meanwhile.
    """
    workspace = workspace_of(command)
    inner = command.input_path.relative_to(workspace)
    root = run.file[: -len(str(inner)) - 1]
    back = [Mirror(Path(each), workspace) for each in (root, os.path.realpath(root))]

    def original(path: str) -> Path:
        """Return the user's file for one in the mirror."""
        return back[1].path(back[0].path(Path(path)))

    begun: dict[str, FailingTest] = {}
    failed: dict[str, tuple[FrameRecord, ...]] = {}
    opened: dict[str, list[Path]] = {"": []}
    touched: dict[str, list[str]] = {}
    decoded: dict[str, list[tuple[str, str]]] = {}
    last: dict[int, str] = {}
    running: dict[int, str] = {}
    for fact in _facts(record):
        process = fact["process"]
        if "test" in fact:
            test = last[process] = running[process] = fact["test"]
            file = original(fact["file"])
            name = test if selection.is_unittest else test.partition("::")[2]
            begun[test] = FailingTest(selection, name, file, run, fact["indices"])
            opened.setdefault(test, [])
        elif "opened" in fact:
            path, test = original(fact["opened"]), last.get(process, "")
            if _is_input(path, workspace, early=not test) and path not in opened[test]:
                opened[test].append(path)
        elif "touched" in fact:
            touched.setdefault(last.get(process, ""), []).append(fact["touched"])
        elif "decoded" in fact:
            told = fact["by"], fact["decoded"]
            decoded.setdefault(last.get(process, ""), []).append(told)
        elif "over" in fact:
            running.pop(process, None)
        elif fact["failed"] in begun:
            failed[fact["failed"]] = tuple(
                FrameRecord(original(each["file"]), each["line"], each["values"])
                for each in fact["frames"]
            )
    if not failed and run.end != "exit 0":
        failed = dict.fromkeys(running.values(), ())
    return tuple(
        replace(
            begun[test],
            frames=frames,
            opened=tuple(opened[test]),
            opened_before=tuple(opened[""]),
            alone=len(failed) == 1,
            touched=tuple(dict.fromkeys(touched.get(test, ()))),
            decoded=tuple(decoded.get(test, ())),
        )
        for test, frames in failed.items()
    )


def is_complete(record: str) -> bool:
    """Say whether the run of a record went on until its test runner ended it."""
    return any(fact.get("over") == "" for fact in _facts(record))


def _facts(record: str) -> Iterator[dict[str, Any]]:
    """Yield the facts that a plugin has recorded; the last line may be cut off."""
    for line in record.splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return


def _is_input(path: Path, workspace: Path, early: bool) -> bool:
    """Say whether a file that was opened may be an input of a test."""
    try:
        parts = PurePath(path.relative_to(workspace)).parts
    except ValueError:
        return False
    hidden = any(
        part.startswith(".") or part in _LINKED or part.endswith((".egg-info", ".dist-info"))
        for part in parts
    )
    if hidden or (early and parts[-1] in _NO_INPUTS):
        return False
    above = [folder for folder in path.parents if folder.is_relative_to(workspace)]
    return os.path.isfile(path) and not any(
        os.path.exists(folder / "pyvenv.cfg") for folder in above
    )
