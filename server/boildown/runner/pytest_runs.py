"""Test commands that run pytest: recognised, made, and kept out of the user's folders."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

COLLECTION_FAILED = 2
USAGE_ERROR = 4
NOTHING_COLLECTED = 5
NO_CACHE = ("-p", "no:cacheprovider")
"""Keeps pytest from writing `.pytest_cache` and from choosing tests by earlier runs."""
_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?$")
_PYTEST = re.compile(r"(?:pytest|py\.test)(?:\.exe)?$")


def pytest_position(argv: Sequence[str]) -> int | None:
    """Return the index after `pytest` in a command that runs it (`-m pytest` too), or None."""
    if argv and _PYTEST.match(PurePath(argv[0]).name):
        return 1
    for index in range(1, len(argv) - 1):
        if argv[index] == "-m" and argv[index + 1] in ("pytest", "py.test"):
            return index + 2 if _runs_python(argv[:index]) else None
    return None


def _runs_python(argv: Sequence[str]) -> bool:
    return any(_PYTHON.match(PurePath(part).name) for part in argv)


def without_cache(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command that runs pytest, with pytest's cache switched off."""
    position = pytest_position(argv)
    if position is None or "no:cacheprovider" in " ".join(argv):
        return argv
    return (*argv[:position], *NO_CACHE, *argv[position:])


def pytest_argv(interpreter: Sequence[str], test: str = "{test}") -> tuple[str, ...]:
    """Return the command that runs one test, stops at its failure and says what failed."""
    return (*interpreter, "-m", "pytest", *NO_CACHE, "-x", "-rfE", "--tb=short", test)


def find_interpreter(folder: Path) -> tuple[str, ...]:
    """Return the Python of the project that a folder belongs to.

    That is the one of the nearest virtual environment in the folder or above, else of the active
    one, else the one that runs Boildown.
    """
    for above in (folder, *folder.parents):
        for name in (".venv", "venv", "env"):
            if found := _python_in(above / name):
                return (found,)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if (prefix := os.environ.get(variable)) and (found := _python_in(Path(prefix))):
            return (found,)
    return (sys.executable,)


def _python_in(prefix: Path) -> str | None:
    for path in (prefix / "bin" / "python", prefix / "Scripts" / "python.exe"):
        if path.is_file():
            return str(path)
    return None


def import_root(file: Path) -> Path | None:
    """Return the folder that must be on the path for the module in a file to be imported."""
    if file.suffix != ".py":
        return None
    folder = file.parent
    while (folder / "__init__.py").exists() and folder.parent != folder:
        folder = folder.parent
    return folder
