"""Measures long inputs: the time to the first candidate, and the peak of memory, beside peers.

`python -m benchmarks.limits [TOOL,TOOL] [SECONDS]` makes a JSON text of 50 MB, a line of 10 MB
and a million lines, and runs each tool on each of them for at most so many seconds (default 60).

Printed are its own seconds up to the first candidate, without those of the runs before it, and the
most memory that its processes used together, in MB and in sizes of the input; those of the test
command are not among them. The memory that Boildown takes for an input of a few bytes comes first.
A peer that is not installed is left out, with how to install it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tools import TOOLS, NotInstalledError, Place

MEGABYTE = 1_000_000
MOST_SECONDS = 5.0
"""To the first candidate, without the runs before it."""
MOST_SIZES = 6.0
"""Of memory."""
DEFAULT_TOOLS = "boildown,shrinkray,cvise"
NEEDLE = "needle"
TEST = """#!/bin/sh
began=$(date +%s.%N)
grep -q {needle} {file}
status=$?
echo "$began $(date +%s.%N) $(stat -c %s {file})" >> {log}
exit $status
"""
OF_THE_TEST = {"date", "grep", "sh", "stat", "test", "local_test"}
"""Processes that belong to the test command."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The figures of one tool on one input."""

    first: float | None
    """Own seconds to the first candidate; None if there was none in time."""
    peak: int
    """Bytes."""
    runs: int


def inputs() -> dict[str, str]:
    """Return the long texts by the names of their files."""
    records: list[str] = []
    length = 0
    while length < 50 * MEGABYTE:
        number = len(records)
        nested = {"x": number / 7, "y": [number, number + 1]}
        records.append(json.dumps({"id": number, "name": f"item {number}", "nested": nested}))
        length += len(records[-1]) + 2
    records[len(records) * 2 // 3] = json.dumps({"id": 1, "bug": {NEEDLE: 42}})
    words = [f"word{number * 7919 % 100_003}" for number in range(MEGABYTE)]
    words[len(words) // 3] = NEEDLE
    lines = [f"line {number} of many" for number in range(MEGABYTE)]
    lines[600_000] = f"{NEEDLE} here"
    return {
        "records.json": "[" + ",\n".join(records) + "]\n",
        "line.txt": " ".join(words)[: 10 * MEGABYTE] + "\n",
        "lines.txt": "\n".join(lines) + "\n",
        "short.txt": f"{NEEDLE}\n",
    }


def measure(tool: str, name: str, text: str, cap: float) -> Limits:
    """Run a tool on a text for at most `cap` seconds. Raises NotInstalledError."""
    with tempfile.TemporaryDirectory(prefix="limits-") as made:
        folder = Path(made)
        (folder / "work").mkdir()
        place = Place(folder, folder / "work" / name, folder / "test", folder / "local_test")
        place.input.write_text(text)
        log = folder / "calls"
        log.touch()
        for path, file in ((place.test, '"$1"'), (place.local_test, name)):
            path.write_text(TEST.format(needle=NEEDLE, file=file, log=log))
            path.chmod(0o755)
        commands, _ = TOOLS[tool](place)
        began = time.time()
        process = subprocess.Popen(
            commands[0],
            cwd=place.input.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "TMPDIR": made, "XDG_CACHE_HOME": made},
        )
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(_memory(process.pid)))
            if time.time() - began > cap:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            time.sleep(0.02)
        calls = [tuple(map(float, line.split())) for line in log.read_text().splitlines()]
        return _figures(began, calls, len(text), peak)


def _figures(began: float, calls: list[tuple[float, ...]], length: int, peak: int) -> Limits:
    """Gather the figures from the calls of the test: beginning, end, and size of the file."""
    before = 0.0
    first = None
    for start, end, size in calls:
        # An empty text and one of a single character are of a preflight.
        if 1 < size != length:
            first = start - began - before
            break
        before += end - start
    return Limits(first, peak, len(calls))


def _memory(root: int) -> Iterator[int]:
    """Yield the bytes of a process and of those of its descendants that are the tool's.

    What processes share after a fork is divided among them.
    """
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                name, _, rest = Path("/proc", entry, "stat").read_text().rpartition(")")
                names[int(entry)] = name.partition("(")[2]
                parents[int(entry)] = int(rest.split()[1])
    for pid, name in names.items():
        above = pid
        while above not in (root, 0):
            above = parents.get(above, 0)
        if above == root and name not in OF_THE_TEST:
            with contextlib.suppress(OSError):
                lines = Path("/proc", str(pid), "smaps_rollup").read_text().splitlines()
                yield sum(int(line.split()[1]) * 1024 for line in lines if line[:4] == "Pss:")


def main() -> int:
    """Print a row for each tool and input; return 1 if Boildown misses a limit."""
    tools = (sys.argv[1:2] or [DEFAULT_TOOLS])[0].split(",")
    cap = float((sys.argv[2:3] or ["60"])[0])
    texts = inputs()
    short = measure("boildown", "short.txt", texts.pop("short.txt"), cap)
    print(f"Boildown takes {short.peak / MEGABYTE:.0f} MB for an input of a few bytes.")
    print(f"{'input':14}{'MB':>6}  {'tool':10}{'first s':>9}{'peak MB':>9}{'sizes':>7}{'runs':>7}")
    missed = False
    for name, text in texts.items():
        for tool in tools:
            try:
                found = measure(tool, name, text, cap)
            except NotInstalledError as error:
                print(f"{name:14}{len(text) / MEGABYTE:6.1f}  {tool:10}{error}")
                continue
            sizes = found.peak / len(text)
            first = "-" if found.first is None else f"{found.first:.1f}"
            print(
                f"{name:14}{len(text) / MEGABYTE:6.1f}  {tool:10}{first:>9}"
                f"{found.peak / MEGABYTE:9.0f}{sizes:7.1f}{found.runs:7}",
                flush=True,
            )
            if tool == "boildown":
                # What Python takes for any input is not the input's.
                sizes = (found.peak - short.peak) / len(text)
                is_late = found.first is None or found.first > MOST_SECONDS
                if is_late or sizes > MOST_SIZES:
                    missed = True
                    print(f"  missed: {MOST_SECONDS} s, {MOST_SIZES} sizes (here {sizes:.1f})")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
