"""The lines that the failing run of a folder executes, and what goes first since it does not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from boildown.folder_text import packed, unpacked
from boildown.jobs.reduce import reduce
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.executed import executed_by

FILES = {
    "lib/__init__.py": "",
    "lib/tools.py": (
        "\ndef used():\n    return 1 / 0\n\n\ndef unused():\n    return [used(), used()]\n\n\n"
        "class Tool:\n    def method(self):\n        return unused()\n"
    ),
    "run.py": "from lib import tools\ntools.used()\n",
}


def command(folder: Path, *options: str) -> TestCommand:
    argv = (sys.executable, "-S" if not options else "-B", "run.py")
    return from_argv(argv, folder, folder, folder=True, files=tuple(FILES))


def test_the_lines_that_are_executed(tmp_path: Path) -> None:
    found = executed_by(command(tmp_path, "-B"), packed(FILES.items()), 30, lambda: False)
    # An empty file has no line, and a function that is only defined has its first.
    assert found.lines == {
        "lib/tools.py": frozenset({2, 3, 6, 10, 11}),
        "run.py": frozenset({1, 2}),
    }
    assert found.calls == {(None, ("lib/tools.py", 2))}


def test_who_calls_whom(tmp_path: Path) -> None:
    # By way of what is installed, and of code that no file holds.
    content = (
        "import functools\n\ndef first():\n    return second()\n\n"
        "def second():\n    return functools.reduce(third, [1, 2])\n\n"
        "def third(one, two):\n    return eval('fourth()')\n\n"
        "def fourth():\n    return sorted([1], key=lambda one: one)\n\nfirst()\n"
    )
    argv = (sys.executable, "-B", "run.py")
    told = from_argv(argv, tmp_path, tmp_path, folder=True, files=("run.py",))
    found = executed_by(told, packed([("run.py", content)]), 30, lambda: False)
    assert found.calls == {
        (None, ("run.py", 3)),
        (("run.py", 3), ("run.py", 6)),
        (("run.py", 6), ("run.py", 9)),
        (("run.py", 9), ("run.py", 12)),
        (("run.py", 12), ("run.py", 13)),
    }


def test_a_python_that_imports_no_site_tells_nothing(tmp_path: Path) -> None:
    found = executed_by(command(tmp_path), packed(FILES.items()), 30, lambda: False)
    assert (found.lines, found.calls) == ({}, set())


@pytest.mark.e2e
def test_what_was_not_executed_is_left_out_first(tmp_path: Path) -> None:
    result = reduce(packed(FILES.items()), command(tmp_path, "-B"))
    assert unpacked(result.reduction.history[1].text) == {
        "lib/tools.py": "\ndef used():\n    return 1 / 0\n\n\n",
        "run.py": FILES["run.py"],
    }
