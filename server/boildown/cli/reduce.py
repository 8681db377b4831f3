"""The command `reduce`: a failing input in, the smallest one that still fails the same way out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boildown.cli.channels import lost
from boildown.cli.display import Display
from boildown.cli.inputs import read_input
from boildown.cli.report import in_json
from boildown.cli.shared import (
    RESULT,
    STANDARD,
    Unwritten,
    UsageError,
    add_force,
    add_input,
    add_options,
    check_target,
    chosen_command,
    group_of,
    is_same,
    job_options,
    name_of,
    put_json,
    put_out,
)
from boildown.cli.stopping import interruptible
from boildown.files import FileError, backup, read_text, reduced_path, write_text
from boildown.jobs.advice import for_terminal
from boildown.jobs.defects import STATUS
from boildown.jobs.events import coded, headed
from boildown.jobs.input_candidates import InputCandidate
from boildown.jobs.reduce import Reduced, check_kept, reduce
from boildown.jobs.words import other_failure, ranking, summary
from boildown.jobs.work import JOB_OPTIONS, JobOptions
from boildown.targets.test_command import INPUT, TestCommand

if TYPE_CHECKING:
    from boildown.jobs.why import Why


def add_reduce(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_reduce)
    add_input(parser, of_folders=True)
    _add_how(parser)
    _add_where(parser)


def _add_how(parser: argparse.ArgumentParser) -> None:
    add_options(parser, JOB_OPTIONS)
    group_of(parser, INPUT).add_argument(
        "--each",
        action="store_true",
        help="one input in each file of a folder; see help fuzzing",
    )


def _add_where(parser: argparse.ArgumentParser) -> None:
    where = group_of(parser, RESULT)
    target = where.add_mutually_exclusive_group()
    target.add_argument(
        "--output",
        type=Path,
        metavar="PATH",
        help="a file, - for standard output (default: NAME.reduced.SUFFIX)",
    )
    target.add_argument(
        "--in-place", action="store_true", help="overwrite the input, and keep a backup"
    )
    where.add_argument(
        "--report", type=Path, metavar="PATH.md", help="a file for a bug report to the maintainers"
    )
    where.add_argument(
        "--why",
        action="store_true",
        # The list fills a screen, and `why` is a command of its own.
        help=argparse.SUPPRESS,
    )
    add_force(where)


def _reduce(options: argparse.Namespace) -> int:
    if options.each:
        from boildown.cli.each import reduce_folder

        return reduce_folder(options)
    text = read_input(options)
    chosen = chosen_command(options)
    command, choices = chosen.command, job_options(options, chosen)
    try:
        check_kept(text, command.keep)
    except ValueError as error:
        raise UsageError(str(error)) from None
    _check_targets(options)
    with interruptible() as interrupted:
        with Display(options.json, options.verbose) as display:
            if options.folder is not None and not options.json:
                from boildown.cli.folders import described

                display.print(described(options.folder))
            with interrupted.at_work():
                result = reduce(text, command, choices, display.see, interrupted.is_set)
                found = None
                if options.why:
                    found = _why(result, command, choices, display, interrupted.is_set)
            # Only here, for it takes the patterns.
            from boildown.cli.usage import LastResort

            resort = LastResort(result.notes)
            place = partial(_write, options, command, text, result)
            unwritten = _Written(None, "The result is on standard output.")
            written = resort.attempt("write", place, unwritten)
            if not options.json:
                tell = partial(_told, options, text, result, written)
                for line in resort.attempt("summary", tell, [written.told]):
                    display.print(line)
                for line in ranking(found) if found else ():
                    display.print(line)
            problems = [] if written.problem is None else [written.problem]
            try:
                report_it = partial(_reported, options, command, text, result, found)
                for line in resort.attempt("report", lambda: list(report_it()), []):
                    display.print(line)
            except FileError as error:
                problems.append(str(error))
        if options.json:
            in_full = partial(_as_object, options, text, result, written, found)
            least = {**headed("reduction"), "text": result.text}
            report = resort.attempt("JSON", in_full, least)
            put_json(report)
        elif written.path is None:
            put_out(_as_put_out(options, result.text))
        if lost() is None:
            result.forget()
    if problems:
        raise Unwritten(" ".join(problems))
    if interrupted.status:
        return interrupted.status
    if resort.met:
        return STATUS
    return 1 if result.start is not None and not result.verified else 0


def _why(
    result: Reduced,
    command: TestCommand,
    choices: JobOptions,
    display: Display,
    stopped: Callable[[], bool],
) -> Why:
    """Rank the functions in which the bug may be."""
    # Only here, for few ask for it.
    from boildown.jobs.why import why_of

    return why_of(result, command, choices, display.see, stopped)


def _told(
    options: argparse.Namespace, before: str, result: Reduced, written: _Written
) -> list[str]:
    """Return the lines on a result, and on the place that it was written to."""
    lines = summary(name_of(options), before, result, for_terminal)
    if options.folder is not None:
        from boildown.cli.folders import listing

        lines += listing(result.text)
    if options.part is not None:
        lines.append(_put_back(options.part, result.text, options.in_place))
    if options.verbose:
        lines += [other_failure(*each) for each in result.others.items()]
    return [*lines, written.told]


def _as_object(
    options: argparse.Namespace,
    before: str,
    result: Reduced,
    written: _Written,
    found: Why | None,
) -> dict[str, Any]:
    """Return the result as programs get it."""
    report = in_json(before, result, written.path or options.file)
    if found is not None:
        report |= {"why": asdict(found) | {"notes": coded(found.notes, for_terminal)}}
    if written.path is None:
        report |= {"output": None, "text": result.text}
    if options.folder is not None:
        from boildown.jobs.folders import sizes

        report |= {"files": sizes(result.text)}
    if options.part is not None:
        part: InputCandidate = options.part
        report |= {"kind": part.kind.value, "where": part.where}
        report |= {"written": part.written(result.text)}
    return report


def _check_targets(options: argparse.Namespace) -> None:
    """Check, before a long job, the places that its results go to. Raises FileError."""
    if options.folder is not None:
        from boildown.cli.folders import check_places

        check_places(options)
        check_target(options.report, options.file, options.force)
        return
    if options.is_piped and options.in_place:
        raise UsageError("standard input can't be overwritten; leave --in-place out.")
    if options.output is not None and is_same(options.output, options.file):
        # Whichever way it is said, a copy is kept.
        options.output, options.in_place = None, True
    if options.part is not None and options.part.document is None and options.in_place:
        raise UsageError(
            "an example of Hypothesis stands in no file; leave --in-place out, and the decorator is"
            " shown that a test takes."
        )
    is_part = options.part is not None and not options.in_place
    if options.output is None and (options.is_piped or is_part):
        options.output = STANDARD
    if options.output != STANDARD:
        check_target(options.output, options.file, options.force)
    check_target(options.report, options.file, options.force)


@dataclass(frozen=True, slots=True)
class _Written:
    """The place that a result was written to."""

    path: Path | None
    """None: it goes to standard output."""
    told: str
    """The place, in a sentence."""
    problem: str | None = None
    """A sentence on why it is not where it should be."""


def _write(
    options: argparse.Namespace, command: TestCommand, before: str, result: Reduced
) -> _Written:
    """Write the result where it is wanted; standard output is the place where that fails."""
    new = _as_put_out(options, result.text)
    if options.folder is not None:
        from boildown.cli.folders import written

        try:
            found = written(options, command, before, result)
        except FileError as error:
            return _Written(options.file, "Nothing was written.", str(error))
        return _Written(*(found or (options.file, "Nothing was reduced, so nothing was written.")))
    if options.output == STANDARD:
        return _Written(None, "Written to standard output.")
    if result.text == before and options.output is None:
        why = (
            "Nothing of it could be left out"
            if result.reduction.finished
            else "Nothing was reduced"
        )
        return _Written(options.file, f"{why}, so nothing was written.")
    kept = ""
    try:
        # Another file may have come there during the job.
        check_target(options.output, options.file, options.force)
        path = options.output or reduced_path(options.file, new)
        if options.in_place and read_text(options.file) != _whole(options, before):
            print(f"boildown: {options.file} has changed meanwhile and stays.", file=sys.stderr)
        elif options.in_place:
            path = options.file
            kept = f"; the original is {backup(path)}"
            new = new if options.part is None else options.part.document(result.text)
        write_text(path, new)
    except FileError as error:
        where = 'in the JSON object, as "text"' if options.json else "on standard output"
        return _Written(None, f"The result is {where}.", f"{error} The result is {where}.")
    return _Written(path, f"Written to {path}{kept}.")


def _as_put_out(options: argparse.Namespace, text: str) -> str:
    """Return a result as it is written where the input does not stand."""
    return text if options.part is None else str(options.part.put_out(text))


def _whole(options: argparse.Namespace, text: str) -> str:
    """Return the content that the file with the input had at the start."""
    return text if options.part is None else str(options.part.whole)


def _put_back(part: InputCandidate, text: str, in_place: bool) -> str:
    """Return the line with the code by which a text takes its place in a test."""
    if part.document is None:
        return f"To have the test try it, put above it: {part.written(text)}"
    hint = "" if in_place else f"; --in-place writes it into {part.path}"
    if part.is_packed:
        return f"In the file it is encoded as before{hint}."
    return f"In the test it is {part.written(text)}{hint}."


def _reported(
    options: argparse.Namespace,
    command: TestCommand,
    before: str,
    result: Reduced,
    found: Why | None,
) -> Iterator[str]:
    """Write the bug report if it is wanted; yield the line that says so."""
    if options.report is None:
        return
    from boildown.jobs.report import report as report_of

    markdown = report_of(command, before, result, found)
    if markdown is None:
        yield "There is no report, for the result was not run to its end."
        return
    check_target(options.report, options.file, options.force)
    write_text(options.report, markdown)
    yield f"Report written to {options.report}."
