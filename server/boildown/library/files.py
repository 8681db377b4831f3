"""Reduces files by a test command, as the command line does, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from boildown.config import read_option
from boildown.engine.oracle import Step
from boildown.engine.reducing.reduce import Reduction, unreduced
from boildown.files import read_text
from boildown.jobs import check as checking
from boildown.jobs import reduce as reducing
from boildown.jobs import why as locating
from boildown.jobs.advice import for_program
from boildown.jobs.events import Event, Progress
from boildown.jobs.why import Why
from boildown.jobs.work import JOB_OPTIONS, CannotRun, JobOptions, PreflightError
from boildown.library.interrupted import Interrupted
from boildown.library.limits import check_limits
from boildown.library.turns import in_turns
from boildown.targets.folders import FolderInput, read_files, read_folder
from boildown.targets.test_command import (
    OPTIONS,
    ChosenCommand,
    CommandArguments,
    CommandError,
    TestCommand,
    choose_command,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack


class FileOptions(TypedDict, total=False):
    """Options of a job with a test command; each may be left out, and is then as it says."""

    cwd: str | Path
    """Where the command runs, and where relative paths in it start from: here."""
    python: str
    """A predicate instead of a command, as `module:function`: none."""
    include: Sequence[str]
    """Of a folder, globs of the files to take, also hidden ones: all that Git does not ignore."""
    exclude: Sequence[str]
    """Of a folder, globs of the files and folders to leave out: none."""
    # The others are told by the tables of options.
    good: str | Sequence[str]
    compare: str
    reproduces: str | Sequence[str]
    interesting: bool
    level: str
    timeout: float
    invalid: str | Sequence[str]
    quick: str | Sequence[str]
    coverage: str | Sequence[str]
    allow_empty: bool | None
    repeat: int
    confidence: float
    keep_valid: bool | None
    keep: str | Sequence[str]
    keep_names: bool
    passes: Sequence[str]
    isolate: str
    cluster: str
    ship: Sequence[str]
    test: str
    environment: Mapping[str, str]
    memory: int
    cpu: int
    warm: bool
    depends: Sequence[str]
    language: str
    jobs: int
    max_seconds: float
    max_runs: int
    fresh: bool


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The result of a check: how a test command fails on a file.

    >>> checked = check("orders.json", "python receipts.py orders.json")
    >>> checked.command, checked.rate, checked.runs
    ("python receipts.py '{file}'", 1.0, 5)
    """

    command: str
    """The command in one line, `{file}` for the candidate."""
    failure: str
    """The failure that candidates are compared with."""
    rate: float
    """The share of the runs on the original that showed it."""
    seconds: float
    """Of one run: the median."""
    spread: float
    """Seconds between the fastest and the slowest run."""
    timeout: float | None
    """Seconds after which a run is ended."""
    runs: int
    """How many runs the check took."""
    notes: tuple[str, ...]
    """Sentences for the user."""


Input: TypeAlias = str | Path | Sequence[str | Path]
"""The path of a file or a folder, or the paths of several files."""


def reduce_file(
    path: Input,
    command: Sequence[str] | str | None = None,
    **options: Unpack[FileOptions],
) -> Reduction:
    """Reduce a failing input, a file, a folder or several files, by the command that fails on it.

    `path` is that of the input, or a list of paths; `options` are those of `FileOptions`.
    `command` is a list of words, or one string, which no shell sees; without it, it is what a
    configuration says of the file, or pytest for a file of tests. The path in it becomes the path
    of the candidate. Each run gets a fresh directory, and candidates are judged, as on the command
    line. The file stays as it is. In the result, bytes that are no UTF-8 are surrogate escapes:
    `reduction.text.encode("utf-8", "surrogateescape")` is what belongs in a file. Of a folder or
    several files, `reduction.files` holds what is left of each, by its path.

    Raises:
        PreflightError: the input does not reproduce a failure; the message says what to do.
        CannotRun, CommandError, RuleError: the command or a rule makes no sense.
        FileError: the file cannot be read.
        LanguageError, ValueError, TypeError: there is no such language, pass, or option, or a pass
            of one's own cannot be loaded.
        Interrupted: on Ctrl-C, with the best so far.

    >>> reduce_file("orders.json", "python receipts.py orders.json", timeout=20, jobs=1).text
    '{"orders":[{"express":true}]}'
    """
    job = _job(path, command, options)
    state = _State(job.text)
    with errors_worded():
        try:
            return _given(reducing.reduce(job.text, job.command, job.options, state.see))
        except KeyboardInterrupt as error:
            raise Interrupted(state.reduction) from error


def reducing_file(
    path: Input,
    command: Sequence[str] | str | None = None,
    **options: Unpack[FileOptions],
) -> Iterator[Reduction]:
    """Reduce a file as `reduce_file` does, and yield the state of the reduction after each run.

    The last one is the result. Those before it have `finished` false, and in their history only the
    original and the best so far. A caller that stops asking ends the job.

    Raises:
        PreflightError, CannotRun, CommandError, RuleError, FileError, LanguageError, ValueError,
            TypeError: as `reduce_file` does; the first two when they come up.

    >>> for reduction in reducing_file("orders.json", "python receipts.py orders.json"):
    ...     if len(reduction.text) < 2000:
    ...         break
    >>> reduction.finished, "express" in reduction.text
    (False, True)
    """
    return _states(_job(path, command, options))


def check(
    path: Input,
    command: Sequence[str] | str | None = None,
    **options: Unpack[FileOptions],
) -> CheckedFile:
    """Check that a command fails on a file, every time, and because of its content.

    The arguments are those of `reduce_file`; options of the search say nothing here.

    Raises:
        PreflightError, CannotRun, CommandError, RuleError, FileError, LanguageError, ValueError,
            TypeError: as `reduce_file` does.

    >>> checked = check("orders.json", "python receipts.py orders.json")
    >>> checked.failure
    'exit 1: ZeroDivisionError in ...: shipping: `...`: float division by zero'
    """
    job = _job(path, command, options)
    with errors_worded():
        found = checking.check(job.text, job.command, job.options)
    return CheckedFile(
        job.command.shown,
        found.expected.signature,
        found.expected.rate or 1.0,
        found.seconds,
        found.spread,
        found.expected.timeout,
        found.runs,
        tuple(map(for_program, found.notes)),
    )


def why(
    path: Input,
    command: Sequence[str] | str | None = None,
    **options: Unpack[FileOptions],
) -> tuple[Reduction, Why]:
    """Reduce a failing input, and rank the functions of its program in which the bug may be.

    The arguments are those of `reduce_file`. The program is in Python or runs in Node; at most 62
    further runs tell which lines failing and passing inputs execute. The reduction has all notes.

    Raises:
        PreflightError, CannotRun, CommandError, RuleError, FileError, LanguageError, ValueError,
            TypeError: as `reduce_file` does.

    >>> reduction, found = why("orders.json", "python receipts.py orders.json")
    >>> found.suspects[0].function, found.branch.text
    ('shipping', 'if order.get("express"):')
    """
    job = _job(path, command, options)
    with errors_worded():
        result, found = locating.why(job.text, job.command, job.options)
    reduction = _given(result)
    notes = (*reduction.notes, *map(for_program, found.notes))
    return replace(reduction, notes=notes), replace(found, notes=())


@dataclass(frozen=True, slots=True)
class _Job:
    """A failing input with its test command and the options of the job."""

    text: str
    command: TestCommand
    options: JobOptions


def _job(path: Input, command: Sequence[str] | str | None, options: FileOptions) -> _Job:
    known = FileOptions.__annotations__
    for name in options:
        if name not in known:
            raise TypeError(f"There is no option {name!r}. The options are: {', '.join(known)}.")
    given: dict[str, Any] = dict(options)
    check_limits(max_runs=given.get("max_runs"), max_seconds=given.get("max_seconds"))
    cwd = Path(given.pop("cwd", Path.cwd()))
    globs: dict[str, Sequence[str]] = {
        name: given.pop(name) for name in ("include", "exclude") if name in given
    }
    if (folder := _folder(path, globs)) is not None:
        file, text = folder.root, folder.text
        given["files"] = folder.files
    elif globs:
        raise TypeError("'include' and 'exclude' are for one folder; leave them out.")
    else:
        assert isinstance(path, str | Path)
        file = Path(os.path.abspath(path))
        text = read_text(file)
    how = {name: given.pop(name) for name in JOB_OPTIONS if name in given}
    chosen = _chosen(file, cwd, command, given)
    how = {"jobs": os.cpu_count() or 1, "language": chosen.language, **how}
    return _Job(text, chosen.command, JobOptions(**how))


def _folder(path: Input, globs: Mapping[str, Sequence[str]]) -> FolderInput | None:
    """Return the input if it is a folder or several files; None if it is one file."""
    if not isinstance(path, str | Path):
        return None if globs else read_files([Path(each) for each in path], Path.cwd())
    return read_folder(Path(path), **globs) if os.path.isdir(path) else None


def _chosen(
    file: Path, cwd: Path, command: Sequence[str] | str | None, given: dict[str, Any]
) -> ChosenCommand:
    """Return the test command, as it is given or configured."""
    if callable(command):
        raise TypeError(
            "The command is a function. Give the text to reduce(text, function), or name the"
            " function, as in python='checks:fails'."
        )
    if command is not None and "python" in given:
        raise TypeError("Give a command or a predicate with python=, not both.")
    given["fields"] = {name: _read(name, given.pop(name)) for name in OPTIONS if name in given}
    if isinstance(command, str):
        given["line"] = command
    elif command is not None:
        given["argv"] = tuple(map(os.fspath, command))
    with errors_worded():
        try:
            return choose_command(file, cwd, CommandArguments(**given))
        except CommandError:
            raise CommandError(
                f"There is no test command for {file}. Give the one that fails today as the second "
                f"argument, as in ['python', '-m', 'mytool', '{file.name}'], or write it into a "
                "boildown.toml."
            ) from None


def _read(name: str, value: object) -> object:
    """Read an option as the configuration does. Raises ValueError and RuleError."""
    is_list = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
    try:
        return read_option(name, list(value) if is_list else value)  # type: ignore[call-overload]
    except ValueError as error:
        raise type(error)(f"'{name}' {error}") from None


def _states(job: _Job) -> Iterator[Reduction]:
    """Run the job on a thread of its own; yield each state of it, and its result."""
    turns = in_turns(partial(_giving_states, job))
    try:
        state = next(turns)
        while True:
            yield state
            state = turns.send(True)
    except StopIteration as end:
        yield end.value
    finally:
        turns.close()


def _giving_states(job: _Job, give: Callable[[Reduction], bool | None]) -> Reduction:
    """Run the job, and give each state of it away, until nobody wants more."""
    state, closed = _State(job.text), False

    def see(event: Event) -> None:
        nonlocal closed
        if not closed and isinstance(event, Progress):
            state.see(event)
            closed = not give(state.reduction)

    with errors_worded():
        return _given(reducing.reduce(job.text, job.command, job.options, see, lambda: closed))


@contextmanager
def errors_worded() -> Iterator[None]:
    """Word the errors of a job for callers of the library."""
    try:
        yield
    except (PreflightError, CannotRun) as error:
        raise type(error)(for_program(error.message), error.kind) from None


class _State:
    """The state of a job that is under way."""

    def __init__(self, text: str) -> None:
        self.reduction = unreduced(text)

    def see(self, event: Event) -> None:
        """Take an event of the job."""
        if not isinstance(event, Progress):
            return
        history: Sequence[Step] = self.reduction.history
        if event.text != history[-1].text:
            history = history[0], Step(event.runs, event.text)
        outcomes = dict(event.outcomes)
        self.reduction = Reduction(event.text, event.runs, 0, False, None, history, outcomes)


def _given(result: reducing.Reduced) -> Reduction:
    """Return the result of a job for callers of the library, who have it then."""
    result.forget()
    return replace(
        result.reduction,
        text=result.text,
        history=result.history,
        stopped=result.stopped,
        failures=result.failures,
        notes=tuple(map(for_program, result.notes)),
    )
