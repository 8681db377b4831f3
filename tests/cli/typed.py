"""Commands as a user types them."""

from __future__ import annotations

import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper

from boildown.cli.main import main


def boildown(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process: one of its own says the same half a second later."""
    output, errors = (TextIOWrapper(BytesIO(), "utf-8") for _ in range(2))
    with redirect_stdout(output), redirect_stderr(errors):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
    shown = [(each.seek(0), each.read())[1] for each in (output, errors)]
    return subprocess.CompletedProcess(arguments, status, *shown)


def boildown_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "boildown", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
