"""The record of unfinished jobs: outcomes on disk, from which a job is resumed.

A database in the user's cache directory holds, for each unfinished job, the outcomes of its runs
and the steps of its best text, with what the user handed in and after how many runs. The same job
started again replays: it asks the same questions and gets the recorded answers, with the edits
where they came, up to where it was cut short. A finished job leaves nothing, so nothing
old can ever answer. Whatever goes wrong with the database costs the memory, never the job; the best
text lies in a file of its own (`best`).
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import platformdirs

from boildown.engine.oracle import Oracle, Outcome, Verdict, close, digest
from boildown.engine.user_edit import UserEdit
from boildown.runner.resuming.best import BestFile, best_files
from boildown.runner.run import Measured, decode, encode

TABLES_FORMAT = 2
"""Of the tables; a database of another format is set aside."""
MOST_OUTCOMES = 1_000_000
"""Kept at most, some 100 bytes each; the jobs that were touched least recently go first."""

_LARGEST_STEP = 256 << 20
"""Bytes of a best text that is read again; more is taken for damage."""

_ORPHANED = 30 * 24 * 3600
"""Seconds after which the best text of a job goes that is on record no more."""

_TABLES = """
CREATE TABLE job (
    id INTEGER PRIMARY KEY, key BLOB UNIQUE, signature TEXT, about TEXT, touched REAL,
    cpu REAL, took REAL, timeout REAL
);
CREATE TABLE outcome (
    job INTEGER, text BLOB, number INTEGER, outcome TEXT, signature TEXT,
    PRIMARY KEY (job, text, number)
) WITHOUT ROWID;
CREATE TABLE step (job INTEGER, number INTEGER, text BLOB, PRIMARY KEY (job, number));
CREATE TABLE edit (
    job INTEGER, number INTEGER, run INTEGER, text BLOB, kept INTEGER, PRIMARY KEY (job, number)
);
"""
"""An outcome has the number of those on the same text before it, for flaky failures are run again;
an edit is what the user has handed in."""


class DamagedRecord(Exception):  # noqa: N818 - says what is the case
    """A database that can be read, with values that Boildown cannot have written."""


@dataclass(frozen=True, slots=True)
class JobDescription:
    """The input and the commands of a job, by which a person knows it."""

    kind: str
    """The name of the command, such as `reduce`."""
    input: str
    """The path of the failing input."""
    command: str
    """The test command in one line."""
    size: int
    """Bytes of the input."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A job that was cut short, or is at work."""

    about: JobDescription | None
    """None if the record of it is lost."""
    touched: float
    """When something was last recorded of it, in seconds since 1970."""
    outcomes: int
    """How many are known."""
    best: Path | None
    """The file with its best text; None if nothing smaller was found."""
    size: int
    """Bytes of the best text, or of the input."""


class Store:
    """The database of unfinished jobs; use it in a `with` statement, on one thread.

    It never raises: a database that is damaged or of another format is set aside, and one that
    cannot be used at all remembers nothing. `problem` then says so in a sentence for the user.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or platformdirs.user_cache_path("boildown") / "jobs.sqlite3"
        self.problem: str | None = None
        self._connection: sqlite3.Connection | None = None
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = self._opened()
            self._shrink(self._connection)
        except (sqlite3.Error, ValueError, OverflowError, OSError) as error:
            self.give_up(error)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def give_up(self, error: Exception) -> None:
        """Remember nothing from now on."""
        self.problem = (
            f"This job cannot be resumed if it is cut short: its outcomes cannot be kept in "
            f"{self.path.parent} ({error})."
        )
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()

    def execute(self, *statements: tuple[str, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        """Execute statements in one transaction; return the rows of the last, none if it fails."""
        if self._connection is None:
            return []
        rows: list[tuple[Any, ...]] = []
        try:
            with self._connection:
                for statement, values in statements:
                    rows = self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, ValueError, OverflowError) as error:
            self.give_up(error)
        return rows

    def job(self, key: bytes) -> SavedJob:
        """Return the record of the job with a key.

        A record that makes no sense, whatever damaged it, is set aside, and nothing is known.
        """
        try:
            return SavedJob(self, key)
        except DamagedRecord:
            self._replace()
            return SavedJob(self, key)

    def forget(self, key: bytes) -> None:
        """Delete the record of a job with its best text, if there is one."""
        of = "IN (SELECT id FROM job WHERE key = ?)"
        self.execute(*((statement.replace("= ?", of), (key,)) for statement in _FORGET))
        BestFile(self.path.parent, key).remove()

    def unfinished(self) -> list[Unfinished]:
        """Return the unfinished jobs that got beyond their preflight, the latest one last."""
        files = best_files(self.path.parent)
        found: list[Unfinished] = []
        rows = self.execute(
            (
                "SELECT key, about, touched, (SELECT count(*) FROM outcome WHERE job = job.id) "
                "FROM job WHERE about IS NOT NULL",
                (),
            )
        )
        for key, told, touched, outcomes in rows:
            with contextlib.suppress(ValueError, TypeError):
                about = JobDescription(**json.loads(told))
                state, path = files.pop(key, None), BestFile(self.path.parent, key).path
                best, size = (None, about.size) if state is None else (path, state.st_size)
                found.append(Unfinished(about, float(touched), int(outcomes), best, size))
        for key, state in files.items():
            path = BestFile(self.path.parent, key).path
            found.append(Unfinished(None, state.st_mtime, 0, path, state.st_size))
        return sorted(found, key=lambda each: each.touched)

    def _replace(self) -> None:
        """Set a damaged database aside, and go on with a new one."""
        connection, self._connection = self._connection, None
        try:
            if connection is not None:
                connection.close()
            self._set_aside()
            self._connection = self._connected()
        except (sqlite3.Error, OSError) as error:
            self.give_up(error)

    def _opened(self) -> sqlite3.Connection:
        """Open the database, a new one in place of one that cannot be read."""
        try:
            return self._connected()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
            self._set_aside()
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        # Inputs may be confidential; the database's side files take over its permissions.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(self.path, timeout=5)
        try:
            # A new database has nothing to lose, and would wait for the disk before each table.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            (found,) = connection.execute("PRAGMA user_version").fetchone()
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if found == 0 and tables == 0:
                connection.executescript(
                    f"BEGIN; {_TABLES} PRAGMA user_version = {TABLES_FORMAT}; COMMIT;"
                )
            elif found != TABLES_FORMAT:
                raise sqlite3.DatabaseError("the format is another version's")
            for column in ("job.id", "outcome.job", "step.job", "edit.job"):
                table = column.partition(".")[0]
                connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchall()
        except (sqlite3.Error, ValueError) as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise
            # The module decodes what SQLite says of a damaged schema, and stumbles over it.
            raise sqlite3.DatabaseError(f"malformed: {error}") from error
        return connection

    def _set_aside(self) -> None:
        """Rename the database, so that a person can still look at it, and its side files."""
        aside = self.path.with_name(f"{self.path.name}.broken-{time.time_ns()}")
        os.replace(self.path, aside)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                os.unlink(f"{self.path}{suffix}")
        self.problem = f"The record of earlier jobs could not be read; it is now {aside}."

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Drop the jobs that were touched least recently, if there is too much."""
        with connection:
            sizes = connection.execute(
                "SELECT job.id, key, (SELECT count(*) FROM outcome WHERE job = job.id) FROM job "
                "ORDER BY touched DESC"
            ).fetchall()
            total = 0
            kept: set[bytes] = set()
            for job, key, size in sizes:
                total += size + 1
                if total <= MOST_OUTCOMES:
                    kept.add(key)
                    continue
                for statement in _FORGET:
                    connection.execute(statement, (job,))
        for key, state in best_files(self.path.parent).items():
            if key not in kept and time.time() - state.st_mtime > _ORPHANED:
                BestFile(self.path.parent, key).remove()


_FORGET = (
    "DELETE FROM outcome WHERE job = ?",
    "DELETE FROM step WHERE job = ?",
    "DELETE FROM edit WHERE job = ?",
    "DELETE FROM job WHERE id = ?",
)


def _is_damage(error: sqlite3.Error) -> bool:
    return any(word in str(error) for word in ("malformed", "no such", "not a database"))


@dataclass(slots=True)
class SavedJob:
    """The record of one unfinished job: its outcomes and the steps of its best text."""

    store: Store
    key: bytes
    id: int = 0
    signature: str | None = None
    """Of the failure that the earlier attempt was after; None if there was none."""
    measured: Measured | None = None
    """The time of a run as the first attempt has measured it; None before there was one."""
    best: str | None = None
    """The best text that the earlier attempt found."""
    edits: list[tuple[int, UserEdit]] = field(default_factory=list)
    """What the user has handed in, with the runs of the reduction until then."""
    file: BestFile = field(init=False)
    """The file with the best text so far."""
    _outcomes: dict[bytes, deque[Verdict]] = field(default_factory=dict)
    _recorded: Counter[bytes] = field(default_factory=Counter)
    """How many outcomes on a text are on disk."""
    _best_size: int | None = None
    """Characters of the best text of the earlier attempt, until this one is there, too."""

    def __post_init__(self) -> None:
        self.file = BestFile(self.store.path.parent, self.key)
        self._load()

    @property
    def known(self) -> int:
        """The number of outcomes known from an earlier attempt."""
        return sum(map(len, self._outcomes.values()))

    def begin(
        self, signature: str, about: JobDescription | None = None, measured: Measured | None = None
    ) -> None:
        """Record the findings of the preflight, before anything else.

        That is the signature of the failure that the job is after, and the time of a run.
        """
        self.signature, self.measured = signature, measured
        told = None if about is None else json.dumps(asdict(about))
        times = (None,) * 3 if measured is None else astuple(measured)
        self.store.execute(
            (
                "INSERT OR REPLACE INTO job VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (self.id, self.key, signature, told, time.time(), *times),
            )
        )

    def record(self, text: str, verdict: Verdict) -> None:
        """Record an outcome; a TIMEOUT is not, for the machine may just have been busy."""
        if verdict.outcome is Outcome.TIMEOUT:
            return
        key = digest(text)
        self._recorded[key] += 1
        self.store.execute(
            (
                "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?)",
                (self.id, key, self._recorded[key], verdict.outcome.value, verdict.signature),
            )
        )

    def step(self, number: int, text: str) -> None:
        """Record the best text so far; `number` counts the steps from 1."""
        self.store.execute(
            (
                "INSERT OR REPLACE INTO step VALUES (?, ?, ?)",
                (self.id, number, zlib.compress(encode(text), 1)),
            ),
            ("UPDATE job SET touched = ? WHERE id = ?", (time.time(), self.id)),
        )

    def keep(self, text: str) -> None:
        """Put the best text so far into its file, unless the one of the earlier attempt is smaller.

        An attempt that goes on comes by all texts on the way there once more.
        """
        if self._best_size is not None and len(text) > self._best_size:
            return
        self._best_size = None
        self._put(text)

    def keep_best(self) -> None:
        """Put the best text of the earlier attempt into its file, should that be gone."""
        if self.best is not None:
            self._put(self.best)

    def _put(self, text: str) -> None:
        try:
            self.file.write(text)
        except OSError as error:
            told = f"The best text can't be kept in {self.file.path} ({error.strerror})."
            self.store.problem = self.store.problem or told

    def steps(self) -> list[str]:
        """Return the best texts of the earlier attempt, in order."""
        rows = self.store.execute(
            ("SELECT text FROM step WHERE job = ? ORDER BY number", (self.id,))
        )
        return [_step(text) for (text,) in rows]

    def edit(self, run: int, edit: UserEdit) -> None:
        """Record an edit that the user has handed in after so many runs of the reduction."""
        self.edits.append((run, edit))
        values = self.id, len(self.edits), run, zlib.compress(encode(edit.text), 1), edit.kept
        self.store.execute(("INSERT OR REPLACE INTO edit VALUES (?, ?, ?, ?, ?)", values))

    def drop(self) -> None:
        """Delete the record: the job is finished, the program has changed, or the user says so."""
        self.store.execute(*((statement, (self.id,)) for statement in _FORGET))
        self.file.remove()
        self.signature = self.measured = self.best = self._best_size = None
        self.edits = []
        self._outcomes, self._recorded = {}, Counter()

    def answer_first(self, judged: Mapping[str, Verdict]) -> None:
        """Take verdicts from outside of the record as answers that are known, before all others."""
        for text, verdict in judged.items():
            self._outcomes.setdefault(digest(text), deque()).appendleft(verdict)

    def remembered(self, oracle: Oracle, count: Callable[[], None] = lambda: None) -> Oracle:
        """Return an oracle that answers known texts from the record; `count` is called for each.

        Each outcome answers once: who asks for a text again wants another run.

        The oracle gets the texts between two known answers, so it runs nothing ahead of an answer
        that may end the search.
        """

        def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
            source = iter(texts)
            known: deque[Verdict] = deque()

            def unknown() -> Iterator[str]:
                for text in source:
                    if left := self._outcomes.get(digest(text)):
                        known.append(left.popleft())
                        return
                    yield text

            while True:
                inner = oracle(unknown())
                try:
                    yield from inner
                finally:
                    close(inner)
                if not known:
                    return
                count()
                yield known.popleft()

        return verdicts

    def _load(self) -> None:
        self.store.execute(
            ("INSERT OR IGNORE INTO job (key, touched) VALUES (?, ?)", (self.key, time.time()))
        )
        columns = "id, signature, cpu, took, timeout"
        rows = self.store.execute((f"SELECT {columns} FROM job WHERE key = ?", (self.key,)))
        self.id, self.signature, *times = rows[0] if rows else (0, None, None, None, None)
        if not (isinstance(self.id, int) and isinstance(self.signature, str | None)):
            raise DamagedRecord
        self.measured = _measured(*times)
        rows = self.store.execute(
            (
                "SELECT text, outcome, signature FROM outcome WHERE job = ? ORDER BY text, number",
                (self.id,),
            )
        )
        outcomes: defaultdict[bytes, deque[Verdict]] = defaultdict(deque)
        for text, outcome, seen in rows:
            verdict = _verdict(text, outcome, seen)
            outcomes[text].append(verdict)
        self._outcomes = dict(outcomes)
        self._recorded = Counter({text: len(each) for text, each in outcomes.items()})
        rows = self.store.execute(
            ("SELECT text FROM step WHERE job = ? ORDER BY number DESC LIMIT 1", (self.id,))
        )
        self.best = _step(rows[0][0]) if rows else None
        self._best_size = None if self.best is None else len(self.best)
        rows = self.store.execute(
            ("SELECT run, text, kept FROM edit WHERE job = ? ORDER BY number", (self.id,))
        )
        self.edits = [_edit(*row) for row in rows]


def _verdict(text: object, outcome: object, signature: object) -> Verdict:
    """Return the verdict that a row tells of. Raises DamagedRecord."""
    if isinstance(text, bytes) and isinstance(signature, str):
        with contextlib.suppress(ValueError):
            return Verdict(Outcome(outcome), signature)
    raise DamagedRecord


def _measured(cpu: object, took: object, timeout: object) -> Measured | None:
    """Return the time of a run, from a row. Raises DamagedRecord."""
    if cpu is None and took is None:
        return None
    if not isinstance(cpu, float) or not isinstance(took, float):
        raise DamagedRecord
    if not isinstance(timeout, float | None) or min(cpu, took, timeout or 0.0) < 0:
        raise DamagedRecord
    return Measured(cpu, took, timeout)


def _edit(run: object, text: object, kept: object) -> tuple[int, UserEdit]:
    """Return an edit of the user's with its runs, from a row. Raises DamagedRecord."""
    if isinstance(run, int) and kept in (0, 1):
        return run, UserEdit(_step(text), bool(kept))
    raise DamagedRecord


def _step(data: object) -> str:
    """Return a best text as it was kept. Raises DamagedRecord."""
    try:
        if isinstance(data, bytes):
            unpacking = zlib.decompressobj()
            text = unpacking.decompress(data, _LARGEST_STEP)
            if unpacking.eof and not unpacking.unused_data:
                return decode(text)
    except (zlib.error, MemoryError):
        pass
    raise DamagedRecord
