"""Reductions that are ended at random moments, by signals of three kinds: nothing is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from subprocess import DEVNULL, Popen, run

import pytest

from boildown.runner.guardian.linux import IS_LINUX

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not IS_LINUX, reason="needs Linux's subreapers"),
]

KILLS = max(3, int(os.environ.get("BOILDOWN_HOSTILE", "0")) // 20)
"""How many reductions are ended."""
LONGEST = 4.0
"""Seconds after which one is ended at the latest."""
PATIENCE = 60.0
"""Seconds that all may take to be gone; a machine may be busy."""
MARK = "BOILDOWN_TEST_MARK"


def alive(mark: str) -> list[int]:
    """Return the processes, other than zombies, that were started with a mark."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            marked = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if marked and state != b"Z":
            found.append(int(folder.name))
    return found


def test_nothing_is_left(tmp_path: Path) -> None:
    rng = Random(20261122)
    temp, project = tmp_path / "temp", tmp_path / "project"
    temp.mkdir()
    project.mkdir()
    text = "".join(rng.choices("ab \n", k=400))
    (project / "case.txt").write_text(text)
    daemons = "(setsid sleep 300 &) ; setsid sleep 300 & touch $TMPDIR/left; grep -q a case.txt"
    reduce = [sys.executable, "-m", "boildown", "reduce", "case.txt", "--jobs", "2"]
    for number in range(KILLS):
        environment = {**os.environ, "TMPDIR": str(temp), MARK: str(number)}
        command = [*reduce, "--", "sh", "-c", f"{daemons} && exit 3"]
        process = Popen(command, cwd=project, env=environment, stdout=DEVNULL, stderr=DEVNULL)
        time.sleep(rng.uniform(0, LONGEST))
        process.send_signal(rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        process.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while (left := alive(str(number))) and time.monotonic() < end:
            time.sleep(0.1)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert not left, f"after kill {number}"
        assert (project / "case.txt").read_text() == text
    # What a guardian could not remove, the next one does.
    run(
        [*reduce, "--max-runs", "1", "--", "sh", "-c", "exit 0"],
        cwd=project,
        env={**os.environ, "TMPDIR": str(temp)},
        capture_output=True,
        check=False,
    )
    assert list(temp.iterdir()) == []
