"""Follows the smallest input and a passing one through one function: where they part, and why.

Both are run once more under an observer that notes each step through that function of Python, with
the values of its names. In other languages it is read off the places that they have executed.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boildown.engine.difference import changed
from boildown.engine.locating.branches import (
    CALL,
    Statement,
    TraceStep,
    branch,
    ends_raising,
    origins,
    parting,
)
from boildown.folder_text import Line, Place
from boildown.languages.python_functions import statements_by_line
from boildown.runner.command import TestCommand
from boildown.runner.judging.judge import Expected
from boildown.runner.observation import SLOWER, observing
from boildown.runner.run import Run
from boildown.runner.runner import Runner


@dataclass(frozen=True, slots=True)
class Branch:
    """The branch at which the closest passing input goes another way than the smallest input."""

    file: str
    """Its path, as that of a suspect."""
    line: int
    """In lines of the file, from 1."""
    text: str
    """The line as it stands there, without its indentation."""
    input: str
    """The passing input."""
    failing_line: int | None
    """The one of the lines that comes next in the failing run; None if the function ends there."""
    passing_line: int | None
    """The one of the lines that comes next in the passing run."""
    failing: Mapping[str, str] = field(default_factory=dict)
    """Values of the names in the line in the failing run, as text; of Python alone."""
    passing: Mapping[str, str] = field(default_factory=dict)
    """Those in the passing run."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A line from which a name in the failing expression has its value."""

    file: str
    """Its path; that of the caller, if the value is an argument."""
    line: int
    """In lines of the file, from 1."""
    text: str
    """The line as it stands there, without its indentation."""
    name: str
    """The name in the failing expression, or in a line that is named before."""
    value: str
    """Its value, as text."""
    values: Mapping[str, str] = field(default_factory=dict)
    """Values of the other names in the line at that time."""


@dataclass(frozen=True, slots=True)
class Following:
    """The command, the failure and the line to follow two inputs through a function."""

    command: TestCommand
    expected: Expected
    line: Line
    own: Callable[[str, Run], str]
    """Returns the path that a file of a run has for the user."""
    source: Callable[[str], str]
    """Returns the text of a file."""

    def look(
        self, failing: str, passing: str | None, stopped: Callable[[], bool]
    ) -> tuple[Branch | None, tuple[Assignment, ...]]:
        """Run both; raises CannotRun and Stop. A run that ends in another way tells nothing."""
        followed = os.path.basename(self.line[0]), self.line[1]
        limit = self.expected.timeout and self.expected.timeout * SLOWER
        expected = replace(self.expected, timeout=limit)
        with (
            observing(self.command, followed=followed) as (observed, take),
            Runner(observed, 1, stopped) as runner,
        ):

            def steps(text: str, fails: bool) -> tuple[Sequence[TraceStep], Run] | None:
                verdict, run = runner.verdict(text, expected)
                found = take(self.source).steps
                return (found, run) if verdict.reproduced is fails else None

            first = steps(failing, True)
            other = None if passing is None else steps(passing, False)
        if first is None:
            return None, ()
        parts = None
        if passing is not None and other is not None:
            parts = self._branch(first[0], other[0], passing)
        return parts, self._assignments(*first, parts)

    def _branch(
        self, failing: Sequence[TraceStep], passing: Sequence[TraceStep], text: str
    ) -> Branch | None:
        found = branch(failing, passing, self.line[1])
        if found is None:
            return None
        file, line = self.line[0], found.failing.line
        return Branch(
            file,
            line,
            self._text(file, line),
            text,
            found.failing_next,
            found.passing_next,
            self._values(found.failing, line),
            self._values(found.passing, line),
        )

    def _assignments(
        self, steps: Sequence[TraceStep], run: Run, parts: Branch | None
    ) -> tuple[Assignment, ...]:
        """Return where names have their values from: of the failing line, or of the branch."""
        raising = ends_raising(steps)
        statements = self._statements(self.line[0])
        from_there = origins(steps, raising.line if raising else self.line[1], statements)
        if not from_there and parts is not None:
            from_there = origins(steps, parts.line, statements)
        found = []
        for each in from_there:
            file = self.line[0]
            if each.step.event == CALL:
                file = self.own(each.step.file, run)
            values = self._values(each.step, each.step.line, file)
            text = self._text(file, each.step.line)
            values.pop(each.name, None)
            found.append(Assignment(file, each.step.line, text, each.name, each.value, values))
        return tuple(found)

    def _values(self, step: TraceStep, line: int, file: str = "") -> dict[str, str]:
        """Return the values of the names that stand in a line."""
        statement = self._statements(file or self.line[0]).get(line)
        names = sorted({*statement.reads, *statement.writes}) if statement else ()
        return {name: step.values[name] for name in names if name in step.values}

    def _statements(self, file: str) -> Mapping[int, Statement]:
        return statements_by_line(self.source(file))

    def _text(self, file: str, line: int) -> str:
        return _line_of(self.source(file), line)


def _line_of(source: str, line: int) -> str:
    lines = source.splitlines()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def branch_by_places(
    line: Line, source: str, failing: Collection[Place], text: str, passing: Collection[Place]
) -> Branch | None:
    """Return the branch in the function of a line by the places of it that two runs execute.

    `source` is the text of its file, and `text` the passing input.
    """

    def depth(place: Place) -> int:
        told = lines[place[1] - 1] if place[1] <= len(lines) else ""
        # The other ways of a condition belong to it, though they may not be indented.
        is_other = re.match(r"\s*(?:\}\s*)?(?:else|case|default)\b", told) is not None
        return place[2] or len(told) - len(told.lstrip()) + is_other

    lines = source.splitlines()
    found = parting(failing, passing, (*line, sys.maxsize), depth)
    if found is None:
        return None
    (file, number, _column), in_failing, in_passing = found
    nexts = in_failing and in_failing[1], in_passing and in_passing[1]
    return Branch(file, number, _line_of(source, number), text, *nexts)


def closest(
    text: str, executed: frozenset[Place], passing: Sequence[tuple[str, frozenset[Place]]]
) -> tuple[str, frozenset[Place]] | None:
    """Return the passing input that is closest to a failing one, of those that enter a function.

    Each comes with what it executes of the function; one that executes the same goes no other way,
    so that others are preferred.
    """

    def distance(each: tuple[str, frozenset[Place]]) -> tuple[bool, int, int]:
        start, end, new = changed(text, each[0])
        return each[1] == executed, max(end, new) - start, len(each[1] ^ executed)

    return min((each for each in passing if each[1]), key=distance, default=None)
