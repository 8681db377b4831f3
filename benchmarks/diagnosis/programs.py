"""Real programs of the registries: old releases with a known bug, each in a folder of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS

FOLDER = ENVIRONMENTS / "diagnosis"
_RUNS = Path(__file__).with_name("program_runs.py")


def folder(requirement: str) -> Path:
    """Return where a release such as `toml==0.10.2` is, or will be."""
    return FOLDER / requirement


def install(requirement: str) -> None:
    """Install a release, unless it is there.

    Raises:
        subprocess.CalledProcessError: pip said no.
    """
    if not folder(requirement).exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        made = FOLDER / f"{requirement}.part"
        subprocess.run([*command, "--target", str(made), requirement], check=True)
        made.rename(folder(requirement))


def raises(requirement: str, error: str) -> Callable[[str], bool]:
    """Make a truth of a release: whether it raises what a regular expression says."""
    return lambda text: re.search(error, _answer(_process(requirement), text) or "") is not None


def _answer(process: subprocess.Popen[str], text: str) -> str | None:
    assert process.stdin is not None and process.stdout is not None  # noqa: PT018 - both are pipes
    process.stdin.write(json.dumps(text) + "\n")
    process.stdin.flush()
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args!r} ended on {text!r}")
    answer: str | None = json.loads(line)
    return answer


def stop() -> None:
    """End the processes that run releases; without it they end with this one."""
    while _processes:
        _processes.popitem()[1].communicate()


_processes: dict[str, subprocess.Popen[str]] = {}


def _process(requirement: str) -> subprocess.Popen[str]:
    """Return the process that runs a release; it ends when its input does."""
    if requirement in _processes:
        return _processes[requirement]
    name = requirement.split("==")[0].replace("-", "_")
    command = [sys.executable, str(_RUNS), str(folder(requirement)), name]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    _processes[requirement] = process
    return process
