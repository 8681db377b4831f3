"""The pass that puts the modules of a Python project into the file that the command names."""

from __future__ import annotations

import os
from collections.abc import Collection

from boildown.engine.candidates import retext
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import Pass
from boildown.folder_text import unpacked
from boildown.languages.merged_modules import is_test, merged_modules
from boildown.runner.command import TestCommand


def merging(command: TestCommand) -> Pass:
    """Return a pass that leaves one file of Python in place of those that it imports.

    It is the file that the command names, or else the only one with tests. Costs a run if that
    works, and a few more if not.
    """
    named = named_files(command)

    def merge(problem: Problem) -> None:
        main = _main(named, unpacked(problem.text))
        if main is not None:
            problem.consider_first(
                retext(problem, text) for text in merged_modules(problem.text, main)
            )

    return Pass("modules", merge)


def named_files(command: TestCommand) -> list[str]:
    """Return the files of a folder that the arguments of a command name, as paths in it."""
    root = command.input_path
    parts = (part.partition("::")[0] for part in command.argv[1:])
    paths = (os.path.relpath(os.path.join(command.cwd, part), root) for part in parts)
    return [path for path in paths if path in command.files]


def _main(named: Collection[str], files: Collection[str]) -> str | None:
    found = [path for path in named if path.endswith(".py") and path in files]
    tests = [path for path in files if is_test(path)]
    if not found and len(tests) == 1:
        return tests[0]
    return found[0] if len(found) == 1 else None
