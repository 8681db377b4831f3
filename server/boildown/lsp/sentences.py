"""Refusals and questions of the language server, with the way to go on."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from boildown.jobs import inert

if TYPE_CHECKING:
    from boildown.config import ConfigProblem
    from boildown.jobs.work import Obstacle

LATE_EDIT = "The reduction has ended, so this edit is not tried."
KEPT = "Kept: no candidate of a reduction lacks this."


def kept(text: str, is_held: bool) -> str:
    """Return whether a part is kept from now on, or stands in no step to go back to."""
    shown = repr(inert.short(text, 40))
    if is_held:
        return f"{shown} is kept from now on."
    return f"{shown} stands in no step of the reduction, so it can't be kept."


def no_string(name: str) -> str:
    """Return the refusal for a place in Python code without a failing input, with advice."""
    return (
        f"No test in {name} uses a string at the cursor, and no test command is configured for "
        "the file. Put the cursor into the string that the failing test feeds to your program."
    )


def expected_in_test(now: str) -> str:
    """Return the question for the value that a test should expect, in place of a constant."""
    now = textwrap.shorten(now, 60, placeholder="…")
    return (
        f"What should the test expect of the reduced input, in place of {now}? "
        "Give Python code, or nothing to have other inputs tested as this one is."
    )


def expected_output(pattern: str) -> str:
    """Return the question for the output that a program should have, in place of a wrong one."""
    return (
        "What should the program print for the reduced input? "
        f"Give its output, or nothing to test only that '{pattern}' does not match it."
    )


def no_command(name: str) -> str:
    """Return the refusal for an input without a test command, with advice."""
    return (
        f"No test command is configured for {name}. Set one by the action “Boildown: set a test "
        "command”, which writes an [[input]] with 'files' and 'command' into boildown.toml."
    )


def wrong_config(problem: ConfigProblem, name: str) -> str:
    """Return the refusal for an input without a test command, where a configuration is wrong."""
    where = f"{problem.path.name}, line {problem.line}" if problem.path else "the settings"
    return f"{name} has no test command, since there is a mistake in {where}: {problem.message}"


def no_folder_command(name: str) -> str:
    """Return the refusal for a folder without a test command, with advice."""
    return (
        f"No test command is configured for the folder {name}. Give one, or write an [[input]] "
        "with files = [\".\"] and 'command' into a boildown.toml in it."
    )


def for_string(problem: Obstacle) -> str:
    """Return the advice for a string whose test does not fail or can't be run."""
    # Imported here: a server that does nothing yet loads no job.
    from boildown.jobs.work import Obstacle

    return {
        Obstacle.PASSES: " Put the cursor into a string of a test that fails.",
        Obstacle.NOT_FOUND: " Choose the Python that runs the project's tests anew.",
    }.get(problem, "")
