"""Warm runs: as fast as a fork, and in all else like cold ones."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import py_compile
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, Stop
from boildown.jobs.advice import for_terminal
from boildown.runner.command import Isolation, TestCommand, from_argv, from_predicate
from boildown.runner.judging.signature import signature
from boildown.runner.preflight import diagnosis
from boildown.runner.preflight.preflight import PreflightError, preflight
from boildown.runner.pytest_runs import pytest_argv
from boildown.runner.run import CannotRun, Obstacle, Run
from boildown.runner.runner import Expected, Runner
from runner.commands import needs_linux, survivors, wait_for_lines

MODULE = """
import os, random, sys, threading, time
from enum import Enum
from pathlib import Path

os.write(os.open("loads", os.O_WRONLY | os.O_APPEND | os.O_CREAT), b"load\\n")
count = 0

def fails(text):
    global count
    count += 1
    print("seen", len(text), count)
    print("to stderr", file=sys.stderr)
    if "deep" in text: fails_deeply()
    return "bad" in text

def fails_deeply():
    raise KeyError("deep")

class Answer(Enum):
    REPRODUCED = 1
    INVALID = 2
    PASSED = 3

class Group:
    @staticmethod
    def answers(path: Path):
        text = path.read_text()
        return Answer[text] if text.isupper() else text

def mixed(text):
    if text == "exit 3": sys.exit(3)
    if text == "exit text": sys.exit("words")
    if text == "exit None": sys.exit()
    if text == "kill": os.kill(os.getpid(), 9)
    if text == "thread": threading.Thread(target=lambda: (time.sleep(0.1), print("late"))).start()
    if text == "atexit":
        import atexit; atexit.register(print, "bye")
    if text == "stdin": print(repr(sys.stdin.read()))
    if text == "sleep": time.sleep(1000)
    if text == "daemon":
        if os.fork() == 0:
            os.setsid()
            open("pids", "a").write(f"{os.getpid()}\\n")
            time.sleep(1000)
        while not os.path.exists("pids"): pass
    if text == "environ": print(os.environ.get("EXTRA"), os.getcwd(), sys.argv[1:][:0], __name__)
    if text == "fd": os.write(1, b"raw\\n")
    if text == "big": print("x" * 3_000_000)
    if text == "syntax": eval("1 +")
    if text == "recursion": mixed2()

def mixed2(): mixed2()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "checks.py").write_text(MODULE)
    return tmp_path


def predicate(folder: Path, target: str, **options: object) -> TestCommand:
    # The module tells in a file of the folder when it is loaded.
    options = {"isolate": Isolation("none"), **options}
    return from_predicate(
        f"checks:{target}", Path("crash.txt"), folder, [sys.executable], **options
    )


def test_a_predicate_is_loaded_once_and_forked(folder: Path) -> None:
    with Runner(predicate(folder, "fails")) as runner:
        done = preflight(runner, "bad text")
        assert done.expected.signature == "exit 1"
        texts = ["bad", "good", "deep bad", ""]
        verdicts = list(runner.oracle(done.expected)(texts))
        assert runner.warm
        run = runner.run("abc")
    assert [verdict.outcome.value for verdict in verdicts] == [
        "REPRODUCED",
        "PASSED",
        "PASSED",
        "PASSED",
    ]
    place = f"{folder.name}/checks.py: fails_deeply"
    assert verdicts[2].signature == f'exit 1: KeyError in {place}: `raise KeyError("deep")`'
    assert run.stdout == "seen 3 1\n"
    assert run.stderr == "to stderr\n"
    # Once for the cold run of the preflight, once for all others.
    assert (folder / "loads").read_text() == "load\nload\n"


def test_outcomes_of_a_predicate(folder: Path) -> None:
    with Runner(predicate(folder, "Group.answers")) as runner:
        verdicts = list(
            runner.oracle(Expected("exit 1"))(["REPRODUCED", "INVALID", "PASSED", "PASSED ", "x"])
        )
    assert [verdict.outcome for verdict in verdicts[:3]] == [
        Outcome.REPRODUCED,
        Outcome.INVALID,
        Outcome.PASSED,
    ]
    assert "KeyError" in verdicts[3].signature
    assert verdicts[4].outcome is Outcome.INVALID


def same(run: Run) -> tuple[object, ...]:
    """What must not depend on how a run was started."""
    values = dataclasses.asdict(run)
    for name in ("seconds", "cpu", "memory", "waited", "directory", "file"):
        del values[name]
    if "RecursionError" in run.stderr:
        values["stderr"] = signature(run, run.file)
    return tuple(values.items())


@pytest.mark.parametrize(
    "text",
    [
        *("exit 3", "exit text", "exit None", "kill", "thread", "atexit", "stdin", "environ"),
        *("fd", "big", "syntax", "recursion", "sleep", ""),
        pytest.param("daemon", marks=needs_linux),
    ],
)
def test_warm_and_cold_runs_agree(folder: Path, text: str) -> None:
    command = predicate(folder, "mixed", environment={"EXTRA": "given"})
    with Runner(command) as runner:
        cold = runner.run(text, 1.0, cold=True)
        warm = runner.run(text, 1.0)
        assert runner.warm
    if text == "daemon":
        assert survivors(map(int, wait_for_lines(folder / "pids", 1))) == []
    assert same(warm) == same(cold)


@pytest.mark.parametrize(
    ("module", "why"),
    [
        (
            "import os, sys\nif '-c' in sys.orig_argv: raise OSError('not here')\n"
            "def fails(text): return 'bad' in text\n",
            "OSError: not here",
        ),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True)"
            ".start()\ndef fails(text): return 'bad' in text\n",
            "it started threads",
        ),
    ],
)
def test_what_cannot_be_loaded_once_runs_cold(tmp_path: Path, module: str, why: str) -> None:
    (tmp_path / "checks.py").write_text(module)
    with Runner(predicate(tmp_path, "fails")) as runner:
        assert [runner.run(text).status for text in ("bad", "good")] == [1, 0]
        assert not runner.warm
        assert why in runner.why_cold


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (
            "import nowhere\n",
            "The module 'nowhere' is missing: is this the project's own interpreter? It printed:\n"
            "    Traceback (most recent call last):\n"
            '      File "{folder}/checks.py", line 1, in <module>\n'
            "        import nowhere\n"
            "    ModuleNotFoundError: No module named 'nowhere'",
        ),
        (
            "def other(text): return True\n",
            "It printed:\n    AttributeError: module 'checks' has no attribute 'fails'",
        ),
        ("fails = 'bad'\n", "It printed:\n    TypeError: checks:fails is no function"),
        ("class fails: pass\n", "It printed:\n    TypeError: checks:fails is no function"),
        *(
            (
                f"def fails({parameters}): return True\n",
                "It printed:\n    TypeError: checks:fails must take one argument: the text of a "
                "candidate, or its path",
            )
            for parameters in ("", "a, b", "*, text", "text, *, b", "a, b, c=1")
        ),
        *(
            (
                code,
                "It printed:\n    TypeError: checks:fails is a generator or asynchronous, so "
                "calling it gives no answer",
            )
            for code in ("async def fails(text): pass\n", "def fails(text): yield 1\n")
        ),
        *(
            (
                f"def fails(text): return {answer}\n",
                "It printed:\n    TypeError: the predicate must return a bool or an Outcome, "
                f"not {answer}",
            )
            for answer in ("1", "'yes'")
        ),
        (
            "raise SystemExit(1)\n",
            "It printed:\n    Traceback (most recent call last):\n"
            '      File "{folder}/checks.py", line 1, in <module>\n'
            "        raise SystemExit(1)\n"
            "    SystemExit: 1",
        ),
    ],
)
def test_what_is_no_predicate_is_no_failure(tmp_path: Path, module: str, said: str) -> None:
    (tmp_path / "checks.py").write_text(module)
    with Runner(predicate(tmp_path, "fails")) as runner:
        with pytest.raises(PreflightError) as caught:
            preflight(runner, "bad")
        assert caught.value.kind is Obstacle.NO_PREDICATE
        assert for_terminal(caught.value.message) == (
            f"The predicate 'checks:fails' cannot be used by {sys.executable} in {tmp_path}. "
            + said.format(folder=tmp_path)
        )
        verdict = runner.verdict("bad", Expected("exit 1"))[0]
    assert verdict.outcome is Outcome.INVALID


def test_a_crash_while_loading_is_survived(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(
        "import os, sys\n"
        "if '-c' in sys.orig_argv: os.kill(os.getpid(), 9)\n"
        "def fails(text): return 'bad' in text\n"
    )
    with Runner(predicate(tmp_path, "fails")) as runner:
        assert [runner.run(text).status for text in ("bad", "good")] == [1, 0]
        assert not runner.warm


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ('exec {python} "$@"', ""),
        ('{python} "$@"', ""),
        ('echo "Using the project\'s Python"; exec {python} "$@"', ""),
        ('{python} "$@" </dev/null', "ended again and again"),
        ("exec {python} $@", "does not start as Python"),
        ("head -c 100000 /dev/zero; exec {python} $@", "does not start as Python"),
    ],
    ids=["exec", "child", "prints", "without stdin", "unquoted", "prints much"],
)
def test_a_script_that_starts_python_is_as_good_as_a_python(
    folder: Path, temp: Path, script: str, why: str
) -> None:
    python = folder / "python"
    python.write_text(f"#!/bin/sh\n{script.format(python=sys.executable)}\n")
    python.chmod(0o755)
    command = from_predicate("checks:fails", Path("crash.txt"), folder, [str(python)])
    with Runner(command, 2) as runner:
        assert runner.run("bad", cold=True).status == 1
        verdicts = list(runner.oracle(Expected("exit 1"))(["bad", "good", "bad", "good"]))
        assert (runner.warm, why in runner.why_cold) == (not why, True)
    assert [verdict.reproduced for verdict in verdicts] == [True, False, True, False]
    assert list(temp.iterdir()) == []


def test_a_python_that_never_starts_can_be_stopped(folder: Path) -> None:
    python = folder / "python"
    python.write_text(f"#!/bin/sh\n: >{folder}/started\nexec sleep 1000\n")
    python.chmod(0o755)
    command = from_predicate("checks:fails", Path("crash.txt"), folder, [str(python)])
    with Runner(command, stopped=(folder / "started").exists) as runner, pytest.raises(Stop):
        runner.run("bad")


@pytest.mark.parametrize(
    "code",
    [
        "def fails(*texts): return 'bad' in texts[0]\n",
        "def fails(text, *more, b=1): return 'bad' in text\n",
        "fails = lambda text, b=1: 'bad' in text\n",
        "class Call:\n    def __call__(self, text): return 'bad' in text\nfails = Call()\n",
        "class Case:\n    def check(self, text): return 'bad' in text\nfails = Case().check\n",
        "import operator\nfails = operator.methodcaller('startswith', 'bad')\n",
    ],
)
def test_what_takes_one_argument_is_a_predicate(tmp_path: Path, code: str) -> None:
    (tmp_path / "checks.py").write_text(code)
    with Runner(predicate(tmp_path, "fails")) as runner:
        for cold in (True, False):
            found = [runner.run(text, cold=cold).status for text in ("bad", "good")]
            assert found == [1, 0]


def test_malformed_predicates(tmp_path: Path) -> None:
    for target in ("checks", "checks.py:", ":fails", "a b:c"):
        with pytest.raises(CannotRun, match="no predicate"):
            from_predicate(target, Path("a"), tmp_path)


TEST = """
import json
import helper

def test_it():
    assert json.loads(open("data.json").read())["n"] != helper.LIMIT
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    (root / "pytest.ini").write_text("[pytest]\n")
    (root / "helper.py").write_text("LIMIT = 7\n")
    (root / "test_it.py").write_text(TEST)
    (root / "data.json").write_text('{"n": 7}')
    return root


def pytest_in(project: Path, file: str, **options: object) -> TestCommand:
    return from_argv(
        pytest_argv([sys.executable], "test_it.py::test_it"),
        Path(file),
        project,
        **options,
    )


def outcomes(command: TestCommand, original: str, texts: list[str]) -> list[tuple[str, str]]:
    with Runner(command) as runner:
        done = preflight(runner, original)
        assert runner.warm is command.warm, runner.why_cold
        return [(v.outcome.value, v.signature) for v in runner.oracle(done.expected)(texts)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "texts"),
    [
        ("data.json", ['{"n": 7}', '{"n": 8}', '{"n":', "{}", "[7]", ""]),
        ("helper.py", ["LIMIT = 7\n", "LIMIT = 8\n", "LIMIT = 7\n", "LIMIT = \n", "LIMIT = 9\n"]),
        (
            "test_it.py",
            [
                TEST,
                TEST.replace("!=", "=="),
                TEST.replace("test_it", "test_no"),
                TEST.replace("!=", "<="),
                TEST + "\nimport nowhere",
                "def test_it():\n    raise SystemExit(3)\n",
                "import os\ndef test_it():\n    os._exit(1)\n",
                "import os\ndef test_it(tmp_path):\n    print('x'); os.abort()\n",
                "def test_it(monkeypatch, capfd):\n    print(1); assert capfd.readouterr().err\n",
                "",
            ],
        ),
    ],
)
def test_warm_and_cold_pytest_agree(project: Path, file: str, texts: list[str]) -> None:
    """Candidates are rewritten within a second, some in the same size, beside stale bytecode."""
    stale = project.parent / "stale.py"
    stale.write_text("LIMIT = 9\n")
    # Python uses such bytecode without a look at the source.
    py_compile.compile(
        str(stale),
        importlib.util.cache_from_source(str(project / "helper.py")),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    original = (project / file).read_text()
    warm = outcomes(pytest_in(project, file), original, texts)
    cold = outcomes(pytest_in(project, file, warm=False), original, texts)
    assert warm == cold
    assert warm[0][0] == "REPRODUCED"
    assert {outcome for outcome, _ in warm} > {"REPRODUCED"}


@pytest.mark.slow
def test_where_warm_runs_end_differently_they_are_given_up(project: Path) -> None:
    (project / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    if '-m' not in sys.orig_argv: raise KeyError\n"
        "    assert not open('data.json').read()\n"
    )
    with Runner(pytest_in(project, "data.json")) as runner:
        done = preflight(runner, "x")
        assert not runner.warm
    assert done.expected.rate is None
    assert any(
        note.startswith("Each run starts Python anew") for note in map(for_terminal, done.notes)
    )


def children(pid: int) -> list[int]:
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


@pytest.mark.slow
def test_the_time_that_loading_takes_is_not_expected_of_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnosis, "SLOW_RUN_SECONDS", 3.0)
    (tmp_path / "checks.py").write_text(
        "import time\ntime.sleep(3.1)\ndef fails(text): return 'bad' in text\n"
    )
    with Runner(predicate(tmp_path, "fails")) as runner:
        notes = preflight(runner, "bad").notes
        assert not any("A run takes" in note for note in map(for_terminal, notes))
    with Runner(predicate(tmp_path, "fails", warm=False)) as runner:
        notes = preflight(runner, "bad", 1).notes
        assert any("A run takes" in note for note in map(for_terminal, notes))


def test_temporary_files_of_runs_are_removed_after_each(tmp_path: Path, temp: Path) -> None:
    (tmp_path / "checks.py").write_text(
        "import os, tempfile\n"
        "def fails(text):\n"
        "    print(tempfile.gettempdir(), len(os.listdir(tempfile.gettempdir())))\n"
        "    os.mkdir(os.path.join(tempfile.mkdtemp(), 'more'))\n"
        "    if text == 'all': os.rename(tempfile.gettempdir(), tempfile.gettempdir() + '2')\n"
        "    return True\n"
    )
    with Runner(predicate(tmp_path, "fails")) as runner:
        runs = [runner.run(text, cold=cold) for text in ("", "all", "") for cold in (True, False)]
        assert runner.warm
        (base,) = temp.iterdir()
        assert {run.stdout for run in runs} == {f"{base}/temp 0\n"}
        assert list((base / "temp").iterdir()) == []
    assert list(temp.iterdir()) == []


def test_a_folder_of_temporary_files_that_the_user_names_stays(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (tmp_path / "checks.py").write_text(
        "import tempfile\ndef fails(text):\n    return bool(tempfile.mkdtemp())\n"
    )
    command = predicate(tmp_path, "fails", environment={"TMPDIR": str(own)})
    with Runner(command) as runner:
        assert [runner.run("", cold=cold).status for cold in (True, False)] == [1, 1]
    assert len(list(own.iterdir())) == 2


def test_nothing_is_loaded_that_makes_forks_slow(tmp_path: Path) -> None:
    code = "import sys; print({'typing', 'threading'} & set(sys.modules))"
    (tmp_path / "checks.py").write_text(f"def fails(text):\n    {code}\n")
    plain = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    with Runner(predicate(tmp_path, "fails")) as runner:
        warm, cold = runner.run(""), runner.run("", cold=True)
        assert runner.warm
    assert warm.stdout == cold.stdout == plain.stdout


def test_a_child_that_waited_and_was_killed_is_replaced(folder: Path) -> None:
    with Runner(predicate(folder, "fails")) as runner:
        assert runner.run("bad").status == 1
        guardian = runner._workers[0].pid
        while not (waiting := children(guardian)):
            pass
        os.kill(waiting[0], signal.SIGKILL)
        assert survivors(waiting) == []
        assert [runner.run(text).status for text in ("bad", "good")] == [1, 0]
        assert runner._workers[0].pid == guardian


def test_warm_and_cold_runs_in_turns_leave_no_descriptor_open(folder: Path) -> None:
    with Runner(predicate(folder, "fails")) as runner:
        assert runner.run("good").status == 0
        for _ in range(10):
            assert runner.run("bad", cold=True).status == 1
            assert runner.run("bad").status == 1
        descriptors = Path(f"/proc/{runner._workers[0].pid}/fd")
        # Standard streams, two pipes and the lock; four ends for the child that waits.
        end = time.monotonic() + 30
        while len(left := list(descriptors.iterdir())) > 15 and time.monotonic() < end:
            time.sleep(0.01)
        assert len(left) <= 15


def test_nothing_is_left_of_a_warm_worker(folder: Path, temp: Path) -> None:
    with Runner(predicate(folder, "mixed")) as runner:
        runner.run("", 5)
        pid = runner._workers[0].pid
        while not (waiting := children(pid)):
            pass
    assert survivors([pid, *waiting]) == []
    assert list(temp.iterdir()) == []


def test_one_varied_run_of_five_starts_anew(folder: Path) -> None:
    """A process that was loaded ahead has one hash seed for all runs that are forked from it."""
    with Runner(predicate(folder, "fails")) as runner:
        runner.run("bad")
        runner.vary(True)
        for _ in range(10):
            runner.run("bad")
    # Once for all that are forked.
    assert (folder / "loads").read_text() == "load\n" * 3
