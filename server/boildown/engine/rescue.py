"""The last resort of a phase: a defect in it costs nothing that the phases before have found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from boildown.engine.oracle import Stop

T = TypeVar("T")
U = TypeVar("U")

OnDefect: TypeAlias = Callable[[str, Exception], None]
"""Takes the name of a phase and the exception that ended it; may raise that."""


def raise_defect(_phase: str, error: Exception) -> None:
    """Raise a defect: for a caller that has nothing to rescue."""
    raise error


def attempted(
    phase: str, work: Callable[[], T], otherwise: U, on_defect: OnDefect = raise_defect
) -> T | U:
    """Return the result of a phase; where a defect ends it, the other one. A stop is none."""
    try:
        return work()
    except Stop:
        raise
    except Exception as error:
        on_defect(phase, error)
        return otherwise
