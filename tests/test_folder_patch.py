"""The patch from one folder to another is one that Git applies, whatever is in it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from boildown.folder_text import packed
from boildown.jobs.folders import patch

NAMES = ["a b.txt", 'q"\\.txt', "tab\t.txt", os.fsdecode(b"\xff.txt"), "ü.txt", "d/-x", "a\x7f"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\n", "two\n"),
        ("a\x0cb\x1cc\u2028d\x85e\rf\r\ng", "a\x0cb\x1cc\rf\r\ng"),
        ("one\ntwo", "one\ntwo\n"),
        ("one\n", ""),
        ("", "one"),
        ("one", None),
        ("", None),
        (None, ""),
        (None, "one"),
        ("\udcff\udc80\n", "\udc80\n"),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_git_applies_it(tmp_path: Path, name: str, before: str | None, after: str | None) -> None:
    def folder(content: str | None) -> dict[str, str]:
        changed = {} if content is None else {name: content}
        return {"other": "stays\n", **changed}

    for path, content in folder(before).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content.encode("utf-8", "surrogateescape"))
    told = patch(packed(folder(before).items()), packed(folder(after).items()))
    data = told.encode("utf-8", "surrogateescape")
    ran = subprocess.run(["git", "apply"], input=data, cwd=tmp_path, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    found = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    wanted = folder(after).items()
    assert found == {path: text.encode("utf-8", "surrogateescape") for path, text in wanted}
