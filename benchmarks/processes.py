"""Programs that are run for a measurement, with all that they start."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run(
    command: Sequence[str], folder: Path, variables: Mapping[str, str], seconds: float
) -> tuple[int, str, str]:
    """Run a command; return its exit status, standard output and standard error.

    After so many seconds it is killed, with its process group: the status is -SIGKILL then.
    """
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        printed, error = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        printed, error = process.communicate()
    return process.returncode, printed.decode("utf-8", "replace"), error.decode("utf-8", "replace")
