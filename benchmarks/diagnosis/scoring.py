"""Scores: how far an answer agrees with the truth on texts that Boildown did not make."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.generalize import CONFIDENCE

from boildown.engine.patterns.bounds import upper_bound

FIRST = 200
"""Texts of each kind that an answer is asked about."""
MOST = 1000
"""Texts of each kind, if it is right about all the first ones."""
LONGEST = 2
"""An exact answer is at most so many times as long as the reference law."""
PART_PRECISION = 0.9
PART_RECALL = 0.5
GRADES = ("exact", "in part", "missed")


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer says of texts that fail and of texts that pass."""

    failing: int
    explained: int
    """Of the failing texts, those that the answer matches."""
    passing: int
    wrong: int
    """Of the passing texts, those that it matches."""

    @property
    def recall(self) -> float:
        """The share of the failing texts that is matched."""
        return self.explained / self.failing if self.failing else 0.0

    @property
    def precision(self) -> float | None:
        """The share of the matched texts that fails; None if none is matched.

        It is what would be seen if half of all texts failed, so that it does not depend on how
        many texts of each kind there were.
        """
        if not self.explained + self.wrong:
            return None
        wrong = self.wrong / self.passing if self.passing else 0.0
        return self.recall / (self.recall + wrong)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = (self.precision or 0.0) + self.recall
        return 2 * (self.precision or 0.0) * self.recall / both if both else 0.0

    @property
    def agrees(self) -> bool:
        """Whether the answer is right about every text."""
        return self.explained == self.failing and not self.wrong


def score(matches: Callable[[str], bool], failing: Iterable[str], passing: Iterable[str]) -> Score:
    """Ask an answer about texts of both kinds; about many of them only if it errs in none."""
    fails, passes = iter(failing), iter(passing)
    first = _asked(matches, itertools.islice(fails, FIRST), itertools.islice(passes, FIRST))
    if not first.agrees:
        return first
    rest = MOST - FIRST
    more = _asked(matches, itertools.islice(fails, rest), itertools.islice(passes, rest))
    return Score(
        first.failing + more.failing,
        first.explained + more.explained,
        first.passing + more.passing,
        first.wrong + more.wrong,
    )


def _asked(matches: Callable[[str], bool], failing: Iterable[str], passing: Iterable[str]) -> Score:
    fails, passes = [*map(matches, failing)], [*map(matches, passing)]
    return Score(len(fails), sum(fails), len(passes), sum(passes))


def grade(found: Score, law: str, reference: str) -> str:
    """Say whether a law was found exactly, in part, or missed."""
    enough = min(found.failing, found.passing) >= FIRST
    if found.agrees and enough and len(law) <= LONGEST * len(reference):
        return "exact"
    precise = (found.precision or 0.0) >= PART_PRECISION
    return "in part" if precise and found.recall >= PART_RECALL else "missed"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answer to one failing input of a subject, and its score."""

    subject: str
    input: int
    law: str
    """The pattern or law that was found."""
    grade: str
    precision: float | None
    recall: float
    bound: float | None
    """The stated lower bound of the share of its texts that fail; None if it states none."""
    trials: int
    """Fresh texts of the answer, drawn by Boildown with another seed, that could be judged."""
    reproduced: int
    """Of these, those that fail."""
    runs: int
    seconds: float
    """Processor time that it took, without the program's own."""
    finished: bool
    """False if it ran into a limit."""

    @property
    def violated(self) -> bool:
        """Whether fresh texts refute the stated bound."""
        if self.bound is None or not self.trials:
            return False
        return upper_bound(self.reproduced, self.trials, CONFIDENCE) < self.bound


def missed(subject: str, number: int, why: str) -> Diagnosis:
    """Return the diagnosis of an input to which there was no answer."""
    return Diagnosis(
        subject, number, why, "missed", None, 0.0, None, 0, 0, runs=0, seconds=0.0, finished=False
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """The answer of Boildown or of a peer to the first input of a subject, and its score."""

    subject: str
    tool: str
    found: str
    f1: float
    precision: float | None
    recall: float
    runs: int


@dataclass(frozen=True, slots=True)
class Sum:
    """The figures of many diagnoses."""

    grades: Counter[str]
    precision: float
    """The mean of those that match some text."""
    recall: float
    bounds: int
    """How many state a bound."""
    violated: int
    runs: float
    """The median."""
    seconds: float
    """In all."""
    stopped: int
    """How many ran into a limit."""


def summed(rows: Sequence[Diagnosis]) -> Sum:
    """Sum up diagnoses."""
    precisions = [row.precision for row in rows if row.precision is not None]
    return Sum(
        Counter(row.grade for row in rows),
        statistics.mean(precisions or [0.0]),
        statistics.mean([row.recall for row in rows] or [0.0]),
        sum(row.bound is not None for row in rows),
        sum(row.violated for row in rows),
        statistics.median([row.runs for row in rows] or [0]),
        sum(row.seconds for row in rows),
        sum(not row.finished for row in rows),
    )


def by_subject(rows: Iterable[Diagnosis]) -> Iterator[tuple[str, list[Diagnosis]]]:
    """Yield the diagnoses of each subject, in the order of their inputs."""
    found: dict[str, list[Diagnosis]] = {}
    for row in rows:
        found.setdefault(row.subject, []).append(row)
    for name, own in found.items():
        yield name, sorted(own, key=lambda row: row.input)
