"""Reduces a file as a job that can be resumed: `python resumed.py DIRECTORY DATABASE [JOBS]`.

In the directory, `input` is reduced with `check.py`, and `result` is written at the end.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from boildown.engine.reduce import Watch, reduce
from boildown.languages import load_language
from boildown.runner.cache import Store
from boildown.runner.command import from_argv
from boildown.runner.preflight import preflight, read_input
from boildown.runner.resume import job_key, resume
from boildown.runner.runner import Runner


def main(directory: Path, database: Path, jobs: int) -> None:
    text = read_input(directory / "input")
    argv = [sys.executable, "-I", "-S", "check.py", "input"]
    command = from_argv(argv, Path("input"), directory)
    answered = 0

    def count() -> None:
        nonlocal answered
        answered += 1

    with Store(database) as store, Runner(command, jobs) as runner:
        job = store.job(job_key(command, text, "ddmin"))
        start = preflight(runner, text, 1)
        note = resume(job, runner, start.expected)
        steps = iter(range(1, sys.maxsize))
        oracle = job.remembered(runner.oracle(start.expected, job.record), count)
        reduction = reduce(
            text,
            oracle,
            load_language("plain"),
            ("ddmin",),
            Watch(accepted=lambda best, _verdict: job.step(next(steps), best)),
        )
        if reduction.finished:
            job.drop()
        result = {
            "text": reduction.text,
            "note": note,
            "problem": store.problem,
            "answered": answered,
        }
    (directory / "result").write_text(json.dumps(result))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
