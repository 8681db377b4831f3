"""What is taken of a folder: never what leads out of it, nor what would take for ever to read."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from boildown.files import FileError
from boildown.folder_text import unpacked
from boildown.targets import folders
from boildown.targets.folders import read_files, read_folder, write_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with all that a folder can hold."""
    root = tmp_path / "root"
    for path in ("a.py", ".hidden/b.py", "node_modules/pkg/c.js", "env/lib/d.py", ".git/config"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    (root / "env" / "pyvenv.cfg").write_text("")
    (root / "empty").mkdir()
    (root / "image.bin").write_bytes(b"\0\1\2\xff" * 9)
    (tmp_path / "secret").write_text("secret")
    (root / "out.py").symlink_to(tmp_path / "secret")
    (root / "in.py").symlink_to("a.py")
    (root / "up").symlink_to("..")
    (root / "nowhere").symlink_to("nothing")
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(root / "socket"))
    return root


def test_only_the_text_files_that_a_person_wrote_are_taken(root: Path) -> None:
    found = read_folder(root)
    assert unpacked(found.text) == {"a.py": "a.py"}
    assert dict(found.left_out) == {
        "hidden": 1,
        "repositories, installed packages and caches": 3,
        "empty folders": 1,
        "binary": 1,
        "links": 4,
        "no regular files": 2,
    }


def test_what_is_asked_for_is_taken_but_nothing_outside_the_folder(root: Path) -> None:
    everything = read_folder(root, include=["*"])
    assert unpacked(everything.text) == {
        "a.py": "a.py",
        ".hidden/b.py": ".hidden/b.py",
        "in.py": "a.py",
        "image.bin": "\0\1\2\udcff" * 9,
    }
    assert dict(everything.left_out)["links out of the folder"] == 1
    assert read_folder(root, include=["node_modules/pkg/"]).files == ("node_modules/pkg/c.js",)
    assert read_folder(root, include=["*.py"], exclude=["/.hidden/"]).files == ("a.py", "in.py")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.py", "pipe"], "no regular files"),
        (["a.py", "out.py"], "links out of the folder"),
        (["a.py", "nowhere"], "There is no file"),
        (["a.py", "empty"], "is a folder"),
    ],
)
def test_a_file_that_is_named_and_cannot_be_taken_is_refused(
    root: Path, names: list[str], message: str
) -> None:
    with pytest.raises(FileError, match=message):
        read_files([Path(name) for name in names], root)


def test_a_file_that_is_named_is_taken_once_whatever_is_in_it(root: Path) -> None:
    found = read_files([root / "image.bin", Path("a.py"), Path("./a.py")], root)
    assert found.files == ("a.py", "image.bin")


def test_what_is_too_much_is_said_with_the_way_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 3)
    for number in range(4):
        (root / f"{number}.txt").write_text("")
    with pytest.raises(FileError, match=r"more than 3 files; name the part .* --exclude GLOB"):
        read_folder(root)
    assert read_folder(root, exclude=["*.txt"]).files == ("a.py",)
    monkeypatch.setattr(folders, "MOST_BYTES", 1 << 20)
    with (root / "huge.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(FileError, match=r"more than 1 MB; name the part .* --exclude GLOB"):
        read_folder(root, exclude=["*.txt"])


def test_a_file_that_cannot_be_read_is_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(_path: Path) -> str:
        raise FileError("You have no permission to read it.")

    monkeypatch.setattr(folders, "read_text", unreadable)
    with pytest.raises(FileError, match=r"no file to reduce .* not readable \(2\)"):
        read_folder(root)


def test_a_line_of_gitignore_that_is_no_pattern_is_passed_over(root: Path) -> None:
    (root / ".gitignore").write_text("!\na.*\n")
    (root / "b.py").write_text("")
    assert read_folder(root).files == ("b.py",)


def test_the_whole_system_is_no_input() -> None:
    with pytest.raises(FileError, match="name a folder in it"):
        read_folder(Path("/"))


@pytest.mark.parametrize(
    ("contents", "spoil"),
    [
        # As on a file system that takes two names for one.
        ([("a", "1"), ("a", "2")], lambda _target: None),
        ([("a", "1")], lambda target: (target / "other").mkdir(parents=True)),
    ],
)
def test_a_folder_is_written_as_a_whole_or_not_at_all(
    tmp_path: Path, contents: list[tuple[str, str]], spoil: Callable[[Path], None]
) -> None:
    target = tmp_path / "result"
    spoil(target)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FileError, match="can't be written"):
        write_folder(target, contents, tmp_path)
    assert sorted(tmp_path.rglob("*")) == before
