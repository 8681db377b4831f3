"""Folders as inputs, as a user types it: what is taken, what is left, and that it reproduces."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

RUN = (sys.executable, "-I", "-S", "-B")
PROJECT = {
    "run.py": "import sys, os\nsys.path.insert(0, os.getcwd())\nimport lib\n\nlib.divide(0)\n",
    "lib.py": "import extra\n\ndef divide(by):\n    extra.log(by)\n    return 1 / by\n",
    "extra.py": "def log(what):\n    print(what)\n",
    "unused/one.py": "x = 1\n" * 50,
    "unused/two.json": json.dumps({"key": list(range(50))}),
    "README.md": "# A project\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project that fails; it is the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    root = tmp_path / "project"
    for path, content in PROJECT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    monkeypatch.chdir(root)
    return root


def boildown(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "boildown", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def files(root: Path) -> dict[str, str]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text() for path in found}


def test_a_project_comes_down_to_what_fails_and_the_page_says_how(project: Path) -> None:
    run = boildown("reduce", ".", "--patch", "../cut.patch", "--", *RUN, "run.py")
    assert run.returncode == 0, run.stderr
    assert files(project) == PROJECT
    left = files(project.parent / "project.reduced")
    assert set(left) == {"run.py", "lib.py"}
    assert "lib.divide(0)" in left["run.py"]
    assert "return 1 / by" in left["lib.py"]
    assert "extra" not in left["lib.py"]
    page = (project.parent / "project.reduced.md").read_text()
    assert "\n-" in page.split("```diff\n")[1]
    assert "  passes:   with a change in " in run.stderr
    lines = page.split("```sh\n")[1].split("\n```")[0]
    again = subprocess.run(
        ["sh", "-c", lines], cwd=project.parent, capture_output=True, text=True, check=False
    )
    assert again.returncode == 1
    assert "ZeroDivisionError" in again.stderr
    patched = subprocess.run(
        ["git", "apply", "../cut.patch"], cwd=project, capture_output=True, check=False
    )
    assert patched.returncode == 0, patched.stderr
    assert files(project) == left


def test_a_folder_is_named_from_outside_and_its_program_may_go(project: Path) -> None:
    script = project / "check.sh"
    script.write_text("#!/bin/sh\ncat *.py | grep -q 'return 1 / by' && exit 3\nexit 0\n")
    script.chmod(0o755)
    os.chdir(project.parent)
    run = boildown("reduce", "project", "--json", "--", "project/check.sh")
    # From outside the script is the candidate's, but it runs where the user is.
    assert run.returncode != 0
    run = boildown("reduce", "project", "--json", "--", "sh", "-c", "cd {dir} && ./check.sh")
    assert run.returncode == 0, run.stderr
    left = files(Path(json.loads(run.stdout)["output"]))
    # The script is a part of the project, and candidates without it end no job.
    assert list(left) == ["check.sh"]
    assert left["check.sh"].split() == ["exit", "3"]


def test_several_files_are_one_input(project: Path) -> None:
    run = boildown("reduce", "lib.py", "run.py", "extra.py", "--json", "--", *RUN, "run.py")
    assert run.returncode == 0, run.stderr
    assert set(files(project / "lib.reduced")) == {"run.py", "lib.py"}


def test_what_is_hidden_ignored_or_a_link_is_left_out(project: Path) -> None:
    (project / ".secret").write_text("no")
    (project / "build").mkdir()
    (project / "build" / "out.txt").write_text("no")
    (project / ".gitignore").write_text("build/\n")
    (project / "link.py").symlink_to("/etc/hostname")
    (project / "node_modules").mkdir()
    run = boildown("check", ".", "--", *RUN, "run.py")
    assert run.returncode == 0, run.stderr
    for told in ("6 files of", "links (1)", "ignored by Git (1)", "hidden (2)"):
        assert told in run.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((".", "--in-place"), "a folder is not overwritten"),
        ((".", "--output", "-"), "standard output"),
        ((".", "--language", "json"), "--language makes no sense for a folder"),
        ((".", "--exclude", "*"), "There is no file to reduce"),
        (("unused/../../project",), ""),
        (("lib.py", "--patch", "x"), "--patch is for folders"),
    ],
)
def test_refusals_say_what_to_do(project: Path, arguments: tuple[str, ...], message: str) -> None:
    run = boildown("reduce", *arguments, "--max-runs", "9", "--", *RUN, "run.py")
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert files(project) == PROJECT


def test_a_command_outside_that_does_not_name_the_folder_is_refused(project: Path) -> None:
    os.chdir(project.parent)
    run = boildown("reduce", "project", "--", "make", "test")
    assert run.returncode == 2
    assert "Write {dir} where it goes" in run.stderr
