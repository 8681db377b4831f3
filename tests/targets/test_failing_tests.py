"""Tests as people select them, and the record of a run of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.files import FileError
from boildown.runner.run import Run
from boildown.targets.failing_tests import (
    FrameRecord,
    Selection,
    failing_tests,
    is_complete,
    selected,
    selected_by,
)

PYTEST = (sys.executable, "-m", "pytest", "-rfE", "--tb=short")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with two tests; no virtual environment is active."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").touch()
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "monday.json").write_text("[1]")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    return tmp_path


def test_a_node_id_selects_a_test(folder: Path) -> None:
    one = (*PYTEST[:3], "-x", *PYTEST[3:])
    found = selected(Path("tests/test_it.py::TestIt::test_one[a::b/c]"), folder)
    assert found == Selection(one, (*PYTEST, "tests/test_it.py::TestIt::test_one[a::b/c]"), folder)
    whole = Selection(one, (*PYTEST, "tests/test_it.py"), folder)
    assert selected(Path("tests/test_it.py"), folder) == whole
    assert selected(Path("./tests/test_it.py::"), folder) == whole


def test_other_files_select_none(folder: Path) -> None:
    assert selected(Path("monday.json"), folder) is None
    assert selected(Path("tests/it.py"), folder) is None
    with pytest.raises(FileError, match=r"^There is no file tests/no\.py\.$"):
        selected(Path("tests/no.py::test_one"), folder)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("pytest", "pytest"),
        ("pytest -x tests -k one", "pytest -x -k one"),
        ("python -m pytest --rootdir tests tests/test_it.py::test_a tests/test_it.py::test_b",
         "python -m pytest --rootdir tests"),
        ("python3 -m unittest", "python3 -m unittest"),
        ("python3 -X dev -m unittest -v tests.test_it.Case.test_a", "python3 -X dev -m unittest"),
    ],
)  # fmt: skip
def test_a_command_selects_the_tests_that_it_runs(folder: Path, typed: str, words: str) -> None:
    argv = tuple(typed.split())
    found = selected_by(argv, folder)
    assert found == Selection(tuple(words.split()), argv, folder, True, "unittest" in typed)


@pytest.mark.parametrize("typed", ["", "python tool.py pytest", "tox -m unittest", "python -m it"])
def test_other_commands_select_none(folder: Path, typed: str) -> None:
    assert selected_by(tuple(typed.split()), folder) is None


def recorded(folder: Path, *facts: Mapping[str, object], run: Run) -> str:
    """Return a record in which `/` begins the paths in the mirror."""
    lines = "".join(json.dumps({"process": 1, **fact}) + "\n" for fact in facts)
    return lines.replace('"//', f'"{run.file[: -len("/tests/test_it.py")]}/') + '{"cut'


def test_a_record_tells_of_failing_tests(folder: Path) -> None:
    selection = selected(Path("tests/test_it.py"), folder)
    assert selection is not None
    command = selection.recording("record")
    run = Run(1, file=str(folder / "mirror" / "tests" / "test_it.py"))
    (folder / "mirror").mkdir()
    for name in (".hidden", "a.egg-info", "site-packages"):
        (folder / name).mkdir()
        (folder / name / "x.json").touch()
    test = "tests/test_it.py::test_a[1]"
    frame = {"file": "//tests/test_it.py", "line": 3, "values": {"x": "y"}}
    record = recorded(
        folder,
        {"opened": "//pytest.ini"},
        {"opened": "//tests"},
        {"test": "tests/test_it.py::test_b", "file": "//tests/test_it.py", "indices": {}},
        {"test": test, "file": "//tests/test_it.py", "indices": {"x": 1}},
        {"opened": "//monday.json"},
        {"opened": "//monday.json"},
        {"opened": "//pytest.ini"},
        {"opened": "//none.json"},
        *({"opened": f"//{name}/x.json"} for name in (".hidden", "a.egg-info", "site-packages")),
        {"opened": "/etc/passwd"},
        {"failed": test, "frames": [frame]},
        {"failed": "a fixture of a class", "frames": []},
        run=run,
    )  # fmt: skip
    (found,) = failing_tests(selection, command, run, record)
    assert (found.shown, found.name, found.indices) == (test, "test_a", {"x": 1})
    assert found.typed == (test,)
    assert found.file == folder / "tests" / "test_it.py"
    assert found.opened == (folder / "monday.json", folder / "pytest.ini")
    assert found.opened_before == ()
    assert found.frames == (FrameRecord(folder / "tests" / "test_it.py", 3, {"x": "y"}),)


def test_the_last_test_of_a_run_that_was_ended_failed(folder: Path) -> None:
    selection = selected_by(("python3", "-m", "unittest"), folder)
    assert selection is not None
    command = selection.recording("record")
    run = Run(None, file=str(folder / "mirror" / ".tests"), timed_out=True)
    file = str(folder / "tests" / "test_it.py")
    begun = [{"test": f"tests.test_it.It.{name}", "file": file, "indices": {}} for name in "ab"]
    record = recorded(folder, *begun, run=run)
    (found,) = failing_tests(selection, command, run, record)
    assert (found.shown, found.name, found.frames) == ("tests.test_it.It.b", "It::b", ())
    assert found.typed == ("--", "python3", "-m", "unittest", "tests.test_it.It.b")
    assert failing_tests(selection, command, replace(run, timed_out=False, status=0), record) == ()
    over = recorded(folder, *begun, {"over": "tests.test_it.It.b"}, run=run)
    assert failing_tests(selection, command, run, over) == ()


def test_processes_that_run_tests_at_once_are_told_apart(folder: Path) -> None:
    selection = selected(Path("tests/test_it.py"), folder)
    assert selection is not None
    run = Run(1, file=str(folder / "mirror" / "tests" / "test_it.py"))
    name, file = "tests/test_it.py::test_{}", "//tests/test_it.py"
    (folder / "sunday.json").touch()
    record = recorded(
        folder,
        {"process": 1, "test": name.format("a"), "file": file, "indices": {}},
        {"process": 2, "test": name.format("b"), "file": file, "indices": {}},
        {"process": 1, "opened": "//monday.json"},
        {"process": 2, "opened": "//sunday.json"},
        {"process": 2, "over": name.format("b")},
        run=run,
    )
    command = selection.recording("record")
    (found,) = failing_tests(selection, command, run, record)
    assert (found.id, found.opened) == ("test_a", (folder / "monday.json",))
    assert not is_complete(record)
    assert is_complete(json.dumps({"process": 1, "over": ""}))


def test_an_id_with_what_reads_as_a_placeholder_is_passed_on(folder: Path) -> None:
    typed = "tests/test_it.py::test_one[%s{file}]"
    selection = selected(typed, folder)
    assert selection is not None
    for command in (
        selection.recording("record"),
        selection.command("test_one[%s{file}]", folder / "tests" / "test_it.py"),
    ):
        assert (command.argv[-1], command.test) == ("{test}", typed)
    assert selected("tests/test_it.py::test_one[a//b]", folder) == Selection(
        selection.words, (*PYTEST, "tests/test_it.py::test_one[a//b]"), folder
    )
