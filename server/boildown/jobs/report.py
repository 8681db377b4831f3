"""A bug report in Markdown for the maintainers of the failing program, with nothing private.

No environment variables go in, the home directory is written as `~`, and the paths of Boildown's
own runs become the input's name.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shlex
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from boildown.folder_text import unpacked
from boildown.jobs.diagnosis import Diagnosis, diagnosis_of
from boildown.jobs.events import in_bytes, runs
from boildown.jobs.folders import patch
from boildown.jobs.inert import block, code, items, visible
from boildown.jobs.reduce import Reduced
from boildown.jobs.versions import program_version
from boildown.jobs.words import MOST_OTHERS_SHOWN, closest_passing, ranking
from boildown.runner.command import PLACEHOLDER, Role, TestCommand
from boildown.runner.judging.signature import failing_output
from boildown.runner.pytest_runs import as_typed
from boildown.runner.run import Run, encode

if TYPE_CHECKING:
    from boildown.jobs.why import Why

_OUTPUT_LINES = 40
"""Of an output, the last so many are shown."""
_SHOWN = 20_000
"""Characters of an input that are shown."""


def bug_report(
    found: Diagnosis,
    command: TestCommand,
    run: Run,
    signature: str,
    program: str | None = None,
    ranked: str | None = None,
) -> str:
    """Return the bug report on a failure in Markdown, with a run on the minimal input.

    `program` is the version of the program in a line of Markdown, and `ranked` the functions in
    which the bug may be, as far as these are known.
    """
    masked = partial(_masked, command, run)
    size, before = in_bytes(len(encode(found.text))), in_bytes(found.before)
    made, how = runs(found.runs), f", {found.minimality}" if found.minimality else ""
    parts = [
        f"# {code(masked(signature or run.end))}",
        f"The input, {code(command.name)} ({size}{how}; reduced from {before} in {made}):",
        *_inputs(found.text, command),
        "The command:",
        block(masked(command_line(command)), "sh"),
        f"It ends with {run.end}, after:",
        block(masked(_tail(run))),
    ]
    if found.original is not None:
        parts.append(f"The original fails with {code(masked(found.original))}.")
    if run.other is not None:
        other = command_line(command.in_role(Role.GOOD))
        told = f"This command, with which it is compared, ends with {run.other.end}:"
        parts += [told, block(masked(other), "sh")]
    if found.rate is not None:
        parts.append(f"The failure is flaky: about {found.rate:.0%} of runs show it.")
    if found.passing is not None:
        close = closest_passing(found.passing, found.text)[1]
        close_one = input_block(found.passing.text)
        if command.folder:
            close_one = block(patch(found.text, found.passing.text), "diff")
        parts += [f"An input that passes, {close}:", close_one]
    if found.needs:
        parts += ["What the failure needs of the input:", items(found.needs)]
    if found.pattern is not None:
        parts += ["All inputs of this pattern fail so, as far as tried:", block(found.pattern)]
    if found.others:
        parts.append("Other failures that were met on the way, each with its smallest input:")
        shown = dict(islice(found.others.items(), MOST_OTHERS_SHOWN))
        for failure, text in shown.items():
            parts += [f"- {code(masked(failure))}", *_inputs(text, command)]
        if len(shown) < len(found.others):
            parts.append(f"There were {len(found.others) - len(shown)} more.")
    if ranked is not None:
        parts += ["Where the bug may be:", block(masked(ranked))]
    known = [masked(program)] if program is not None else []
    parts.append(f"Versions: {', '.join([*known, _versions()])}.")
    return "\n\n".join(parts) + "\n"


def command_line(command: TestCommand) -> str:
    """Return the command as a person would type it, with the input's name for the candidate."""
    values = {
        "file": command.name,
        "original": command.name,
        "dir": command.name if command.folder else ".",
        "test": command.test or "",
    }
    argv = as_typed(command.argv) if command.runs_pytest else command.argv
    parts = (PLACEHOLDER.sub(lambda match: values[match[1]], part) for part in argv)
    program, *arguments = parts
    if os.path.isfile((command.cwd / program).parent.with_name("pyvenv.cfg")):
        # Who gets the report has an environment of their own.
        program = Path(program).name
    line = shlex.join([program, *arguments])
    if command.folder:
        return _in_folder(line, command)
    return line if command.names_file else f"{line} < {shlex.quote(command.name)}"


def _in_folder(line: str, command: TestCommand) -> str:
    """Return the command lines that run it beside a folder of that name, as it ran."""
    original, name = command.input_path, command.name
    lines = []
    if any(path.endswith(".py") for path in command.files):
        roots = [name, f"{name}/src"] if os.path.isdir(original / "src") else [name]
        lines.append(
            "export PYTHONPATH=" + ":".join(f'"$PWD"/{shlex.quote(root)}' for root in roots)
        )
    if command.cwd.is_relative_to(original):
        lines.append(f"cd {shlex.quote(str(Path(name) / command.cwd.relative_to(original)))}")
    return "\n".join([*lines, line])


def _tail(run: Run) -> str:
    """Return the last lines of a run's output."""
    lines = failing_output(run).strip().splitlines()
    if not lines:
        return "(no output)"
    left_out = len(lines) - _OUTPUT_LINES
    head = [f"... {left_out} lines left out ..."] if left_out > 0 else []
    return "\n".join([*head, *(line[:500] for line in lines[-_OUTPUT_LINES:])])


def _masked(command: TestCommand, run: Run, text: str) -> str:
    """Return a text with paths relative to the project, and the home directory as `~`."""
    home, folder = str(Path.home()), str(command.cwd)
    for path, instead in ((run.file, command.name), (run.directory, ".")):
        if path:
            text = text.replace(path, instead)
    if len(folder) > 1:
        text = re.sub(rf"(?<![\w.-]){re.escape(folder)}/(?=[\w.-])", "", text)
        text = re.sub(rf"(?<![\w.-]){re.escape(folder)}(?![\w.-])", ".", text)
    if len(home) > 1:
        text = re.sub(rf"{re.escape(home)}(?![\w.-])", "~", text)
    return text


def _inputs(text: str, command: TestCommand) -> Iterator[str]:
    """Yield the blocks with an input: of a folder, one for each file, after its path."""
    if not command.folder:
        yield input_block(text, Path(command.name).suffix.lstrip("."))
        return
    files = unpacked(text)
    if not files:
        yield "(empty)"
    for path, content in files.items():
        yield f"{code(path)}:"
        yield input_block(content, Path(path).suffix.lstrip("."))


def input_block(text: str, language: str = "") -> str:
    """Return an input as a code block; one with invisible characters as a Python bytes literal."""
    if text == "":
        return "(empty)"
    if len(text) > _SHOWN:
        return f"(attached: {in_bytes(len(encode(text)))})"
    if visible(text, keep="\n\t") == text:
        return block(text, language)
    return block(repr(encode(text)), "python")


def _versions() -> str:
    return (
        f"Boildown {importlib.metadata.version('boildown')} on Python {platform.python_version()}, "
        f"{platform.system()} {platform.release()} on {platform.machine()}"
    )


def report(
    command: TestCommand, before: str, result: Reduced, found: Why | None = None
) -> str | None:
    """Return a bug report in Markdown; None if the result was not run to its end.

    The program is asked for its version.
    """
    if result.start is None or result.run is None:
        return None
    ranked = None if found is None else "\n".join(ranking(found))
    known, signature = diagnosis_of(result, before), result.start.expected.signature
    return bug_report(known, command, result.run, signature, program_version(command), ranked)
