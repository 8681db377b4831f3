"""Jobs on made subjects whose runs draw a number by the law, in place of starting a program.

All else is the job that the command line starts: preflight, search, verification and JSON. A
program takes 0.03 s or so and a law 0.0001 s, and a fragile failure takes thousands of runs. Hash
seeds and addresses are drawn anew for each run, as numbers are; the size of the environment is not,
so the subjects that depend on it are left out.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from benchmarks.flaky import Simulated
from benchmarks.fragile.laws import rate
from benchmarks.fragile.subject import Subject

from boildown.cli.report import in_json
from boildown.jobs import reduce as job
from boildown.jobs.work import JobOptions
from boildown.runner.command import TestCommand

ENVIRONMENTS = frozenset({"environment-page", "environment-alignment"})


def is_drawn(subject: Subject) -> bool:
    """Say whether runs on a subject are draws at the rate of its law."""
    return subject.made and subject.name not in ENVIRONMENTS


def simulate(subject: Subject, seed: int | None, options: JobOptions) -> tuple[dict[str, Any], str]:
    """Reduce a made subject; return the JSON of the result, and its text."""
    random = Random(seed)

    def simulated(command: TestCommand, *_: object) -> Simulated:
        return Simulated(lambda text: random.random() < rate(subject.name, text), command)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, subject.file)
        path.write_text(subject.text, encoding="utf-8")
        command = TestCommand(("tool", subject.file), path.parent, subject.file)
        environment = {"XDG_CACHE_HOME": folder}
        with mock.patch.object(job, "Runner", simulated), mock.patch.dict(os.environ, environment):
            done = job.reduce(subject.text, command, options)
    return in_json(subject.text, done, path), done.text
