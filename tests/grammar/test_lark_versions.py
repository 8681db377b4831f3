"""The reader of Lark's notation gives the same with the oldest and the newest lark allowed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import install

ROOT = Path(__file__).parents[2]

READ_ALL = """
import lark
from boildown.grammar import GrammarError, read_lark
from boildown.grammar.notations.lark.syntax import MISTAKES
from grammar.shipped import NAMES, load

print(lark.__version__)
for name in NAMES:
    print(name, load(name))
for texts in MISTAKES.values():
    for text in texts:
        try:
            print(read_lark(text))
        except GrammarError as error:
            print(error)
"""
"""A program that prints the version of lark and what the reader makes of many grammars."""


def requirement() -> tuple[str, str]:
    """Return what pyproject demands of lark, and the oldest version that this allows."""
    found = re.search(r'"(lark>=([0-9.]+),<[0-9.]+)"', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert found is not None
    return found[1], found[2]


def read_all(folder: Path) -> tuple[str, list[str]]:
    """Run the reader with the lark in a folder; return lark's version and the lines printed."""
    path = os.pathsep.join(map(str, (folder, ROOT / "server", ROOT / "tests")))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    version, *lines = done.stdout.splitlines()
    return version, lines


@pytest.mark.nightly
def test_the_oldest_and_the_newest_lark_read_alike(tmp_path: Path) -> None:
    newest, oldest = requirement()
    install(tmp_path / "oldest", f"lark=={oldest}")
    install(tmp_path / "newest", newest)
    oldest_version, oldest_lines = read_all(tmp_path / "oldest")
    newest_version, newest_lines = read_all(tmp_path / "newest")
    assert oldest_version == oldest != newest_version
    assert len(oldest_lines) > 10
    assert oldest_lines == newest_lines
