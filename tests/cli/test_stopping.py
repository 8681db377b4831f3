"""SIGTERM and SIGHUP end a job as Ctrl-C does: with the best so far, its JSON and a status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.e2e

SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
PATIENCE = 60.0
"""Seconds that a machine may take for anything."""
PROGRAM = """
import os, sys, time
text = "".join(open(path).read() for path in sys.argv[1:] if os.path.exists(path))
fails = "needle" in text
with open(os.path.join(HERE, "runs.log"), "a") as log:
    print(len(text) if fails else 0, file=log)
time.sleep(0.05)
if fails:
    raise ValueError("needle found")
"""
WORDS = [f"w{number}" for number in range(150)]
TEXT = json.dumps([*WORDS[:70], "needle", *WORDS[70:]])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a slow program and inputs that it fails on; the working directory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ".cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    (tmp_path / "slow.py").write_text(f"HERE = {str(tmp_path)!r}\n{PROGRAM}")
    (tmp_path / "crash.json").write_text(TEXT)
    (tmp_path / "crashes").mkdir()
    for number in range(2):
        (tmp_path / "crashes" / f"{number}.json").write_text(TEXT[:-1] + f", {number}]")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.json").write_text(TEXT)
    (tmp_path / "project" / "b.json").write_text("1\n" * 50)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def started(*arguments: str, **how: Any) -> subprocess.Popen[str]:
    """Start Boildown, with the signals as a terminal's shell leaves them."""
    return subprocess.Popen(
        [sys.executable, "-m", "boildown", *arguments],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how},
    )


def on(file: str) -> tuple[str, ...]:
    return ("--jobs", "1", "--", sys.executable, "-S", str(Path("slow.py").absolute()), file)


def sizes() -> list[int]:
    """Return the sizes of the texts that failed so far, in order; 0 for those that did not."""
    log = Path("runs.log")
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def wait_until(is_so: Callable[[], bool], process: subprocess.Popen[Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


def has_success() -> bool:
    """Say whether a smaller text has failed, and its verdict was taken: another run has begun."""
    return any(0 < size < len(TEXT) for size in sizes()[:-1])


@pytest.mark.parametrize("number", SIGNALS)
def test_reduce_writes_its_best(folder: Path, number: int) -> None:
    process = started("reduce", "crash.json", "--json", *on("crash.json"))
    wait_until(has_success, process)
    process.send_signal(number)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number
    report = json.loads(out)
    assert (report["finished"], report["stopped"]) == (False, "user")
    best = Path(report["output"]).read_text()
    # All but a success whose verdict was still on its way.
    assert len(best) in sorted({size for size in sizes() if size})[:2]
    assert report["bytes_written"] == len(best)
    assert "Traceback" not in said


def test_reduce_of_a_folder_writes_its_best(folder: Path) -> None:
    process = started(
        *("reduce", ".", "--json", "--output", "../small"),
        *(*on("a.json"), "b.json"),
        cwd=folder / "project",
    )
    wait_until(has_success, process)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, said
    assert json.loads(out)["finished"] is False
    assert "needle" in (folder / "small" / "a.json").read_text()


def test_each_writes_the_best_of_the_bug_at_work(folder: Path) -> None:
    process = started("reduce", "crashes", "--each", "--json", *on("crashes/0.json"))
    wait_until(has_success, process)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, said
    bug, summary = map(json.loads, out.splitlines())
    assert (bug["schema"], summary["schema"]) == ("boildown/bug@1", "boildown/bugs@1")
    assert bug["reduction"]["finished"] is False
    assert "needle" in Path(bug["output"]).read_text()
    assert (summary["bugs"], summary["reduced"], summary["finished"]) == (1, 1, 0)


def test_generalize_gives_what_is_known(folder: Path) -> None:
    target = folder / "pattern.json"
    process = started(
        "generalize", "crash.json", "--json", "--output", "pattern.json", *on("crash.json")
    )
    wait_until(has_success, process)
    process.send_signal(signal.SIGHUP)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 129, said
    pattern = json.loads(out)
    assert pattern["finished"] is False
    assert len(pattern["text"]) < len(TEXT)
    assert "needle" in pattern["text"]
    assert json.loads(target.read_text()) == pattern


@pytest.mark.parametrize("command", ["explore", "check"])
def test_the_others_say_what_is_known_as_json(folder: Path, command: str) -> None:
    jobs = on("crash.json")[:2] if command == "explore" else ()
    process = started(command, "crash.json", "--json", *jobs, *on("crash.json")[2:])
    wait_until(lambda: len(sizes()) > 0, process)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, said
    found = json.loads(out)
    if command == "check":
        assert found["problem"] == "stopped"
    else:
        assert (found["finished"], found["found"]) == (False, [])


def test_verify_gives_what_is_known(folder: Path) -> None:
    process = started("pattern", "verify", "//*", "crash.json", "--json", *on("crash.json"))
    wait_until(lambda: len(sizes()) > 3, process)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, said
    assert json.loads(out)["finished"] is False


DEAF = """
import sys
from boildown.engine.problem import Problem
consider = Problem.consider_first
def deaf(self, *arguments):
    before = self.text
    found = consider(self, *arguments)
    if self.text != before:
        print("deaf", file=sys.stderr, flush=True)
        while True:
            pass
    return found
Problem.consider_first = deaf
from boildown.__main__ import main
sys.exit(main())
"""
"""Boildown with a computation that never asks whether it is to stop, after the first success."""


@pytest.mark.parametrize("command", ["reduce", "generalize"])
def test_a_long_computation_is_left(folder: Path, command: str) -> None:
    arguments = (command, "crash.json", "--json", "--output", "best.json", *on("crash.json"))
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    while process.stderr.readline() != "deaf\n":
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, said
    report = json.loads(out)
    assert report["finished"] is False
    assert "needle" in Path("best.json").read_text()


def test_a_second_signal_ends_at_once(folder: Path) -> None:
    """One is enough, but not where the process has no time to take it."""
    process = started(
        "reduce",
        "crash.json",
        "--output",
        "/dev/stdout",
        *on("crash.json"),
        stderr=subprocess.DEVNULL,
    )
    wait_until(has_success, process)
    # So that both signals are there before either is handled.
    process.send_signal(signal.SIGSTOP)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCONT):
        process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (129, 143)


def test_nohup_outlives_its_terminal(folder: Path) -> None:
    process = started(
        "reduce", "crash.json", "--json", "--max-runs", "15", *on("crash.json"),
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    wait_until(has_success, process)
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert json.loads(out)["stopped"] == "runs"


def test_a_terminal_that_is_closed(folder: Path) -> None:
    """The kernel sends SIGHUP, and whatever is written to the terminal then fails."""
    controller, terminal = pty.openpty()
    process = started(
        "reduce", "crash.json", "--output", "best.json", *on("crash.json"),
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        preexec_fn=lambda: os.close(os.open(os.ttyname(terminal), os.O_RDWR)),
    )  # fmt: skip
    os.close(terminal)
    wait_until(has_success, process)
    os.close(controller)
    assert process.wait(PATIENCE) == 129
    assert "needle" in Path("best.json").read_text()


def test_before_anything_is_known_it_says_so(folder: Path) -> None:
    process = started("reduce", "-", *on("{file}"), stdin=subprocess.PIPE)
    # It waits for the input, with the signals as they were, or does not yet.
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) in (143, -signal.SIGTERM)
    process.communicate(timeout=PATIENCE)


def test_after_a_kill_the_best_is_listed_and_gone_on_with(folder: Path) -> None:
    arguments = ("reduce", "crash.json", "--output", "best.json", *on("crash.json"))
    process = started(*arguments)
    wait_until(has_success, process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert not Path("best.json").exists()
    (job,) = json.loads(started("jobs", "--json").communicate(timeout=PATIENCE)[0])["jobs"]
    assert (job["kind"], job["input"]) == ("reduce", str(folder / "crash.json"))
    assert job["bytes_before"] == len(TEXT)
    best = Path(job["best"]).read_text()
    assert len(best) == job["bytes_best"]
    # All but a success whose verdict was still on its way.
    assert len(best) in sorted({size for size in sizes() if size})[:2]
    listed = started("jobs").communicate(timeout=PATIENCE)[0]
    assert f"reduce {folder / 'crash.json'}, " in listed
    assert f": {len(TEXT):,} → {len(best):,} bytes, " in listed
    assert f"\n  best  {job['best']}\n" in listed
    process = started(*arguments)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0
    assert f"Its best text so far, of {len(best):,} bytes, is in {job['best']}." in said
    assert Path("best.json").read_text() == "needle"
    assert started("jobs").communicate(timeout=PATIENCE)[0] == "No job is unfinished.\n"
    assert not Path(job["best"]).exists()
