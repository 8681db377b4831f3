"""Spectrum-based fault localization: suspicious lines and functions by failing and passing runs.

A line is the more suspicious, the more failing runs execute it, and the fewer passing ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from boildown.folder_text import Line


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the program with its function and the runs that execute it."""

    line: Line
    function: str
    """Its qualified name within the file."""
    failing: int
    """How many failing runs execute the line."""
    passing: int
    """How many passing ones do."""
    score: float


def ochiai(failing: int, passing: int, all_failing: int) -> float:
    """Return the suspicion of a line, as A. Ochiai's coefficient (Abreu et al., 2006)."""
    return failing / math.sqrt(all_failing * (failing + passing)) if failing else 0.0


def rank(
    failing: Sequence[Sequence[Line]],
    passing: Sequence[Iterable[Line]],
    functions: Mapping[Line, str],
    stack: Sequence[Line] = (),
) -> list[Ranked]:
    """Return the functions that failing runs execute, each by its most suspicious line, best first.

    The first failing run is the one on the smallest input, in the order in which it first executes
    its lines. `functions` has the lines that may be suspects. `stack` are the lines of the
    traceback, the innermost first.
    """
    a = Counter(line for run in failing for line in dict.fromkeys(run))
    b = Counter(line for run in passing for line in set(run))
    order = {line: at for at, line in enumerate(failing[0])}
    best: dict[tuple[str, str], tuple[tuple[float, ...], Ranked]] = {}
    for line in order:
        if (function := functions.get(line)) is None:
            continue
        score = ochiai(a[line], b[line], len(failing))
        key = (score, -_depth(line, stack), order[line])
        found = Ranked(line, function, a[line], b[line], score)
        scope = line[0], function
        if scope not in best or key > best[scope][0]:
            best[scope] = key, found
    ranked = sorted(best.values(), key=lambda each: each[0], reverse=True)
    return [found for _key, found in ranked]


def _depth(line: Line, stack: Sequence[Line]) -> int:
    return stack.index(line) if line in stack else len(stack)
