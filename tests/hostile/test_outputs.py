"""Where results and notes are written: own files, devices, pipes, and outputs that break."""

from __future__ import annotations

import os
import resource
import shlex
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from boildown.files import FileError, is_replaceable, write_text


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_device_stays_a_device() -> None:
    write_text(Path(os.devnull), "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert is_replaceable(Path(os.devnull))


def test_a_pipe_gets_the_text(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "text")
    reader.join(10)
    assert read == ["text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_stands_behind_dev_fd_is_written_into(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+") as file:
        file.write("before ")
        file.flush()
        write_text(Path(f"/dev/fd/{file.fileno()}"), "text")
        assert os.fstat(file.fileno()).st_nlink == 1


def test_only_what_boildown_wrote_is_replaceable(tmp_path: Path) -> None:
    path = tmp_path / "result"
    assert is_replaceable(path)
    path.write_text("the user's")
    assert not is_replaceable(path)
    path.unlink()
    write_text(path, "ours")
    assert is_replaceable(path)
    path.write_text("the user's again")
    assert not is_replaceable(path)


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_text("before")
    with pytest.raises(FileError, match="can't be written: No space left"):
        write_text(Path("/dev/full"), "x" * 100_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(FileError, match="can't be written: File too large"):
            write_text(path, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "before"
    assert {each.name for each in tmp_path.iterdir()} - {"state"} == {"result"}


BOILDOWN = f"{shlex.quote(sys.executable)} -m boildown"
COMMAND = "-- grep -c needle crash.json"
REDUCE = f"{BOILDOWN} reduce crash.json --interesting --output out.json"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"{REDUCE} {COMMAND} 2>/dev/full", 0),
        (f"{REDUCE} {COMMAND} 2>&-", 0),
        (f"{REDUCE} {COMMAND} >&- 2>&-", 0),
        (f"{REDUCE} {COMMAND} 2>&1 | true", 0),
        (f"{REDUCE} --json {COMMAND} | true", 0),
        (f"{REDUCE} --json {COMMAND} 2>&1 >/dev/full | true", 3),
        (f"{REDUCE} --max-runs 10 {COMMAND} >/dev/full 2>/dev/full", 0),
    ],
)
def test_an_output_that_breaks_ends_no_job(tmp_path: Path, line: str, status: int) -> None:
    (tmp_path / "crash.json").write_text('["a", "needle", "b"]')
    # The status is that of Boildown, not of what reads from it.
    script = f"set -o pipefail; {line}; echo $? > status"
    subprocess.run(["bash", "-c", script], cwd=tmp_path, timeout=300, check=True)
    assert (tmp_path / "status").read_text() == f"{status}\n"
    assert "needle" in (tmp_path / "out.json").read_text()


@pytest.mark.parametrize("where", ["/dev/full", "&-"])
@pytest.mark.parametrize("json", ["", "--json"])
def test_a_result_that_has_no_place_is_on_standard_error(
    tmp_path: Path, where: str, json: str
) -> None:
    (tmp_path / "crash.json").write_text('["needle"]')
    line = f"{BOILDOWN} reduce crash.json --interesting --output - {json} {COMMAND} >{where}"
    ran = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, timeout=300, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 3
    assert "boildown: The result is, as a Python string:\n'" in ran.stderr
    why = "No space left on device" if where == "/dev/full" else "it is closed"
    assert f"boildown: Standard output can't be written: {why}.\n" in ran.stderr


def test_one_bug_after_the_other_although_nobody_reads(tmp_path: Path) -> None:
    (tmp_path / "crashes").mkdir()
    for name in ("needle", "thread"):
        (tmp_path / "crashes" / name).write_text(f"a {name} b")
    script = "case $(cat $1) in *needle*) exit 3;; *thread*) exit 4;; esac"
    line = (
        f"{BOILDOWN} reduce crashes --each --json -- sh -c {shlex.quote(script)} - {{file}} | true"
    )
    script = f"set -o pipefail; {line}; echo $? > status"
    subprocess.run(["bash", "-c", script], cwd=tmp_path, timeout=300, check=True)
    assert (tmp_path / "status").read_text() == "0\n"
    reduced = {path.name: path.read_text() for path in (tmp_path / "crashes.reduced").iterdir()}
    assert reduced == {"needle": "needle", "thread": "thread"}


def test_a_character_that_the_encoding_lacks(tmp_path: Path) -> None:
    (tmp_path / "crash.json").write_text('["needle"]')
    for command in ("check", "reduce"):
        ran = subprocess.run(
            shlex.split(f"{BOILDOWN} {command} crash.json --interesting {COMMAND}"),
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            cwd=tmp_path, timeout=300, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (ran.returncode, "Traceback" in ran.stderr) == (0, False)
