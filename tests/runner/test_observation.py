"""The lines that runs execute: noted however a run ends, and no verdict changes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from release.matrix import interpreter

from boildown.runner.command import from_argv
from boildown.runner.judging.sources import source_text
from boildown.runner.observation import Observation, observing
from boildown.runner.observer_path.boildown_observer import shown
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from helpers import missing

HEAD = "import os, sys, threading\n\n\ndef inner():\n    return 1\n\n\n"


PYTHONS = {"this Python": sys.executable}
# From 3.12 on it is another observer.
if sys.version_info < (3, 12) and (found := interpreter("3.12")):
    PYTHONS["3.12"] = str(found)


def observed(
    folder: Path, code: str, options: Sequence[str] = (), python: str = sys.executable
) -> tuple[Run, Run, Observation]:
    """Return a run without the observer, one with it, and what it has seen."""
    (folder / "program.py").write_text(HEAD + code)
    (folder / "input").write_text("x")
    command = from_argv((python, *options, "program.py", "input"), folder / "input", folder)
    with Runner(command) as runner:
        plain = runner.run("x", 30)
    with observing(command, "installed") as (watched, take):
        with Runner(watched) as runner:
            run = runner.run("x", 300)
        return plain, run, take(source_text)


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
    "is traced by another program": (
        "import trace\ntrace.Trace(count=1, trace=0).runfunc(inner)\ninner()"
    ),
    "is profiled": "sys.setprofile(lambda *_: None)\ninner()",
    "may open no more files": (
        "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\ninner()\nimport json"
    ),
    "may write no files, nor may what it forks": (
        "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "if os.fork():\n    os.wait()\ninner()\nimport json"
    ),
    "starts a process that may write no files": (
        "import resource, subprocess\ninner()\nif len(sys.argv) == 2:\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "    subprocess.run([sys.executable, __file__, 'a', 'b'])"
    ),
    "makes code": "exec(compile('inner()', '<made>', 'exec'))\neval('inner()')",
    "is interrupted by signals": (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: inner())\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\nfor at in range(20000):\n    inner()"
    ),
    "catches that it recurses too deep": (
        "def deep():\n    deep()\ntry:\n    deep()\nexcept RecursionError:\n    print(inner())"
    ),
    "ends in a thread": (
        "thread = threading.Thread(target=lambda: os._exit(inner()))\nthread.start()\nthread.join()"
    ),
}


GIVEN_UP = {"is traced by another program", "catches that it recurses too deep"}
"""Programs in which `sys.settrace` ends the observation, which is said."""
JAVASCRIPT = {
    "returns": "inner()",
    "throws": "inner(); throw new Error('x')",
    "exits": "inner(); process.exit(3)",
    "rejects": "inner(); Promise.reject(new Error('x'))",
    "overflows the stack": "inner(); (function deep() { deep() })()",
    "starts a Node": (
        "if (process.argv.length === 3) require('child_process').spawnSync("
        "process.execPath, [__filename, 'a', 'b']); else inner()"
    ),
    "has a thread": (
        "const { Worker, isMainThread } = require('worker_threads');"
        " if (isMainThread) new Worker(__filename); else inner()"
    ),
    "changes its directory": "process.chdir('/'); inner()",
    "is asynchronous": "(async () => { await null; inner() })()",
    "makes code": "new Function('inner', 'inner()')(inner); eval('inner()')",
}


@pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS)
@pytest.mark.parametrize("program", HOSTILE)
def test_the_verdict_stays_and_the_lines_are_seen(
    tmp_path: Path, program: str, python: str
) -> None:
    plain, run, seen = observed(tmp_path, HOSTILE[program], python=python)
    assert (run.end, run.stdout) == (plain.end, plain.stdout)
    # A recursion may end in the observer: the failure is the same, its innermost frames are not.
    assert run.stderr.splitlines()[-1:] == plain.stderr.splitlines()[-1:]
    is_seen = (str(tmp_path / "program.py"), 5, 0) in seen.places
    assert is_seen or (program in GIVEN_UP and "replaced" in seen.remarks)


@pytest.mark.parametrize("options", [("-I",), ("-S",), ("-E",)])
def test_a_python_that_imports_no_such_module_tells_nothing(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    plain, run, found = observed(tmp_path, "inner()", options)
    assert (run.end, run.stderr, found.places) == (plain.end, plain.stderr, ())


def test_the_steps_through_a_function_and_their_values(tmp_path: Path) -> None:
    code = "def twice(number):\n    half = number\n    return half + number\n\nprint(twice(4))"
    (tmp_path / "program.py").write_text(code)
    (tmp_path / "input").write_text("x")
    for python in PYTHONS.values():
        command = from_argv((python, "program.py", "input"), tmp_path / "input", tmp_path)
        with observing(command, followed=("program.py", 3)) as (watched, take):
            with Runner(watched) as runner:
                assert runner.run("x", 300).stdout == "8\n"
            steps = take(source_text).steps
        told = [(each.event, each.line, dict(each.values)) for each in steps]
        assert told == [
            ("call", 5, {}),
            ("line", 2, {"number": "4"}),
            ("line", 3, {"number": "4", "half": "4"}),
            ("return", 3, {"number": "4", "half": "4"}),
        ]


def test_of_many_steps_the_last_ones_are_kept(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import os\ndef f():\n    for at in range(11000):\n        at\n    os._exit(0)\nf()"
    )
    (tmp_path / "input").write_text("x")
    command = from_argv((sys.executable, "program.py", "input"), tmp_path / "input", tmp_path)
    with observing(command, followed=("program.py", 4)) as (watched, take):
        with Runner(watched) as runner:
            runner.run("x", 300)
        steps = take(source_text).steps
    assert len(steps) == 10_000
    assert (steps[-1].line, steps[-1].values) == (5, {"at": "10999"})
    assert (steps[0].line, steps[0].values) == (3, {"at": "6000"})


class Odd(dict):  # type: ignore[type-arg]
    """A mapping whose methods must not be called."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError

    __repr__ = __str__ = __iter__ = __len__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (-1.5, "-1.5"),
        (1 << 300, "a long int"),
        ("é\n" * 40, repr("é\n" * 30) + "…"),
        (b"\0", "b'\\x00'"),
        ((1,), "(1,)"),
        ([[[[]]], {}], "[[<list of length 1>], {}]"),
        ({"a": {1}, 2: frozenset()}, "{'a': {1}, 2: frozenset()}"),
        (list(range(9)), "[0, 1, 2, 3, 4, 5, …]"),
        ([frozenset([1]), set()], "[frozenset({1}), set()]"),
        (sys, "<module>"),
    ],
)
def test_values_are_shown_shortened(value: object, text: str) -> None:
    assert shown(value) == text


def test_no_method_of_a_value_is_called() -> None:
    assert shown([Odd(a=1), Odd]) == "[<Odd of length 1>, <type>]"


def observed_script(folder: Path, code: str) -> tuple[Run, Run, Observation]:
    """Return a run of Node without the observer, one with it, and what it has seen."""
    (folder / "program.js").write_text(f"function inner() {{\n  return 1;\n}}\n{code};\n")
    (folder / "input").write_text("x")
    command = from_argv(("node", "program.js", "input"), folder / "input", folder)
    with observing(command) as (watched, take), Runner(command) as runner:
        plain = runner.run("x", 30)
        with Runner(watched) as other:
            return plain, other.run("x", 300), take(source_text)


@pytest.mark.parametrize("code", JAVASCRIPT.values(), ids=JAVASCRIPT)
def test_the_verdict_of_a_script_stays_and_its_lines_are_seen(tmp_path: Path, code: str) -> None:
    if not shutil.which("node"):
        missing("Node is not installed.")
    plain, run, found = observed_script(tmp_path, code)
    assert (run.end, run.stdout, run.stderr) == (plain.end, plain.stdout, plain.stderr)
    place = str(tmp_path / "program.js"), 2, 0
    assert place in found.places
    assert found.functions[place] == "inner"


def test_a_script_that_is_killed_tells_nothing(tmp_path: Path) -> None:
    if not shutil.which("node"):
        missing("Node is not installed.")
    plain, run, found = observed_script(
        tmp_path, "inner(); require('child_process').execSync('kill -9 ' + process.pid)"
    )
    assert (run.end, found.places) == (plain.end, ())
