"""Candidates beside the original and in mirrors of the workspace, and limits of what runs use."""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path
from subprocess import run

import pytest

from boildown.engine.oracle import Outcome
from boildown.jobs.advice import for_terminal
from boildown.runner import workspace as workspace_module
from boildown.runner.command import Isolation, TestCommand, from_argv
from boildown.runner.preflight.preflight import PreflightError, preflight
from boildown.runner.pytest_runs import (
    find_interpreter,
    pytest_argv,
    pytest_position,
    without_cache,
)
from boildown.runner.run import Obstacle
from boildown.runner.runner import Expected, Runner
from boildown.runner.workspace import changes, make_mirror, snapshot
from runner.commands import needs_linux, python, shell


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a package, tests that read a file, and things that a mirror links."""
    root = tmp_path / "work"
    files = {
        "pyproject.toml": "",
        "src/tool/__init__.py": "",
        "src/tool/parse.py": "def parse(text):\n    return 1 / (len(text) - 8)\n",
        "tests/conftest.py": "import pytest\n@pytest.fixture\ndef four():\n    return 4\n",
        "tests/helper.py": (
            "from pathlib import Path\nDATA = Path(__file__).resolve().parent / 'data'\n"
        ),
        "tests/data/crash.txt": "original",
        "tests/test_it.py": (
            "import helper\nfrom tool.parse import parse\n"
            "def test_it(four):\n    parse((helper.DATA / 'crash.txt').read_text())\n"
        ),
        ".git/HEAD": "ref",
        ".venv/pyvenv.cfg": "",
        "tests/__pycache__/x.pyc": "",
        "big.bin": "x" * (2 << 20),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "link.txt").symlink_to("tests/data/crash.txt")
    (root / "outside").symlink_to("/etc")
    return root


def test_a_mirror(workspace: Path, tmp_path: Path) -> None:
    original = workspace / "tests/data/crash.txt"
    root = tmp_path / "mirror"
    mirror = make_mirror(workspace, original, root)
    assert not (root / "tests/data/crash.txt").exists()
    assert (root / "tests/data").is_dir()
    assert not (root / "src/tool/parse.py").is_symlink()
    assert (root / "src/tool/parse.py").read_text() == (workspace / "src/tool/parse.py").read_text()
    assert (root / ".git").readlink() == workspace / ".git"
    assert (root / ".venv").readlink() == workspace / ".venv"
    assert (root / "big.bin").readlink() == workspace / "big.bin"
    assert os.readlink(root / "link.txt") == "tests/data/crash.txt"
    assert os.readlink(root / "outside") == "/etc"
    assert not (root / "tests/__pycache__").exists()
    assert mirror.path(workspace / "src") == root / "src"
    assert mirror.path(workspace / ".venv/pyvenv.cfg") == workspace / ".venv/pyvenv.cfg"
    assert mirror.path(Path("/etc/passwd")) == Path("/etc/passwd")


def test_a_mirror_does_not_hold_itself(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `TMPDIR` lies in the workspace, so do the directories of all runs."""
    temp = workspace / "build"
    (temp / "boildown-run-1-abcdef01").mkdir(parents=True)
    (temp / "kept").touch()
    monkeypatch.setenv("TMPDIR", str(temp))
    monkeypatch.setattr(tempfile, "tempdir", None)
    before = snapshot(workspace)
    with Runner(overlaid(workspace, "echo build/*")) as runner:
        runs = [runner.run(text) for text in ("one", "two")]
        assert changes(before, snapshot(workspace)) == []
    assert [run.stdout for run in runs] == ["build/kept\n"] * 2


def overlaid(workspace: Path, code: str) -> TestCommand:
    return from_argv(
        ["sh", "-c", code, "{file}"],
        Path("tests/data/crash.txt"),
        workspace,
        isolate=Isolation("copy"),
    )


def test_overlay_puts_the_candidate_in_the_originals_place(workspace: Path) -> None:
    before = snapshot(workspace)
    code = "cat tests/data/crash.txt link.txt; echo; pwd; echo $0; echo 1 >> pyproject.toml; > new"
    with Runner(overlaid(workspace, code)) as runner:
        first = runner.run("one")
        second = runner.run("two")
    assert first.stdout.splitlines()[0] == "oneone"
    text, cwd, file = second.stdout.splitlines()
    assert text == "twotwo"
    assert file == cwd + "/tests/data/crash.txt"
    assert not Path(cwd).is_relative_to(workspace)
    assert changes(before, snapshot(workspace)) == []
    assert (workspace / "tests/data/crash.txt").read_text() == "original"


def test_very_many_files_and_other_file_systems_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("few/one", "many/1", "many/2", "many/3", "many/4", "many/5"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(workspace_module, "_ENTRIES_LIMIT", 4)
    assert set(snapshot(tmp_path)) == {"few/one"}
    # There are files whose status cannot be had, and processes that come and go.
    assert not any("/" in path for path in snapshot(Path("/")))
    assert isinstance(snapshot(Path("/proc")), dict)


def test_files_that_this_process_writes_are_no_change(tmp_path: Path) -> None:
    (tmp_path / "read").write_text("x")
    (tmp_path / "other").write_text("x")
    with (tmp_path / "log").open("a") as log, (tmp_path / "read").open():
        before = snapshot(tmp_path)
        for name in ("read", "other"):
            (tmp_path / name).write_text("changed")
        log.write("some output")
        log.flush()
        assert changes(before, snapshot(tmp_path)) == ["other", "read"]


def test_redirected_output_is_no_alarm_and_hides_none(tmp_path: Path) -> None:
    (tmp_path / "crash.json").write_text("needle")
    (tmp_path / "boildown.toml").touch()
    line = shlex.join([sys.executable, "-m", "boildown", "check", "crash.json"])
    for script, told in (("", False), ("echo x >> changed; ", True)):
        command = shlex.join(["sh", "-c", f"{script}! grep -q needle $1", "sh", "crash.json"])
        redirected = f"{line} -- {command} > check.log 2> errors.log"
        run(["sh", "-c", redirected], cwd=tmp_path, check=True, timeout=300)
        said = (tmp_path / "check.log").read_text()
        assert ("The command wrote " in said) is told
        assert ("The command wrote changed; " in said) is told


def test_parallel_runs_have_mirrors_of_their_own(workspace: Path) -> None:
    code = "[ -e mark ] && exit 9; > mark; sleep 0.2; cmp $0 tests/data/crash.txt; rm mark; exit 1"
    with Runner(overlaid(workspace, code), jobs=3) as runner:
        verdicts = list(runner.oracle(Expected("exit 1"))(map(str, range(6))))
    assert [verdict.outcome for verdict in verdicts] == [Outcome.REPRODUCED] * 6


def pytest_on(workspace: Path, file: str, target: str = "{test}", **options: object) -> TestCommand:
    return from_argv(
        pytest_argv([sys.executable], target),
        Path(file),
        workspace,
        test="tests/test_it.py::test_it",
        environment={"PYTHONPATH": "src"},
        **options,
    )


@pytest.mark.slow
def test_pytest_finds_the_candidate_by_resolved_paths(workspace: Path) -> None:
    before = snapshot(workspace)
    command = pytest_on(workspace, "tests/data/crash.txt")
    assert command.in_copy
    with Runner(command) as runner:
        done = preflight(runner, "original")
        seen = list(runner.oracle(done.expected)(["abcdefgh", "abc", "12345678"]))
    assert done.expected.signature == (
        "exit 1: ZeroDivisionError in tool/parse.py: parse: `return 1 / (len(text) - 8)`: "
        "division by zero"
    )
    assert [verdict.outcome for verdict in seen] == [
        Outcome.REPRODUCED,
        Outcome.PASSED,
        Outcome.REPRODUCED,
    ]
    assert changes(before, snapshot(workspace)) == []


@pytest.mark.slow
def test_pytest_runs_a_candidate_that_is_a_module(workspace: Path) -> None:
    source = (workspace / "src/tool/parse.py").read_text()
    with Runner(pytest_on(workspace, "src/tool/parse.py")) as runner:
        done = preflight(runner, source)
        # Same size and written within the same second: stale bytecode would hide the change.
        fixed = source.replace("- 8", "- 9")
        texts = [source, fixed] * 3 + ["def parse(text:\n", ""]
        seen = [verdict.outcome for verdict in runner.oracle(done.expected)(texts)]
    assert seen == [
        *[Outcome.REPRODUCED, Outcome.PASSED] * 3,
        Outcome.INVALID,
        Outcome.INVALID,
    ]


@pytest.mark.slow
def test_pytest_runs_a_candidate_that_is_the_test(workspace: Path) -> None:
    text = (workspace / "tests/test_it.py").read_text()
    with Runner(pytest_on(workspace, "tests/test_it.py")) as runner:
        done = preflight(runner, text)
        other = text.replace("parse((helper.DATA / 'crash.txt').read_text())", "parse('12345678')")
        gone = text.replace("test_it", "test_other")
        seen = [verdict.outcome for verdict in runner.oracle(done.expected)([other, gone])]
    assert seen == [Outcome.REPRODUCED, Outcome.INVALID]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("test", "kind"),
    [
        ("tests/test_it.py::test_no", Obstacle.NO_TEST),
        ("tests/nowhere.py", Obstacle.NO_TEST),
        ("tests/helper.py", Obstacle.NO_TEST),
    ],
)
def test_pytest_without_a_test(workspace: Path, test: str, kind: Obstacle) -> None:
    command = pytest_on(workspace, "tests/data/crash.txt", test)
    with Runner(command) as runner, pytest.raises(PreflightError) as caught:
        preflight(runner, "original")
    assert caught.value.kind is kind


@pytest.mark.slow
def test_pytest_where_nothing_fails(workspace: Path) -> None:
    with (
        Runner(pytest_on(workspace, "tests/data/crash.txt")) as runner,
        pytest.raises(PreflightError, match="no test fails"),
    ):
        preflight(runner, "abc")


@pytest.mark.slow
def test_the_slowest_fixture_is_named(workspace: Path) -> None:
    test = workspace / "tests/test_it.py"
    test.write_text(
        "import pytest, time\n@pytest.fixture\ndef slow():\n    time.sleep(1.1)\n"
        + test.read_text().replace("def test_it(", "def test_it(slow, ").replace(", )", ")")
    )
    with Runner(pytest_on(workspace, "tests/data/crash.txt")) as runner:
        notes = map(for_terminal, preflight(runner, "original", 1).notes)
    (found,) = (note for note in notes if note.startswith("Of this, "))
    assert found.startswith("Of this, the setup of tests/test_it.py::test_it takes 1.")


@pytest.mark.slow
def test_parallel_runs_that_disturb_each_other_are_given_up(workspace: Path) -> None:
    lock = workspace.parent / "lock"
    (workspace / "tests/test_it.py").write_text(
        "import os, time\n"
        "def test_it():\n"
        f"    os.mkdir({str(lock)!r})\n"
        "    try:\n        time.sleep(0.5)\n"
        f"    finally:\n        os.rmdir({str(lock)!r})\n"
        "    assert not open('tests/data/crash.txt').read()\n"
    )
    with Runner(pytest_on(workspace, "tests/data/crash.txt"), jobs=3) as runner:
        done = preflight(runner, "original")
        assert runner.jobs == 1
    assert any("one runs at a time" in note for note in map(for_terminal, done.notes))


@pytest.mark.slow
def test_a_flaky_test_is_seen_as_one_by_runs_at_once(workspace: Path) -> None:
    count = workspace.parent / "count"
    (workspace / "tests/test_it.py").write_text(
        "import os\n"
        "def test_it():\n"
        f"    with open({str(count)!r}, 'a') as file:\n        file.write('x')\n"
        "    with open('tests/data/crash.txt') as file:\n        text = file.read()\n"
        f"    assert not text or os.path.getsize({str(count)!r}) % 3 == 0\n"
    )
    with Runner(pytest_on(workspace, "tests/data/crash.txt"), jobs=2) as runner:
        done = preflight(runner, "original")
    assert done.expected.rate is not None
    assert 0.5 < done.expected.rate < 0.8


def test_which_commands_run_pytest() -> None:
    assert pytest_position(["pytest", "x"]) == 1
    assert pytest_position(["/a/bin/py.test", "x"]) == 1
    assert pytest_position(["env", "A=1", "python3.11", "-m", "pytest", "x"]) == 5
    assert pytest_position(["python", "x.py", "pytest"]) is None
    assert pytest_position(["tool", "-m", "pytest"]) is None


def test_pytest_leaves_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    off = ("-p", "no:cacheprovider")
    own = ("-o", "cache_dir=$TMPDIR/pytest_cache")
    assert without_cache(("tool", "--lf"), tmp_path) == ("tool", "--lf")
    assert without_cache(("pytest", *off), tmp_path) == ("pytest", *off)
    assert without_cache(("pytest", "x"), tmp_path) == ("pytest", *off, "x")
    for option in ("--lf", "--last-failed", "--ff", "--sw", "--cache-clear", "-o cache_dir=x"):
        assert without_cache(("pytest", option), tmp_path) == ("pytest", *own, option)
    below = tmp_path / "sub"
    below.mkdir()
    (tmp_path / "tox.ini").write_text("[testenv]\ncommands = tool --ff\n")
    assert without_cache(("pytest", "x--lf"), below) == ("pytest", *off, "x--lf")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "-q --ff"\n')
    assert without_cache(("pytest", "x"), below) == ("pytest", *own, "x")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("configuration", "option"),
    [
        ("[pytest]\naddopts = --ff --strict-config\ncache_dir = .cache\n", "-q"),
        ("[pytest]\n", "--lf"),
        ("[pytest]\naddopts = --stepwise\n", "-q"),
    ],
)
def test_options_of_pytests_cache_are_no_obstacle(
    workspace: Path, configuration: str, option: str
) -> None:
    (workspace / "pytest.ini").write_text(configuration)
    before = snapshot(workspace)
    command = from_argv(
        [sys.executable, "-m", "pytest", option, "tests/test_it.py"],
        Path("tests/data/crash.txt"),
        workspace,
        environment={"PYTHONPATH": "src"},
    )
    with Runner(command) as runner:
        done = preflight(runner, "original")
        texts = ["abcdefgh", "abc"] * 2
        seen = [verdict.reproduced for verdict in runner.oracle(done.expected)(texts)]
        assert runner.warm
    assert seen == [True, False] * 2
    assert changes(before, snapshot(workspace)) == []


def test_the_projects_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    assert find_interpreter(tmp_path) == (sys.executable,)
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.touch()
    (tmp_path / "a").mkdir()
    assert find_interpreter(tmp_path / "a") == (str(own),)


@needs_linux
def test_a_run_is_the_first_to_go_when_memory_runs_out(tmp_path: Path) -> None:
    with Runner(shell("cat /proc/self/oom_score_adj", tmp_path)) as runner:
        assert int(runner.run("x").stdout) >= 500


def test_memory_is_limited(tmp_path: Path) -> None:
    code = "block = []\nwhile True: block.append(bytearray(1 << 20))"
    with Runner(python(code, tmp_path, memory=200 << 20)) as runner:
        run = runner.run("x", 60)
    assert (run.end, run.failed, run.timed_out) == ("memory limit", True, False)


def test_processor_time_is_limited(tmp_path: Path) -> None:
    with Runner(shell("while :; do :; done", tmp_path, cpu=1)) as runner:
        assert runner.run("x", 60).end == "SIGXCPU"


def test_the_memory_and_time_of_all_processes_are_seen(tmp_path: Path) -> None:
    code = "import sys\nb = bytearray(100_000_000)\nfor i in range(3_000_000): pass"
    child = shlex.join([sys.executable, "-I", "-S", "-c", code])
    quick = f"{child} & {child} & wait"
    with Runner(shell(f"if [ -s $0 ]; then {quick}; fi", tmp_path)) as runner:
        large, small = runner.run("x", 60), runner.run("", 60)
    assert large.memory > 100_000_000 > small.memory > 0
    assert large.cpu > 0.1 > small.cpu


def test_core_dumps_are_not_written(tmp_path: Path) -> None:
    with Runner(shell("ulimit -c", tmp_path)) as runner:
        assert runner.run("x").stdout == "0\n"
