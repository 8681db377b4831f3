"""The command `demo`: reduces the shipped example, and tells where its bug is."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
import textwrap
from importlib.resources import files
from pathlib import Path

from boildown.cli.display import Display
from boildown.cli.stopping import interruptible
from boildown.files import read_text
from boildown.jobs.advice import for_terminal
from boildown.jobs.check import check
from boildown.jobs.events import size
from boildown.jobs.reduce import reduce
from boildown.jobs.why import why_of
from boildown.jobs.words import ranking, summary
from boildown.jobs.work import JobOptions
from boildown.targets.test_command import CommandArguments, choose_command


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.set_defaults(run=_demo)


def _demo(_options: argparse.Namespace) -> int:
    """Reduce the shipped example in a scratch folder, and show each step."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    shipped = files("boildown") / "demo"
    scratched = tempfile.TemporaryDirectory(prefix="boildown-demo-")
    with interruptible() as interrupted, scratched as scratch:
        for name in ("receipts.py", "orders.json"):
            (Path(scratch) / name).write_bytes((shipped / name).read_bytes())
        os.chdir(scratch)
        before = read_text(Path("orders.json"))
        command = ("python", "receipts.py", "orders.json")
        print("receipts.py prints receipts for a file of orders. On orders.json it crashes:\n")
        print(_indented(f"$ {shlex.join(command)}"))
        given = CommandArguments(argv=(sys.executable, *command[1:]))
        test_command = choose_command(Path("orders.json"), Path.cwd(), given).command
        start = check(before, test_command, stopped=interrupted.is_set)
        print(_indented(start.run.stderr))
        print(f"Which of its {size(before):,} bytes are to blame?\n\n{_head(before)}\n")
        print(_indented(f"$ boildown reduce orders.json -- {shlex.join(command)}"))
        with Display() as display, interrupted.at_work():
            result = reduce(before, test_command, JobOptions(), display.see, interrupted.is_set)
        print(f"\n{result.text}\n")
        print("\n".join(summary("orders.json", before, result, for_terminal)))
        result.forget()
        if result.verified and not interrupted.status:
            print("\nAnd where is the bug?\n")
            print(_indented(f"$ boildown why orders.json -- {shlex.join(command)}"))
            with Display() as display, interrupted.at_work():
                see, stopped = display.see, interrupted.is_set
                found = why_of(result, test_command, JobOptions(), see, stopped)
            print("\n".join(ranking(found)))
    return interrupted.status


def _indented(text: str) -> str:
    return textwrap.indent(text.strip("\n"), "    ") + "\n"


def _head(text: str, lines: int = 12) -> str:
    return _indented("\n".join(text.splitlines()[:lines]) + "\n...")
