"""What it costs a run of Python to be observed, in processor time.

    python -m benchmarks.why.costs [NAME ...]

The figures are kept in `costs.json`, from which the report takes them. Bugs of JavaScript, and of
programs that are started by a script of their own, are left out.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.processes import run
from benchmarks.why.cases import COSTS, Place, bugs, place
from release.matrix import interpreter

from boildown.runner.command import TestCommand
from boildown.runner.guardian.messages import OBSERVED, OBSERVER_PATH
from boildown.runner.judging.sources import source_text
from boildown.runner.observation import observing

_PYTHONS = ("3.11", "3.12")
_TIMED = 3
"""Runs of each kind whose processor time is taken; the least counts."""


def ratio(laid: Place, program: str) -> float | None:
    """Return how much more time a traced run takes, by a Python which takes the packages as they
    are; None if it does not run."""
    with tempfile.TemporaryDirectory(prefix="why-time-") as made:
        asked = [program, "-c", "import sys; print(sys.executable)"]
        status, real, _ = run(asked, Path(made), os.environ, 60)
        if status:
            return None
        Path(made, "python").symlink_to(real.strip())
        plain = {
            "PATH": os.pathsep.join([made, laid.variables["PATH"]]),
            "PYTHONPATH": str(laid.packages),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        with observing(TestCommand((), Path(made), "timed"), "installed") as (observed, take):
            path = os.pathsep.join([OBSERVER_PATH, plain["PYTHONPATH"]])
            traced = {**plain, OBSERVED: observed.observed, "PYTHONPATH": path}
            # What is not compiled yet is so now.
            laid.run(**plain)
            laid.run(**traced)
            without = min(_processor_time(lambda: laid.run(**plain)) for _ in range(_TIMED))
            times = [_processor_time(lambda: laid.run(**traced)) for _ in range(_TIMED)]
            if not take(source_text).places:
                return None
    return min(times) / without


def _processor_time(of: Callable[[], object]) -> float:
    """Return the seconds that the processes of a call have used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    of()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Measure the bugs that are named, or all, and keep the ratios."""
    chosen = [bug for bug in bugs() if bug.registry == "pip" and bug.command.startswith("python ")]
    for bug in chosen:
        if sys.argv[1:] and bug.name not in sys.argv[1:]:
            continue
        kept = json.loads(COSTS.read_text("utf-8")) if COSTS.exists() else {}
        for version in _PYTHONS:
            program = interpreter(version)
            if program and (found := ratio(place(bug), str(program))) is not None:
                kept.setdefault(version, {})[bug.name] = round(found, 2)
                print(bug.name, version, round(found, 2), flush=True)
        COSTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
