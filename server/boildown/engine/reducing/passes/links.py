"""Removes links as a whole: a part with all that refers to it, or with the number of such parts.

Parts that are coupled can't go one by one, so every other pass stands still. Here a hypothesis says
which edits go together. A few single elements of it are tried first; if none of them can go it is
refuted, and costs no further run in the job. Otherwise elements go many at once, by halves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

from boildown.engine.candidates import spliced
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.coupling import Family, Removal, definition_families, spread
from boildown.engine.reducing.links import links as links_of
from boildown.engine.reducing.tables import stretch_families, table_families

PROBES = 4
"""Single elements of a family that are tried before many at once are."""
SHRUNK = 4
"""A hypothesis that was refuted is tried again where the text is so many times smaller."""
SHORT_TEXT = 1000
"""Of a text of fewer characters, only what was confirmed before or is counted is tried."""
MOST_FAILURES = 30
"""Failures in a row after which smaller chunks are tried, and after single elements none."""


def links(problem: Problem) -> None:
    """Remove coupled parts together.

    Costs `PROBES` runs for a hypothesis that doesn't hold, else about k log(n/k) runs where k of n
    elements have to stay.
    """
    tried: set[str] = set()
    is_short = len(problem.text) < SHORT_TEXT
    while _remove_next(problem, tried, is_short):
        pass


def _remove_next(problem: Problem, tried: set[str], is_short: bool) -> bool:
    """Remove elements of the next family that some can go of; say whether there was one."""
    known = problem.hypotheses
    length = len(problem.text)
    families = _families(problem)
    for family in families:
        is_open = not is_short or family.counted or family.sort in known.confirmed
        if not is_open or family.name in tried or not family.size:
            continue
        if SHRUNK * length >= known.refuted.get(family.name, math.inf):
            continue
        tried.add(family.name)
        if _remove(problem, family):
            known.confirmed[family.sort] = None
            return True
        known.refuted[family.name] = length
        if len(problem.text) < length:
            return True
    return False


def _families(problem: Problem) -> Iterator[Family]:
    """Yield all families, those of sorts that were confirmed before first."""
    confirmed = problem.hypotheses.confirmed
    later = []
    for family in chain(
        table_families(problem),
        definition_families(problem, links_of(problem.tree, problem.text)),
        stretch_families(problem.text),
    ):
        if family.sort in confirmed:
            yield family
        else:
            later.append(family)
    yield from later


def _remove(problem: Problem, family: Family) -> bool:
    """Remove the elements that can go; say whether any can."""
    text = problem.text
    left = list(range(family.size))
    gone: list[int] = []

    def candidate(elements: Sequence[int], without: Removal = family.without) -> Candidate | None:
        splices = without([*gone, *elements])
        if splices is None:
            return None
        wanted = spliced(text, splices, problem.language.gap)
        return Candidate(wanted, lambda: problem.language.parse(wanted).tree)

    ways = [family.without] if family.uncounted is None else [family.uncounted, family.without]
    some = spread(family.size, PROBES // len(ways))
    probes = [(at, way) for at in some for way in ways]
    hit = problem.consider_first(candidate([at], way) for at, way in probes)
    if hit is None or probes[hit][1] is not family.without:
        # What can go while the number stays is not what it counts.
        return False
    gone.append(probes[hit][0])
    left.remove(probes[hit][0])
    chunk = len(left)
    while chunk:
        high = len(left)
        while high > 0:
            ends = range(high, 0, -chunk)[:MOST_FAILURES]
            ranges = [(max(end - chunk, 0), end) for end in ends]
            hit = problem.consider_first(candidate(left[low:end]) for low, end in ranges)
            if hit is None:
                break
            low, end = ranges[hit]
            gone += left[low:end]
            del left[low:end]
            high = low
        chunk = min(chunk, len(left)) // 2
    return True
