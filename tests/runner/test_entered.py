"""The functions that the failing run of a folder enters, and what goes first since it does not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from boildown.folder_text import packed, unpacked
from boildown.jobs.reduce import reduce
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.entered import entered_functions

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


def test_the_first_lines_of_what_is_entered(tmp_path: Path) -> None:
    found = entered_functions(command(tmp_path, "-B"), packed(FILES.items()), 30, lambda: False)
    # A module begins in its first line, and the body of a class in its own.
    assert found == {
        "lib/__init__.py": frozenset({1}),
        "lib/tools.py": frozenset({1, 2, 10}),
        "run.py": frozenset({1}),
    }


def test_a_python_that_imports_no_site_tells_nothing(tmp_path: Path) -> None:
    assert not entered_functions(command(tmp_path), packed(FILES.items()), 30, lambda: False)


@pytest.mark.e2e
def test_what_was_not_entered_is_emptied_first(tmp_path: Path) -> None:
    result = reduce(packed(FILES.items()), command(tmp_path, "-B"))
    first = unpacked(result.reduction.history[1].text)["lib/tools.py"]
    assert first == (
        "\ndef used():\n    return 1 / 0\n\n\ndef unused():\n    pass\n\n\n"
        "class Tool:\n    def method(self):\n        pass\n"
    )
