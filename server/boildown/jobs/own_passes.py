"""Passes of a user's own: loaded at the start of a job, from a Python file or an entry point.

Such a pass is a function from the best text to the texts that are tried in its place. It is run in
Boildown's own process, by jobs alone, which run the user's test command anyway. What breaks its
contract ends the pass, with a sentence that says where, and never the job.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from boildown.engine.candidates import retext
from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import PASSES, Pass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP = "boildown.passes"
"""The group of entry points by which packages offer passes."""
MOST_SECONDS = 10.0
"""Seconds that a pass may compute until its next text, and that loading it may take."""

PATIENCE = 100
"""Candidates in a row that may fail in the pipeline, as of the passes that prune."""
MOST_TEXTS, TEXTS_PER_CHARACTER = 10_000, 10
"""A call that gives more texts than this, for the length of its text, is taken for endless."""

Propose: TypeAlias = Callable[[str], Iterable[str]]
"""Takes the best text, and yields the texts to try, those that leave out most first."""
T = TypeVar("T")


class PassError(ValueError):
    """A pass of one's own cannot be loaded; the message says why, with file and line."""


class _BrokenContract(Exception):  # noqa: N818 - says what is the case
    """A pass of one's own breaks its contract; the message says how, and where."""


@dataclass(frozen=True, slots=True)
class OwnPass:
    """A pass of one's own, loaded."""

    run: Pass
    digest: str
    """Of its name and its file: two jobs with different ones share no record."""


def divided(names: Iterable[str]) -> tuple[list[str], tuple[str, ...]]:
    """Divide names of passes into those of Boildown and those of one's own, each in its order.

    One's own are `FILE.py:FUNCTION` and the names of entry points.
    """
    chosen, known = list(names), {each.name for each in PASSES}
    own = tuple(
        name
        for name in chosen
        if name not in known and (_file_of(name) or _entry_point(name) is not None)
    )
    return [name for name in chosen if name not in own], own


def load_passes(
    names: Sequence[str], folder: Path, tell: Callable[[str], None]
) -> tuple[OwnPass, ...]:
    """Load the passes of one's own with these names; relative paths start from a folder.

    `tell` gets a sentence when a pass breaks its contract in a job. Raises PassError.
    """
    return tuple(_loaded(name, folder, tell) for name in names)


def _loaded(name: str, folder: Path, tell: Callable[[str], None]) -> OwnPass:
    if file := _file_of(name):
        path = Path(os.path.abspath(folder / file))
        source = _read(path, name)
        function = _function(_module(path, source), name.rpartition(":")[2], path)
    else:
        function, source = _from_entry_point(name)
    try:
        inspect.signature(function).bind("")
    except TypeError:
        raise PassError(
            f"{_defined(function)}: the pass must take one argument, the text."
        ) from None
    except ValueError:
        # The signature of a function in C is not known.
        pass
    digest = hashlib.blake2b(name.encode() + b"\0" + source, digest_size=16).hexdigest()
    return OwnPass(_as_pass(name, function, tell), digest)


def _file_of(name: str) -> str:
    """Return the path in `FILE.py:FUNCTION`, or nothing for a name of another kind."""
    file, _, function = name.rpartition(":")
    return file if file.endswith(".py") and function.isidentifier() else ""


def _read(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise PassError(f"The pass {name} can't be read: {path}: {error.strerror}.") from None


def _module(path: Path, source: bytes) -> ModuleType:
    """Run a file as a module of its own. Raises PassError."""
    module = ModuleType(f"boildown_pass_{hashlib.blake2b(source, digest_size=8).hexdigest()}")
    module.__file__ = str(path)
    # Data classes look their module up.
    sys.modules[module.__name__] = module
    try:
        code = compile(source, str(path), "exec")
        _in_time(lambda: exec(code, module.__dict__))
    except SyntaxError as error:
        raise PassError(f"{path}:{error.lineno}:{error.offset}: {error.msg}.") from None
    except ValueError as error:
        raise PassError(f"{path}:1: {error}.") from None
    except _BrokenContract as fault:
        raise PassError(f"The pass can't be loaded. {fault}") from None
    return module


def _function(module: ModuleType, name: str, path: Path) -> Callable[..., Any]:
    found: object = getattr(module, name, None)
    if callable(found):
        return found
    functions = [each for each, value in vars(module).items() if inspect.isfunction(value)]
    there = f"there are {', '.join(functions)}" if functions else "there is none"
    raise PassError(f"{path}:1: there is no function {name} in the file; {there}.")


def _entry_points() -> EntryPoints:
    # Most jobs have no passes of one's own, and need not wait for this import.
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _entry_point(name: str) -> EntryPoint | None:
    return next(iter(_entry_points().select(name=name)), None)


def _from_entry_point(name: str) -> tuple[Callable[..., Any], bytes]:
    """Return the function that an entry point names, and its file. Raises PassError."""
    point = _entry_point(name)
    if point is None:
        known = ", ".join(sorted(_entry_points().names)) or "none"
        raise PassError(
            f"There is no pass {name}: name a function as FILE.py:FUNCTION, or an entry point of"
            f" the group {GROUP}, of which there are: {known}."
        )
    try:
        function = _in_time(point.load)
    except _BrokenContract as fault:
        raise PassError(f"The pass {name} ({point.value}) can't be loaded. {fault}") from None
    if not callable(function):
        raise PassError(f"The pass {name} ({point.value}) is no function.")
    file = sys.modules[point.module].__file__
    return function, b"" if file is None else Path(file).read_bytes()


def _as_pass(name: str, propose: Propose, tell: Callable[[str], None]) -> Pass:
    """Make a pass of a function.

    After a success the function is called with the new best text, and goes on at the place in its
    order where the success was: what it yields follows the text, most often. Takes as many runs as
    it gives texts, in the pipeline 100 in a row without success. Texts that are not smaller than
    the best cost no run.
    """
    broken = False

    def texts(best: str) -> Iterator[str]:
        nonlocal broken
        try:
            yield from _proposed(propose, best)
        except _BrokenContract as fault:
            broken = True
            tell(f"The pass {name} is left out from here on. {fault}")

    def run(problem: Problem) -> None:
        at = 0
        while not broken:
            proposed = islice(texts(problem.text), at, None)
            index = problem.consider_first(retext(problem, text) for text in proposed)
            if index is None:
                return
            at += index

    return Pass(name, run, patience=PATIENCE)


def _proposed(propose: Propose, best: str) -> Iterator[str]:
    """Yield the texts that a function proposes, each in time. Raises _BrokenContract."""
    proposed = _in_time(lambda: propose(best))
    if isinstance(proposed, str) or not isinstance(proposed, Iterable):
        where = _defined(propose)
        raise _BrokenContract(f"{where}: it must yield texts, and gave {_shown(proposed)}.")
    iterator, end = iter(proposed), object()
    most = MOST_TEXTS + TEXTS_PER_CHARACTER * len(best)
    for _ in range(most):
        text: object = _in_time(lambda: next(iterator, end))
        if text is end:
            return
        if not isinstance(text, str):
            where = _place(iterator) or _defined(propose)
            raise _BrokenContract(f"{where}: it must yield strings, and gave {_shown(text)}.")
        yield text
    where = _place(iterator) or _defined(propose)
    raise _BrokenContract(f"{where}: it gave {most:,} texts for one of {len(best):,} characters.")


def _defined(function: Callable[..., Any]) -> str:
    """Return the file and the line of the definition of a function."""
    code = getattr(function, "__code__", None)
    if code is None:
        return str(getattr(function, "__qualname__", type(function).__name__))
    return f"{code.co_filename}:{code.co_firstlineno}"


def _place(iterator: object) -> str:
    """Return the file and the line at which a generator waits, or nothing."""
    frame = getattr(iterator, "gi_frame", None)
    return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""


def _shown(value: object) -> str:
    """Return the kind of a value, for a person."""
    return "None" if value is None else f"a value of the type {type(value).__name__}"


class _TooSlow(BaseException):
    """A pass computes for too long; no `except Exception` of its own may catch this."""


def _in_time(call: Callable[[], T]) -> T:
    """Call a pass; return its answer. Raises _BrokenContract if it raises, or takes too long.

    A loop of Python code is ended by a trace function, which sees each of its lines; a program that
    is being debugged has one, and is left alone.
    """
    end = time.monotonic() + MOST_SECONDS

    def watch(frame: FrameType, _event: str, _argument: object) -> Any:
        if time.monotonic() > end:
            raise _TooSlow(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        return watch

    before = sys.gettrace()
    if before is None:
        sys.settrace(watch)
    try:
        return call()
    except SyntaxError:
        raise
    except _TooSlow as slow:
        raise _BrokenContract(f"{slow}: it computes for more than {MOST_SECONDS:g} s.") from None
    except (Exception, SystemExit) as error:
        # The first frames are those of this module, and the last ones may be a library's.
        frames = traceback.extract_tb(error.__traceback__)[2:]
        at = next((f"{each.filename}:{each.lineno}" for each in frames), "It")
        told = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise _BrokenContract(f"{at}: {told}.") from None
    finally:
        sys.settrace(before)
