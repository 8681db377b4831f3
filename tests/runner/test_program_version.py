"""The version of the failing program in a bug report, which is told by the program or by nobody."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from boildown.jobs.versions import program_version
from boildown.runner.command import Isolation, TestCommand, from_argv, from_string


def made(folder: Path, script: str, **options: Any) -> TestCommand:
    """Return the command of a program, a script for `sh`, that stands in a folder."""
    program = folder / "tool"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return from_argv(("./tool", "--in", "{file}"), Path("crash.txt"), folder, **options)


def test_a_program_is_asked_for_its_version_once(tmp_path: Path) -> None:
    script = f'echo "$@" >> {tmp_path}/asked; echo; echo "tool 1.2 (debug)"; echo more'
    assert program_version(made(tmp_path, script)) == "`tool 1.2 (debug)` (`tool --version`)"
    assert (tmp_path / "asked").read_text() == "--version\n"


@pytest.mark.parametrize(
    "script",
    [
        "echo tool 1.2; exit 1",
        "echo I know of no options",
        "sleep 60",
        "cat > /dev/null",
        "head -c 300 /dev/zero | tr '\\0' 1; echo .2",
    ],
)
def test_nothing_is_said_where_the_program_does_not_tell(tmp_path: Path, script: str) -> None:
    assert program_version(made(tmp_path, script, timeout=0.5)) is None


def test_nothing_is_said_of_scripts_and_of_what_starts_the_program(tmp_path: Path) -> None:
    assert program_version(made(tmp_path, "echo 1.2", interesting=True)) is None
    for line in ("sh -c 'exit 1' {file}", "env A=1 tool {file}", "{dir}/tool", "absent {file}"):
        assert program_version(from_string(line, Path("crash.txt"), tmp_path)) is None


def test_the_program_is_asked_in_the_sandbox_of_runs(tmp_path: Path) -> None:
    script = f"touch {tmp_path}/written; echo tool 1.2"
    command = made(tmp_path, script, isolate=Isolation("strict"))
    assert program_version(command) == "`tool 1.2` (`tool --version`)"
    assert not (tmp_path / "written").exists()


def test_an_interpreter_tells_its_own_version_or_that_of_a_module(tmp_path: Path) -> None:
    python = f"Python {sys.version.split()[0]}"
    name = Path(sys.executable).name
    for arguments, told in (
        (["repro.py", "{file}"], f"`{python}` (`{name} --version`)"),
        (["-m", "pip", "{file}"], "pip "),
        (["-m", "no_such_module", "{file}"], None),
    ):
        found = program_version(
            from_argv([sys.executable, *arguments], Path("crash.txt"), tmp_path)
        )
        assert found == told if told != "pip " else f"(`{name} -m pip --version`)" in str(found)


@pytest.mark.parametrize(
    ("project", "told"),
    [
        ('[project]\nname = "orders"\nversion = "3.1.dev0"\n', "`orders 3.1.dev0`"),
        ('[project]\nname = "no-such-distribution"\ndynamic = ["version"]\n', None),
        ('[project]\nname = "-c"\ndynamic = ["version"]\n', None),
        ("[tool.other]\n", None),
        ("[project", None),
        ("project = 1\n", None),
    ],
)
def test_of_a_test_the_project_tells_its_version(
    tmp_path: Path, project: str, told: str | None
) -> None:
    (tmp_path / "pyproject.toml").write_text(project)
    (tmp_path / "tests").mkdir()
    file = Path("tests") / "test_a.py"
    for runner in ("pytest", "unittest"):
        argv = [sys.executable, "-m", runner, str(file)]
        command = from_argv(argv, file, tmp_path)
        assert program_version(command) == told


def test_a_project_without_a_version_of_its_own_is_looked_up_as_it_is_installed(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "pytest"\ndynamic = ["version"]\n')
    command = from_argv([sys.executable, "-m", "pytest", "test_a.py"], Path("test_a.py"), tmp_path)
    assert program_version(command) == f"`pytest {pytest.__version__}`"
