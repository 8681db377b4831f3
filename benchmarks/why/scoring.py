"""Scores rankings of functions against the functions that a fixing release changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

Function = tuple[str, str]
"""A file, from where packages are installed, and the qualified name of a function in it."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A function of a ranking."""

    function: Function
    failing: int = 0
    """The failing runs that execute its line."""
    passing: int = 0


def rank_of(ranking: Sequence[Suspect], truth: Collection[Function]) -> int | None:
    """Return at which rank the first right function of a ranking stands; None if none does."""
    at = (n for n, each in enumerate(ranking, 1) if each.function in truth)
    return next(at, None)


def rank_by_counts(ranking: Sequence[Suspect], truth: Collection[Function]) -> int | None:
    """Return the same as if equal counts were ties, where a tie counts at its last place.

    That takes the order among functions of equal counts away, whatever it came from.
    """
    at = rank_of(ranking, truth)
    if at is None:
        return None
    found = ranking[at - 1]
    equal = [(each.failing, each.passing) == (found.failing, found.passing) for each in ranking]
    return max(n for n, is_equal in enumerate(equal, 1) if is_equal)


def in_order(functions: Sequence[Function]) -> list[Suspect]:
    """Return a ranking of functions as they come, each once."""
    return [Suspect(function) for function in dict.fromkeys(functions)]


@dataclass(frozen=True, slots=True)
class Share:
    """How many bugs have a right function among the first."""

    bugs: int
    first: int
    three: int

    def told(self) -> tuple[str, str]:
        """Return both shares in percent, with the numbers."""
        return (_percent(self.first, self.bugs), _percent(self.three, self.bugs))


def share(ranks: Mapping[str, int | None]) -> Share:
    """Count the bugs with a right function at rank one, and at one of the first three."""
    found = [rank for rank in ranks.values() if rank is not None]
    return Share(len(ranks), sum(rank == 1 for rank in found), sum(rank <= 3 for rank in found))


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%} ({part})" if whole else "–"
