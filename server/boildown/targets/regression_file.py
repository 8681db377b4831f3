"""Regression tests in a file of their own: they run the program as the test command does.

The file needs no Boildown, and its tests fail until the program is mended.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping
from pathlib import Path

from boildown.runner.command import PLACEHOLDER, Role, TestCommand
from boildown.runner.judging.parts import parts_of
from boildown.runner.rules import MEGABYTE
from boildown.runner.workspace import workspace_of
from boildown.targets.asserted import EXCEPTION, is_exception
from boildown.targets.inputs import Inputs, literal

_PYTHON = re.compile(r"python[\d.]*")
_PATIENCE = 60.0
"""Seconds that a run may take if the test command says nothing of it."""

_FILE = '''"""Inputs that made a program fail alike: {line}."""

{imports}

COMMAND = {command}
"""What runs the program; {{file}} stands for the input, {{dir}} for its folder."""
{other}
FOLDER = {folder}


def run(text, command=COMMAND):
    """Run the program on an input."""
    with tempfile.TemporaryDirectory() as folder:
{places}
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        places = {{"{{file}}": str(file), "{{dir}}": str(file.parent)}}
        command = [re.sub(r"{{file}}|{{dir}}", lambda m: places[m[0]], part) for part in command]
        with file.open("rb") as stdin:
            return subprocess.run(
                command, cwd=cwd, stdin=stdin, capture_output=True, timeout={timeout:g}{env}
            )


{inputs}def test_input(text):
    done = run(text)
{compared}    assert {good}, done.stderr.decode(errors="replace")
{output}'''
_OUTPUT = """

def test_output():
    done = run(INPUTS[0])
    assert done.stdout.decode(errors="replace").strip() == {expected!r}
"""
_OTHER = '''
OTHER = {other}
"""What the program is compared with."""
'''
_IN_FRESH_FOLDER = """\
        file, cwd = Path(folder) / {name!r}, {cwd}
"""
_IN_MIRROR = """\
        here, file = FOLDER, Path(folder) / "mirror"
        for part in {parts!r}:
            # All that stands beside the input, or beside a folder around it, is linked.
            file.mkdir()
            for each in here.iterdir():
                if each.name != part:
                    (file / each.name).symlink_to(each)
            here, file = here / part, file / part
        cwd = Path(folder) / "mirror" / {cwd!r}
"""
_LISTED = """\
INPUTS = {inputs}


@pytest.mark.parametrize("text", INPUTS)
"""
_DRAWN = """\
{strategy}

@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=inputs())
"""


def as_file(inputs: Inputs, command: TestCommand, folder: Path) -> str:
    """Return a test file for a folder that runs a test command on each input."""
    base = command.cwd
    if not command.in_copy:
        cwd = "FOLDER" if command.names_file else "folder"
        places = _IN_FRESH_FOLDER.format(name=command.name, cwd=cwd)
    else:
        base = workspace_of(command)
        original = command.input_path
        places = _IN_MIRROR.format(
            parts=Path(os.path.relpath(original, base)).parts,
            cwd=os.path.relpath(command.cwd, base),
        )
    relative = os.path.relpath(base, folder)
    other = command.in_role(Role.GOOD)
    is_drawn, expected = bool(inputs.parts), inputs.expected.strip()
    listed = _LISTED.format(inputs=literal(list(inputs.texts)))
    return _FILE.format(
        line=inputs.line,
        imports=_imports(command, is_drawn),
        command=_words(command),
        other=_OTHER.format(other=_words(other)) if command.compares_output else "",
        compared="    other = run(text, OTHER)\n" if command.compares_output else "",
        folder="Path(__file__).parent" + (f" / {relative!r}" if relative != "." else ""),
        places=places.rstrip("\n"),
        timeout=_patience(command),
        env=_environment(command.environment),
        inputs=_DRAWN.format(strategy=inputs.strategy("inputs")) if is_drawn else listed,
        good=_good(command, inputs.failure),
        output=_OUTPUT.format(expected=expected) if expected else "",
    )


def _patience(command: TestCommand) -> float:
    """Return the seconds that a run may take: no more than a program may that fails by them."""
    limit = None if command.reproduces is None else command.reproduces.seconds
    return limit or command.timeout or _PATIENCE


def _imports(command: TestCommand, is_drawn: bool) -> str:
    modules = ["re", "subprocess", "tempfile"]
    if command.environment:
        modules.append("os")
    if command.reproduces is not None and command.reproduces.memory is not None:
        modules.append("resource")
    commands = [command, command.in_role(Role.GOOD)] if command.compares_output else [command]
    if any(_words(each).startswith("[sys.") for each in commands):
        modules.append("sys")
    lines = [f"import {name}" for name in sorted(modules)]
    theirs = "import pytest"
    if is_drawn:
        theirs = "from hypothesis import HealthCheck, given, settings\n"
        theirs += "from hypothesis import strategies as st"
    return "\n".join([*lines, "from pathlib import Path", "", theirs])


def _words(command: TestCommand) -> str:
    """Return the code of the list of a command's words.

    The path of a Python is the user's own; where the tests run, it is the Python that runs them.
    """
    values = {"original": str(command.original or ""), "test": command.test or ""}
    words = [PLACEHOLDER.sub(lambda m: values.get(m[1], m[0]), part) for part in command.argv]
    if words and os.path.isabs(words[0]) and _PYTHON.fullmatch(os.path.basename(words[0])):
        return f"[sys.executable, *{literal(words[1:])}]" if words[1:] else "[sys.executable]"
    return literal(words)


def _environment(variables: Mapping[str, str]) -> str:
    return f", env={{**os.environ, **{dict(variables)!r}}}" if variables else ""


def _without(failure: str, runs_pytest: bool) -> str:
    """Return the condition that a run does not show a failure, told by its signature.

    Pytest's own status says only that a test failed, and its output is also what the test is about:
    an exception is told by the lines that report it. A test that fails in another way then is of
    the input that it was written for.
    """
    parts = parts_of(failure)
    status, raised = _status(parts.kind), parts.type or ""
    if status in (None, 0) or (runs_pytest and not is_exception(failure)):
        return "done.returncode == 0"
    if not EXCEPTION.fullmatch(raised):
        return f"done.returncode != {status}"
    if runs_pytest:
        shown = f're.search(rb"{_REPORTED}{raised}\\b", done.stdout, re.MULTILINE)'
        return f"done.returncode in (0, {status}) and not {shown}"
    shown = f'b"{raised}" in done.stderr + done.stdout'
    return f"not (done.returncode == {status} and {shown})"


_REPORTED = r"^(E +|(FAILED|ERROR) .* - |\S+:\d+: )?(\w+\.)*"
"""Matches what pytest prints before the name of an exception."""


def _status(end: str) -> int | None:
    """Return the status that `subprocess` gives for the end of a run, if it gives one."""
    word, _, number = end.partition(" ")
    if word == "exit":
        return int(number)
    if word == "signal":
        return -int(number)
    return -signal.Signals[end] if end in signal.Signals.__members__ else None


def _good(command: TestCommand, failure: str) -> str:
    """Return the condition that the program is mended: it does not fail as it did."""
    if command.compares_output:
        return "(done.returncode, done.stdout) == (other.returncode, other.stdout)"
    rule = command.reproduces
    if rule is None and command.interesting:
        return "done.returncode != 0"
    if rule is None:
        return _without(failure, command.runs_pytest)
    shows = []
    if rule.exit:
        shows.append(f"done.returncode in {sorted(rule.exit)}")
    if rule.memory is not None:
        # Of the largest process so far, so one that needs too much lets all that follow fail, too.
        peak = "resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024"
        shows.append(f"{peak} > {rule.memory * MEGABYTE:.0f}")
    for name, pattern in (("stdout", rule.stdout), ("stderr", rule.stderr)):
        if pattern is not None:
            output = f'done.{name}.decode(errors="replace")'
            shows.append(f"re.search({pattern.pattern!r}, {output}, re.MULTILINE)")
    return f"not ({' and '.join(shows)})" if shows else "done.returncode is not None"
