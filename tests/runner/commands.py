"""Helpers for the tests of the runner: commands in Python, and what is left of processes."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from boildown.runner.command import TestCommand, from_argv
from boildown.runner.guardian.linux import IS_LINUX

needs_linux = pytest.mark.skipif(not IS_LINUX, reason="needs Linux's subreapers and /proc")


def python(code: str, cwd: Path, *arguments: str, **options: Any) -> TestCommand:
    """A command that runs Python code; without other arguments `sys.argv[1]` is the candidate."""
    argv = [sys.executable, "-I", "-S", "-c", code, *(arguments or ("{file}",))]
    return from_argv(argv, Path("crash.json"), cwd, **options)


def shell(code: str, cwd: Path, **options: Any) -> TestCommand:
    """A command that runs shell code; `$0` is the candidate."""
    return from_argv(["sh", "-c", code, "{file}"], Path("crash.json"), cwd, **options)


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def survivors(pids: Iterable[int], seconds: float = 10.0) -> list[int]:
    """Wait until all processes are gone; return those that are not after so long."""
    end = time.monotonic() + seconds
    left = [pid for pid in pids if alive(pid)]
    while left and time.monotonic() < end:
        time.sleep(0.01)
        left = [pid for pid in left if alive(pid)]
    return left


def wait_for_lines(path: Path, count: int, seconds: float = 30.0) -> list[str]:
    """Wait until a file has so many whole lines, and return them."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        text = path.read_text() if path.exists() else ""
        if text.count("\n") >= count:
            return text.splitlines()
        time.sleep(0.005)
    raise AssertionError(f"{path} did not get {count} lines")


def left_in_temp(seconds: float = 0.0) -> list[str]:
    """The names of what Boildown left in the directory for temporary files, after so long."""
    end = time.monotonic() + seconds
    while left := [name for name in os.listdir(tempfile.gettempdir()) if "boildown-" in name]:
        if time.monotonic() >= end:
            break
        time.sleep(0.01)
    return left
