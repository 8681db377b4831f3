"""The tools that can be run: Boildown and those peers that are easy to install.

A tool is one function from a `Place` to the commands that it is started with and the file that its
result is in. All of them reach the oracle by the counting wrapper only.
"""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bugs import ENVIRONMENTS, HERE, Case, reproduces
from benchmarks.curves import read_log
from benchmarks.measured import Measured


class NotInstalledError(Exception):
    """A peer is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tool runs on a case."""

    folder: Path
    input: Path
    """A copy of the failing input, alone in its folder; a tool may overwrite it."""
    test: Path
    """A command that takes a file and exits with the oracle's status."""
    local_test: Path
    """The same for the file of the input's name in the current folder."""


LOOK = 0.1
"""Seconds between two looks at whether a tool has used up its runs."""
RETRY = """\
for _ in $(seq {tries}); do
    {once}; status=$?
    [ $status = 1 ] || exit $status
done
exit 1"""
"""A test of a failure that comes and goes, as a person would write it."""

Commands = tuple[Sequence[Sequence[str]], Path]


def boildown(place: Place) -> Commands:
    """Boildown's command line, one worker, nothing chosen but how the oracle answers."""
    command = [sys.executable, "-m", "boildown", "reduce", str(place.input), "--json"]
    # An oracle may look at the suffix.
    output = place.folder / f"out{place.input.suffix}"
    test = json.dumps([str(place.test), "{file}"])
    judge = 'interesting = true\ninvalid = "exit=2"'
    entry = f"[[input]]\nfiles = {json.dumps(place.input.name)}\ncommand = {test}\n{judge}\n"
    # Beside the input: runs are counted in the folder above, which must not be the workspace.
    (place.input.parent / "boildown.toml").write_text(entry)
    return [[*command, "--jobs", "1", "--output", str(output)]], output


def boildown_plain(place: Place) -> Commands:
    """Boildown, told that nothing is known of the input's language."""
    [command], output = boildown(place)
    return [[*command, "--language", "plain"]], output


def picire(place: Place) -> Commands:
    """Delta debugging on lines, then on characters."""
    output = place.folder / "out"
    command = [_installed("peers", "picire"), "-i", str(place.input), "--test", str(place.test)]
    more = ["-o", str(output), "--atom", "both", "--cache", "content", "-q"]
    return [[*command, *more]], output / place.input.name


def lithium(place: Place) -> Commands:
    """Minimize by lines, then by characters."""
    condition = place.folder / "condition.py"
    condition.write_text(
        "import subprocess\n\n\ndef interesting(args, prefix):\n"
        f"    return subprocess.call([{str(place.test)!r}, args[-1]]) == 0\n"
    )
    commands: list[list[str]] = []
    for unit in ([], ["--char"]):
        folder = place.folder / f"lithium{len(commands)}"
        folder.mkdir()
        start = [_installed("peers", "lithium"), *unit, "--tempdir", str(folder)]
        commands.append([*start, str(condition), str(place.input)])
    return commands, place.input


def shrinkray(place: Place) -> Commands:
    """Shrink Ray without its language model."""
    command = [_installed("shrinkray", "shrinkray"), "--ui", "basic", "--volume", "quiet"]
    more = ["--no-llm", "--no-history", "--input-type", "arg", "--parallelism", "1"]
    last = ["--trivial-is-not-error", "--formatter", "none", "--timeout", "30"]
    return [[*command, *more, *last, str(place.test), str(place.input)]], place.input


def cvise(place: Place) -> Commands:
    """C-Vise, told where the input is no C."""
    return _creducing("cvise", place, "--no-timing")


def creduce(place: Place) -> Commands:
    """C-Reduce, told where the input is no C."""
    return _creducing("creduce", place)


def _creducing(name: str, place: Place, *more: str) -> Commands:
    plain = [] if place.input.suffix in {".c", ".cpp"} else ["--not-c"]
    command = [_installed("debian", name), "--n", "1", *more, *plain]
    return [[*command, str(place.local_test), place.input.name]], place.input


def llvm_reduce(place: Place) -> Commands:
    """LLVM's own reducer, for its intermediate representation."""
    command = [_installed("", "llvm-reduce"), "-opaque-pointers", "--in-place"]
    return [[*command, f"--test={place.test}", str(place.input)]], place.input


def pysource_minimize(place: Place) -> Commands:
    """A reducer of Python by its syntax tree; it looks for a word that the test prints."""
    marked = place.folder / "marked"
    marked.write_text(f'#!/bin/sh\n{shlex.quote(str(place.test))} "$1" && echo REPRODUCED\n')
    marked.chmod(0o755)
    command = [_installed("pysource", "pysource-minimize"), "--file", str(place.input)]
    more = ["--track", "REPRODUCED", "--write", "--", str(marked), str(place.input)]
    return [[*command, *more]], place.input


def _installed(environment: str, name: str) -> str:
    """Return the path of a program of an environment, or else on the path."""
    path = ENVIRONMENTS / environment / "bin" / name
    found = str(path) if environment and path.exists() else shutil.which(name)
    if found is None:
        way = f"`sh {HERE.name}/peers.sh`" if environment else "`apt install llvm`"
        raise NotInstalledError(f"{name} is not installed: run {way}.")
    return found


TOOLS: dict[str, Callable[[Place], Commands]] = {
    tool.__name__: tool
    for tool in (
        *(boildown, boildown_plain, picire, lithium, shrinkray, cvise, creduce),
        *(llvm_reduce, pysource_minimize),
    )
}


def names(value: str) -> tuple[str, ...]:
    """Read names with commas between them, as an argument."""
    return tuple(value.split(","))


def measure(tool: str, case: Case, cap: float, runs: float = math.inf) -> Measured:
    """Run a tool on a case for at most `cap` seconds and about so many runs of the oracle.

    Of a failure that comes and goes, the test runs until it shows itself.

    Raises:
        NotInstalledError: the tool is not there.
    """
    prefix = f"shootout-{case.name}-{tool}-"
    # What a killed tool has started may still write there.
    with tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as folder:
        place = _place(Path(folder), case)
        commands, output = TOOLS[tool](place)
        began = time.monotonic()
        printed: str | None = ""
        for command in commands:
            printed = _run(command, place, cap - (time.monotonic() - began), runs)
            if printed is None:
                break
        seconds = time.monotonic() - began
        return _measured(tool, case, place, output, printed, seconds)


def _place(folder: Path, case: Case) -> Place:
    """Set up a folder in which a tool can run on a case."""
    (folder / "work").mkdir()
    input_copy = folder / "work" / case.input.name
    shutil.copy(case.input, input_copy)
    count = [sys.executable, "-ISs", str(HERE / "counting.py"), str(folder), str(case.oracle)]
    tests = []
    for name, file in (("test", '"$1"'), ("local_test", shlex.quote(case.input.name))):
        path = folder / name
        environment = f"export BENCH_ENV={shlex.quote(str(ENVIRONMENTS))}"
        once = f"{shlex.join(count)} {file}"
        run = f"exec {once}" if case.tries == 1 else RETRY.format(tries=case.tries, once=once)
        path.write_text(f"#!/bin/sh\n{environment}\n{run}\n")
        path.chmod(0o755)
        tests.append(path)
    return Place(folder, input_copy, *tests)


def _run(command: Sequence[str], place: Place, seconds: float, runs: float) -> str | None:
    """Run a command; return its output, or None if it was killed at one of its limits."""
    ends = time.monotonic() + seconds
    counted = place.folder / "runs"
    with open(place.folder / "errors", "ab") as errors:
        process = subprocess.Popen(
            command,
            cwd=place.input.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(place.folder)},
        )
        while True:
            try:
                printed, _ = process.communicate(timeout=LOOK)
            except subprocess.TimeoutExpired:
                done = counted.stat().st_size if counted.exists() else 0
                if time.monotonic() < ends and done < runs:
                    continue
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return None
            return printed.decode("utf-8", "replace")


def _measured(
    tool: str, case: Case, place: Place, output: Path, printed: str | None, seconds: float
) -> Measured:
    """Gather the figures of a run that has ended; `printed` is None if a cap ended it."""
    note, result = "", output
    if printed is None or not output.is_file():
        result = (place.folder / "best").with_suffix(place.input.suffix)
        if (place.folder / "best").is_file():
            os.replace(place.folder / "best", result)
        note = "" if printed is None else f"no result: {_last_line(place.folder / 'errors')}"
    content = result.read_bytes() if result.is_file() else None
    runs, log = place.folder / "runs", place.folder / "log"
    oracle_runs = runs.stat().st_size if runs.exists() else 0
    told = log.read_text() if log.exists() else ""
    if content is not None and not reproduces(case, result):
        content, note = None, "the oracle does not confirm the result"
    text = "" if content is None else content.decode("utf-8", "replace")
    return Measured(
        case=case.name,
        tool=tool,
        oracle_runs=oracle_runs,
        seconds=round(seconds, 1),
        bytes_out=None if content is None else len(content),
        tokens_out=None if content is None else tokens(text),
        capped=printed is None,
        points=read_log(told),
        text=text,
        report=json.loads(printed) if printed and tool == "boildown" else None,
        note=note,
        invalid=sum(line.endswith(" 2") for line in told.splitlines()),
    )


def _last_line(path: Path) -> str:
    lines = path.read_text("utf-8", "replace").strip().splitlines() if path.exists() else []
    return lines[-1] if lines else "it said nothing"


def tokens(text: str) -> int:
    """Return the number of words and punctuation characters of a text."""
    return len(re.findall(r"\w+|[^\w\s]", text))
