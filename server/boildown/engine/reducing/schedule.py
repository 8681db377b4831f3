"""Schedules passes by their yield in this job: how long each may go on without success.

A pass that found something after so many failures may find the next thing after as many, and one
that has never found anything won't on a text that is nearly the same. So the end of a job, where
little is left to find, is not spent on asking again for what it has not seen. Only outcomes in
their order count, no time, so the schedule is the same for any number of workers.
"""

from __future__ import annotations

from dataclasses import dataclass

from boildown.engine.problem import Problem
from boildown.engine.reducing.passes import Pass

LEAST_PATIENCE = 10
"""Failures in a row that a pass may always have."""
PATIENCE_GROWTH = 2
"""A pass may fail so many times as often in a row as it did before a success."""
FAILURE_CHARACTERS = 4
"""A pass that is run again may fail once in a row for so many characters of the text."""
FRESH_SHARE = 0.5
"""A pass that found nothing is run again where the text came down to this share of its length."""


@dataclass(slots=True)
class _Record:
    """The yield of a pass so far."""

    length: int
    """Characters of the text at which its patience was last that of the catalogue."""
    row: int | None = None
    """The most failures in a row that ended in a success; None if it never had one."""
    fruitless: int = 0
    """How many times it was run since its last success."""


class Schedule:
    """The records of all passes of a job."""

    def __init__(self) -> None:
        self._records: dict[str, _Record] = {}
        self._before = ""

    def begin(self, each: Pass, problem: Problem) -> bool:
        """Give a pass the patience that it deserves; return False if it is to be left out.

        A pass that certifies has to go through with it, and has all the patience there is.
        """
        length = len(problem.text)
        record = self._records.setdefault(each.name, _Record(length))
        is_fresh = record.length == length or length <= record.length * FRESH_SHARE
        if not is_fresh and record.row is None and each.certifies is None:
            return False
        if is_fresh:
            record.length = length
        patience = self._patience(each, record, None if is_fresh else length)
        problem.start(patience, mends=each.certifies is None)
        self._before = problem.text
        return True

    def end(self, each: Pass, problem: Problem) -> None:
        """Note the gain of the pass that was begun."""
        record = self._records[each.name]
        if problem.text != self._before:
            record.row = max(record.row or 0, problem.longest_row)
            record.fruitless = 0
        else:
            record.fruitless += 1

    def _patience(self, each: Pass, record: _Record, length: int | None) -> int | None:
        """Return how many failures in a row a pass may have; None if any number.

        `length` is that of the text, None where the pass is run on such a one for the first time.
        """
        if each.certifies is not None:
            return None
        most = [] if each.patience is None else [each.patience]
        if length is not None:
            most.append(LEAST_PATIENCE + PATIENCE_GROWTH * (record.row or 0))
            most.append(length // FAILURE_CHARACTERS)
        return max(min(most) >> record.fruitless, LEAST_PATIENCE) if most else None
