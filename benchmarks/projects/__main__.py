"""The projects of the benchmark: whole folders that fail since one line was changed.

`python -m benchmarks.projects` sets them up from their registries, reduces them by Boildown and by
Shrink Ray, capped by runs and by seconds, and writes PROJECTS.md. What was measured is kept in
projects.json, so `--only` and `--tools` renew a part of it, and `--report` only writes it again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS, HERE
from benchmarks.markdown import paragraphs, table
from benchmarks.projects import judging
from benchmarks.projects.projects import PROJECTS, Project
from benchmarks.projects.setups import NotSetUpError, home, python, set_up, source, variables
from benchmarks.tools import LOOK, names

FIGURES = Path(__file__).with_name("projects.json")
REMARKS = FIGURES.with_name("remarks.md")
SHARE = 0.05
"""Of the lines of a project: how long a tool takes until so many are left is of interest."""

HEAD = """\
# Whole projects

Written by `make bench-projects`; not edited by hand. `python -m benchmarks.projects --report`
writes it again from `projects/projects.json`."""

METHOD = """\
Each project is a release of its registry, or made by a script, in which one line was changed
(`projects/projects.py`); a test of its own then fails, or its build. Both tools, one worker each,
reach the command through the same wrapper, which measures the folder that it is to judge, runs the
command there, and says whether the failure's message was printed. Every start of it counts as a
run. Lines are those that are not blank; the result is the smallest folder, by bytes, of which the
message was printed, and "runs to 5 %" those until one had at most 5 % of the lines. A dash means
that this was not reached; "capped" that a tool was ended at the runs or seconds that it was
given."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The figures of a tool on a project. Sizes are files, lines and bytes."""

    project: str
    tool: str
    before: tuple[int, int, int]
    after: tuple[int, int, int]
    runs: int
    runs_to_share: int | None
    """Until at most `SHARE` of the lines were left; None if more are."""
    seconds: float
    capped: bool


def main(argv: Sequence[str]) -> int:
    """Measure what the arguments name, print and write the table; return the exit status."""
    options = _parser().parse_args(argv)
    chosen = [each for each in PROJECTS if not options.only or each.name in options.only]
    for project in () if options.report else chosen:
        try:
            set_up(project)
        except NotSetUpError as error:
            print(f"{project.name}: left out, {error}", flush=True)
            continue
        for tool in () if options.setup else options.tools or tuple(TOOLS):
            try:
                measured = measure(tool, project, options.cap, options.runs)
            except NotSetUpError as error:
                print(f"{project.name}: {error}", flush=True)
                continue
            keep(measured)
            print(measured, flush=True)
    text = report(load(), REMARKS.read_text("utf-8").strip())
    (HERE / "PROJECTS.md").write_text(text, "utf-8")
    print(text, f"Written: {HERE / 'PROJECTS.md'}", sep="\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.projects",
        description="Reduce whole projects by Boildown and by Shrink Ray.",
    )
    for name, meaning in (
        ("--only", "only these projects (default: all)"),
        ("--tools", f"only these tools (default: {', '.join(TOOLS)})"),
    ):
        parser.add_argument(name, type=names, default=(), metavar="A,B", help=meaning)
    parser.add_argument(
        "--cap", type=float, default=600, metavar="S", help="seconds for each tool and project"
    )
    parser.add_argument(
        "--runs", type=int, default=1000, metavar="N", help="runs for each tool and project"
    )
    parser.add_argument("--setup", action="store_true", help="set up only, measure nothing")
    parser.add_argument("--report", action="store_true", help="measure nothing, only write")
    return parser


def boildown(folder: Path, test: Sequence[str]) -> Sequence[str]:
    """Boildown's command line, one worker; the command starts in the candidate's folder."""
    more = ["--json", "--jobs", "1", "--interesting", "--output", f"{folder}.reduced"]
    return [sys.executable, "-m", "boildown", "reduce", ".", *more, "--", *test]


def shrinkray(folder: Path, test: Sequence[str]) -> Sequence[str]:
    """Shrink Ray without its language model; the test gets the candidate's folder."""
    program = ENVIRONMENTS / "shrinkray" / "bin" / "shrinkray"
    if not program.exists():
        raise NotSetUpError("Shrink Ray is not installed: run `sh benchmarks/peers.sh`.")
    script = Path(f"{folder}.sh")
    script.write_text(f'#!/bin/sh\nexec {" ".join(test)} "$1"\n')
    script.chmod(0o755)
    more = ["--ui", "basic", "--volume", "quiet", "--no-llm", "--no-history", "--parallelism", "1"]
    last = ["--input-type", "arg", "--trivial-is-not-error", "--formatter", "none"]
    return [str(program), *more, *last, "--timeout", "60", str(script), str(folder)]


TOOLS: Mapping[str, Callable[[Path, Sequence[str]], Sequence[str]]] = {
    tool.__name__: tool for tool in (boildown, shrinkray)
}


def measure(tool: str, project: Project, cap: float, runs: int) -> Reduced:
    """Have a tool reduce a project for at most `cap` seconds and so many runs.

    Raises NotSetUpError.
    """
    # Outside the project's own folder, in which Python and Node would find what a candidate lacks.
    with tempfile.TemporaryDirectory(prefix="project-", ignore_cleanup_errors=True) as made:
        folder = Path(made, "project")
        shutil.copytree(source(project), folder)
        log, config = Path(made, "log"), Path(made, "config")
        told = {
            "log": str(log),
            "command": [part.replace("{python}", python(project)) for part in project.command],
            "environment": variables(project),
            "message": project.message,
        }
        config.write_text(json.dumps(told), "utf-8")
        test = [sys.executable, "-ISs", judging.__file__, str(config)]
        command = TOOLS[tool](folder, test)
        before = judging.measured(str(folder))
        began = time.monotonic()
        capped = _run(command, folder, log, cap, runs)
        seconds = time.monotonic() - began
        _keep_result(folder, home(project) / f"{tool}.reduced")
        return _figures(project, tool, before, log, seconds, capped)


def _run(command: Sequence[str], folder: Path, log: Path, cap: float, runs: int) -> bool:
    """Run a tool up to its caps; say whether one of them ended it."""
    environment = {**os.environ, "TMPDIR": str(folder.parent), "XDG_CACHE_HOME": f"{folder}.cache"}
    with Path(f"{folder}.said").open("wb") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        ends = time.monotonic() + cap
        while process.poll() is None:
            time.sleep(LOOK)
            if time.monotonic() > ends or len(_starts(log)) > runs:
                os.killpg(process.pid, signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                return True
    return False


def _keep_result(folder: Path, target: Path) -> None:
    """Keep what a tool has left and said, for a person to look at."""
    shutil.rmtree(target, ignore_errors=True)
    result = Path(f"{folder}.reduced")
    shutil.copytree(result if result.exists() else folder, target)
    shutil.copy(f"{folder}.said", f"{target}.said")


def _starts(log: Path) -> list[str]:
    text = log.read_text() if log.exists() else ""
    return [line for line in text.splitlines() if line.endswith("?")]


def _figures(
    project: Project,
    tool: str,
    before: tuple[int, int, int],
    log: Path,
    seconds: float,
    capped: bool,
) -> Reduced:
    """Read the log: its lines are the sizes and the status of each run, at its start and end."""
    runs, reached, after = 0, None, before
    for line in log.read_text().splitlines() if log.exists() else ():
        *sizes, status = line.split()
        files, lines, size = map(int, sizes)
        runs += status == "?"
        if status != "0":
            continue
        if reached is None and lines <= SHARE * before[1]:
            reached = runs
        if size < after[2]:
            after = (files, lines, size)
    return Reduced(project.name, tool, before, after, runs, reached, round(seconds), capped)


def load() -> list[Reduced]:
    """Return what was measured, in the order of the projects and the tools."""
    rows = json.loads(FIGURES.read_text("utf-8")) if FIGURES.exists() else []
    return [Reduced(**row) for row in rows]


def keep(measured: Reduced) -> None:
    """Keep the figures of a tool on a project in place of those from before."""
    named = {(each.project, each.tool): each for each in [*load(), measured]}
    order = [(project.name, tool) for project in PROJECTS for tool in TOOLS]
    rows = [asdict(named[each]) for each in order if each in named]
    FIGURES.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def report(measured: Sequence[Reduced], remarks: str) -> str:
    """Return PROJECTS.md; the remarks are a person's."""
    return paragraphs([HEAD, METHOD, remarks, _table(measured)]) + "\n"


def _table(measured: Sequence[Reduced]) -> str:
    head = ["project", "tool"]
    for what in ("files", "lines", "bytes"):
        head += [what, "after"]
    head += ["runs", "runs to 5 %", "seconds", ""]
    rows = []
    for each in measured:
        sizes = [size for pair in zip(each.before, each.after, strict=True) for size in pair]
        capped = "capped" if each.capped else ""
        last = (each.runs, each.runs_to_share, f"{each.seconds:.0f}", capped)
        rows.append((each.project, each.tool, *(f"{size:,}" for size in sizes), *last))
    return table(head, rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
