"""Folders as inputs, as a user types it: what is taken, what is left, and that it reproduces."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.typed import boildown, boildown_process

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


@pytest.fixture
def needles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project for programs that start fast; the folder that holds it is the directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    root = tmp_path / "hay stack"
    for path in ("a.txt", "data/b.txt", "data/c.txt"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("".join(f"line {number} of {path}\n" for number in range(9)))
    with (root / "data" / "b.txt").open("a") as file:
        file.write("a needle here\n")
    monkeypatch.chdir(tmp_path)
    return root


def needle_in(place: str) -> tuple[str, ...]:
    return ("--", "sh", "-c", f"cat {place} | grep needle && exit 3; exit 0")


def files(root: Path) -> dict[str, str]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text() for path in found}


def test_a_project_comes_down_to_what_fails_and_the_page_says_how(project: Path) -> None:
    run = boildown("reduce", ".", "--", *RUN, "run.py")
    assert run.returncode == 0, run.stderr
    assert files(project) == PROJECT
    left = files(project.parent / "project.reduced")
    # The module is put into the file that imports it.
    assert left == {"run.py": "def divide(by):\n return 1 / by\ndivide(0)"}
    page = (project.parent / "project.reduced.md").read_text()
    assert "\n-" in page.split("```diff\n")[1]
    assert "  passes:   with a change in " in run.stderr
    lines = page.split("```sh\n")[1].split("\n```")[0]
    again = subprocess.run(
        ["sh", "-c", lines], cwd=project.parent, capture_output=True, text=True, check=False
    )
    assert again.returncode == 1
    assert "ZeroDivisionError" in again.stderr


PACKAGE = {
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n",
    "src/shop/__init__.py": "from .cart import Cart\nfrom .prices import total\n",
    "src/shop/cart.py": "from . import prices\n\n\nclass Cart:\n    def __init__(self, items):\n"
    "        self.items = items\n        self.sum = prices.total(items)\n",
    "src/shop/prices.py": "from shop.rates import RATES, rate\n\n\ndef total(items):\n"
    "    return sum(rate(item) for item in items)\n",
    "src/shop/rates.py": "import enum\n\nRATES = {'a': 1}\n\n\ndef rate(item):\n"
    "    return RATES[item]\n",
    "src/shop/unused.py": "def unused():\n    return 1\n",
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef items():\n    return ['b']\n",
    "tests/test_cart.py": "from shop import Cart\n\n\ndef test_more():\n    assert True\n\n\n"
    "def test_cart(items):\n    assert Cart(items).sum == 1\n",
}


@pytest.mark.slow
def test_a_package_becomes_a_test_that_fails_in_a_fresh_checkout(project: Path) -> None:
    """Killed on the way, and resumed by two workers; the runs are warm."""
    shutil.rmtree(project)
    for path, content in PACKAGE.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(content)
    os.chdir(project)
    test = ("--", sys.executable, "-m", "pytest", "tests/test_cart.py::test_cart")
    given = [sys.executable, "-m", "boildown", "reduce", ".", "--json", "--output", "../left"]
    record = project.parent / ".cache" / "boildown" / "jobs.sqlite3-wal"
    with subprocess.Popen([*given, *test], stdout=subprocess.DEVNULL) as job:
        while job.poll() is None and not (record.exists() and record.stat().st_size > 100_000):
            time.sleep(0.01)
        job.kill()
    assert job.returncode == -9
    assert not (project.parent / "left").exists()
    more = ("--report", "../bug.md", "--jobs", "2", "--max-runs", "40")
    run = boildown(*given[3:], *more, *test)
    told = json.loads(run.stdout)
    codes = [note["code"] for note in told["notes"]]
    assert "resumed" in codes
    assert "cold-runs" not in codes
    left = files(project.parent / "left")
    assert list(left) == ["tests/test_cart.py"]
    report = (project.parent / "bug.md").read_text()
    assert f"```py\n{left['tests/test_cart.py'].rstrip()}" in report
    lines = report.split("```sh\n")[1].split("\n```")[0]
    fresh = project.parent / "fresh"
    shutil.copytree(project.parent / "left", fresh / "project")
    shutil.rmtree(project)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    again = subprocess.run(
        ["sh", "-c", lines],
        cwd=fresh,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (again.returncode, "KeyError: 'b'" in again.stdout) == (1, True), again.stderr


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


@pytest.mark.parametrize(
    ("start", "inputs", "place", "left"),
    [
        (".", ["hay stack"], '"{dir}"/data/*.txt', {"data/b.txt": "needle"}),
        ("hay stack", ["."], "data/*.txt", {"data/b.txt": "needle"}),
        ("hay stack/data", [".."], "*.txt", {"data/b.txt": "needle"}),
        ("hay stack/data", ["b.txt", "c.txt"], "*.txt", {"b.txt": "needle"}),
    ],
)
def test_a_fresh_checkout_of_the_result_fails_by_the_command_on_its_page(
    needles: Path, start: str, inputs: list[str], place: str, left: dict[str, str]
) -> None:
    os.chdir(start)
    run = boildown("reduce", *inputs, "--report", "bug.md", "--json", *needle_in(place))
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["files"] == {path: len(content) for path, content in left.items()}
    result = Path(told["output"])
    assert files(result) == left
    page = result.with_name(f"{result.name}.md").read_text()
    assert f"`{next(iter(left))}`:\n\n```txt\nneedle\n```" in page
    assert f"`{next(iter(left))}`:\n\n```txt\nneedle\n```" in Path("bug.md").read_text()
    fresh = needles.parent / "fresh"
    shutil.copytree(result, fresh / result.name)
    shutil.rmtree(needles)
    lines = page.split("```sh\n")[1].split("\n```")[0]
    again = subprocess.run(["sh", "-c", lines], cwd=fresh, capture_output=True, check=False)
    assert (again.returncode, again.stdout) == (3, b"needle\n")


@pytest.mark.slow
def test_workers_and_a_cluster_give_the_same_as_one_process(needles: Path) -> None:
    pytest.importorskip("distributed")
    given = ("reduce", "hay stack", "--json", "--output")
    reports = []
    for name, more in (("one", ()), ("two", ("--jobs", "2")), ("far", ("--cluster", "local"))):
        more = more or ("--jobs", "1")
        run = boildown(*given, name, *more, *needle_in('"{dir}"/data/*.txt'))
        assert run.returncode == 0, run.stderr
        assert files(Path(name)) == {"data/b.txt": "needle"}
        reports.append(json.loads(run.stdout)["minimality"])
    assert reports == ["1-character-minimal"] * 3


@pytest.mark.slow
def test_a_program_of_the_folder_runs_on_a_cluster(needles: Path) -> None:
    pytest.importorskip("distributed")
    script = needles / "check.sh"
    script.write_text("#!/bin/sh\ngrep -q needle data/b.txt && exit 3\nexit 0\n")
    script.chmod(0o755)
    os.chdir(needles)
    run = boildown_process("reduce", ".", "--json", "--cluster", "local", "--", "./check.sh")
    assert run.returncode == 0, run.stderr
    assert list(json.loads(run.stdout)["files"]) == ["check.sh"]
    run = boildown_process("reduce", ".", "--cluster", "local", "--ship", "*", "--", "./check.sh")
    assert run.returncode == 2
    assert "Start Boildown elsewhere, and write {dir}" in run.stderr


def test_a_job_that_was_killed_goes_on_with_the_same_command(needles: Path, tmp_path: Path) -> None:
    counted = tmp_path / "runs"
    command = ("sh", "-c", f"echo >> {counted}; cat data/*.txt | grep needle && exit 3; exit 0")
    given = [sys.executable, "-m", "boildown", "reduce", ".", "--json", "--jobs", "1", "--"]
    os.chdir(needles)
    with subprocess.Popen([*given, *command], stdout=subprocess.DEVNULL) as job:
        while job.poll() is None and not (counted.exists() and counted.stat().st_size > 20):
            time.sleep(0.01)
        job.kill()
    assert job.returncode == -9
    run = boildown(*given[3:], *command)
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["cached"] >= 5
    assert "resumed" in [note["code"] for note in told["notes"]]
    assert files(needles.parent / "hay stack.reduced") == {"data/b.txt": "needle"}
    assert "needle" in files(needles)["data/b.txt"]


def test_no_run_sees_what_another_has_made_or_changed(needles: Path) -> None:
    before = files(needles)
    (needles / ".gitignore").write_text("build/\n")
    (needles / "build").mkdir()
    os.chdir(needles / "build")
    check = (
        "[ -e made ] && exit 5; touch made; mkdir shut; touch shut/in; chmod 0 shut;"
        " cat ../data/*.txt | grep needle; found=$?; echo needle > ../data/d.txt;"
        " rm -f ../a.txt; [ $found = 0 ] && exit 3; exit 0"
    )
    run = boildown("reduce", "..", "--", "sh", "-c", check)
    assert run.returncode == 0, run.stderr
    assert files(needles.parent / "hay stack.reduced") == {"data/b.txt": "needle"}
    assert files(needles) == {**before, ".gitignore": "build/\n"}


ODD_NAMES = (
    *(b"with space.txt", b'quo"te\\.txt', b"-dash.txt", b"tab\t.txt", b"\xff\xfe.txt"),
    *("\u202eüñ.txt".encode(), b"Case.txt", b"case.txt", b"`tick`.txt", b"{brace}.txt"),
)


def test_names_with_odd_characters_come_back(needles: Path) -> None:
    shutil.rmtree(needles)
    needles.mkdir()
    names = [os.fsdecode(name) for name in ODD_NAMES]
    for name in (*names, "line\n.txt", "separator\x1c.txt"):
        (needles / name).write_text("a\x0cb\r\nneedle\x1c\ue01c\n", newline="")
    os.chdir(needles)
    check = " && ".join(f"grep -q needle -- {shlex.quote(name)}" for name in names)
    command = ("--", "sh", "-c", f"{check} && exit 3; exit 0")
    run = boildown("check", ".", *command)
    assert "10 files of" in run.stdout
    assert "a name with a line break or a separator (2)" in run.stdout
    run = boildown("reduce", ".", "--max-runs", "90", *command)
    assert run.returncode == 0, run.stderr
    left = files(needles.parent / "hay stack.reduced")
    assert set(left) == set(names)
    assert {text.strip() for text in left.values()} == {"needle"}


def test_several_files_are_one_input(project: Path) -> None:
    run = boildown("reduce", "lib.py", "run.py", "extra.py", "--json", "--", *RUN, "run.py")
    assert run.returncode == 0, run.stderr
    assert files(project / "lib.reduced") == {
        "run.py": "def divide(by):\n return 1 / by\ndivide(0)"
    }


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
        ((".", "--include", "!"), "This is no glob"),
        (("lib.py", "--include", "*.py"), "--include and --exclude are for one folder"),
        (("lib.py", "run.py", "--exclude", "*.c"), "--include and --exclude are for one folder"),
        (("unused/../../project",), ""),
    ],
)
def test_refusals_say_what_to_do(project: Path, arguments: tuple[str, ...], message: str) -> None:
    run = boildown("reduce", *arguments, "--max-runs", "9", "--", *RUN, "run.py")
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert files(project) == PROJECT


def test_a_configuration_says_how_a_folder_is_tested(needles: Path) -> None:
    (needles / "boildown.toml").write_text(
        '[[input]]\nfiles = ["."]\nreproduces = "exit=3"\n'
        """command = ["sh", "-c", "cat data/*.txt | grep needle && exit 3; exit 0"]\n"""
    )
    found = boildown("check", "hay stack", "--json", "--exclude", "*.toml", "--exclude", "c.*")
    told = json.loads(found.stdout)
    assert told["folder"]["files"] == {"a.txt": 144, "data/b.txt": 203}
    assert told["folder"]["left_out"] == {"excluded": 2}
    assert told["because"].endswith("hay stack/boildown.toml names it for .")
    assert told["failure"] == "exit 3"


def test_a_command_outside_that_does_not_name_the_folder_is_refused(project: Path) -> None:
    os.chdir(project.parent)
    run = boildown("reduce", "project", "--", "make", "test")
    assert run.returncode == 2
    assert "Write {dir} where it goes" in run.stderr
