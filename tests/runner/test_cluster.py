"""Runs on a real scheduler with two workers, one of which is lost on the way."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, Stop, close
from boildown.engine.reducing.reduce import reduce
from boildown.jobs.events import Event, Progress
from boildown.jobs.reduce import reduce as reduce_job
from boildown.jobs.work import JobOptions
from boildown.languages import load_language
from boildown.runner.cluster import Cluster
from boildown.runner.command import TestCommand, from_argv
from boildown.runner.judging.judge import Expected
from boildown.runner.judging.signature import signature
from boildown.runner.run import CannotRun
from boildown.runner.runner import Runner
from helpers import dask_process

pytestmark = pytest.mark.nightly

TEXT = "\n".join(["alpha", *map(str, range(30)), "beta"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "check.py").write_text(
        "import sys, words\nsys.exit(words.fails(open(sys.argv[1]).read()))\n"
    )
    (tmp_path / "words.py").write_text(
        "def fails(text):\n    return int('alpha' in text and 'beta' in text)\n"
    )
    return tmp_path


@pytest.fixture
def command(folder: Path) -> TestCommand:
    return from_argv([sys.executable, "check.py", "crash.txt"], Path("crash.txt"), folder)


@pytest.fixture
def cluster(temp: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    processes = [dask_process(["scheduler", "--host", "127.0.0.1", "--port", str(port)], temp)]
    try:
        processes += [
            dask_process(["worker", address, "--no-nanny", "--nthreads", "1"], temp)
            for _ in range(2)
        ]
        yield address, processes[1:]
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        end = time.monotonic() + 10
        while any(name.startswith("boildown-") for name in os.listdir(temp)):
            if time.monotonic() > end:
                break
            for path in temp.glob("boildown-shipped-*"):
                subprocess.run(["rm", "-rf", str(path)], check=True)
            time.sleep(0.05)


def test_a_lost_worker_loses_no_answer(
    command: TestCommand, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, workers = cluster
    expected = Expected("exit 1", 60)
    with Runner(command) as runner:
        wanted = reduce(TEXT, runner.oracle(expected), load_language("plain"), ("ddmin",))
    seen = 0

    def count(_text: str, _verdict: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 10:
            workers[0].kill()

    with Cluster(address, command, ["*.py"]) as remote:
        oracle = remote.oracle(expected, count)
        found = reduce(TEXT, oracle, load_language("plain"), ("ddmin",))
    assert found.text == wanted.text
    assert found.history == wanted.history
    assert found.outcomes == wanted.outcomes
    assert seen >= 10
    assert workers[0].wait(10) == -signal.SIGKILL


def test_a_real_bug_is_reduced_to_the_same_text(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    """One of two workers is killed on the way."""
    address, workers = cluster
    case = Path(__file__).parents[2] / "benchmarks" / "cases" / "json-jsonschema"
    shutil.copy(case / "check.py", tmp_path)
    text = (case / "input.json").read_text()
    argv = [sys.executable, "-I", "-W", "ignore", "check.py", "input.json"]
    here = from_argv(argv, Path("input.json"), tmp_path, interesting=True, timeout=60)
    away = replace(here, cluster=address, ship=("*.py",))
    options = JobOptions(fresh=True)

    def see(event: Event) -> None:
        if isinstance(event, Progress) and event.runs == 20:
            workers[0].kill()

    found = reduce_job(text, away, options, see)
    wanted = reduce_job(text, here, options)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert found.verified
    assert found.reduction == wanted.reduction
    assert found.reduction.minimality is not None
    assert found.reduction.outcomes[Outcome.REPRODUCED] > 0


def test_the_command_line_names_a_cluster(
    folder: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    (folder / "crash.txt").write_text(TEXT)
    command = [sys.executable, "check.py", "crash.txt"]
    boildown = [sys.executable, "-m", "boildown", "reduce", "crash.txt", "--json", "--fresh"]
    ran = subprocess.run(
        [*boildown, "--cluster", cluster[0], "--ship", "*.py", "--", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (folder / "crash.reduced.txt").read_text() == "alphabeta"
    assert report["minimality"] == "1-character-minimal"


def test_a_cluster_on_this_machine(folder: Path) -> None:
    (folder / "crash.txt").write_text(TEXT)
    command = [sys.executable, "check.py", "crash.txt"]
    boildown = [sys.executable, "-m", "boildown", "reduce", "crash.txt", "--cluster", "local"]
    ran = subprocess.run(
        [*boildown, "--ship", "*.py", "--", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert (folder / "crash.reduced.txt").read_text() == "alphabeta"
    assert "distributed" not in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_failure_is_the_same_wherever_its_file_was_shipped_to(folder: Path) -> None:
    (folder / "fails.py").write_text(
        "import sys\ntext = open(sys.argv[1]).read()\n"
        "assert 'alpha' not in text or 'beta' not in text\n"
    )
    command = from_argv([sys.executable, "fails.py", "crash.txt"], Path("crash.txt"), folder)
    with Runner(command) as runner:
        seen = signature(runner.run(TEXT), "crash.txt")
    assert "fails.py" in seen
    with Cluster("local", command, ["*.py"]) as remote:
        verdicts = list(remote.oracle(Expected(seen, 60))(["alpha beta", "beta alpha", "alpha"]))
    assert [verdict.reproduced for verdict in verdicts] == [True, True, False]


def test_order_stop_and_a_command_that_is_not_there(
    command: TestCommand, folder: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    address, _ = cluster
    expected = Expected("exit 1", 60)
    texts = ["alpha beta", "alpha", "beta", "betalpha", "", "x alpha beta"]
    with Cluster(address, command, ["*.py"]) as remote:
        outcomes = [verdict.outcome for verdict in remote.oracle(expected)(texts)]
        assert [outcome is Outcome.REPRODUCED for outcome in outcomes] == [
            *(True, False, False, True, False, True),
        ]
        verdicts = remote.oracle(expected)(texts)
        assert next(verdicts).reproduced
        close(verdicts)
    with Cluster(address, command, ["*.py"], lambda: True) as remote, pytest.raises(Stop):
        next(remote.oracle(expected)(texts))
    missing = from_argv(["./nowhere", "crash.txt"], Path("crash.txt"), folder)
    with Cluster(address, missing) as remote, pytest.raises(Stop, match="does not exist"):
        next(remote.oracle(expected)(texts))


def test_nobody_answers(command: TestCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boildown.runner.cluster._CONNECTING_TIMEOUT", 0.5)
    with pytest.raises(CannotRun, match="does not answer"):
        Cluster("tcp://127.0.0.1:9", command)
