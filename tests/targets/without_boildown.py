"""Runs pytest on a file in a Python that lacks Boildown."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# The folders of the packages that are installed, without what their .pth files add: an editable
# installation such as Boildown's own.
_SITE = os.pathsep.join({str(Path(module.__file__ or "").parents[1]) for module in (pytest,)})
_PYTHON = getattr(sys, "_base_executable", sys.executable)


def run(*argv: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a Python that has pytest and Hypothesis, but no Boildown."""
    environment = {**os.environ, "PYTHONPATH": _SITE, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [_PYTHON, *argv],
        cwd=cwd,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


@functools.cache
def lacks_boildown() -> bool:
    """Say whether Boildown cannot be imported there."""
    return "No module named 'boildown.jobs'" in run("-c", "import boildown.jobs").stdout


def passed_and_failed(*files: Path) -> tuple[int, int]:
    """Run pytest on files of one folder; return how many tests passed, and how many failed.

    A test that could not run at all is neither: it makes the caller fail.
    """
    assert lacks_boildown()
    names = [file.name for file in files]
    # What Boildown's package says of its plugin of pytest is still there.
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:boildown")
    done = run("-m", "pytest", *options, *names, cwd=files[0].parent)
    last = done.stdout.strip().splitlines()[-1]
    assert re.search(r"\d (passed|failed)", last), done.stdout
    assert "error" not in last, done.stdout
    for broken in ("NameError", "TypeError", "SyntaxError", "FailedHealthCheck", "FileNotFound"):
        assert broken not in done.stdout, done.stdout
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", last)}
    return counts.get("passed", 0), counts.get("failed", 0)
