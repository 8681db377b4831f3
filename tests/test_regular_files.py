"""The user's files: only regular ones are read, and no name is one that ends in a traceback."""

from __future__ import annotations

import ast
import io
import os
import socket
from pathlib import Path

import pytest

from boildown import files
from boildown.files import FileError, read_bytes, read_piped, read_text, write_text

PACKAGE = Path(__file__).parents[1] / "server" / "boildown"

LONG = "a" * 300
REFUSED = {
    "none": "There is no file {path}.",
    "folder": "{path} is a folder; name a file in it.",
    "pipe": "{path} is not a regular file, but a pipe.",
    "socket": "{path} is not a regular file, but a socket.",
    "device": "{path} is not a regular file, but a device.",
    "loop": "{path} can't be read: Too many levels of symbolic links.",
    "file/below": "{path} can't be read: Not a directory.",
    LONG: "{path} can't be read: File name too long.",
    "a\0b": "{path} can't be read: it is no path (embedded null byte).",
    "\ud800": "{path} can't be read: it is no path (",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("file").write_bytes(b"a\xff\r\n")
    Path("folder").mkdir()
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket")
    Path("device").symlink_to("/dev/zero")
    Path("loop").symlink_to("loop")
    return tmp_path


@pytest.mark.parametrize("name", REFUSED)
def test_only_regular_files_are_read(folder: Path, name: str) -> None:
    with pytest.raises(FileError) as refused:
        read_text(Path(name))
    assert str(refused.value).startswith(REFUSED[name].format(path=name))


@pytest.mark.parametrize("name", [LONG, "a\0b", "\ud800", "file/below"])
def test_a_name_that_cannot_be_is_refused_when_it_is_written(folder: Path, name: str) -> None:
    with pytest.raises(FileError, match="can't be used"):
        write_text(Path(name), "text")


def test_a_file_is_read_as_it_was_when_it_was_opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_text(Path("file")) == "a\udcff\r\n"
    assert read_bytes(Path("file"), 2) == b"a\xff"
    fstat = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        status = fstat(descriptor)
        with Path("file").open("ab") as file:
            file.write(b"more" * 100)
        return status

    monkeypatch.setattr(os, "fstat", growing)
    assert read_bytes(Path("file")) == b"a\xff\r\n"


def test_standard_input_and_files_have_a_bound(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 4)
    assert read_piped(io.BytesIO(b"abc\xff")) == "abc\udcff"
    with pytest.raises(FileError, match=r"^Standard input gives more than 4 bytes"):
        read_piped(io.BytesIO(b"abcde"))
    Path("large").write_bytes(b"abcde")
    with pytest.raises(FileError, match=r"^large is larger than 4 bytes\.$"):
        read_text(Path("large"))


def test_no_look_at_a_path_raises() -> None:
    """`Path.is_file` and its like raise where a name is too long, or a folder is not open to us."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("is_file", "is_dir", "exists")
        and not node.args
        # Entries of a folder that is being read; and a file of a package.
        and ast.unparse(node.func.value) != "entry"
        and "resources" not in ast.unparse(node.func.value)
    ]
    assert found == []


def test_half_a_character_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"it has half a character, U\+D800\.$"):
        write_text(tmp_path / "a.txt", "x\ud800")
    assert not any(tmp_path.iterdir())
