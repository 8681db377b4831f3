"""Ranks the functions of a failing program by the runs of its reduction: where the bug may be.

The smallest input and candidates close to it, failing and passing ones, are run again under an
observer, which notes the lines that they execute. A ranking is a hint, and no proof.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from boildown.engine.locating.choosing import (
    MOST_FAILING,
    MOST_PASSING,
    failing_texts,
    neighbours,
    telling,
)
from boildown.engine.locating.spectra import Ranked, rank
from boildown.engine.oracle import Outcome, Stop, Verdict
from boildown.engine.rescue import attempted
from boildown.folder_text import Line, Place, unpacked
from boildown.jobs.branching import Assignment, Branch, Following, branch_by_places, closest
from boildown.jobs.events import Progress, See, in_runs, size
from boildown.jobs.reduce import Reduced, reduce
from boildown.jobs.work import JobOptions, Work, prepared
from boildown.languages.python_functions import functions_by_line
from boildown.runner.advice import Message
from boildown.runner.command import TestCommand
from boildown.runner.judging.failures.managed import javascript_stack
from boildown.runner.judging.failures.python import stack_of
from boildown.runner.judging.failures.sanitizers import sanitizer_stack
from boildown.runner.judging.signature import unmirrored
from boildown.runner.judging.sources import source_text
from boildown.runner.observation import SLOWER, Take, observing
from boildown.runner.run import CannotRun, Run
from boildown.runner.runner import Runner

__all__ = ["Suspect", "Why", "why", "why_of"]

MOST_RUNS = 60
"""Runs under the observer."""
_MOST_SUSPECTS = 20
"""Suspects that programs get."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A line of the failing program in whose function the bug may be."""

    file: str
    """Its path; relative to the input if that is a folder which holds it."""
    line: int
    """In lines of the file, from 1."""
    function: str
    """The qualified name of its function within the file."""
    text: str
    """The line as it stands there, without its indentation."""
    failing: int
    """How many of the failing runs executed it."""
    passing: int
    """How many of the passing runs did."""


@dataclass(frozen=True, slots=True)
class Why:
    """A ranking of the functions in which the bug may be, by the runs that executed their lines.

    >>> from boildown import why
    >>> _, found = why("orders.json", "python receipts.py orders.json")
    >>> found.suspects[0].line, found.traced_runs <= 60
    (18, True)
    """

    suspects: tuple[Suspect, ...] = ()
    """The most suspicious function first, each by one line of it."""
    failing_runs: int = 0
    """Failing runs that were compared."""
    passing_runs: int = 0
    """Passing runs that were compared."""
    traced_runs: int = 0
    """All runs under the observer, those among them that were not compared."""
    notes: tuple[Message, ...] = ()
    """Sentences on what could not be seen."""
    branch: Branch | None = None
    """Where a passing input goes another way in the function of the first suspect."""
    assignments: tuple[Assignment, ...] = ()
    """Where names of the failing expression there have their values from; in Python."""

    def is_telling(self, suspect: Suspect) -> bool:
        """Say whether a greater share of failing runs than of passing ones executed a line.

        Raises nothing.

        >>> from boildown import why
        >>> _, found = why("orders.json", "python receipts.py orders.json", max_runs=40)
        >>> found.is_telling(found.suspects[0])
        True
        """
        return suspect.failing * self.passing_runs > suspect.passing * self.failing_runs


def why(
    text: str,
    command: TestCommand,
    options: JobOptions | None = None,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Reduced, Why]:
    """Reduce a failing input, and rank the functions in which the bug may be.

    Raises what `reduce` does.
    """
    options = options or JobOptions()
    reduced = reduce(text, command, options, see, stopped)
    return reduced, why_of(reduced, command, options, see, stopped)


def why_of(
    reduced: Reduced,
    command: TestCommand,
    options: JobOptions,
    see: See,
    stopped: Callable[[], bool],
) -> Why:
    """Rank the functions in which the bug of a reduction may be. A stop is no error."""
    work = prepared(reduced.reduction.text, command, options, see, stopped)
    looking = _Looking(reduced, command, work)
    if reduced.start is None or reduced.run is None:
        work.note("The result was not run to its end.", "why-not-run")
        return Why(notes=tuple(work.notes))

    def look() -> None:
        try:
            with (
                observing(replace(command, cluster=None), "installed") as (observed, take),
                Runner(observed, 1, stopped) as runner,
            ):
                looking.look(runner, take)
        except CannotRun as error:
            work.note(error.message)

    try:
        attempted("why", look, None, work.defect)
    except Stop:
        work.note("It was stopped early.", "why-stopped")
    found = attempted("why", looking.found, Why(notes=tuple(work.notes)), work.defect)
    return attempted("why", partial(looking.followed, found, stopped), found, work.defect)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A run under the observer."""

    text: str
    run: Run
    places: tuple[Place, ...]
    functions: Mapping[Place, str]
    """The names of functions, as far as the runtime tells them."""

    def function(self, place: Place, sources: _Sources) -> str | None:
        """Return the function that a place belongs to; None or nothing for no suspect."""
        return self.functions.get(place) or sources.function(place[:2])


@dataclass(slots=True)
class _Looking:
    """The state of a search for the lines that tell failing runs from passing ones."""

    reduced: Reduced
    command: TestCommand
    work: Work
    failing: list[_Seen] = field(default_factory=list)
    passing: list[_Seen] = field(default_factory=list)
    runs: int = 0
    dropped: int = 0
    """Runs whose verdict was another one than without the observer."""
    remarks: set[str] = field(default_factory=set)

    def look(self, runner: Runner, take: Take) -> None:
        """Run the smallest input and others around it; raises Stop and CannotRun."""
        reduction = self.reduced.reduction
        run = partial(self._run, runner, take)
        run(reduction.text, True)
        if not self.failing:
            self.work.note(
                "The smallest input does not fail in the same way while its lines are noted,"
                " so nothing can be said.",
                "why-observed",
            )
            return
        if not self.failing[0].places:
            self.work.note(_unseen(self.remarks), "why-unseen")
            return
        for text in failing_texts([step.text for step in reduction.history]):
            run(text, True)
        # A quarter of the runs is left for neighbours that the reduction had no reason to try.
        most = (MOST_RUNS - self.runs) * 3 // 4
        for text in reduction.tried.around(reduction.text, most):
            run(text, False)
        known = {reduction.text, *(each.text for each in (*self.failing, *self.passing))}
        original = reduction.history[0].text
        for text in neighbours(reduction.text, original, self.work.language):
            if self.runs >= MOST_RUNS or self._is_enough():
                break
            if text not in known:
                known.add(text)
                run(text, None)

    def _is_enough(self) -> bool:
        return len(self.failing) >= MOST_FAILING and len(self.passing) >= MOST_PASSING

    def _run(self, runner: Runner, take: Take, text: str, fails: bool | None) -> None:
        """Run a text, and keep the lines of the run if its verdict is the one that is known."""
        assert self.reduced.start is not None
        if self.runs >= MOST_RUNS:
            return
        expected = self.reduced.start.expected
        expected = replace(expected, timeout=expected.timeout and expected.timeout * SLOWER)
        verdict, run = runner.verdict(text, expected)
        sources = _Sources(self._files(text))
        found = take(lambda file: sources.text(self._own(file, run)))
        self.runs += 1
        self.remarks |= found.remarks
        self._progress()
        if self.failing and not found.places:
            return
        if not self._is_kept(verdict, fails):
            self.dropped += fails is not None
            return
        own = {file: self._own(file, run) for file in {place[0] for place in found.places}}

        def owned(place: Place) -> Place:
            return own[place[0]], *place[1:]

        places = tuple(map(owned, found.places))
        functions = {owned(place): name for place, name in found.functions.items()}
        seen = self.failing if verdict.reproduced else self.passing
        seen.append(_Seen(text, run, places, functions))

    @staticmethod
    def _is_kept(verdict: Verdict, fails: bool | None) -> bool:
        if verdict.outcome is Outcome.TIMEOUT or verdict.outcome is Outcome.INVALID:
            return False
        return fails is None or verdict.reproduced is fails

    def _own(self, file: str, run: Run) -> str:
        """Return the path that a file of a run has for the user, who has no copies."""
        if self.command.folder:
            inner = os.path.relpath(file, os.path.realpath(run.file))
            return file if inner.startswith("..") else inner
        return unmirrored(file, run.file, str(self.command.input_path))

    def _progress(self) -> None:
        text, before = self.reduced.reduction.text, self.reduced.reduction.history[0].text
        seconds = self.work.elapsed()
        self.work.see(Progress("why", self.runs, size(before), size(text), seconds, text))

    def found(self) -> Why:
        """Return the ranking by the runs so far."""
        passing = telling([each.places for each in self.passing], self._smallest)
        self._tell(len(passing))
        suspects = self._suspects(passing) if self.failing else ()
        return Why(
            tuple(islice(suspects, _MOST_SUSPECTS)),
            len(self.failing),
            len(passing),
            self.runs,
            tuple(self.work.notes),
        )

    def followed(self, found: Why, stopped: Callable[[], bool]) -> Why:
        """Return a ranking with the branch in its first function, and the values that led there."""
        assert self.reduced.start is not None
        first = found.suspects[0] if found.suspects else None
        if first is None or not found.is_telling(first):
            return found
        smallest, line = self.failing[0], (first.file, first.line)
        sources = _Sources(self._files(smallest.text))

        def inner(seen: _Seen) -> frozenset[Place]:
            return frozenset(
                place
                for place in seen.places
                if place[0] == first.file and seen.function(place, sources) == first.function
            )

        passing = [(each.text, inner(each)) for each in self.passing]
        other = closest(smallest.text, inner(smallest), passing)
        if not first.file.endswith(".py"):
            source = sources.text(first.file)
            parts = other and branch_by_places(line, source, inner(smallest), *other)
            return replace(found, branch=parts)
        following = Following(
            replace(self.command, cluster=None, coverage=()),
            self.reduced.start.expected,
            line,
            self._own,
            sources.text,
        )
        try:
            branch, assignments = following.look(smallest.text, other and other[0], stopped)
        except (Stop, CannotRun):
            return found
        return replace(found, branch=branch, assignments=assignments)

    @property
    def _smallest(self) -> tuple[Place, ...]:
        return self.failing[0].places if self.failing else ()

    def _files(self, text: str) -> dict[str, str]:
        """Return the files of an input, which may be parts of the program."""
        return unpacked(text) if self.command.folder else {str(self.command.input_path): text}

    def _suspects(self, passing: Sequence[Sequence[Place]]) -> Iterable[Suspect]:
        first = self.failing[0]
        sources = _Sources(self._files(first.text))
        output = f"{first.run.stdout}\n{first.run.stderr}"
        stack = [
            (self._own(os.path.abspath(frame.file), first.run), frame.number)
            for frame in (*stack_of(output), *javascript_stack(output), *sanitizer_stack(output))
        ]
        functions = {
            place: name
            for place in first.places
            if (name := first.function(place, sources))
            and (self.command.folder or not self._is_test(place[0]))
        }
        ranked = rank([each.places for each in self.failing], passing, functions, stack)
        return (_suspect(each, sources) for each in ranked)

    def _is_test(self, file: str) -> bool:
        """Say whether a file holds the test, and not the program."""
        named = self.command.test or ""
        return bool(named) and file.endswith(os.path.normpath(named.partition("::")[0]))

    def _tell(self, passing: int) -> None:
        if self.dropped:
            told = f"{in_runs(self.dropped)} left out: noting lines changed how it ended."
            self.work.note(told, "why-dropped")
        if self.remarks and self._smallest:
            self.work.note(_unseen(self.remarks), "why-unseen")
        if self.failing and self._smallest and not passing:
            self.work.note("No input passed, so the ranking says little.", "why-no-passing")


_REMARKS = {
    "traced": "the program was traced by something else, such as coverage or a debugger",
    "replaced": "the program traces itself, and what it executed from then on was not seen",
    "full": "it executes more lines than can be noted",
}
"""The reasons why lines were not seen, by the observer's words."""


def _unseen(remarks: Iterable[str]) -> str:
    reasons = [_REMARKS[each] for each in sorted(remarks) if each in _REMARKS]
    if reasons:
        return f"Not all lines could be seen: {'; '.join(reasons)}."
    return (
        "No line was seen: the command runs neither Python nor Node, and the key `coverage` names"
        " no command that prints lcov; or Python without `sitecustomize`, as with its options -I,"
        " -E and -S, or before 3.7; or what tells its lines when it exits, as Node does, was ended"
        " by a signal or the time-out."
    )


class _Sources:
    """The source files of a program, read when their lines are asked for."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files
        self._functions: dict[str, dict[int, str]] = {}

    def text(self, file: str) -> str:
        """Return the text of a file."""
        return self._files[file] if file in self._files else source_text(file)

    def function(self, line: Line) -> str | None:
        """Return the function that a line belongs to; None for lines that are no suspects."""
        file, number = line
        if file not in self._functions:
            self._functions[file] = functions_by_line(self.text(file))
        return self._functions[file].get(number)

    def line(self, line: Line) -> str:
        """Return the text of a line."""
        file, number = line
        lines = self.text(file).split("\n")
        return lines[number - 1].strip() if number <= len(lines) else ""


def _suspect(ranked: Ranked, sources: _Sources) -> Suspect:
    file, number, _column = ranked.place
    text = sources.line((file, number))
    return Suspect(file, number, ranked.function, text, ranked.failing, ranked.passing)
