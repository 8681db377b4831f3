"""Resumption: decides whether a job that was cut short may go on with its record."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
from collections.abc import Iterator
from dataclasses import fields

from boildown.engine.oracle import digest
from boildown.runner.command import OPTIONS, TestCommand, find_program
from boildown.runner.judging.judge import Expected
from boildown.runner.resuming.cache import TABLES_FORMAT, JobDescription, SavedJob
from boildown.runner.rules import Rule
from boildown.runner.run import CannotRun, Measured, encode
from boildown.runner.runner import Runner
from boildown.runner.workspace import snapshot, workspace_of

_SOURCES = (".py", ".pyi", ".toml", ".cfg", ".ini")


_TRIES = 3
"""Verdicts on the best text of an earlier attempt, one of which must be that it fails."""


def resume(
    job: SavedJob,
    runner: Runner,
    expected: Expected,
    about: JobDescription,
    measured: Measured,
) -> str | None:
    """Check the record of a job against the program of today; return a note for the user.

    To be called after the preflight, which ran the original, and has `measured` the time that this
    takes. The best text of the earlier attempt is run again; if it does not reproduce, or the
    failure is another one, all is forgotten.
    """
    if not job.known and job.best is None and not job.edits:
        job.begin(expected.signature, about, measured)
        return None
    best, misses, contradiction = job.best, 0, ""
    if job.signature != expected.signature:
        contradiction = (
            f"the input failed with '{job.signature}' then, and fails with '{expected.signature}'"
            " now"
        )
    elif best is not None:
        while misses < _TRIES and not runner.verdict(best, expected)[0].reproduced:
            misses += 1
        if misses == _TRIES:
            contradiction = (
                f"the smallest text that failed then, of {len(encode(best)):,} bytes, did not in"
                f" {_TRIES} tries now, while the input does: the failure is flaky, or what the"
                " command runs has changed"
            )
    if contradiction:
        job.drop()
        job.begin(expected.signature, about, measured)
        return (
            f"This job was cut short before, but {contradiction}. What was known is dropped, and it"
            " starts over."
        )
    number = len(job.edits)
    edits = "" if not number else " and 1 edit" if number == 1 else f" and {number} edits"
    outcomes = "1 outcome" if job.known == 1 else f"{job.known} outcomes"
    are = "is" if job.known == 1 and not edits else "are"
    told = "This job was cut short before and goes on from there: "
    told += f"{outcomes}{edits} {are} known."
    if best is not None:
        job.keep_best()
        told += f" Its best text so far, of {len(encode(best)):,} bytes, is in {job.file.path}."
    if misses:
        told += f" That failed in one of {misses + 1} tries now: the failure may be flaky."
    return told


def job_key(command: TestCommand, text: str, *settings: object) -> bytes:
    """Return a hash that two jobs share if the outcomes of one are good for the other.

    It is made of the input, of the fields of the command that decide outcomes, of the time and size
    of every file that it names, of the files that `depends` and `ship` name and, for pytest, of the
    workspace's sources; and of `settings`, such as the language and the passes.
    """
    files = {*_named_files(command), *_declared_files(command)}
    parts: list[object] = [
        TABLES_FORMAT,
        digest(text),
        _deciding_fields(command),
        [(path, _stamp(path)) for path in sorted(files)],
        _sources(command),
        settings,
    ]
    return hashlib.blake2b(encode("\0".join(map(repr, parts))), digest_size=16).digest()


def _deciding_fields(command: TestCommand) -> dict[str, object]:
    """Return the fields that decide outcomes, each as a value whose `repr` is always the same.

    Notes are for the user, and the table of options says which of them decide nothing.
    """
    undeciding = {"notes", *(name for name, row in OPTIONS.items() if not row.decides)}
    names = (field.name for field in fields(command) if field.name not in undeciding)
    values: dict[str, object] = {name: getattr(command, name) for name in names}
    # The repr of a function is its address: an example tells it from another one.
    values["content"] = command.content("\0")
    values["environment"] = sorted(command.environment.items())
    # The repr of a compiled pattern is cut after 200 characters.
    values["reproduces"] = _spelled_out(command.reproduces)
    values["invalid"] = _spelled_out(command.invalid)
    return values


def _spelled_out(rule: Rule | None) -> object:
    """Return all of a rule as a value whose `repr` is always the same."""
    if rule is None:
        return None
    patterns = [each and each.pattern for each in (rule.stdout, rule.stderr)]
    return sorted(rule.exit), patterns, rule.timeout, rule.seconds, rule.memory


def _named_files(command: TestCommand) -> Iterator[str]:
    """Yield the programs and every argument that is a file, other than the original."""
    for each in map(command.in_role, command.roles):
        with contextlib.suppress(CannotRun):
            yield find_program(each)
        for part in each.argv[1:]:
            path = os.path.join(command.cwd, part)
            if os.path.isfile(path) and path != str(command.original):
                yield path


def _declared_files(command: TestCommand) -> Iterator[str]:
    for pattern in (*command.depends, *command.ship):
        for path in glob.iglob(pattern, root_dir=command.cwd, recursive=True):
            yield os.path.join(command.cwd, path)


def _sources(command: TestCommand) -> list[tuple[str, tuple[int, int]]]:
    """Return the state of the files that tests may import or be configured by."""
    if not command.runs_pytest:
        return []
    workspace = workspace_of(command)
    original = os.path.relpath(command.original or "", workspace)
    return sorted(
        (path, stamp)
        for path, stamp in snapshot(workspace).items()
        if path.endswith(_SOURCES) and path != original
    )


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)
