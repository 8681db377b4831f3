"""The lines that runs execute: noted however a run ends, and no verdict changes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from boildown.runner.command import from_argv
from boildown.runner.observation import Observation, observing
from boildown.runner.run import Run
from boildown.runner.runner import Runner

HEAD = "import os, sys, threading\n\n\ndef inner():\n    return 1\n\n\n"


def observed(folder: Path, code: str, options: Sequence[str] = ()) -> tuple[Run, Run, Observation]:
    """Return a run without the observer, one with it, and what it has seen."""
    (folder / "program.py").write_text(HEAD + code)
    (folder / "input").write_text("x")
    command = from_argv((sys.executable, *options, "program.py", "input"), folder / "input", folder)
    with Runner(command) as runner:
        plain = runner.run("x", 30)
    with observing(command, "installed") as (watched, take):
        with Runner(watched) as runner:
            run = runner.run("x", 300)
        return plain, run, take()


HOSTILE = {
    "returns": "inner()",
    "raises": "inner()\n1 / 0",
    "exits": "inner()\nsys.exit(3)",
    "exits at once": "inner()\nos._exit(3)",
    "is killed": "inner()\nos.kill(os.getpid(), 9)",
    "crashes": "inner()\nos.abort()",
    "forks": "if os.fork() == 0:\n    inner()\n    os._exit(0)\nos.wait()",
    "starts a Python": (
        "import subprocess\nif len(sys.argv) == 2:\n"
        "    subprocess.run([sys.executable, __file__, 'a', 'b'])\nelse:\n    inner()"
    ),
    "becomes another program": (
        "if len(sys.argv) == 2:\n    os.execv(sys.executable, [sys.executable, __file__, 'a', 'b'])"
        "\ninner()"
    ),
    "has a thread": "thread = threading.Thread(target=inner)\nthread.start()\nthread.join()",
    "closes all descriptors": "os.closerange(3, 256)\ninner()",
    "changes its directory": "os.chdir('/')\ninner()",
    "recurses too deep": "inner()\ndef deep():\n    deep()\ndeep()",
    "has a generator": "print(list(inner() for _ in range(3)))",
    "is asynchronous": (
        "import asyncio\nasync def one():\n    return inner()\nprint(asyncio.run(one()))"
    ),
    "executes many lines": "for at in range(20000):\n    inner()",
    "traces itself later": "inner()\nsys.settrace(lambda *_: None)\nprint(sys.gettrace() is None)",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_the_verdict_stays_and_the_lines_are_seen(tmp_path: Path, code: str) -> None:
    plain, run, found = observed(tmp_path, code)
    assert (run.end, run.stdout) == (plain.end, plain.stdout)
    # A recursion may end in the observer: the failure is the same, its innermost frames are not.
    assert run.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]
    assert (str(tmp_path / "program.py"), 5) in found.lines


@pytest.mark.parametrize("options", [("-I",), ("-S",), ("-E",)])
def test_a_python_that_imports_no_such_module_tells_nothing(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    plain, run, found = observed(tmp_path, "inner()", options)
    assert (run.end, run.stderr, found.lines) == (plain.end, plain.stderr, ())
