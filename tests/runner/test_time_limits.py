"""The time that a run may take: what it uses and what it sleeps, whatever else the machine does."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
from boildown.runner.command import TestCommand
from boildown.runner.guardian import running
from boildown.runner.guardian.linux import _seconds
from boildown.runner.guardian.running import Limits
from boildown.runner.judging.judge import Expected
from boildown.runner.run import Run
from boildown.runner.runner import Runner
from boildown.runner.worker import Worker
from runner.commands import needs_linux, python, shell


def outcome(command: TestCommand, timeout: float) -> tuple[Outcome, Run]:
    with Runner(command) as runner:
        verdict, run = runner.verdict("x", Expected("exit 3", timeout=timeout))
        assert verdict.runs == 1
        return verdict.outcome, run


class Told:
    """What a guardian is told of a run and of the clock, at one look after the other."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, timeout: float) -> None:
        self.now = self.cpu = 0.0
        self.waits = False
        monkeypatch.setattr("time.monotonic", lambda: self.now)
        monkeypatch.setattr(running, "_INTERVAL", 0.05)
        monkeypatch.setattr(running, "processor_time", lambda _left=0.0: self.cpu)
        monkeypatch.setattr(running, "look_at", lambda _pid: (0, 0.0, self.waits))
        self.limits = Limits(timeout, None)

    def ends(self, share: float, waits: bool, until: float = 1e6) -> float | None:
        """Return when a run is ended that gets a share of the processor; None if it is not."""
        self.waits = waits
        while self.now < until:
            passed = max(self.limits.next - self.now, 0.0)
            self.now += passed
            self.cpu += share * passed
            if self.limits.exceeded(1) == "time":
                return self.now
        return None


@pytest.mark.parametrize(
    ("share", "waits", "end"),
    [
        # It has a processor of its own, sleeps, sleeps half of the time, or has two processors.
        *((1.0, True, 1.0), (0.0, False, 1.0), (0.5, False, 1.0), (2.0, True, 0.5)),
        # It gets a processor half of the time, a third, a tenth or never.
        *((0.5, True, 2.0), (1 / 3, True, 3.0), (0.1, True, 4.0), (0.0, True, 4.0)),
    ],
)
def test_the_time_that_a_run_is_given(
    monkeypatch: pytest.MonkeyPatch, share: float, waits: bool, end: float
) -> None:
    assert Told(monkeypatch, 1.0).ends(share, waits) == pytest.approx(end, abs=0.06)


def test_work_and_sleep_together_make_the_time_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, 1.0)
    # 0.3 s of processor time, for which it waited as long again; then it sleeps.
    assert told.ends(0.5, waits=True, until=0.6) is None
    assert told.ends(0.0, waits=False) == pytest.approx(1.3, abs=0.06)
    assert told.limits.waited == pytest.approx(0.3, abs=0.03)


def test_a_machine_that_sleeps_takes_no_time_from_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, 1.0)
    assert told.ends(0.0, waits=False, until=0.5) is None
    told.now += 3600
    assert told.ends(0.0, waits=False, until=3600.8) is None
    assert told.ends(0.0, waits=False) == pytest.approx(3601, abs=0.1)
    assert told.now - told.limits.began == pytest.approx(1, abs=0.06)


BURN = "import sys, time\nwhile time.process_time() < {}:\n    pass\nsys.exit(3)"
THREADS = """
import os, threading
def burn():
    while True:
        pass
threading.Thread(target=burn).start()
threading.Event().wait()
"""


@pytest.mark.parametrize(
    "code",
    [BURN.format(1000), "import time; time.sleep(1000)", THREADS],
    ids=["work", "sleep", "work beside a thread that sleeps"],
)
def test_a_run_without_end_times_out(tmp_path: Path, code: str) -> None:
    assert outcome(python(code, tmp_path), 0.5)[0] is Outcome.TIMEOUT


def test_a_run_that_ends_in_time_does_not_time_out(tmp_path: Path) -> None:
    found, run = outcome(python(BURN.format(0.3), tmp_path), 30.0)
    assert found is Outcome.REPRODUCED
    assert run.took >= run.cpu >= 0.3


CHILDREN = "import subprocess, sys\nwhile True:\n    subprocess.run(['true'])"


def test_the_time_of_children_that_have_ended_counts(tmp_path: Path) -> None:
    assert outcome(python(CHILDREN, tmp_path), 0.5)[0] is Outcome.TIMEOUT


@needs_linux
@pytest.mark.parametrize("stopped", ["kill -STOP $$", "sh -c 'kill -STOP $$'"])
def test_a_run_that_is_stopped_has_four_times_as_long(tmp_path: Path, stopped: str) -> None:
    found, run = outcome(shell(f"{stopped}; exit 3", tmp_path), 0.2)
    assert found is Outcome.TIMEOUT
    assert run.seconds >= 0.8


@needs_linux
def test_a_run_that_goes_on_after_it_was_stopped_reproduces(tmp_path: Path) -> None:
    code = "(sleep 1.2; kill -CONT $$) & kill -STOP $$; exit 3"
    assert outcome(shell(code, tmp_path), 0.8)[0] is Outcome.REPRODUCED


def test_a_time_as_ps_writes_it() -> None:
    times = {b"0:00.03": 0.03, b"00:01:02": 62.0, b"4:05.67": 245.67, b"2-03:04:05": 183845.0}
    assert {told: _seconds(told) for told in times} == pytest.approx(times)


@pytest.mark.parametrize(
    ("passed", "used", "wants", "late"),
    [
        *((59, 0, False, False), (61, 61, True, True), (61, 0, False, True)),
        # The machine is busy.
        *((61, 20, True, False), (239, 20, True, False), (241, 20, True, True)),
    ],
)
def test_what_is_loaded_ahead_has_the_time_of_a_run(
    monkeypatch: pytest.MonkeyPatch, passed: float, used: float, wants: bool, late: bool
) -> None:
    worker = Worker()
    try:
        monkeypatch.setattr("boildown.runner.worker.processor_use", lambda _pid: (used, wants))
        assert worker.is_late(time.monotonic() - passed, 60) is late
    finally:
        worker.close()


PROGRAM = """
import sys, time
text = open(sys.argv[1]).read()
open({log!r}, "a").write(text + ",")
if "x" in text:
    while time.process_time() < 0.1:
        pass
    sys.exit(3)
"""


def reduced_in(folder: Path) -> tuple[object, ...]:
    """Reduce a text; return what was tried, with which verdicts, and what came of it."""
    folder.mkdir()
    log = folder / "log"
    command = python(PROGRAM.format(log=str(log)), folder, timeout=0.25, repeat=1)
    done = reduce("xy", command, JobOptions("plain", passes=("ddmin",)))
    reduction = done.reduction
    return log.read_text(), reduction.outcomes, reduction.text, reduction.certificate


@needs_linux
def test_a_busy_machine_changes_nothing(tmp_path: Path) -> None:
    calm = reduced_in(tmp_path / "calm")
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everywhere)})
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        busy = reduced_in(tmp_path / "busy")
    finally:
        os.sched_setaffinity(0, everywhere)
        for loop in loops:
            loop.kill()
            loop.wait()
    assert busy == calm
    assert busy[2] == "x"
