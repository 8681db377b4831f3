"""Hoists by halves: of many levels that nest in each other, those go at once that may go.

A hoist that removes one level takes a run for each, and `prune` another one for each level that it
can't leave out. Here the levels of a chain are a list: a level is what a node has around the next
node of the same sort inside it, to the left and to the right, and levels go by halves as in delta
debugging (Zeller and Hildebrandt, TSE 2002). For example, `[[[[1]]]]` has four levels `[` and `]`
around `1`; without all of them it is `1`, without the outer two `[[1]]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from boildown.engine.candidates import spliced
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Node, Place, merged

FEWEST_LEVELS = 50
"""Fewer levels are left to the other passes: programs that people write have no more."""
MOST_CHAINS = 8
"""Chains that are looked at, each in the tree without the one before it."""


def unnest(problem: Problem) -> None:
    """Leave out levels of the longest chain of nested nodes, then of the next, if that helps.

    Costs one run where no level has to stay, and about 2 s log(n/s) where s of n have to.
    """
    for _ in range(MOST_CHAINS):
        chain = _chain(problem)
        if len(chain) - 1 < FEWEST_LEVELS or not _halved(problem, chain):
            return


def _chain(problem: Problem) -> list[tuple[int, int]]:
    """Return the spans of the nodes of one sort on the path down the widest children.

    The sort is the one with the most nodes, of several the one that is met first.
    """
    sorts: dict[str, list[tuple[int, int]]] = {}
    place = Place(problem.tree, 0)
    while isinstance(place.tree, Node) and place.tree.children:
        spans = sorts.setdefault(place.tree.label, [])
        if not spans or spans[-1] != (place.start, place.end):
            spans.append((place.start, place.end))
        place = max(place.children(), key=lambda child: child.tree.width)
    fitting = (spans for label, spans in sorts.items() if problem.language.fits(label, label))
    return max(fitting, key=len, default=[])


def _halved(problem: Problem, chain: list[tuple[int, int]]) -> bool:
    """Leave out levels, all of them or by halves; say whether any went."""
    text, language = problem.text, problem.language
    gone: list[tuple[int, int]] = []

    def without(ranges: list[tuple[int, int]]) -> Candidate:
        lefts = [(chain[low][0], chain[high][0], "") for low, high in merged(ranges)]
        rights = [(chain[high][1], chain[low][1], "") for low, high in reversed(merged(ranges))]
        wanted = spliced(text, [*lefts, *rights], language.gap)
        return Candidate(wanted, lambda: language.parse(wanted).tree)

    row = [(0, len(chain) - 1)]
    while row:
        halves: list[tuple[int, int]] = []
        at = 0
        while at < len(row):
            rest = row[at:]

            def candidates(rest: list[tuple[int, int]] = rest) -> Iterator[Candidate]:
                for each in rest:
                    yield without([*gone, each])

            hit = problem.consider_first(candidates())
            failed = rest if hit is None else rest[:hit]
            for low, high in failed:
                if high - low > 1:
                    middle = (low + high) // 2
                    halves += [(middle, high), (low, middle)]
            at += len(failed)
            if hit is not None:
                gone.append(row[at])
                at += 1
        row = halves
    return bool(gone)
