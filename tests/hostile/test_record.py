"""The record of unfinished jobs after damages of every kind: a note at most, never an exception."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from boildown.engine.oracle import Outcome, Verdict
from boildown.runner.resuming.cache import Store
from boildown.runner.run import Measured

DAMAGES = int(os.environ.get("BOILDOWN_DAMAGES", "120"))
"""How many random damages are tried; `make hostile` tries 10,000."""

TIMES = Measured(cpu=0.5, took=0.75, timeout=2.0)


def make_record(path: Path) -> None:
    """Write what a job of three outcomes and two steps leaves."""
    with Store(path) as store:
        job = store.job(b"key")
        job.begin("exit 1", measured=TIMES)
        for text, outcome in (
            ("a" * 50, Outcome.REPRODUCED),
            ("b", Outcome.PASSED),
            ("c", Outcome.INVALID),
        ):
            job.record(text, Verdict(outcome, "exit 1"))
        job.step(1, "a" * 50)
        job.step(2, "a" * 20)
        assert store.problem is None


def use(path: Path) -> str | None:
    """Do what a job does with its record; return what the user is told."""
    with Store(path) as store:
        job = store.job(b"key")
        assert job.best is None or set(job.best) <= set("a")
        job.begin("exit 1", measured=TIMES)
        job.record("new", Verdict(Outcome.PASSED, ""))
        job.step(3, "a")
        job.drop()
        return store.problem


def flip(data: bytearray, rng: Random) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def cut(data: bytearray, rng: Random) -> None:
    del data[rng.randrange(len(data)) :]


def swap(data: bytearray, rng: Random) -> None:
    first, second, size = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 64)
    data[first : first + size], data[second : second + size] = (
        data[second : second + size],
        data[first : first + size],
    )


def overwrite(data: bytearray, rng: Random) -> None:
    start = rng.randrange(len(data))
    data[start : start + 32] = rng.randbytes(32)


@pytest.mark.parametrize("damage", [flip, cut, swap, overwrite])
def test_bytes_of_the_file(tmp_path: Path, damage: Callable[[bytearray, Random], None]) -> None:
    whole = tmp_path / "whole" / "jobs.sqlite3"
    make_record(whole)
    data = whole.read_bytes()
    rng = Random(damage.__name__)
    for number in range(DAMAGES // 6):
        folder = tmp_path / str(number)
        folder.mkdir()
        damaged = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            damage(damaged, rng)
            damaged += b"" if damaged else b"\0"
        (folder / "jobs.sqlite3").write_bytes(damaged)
        use(folder / "jobs.sqlite3")
        assert {path.name.split(".broken")[0] for path in folder.iterdir()} <= {"jobs.sqlite3"}


VALUES = (None, 0, -1, 2**62, 1.5, "", "REPRODUCED", "NONSENSE", b"", b"\xff\0", "ü" * 100)


def test_values_of_the_tables(tmp_path: Path) -> None:
    columns = (
        "job.key",
        "job.signature",
        "job.touched",
        "outcome.text",
        "outcome.outcome",
        "outcome.signature",
        "step.number",
        "step.text",
    )
    rng = Random(0)
    for number in range(DAMAGES // 6):
        path = tmp_path / str(number) / "jobs.sqlite3"
        make_record(path)
        table, _, column = rng.choice(columns).partition(".")
        connection = sqlite3.connect(path)
        with connection, contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(f"UPDATE OR REPLACE {table} SET {column} = ?", (rng.choice(VALUES),))
        connection.close()
        use(path)


def test_compressed_texts(tmp_path: Path) -> None:
    rng = Random(0)
    good = zlib.compress(b"a" * 1000)
    for number in range(DAMAGES // 6):
        path = tmp_path / str(number) / "jobs.sqlite3"
        make_record(path)
        data = bytearray(good)
        rng.choice((flip, cut, swap, overwrite))(data, rng)
        connection = sqlite3.connect(path)
        with connection:
            connection.execute("UPDATE step SET text = ? WHERE number = 2", (bytes(data),))
        connection.close()
        problem = use(path)
        assert problem is None or "could not be read" in problem


def test_a_bomb(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "jobs.sqlite3"
    make_record(path)
    packer = zlib.compressobj(9)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE step SET text = ?", (bomb,))
    connection.close()
    assert "could not be read" in str(use(path))


def test_nobody_else_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "jobs.sqlite3"
    make_record(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
