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
from boildown.engine.reducing.indices import index_families
from boildown.engine.reducing.lengths import length_families
from boildown.engine.reducing.links import links as links_of
from boildown.engine.reducing.references import file_families
from boildown.engine.reducing.tables import several_families, stretch_families, table_families

PROBES = 4
"""Single elements of a family that are tried before many at once are."""
SHRUNK = 4
"""A hypothesis that was refuted is tried again where the text is so many times smaller."""
SHORT_TEXT = 1000
"""Of a text of fewer characters, only what was confirmed before or is counted is tried."""
MOST_FAILURES = 30
"""Failures in a row after which it is asked whether any single element goes still."""
MOST_CHANCES = 3
"""Numbers of a sort that count nothing, after which a long text is not searched for more of them.
Programs of csmith have dozens."""
CONFIRMING_SHARE = 0.1
"""Which part of the elements goes where a hypothesis is no accident."""


def links(problem: Problem) -> None:
    """Remove coupled parts together.

    Costs `PROBES` runs for a hypothesis that doesn't hold, else about k log(n/k) runs where k of n
    elements have to stay.
    """
    tried: set[str] = set()
    while _remove_next(problem, tried):
        pass


def _remove_next(problem: Problem, tried: set[str]) -> bool:
    """Remove elements of the next family that some can go of; say whether there was one."""
    known = problem.hypotheses
    length = len(problem.text)
    is_short = length < SHORT_TEXT
    for family in _families(problem):
        is_open = not is_short or family.counted or family.sort in known.confirmed
        if not is_open or family.name in tried or not family.size or _is_chance(problem, family):
            continue
        if SHRUNK * length >= known.refuted.get(family.name, math.inf):
            continue
        tried.add(family.name)
        if removed := _remove(problem, family):
            if removed >= CONFIRMING_SHARE * family.size:
                known.confirmed[family.sort] = None
            return True
        known.refuted[family.name] = length
        if len(problem.text) < length:
            return True
    return False


def _is_chance(problem: Problem, family: Family) -> bool:
    """Say whether the number that counts a family was seen not to, or others like it were."""
    known = problem.hypotheses
    if family.uncounted is None or family.sort in known.confirmed:
        return False
    alike = [*known.chance.values()].count(family.sort)
    is_doubted = alike >= MOST_CHANCES and len(problem.text) >= SHORT_TEXT
    return is_doubted or family.number in known.chance


def _families(problem: Problem) -> Iterator[Family]:
    """Yield all families, those of sorts that were confirmed before first."""
    confirmed = problem.hypotheses.confirmed
    later = []
    found = links_of(problem.tree, problem.text)
    for family in chain(
        file_families(problem),
        table_families(problem),
        definition_families(problem, found),
        index_families(problem, found),
        length_families(problem, found),
        stretch_families(problem.text),
        several_families(problem),
    ):
        if family.sort in confirmed:
            yield family
        else:
            later.append(family)
    yield from later


def _remove(problem: Problem, family: Family) -> int:
    """Remove the elements that can go; return how many went."""
    text = problem.text
    left = list(range(family.size))
    gone: list[int] = []

    def candidate(elements: Sequence[int], without: Removal = family.without) -> Candidate | None:
        splices = without([*gone, *elements])
        if splices is None:
            return None
        wanted = spliced(text, splices, "" if family.exact else problem.language.gap)
        return Candidate(wanted, lambda: problem.language.parse(wanted).tree)

    def removed(ranges: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
        """Remove the first of some ranges that can go; return it."""
        hit = problem.consider_first(candidate(left[low:high]) for low, high in ranges)
        if hit is None:
            return None
        low, high = ranges[hit]
        gone.extend(left[low:high])
        del left[low:high]
        return low, high

    def one_more() -> bool:
        """Remove one of a few single elements; say whether one can go."""
        return removed([(at, at + 1) for at in spread(len(left), PROBES)]) is not None

    if not one_more():
        return 0
    if family.uncounted and problem.view().consider(candidate([], family.uncounted)):
        # What can go while the number stays is not what it counts.
        problem.hypotheses.chance[family.number] = family.sort
        return 0
    chunk = len(left)
    failures = 0
    while chunk:
        high = len(left)
        while high > 0:
            ends = range(high, 0, -chunk)[: MOST_FAILURES - failures]
            ranges = [(max(end - chunk, 0), end) for end in ends]
            cut = removed(ranges)
            if cut is None:
                failures += len(ranges)
                break
            failures = 0
            high = cut[0]
        if failures >= MOST_FAILURES:
            if not one_more() and len(left) > MOST_FAILURES:
                break
            failures = 0
        chunk = min(chunk, len(left)) // 2
    return len(gone)
