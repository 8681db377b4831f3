"""Passes of a user's own: loaded at the start of a job, from a Python file or an entry point.

Such a pass is a function from the best text to the texts that are tried in its place. It runs in a
process of its own (`runner.proposer`), started by jobs alone, which run the user's test command
anyway. What breaks its contract ends the pass, with a sentence that says where, and never the job.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boildown.engine.candidates import retext
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import AUTO, PASSES, RENAMING, Pass, named
from boildown.files import FileError, read_bytes
from boildown.runner.command import TestCommand
from boildown.runner.proposer import PassEnded, Proposer, Unloaded

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP = "boildown.passes"
"""The group of entry points by which packages offer passes."""
PATIENCE = 100
"""Candidates in a row that may fail in the pipeline, as of the passes that prune."""


class PassError(ValueError):
    """A pass of one's own cannot be loaded; the message says why, with file and line."""


@dataclass(frozen=True, slots=True)
class OwnPass:
    """A pass of one's own, loaded."""

    run: Pass
    digest: str
    """Of its name and its file: two jobs with different ones share no record."""


def chosen_passes(
    command: TestCommand, chosen: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the passes of Boildown, and those of one's own, each in its order.

    `chosen` are names in place of those of the command; where none is Boildown's, the default order
    is taken, without those that only rename if the command keeps names. One's own are
    `FILE.py:FUNCTION` and the names of entry points. Raises PassError if there is no such pass.
    """
    names, known = [*(chosen or command.passes)], {each.name for each in PASSES}
    own = tuple(
        name
        for name in names
        if name not in known and (_file_of(name) or _entry_point(name) is not None)
    )
    shipped = tuple(name for name in names if name not in own) or AUTO
    try:
        named(shipped)
    except ValueError as error:
        raise PassError(str(error)) from None
    return tuple(name for name in shipped if not (command.keep_names and name in RENAMING)), own


@contextmanager
def load_passes(
    names: Sequence[str],
    folder: Path,
    tell: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[OwnPass, ...]]:
    """Load the passes of one's own with these names, for a job; their processes end with it.

    Relative paths start from a folder. `tell` gets a sentence when a pass is ended in a job;
    `stopped` says whether the job is to end. Raises PassError.
    """
    with ExitStack() as stack:
        yield tuple(_loaded(name, folder, tell, stopped, stack) for name in names)


def _loaded(
    name: str,
    folder: Path,
    tell: Callable[[str], None],
    stopped: Callable[[], bool],
    stack: ExitStack,
) -> OwnPass:
    path, source = None, None
    if file := _file_of(name):
        path = Path(os.path.abspath(folder / file))
        try:
            source = read_bytes(path)
        except FileError as error:
            raise PassError(f"The pass {name} can't be read. {error}") from None
    elif _entry_point(name) is None:
        known = ", ".join(sorted(_entry_points().names)) or "none"
        raise PassError(
            f"There is no pass {name}: name a function as FILE.py:FUNCTION, or an entry point of"
            f" the group {GROUP}, of which there are: {known}."
        )
    try:
        proposer = stack.enter_context(closing(Proposer(stopped)))
        content = proposer.load(name, path, source, GROUP)
    except (Unloaded, PassEnded) as error:
        raise PassError(str(error)) from None
    digest = hashlib.blake2b(name.encode() + b"\0" + content, digest_size=16).hexdigest()
    return OwnPass(_as_pass(name, proposer, tell), digest)


def _file_of(name: str) -> str:
    """Return the path in `FILE.py:FUNCTION`, or nothing for a name of another kind."""
    file, _, function = name.rpartition(":")
    return file if file.endswith(".py") and function.isidentifier() else ""


def _entry_points() -> EntryPoints:
    # Most jobs have no passes of one's own, and need not wait for this import.
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _entry_point(name: str) -> EntryPoint | None:
    return next(iter(_entry_points().select(name=name)), None)


def _as_pass(name: str, proposer: Proposer, tell: Callable[[str], None]) -> Pass:
    """Make a pass of a function in another process.

    After a success the function is called with the new best text, and goes on at the place in its
    order where the success was: what it yields follows the text, most often. Takes as many runs as
    it gives texts, in the pipeline 100 in a row without success. Texts that are not smaller than
    the best cost no run.
    """
    over = False

    def texts(best: str, skipped: int) -> Iterator[str]:
        nonlocal over
        try:
            yield from proposer.texts(best, skipped)
        except PassEnded as why:
            over = True
            proposer.close()
            tell(f"The pass {name} is left out from here on. {why}")

    def run(problem: Problem) -> None:
        at = 0
        while not over:
            proposed = texts(problem.text, at)
            index = problem.consider_first(retext(problem, text) for text in proposed)
            if index is None:
                return
            at += index

    return Pass(name, run, patience=PATIENCE)
