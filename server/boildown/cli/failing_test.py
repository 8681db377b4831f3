"""Finds the input of a failing test that was named instead of a failing input.

Where there are several tests or inputs, they are listed with the line to type for each; a question
would stop a script.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boildown.cli.shared import UsageError
from boildown.cli.stopping import interruptible
from boildown.jobs.advice import for_terminal
from boildown.jobs.events import Event, Note, in_bytes, size
from boildown.targets.failing_tests import Selection, selected, selected_by
from boildown.targets.test_command import ChosenCommand, configured, from_argv

if TYPE_CHECKING:
    from boildown.jobs.input_candidates import FailingTest, InputCandidate

_MOST = 10
"""Tests or inputs that are listed."""
_EMPTIED = {
    None: "",
    True: "; without it the test fails otherwise or passes",
    False: "; without it the test fails as before",
}
"""What emptying an input did to its test."""
_SHOWN = 50
"""Characters of an input that are listed."""


def find_input(options: argparse.Namespace) -> InputCandidate | None:
    """Return the input of the failing test that is named; None for a file as it is, or none.

    The options get its file and its command. Raises UsageError where it is not clear which input
    is meant, and what running tests raises.
    """
    place = _place(options.literal) if options.literal is not None else None
    selection = _selection(options) if options.of_tests else None
    if selection is None:
        if options.literal is not None:
            raise UsageError(
                "--literal says where the input of a failing test stands; name the test, as in:\n"
                f"  {options.parser.prog} tests/test_it.py::test_one --literal {options.literal}"
            )
        return None
    with interruptible() as interrupted:
        test, found = _found(options, selection, place, interrupted.is_set)
    if found is None:
        options.file = Path(os.path.relpath(test.file))
        command = from_argv(test.words, test.file, selection.cwd)
        runner = "unittest" if selection.is_unittest else "pytest"
        options.origin = ChosenCommand(command, f"it holds tests, which {runner} runs")
        _tell(options, f"{test.shown} reads neither a literal nor a file; its code is reduced")
        return None
    options.file = Path(found.path)
    options.origin = ChosenCommand(
        found.command,
        f"{test.shown} fails, and this is {found.named}",
        found.language,
        found.earlier,
    )
    _tell(options, f"{test.shown} fails; {found.named} is reduced: {_described(found)}")
    return found if found.start[0] or found.is_packed else None


def _selection(options: argparse.Namespace) -> Selection | None:
    """Return the tests that are named in place of an input."""
    if options.file is None:
        return selected_by(options.command, Path.cwd())
    is_commanded = bool(options.command)
    if "::" not in str(options.file) and (is_commanded or configured(options.file)[0] is not None):
        return None
    selection = selected(options.file, Path.cwd())
    if selection is not None and is_commanded:
        raise UsageError(
            f"{options.file} is a test, which pytest runs, so it needs no other command. Type:\n"
            f"  {_typed(options, str(options.file))}"
        )
    return selection


def _found(
    options: argparse.Namespace,
    selection: Selection,
    place: tuple[int, int | None] | None,
    stopped: Callable[[], bool],
) -> tuple[FailingTest, InputCandidate | None]:
    """Return the one test that fails, and its input if it has any; where more do, list them."""
    from boildown.jobs.emptying import chosen
    from boildown.jobs.input_candidates import failing_tests, input_candidates

    def see(event: Event) -> None:
        if isinstance(event, Note):
            _tell(options, for_terminal(event.text))

    failing = failing_tests(selection, options.timeout, see, stopped)
    if len(failing) > 1:
        lines = [_typed(options, *test.typed) for test in failing]
        raise UsageError(_listed(f"{len(failing)} tests fail.", lines))
    (test,) = failing
    candidates = input_candidates(test)
    if place is not None:
        return test, _at(options, test, candidates, *place)
    candidates = chosen(test, candidates, stopped)
    likely = [each for each in candidates if each.likely]
    if len(likely) < 2:
        return test, likely[0] if likely else None
    lines = [_choice(options, test, each) for each in likely]
    raise UsageError(_listed(f"{test.shown} fails, with {len(likely)} possible inputs.", lines))


def _place(literal: str) -> tuple[int, int | None]:
    """Return the line and column of --literal. Raises UsageError."""
    place = re.fullmatch(r"(\d+)(?::(\d+))?", literal)
    if place is None:
        raise UsageError(f"--literal takes LINE or LINE:COLUMN, not {literal!r}.")
    return int(place[1]), None if place[2] is None else int(place[2])


def _at(
    options: argparse.Namespace,
    test: FailingTest,
    candidates: tuple[InputCandidate, ...],
    line: int,
    column: int | None,
) -> InputCandidate:
    """Return the literal at a place. Raises UsageError."""
    literals = [each for each in candidates if each.document is not None and each.start[0]]
    at = [each for each in literals if each.is_at(line, column)]
    if len(at) == 1:
        return at[0]
    lines = [_choice(options, test, each) for each in at or literals]
    where = f"line {line}" if column is None else f"{line}:{column}"
    told = f"{len(at) or 'no'} literals that {test.shown} sees stand at {where}."
    raise UsageError(_listed(told, lines) if lines else told)


def _choice(options: argparse.Namespace, test: FailingTest, candidate: InputCandidate) -> str:
    """Return the line to type for one of several inputs."""
    what = f"  # {_described(candidate)}{_EMPTIED[candidate.matters]}"
    if not candidate.start[0]:
        return _typed(options, candidate.path, "--", *test.words) + what
    if candidate.document is None:
        return f"# Hypothesis' example, if it is made a literal of a test: {candidate.text!r}"
    place = candidate.where.partition(":")[2]
    return _typed(options, "--literal", place, *test.typed) + what


def _typed(options: argparse.Namespace, *words: str) -> str:
    return f"{options.parser.prog} {shlex.join(words)}"


def _listed(told: str, lines: Sequence[str]) -> str:
    more = [f"and {len(lines) - _MOST} more"] if len(lines) > _MOST else []
    return "\n  ".join([f"{told} Type one of:", *lines[:_MOST], *more])


def _described(candidate: InputCandidate) -> str:
    """Return an input in a few words: its place, size, language and beginning."""
    if candidate.parts > 1:
        return f"{candidate.where}, {candidate.parts} literals"
    text = candidate.text if len(candidate.text) <= _SHOWN else candidate.text[:_SHOWN] + "…"
    return f"{candidate.where}, {in_bytes(size(candidate.text))} of {candidate.language}: {text!r}"


def _tell(options: argparse.Namespace, sentence: str) -> None:
    if not options.json:
        print(f"note: {sentence}", file=sys.stderr)
