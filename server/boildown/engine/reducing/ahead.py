"""Tries the candidates of one unit of a text after the other, ahead of the verdicts on them.

A unit, such as a node or a token, often has but one or two candidates. Where `consider_first` gets
those of one unit at a time, workers wait for the verdict on it before the next one is begun. Here
it gets those of all units, as if each failed, up to the one that reproduces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from boildown.engine.problem import Candidate, Problem


@dataclass(frozen=True, slots=True)
class Attempt:
    """The candidates of one unit."""

    candidates: Iterable[Candidate | None]
    accepted: Callable[[int], Iterator[Attempt]]
    """Returns the attempts that follow where the candidate with an index was accepted."""


def try_all(problem: Problem, attempts: Iterator[Attempt]) -> None:
    """Make attempts, which are those that follow as long as all fail."""
    while True:
        taken: list[tuple[Attempt, int]] = []
        hit = problem.consider_first(_candidates(attempts, taken))
        if hit is None:
            return
        attempt, index = taken[hit]
        attempts = attempt.accepted(index)


def _candidates(
    attempts: Iterator[Attempt], taken: list[tuple[Attempt, int]]
) -> Iterator[Candidate | None]:
    for attempt in attempts:
        for index, candidate in enumerate(attempt.candidates):
            taken.append((attempt, index))
            yield candidate
