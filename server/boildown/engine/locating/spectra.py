"""Spectrum-based fault localization: suspicious lines and functions by failing and passing runs.

A line is the more suspicious, the more failing runs execute it, and the fewer passing ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from boildown.folder_text import Line, Place


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place of the program with its function and the runs that execute it."""

    place: Place
    function: str
    """Its qualified name within the file."""
    failing: int
    """How many failing runs execute it."""
    passing: int
    """How many passing ones do."""


def ochiai(failing: int, passing: int, all_failing: int) -> float:
    """Return the suspicion of a line, as A. Ochiai's coefficient (Abreu et al., 2006)."""
    return failing / math.sqrt(all_failing * (failing + passing)) if failing else 0.0


def rank(
    failing: Sequence[Sequence[Place]],
    passing: Sequence[Iterable[Place]],
    functions: Mapping[Place, str],
    stack: Sequence[Line] = (),
) -> list[Ranked]:
    """Return the functions that failing runs execute, best first, by their most suspicious places.

    The first failing run is the one on the smallest input, in the order in which it first executes
    its places. `functions` has the places that may be suspects. `stack` are the lines of the
    traceback, the innermost first: the function in which it ends comes first, unless the runs
    contradict it.
    """
    a = Counter(place for run in failing for place in dict.fromkeys(run))
    b = Counter(place for run in passing for place in set(run))
    order = {place: at for at, place in enumerate(failing[0])}
    best: dict[tuple[str, str], tuple[tuple[float, ...], Ranked]] = {}
    for place in order:
        if (function := functions.get(place)) is None:
            continue
        score = ochiai(a[place], b[place], len(failing))
        key = (score, -_depth(place[:2], stack), order[place])
        found = Ranked(place, function, a[place], b[place])
        scope = place[0], function
        if scope not in best or key > best[scope][0]:
            best[scope] = key, found
    ordered = sorted(best.values(), key=lambda each: each[0], reverse=True)
    ranked = [found for _key, found in ordered]
    ended = _innermost(ranked, functions, stack)
    # A function whose every line passing runs execute as often as failing ones only meets the
    # failure that another one has made: a traceback is followed where the runs don't refute it.
    if ended is not None and ended.failing * len(passing) > ended.passing * len(failing):
        ranked.remove(ended)
        ranked.insert(0, ended)
    return ranked


def _innermost(
    ranked: Sequence[Ranked], functions: Mapping[Place, str], stack: Sequence[Line]
) -> Ranked | None:
    """Return the function in which a traceback ends; where several share a line, the best one."""
    by_line: dict[Line, set[tuple[str, str]]] = {}
    for place, function in functions.items():
        by_line.setdefault(place[:2], set()).add((place[0], function))
    scopes = next((by_line[line] for line in stack if line in by_line), set())
    return next((each for each in ranked if (each.place[0], each.function) in scopes), None)


def _depth(line: Line, stack: Sequence[Line]) -> int:
    return stack.index(line) if line in stack else len(stack)
