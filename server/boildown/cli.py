"""The command line: arguments to jobs, results to text.

Exit status: 0 done (also when a limit ended it early), 1 the input does not reproduce the failure
or not for sure, 2 wrong usage or configuration, 130 interrupted with the best so far kept.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from boildown import cli_check, cli_demo, cli_patterns, jobs
from boildown.cli_shared import (
    INTERRUPTED,
    UsageError,
    add_input,
    check_target,
    count,
    interruptible,
    is_same,
    positive,
    status_of,
    test_command,
)
from boildown.display import Display, other_failure, summary
from boildown.engine.passes import AUTO, PASSES, RENAMING, named
from boildown.files import (
    FileError,
    backup,
    free_path,
    read_text,
    reduced_path,
    write_text,
)
from boildown.languages import LanguageError, languages
from boildown.languages.picture import as_dot, as_svg, as_text
from boildown.patterns import PatternError
from boildown.runner.command import RuleError, TestCommand
from boildown.runner.run import CannotRun

PICTURES = {"text": as_text, "dot": as_dot, "svg": as_svg}
"""How `boildown tree` can show a tree."""


def main(argv: Sequence[str]) -> int:
    """Run one command; return its exit status."""
    own, command = _split(argv)
    options = _parser().parse_args(own)
    options.command = command
    try:
        status: int = options.run(options)
    except (UsageError, FileError, LanguageError, RuleError, PatternError) as error:
        return _fail(str(error), 2)
    except CannotRun as error:
        return _fail(error.message, 2)
    except jobs.PreflightError as error:
        return _fail(error.message, status_of(error.kind))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    """Divide the arguments at the first `--`: Boildown's own, and the test command."""
    if "--" not in argv:
        return list(argv), []
    at = list(argv).index("--")
    return list(argv[:at]), list(argv[at + 1 :])


def _fail(message: str, status: int) -> int:
    print(f"boildown: {message}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="boildown",
        description="Boil a failing input down to the smallest one that still fails the same way.",
        epilog="Example: boildown reduce crash.json -- python -m mytool crash.json",
    )
    parser.add_argument(
        "--version", action="version", version=f"boildown {metadata.version('boildown')}"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    reduce = commands.add_parser("reduce", help="reduce a failing input")
    reduce.set_defaults(run=_reduce)
    add_input(reduce)
    _add_reduction(reduce)

    cli_check.add_command(commands)
    cli_patterns.add_commands(commands)

    tree = commands.add_parser("tree", help="show the tree of a text")
    tree.set_defaults(run=_tree)
    tree.add_argument("file", type=Path, metavar="FILE")
    tree.add_argument("--language", metavar="L", help="a language's name, or a grammar file")
    tree.add_argument("--as", dest="form", choices=sorted(PICTURES), default="text")

    listing = commands.add_parser("languages", help="list the languages")
    listing.set_defaults(run=_languages)
    listing.add_argument("--json", action="store_true", help="print one JSON object")

    cli_demo.add_command(commands)

    server = commands.add_parser("lsp", help="start the language server (--stdio, --tcp, --ws)")
    server.set_defaults(run=lambda _options: 2)
    return parser


def _add_reduction(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("how to reduce")
    how.add_argument("--language", metavar="L", help="a language's name, or a grammar file")
    how.add_argument(
        "--passes",
        metavar="A,B",
        help=f"of {', '.join(each.name for each in PASSES)}; default: {','.join(AUTO)}",
    )
    how.add_argument(
        "--keep-names", action="store_true", help="leave names, strings and numbers as they are"
    )
    how.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N")
    how.add_argument("--max-runs", type=count, metavar="N")
    how.add_argument("--max-seconds", type=positive, metavar="S")
    how.add_argument(
        "--fresh", action="store_true", help="forget what an attempt that was cut short has left"
    )
    where = parser.add_argument_group("where the result goes (default: beside the input)")
    target = where.add_mutually_exclusive_group()
    target.add_argument("--output", type=Path, metavar="PATH")
    target.add_argument(
        "--in-place", action="store_true", help="overwrite the input; a copy is kept beside it"
    )
    where.add_argument(
        "--report", type=Path, metavar="PATH.md", help="write a bug report for the maintainers"
    )
    where.add_argument(
        "--others",
        type=Path,
        metavar="DIR",
        help="write the smallest input of each other failure that was met, to be reduced next",
    )


def _reduce(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command = test_command(options)
    choices = _choices(options)
    _check_targets(options)
    with Display(quiet=options.json) as display, interruptible() as interrupted:
        result = jobs.reduce(text, command, choices, display.see, interrupted.is_set)
        output, original = _write(options, text, result)
        if not options.json:
            display.print(summary(str(options.file), text, result))
            kept = f"; the original is {original}" if original is not None else ""
            display.print(f"Written to {output}{kept}.")
        files = _write_others(options, result)
        for line in (
            *_others(options, command, result, files),
            *_reported(options, command, text, result),
        ):
            display.print(line)
    if options.json:
        print(json.dumps({**_report(text, result, output), "other_files": files}))
    if interrupted.is_set():
        return INTERRUPTED
    return 1 if result.start is not None and not result.verified else 0


def _check_targets(options: argparse.Namespace) -> None:
    """Make sure that what comes of a long job has a place to go. Raises FileError."""
    if options.others is not None:
        _make_folder(options.others)
    if options.output is not None and is_same(options.output, options.file):
        # Whichever way it is said, a copy is kept.
        options.output, options.in_place = None, True
    check_target(options.output, options.file)
    check_target(options.report, options.file)


def _write_others(options: argparse.Namespace, result: jobs.Reduced) -> dict[str, str]:
    """Write down the other failures that were met, if wanted; return the file of each."""
    files: dict[str, str] = {}
    if options.others is None or not result.others:
        return files
    name = options.file
    for signature, smallest in result.others.items():
        path = free_path(options.others / name.name, f"{name.stem}{{}}{name.suffix}", smallest)
        write_text(path, smallest)
        files[signature] = str(path)
    return files


def _others(
    options: argparse.Namespace,
    command: TestCommand,
    result: jobs.Reduced,
    files: dict[str, str],
) -> Iterator[str]:
    """Yield the lines that tell of the other failures that were met."""
    for signature, smallest in result.others.items():
        yield other_failure(signature, smallest)
        if signature in files:
            again = shlex.join(["boildown", "reduce", files[signature], "--", *command.argv])
            yield f"  To reduce it next: {again}"


def _reported(
    options: argparse.Namespace, command: TestCommand, before: str, result: jobs.Reduced
) -> Iterator[str]:
    """Write the bug report if it is wanted; yield the line that says so."""
    if options.report is None:
        return
    markdown = jobs.report(command, before, result)
    if markdown is None:
        yield "There is no report, for the result was not run to its end."
        return
    write_text(options.report, markdown)
    yield f"Report written to {options.report}."


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"The folder {path} can't be made: {error.strerror}.") from None


def _choices(options: argparse.Namespace) -> jobs.Options:
    passes = tuple(options.passes.split(",")) if options.passes else AUTO
    if options.keep_names:
        passes = tuple(name for name in passes if name not in RENAMING)
    try:
        named(passes)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return jobs.Options(
        language=options.language,
        passes=passes,
        jobs=options.jobs,
        max_runs=options.max_runs,
        max_seconds=options.max_seconds,
        repeat=options.repeat,
        fresh=options.fresh,
    )


def _write(
    options: argparse.Namespace, before: str, result: jobs.Reduced
) -> tuple[Path, Path | None]:
    """Write the result where it is wanted; return where that is, and the copy of the original.

    Raises FileError, after the result was put out on standard error, so that it is not lost.
    """
    new, original = result.reduction.text, None
    try:
        if not options.in_place:
            path = options.output or reduced_path(options.file, new)
        elif read_text(options.file) != before:
            path = reduced_path(options.file, new)
            print(f"boildown: {options.file} has changed meanwhile and stays.", file=sys.stderr)
        else:
            path = options.file
            original = backup(path)
        write_text(path, new)
    except FileError:
        print(f"boildown: the result is, as a Python string:\n{new!r}", file=sys.stderr)
        raise
    return Path(path), original


def _report(before: str, result: jobs.Reduced, output: Path) -> dict[str, Any]:
    reduction = result.reduction
    return {
        "language": result.language,
        "passes": list(result.passes),
        "bytes_before": jobs.size(before),
        "bytes_after": jobs.size(reduction.text),
        "tokens_before": jobs.tokens(before),
        "tokens_after": jobs.tokens(reduction.text),
        "runs": reduction.runs,
        "cached": reduction.cached,
        "outcomes": {outcome.value: n for outcome, n in reduction.outcomes.items()},
        "seconds": round(result.seconds, 3),
        "test_seconds": round(result.test_seconds, 3),
        "finished": reduction.finished,
        "minimality": reduction.minimality,
        "output": str(output),
        "others": result.others,
        "notes": list(result.notes),
    }


def _tree(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    choices = jobs.Options(language=options.language)
    parsed = jobs.language_for(text, options.file.name, choices).parse(text)
    for note in parsed.notes:
        print(f"note: {note}", file=sys.stderr)
    print(PICTURES[options.form](parsed.tree))
    return 0


def _languages(options: argparse.Namespace) -> int:
    known = languages()
    if options.json:
        print(json.dumps([asdict(each) for each in known]))
        return 0
    width = max(len(each.name) for each in known)
    for each in known:
        state = "" if each.installed else f"  (needs: pip install 'boildown[{each.missing}]')"
        print(f"{each.name:{width}}  {each.source:12}  {' '.join(each.files)}{state}")
    return 0
