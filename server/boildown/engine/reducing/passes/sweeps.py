"""Sweeps over every single edit of one kind, which certify 1-minimality if none succeeds.

A sweep that finds something is a pass like any other. One that finds nothing has shown the text to
be minimal in its sense. Most of its candidates were tried before and cost no run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations

from boildown import tree as trees
from boildown.engine.candidates import items, parsable, removed, retext
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.passes.perses import replacements
from boildown.tree import Kind, Leaf

LONGEST_RUN = 4
"""Tokens of the longest run that is deleted at once."""
MOST_GROUPS = 10
"""Pairs of brackets in a row between which stretches begin and end; more make too many."""

_TOKEN = re.compile(r"\w+|[^\w\s]")
_BRACKET = re.compile(r"[][(){}]")
_PARTNER = {")": "(", "]": "[", "}": "{"}


def tree_sweep(problem: Problem) -> None:
    """Try to leave out each single list item and optional part, and to hoist each subtree."""
    _sweep(problem, _tree_steps)


def token_sweep(problem: Problem) -> None:
    """Try to leave out each single word or punctuation character."""
    _sweep(
        problem, lambda problem: _cuts(problem, [m.span() for m in _TOKEN.finditer(problem.text)])
    )


def run_sweep(problem: Problem) -> None:
    """Try to leave out runs of two to `LONGEST_RUN` words or punctuation characters.

    Only what can be parsed is tried, for almost all the rest is INVALID.
    """
    for length in range(LONGEST_RUN, 1, -1):
        _sweep(problem, partial(_runs, length=length))


def bracket_sweep(problem: Problem) -> None:
    """Try to delete each pair of brackets with its inside, each pair alone, each inside alone.

    A block in braces may be followed by a semicolon where its last statement had none. Only what
    can be parsed is tried.
    """
    _sweep(problem, lambda problem: _parsed(problem, _brackets(problem)))


def stretches(problem: Problem) -> None:
    """Try to keep one stretch between brackets alone: what is around it may only go together.

    Of the text, and of the inside of each pair of brackets. These are the subsets of ddmin (Zeller
    and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002) that take away
    something on both sides. Only what can be parsed is tried.
    """
    _sweep(problem, lambda problem: _parsed(problem, _stretches(problem)))


def character_sweep(problem: Problem) -> None:
    """Try to leave out each single character."""
    _sweep(
        problem, lambda problem: _cuts(problem, [(at, at + 1) for at in range(len(problem.text))])
    )


def _sweep(
    problem: Problem,
    steps: Callable[[Problem], Iterator[tuple[int, Candidate | None]]],
) -> None:
    """Try all steps from the back to the front, going on from where one succeeded.

    `steps` yields the offset at which a candidate differs from the best text, and the candidate,
    with offsets descending.
    """
    below = len(problem.text)
    while True:
        offsets: list[int] = []

        def rest(offsets: list[int] = offsets, below: int = below) -> Iterator[Candidate | None]:
            for offset, candidate in steps(problem):
                if offset <= below:
                    offsets.append(offset)
                    yield candidate

        hit = problem.consider_first(rest())
        if hit is None:
            return
        below = offsets[hit]


def _cuts(problem: Problem, spans: list[tuple[int, int]]) -> Iterator[tuple[int, Candidate]]:
    text = problem.text
    for start, end in reversed(spans):
        yield start, retext(problem, text[:start] + text[end:])


def _parsed(
    problem: Problem, steps: Iterator[tuple[int, Candidate]]
) -> Iterator[tuple[int, Candidate]]:
    """Yield the steps whose texts parse; all steps where the best text doesn't."""
    worth = parsable(problem)
    return (step for step in steps if worth(step[1].text))


def _runs(problem: Problem, length: int) -> Iterator[tuple[int, Candidate]]:
    spans = [match.span() for match in _TOKEN.finditer(problem.text)]
    runs = zip(spans, spans[length - 1 :], strict=False)
    return _parsed(problem, _cuts(problem, [(first[0], last[1]) for first, last in runs]))


def _brackets(problem: Problem) -> Iterator[tuple[int, Candidate]]:
    text = problem.text
    for start, end in sorted(_pairs(text), reverse=True):
        for left, kept, right in (
            (text[:start], "", text[end:]),
            (text[:start], text[start + 1 : end - 1], text[end:]),
            (text[:start], text[start + 1 : end - 1] + ";", text[end:]),
            (text[: start + 1], "", text[end - 1 :]),
        ):
            yield start, retext(problem, left + kept + right)


def _stretches(problem: Problem) -> Iterator[tuple[int, Candidate]]:
    text = problem.text
    pairs = sorted(_pairs(text), reverse=True)
    for low, high in [*((start + 1, end - 1) for start, end in pairs), (0, len(text))]:
        ends, at = [low], low
        for start, end in reversed(pairs):
            if at <= start and end <= high:
                ends.append(end)
                at = end
        if len(ends) <= MOST_GROUPS:
            for first, last in combinations(ends[1:], 2):
                if last < high:
                    yield low, retext(problem, text[:low] + text[first:last] + text[high:])


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where brackets that close open and end."""
    open_at: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] in _PARTNER.values():
            open_at.append(match.start())
        elif open_at and text[open_at[-1]] == _PARTNER[match[0]]:
            yield open_at.pop(), match.end()


def _tree_steps(problem: Problem) -> Iterator[tuple[int, Candidate | None]]:
    found = sorted(trees.places(problem.tree), key=lambda place: place.start, reverse=True)
    for place in found:
        if isinstance(place.tree, Leaf):
            continue
        if place.tree.kind is Kind.OPTION:
            yield place.start, removed(problem, place)
        for candidate in replacements(problem, place):
            yield place.start, candidate
        if place.tree.kind is Kind.LIST:
            listed = items(problem, place)
            for index in reversed(range(len(listed))):
                yield place.start, listed.without([(index, index + 1)])
