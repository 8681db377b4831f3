"""Outcomes on disk: what they answer, and what happens to them."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import stat
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import Field, fields, replace
from functools import partial
from pathlib import Path
from random import Random
from subprocess import Popen
from subprocess import run as run_process

import pytest

from boildown.engine.flaky import CHECKED_SHARE, FREE_CHECKS
from boildown.engine.oracle import Outcome, Verdict, judge
from boildown.engine.user_edit import UserEdit
from boildown.runner.command import (
    OPTIONS,
    Compare,
    Isolation,
    Level,
    TestCommand,
    from_argv,
    parse_rule,
)
from boildown.runner.judging.judge import Expected
from boildown.runner.resuming import cache
from boildown.runner.resuming.cache import JobDescription, SavedJob, Store, Unfinished
from boildown.runner.resuming.resume import job_key, resume
from boildown.runner.rules import Rule
from boildown.runner.run import Measured, decode
from boildown.runner.runner import Runner
from runner import resumed
from runner.commands import left_in_temp, python, shell

HIT = Verdict(Outcome.REPRODUCED, "exit 1")
MISS = Verdict(Outcome.PASSED)
TIMES = Measured(cpu=0.5, took=0.75, timeout=2.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "jobs.sqlite3"


def asked_oracle(asked: list[str]):  # type: ignore[no-untyped-def]
    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            asked.append(text)
            yield HIT if "h" in text else MISS

    return verdicts


def test_what_is_known_is_not_asked_again(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        job.begin("exit 1", measured=TIMES)
        for text, verdict in [("ha", HIT), ("b", MISS), ("c", Verdict(Outcome.INVALID, "exit 2"))]:
            job.record(text, verdict)
        job.record("late", Verdict(Outcome.TIMEOUT, "timeout"))
        job.step(1, "ha")
        job.step(2, "h")
        assert store.problem is None
    with Store(path) as store:
        job = store.job(b"key")
        assert (job.known, job.signature, job.measured, job.best) == (3, "exit 1", TIMES, "h")
        assert job.steps() == ["ha", "h"]
        asked: list[str] = []
        answered: list[int] = []
        oracle = job.remembered(asked_oracle(asked), lambda: answered.append(1))
        texts = ["a", "ha", "b", "late", "c", "d", "c"]
        outcomes = [verdict.outcome.value[0] for verdict in oracle(texts)]
        # Whoever asks for a text again wants another run.
        assert outcomes == ["P", "R", "P", "P", "I", "P", "P"]
        assert asked == ["a", "late", "d", "c"]
        assert len(answered) == 3
        assert store.job(b"other").known == 0


def test_nothing_is_run_ahead_of_a_known_answer(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        job.record("ha", HIT)
    with Store(path) as store:
        asked: list[str] = []
        verdicts = store.job(b"key").remembered(asked_oracle(asked))(["ha", "b"])
        assert next(verdicts) == HIT
        assert asked == []


def test_a_dropped_job_is_forgotten(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        job.record("ha", HIT)
        job.step(1, "ha")
        store.job(b"other").record("x", MISS)
    with Store(path) as store:
        job = store.job(b"key")
        job.drop()
        assert (job.known, job.best) == (0, None)
        job.begin("exit 1", measured=TIMES)
        job.record("new", MISS)
    with Store(path) as store:
        assert store.job(b"key").known == 1
        assert store.job(b"other").known == 1
        assert store.job(b"key").best is None


def test_what_the_user_handed_in_is_known_with_its_runs(path: Path) -> None:
    edits = [(3, UserEdit("x\udc80")), (3, UserEdit("y", kept=True)), (70, UserEdit(""))]
    with Store(path) as store:
        first, other = store.job(b"job"), store.job(b"other")
        for run, edit in edits:
            first.edit(run, edit)
        other.edit(1, UserEdit("z"))
    with Store(path) as store:
        assert store.job(b"job").edits == edits
        store.job(b"job").drop()
    with Store(path) as store:
        assert store.job(b"job").edits == []
        assert store.job(b"other").edits == [(1, UserEdit("z"))]


@pytest.mark.parametrize("values", [("'a'", "x''", "0"), ("1", "x''", "0"), ("1", "'a'", "'b'")])
def test_a_damaged_edit_has_the_record_set_aside(path: Path, values: tuple[str, ...]) -> None:
    with Store(path) as store:
        job = store.job(b"job")
        store.execute((f"INSERT INTO edit VALUES ({job.id}, 1, {', '.join(values)})", ()))
    with Store(path) as store:
        assert store.job(b"job").edits == []
        assert store.problem is not None
        assert "could not be read" in store.problem


def test_the_oldest_jobs_go_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        for key in (b"1", b"2", b"3"):
            job = store.job(key)
            for number in range(10):
                job.record(str(number), MISS)
    monkeypatch.setattr(cache, "MOST_OUTCOMES", 25)
    with Store(path) as store:
        assert [store.job(key).known for key in (b"1", b"2", b"3")] == [0, 10, 10]


@pytest.mark.parametrize("damage", ["text", "format", "tables", "torn"])
def test_a_damaged_database_is_set_aside(path: Path, damage: str) -> None:
    with Store(path) as store:
        store.job(b"key").record("x", MISS)
    if damage == "text":
        path.write_bytes(b"no database at all" * 100)
    elif damage == "torn":
        path.write_bytes(path.read_bytes()[:5000])
    else:
        statement = "PRAGMA user_version = 99" if damage == "format" else "DROP TABLE outcome"
        connection = sqlite3.connect(path)
        connection.execute(statement)
        connection.close()
    with Store(path) as store:
        assert store.problem is not None
        assert "broken-" in store.problem
        job = store.job(b"key")
        assert job.known == 0
        job.record("y", MISS)
    assert len(list(path.parent.glob("jobs.sqlite3.broken-*"))) == 1
    with Store(path) as store:
        assert store.problem is None
        assert store.job(b"key").known == 1


def test_a_directory_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Store(tmp_path / "file" / "jobs.sqlite3") as store:
        assert_remembers_nothing(store)


@pytest.mark.parametrize("path", ["/proc/jobs.sqlite3", "/proc/boildown/jobs.sqlite3"])
def test_a_read_only_directory(path: str) -> None:
    with Store(Path(path)) as store:
        assert_remembers_nothing(store)


def test_a_database_that_cannot_be_opened(path: Path) -> None:
    path.mkdir(parents=True)
    with Store(path) as store:
        assert_remembers_nothing(store)


def test_a_full_disk(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        assert store._connection is not None
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        for number in range(2000):
            job.record(str(number), MISS)
            if store.problem is not None:
                break
        assert store.problem is not None
        assert "full" in store.problem
        job.step(1, "x")
        assert list(job.remembered(asked_oracle([]))(["ha"])) == [HIT]


def assert_remembers_nothing(store: Store) -> None:
    assert store.problem is not None
    assert store.problem.startswith("This job cannot be resumed")
    job = store.job(b"key")
    job.begin("exit 1", measured=TIMES)
    job.record("x", MISS)
    job.step(1, "x")
    job.drop()
    assert (job.known, job.best, job.steps()) == (0, None, [])
    assert list(job.remembered(asked_oracle([]))(["ha", "b"])) == [HIT, MISS]


def test_the_key_tells_jobs_apart(tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("1")
    (tmp_path / "lib.py").write_text("1")
    argv = [sys.executable, "tool.py", "{file}"]

    def key(text: str = "x", language: str = "json", **options: object) -> bytes:
        return job_key(from_argv(argv, Path("a"), tmp_path, **options), text, language)

    first = key()
    assert key() == first
    assert len({first, key("y"), key(language="html"), key(interesting=True)}) == 4
    assert key(level=Level.EXIT) != first
    assert key(environment={"A": "1"}) != first
    assert key(content=lambda text: f"({text})") != first
    declared = key(depends=("*.py",))
    os.utime(tmp_path / "lib.py", (1, 1))
    assert key() == first
    assert key(depends=("*.py",)) != declared
    os.utime(tmp_path / "tool.py", (1, 1))
    assert key() != first


OTHER_VALUES: dict[str, object] = {
    "argv": ("tool", "-v", "{file}"),
    "cwd": Path("/elsewhere"),
    "original": Path("/project/data/a"),
    "reproduces": parse_rule("exit=1"),
    "invalid": parse_rule("exit=2"),
    "level": Level.EXIT,
    "isolate": Isolation("strict"),
    "good_cwd": Path("/elsewhere"),
    "good_workspace": Path("/elsewhere"),
    "good_environment": {"A": "1"},
    "compare": Compare.OUTPUT,
    "environment": {"A": "1"},
    "workspace": Path("/project"),
    "content": "({})".format,
}
"""Another value than the usual one, for fields of kinds of their own."""

OTHERS_BY_TYPE: dict[str, object] = {
    "str": "other",
    "str | None": "other",
    "bool": True,
    "bool | None": True,
    "int": 10,
    "int | None": 10,
    "float": 0.99,
    "float | None": 1.5,
    "tuple[str, ...]": ("other",),
}
"""Another value than the usual one, by the type of a field."""


@pytest.mark.parametrize("field", fields(TestCommand), ids=lambda field: field.name)
def test_each_field_of_a_command_is_in_the_key_or_decides_no_outcome(field: Field[object]) -> None:
    command = TestCommand(("tool", "{file}"), Path("/project"), "a")
    usual = getattr(command, field.name)
    other = OTHER_VALUES.get(field.name, OTHERS_BY_TYPE.get(str(field.type)))
    other = not usual if isinstance(usual, bool) else other
    assert other not in (None, usual), f"give {field.name} another value"
    changed = replace(command, **{field.name: other})  # type: ignore[arg-type]
    assert job_key(command, "x") == job_key(replace(command), "x")
    assert (job_key(command, "x") == job_key(changed, "x")) is (
        field.name == "notes" or (field.name in OPTIONS and not OPTIONS[field.name].decides)
    )


def test_long_rules_and_shipped_files_are_in_the_key(tmp_path: Path) -> None:
    command = from_argv(["sh", "check.sh"], Path("crash.json"), tmp_path)
    first, second = (
        replace(command, reproduces=Rule(stderr=re.compile("x" * 300 + end))) for end in "ab"
    )
    assert job_key(first, "x") != job_key(second, "x")
    (tmp_path / "table.csv").write_text("1")
    shipping = replace(command, cluster="local", ship=("*.csv",))
    before = job_key(shipping, "x")
    (tmp_path / "table.csv").write_text("12")
    assert job_key(shipping, "x") != before


def test_the_key_of_pytest_covers_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "lib.py").write_text("1")
    (tmp_path / "data.txt").write_text("1")
    argv = [sys.executable, "-m", "pytest", "test_a.py"]

    def key() -> bytes:
        return job_key(from_argv(argv, Path("crash.json"), tmp_path), "x")

    first = key()
    (tmp_path / "data.txt").write_text("22")
    assert key() == first
    (tmp_path / "lib.py").write_text("22")
    assert key() != first


ABOUT = JobDescription("reduce", "/a/crash.json", "tool '{file}'", 100)


def kept(job: SavedJob) -> str | None:
    """Return what the file with the best text of a job holds."""
    path = job.file.path
    return decode(path.read_bytes()) if path.exists() else None


def saved(path: Path, best: str) -> SavedJob:
    with Store(path) as store:
        job = store.job(b"key")
        job.begin("exit 1", measured=TIMES)
        job.record("xx", HIT)
        job.step(1, best)
    return Store(path).job(b"key")


def test_resuming_checks_the_best_text(path: Path, tmp_path: Path) -> None:
    command = shell("grep -q x $0 && exit 1; exit 0", tmp_path)
    with Runner(command) as runner:
        expected = Expected("exit 1")
        job = saved(path, "ax")
        assert resume(job, runner, expected, ABOUT, replace(TIMES, timeout=7.0)) == (
            "This job was cut short before and goes on from there: 1 outcome is known. Its best"
            f" text so far, of 2 bytes, is in {path.parent / 'best' / b'key'.hex()}."
        )
        assert kept(job) == "ax"
        # What was measured first holds, whatever the machine does today.
        assert job.measured == TIMES
        job = saved(path, "aa")
        assert resume(job, runner, expected, ABOUT, TIMES) == (
            "This job was cut short before, but the smallest text that failed then, of 2 bytes, did"
            " not in 3 tries now, while the input does: the failure is flaky, or what the command"
            " runs has changed. What was known is dropped, and it starts over."
        )
        assert (job.known, kept(job)) == (0, None)
        assert saved(path, "ax").known == 1
        assert resume(saved(path, "ax"), runner, Expected("exit 3"), ABOUT, TIMES) == (
            "This job was cut short before, but the input failed with 'exit 1' then, and fails with"
            " 'exit 3' now. What was known is dropped, and it starts over."
        )
        with Store(path) as store:
            assert resume(store.job(b"fresh"), runner, expected, ABOUT, TIMES) is None


def test_a_best_text_that_fails_now_and_then_is_gone_on_with(path: Path, tmp_path: Path) -> None:
    command = shell("echo >> runs; test $(wc -l < runs) = 2 && exit 1; exit 0", tmp_path)
    with Runner(replace(command, cwd=tmp_path)) as runner:
        job = saved(path, "ax")
        note = resume(job, runner, Expected("exit 1"), ABOUT, TIMES)
    assert note is not None
    assert note.endswith(" That failed in one of 2 tries now: the failure may be flaky.")
    assert job.known == 1


def test_each_run_on_a_text_is_an_outcome_of_its_own(path: Path) -> None:
    """A flaky failure is judged by many runs on the same texts."""
    with Store(path) as store:
        job = store.job(b"key")
        for verdict in (HIT, MISS, MISS):
            job.record("text", verdict)
    for known, verdict in ((3, HIT), (4, HIT)):
        with Store(path) as store:
            job = store.job(b"key")
            assert job.known == known
            answers = list(job.remembered(asked_oracle([]))(["text"] * 3))
            assert answers == [HIT, MISS, MISS]
            # Made after those that are known.
            job.record("text", verdict)


def test_the_best_text_lies_in_a_file_until_the_job_is_done(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        job.begin("exit 1", ABOUT)
        assert store.unfinished() == [
            Unfinished(ABOUT, store.unfinished()[0].touched, 0, None, ABOUT.size)
        ]
        for text in ("three", "two\udc80", "one"):
            job.keep(text)
            assert kept(job) == text
        assert [stat.S_IMODE(each.stat().st_mode) for each in path.parent.rglob("best*")] == [0o700]
        assert stat.S_IMODE(job.file.path.stat().st_mode) == 0o600
        job.step(1, "two")
        (found,) = store.unfinished()
        assert (found.about, found.best, found.size) == (ABOUT, job.file.path, 3)
    with Store(path) as store:
        job = store.job(b"key")
        # The same steps again, on the way to where the earlier attempt was.
        for text, left in (("three", "one"), ("two", "two"), ("longer", "longer")):
            job.keep(text)
            assert kept(job) == left
        store.forget(b"key")
        assert store.unfinished() == []
        assert list((path.parent / "best").iterdir()) == []


def test_the_best_text_is_kept_without_a_record(path: Path) -> None:
    path.mkdir(parents=True)
    with Store(path) as store:
        assert store.problem is not None
        job = store.job(b"key")
        job.begin("exit 1", ABOUT)
        job.keep("best")
        assert kept(job) == "best"
        (found,) = store.unfinished()
        assert (found.about, found.best, found.size) == (None, job.file.path, 4)
        store.forget(b"key")
        assert store.unfinished() == []


def test_a_best_text_that_cannot_be_kept_ends_no_job(path: Path) -> None:
    with Store(path) as store:
        job = store.job(b"key")
        (path.parent / "best").write_text("in the way")
        job.keep("best")
        assert store.problem is not None
        assert "can't be kept" in store.problem
        job.drop()


def test_the_runner_records_what_it_ran(path: Path, tmp_path: Path) -> None:
    with Store(path) as store, Runner(python("raise SystemExit(1)", tmp_path)) as runner:
        job = store.job(b"key")
        assert judge(runner.oracle(Expected("exit 1"), job.record), "x") == HIT
    with Store(path) as store:
        assert store.job(b"key").known == 1


CHECK = """
import os, sys
text = open(sys.argv[1]).read()
status = 1 if all(f"<{n}>" in text for n in range(8)) and WIDE else 0
log = os.open("log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(log, (f"{status} " + text.encode().hex()).encode() + b"\\n")
os._exit(status)
"""


def prepare(directory: Path, condition: str = "True") -> None:
    directory.mkdir()
    (directory / "check.py").write_text(CHECK.replace("WIDE", condition))
    words = [f"w{n}" for n in range(200)]
    for number in range(8):
        words[10 + 23 * number] = f"<{number}>"
    (directory / "input").write_text("\n".join(words) + "\n")


def command_line(directory: Path, jobs: int) -> list[str]:
    return [sys.executable, resumed.__file__, str(directory), str(jobs)]


def log_of(directory: Path) -> list[str]:
    log = directory / "log"
    return log.read_text().splitlines() if log.exists() else []


def has_lines(count: int, log: list[str]) -> bool:
    return len(log) >= count


def killed_after(
    process: Popen[bytes], directory: Path, enough: Callable[[list[str]], bool], pause: float = 0
) -> bool:
    """Kill Boildown once its command has logged enough; return False if it ended before."""
    while not enough(log_of(directory)):
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    # Wherever it is by then: in a run, between two, or at the record of one.
    time.sleep(pause)
    process.kill()
    return process.wait() == -signal.SIGKILL


def test_a_database_is_opened_without_a_look_at_all_its_rows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(path) as store:
        for key in range(40):
            store.job(bytes([key])).begin("exit 1")
        outcome = "INSERT INTO outcome VALUES (1, ?, 0, 'PASSED', '')"
        store.execute(*((outcome, (number,)) for number in range(900)))
        step = "INSERT INTO step VALUES (1, ?, '')"
        store.execute(*((step, (number,)) for number in range(90)))
    thousands: list[None] = []

    def counting(database: Path, timeout: float) -> sqlite3.Connection:
        made = connect(database, timeout)
        made.set_progress_handler(lambda: thousands.append(None), 1000)
        return made

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", counting)
    with Store(path) as store:
        assert len(store.unfinished()) == 0
    # Each row of each table once, and some steps of its machine for each; no row with each other.
    assert 0 < len(thousands) < 100


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "kills"), [(1, 20), (3, 5)])
def test_kill_and_resume(tmp_path: Path, temp: Path, jobs: int, kills: int) -> None:
    """Kills Boildown at random moments and lets it go on, until the job is done.

    The result is that of a job that nobody disturbed, and no outcome is run twice, other than of
    the original, of the empty input, of the best text, and of what was under way at a kill.
    """
    rng = Random(jobs)
    calm, killed = tmp_path / "calm", tmp_path / "killed"
    prepare(calm)
    prepare(killed)
    environment = {**os.environ, "TMPDIR": str(temp)}
    run_process(command_line(calm, jobs), env=environment, check=True)
    wanted = json.loads((calm / "result").read_text())
    under_way: Counter[str] = Counter()
    for _ in range(kills):
        process = Popen(command_line(killed, jobs), env=environment)
        lines = len(log_of(killed)) + rng.randint(1, 9)
        happened = killed_after(process, killed, partial(has_lines, lines), rng.random() * 0.03)
        assert happened, "the job is too short for so many kills"
        assert left_in_temp(10) == []
        # A worker may have logged its run, and Boildown not have heard of it.
        under_way.update(set(log_of(killed)[-3 * jobs :]))
    run_process(command_line(killed, jobs), env=environment, check=True)
    result = json.loads((killed / "result").read_text())
    assert result["text"] == wanted["text"] == "<0><1><2><3><4><5><6><7>"
    assert (result["finished"], result["verified"]) == (True, True)
    assert any("goes on from there" in note for note in result["notes"])
    assert result["runs"] < wanted["runs"]
    again = Counter(log_of(killed))
    for text in ((killed / "input").read_bytes(), b""):
        del again["1 " + text.hex()], again["0 " + text.hex()]
    repeated = {line: times - 1 - under_way[line] for line, times in again.items()}
    repeats = Counter[str]()
    for line, times in repeated.items():
        repeats[line[0]] += max(times, 0)
    # A start runs the best text again, and the job checks it now and then without a reason to.
    assert repeats["1"] <= (kills + 1) * FREE_CHECKS
    # Candidates that passed are only checked for the certificate.
    assert repeats["0"] <= max(FREE_CHECKS, CHECKED_SHARE * wanted["runs"])


@pytest.mark.slow
def test_a_program_that_was_fixed_meanwhile_gets_no_stale_answer(tmp_path: Path) -> None:
    directory = tmp_path / "work"
    prepare(directory)
    process = Popen(command_line(directory, 1))
    assert killed_after(process, directory, partial(has_lines, 20))
    ran = len(log_of(directory))
    status = (directory / "check.py").stat()
    (directory / "check.py").write_text(CHECK.replace("WIDE", "'w2' in text"))
    os.utime(directory / "check.py", ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    run_process(command_line(directory, 1), check=True)
    result = json.loads((directory / "result").read_text())
    assert not any("goes on from there" in note for note in result["notes"])
    assert result["text"] == "w2<0><1><2><3><4><5><6><7>"
    # Each of its verdicts is of a run of its own.
    assert len(log_of(directory)) - ran > result["runs"]


@pytest.mark.slow
def test_a_program_that_changed_unseen_is_noticed_by_its_best_text(tmp_path: Path) -> None:
    """What the command does not name is not in the job's key: only a run can tell."""
    directory = tmp_path / "work"
    prepare(directory, "eval(open('rule').read())")
    (directory / "rule").write_text("True")
    process = Popen(command_line(directory, 1))
    gone = b"w50".hex()
    assert killed_after(
        process,
        directory,
        lambda log: any(line[0] == "1" and gone not in line for line in log[:-1]),
    )
    (directory / "rule").write_text("'w50' in text")
    run_process(command_line(directory, 1), check=True)
    result = json.loads((directory / "result").read_text())
    assert any("what the command runs has changed" in note for note in result["notes"])
    assert result["text"] == "<0><1>w50<2><3><4><5><6><7>"
