"""The command line: arguments to jobs, results to text.

Exit status: 0 done (also when a limit ended it early), 1 the input does not reproduce the failure
or not for sure, 2 wrong usage or configuration, 130 interrupted with the best so far kept.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import sys
import tempfile
import textwrap
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from boildown import cli_patterns, config, jobs
from boildown.display import Display, summary
from boildown.engine.passes import AUTO, PASSES, RENAMING, named
from boildown.files import FileError, backup, read_text, reduced_path, write_text
from boildown.languages import LanguageError, languages
from boildown.languages.picture import as_dot, as_svg, as_text
from boildown.patterns import PatternError
from boildown.runner.command import (
    Level,
    Placement,
    RuleError,
    TestCommand,
    from_argv,
    from_string,
    parse_rule,
)
from boildown.runner.run import CannotRun, Problem

INTERRUPTED = 130

PICTURES = {"text": as_text, "dot": as_dot, "svg": as_svg}
"""How `boildown tree` can show a tree."""

UNUSABLE = (
    Problem.FILE_MISSING,
    Problem.NOT_FOUND,
    Problem.NOT_EXECUTABLE,
    Problem.NOT_STARTED,
    Problem.USAGE,
)
"""What is wrong with the command itself, not with what it says of the input."""


class UsageError(Exception):
    """The arguments make no sense together; the message says what to do."""


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
        return _fail(error.message, 2 if error.kind in UNUSABLE else 1)
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
    _add_input(reduce)
    _add_reduction(reduce)

    check = commands.add_parser("check", help="say what would run, and whether it reproduces")
    check.set_defaults(run=_check)
    _add_input(check)

    cli_patterns.add_commands(
        commands, cli_patterns.Shared(_add_input, _test_command, _interruptible)
    )

    tree = commands.add_parser("tree", help="show the tree of a text")
    tree.set_defaults(run=_tree)
    tree.add_argument("file", type=Path, metavar="FILE")
    tree.add_argument("--language", metavar="L", help="a language's name, or a grammar file")
    tree.add_argument("--as", dest="form", choices=sorted(PICTURES), default="text")

    listing = commands.add_parser("languages", help="list the languages")
    listing.set_defaults(run=_languages)
    listing.add_argument("--json", action="store_true", help="print one JSON object")

    demo = commands.add_parser("demo", help="reduce a shipped example")
    demo.set_defaults(run=_demo)

    server = commands.add_parser("lsp", help="start the language server (--stdio, --tcp, --ws)")
    server.set_defaults(run=lambda _options: 2)
    return parser


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the failing input")
    parser.add_argument("--test", metavar="CMD", help="the test command as one string")
    parser.usage = f"{parser.prog} FILE [options] (-- CMD ... | --test CMD)"
    judge = parser.add_argument_group("what counts as the same failure")
    judge.add_argument("--timeout", type=_positive, metavar="S", help="seconds that a run may take")
    judge.add_argument(
        "--interesting", action="store_true", help="exit status 0 means reproduced, as for C-Reduce"
    )
    judge.add_argument("--reproduces", metavar="RULE", action="append")
    judge.add_argument(
        "--invalid",
        metavar="RULE",
        action="append",
        help="exit=N, stdout=REGEX, stderr=REGEX or timeout; may be given again",
    )
    judge.add_argument("--signature", metavar="LEVEL", type=Level, choices=list(Level))
    judge.add_argument("--placement", metavar="P", type=Placement, choices=list(Placement))
    judge.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of the original")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


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
    how.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    how.add_argument("--max-runs", type=int, metavar="N")
    how.add_argument("--max-seconds", type=_positive, metavar="S")
    how.add_argument(
        "--fresh", action="store_true", help="forget what an attempt that was cut short has left"
    )
    where = parser.add_argument_group("where the result goes (default: beside the input)")
    target = where.add_mutually_exclusive_group()
    target.add_argument("--output", type=Path, metavar="PATH")
    target.add_argument(
        "--in-place", action="store_true", help="overwrite the input; a copy is kept beside it"
    )


def _positive(value: str) -> float:
    number = float(value)
    if number <= 0:
        raise argparse.ArgumentTypeError("must be more than 0")
    return number


def _test_command(options: argparse.Namespace) -> TestCommand:
    """Make the test command of the arguments, or else of the configuration."""
    chosen: dict[str, Any] = {
        "timeout": options.timeout,
        "interesting": options.interesting,
        "reproduces": parse_rule(options.reproduces) if options.reproduces else None,
        "invalid": parse_rule(options.invalid) if options.invalid else None,
        "level": options.signature,
        "placement": options.placement,
    }
    chosen = {name: value for name, value in chosen.items() if value not in (None, False)}
    if options.command and options.test:
        raise UsageError("Give the test command either after -- or with --test, not both.")
    if options.command:
        return from_argv(options.command, options.file, Path.cwd(), **chosen)
    if options.test:
        return from_string(options.test, options.file, Path.cwd(), **chosen)
    entry = _configured(options.file)
    if "language" in options and options.language is None:
        options.language = entry.language
    return replace(config.command_for(entry, options.file), **chosen)


def _configured(file: Path) -> config.Entry:
    """Return what the nearest configuration says of a file."""
    path = config.find_config(file.absolute().parent)
    if path is None:
        raise UsageError(
            "There is no test command. Give the command that fails today after --, as in:\n"
            f"  boildown reduce {file} -- python -m mytool {file}\n"
            "or write it into a boildown.toml."
        )
    entries, problems = config.load(path)
    for problem in problems:
        print(f"boildown: {problem}", file=sys.stderr)
    entry = config.match(entries, file)
    if entry is None:
        raise UsageError(
            f"{path} says nothing of {file}. Add an [[input]] whose files match it, or give the"
            " command that fails today after --."
        )
    return entry


def _reduce(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command = _test_command(options)
    choices = _choices(options)
    with Display(quiet=options.json) as display, _interruptible() as interrupted:
        result = jobs.reduce(text, command, choices, display.see, interrupted.is_set)
        output = _write(options, text, result)
        if not options.json:
            display.print(summary(str(options.file), text, result))
            for signature, smallest in result.others.items():
                display.print(f"also found: {signature}, with {jobs.size(smallest):,} bytes")
            display.print(f"Written to {output}.")
    if options.json:
        print(json.dumps(_report(text, result, output)))
    return INTERRUPTED if interrupted.is_set() else 0


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


def _write(options: argparse.Namespace, before: str, result: jobs.Reduced) -> Path:
    """Write the result where it is wanted; return where that is."""
    new = result.reduction.text
    if options.in_place:
        if read_text(options.file) != before:
            path = reduced_path(options.file, new)
            print(f"boildown: {options.file} has changed meanwhile and stays.", file=sys.stderr)
        else:
            path = options.file
            backup(path)
    else:
        path = options.output or reduced_path(options.file, new)
    write_text(path, new)
    return Path(path)


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


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a request to stop; the second one ends at once."""
    interrupted = threading.Event()

    def ask(_number: int, _frame: object) -> None:
        if interrupted.is_set():
            os._exit(INTERRUPTED)
        interrupted.set()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _check(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    command = _test_command(options)
    found = jobs.check(text, command, jobs.Options(repeat=options.repeat))
    report = {
        "command": command.shown,
        "cwd": str(command.cwd),
        "failure": found.expected.signature,
        "seconds_per_run": round(found.seconds, 4),
        "spread": round(found.spread, 4),
        "timeout": found.expected.timeout,
        "runs": found.runs,
        "bytes": jobs.size(text),
        "notes": list(found.notes),
    }
    if options.json:
        print(json.dumps(report))
        return 0
    print(f"{options.file} reproduces: {report['failure']}")
    print(f"  runs      {report['command']}")
    print(f"  in        {report['cwd']}")
    print(f"  takes     {found.seconds:.3f} s per run, ended after {found.expected.timeout:g} s")
    for note in found.notes:
        print(f"  note      {note}")
    return 0


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


def _demo(_options: argparse.Namespace) -> int:
    """Reduce the shipped example in a scratch folder, and show what is done."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    shipped = files("boildown") / "demo"
    with tempfile.TemporaryDirectory(prefix="boildown-demo-") as scratch:
        for name in ("receipts.py", "orders.json"):
            (Path(scratch) / name).write_bytes((shipped / name).read_bytes())
        os.chdir(scratch)
        before = read_text(Path("orders.json"))
        command = ("python", "receipts.py", "orders.json")
        print("receipts.py prints receipts for a file of orders. On orders.json it crashes:\n")
        print(_indented(f"$ {shlex.join(command)}"))
        start = jobs.check(before, _demo_command(command))
        print(_indented(start.run.stderr))
        print(f"Which of its {jobs.size(before):,} bytes are to blame?\n\n{_head(before)}\n")
        print(_indented(f"$ boildown reduce orders.json -- {shlex.join(command)}"))
        with Display() as display, _interruptible() as interrupted:
            result = jobs.reduce(
                before, _demo_command(command), jobs.Options(), display.see, interrupted.is_set
            )
        print(f"\n{result.reduction.text}\n")
        print(summary("orders.json", before, result))
    return INTERRUPTED if interrupted.is_set() else 0


def _demo_command(command: tuple[str, ...]) -> TestCommand:
    return from_argv((sys.executable, *command[1:]), Path("orders.json"), Path.cwd())


def _indented(text: str) -> str:
    return textwrap.indent(text.strip("\n"), "    ") + "\n"


def _head(text: str, lines: int = 12) -> str:
    return _indented("\n".join(text.splitlines()[:lines]) + "\n...")
