"""How programs report failures: one function per kind finds it in an output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as a program reported it."""

    error: str
    """Its type, such as `TypeError`."""
    place: str = ""
    """File and function of the innermost frame outside the candidate, if there is one."""
    message: str = ""
    """What the program said about it."""


IsOwn: TypeAlias = Callable[[str], bool]
"""Whether a file named in an output is the candidate itself."""
Kind: TypeAlias = Callable[[str, IsOwn], Failure | None]
"""Finds one kind of failure in an output, or nothing."""


def place_of(file: str, function: str = "") -> str:
    """Return a place in words; of the path the last two parts, for the rest may vary."""
    short = "/".join(file.replace("\\", "/").split("/")[-2:])
    return f"{short}: {function}" if function else short
