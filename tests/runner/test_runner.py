"""Runs: what is seen of them, in which order they are judged, and how they end."""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from boildown.engine.oracle import Outcome, Stop, Verdict, close
from boildown.jobs.advice import for_terminal
from boildown.runner.command import TestCommand, from_argv, parse_rule
from boildown.runner.request import varied_size
from boildown.runner.run import CannotRun, Obstacle, Run
from boildown.runner.runner import Expected, Runner
from boildown.runner.task import Task
from runner.commands import left_in_temp, needs_linux, python, shell, survivors, wait_for_lines


def run_once(command: TestCommand, text: str = "text", timeout: float | None = 60) -> Run:
    with Runner(command) as runner:
        return runner.run(text, timeout)


def test_what_a_run_did_is_seen(tmp_path: Path) -> None:
    run = run_once(shell("cat $0; echo error >&2; exit 3", tmp_path), "böse\udcff")
    assert (run.status, run.signal, run.timed_out, run.end) == (3, None, False, "exit 3")
    assert run.stdout == "böse\\xff"
    assert run.stderr == "error\n"
    assert run.failed


def test_bytes_arrive_unchanged(tmp_path: Path) -> None:
    data = bytes(range(256))
    command = python("import sys; print(open(sys.argv[1], 'rb').read().hex())", tmp_path)
    assert run_once(command, data.decode("utf-8", "surrogateescape")).stdout.strip() == data.hex()
    assert run_once(command, "\ud800\r\n").stdout.strip() == "eda0800d0a"


def test_a_command_that_names_the_file_runs_in_the_callers_directory(tmp_path: Path) -> None:
    code = (
        "import os,sys; print(os.getcwd(), os.path.basename(sys.argv[1]), repr(sys.stdin.read()))"
    )
    run = run_once(python(code, tmp_path))
    assert run.stdout.split() == [str(tmp_path), "crash.json", "''"]


def test_a_command_that_names_no_file_runs_where_the_candidate_is(tmp_path: Path) -> None:
    code = "import os,sys; print(os.listdir(), open('crash' + '.json').read(), sys.stdin.read())"
    run = run_once(python(code, tmp_path, "none"))
    assert run.stdout == "['crash.json'] text text\n"
    (tmp_path / "check.sh").write_text("#!/bin/sh\ncat crash.json\n")
    (tmp_path / "check.sh").chmod(0o755)
    command = from_argv(["./check.sh"], Path("crash.json"), tmp_path)
    assert run_once(command).stdout == "text"


def test_placeholders(tmp_path: Path) -> None:
    code = "import sys; print(*sys.argv[1:])"
    command = python(code, tmp_path, "{file}", "{dir}", "{original}", "{test}", "{}", test="a::b")
    run = run_once(command)
    original = str(tmp_path / "crash.json")
    assert run.stdout.split() == [run.file, run.directory, original, "a::b", "{}"]
    assert run.file == os.path.join(run.directory, "crash.json")


def test_the_candidate_itself_may_be_the_program(tmp_path: Path) -> None:
    (tmp_path / "crash.sh").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "crash.sh").chmod(0o755)
    command = from_argv(["./crash.sh"], Path("crash.sh"), tmp_path)
    assert command.argv == ("{file}",)
    assert run_once(command, "#!/bin/sh\nexit 7\n").status == 7


def test_a_file_of_an_earlier_run_is_not_there(tmp_path: Path) -> None:
    with Runner(shell("cd ${0%/*}; ls; touch other", tmp_path)) as runner:
        assert [runner.run("x").stdout for _ in range(3)] == ["crash.json\n"] * 3


def test_a_hang_times_out(tmp_path: Path) -> None:
    run = run_once(shell("echo begun; sleep 1000", tmp_path), timeout=0.2)
    assert run.timed_out
    assert (run.status, run.signal, run.end, run.stdout) == (None, None, "timeout", "begun\n")


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(
            "trap '' TERM INT HUP; echo $$ >> log; while :; do sleep 1000; done",
            id="ignores SIGTERM",
        ),
        pytest.param(
            "setsid sh -c 'echo $$ >> log; sleep 1000' & sleep 1000",
            id="leaves its session",
            marks=needs_linux,
        ),
        pytest.param(
            "(setsid sh -c 'setsid sh -c \"echo \\$\\$ >> log; sleep 1000\" &' &); sleep 1000",
            id="forks a daemon",
            marks=needs_linux,
        ),
    ],
)
@pytest.mark.slow
def test_a_timeout_kills_all_descendants(tmp_path: Path, code: str) -> None:
    assert run_once(shell(code, tmp_path), timeout=3).timed_out
    assert survivors([int(line) for line in wait_for_lines(tmp_path / "log", 1)]) == []


@needs_linux
def test_a_daemon_does_not_survive_the_end_of_its_run(tmp_path: Path) -> None:
    code = "setsid sh -c 'echo $$ >> log; sleep 1000' & while ! [ -s log ]; do :; done; exit 4"
    run = run_once(shell(code, tmp_path))
    assert (run.status, run.timed_out) == (4, False)
    assert survivors([int(line) for line in wait_for_lines(tmp_path / "log", 1)]) == []


def test_a_command_that_forks_without_end_is_killed(tmp_path: Path) -> None:
    """Its generations are counted: no limit of processes binds root."""
    twice = "(f $(($1-1))) & (f $(($1-1))) &"
    code = f"f() {{ [ $1 = 0 ] || {{ {twice} sleep 0.05; }}; }}; f 10; sleep 1000"
    assert run_once(shell(code, tmp_path), timeout=0.1).timed_out


@needs_linux
def test_the_runs_of_a_guardian_that_is_stuck_are_killed(tmp_path: Path) -> None:
    """All of a run, though only its first process is the guardian's child."""
    child = "sh -c 'echo $$ >> log; sleep 1000' & echo $$ >> log"
    both = "until [ $(wc -l < log) = 2 ]; do :; done"
    code = f"[ ! -e log ] || exit 1; {child}; {both}; kill -STOP $PPID; sleep 1000"
    assert run_once(shell(code, tmp_path)).status == 1
    assert survivors([int(line) for line in wait_for_lines(tmp_path / "log", 2)]) == []


def test_a_command_that_closes_its_outputs_is_waited_for(tmp_path: Path) -> None:
    run = run_once(shell("exec >&- 2>&- <&-; sleep 0.1; exit 5", tmp_path))
    assert (run.status, run.stdout, run.stderr) == (5, "", "")


def test_a_gigabyte_of_output_is_drained_and_mostly_dropped(tmp_path: Path) -> None:
    code = """
import os
block = b"x" * (1 << 20)
os.write(1, b"first ")
for _ in range(1024):
    rest = memoryview(block)
    while rest:
        rest = rest[os.write(1, rest):]
os.write(1, b" last")
raise SystemExit(6)
"""
    run = run_once(python(code, tmp_path))
    assert run.status == 6
    assert len(run.stdout) < (1 << 20) + 100
    assert run.stdout.startswith("first xxx")
    assert run.stdout.endswith("xxx last")
    dropped = (1 << 30) + 11 - (1 << 20)
    assert f"[... {dropped} bytes left out ...]" in run.stdout


def test_a_command_that_deletes_its_directory(tmp_path: Path) -> None:
    with Runner(shell("rm -rf ${0%/*}/..; exit 2", tmp_path)) as runner:
        assert [runner.run("x").status for _ in range(2)] == [2, 2]


def test_directories_without_permissions_are_removed(tmp_path: Path, temp: Path) -> None:
    with Runner(
        shell("cd ${0%/*}; mkdir -p a/b/c; touch a/b/c/d; chmod 0 a/b", tmp_path)
    ) as runner:
        runner.run("x")
        (base,) = temp.iterdir()
        assert list(base.rglob("*")) == [base / "temp"]


def test_death_by_signal(tmp_path: Path) -> None:
    run = run_once(shell("kill -SEGV $$", tmp_path))
    assert (run.status, run.signal, run.end) == (None, 11, "SIGSEGV")
    assert run.failed


def test_a_missing_interpreter_and_a_file_that_is_no_program(tmp_path: Path) -> None:
    for text, kind in [
        ("#!/nowhere/at/all\n", Obstacle.NOT_FOUND),
        ("echo\n", Obstacle.NOT_EXECUTABLE),
    ]:
        (tmp_path / "tool").write_text(text)
        (tmp_path / "tool").chmod(0o755)
        with pytest.raises(CannotRun) as caught:
            run_once(from_argv(["./tool", "{file}"], Path("crash.json"), tmp_path))
        assert caught.value.kind is kind
        assert str(tmp_path / "tool") in for_terminal(caught.value.message)


def test_a_missing_working_directory(tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="cannot be entered") as caught:
        run_once(shell("exit 1", tmp_path / "gone"))
    assert caught.value.kind is Obstacle.NOT_STARTED


def test_a_disk_without_room_for_the_candidate(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Runner(shell("exit 1", tmp_path)) as runner:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
        try:
            verdicts = runner.oracle(Expected("exit 1"))(["x", "y" * 5000])
            assert next(verdicts).reproduced
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        with pytest.raises(Stop, match=r"could not be prepared: .*too large"):
            next(verdicts)


def test_a_directory_for_temporary_files_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
        with Runner(shell("exit 1", tmp_path)) as runner, pytest.raises(CannotRun, match="gone"):
            runner.run("x")


OUTCOMES = """
import sys, time
text = open(sys.argv[1]).read()
time.sleep(int(text) % 3 * 0.01)
if int(text) % 2: raise KeyError(text)
if int(text) % 3 == 0: raise ValueError(text)
if int(text) % 5 == 0: sys.exit(9)
"""


def verdicts_on(texts: Iterator[str], command: TestCommand, jobs: int) -> list[Verdict]:
    with Runner(command, jobs) as runner:
        expected = Expected("exit 1: KeyError in <string>: <module>", 30)
        return list(runner.oracle(expected)(texts))


@pytest.mark.parametrize("jobs", [1, 4])
def test_verdicts_come_in_the_order_of_the_texts(tmp_path: Path, jobs: int) -> None:
    command = python(OUTCOMES, tmp_path, invalid=parse_rule("exit=9"))
    verdicts = verdicts_on(map(str, range(24)), command, jobs)
    for number, verdict in enumerate(verdicts):
        if number % 2:
            wanted = Verdict(Outcome.REPRODUCED, "exit 1: KeyError in <string>: <module>")
        elif number % 3 == 0:
            wanted = Verdict(Outcome.PASSED, "exit 1: ValueError in <string>: <module>")
        elif number % 5 == 0:
            wanted = Verdict(Outcome.INVALID, "exit 9")
        else:
            wanted = Verdict(Outcome.PASSED)
        assert verdict == wanted, number
    assert len(verdicts) == 24


@pytest.mark.parametrize(("jobs", "ahead"), [(1, 1), (3, 6)])
def test_the_oracle_takes_few_texts_ahead(tmp_path: Path, jobs: int, ahead: int) -> None:
    taken: list[int] = []

    def texts() -> Iterator[str]:
        for number in range(100):
            taken.append(number)
            yield str(number)

    with Runner(shell("exit 1", tmp_path), jobs) as runner:
        verdicts = runner.oracle(Expected("exit 1"))(texts())
        assert taken == []
        for count in range(1, 5):
            assert next(verdicts).reproduced
            assert count <= len(taken) <= count + ahead
        close(verdicts)


def test_closing_the_iterator_kills_what_is_under_way(tmp_path: Path) -> None:
    code = "[ $(cat $0) = 0 ] && exit 1; echo $$ >> log; sleep 1000"
    with Runner(shell(code, tmp_path), jobs=4) as runner:
        oracle = runner.oracle(Expected("exit 1"))
        verdicts = oracle(map(str, range(4)))
        assert next(verdicts).reproduced
        pids = [int(line) for line in wait_for_lines(tmp_path / "log", 3)]
        close(verdicts)
        assert survivors(pids) == []
        assert [v.outcome for v in oracle(["0", "0"])] == [Outcome.REPRODUCED] * 2


def test_stop_kills_the_run_under_way(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with Runner(
        shell("echo $$ >> log; sleep 1000", tmp_path), stopped=lambda: log.exists()
    ) as runner:
        with pytest.raises(Stop):
            next(runner.oracle(Expected("exit 1"))(["x"]))
        assert survivors([int(line) for line in wait_for_lines(log, 1)]) == []
        with pytest.raises(Stop):
            runner.run("x")


def test_a_command_that_vanishes_ends_the_oracle_with_a_stop(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\nexit 1\n")
    tool.chmod(0o755)
    with Runner(from_argv(["./tool", "{file}"], Path("crash.json"), tmp_path)) as runner:
        verdicts = runner.oracle(Expected("exit 1"))(["x", "y"])
        assert next(verdicts).reproduced
        tool.unlink()
        with pytest.raises(Stop, match="does not exist"):
            next(verdicts)


def test_a_killed_guardian_is_replaced_and_the_run_repeated(tmp_path: Path) -> None:
    code = "echo $PPID >> log; [ $(wc -l < log) = 1 ] && kill -9 $PPID; exit 1"
    with Runner(shell(code, tmp_path)) as runner:
        assert runner.run("x").status == 1
    first, second = wait_for_lines(tmp_path / "log", 2)
    assert first != second
    # A guardian that was killed could not tidy up, so the next one does it.
    assert left_in_temp() == []


def test_a_guardian_that_is_killed_every_time(tmp_path: Path) -> None:
    with (
        Runner(shell("kill -9 $PPID", tmp_path)) as runner,
        pytest.raises(CannotRun, match="killed again and again"),
    ):
        runner.run("x")
    assert len(left_in_temp()) == 1
    with Runner(shell("exit 0", tmp_path)) as runner:
        runner.run("x")


HOLDER = """
import os, sys, threading
from itertools import pairwise
from pathlib import Path
from boildown.engine.oracle import judge
from boildown.runner.command import from_argv
from boildown.runner.runner import Expected, Runner
from boildown.runner.task import Task

import tempfile
tempfile.tempdir = sys.argv[2]
code = '''
(setsid sh -c 'setsid sh -c "echo \\\\$\\\\$ >> log; sleep 1000" &' &)
sh -c 'echo $$ >> log; sleep 1000' &
echo $$ >> log; echo $PPID >> log; sleep 1000
'''
command = from_argv(["sh", "-c", code, "{file}"], Path("crash.json"), Path(sys.argv[1]))
with Runner(command, jobs=2) as runner:
    list(runner.oracle(Expected("exit 1"))(["a", "b"]))
"""


@needs_linux
@pytest.mark.parametrize("number", [9, 15, 2], ids=["SIGKILL", "SIGTERM", "SIGINT"])
def test_nothing_outlives_boildown(tmp_path: Path, temp: Path, number: int) -> None:
    argv = [sys.executable, "-c", HOLDER, str(tmp_path), str(temp)]
    null = os.open(os.devnull, os.O_RDWR)
    # Tests that run in the background of a shell ignore SIGINT, and what they start would, too.
    pid = os.posix_spawn(
        sys.executable,
        argv,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, null, 2)],
        setsigdef=[signal.SIGINT],
    )
    os.close(null)
    pids = [int(line) for line in wait_for_lines(tmp_path / "log", 8)]
    os.kill(pid, number)
    os.waitpid(pid, 0)
    assert len(set(pids)) == 8
    assert survivors(pids) == []
    end = time.monotonic() + 10
    while left_in_temp() and time.monotonic() < end:
        time.sleep(0.01)


def test_varied_runs_have_environments_of_other_sizes(tmp_path: Path) -> None:
    """So what lies on the stack moves, and a failure by chance of its layout is told."""
    code = "import os; print(len(os.environ.get('BOILDOWN_VARIED', '')))"
    with Runner(python(code, tmp_path)) as runner:
        usual = [runner.run("text").stdout for _ in range(2)]
        runner.vary(True)
        varied = [runner.run("text").stdout for _ in range(4)]
        runner.vary(False)
        usual.append(runner.run("text").stdout)
    assert usual == ["0\n"] * 3
    assert len(set(varied)) == 4
    assert "0\n" not in varied


@pytest.mark.parametrize("unit", [16, 64, 4096])
def test_a_few_varied_runs_in_a_row_are_spread_over_alignments_and_pages(unit: int) -> None:
    """No third of the places within a unit is missed by eight of them, wherever they begin."""
    for first in range(1, 100):
        places = sorted(varied_size(first + n) % unit for n in range(8))
        gaps = [after - before for before, after in pairwise([*places, places[0] + unit])]
        assert max(gaps) <= unit / 3


@needs_linux
@pytest.mark.parametrize("wedged", [False, True])
def test_the_last_run_is_alone_though_a_run_before_was_cancelled(
    tmp_path: Path, wedged: bool
) -> None:
    """The other run notes its end where the last one would see it."""
    log = tmp_path / "log"
    command = shell(f"echo run >> {log}; grep -q slow $0 && sleep 600; cat {log}", tmp_path)
    with Runner(command, 2) as runner:
        worker = runner._new_worker()
        task = Task("slow", 60.0, runner._first)
        runner._begin(task, worker)
        wait_for_lines(log, 1)
        worker.cancel()
        if wedged:
            os.kill(worker.pid, signal.SIGSTOP)
        runner.go_on_alone(command, lambda: False)
        assert not worker.busy or wedged
        run = runner.run("fast", 60)
        assert (run.status, run.stdout) == (0, "run\nrun\n")
        assert runner.jobs == 1
    assert survivors([worker.pid]) == []
