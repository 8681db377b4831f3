"""The server starts fast: an editor waits for it."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys

import pytest

HEAVY = ("boildown.grammar", "boildown.languages", "lark", "parso", "sqlite3")
"""Modules that take long to import, and that a server that does nothing yet can do without."""


def test_no_command_imports_the_engine_before_it_is_used() -> None:
    code = (
        "import sys; from boildown.lsp.handlers import create; create();"
        f"print(sorted({set(HEAVY)} & set(sys.modules)))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize(
    ("redirection", "why"),
    [
        ("<&-", "standard input or output is closed"),
        (">&-", "standard input or output is closed"),
        ("< /etc/passwd", "standard input is a file"),
        ("< /dev/null", "standard input is a device"),
    ],
)
def test_without_an_editor_it_ends_with_one_sentence(redirection: str, why: str) -> None:
    line = f"exec {shlex.quote(sys.executable)} -m boildown lsp {redirection}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=60)
    told = f"boildown lsp: {why}; an editor starts this command, and docs/editors.md says how.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_on_a_terminal_it_ends_with_one_sentence() -> None:
    controlling, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "boildown", "lsp"],
            stdin=terminal,
            capture_output=True,
            text=True,
            timeout=60,
        )
    finally:
        os.close(controlling)
        os.close(terminal)
    assert done.returncode == 2
    assert done.stderr.startswith("boildown lsp: standard input is a terminal; an editor starts ")
