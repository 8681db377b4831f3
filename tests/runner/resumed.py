"""Reduces a file as a job that can be resumed: `python resumed.py DIRECTORY [JOBS]`.

In the directory, `input` is reduced with `check.py`, and `result` is written at the end.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from boildown.files import read_text
from boildown.jobs.advice import for_terminal
from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions
from boildown.runner.command import Isolation, from_argv


def main(directory: Path, workers: int) -> None:
    argv = [sys.executable, "-I", "-S", "check.py", "input"]
    # The program logs its runs where it starts.
    command = from_argv(argv, Path("input"), directory, isolate=Isolation("none"), repeat=1)
    options = JobOptions(language="plain", passes=("ddmin",), jobs=workers)
    found = reduce(read_text(directory / "input"), command, options)
    result = {
        "text": found.reduction.text,
        "notes": list(map(for_terminal, found.notes)),
        "runs": found.reduction.runs,
        "finished": found.reduction.finished,
        "verified": found.verified,
    }
    (directory / "result").write_text(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
