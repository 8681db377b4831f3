"""Where results are written: over files that Boildown wrote itself, into devices and pipes."""

from __future__ import annotations

import os
import resource
import stat
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
    assert [each.name for each in tmp_path.iterdir()] == ["result"]
