"""Jobs that are ended at random moments, by signals of three kinds: nothing is lost, or left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from random import Random
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired, run

import pytest

from boildown.folder_text import packed, unpacked
from boildown.runner.guardian.linux import IS_LINUX

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not IS_LINUX, reason="needs Linux's subreapers"),
]

KILLS = max(3, int(os.environ.get("BOILDOWN_HOSTILE", "0")) // 20)
"""How many jobs are ended by each test, those of the kinds of jobs together."""
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


KINDS = {
    "reduce": ("reduce", "crash.json", "--output", "out/text"),
    "generalize": (
        *("generalize", "crash.json", "--output", "out/pattern"),
        *("--law-runs", "0", "--samples", "10"),
    ),
    "each": ("reduce", "crashes", "--each", "--output", "out"),
    "folder": ("reduce", "folder", "--output", "out/folder"),
}
LOGGING = """
import json, os, sys
names = sorted(os.listdir(sys.argv[1])) if os.path.isdir(sys.argv[1]) else [""]
texts = {}
for name in names:
    try:
        with open(os.path.join(sys.argv[1], name) if name else sys.argv[1]) as file:
            texts[name] = file.read()
    except OSError:
        pass
whole = "".join(texts.values())
status = 3 if "needle" in whole else 4 if "thread" in whole else 0
log = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(log, json.dumps([status, texts]).encode() + b"\\n")
os._exit(status)
"""
"""A program that logs each run: how it ends, and the texts of its files."""
RESULTS = {
    "reduce": [{"": '"needle"'}],
    "generalize": [{"": '"needle"'}],
    "each": [{"": '"needle"'}, {"": '"thread"'}],
    "folder": [{"a": "needle"}],
}
MOST_RUNS = 25
"""Runs after which a job is ended at the latest."""
WORDS = [f"w{number}" for number in range(40)]


def lines(log: Path) -> int:
    return log.read_text().count("\n") if log.exists() else 0


def failing(log: Path) -> dict[int, list[dict[str, str]]]:
    """Return the successes of each bug: the texts that failed and are smaller than any before."""
    found: dict[int, list[dict[str, str]]] = {}
    for line in log.read_text().splitlines() if log.exists() else ():
        status, texts = json.loads(line)
        lows = found.setdefault(status, [])
        if status and (not lows or cost(texts) < cost(lows[-1])):
            lows.append(texts)
    return found


def cost(texts: dict[str, str]) -> int:
    return len(packed(texts.items()) if "" not in texts else texts[""])


def texts_at_hand(folder: Path) -> list[dict[str, str]]:
    """Return all results that are written, and the best texts of the jobs."""
    found: list[dict[str, str]] = []
    for path in (folder / "out").glob("*"):
        if path.is_dir():
            found.append({each.name: each.read_text() for each in path.iterdir()})
        elif path.name == "pattern":
            found.append({"": json.loads(path.read_text())["text"]})
        elif path.suffix != ".md":
            found.append({"": path.read_text()})
    for path in (folder / "cache" / "boildown" / "best").glob("*"):
        text = path.read_text()
        found.append(unpacked(text) or {"": text})
    return found


def is_over(out: str) -> bool:
    """Say whether a job was done when the signal came, by what it printed.

    A job on a folder may be killed between the line of a bug and that of them all.
    """
    report = json.loads(out.splitlines()[-1]) if out else {}
    finished = report.get("finished", False)
    return finished is True or 0 < finished == report.get("bugs")


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_is_never_lost(tmp_path: Path, kind: str) -> None:
    """Kill and start again, until there were so many kills; a job that ends is begun anew."""
    rng = Random(kind)
    log, temp, said = tmp_path / "log", tmp_path / "temp", tmp_path / "said"
    for name in ("temp", "crashes", "folder", "out"):
        (tmp_path / name).mkdir()
    text = json.dumps([*WORDS[:20], "needle", *WORDS[20:]], separators=(",", ":"))
    inputs = {
        "crash.json": text,
        "crashes/1": text,
        "crashes/2": text.replace("needle", "thread")[:-1] + ",0]",
        "folder/a.json": text,
        "folder/b.json": json.dumps(WORDS, separators=(",", ":")),
    }
    for name, content in inputs.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "log.py").write_text(f"LOG = {str(log)!r}\n{LOGGING}")
    at = {"each": "{file}", "folder": "{dir}"}.get(kind, "crash.json")
    command = [
        *(sys.executable, "-m", "boildown", *KINDS[kind], "--jobs", "1", "--json"),
        *("--", sys.executable, "-I", "-S", str(tmp_path / "log.py"), at),
    ]
    environment = {
        **os.environ,
        "TMPDIR": str(temp),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        MARK: kind,
    }
    killed, finished, slowest = 0, 0, 0.0
    while killed < max(2, KILLS // len(KINDS)):
        with said.open("w") as stderr:
            process = Popen(
                command, cwd=tmp_path, env=environment, stdout=PIPE, stderr=stderr, text=True
            )
        moment = lines(log) + rng.randrange(MOST_RUNS)
        while lines(log) < moment and process.poll() is None:
            time.sleep(0.005)
        number = rng.choice([signal.SIGTERM, signal.SIGKILL])
        try:
            out, _ = process.communicate(timeout=rng.uniform(0, 0.2))
        except TimeoutExpired:
            began = time.monotonic()
            process.send_signal(number)
            out, _ = process.communicate(timeout=PATIENCE)
            killed += 1
            if number == signal.SIGTERM:
                slowest = max(slowest, time.monotonic() - began)
        assert process.returncode in (0, -number, 128 + number), f"{out}\n{said.read_text()}"
        # Where it was told to stop and had begun, it says how far it came.
        if process.returncode == 128 + signal.SIGTERM and out:
            assert all(json.loads(line)["schema"] for line in out.splitlines())
        end = time.monotonic() + PATIENCE
        while (left := [*alive(kind), *temp.iterdir()]) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left
        assert list(tmp_path.rglob(".*")) == []
        there = texts_at_hand(tmp_path)
        for lows in failing(log).values():
            # The verdict on the last one may not be taken yet, and the first is the input itself.
            assert len(lows) < 3 or any(low in there for low in lows[-2:]), process.returncode
        if process.returncode == 0 or is_over(out):
            finished += 1
            assert [each for each in there if each not in RESULTS[kind]] == []
            assert [each for each in RESULTS[kind] if each not in there] == []
            for path in (tmp_path / "out", log):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            (tmp_path / "out").mkdir()
        elif kind == "folder":
            # A folder is not written over.
            shutil.rmtree(tmp_path / "out")
            (tmp_path / "out").mkdir()
    print(f"{kind}: {killed} kills, {finished} results, SIGTERM took {slowest:.2f} s at most")
