"""A subject: a failing input, its program, and the smallest text known that fails reliably."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Subject:
    """A failing input whose failure depends on more than its text."""

    name: str
    kind: str
    """What the failure depends on."""
    file: str
    """The name of the input."""
    text: str
    command: tuple[str, ...]
    """In a folder with `files`; the input's name comes last. {python} is the interpreter of `pip`,
    or else this one, without packages."""
    best: str
    """The smallest text known whose rate of failure is at least 99 % of the original's."""
    how: str
    """How `best` was found, and at which rate it fails."""
    options: tuple[str, ...] = ()
    """Of `boildown reduce`, where it would take another failure for the same."""
    shows: str = ""
    """A regular expression for exit status and output of a run that fails."""
    made: bool = False
    """Whether the program is one of `laws`, so that rates are known exactly."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further files by name."""
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    """What is installed for it, into a folder of its own."""
    needs: tuple[str, ...] = ()
    """Programs of the machine."""
