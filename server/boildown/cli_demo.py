"""The command line: `demo` reduces the shipped example in a scratch folder, and shows it."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
import textwrap
from importlib.resources import files
from pathlib import Path
from typing import Any

from boildown import jobs
from boildown.cli_shared import INTERRUPTED, interruptible
from boildown.display import Display, summary
from boildown.files import read_text
from boildown.runner.command import TestCommand, from_argv


def add_command(commands: Any) -> None:
    """Add the command to the parser of all."""
    demo = commands.add_parser("demo", help="reduce a shipped example")
    demo.set_defaults(run=_demo)


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
        with Display() as display, interruptible() as interrupted:
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
