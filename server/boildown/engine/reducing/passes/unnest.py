"""Hoists by halves: of many levels that nest in each other, those go at once that may go.

A hoist that removes one level takes a run for each, and `prune` another one for each level that it
can't leave out. Here the levels of a chain are a list: a level is what a node has around the next
node of the same sort inside it, to the left and to the right, and levels go by halves as in delta
debugging (Zeller and Hildebrandt, TSE 2002). For example, `[[[[1]]]]` has four levels `[` and `]`
around `1`; without all of them it is `1`, without the outer two `[[1]]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from boildown.engine.candidates import retext, spliced
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Node, Place, merged

FEWEST_LEVELS = 50
"""Fewer levels are left to the other passes: programs that people write have no more."""
FEWEST_COSTLY = 8
"""Fewer levels are not made cheaper: it takes a stack to overflow, or a counter of levels."""
MOST_CHAINS = 8
"""Chains that are looked at, each in the tree without the one before it."""


def unnest(problem: Problem) -> None:
    """Leave out levels of the longest chain of nested nodes, then of the next, if that helps.

    Costs one run where no level has to stay, and about 2 s log(n/s) where s of n have to.
    """
    for _ in range(MOST_CHAINS):
        _, chain = _chain(problem)
        if len(chain) - 1 < FEWEST_LEVELS or not _halved(problem, chain):
            return


def _chain(problem: Problem) -> tuple[str, list[tuple[int, int]]]:
    """Return the label and the spans of the nodes of one sort on the path down the widest children.

    The sort is the one with the most nodes, of several the one that is met first.
    """
    sorts: dict[str, list[tuple[int, int]]] = {}
    place = Place(problem.tree, 0)
    while isinstance(place.tree, Node) and place.tree.children:
        spans = sorts.setdefault(place.tree.label, [])
        if not spans or spans[-1] != (place.start, place.end):
            spans.append((place.start, place.end))
        place = max(place.children(), key=lambda child: child.tree.width)
    fitting = (each for each in sorts.items() if problem.language.fits(each[0], each[0]))
    return max(fitting, key=lambda each: len(each[1]), default=("", []))


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


def deepen(problem: Problem) -> None:
    """Make all levels of the longest chain like its cheapest, and as many as a smaller text holds.

    A stack overflows by the number of its levels, and a search that takes away level after level
    ends where each of those that are left is costly: `{"":[{"":[` where `[[[[[` has more levels in
    fewer characters. Costs two runs if that does not help, else a few more, by bisection.
    """
    (label, chain), text = _chain(problem), problem.text
    levels = [
        (text[start:inner], text[inner_end:end])
        for (start, end), (inner, inner_end) in pairwise(chain)
    ]
    if len(levels) < FEWEST_COSTLY or len(set(levels)) == 1:
        return
    left, right = min(levels, key=lambda level: (len("".join(level)), level))
    (start, end), (inner, inner_end) = chain[0], chain[-1]
    cores = [text[inner:inner_end]]
    if shortest := problem.language.shortest(label):
        cores.insert(0, shortest)
    for core in cores:

        def nested(number: int, core: str = core) -> Candidate:
            new = left * number + core + right * number
            return retext(problem, text[:start] + new + text[end:])

        low, high = 0, (end - start - len(core) - 1) // len(left + right)
        if problem.consider(nested(high)):
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if problem.consider(nested(middle)) else (middle, high)
            return
