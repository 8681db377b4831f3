"""`reduce --each`: one reduced input for each bug of a folder, as JSON lines and in Markdown."""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boildown.cli.display import Display
from boildown.cli.report import in_json
from boildown.cli.shared import (
    STANDARD,
    Unwritten,
    UsageError,
    check_target,
    chosen_command,
    job_options,
    put_json,
    put_out,
)
from boildown.cli.stopping import interruptible
from boildown.files import FileError, is_replaceable, write_text
from boildown.jobs.advice import for_terminal
from boildown.jobs.each import ReducedBug, ReportedBug, Sorted, reduce_each
from boildown.jobs.each_summary import NO_FAILURE, headline, summary_of
from boildown.jobs.events import headed, many, runs
from boildown.jobs.words import share, sizes
from boildown.targets.crashes import crash_files, with_placeholder
from boildown.targets.test_command import TestCommand

_REFUSED = ("in_place", "literal", "include", "exclude", "more", "keep", "why")
"""Options that are for one input."""
_UNPORTABLE = re.compile(r'[":<>|*?\\\r\n]')
"""Characters of file names that other systems, and the stores of CI, do not take."""


def reduce_folder(options: argparse.Namespace) -> int:
    """Reduce each bug of a folder, and return the exit status."""
    _check(options)
    folder: Path = options.file
    files = crash_files(folder)
    if options.command:
        options.command = list(with_placeholder(options.command, folder, files))
    target = options.output or Path(os.path.relpath(_beside(folder)))
    commands = _commands(options)
    choices = job_options(options, chosen_command(_of(options, files[0])))
    began, reported, problems = time.monotonic(), list[ReportedBug](), list[str]()
    with interruptible() as interrupted:
        with Display(options.json, options.verbose) as display, interrupted.at_work():
            take = _writer(folder, target, options.force)
            found = Sorted([], {}, 0)
            for event in reduce_each(
                files, commands, choices, take, display.see, interrupted.is_set
            ):
                if isinstance(event, Sorted):
                    found = event
                    _tell_sorted(display, folder, len(files), found)
                    continue
                reported.append(event)
                report = {**event.report, **_inputs(event)}
                if options.json:
                    put_json(report)
                elif "text" in report:
                    put_out(report["text"])
                for line in _lines(len(reported), len(found.bugs), report):
                    display.print(line)
            if options.report is not None:
                try:
                    check_target(options.report, folder, options.force)
                    write_text(options.report, summary_of(folder, len(files), found, reported))
                    display.print(f"Summary written to {options.report}.")
                except FileError as error:
                    problems.append(str(error))
        made = reported[-1].runs if reported else found.runs
        if options.json:
            seconds = round(time.monotonic() - began, 3)
            put_json(_summary(folder, len(files), found, reported, made, seconds))
    problems += (each.report["problem"] for each in reported if "text" in each.report)
    if problems:
        raise Unwritten(" ".join(problems))
    if interrupted.status:
        return interrupted.status
    refused = any(each.report["reduction"] is None for each in reported)
    return 1 if refused or not found.bugs else 0


def _check(options: argparse.Namespace) -> None:
    """Check the options before a long job. Raises UsageError and FileError."""
    for name in _REFUSED:
        if getattr(options, name):
            word = "several files" if name == "more" else f"--{name.replace('_', '-')}"
            raise UsageError(f"--each is for a folder of inputs, and {word} for one input.")
    if options.output == STANDARD:
        raise UsageError("with --each the results go into a folder; name one with --output.")
    if (
        options.output is not None
        and os.path.exists(options.output)
        and not os.path.isdir(options.output)
    ):
        raise FileError(f"{options.output} is no folder; name one for the results.")
    check_target(options.report, options.file, options.force)


def _beside(folder: Path) -> Path:
    whole = Path(os.path.abspath(folder))
    return whole.with_name(f"{whole.name}.reduced")


def _of(options: argparse.Namespace, file: Path) -> argparse.Namespace:
    """Return the options with one file for the input."""
    return argparse.Namespace(**{**vars(options), "file": file})


def _commands(options: argparse.Namespace) -> Callable[[Path], TestCommand]:
    known: dict[Path, TestCommand] = {}

    def command_of(path: Path) -> TestCommand:
        if path not in known:
            known[path] = chosen_command(_of(options, path)).command
        return known[path]

    return command_of


def _writer(folder: Path, target: Path, force: bool) -> Callable[[ReducedBug], dict[str, Any]]:
    """Return the function that writes the result for a bug, and returns the report on it."""
    taken: set[Path] = set()

    def take(reduced: ReducedBug) -> dict[str, Any]:
        report = {
            **headed("bug"),
            "signature": reduced.bug.failed.signature,
            "input": str(reduced.input),
            "command": reduced.command.shown,
            "output": None,
            "problem": None,
            "reduction": None,
        }
        if reduced.problem is not None:
            return {**report, "problem": for_terminal(reduced.problem.message)}
        assert reduced.result is not None
        text = reduced.result.text
        name = _UNPORTABLE.sub("-", str(reduced.input.relative_to(folder)).replace(os.sep, "-"))
        path = _free(target / name, taken, force)
        reduction = in_json(reduced.text, reduced.result, path)
        try:
            target.mkdir(parents=True, exist_ok=True)
            write_text(path, text)
        except (FileError, OSError) as error:
            return {**report, "problem": str(error), "reduction": reduction, "text": text}
        command = reduced.command.typed(str(path))
        return {**report, "command": command, "output": str(path), "reduction": reduction}

    return take


def _free(path: Path, taken: set[Path], force: bool) -> Path:
    """Return the path for a reduced input: no other bug's, and no file of another origin."""
    number, named = 1, path
    while named in taken or not (force or is_replaceable(named)):
        number += 1
        named = path.with_name(f"{path.stem}.{number}{path.suffix}")
    taken.add(named)
    return named


def _inputs(reported: ReportedBug) -> dict[str, Any]:
    paths = reported.bug.inputs
    return {"inputs": [str(path) for path in paths], "duplicates": len(paths) - 1}


def _tell_sorted(display: Display, folder: Path, count: int, found: Sorted) -> None:
    display.print(f"{headline(folder, count, len(found.bugs)).replace('`', '')}")
    for outcome, paths in found.others.items():
        display.print(f"  {many(len(paths), 'input')} {NO_FAILURE[outcome]}")


def _lines(number: int, bugs: int, report: dict[str, Any]) -> list[str]:
    """Return the lines that tell of a bug."""
    shown = many(len(report["inputs"]), "input")
    first = f"bug {number} of {bugs}, shown by {shown}: {report['signature']}"
    reduction = report["reduction"]
    if reduction is None:
        return [first, f"  not reduced: {report['problem']}"]
    old, new = reduction["bytes_before"], reduction["bytes_after"]
    how = reduction["minimality"] or "stopped early"
    return [
        first,
        f"  {report['input']}: {sizes(old, new)}, {share(old - new, old)} smaller, in"
        f" {runs(reduction['runs'])}; {how}",
        f"  {report['problem'] or 'Written to ' + report['output'] + '.'}",
    ]


def _summary(
    folder: Path,
    count: int,
    found: Sorted,
    reported: list[ReportedBug],
    runs: int,
    seconds: float,
) -> dict[str, Any]:
    reductions = [each.report["reduction"] for each in reported]
    sorted_inputs = sum(len(bug.inputs) for bug in found.bugs)
    others = {outcome.value: list(map(str, paths)) for outcome, paths in found.others.items()}
    return {
        **headed("bugs"),
        "folder": str(folder),
        "inputs": count,
        "sorted": sorted_inputs + sum(map(len, others.values())),
        "bugs": len(found.bugs),
        "duplicates": sorted_inputs - len(found.bugs),
        "reduced": sum(each is not None for each in reductions),
        "finished": sum(each is not None and each["finished"] for each in reductions),
        "others": others,
        "bytes_before": sum(each["bytes_before"] for each in reductions if each),
        "bytes_after": sum(each["bytes_after"] for each in reductions if each),
        "runs": runs,
        "seconds": seconds,
    }
