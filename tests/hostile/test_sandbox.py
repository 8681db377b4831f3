"""Runs that are isolated strictly: nothing outside their own directories is written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.jobs.advice import for_terminal
from boildown.runner.advice import Message
from boildown.runner.command import Isolation, TestCommand, from_argv, from_predicate
from boildown.runner.guardian.sandbox import version
from boildown.runner.preflight.diagnosis import sandbox_notes
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner

needs_landlock = pytest.mark.skipif(not version(), reason="this kernel has no Landlock")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with an input, and with a file that no run may touch."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "crash.txt").write_text("original")
    (folder / "precious").write_text("not to be lost")
    return folder


def boxed(folder: Path, script: str, *writable: str) -> TestCommand:
    """Return a command that runs a script in the folder, in the sandbox; `$1` is the candidate."""
    argv = ["sh", "-c", script, "sh", "{file}"]
    file = Path("crash.txt")
    return from_argv(argv, file, folder, isolate=Isolation("strict", writable))


def out(command: TestCommand) -> list[str]:
    with Runner(command) as runner:
        return runner.run("text").stdout.split()


@needs_landlock
@pytest.mark.parametrize(
    "act",
    [
        "echo x > {}/precious",
        "echo x >> {}/precious",
        "rm -f {}/precious",
        "mv {}/precious {}/other",
        "mv {}/precious $TMPDIR/",
        "ln {}/precious $TMPDIR/link && echo x > $TMPDIR/link",
        "ln -s {}/precious $TMPDIR/link; echo x > $TMPDIR/link",
        "echo x > {}/new",
        "mkdir {}/new",
        "ln -s / {}/new",
        "mkfifo {}/new",
        "rm -rf {}",
        "setsid sh -c 'rm -rf {}'",
    ],
)
def test_nothing_outside_is_written(project: Path, act: str) -> None:
    script = f"({act}) 2>/dev/null || echo refused".replace("{}", str(project))
    assert out(boxed(project, script)) == ["refused"]
    assert (project / "precious").read_text() == "not to be lost"
    assert (project / "crash.txt").read_text() == "original"
    assert sorted(os.listdir(project)) == ["crash.txt", "precious"]


@needs_landlock
def test_truncation_is_writing(project: Path) -> None:
    if version() < 3:
        pytest.skip("Landlock does not know truncation before Linux 6.2.")
    code = f"import os; os.truncate({str(project / 'precious')!r}, 0)"
    command = from_argv(
        [sys.executable, "-c", code, "{file}"],
        Path("crash.txt"),
        project,
        isolate=Isolation("strict"),
    )
    with Runner(command) as runner:
        assert "PermissionError" in runner.run("text").stderr
    assert (project / "precious").read_text() == "not to be lost"


@needs_landlock
@pytest.mark.parametrize(
    "act",
    [
        "echo x > $1",
        "echo x > /dev/null",
        "echo x | tee /dev/stderr",
        "mktemp",
        "mkdir $TMPDIR/a $TMPDIR/b && echo x > $TMPDIR/a/c && mv $TMPDIR/a/c $TMPDIR/b/c",
        "cat precious",
    ],
)
def test_its_own_directories_stay_its_own(project: Path, act: str) -> None:
    script = f"({act}) >/dev/null && echo allowed"
    assert out(boxed(project, script)) == ["allowed"]


@needs_landlock
def test_a_run_writes_where_it_stands(project: Path) -> None:
    command = from_argv(
        ["sh", "-c", "mkdir a; cat > a/b; cp a/b c; cat c; rm -r a"],
        Path("crash.txt"),
        project,
        isolate=Isolation("strict"),
    )
    assert out(command) == ["text"]
    script = "mkdir -p new && mv crash.txt new/ && cat new/*"
    assert out(boxed(project, script)) == ["text"]
    assert (project / "crash.txt").read_text() == "original"


@needs_landlock
def test_what_the_user_lists_is_writable(project: Path) -> None:
    (project / "logs").mkdir()
    (project / "one.log").write_text("")
    script = "echo 1 >> logs/new; echo 1 >> one.log; echo 1 > two.log; echo end"
    assert out(boxed(project, script, "logs", str(project / "one.log"))) == ["end"]
    assert (project / "logs" / "new").read_text() == "1\n"
    assert (project / "one.log").read_text() == "1\n"
    assert not (project / "two.log").exists()


def test_what_is_listed_must_exist(project: Path) -> None:
    with pytest.raises(CannotRun, match="nowhere' is to be writable, but does not exist"):
        out(boxed(project, "true", "nowhere"))


@needs_landlock
def test_warm_runs_are_in_the_sandbox_too(project: Path) -> None:
    (project / "checks.py").write_text(
        f"PRECIOUS = {str(project / 'precious')!r}\n"
        "def fails(text):\n    open(PRECIOUS, 'w').write(text)\n"
        "def path(path):\n    open(path, 'a').write('x'); open(PRECIOUS, 'w')\n"
    )
    for name in ("fails", "path"):
        command = from_predicate(
            f"checks:{name}",
            Path("crash.txt"),
            project,
            [sys.executable],
            isolate=Isolation("strict"),
        )
        with Runner(command) as runner:
            for _ in range(3):
                assert "PermissionError" in runner.run("text").stderr
            assert runner.warm
    assert (project / "precious").read_text() == "not to be lost"


@needs_landlock
def test_a_run_cannot_exchange_its_directory(project: Path) -> None:
    victim = project / "victim"
    victim.mkdir()
    script = f'd="$(pwd -P)"; cd /; rm -rf "$d"; ln -s {victim} "$d"; rm -rf "$(dirname "$d")"'
    command = from_argv(
        ["sh", "-c", script], Path("crash.txt"), project, isolate=Isolation("strict")
    )
    remarks: list[Message] = []
    with Runner(command, remark=remarks.append) as runner:
        for _ in range(3):
            runner.run("text")
    assert remarks == []


@needs_landlock
def test_the_command_line_and_the_configuration_ask_for_it(project: Path) -> None:
    boildown = [sys.executable, "-m", "boildown", "check", "crash.txt", "--json"]
    script = "echo x > precious; grep -q o {file} && exit 3"
    given = ["--isolate", "strict", "--", "sh", "-c", script]
    (project / "boildown.toml").write_text(
        '[[input]]\nfiles = "*.txt"\nisolate = "strict:two"\n'
        f"command = {json.dumps(['sh', '-c', script + '; echo x > two'])}\n"
    )
    (project / "two").write_text("")
    for arguments in (given, []):
        ran = subprocess.run(
            [*boildown, *arguments], cwd=project, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert json.loads(ran.stdout)["failure"] == "exit 3"
    assert (project / "precious").read_text() == "not to be lost"


def test_where_there_is_no_landlock_runs_go_on_with_a_note(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boildown.runner.preflight.diagnosis.version", lambda: 0)
    (note,) = sandbox_notes(boxed(project, "exit 3"))
    assert "The runs go on without it" in for_terminal(note)
    assert sandbox_notes(replace(boxed(project, "exit 3"), isolate=Isolation())) == []
