"""First tries: the command that a new user would type on a real bug, run as it was typed.

    python -m benchmarks.first_tries [NAMES ...]

A try is a file in `tries`: the packages that it installs (`pip`, `npm`, into a folder of its own
below the other benchmarks' environments) or needs on the machine (`needs`), the user's files, the
line as typed, and, where that is refused, the part of the refusal that says what to type, and that
line. A try holds if the result has at most `bytes` bytes and the summary says `said`. The outcomes
are kept in `outcomes.json`, and FIRST_TRIES.md is written of all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import tomlkit
from benchmarks import processes
from benchmarks.bugs import ENVIRONMENTS
from benchmarks.first_tries.inputs import filled
from benchmarks.markdown import paragraphs, table

HERE = Path(__file__).resolve().parent
_SIZES = re.compile(r"([\d,]+) → ([\d,]+) bytes?, .* in ([\d,]+) runs")
_MOST_SECONDS = 900


@dataclass(frozen=True, slots=True)
class Try:
    """A command line as a new user types it, with what it is about and what it has to come to."""

    name: str
    bug: str
    """The program, its version, and its bug."""
    files: Mapping[str, str]
    """The user's files by name; what `inputs` fills in is marked."""
    typed: str
    """The line for a shell."""
    bytes: int
    """The size of the smallest input known; no result may be larger."""
    said: str
    """A part of what is printed with the result: the failure."""
    pip: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    """Programs of the machine."""
    refused: str = ""
    """A part of the refusal of the line; nothing if it works at once."""
    then: str = ""
    """The line that is typed after the refusal."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a try came to."""

    name: str
    outcome: str
    """"at first", "after the sentence", or what went wrong."""
    sizes: tuple[int, int] | None = None
    """Bytes before and after."""
    runs: int = 0
    seconds: float = 0

    @property
    def holds(self) -> bool:
        """Whether it worked as it should."""
        return self.outcome in ("at first", "after the sentence")


def load(path: Path) -> Try:
    """Read a try."""
    values = tomlkit.parse(path.read_text("utf-8")).unwrap()
    lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
    files = {name: text.lstrip("\n") for name, text in values["files"].items()}
    return Try(**{**values, **lists, "name": path.stem, "files": files})


def missing(case: Try) -> list[str]:
    """Return the programs of the machine that a try needs and that are not there."""
    wanted = (*case.needs, *(("npm",) if case.npm else ()))
    return [name for name in wanted if shutil.which(name) is None]


def set_up(home: Path, pip: Sequence[str], npm: Sequence[str]) -> list[Path]:
    """Install packages below a folder, unless they are; return the folders of their programs."""
    folders = []
    if pip:
        python = home / "python/bin/python"
        make = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(home / "python")]
        get = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
        _installed(home / "pip.txt", pip, [make, [*get, "install", "--quiet", *pip]])
        folders.append(python.parent)
    if npm:
        get = ["npm", "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(home)]
        _installed(home / "npm.txt", npm, [[*get, *npm]])
        folders.append(home / "node_modules/.bin")
    return folders


def _installed(marker: Path, packages: Sequence[str], commands: Sequence[Sequence[str]]) -> None:
    """Run the commands that install packages, unless the marker says that they did."""
    if marker.exists() and marker.read_text().split() == list(packages):
        return
    marker.parent.mkdir(parents=True, exist_ok=True)
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed: {done.stderr[-1000:]}")
    marker.write_text("\n".join(packages))


def run(case: Try, programs: Sequence[Path]) -> tuple[Tried, str]:
    """Run a try in a fresh folder with its files; return its outcome and all that was printed.

    Its environment for Python is active, as after `activate`.
    """
    with tempfile.TemporaryDirectory(prefix="first-try-") as made:
        folder = Path(made, "project")
        for name, text in case.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(filled(text), encoding="utf-8")
            path.chmod(0o755 if text.startswith("#!") else 0o644)
        (folder / "pyproject.toml").touch()
        own = Path(sys.executable).parent
        environment = {
            **os.environ,
            "PATH": os.pathsep.join(map(str, [*programs, own, os.environ["PATH"]])),
            "XDG_CACHE_HOME": str(Path(made, "cache")),
        }
        if case.pip:
            environment["VIRTUAL_ENV"] = str(programs[0].parent)
        began = time.monotonic()
        status, printed = _shell(case.typed, folder, environment)
        outcome = "at first"
        if case.refused:
            if not status or case.refused not in printed:
                return Tried(case.name, f"not refused with “{case.refused}”"), printed
            outcome = "after the sentence"
            status, printed = _shell(case.then, folder, environment)
        return _tried(case, outcome, status, printed, time.monotonic() - began), printed


def _tried(case: Try, outcome: str, status: int, printed: str, seconds: float) -> Tried:
    """Judge what was printed at last."""
    found = _SIZES.search(printed)
    if status or found is None:
        return Tried(case.name, f"exit {status}, no result", seconds=round(seconds, 1))
    before, after, runs = (int(number.replace(",", "")) for number in found.groups())
    if after > case.bytes:
        outcome = f"larger than {case.bytes} bytes"
    elif case.said not in printed[found.start() :]:
        outcome = f"does not say “{case.said}”"
    return Tried(case.name, outcome, (before, after), runs, round(seconds, 1))


def _shell(line: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a line in a shell; return its exit status and all that it prints."""
    command = ("sh", "-c", f"exec 2>&1\n{line}")
    status, printed, _ = processes.run(command, folder, environment, _MOST_SECONDS)
    return status, printed


def report(cases: Sequence[Try], tried: Mapping[str, Tried], left_out: Sequence[str]) -> str:
    """Return the outcomes as Markdown."""
    rows = []
    for case in cases:
        if (each := tried.get(case.name)) is not None:
            typed = "<br>".join(f"`{line.replace('|', chr(92) + '|')}`" for line in _lines(case))
            sizes = None if each.sizes is None else "{:,} → {:,}".format(*each.sizes)
            seconds = f"{each.seconds:.0f}"
            rows.append((case.name, case.bug, typed, each.outcome, sizes, each.runs, seconds))
    outcomes = [tried[row[0]] for row in rows]
    at_first = sum(each.outcome == "at first" for each in outcomes)
    held = sum(each.holds for each in outcomes)
    parts = [
        "# First tries",
        "Outcomes of `python -m benchmarks.first_tries`: what a new user would type on real bugs "
        "of old releases, run as it is typed. A line is followed by another where the first one "
        "is refused with what to type next. The figures are those of the summary; seconds include "
        "all lines, on a machine that does other things.",
        f"{at_first} of {len(rows)} work at first, {held - at_first} after one sentence, "
        f"{len(rows) - held} do not.",
        table(("try", "bug", "typed", "works", "bytes", "runs", "seconds"), rows),
        "\n".join(f"Left out: {sentence}" for sentence in left_out),
    ]
    return paragraphs(parts) + "\n"


def _lines(case: Try) -> list[str]:
    return [line for line in (case.typed, case.then) if line]


def main() -> int:
    """Run the tries, keep their outcomes, and print and write the table of all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_tries")
    parser.add_argument("names", nargs="*", help="the tries to run (default: all)")
    parser.add_argument("--show", action="store_true", help="print all that was printed, too")
    options = parser.parse_args()
    cases = [load(path) for path in sorted((HERE / "tries").glob("*.toml"))]
    record = HERE / "outcomes.json"
    kept = json.loads(record.read_text()) if record.exists() else {}
    left_out, failed = [], False
    for case in cases:
        if options.names and case.name not in options.names:
            continue
        if lacking := missing(case):
            left_out.append(f"{case.name}, for {', '.join(lacking)} is not installed.")
            continue
        home = ENVIRONMENTS / "first_tries" / case.name
        done, printed = run(case, set_up(home, case.pip, case.npm))
        failed |= not done.holds
        kept[case.name] = asdict(done)
        record.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        print(f"{case.name}: {done.outcome}, {done.sizes}", file=sys.stderr)
        if options.show or not done.holds:
            print(printed, file=sys.stderr)
    shown = report(cases, {name: Tried(**values) for name, values in kept.items()}, left_out)
    print(shown)
    (HERE.parent / "FIRST_TRIES.md").write_text(shown, encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
