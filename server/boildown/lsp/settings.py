"""The user's settings: from the initialization options, the editor, and configuration files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from boildown import config
from boildown.lsp import readers

_LONGEST = 1e9
"""Seconds, some thirty years: more is a mistake, and need not fit into a float."""
MAX_SECONDS = 300.0
"""How long a job may take in an editor if the user says nothing."""


def _python(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _is_true(value: object) -> bool:
    return value is True


def _seconds(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _LONGEST:
        raise ValueError("must be a number of seconds; 0 means no limit")
    return float(value) or None


def _jobs(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("must be a whole number; 0 lets Boildown choose")
    return value or _cores()


def _inputs(value: object) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ValueError("must be a list of entries as in boildown.toml")
    return tuple(value)


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """The initialization options that are no settings; one that makes no sense is off."""

    trusted: Annotated[bool, _is_true] = True
    """Whether commands may be run; a client without the notion of trust says nothing."""
    test_interpreter: Annotated[tuple[str, ...], _python] = ()
    """The Python that runs pytest for string literals; empty: the project's own."""
    live_progress: Annotated[bool, _is_true] = False
    """Whether the client draws jobs and patterns by itself."""
    diff_preview: Annotated[bool, _is_true] = False
    """Whether the client compares and applies results by itself."""
    message_choices: Annotated[bool, _is_true] = False
    """Whether the client draws messages with choices, and asks for what is missing, by itself."""


def read_options(given: Mapping[str, Any]) -> ClientOptions:
    """Return the initialization options that are no settings."""
    values, _ = readers.read(ClientOptions, given)
    return ClientOptions(**values)


@dataclass(frozen=True, slots=True)
class Settings:
    """The user's settings for a document; the names in the editor are in `docs/protocol.md`."""

    apply_result: Annotated[str, readers.one_of(("edit", "preview"))] = "preview"
    """For whole documents: "edit" changes the document, "preview" opens the result beside it."""
    max_seconds: Annotated[float | None, _seconds] = MAX_SECONDS
    """After so many seconds a job ends with the best so far; None: it never does by itself."""
    jobs: Annotated[int, _jobs] = field(default_factory=_cores)
    """How many runs may be under way at once."""
    inputs: Annotated[tuple[Any, ...], _inputs] = ()
    """Entries as `[[input]]` in boildown.toml."""
    code_lens: Annotated[bool, readers.boolean] = True
    """Whether a failing test gets a code lens."""
    problems: tuple[str, ...] = ()
    """The values that make no sense, in sentences."""


def read(given: Mapping[str, Any]) -> Settings:
    """Return the settings in a mapping from an editor; values without sense are problems."""
    present = {key: value for key, value in given.items() if value is not None}
    values, wrong = readers.read(Settings, present)
    problems = tuple(f"boildown.{key} {sentence}." for key, sentence in wrong.items())
    return Settings(**values, problems=problems)


class _ConfigFile(NamedTuple):
    """The entries of a configuration file, with the state of the files when it was read."""

    state: object
    entries: tuple[config.InputEntry, ...] = ()
    problems: tuple[config.ConfigProblem, ...] = ()


@dataclass(slots=True)
class ConfigFiles:
    """Configuration files, read again when they change."""

    report: Callable[[Path, tuple[config.ConfigProblem, ...]], None]
    """Called with the problems of a file when that was read."""
    _found: dict[Path, _ConfigFile] = field(default_factory=dict)

    def entries(self, directory: Path) -> tuple[config.InputEntry, ...]:
        """Return the entries of the nearest configuration file in a directory or above it."""
        return self._read(directory).entries

    def problem(self, directory: Path) -> config.ConfigProblem | None:
        """Return the first problem of that file, if it has any."""
        return next(iter(self._read(directory).problems), None)

    def _read(self, directory: Path) -> _ConfigFile:
        state = _state(directory)
        known = self._found.get(directory)
        if known is None or known.state != state:
            path = config.find_config(directory)
            known = _ConfigFile(state)
            if path is not None:
                known = _ConfigFile(state, *config.load(path))
                self.report(path, known.problems)
            self._found[directory] = known
        return known


def _state(directory: Path) -> tuple[tuple[str, int, int], ...]:
    """Return the time stamps and sizes of the configuration files in a directory and above."""
    state = []
    for place in (directory, *directory.parents):
        for name in (config.NAME, "pyproject.toml"):
            try:
                found = os.stat(place / name)
            except OSError:
                continue
            state.append((str(place / name), found.st_mtime_ns, found.st_size))
    return tuple(state)
