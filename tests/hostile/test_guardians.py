"""Guardians that are killed, stopped, or left with much to remove."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from subprocess import Popen, run

import pytest

from boildown.runner.command import from_argv
from boildown.runner.guardian.cgroups import own_folder
from boildown.runner.guardian.files import remove_abandoned
from boildown.runner.guardian.linux import IS_LINUX, process_table
from boildown.runner.runner import Runner

pytestmark = pytest.mark.skipif(not IS_LINUX, reason="needs Linux's subreapers")

DAEMON = """
(setsid sh -c 'echo $$ > {pids}/$$; exec sleep 300' >/dev/null 2>&1 </dev/null &)
while [ -z "$(ls {pids})" ]; do sleep 0.05; done
[ -e {once} ] || {{ touch {once}; kill -9 $PPID; sleep 5; }}
exit 3
"""


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_daemon_does_not_survive_the_death_of_its_guardian(tmp_path: Path) -> None:
    case, pids = tmp_path / "case.txt", tmp_path / "pids"
    case.write_text("abc")
    pids.mkdir()
    script = DAEMON.format(pids=pids, once=tmp_path / "once")
    command = [sys.executable, "-m", "boildown", "reduce", str(case), "--jobs", "1"]
    done = run(
        [*command, "--max-runs", "3", "--", "sh", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    started = [int(path.name) for path in pids.iterdir()]
    left = [pid for pid in started if is_alive(pid)]
    for pid in left:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    assert started, done.stderr
    assert not left, done.stderr


def test_a_guardian_that_was_stopped_is_replaced(tmp_path: Path) -> None:
    case = tmp_path / "case.txt"
    case.write_text("abc")
    script = f"[ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; kill -STOP $PPID; }}; exit 3"
    with Runner(from_argv(["sh", "-c", script], case, tmp_path)) as runner:
        began = time.monotonic()
        assert runner.run("abc", 60.0).status == 3
        assert time.monotonic() - began < 30
        assert runner.runs == 2


def test_a_deep_tree_is_removed_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    case = tmp_path / "case.txt"
    case.write_text("abc")
    code = "import os\nfor n in range(1500): os.mkdir('d'); os.chdir('d')\nraise SystemExit(3)"
    with Runner(from_argv([sys.executable, "-c", code], case, tmp_path)) as runner:
        for _ in range(3):
            assert runner.run("abc").status == 3
    assert list((tmp_path / "temp").iterdir()) == []


def test_orphans_are_only_what_runs_left(tmp_path: Path) -> None:
    """A process that somebody else started beside a Runner stays, whatever its session."""
    case = tmp_path / "case.txt"
    case.write_text("abc")
    with Runner(from_argv(["sh", "-c", "exit 3"], case, tmp_path)) as runner:
        others = [Popen(["sleep", "60"], start_new_session=alone) for alone in (True, False)]
        runner.run("abc")
    try:
        assert [other.poll() for other in others] == [None, None]
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_the_directory_of_a_killed_guardian_goes_whatever_it_holds(tmp_path: Path) -> None:
    """A guardian that was killed while it removed a tree leaves directories of all names."""
    abandoned = tmp_path / "boildown-run-1-0123abcd"
    for name in ("gone-1", "gone-2", "gone-3", "temp", "overlay"):
        (abandoned / name / "below").mkdir(parents=True)
    remove_abandoned(os.fsencode(tmp_path))
    assert list(tmp_path.iterdir()) == []


def groups() -> list[Path]:
    """Return the groups of this process's own guardians: others may run beside the tests."""
    tree = {child: parent for parent, children in process_table().items() for child in children}
    made = Path(os.fsdecode(own_folder())).glob("boildown-*")
    return [path for path in made if tree.get(int(path.name.partition("-")[2])) == os.getpid()]


def may_make_groups() -> bool:
    try:
        folder = own_folder()
    except (OSError, ValueError):
        return False
    return os.access(folder, os.W_OK) and os.access(os.path.join(folder, b"cgroup.procs"), os.W_OK)


UNCOUNTED = """
import os, signal, sys, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
child = os.fork()
if child == 0:
    while time.process_time() < 0.3:
        pass
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    sys.exit(3)
"""


@pytest.mark.skipif(not may_make_groups(), reason="needs a control group that may be divided")
def test_a_group_counts_what_nobody_waited_for_and_goes(tmp_path: Path) -> None:
    (tmp_path / "case.txt").write_text("abc")
    (tmp_path / "program.py").write_text(UNCOUNTED)
    command = from_argv([sys.executable, "program.py", "case.txt"], Path("case.txt"), tmp_path)
    with Runner(command, 1) as runner:
        ended = runner.run("abc", 60)
        assert ended.status == 3
        # The system counts no time of a child whose end its parent ignores.
        assert ended.cpu >= 0.3
        (group,) = groups()
    assert not group.exists()


@pytest.mark.skipif(not may_make_groups(), reason="needs a control group that may be divided")
def test_the_group_of_a_killed_guardian_goes_with_the_next(tmp_path: Path) -> None:
    (tmp_path / "case.txt").write_text("abc")
    command = from_argv(["true", "case.txt"], Path("case.txt"), tmp_path)
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    abandoned = os.path.join(os.fsdecode(own_folder()), f"boildown-{pid}")
    os.mkdir(abandoned)
    with Runner(command, 1) as runner:
        runner.run("abc", 60)
    assert not os.path.exists(abandoned)
