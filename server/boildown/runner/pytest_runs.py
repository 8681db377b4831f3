"""Test commands that run pytest: how to recognise, make and isolate them."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

PYTEST_INTERRUPTED = 2
"""The exit status of pytest when the collection failed, and of `--stepwise` after a failure."""
PYTEST_USAGE_ERROR = 4
PYTEST_NOTHING_COLLECTED = 5
_NO_CACHE = ("-p", "no:cacheprovider")
_OWN_CACHE = ("-o", "cache_dir=$TMPDIR/pytest_cache")
"""A cache for one run; pytest itself puts the variable's value in its place."""
_OF_CACHE = re.compile(
    r"(?<![\w-])(?:--(?:lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise|cache-)"
    r"|cache_dir\b)"
)
"""Options that pytest has only with its cache."""
_CONFIGURATIONS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
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


def python_of_script(script: Path) -> str | None:
    """Return the Python that a script names in its first line, without arguments; else None."""
    try:
        with script.open("rb") as file:
            first = file.readline(4096)
    except OSError:
        return None
    python = os.fsdecode(first[2:].strip())
    is_python = _PYTHON.match(PurePath(python).name) and os.path.isabs(python)
    return python if first.startswith(b"#!") and is_python else None


def unittest_position(argv: Sequence[str]) -> int | None:
    """Return the index after `unittest` in a command that runs `python -m unittest`, or None."""
    for index in range(1, len(argv) - 1):
        if argv[index] == "-m":
            return index + 2 if argv[index + 1] == "unittest" and _runs_python(argv[:1]) else None
    return None


def _runs_python(argv: Sequence[str]) -> bool:
    return any(_PYTHON.match(PurePath(part).name) for part in argv)


def without_cache(argv: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Return a command that runs pytest without its cache, so that runs are independent.

    Neither is a cache left in the workspace, nor are tests chosen by earlier runs. It is switched
    off, unless the command or a configuration in the folder or above has options of it.
    """
    position = pytest_position(argv)
    if position is None or "no:cacheprovider" in " ".join(argv):
        return argv
    options = _OWN_CACHE if _names_cache(argv, folder) else _NO_CACHE
    return (*argv[:position], *options, *argv[position:])


def _names_cache(argv: Sequence[str], folder: Path) -> bool:
    if _OF_CACHE.search(" ".join((*argv, os.environ.get("PYTEST_ADDOPTS", "")))):
        return True
    for above in (folder, *folder.parents):
        for name in _CONFIGURATIONS:
            with contextlib.suppress(OSError):
                text = (above / name).read_text("utf-8", "replace")
                if "pytest" in text and _OF_CACHE.search(text):
                    return True
    return False


_BRIEF = ("-x", "-rfE", "--tb=short")


def pytest_argv(interpreter: Sequence[str], test: str = "{test}") -> tuple[str, ...]:
    """Return the command that runs one test, stops at its failure and reports that briefly."""
    return (*interpreter, "-m", "pytest", *_BRIEF, test)


def as_typed(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command that runs pytest as a person would type it, without Boildown's options."""
    for own in (_OWN_CACHE, _NO_CACHE, _BRIEF, ("-p", "boildown_case")):
        for at in range(len(argv) - len(own) + 1):
            if argv[at : at + len(own)] == own:
                argv = argv[:at] + argv[at + len(own) :]
                break
    return argv


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
        if os.path.isfile(path):
            return str(path)
    return None


def import_root(file: Path) -> Path | None:
    """Return the folder that must be on the path for the module in a file to be imported."""
    if file.suffix != ".py":
        return None
    folder = file.parent
    while os.path.exists(folder / "__init__.py") and folder.parent != folder:
        folder = folder.parent
    return folder
