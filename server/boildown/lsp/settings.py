"""The user's settings: from the initialization options, the editor, and configuration files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boildown import config

APPLY_RESULT = ("edit", "preview")
MAX_SECONDS = 300.0
"""How long a job may take in an editor if the user says nothing."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user chose for a document; the names in the editor are in `docs/protocol.md`."""

    apply_result: str = "preview"
    """For whole documents: "edit" changes the document, "preview" opens the result beside it."""
    max_seconds: float | None = MAX_SECONDS
    """After so many seconds a job ends with the best so far; None: it never does by itself."""
    jobs: int = 1
    """How many runs may be under way at once."""
    inputs: tuple[Any, ...] = ()
    """Entries as `[[input]]` in boildown.toml."""
    problems: tuple[str, ...] = ()
    """What is wrong with the settings, in sentences."""


def read(options: Mapping[str, Any]) -> Settings:
    """Return the settings that a mapping from an editor holds; what makes no sense is a problem."""
    problems: list[str] = []
    values: dict[str, Any] = {"jobs": _cores()}
    apply_result = options.get("applyResult")
    if apply_result in APPLY_RESULT:
        values["apply_result"] = apply_result
    elif apply_result is not None:
        problems.append("boildown.applyResult must be 'edit' or 'preview'.")
    seconds = options.get("maxSeconds")
    if isinstance(seconds, int | float) and _is_number(seconds) and seconds >= 0:
        values["max_seconds"] = float(seconds) or None
    elif seconds is not None:
        problems.append("boildown.maxSeconds must be a number of seconds; 0 means no limit.")
    jobs = options.get("jobs")
    if isinstance(jobs, int) and _is_number(jobs) and jobs >= 0:
        values["jobs"] = jobs or _cores()
    elif jobs is not None:
        problems.append("boildown.jobs must be a whole number; 0 lets Boildown choose.")
    inputs = options.get("inputs")
    if isinstance(inputs, list):
        values["inputs"] = tuple(inputs)
    elif inputs is not None:
        problems.append("boildown.inputs must be a list of entries as in boildown.toml.")
    return Settings(problems=tuple(problems), **values)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(slots=True)
class ConfigFiles:
    """Configuration files, read again when they change."""

    report: Callable[[Path, tuple[config.ConfigProblem, ...]], None]
    """Called with what is wrong in a file when that was read."""
    _found: dict[Path, tuple[object, tuple[config.Entry, ...]]] = field(default_factory=dict)

    def entries(self, directory: Path) -> tuple[config.Entry, ...]:
        """Return the entries of the nearest configuration file in a directory or above it."""
        state = _state(directory)
        known = self._found.get(directory)
        if known is None or known[0] != state:
            path = config.find_config(directory)
            known = (state, ())
            if path is not None:
                entries, problems = config.load(path)
                known = (state, entries)
                self.report(path, problems)
            self._found[directory] = known
        return known[1]


def _state(directory: Path) -> tuple[tuple[str, int, int], ...]:
    """Return what changes when a configuration file in a directory or above it does."""
    state = []
    for place in (directory, *directory.parents):
        for name in (config.NAME, "pyproject.toml"):
            try:
                found = os.stat(place / name)
            except OSError:
                continue
            state.append((str(place / name), found.st_mtime_ns, found.st_size))
    return tuple(state)
