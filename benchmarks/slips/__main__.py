"""Slips: how often a reduction ends with another bug of the same function than it began with.

    python -m benchmarks.slips [NAMES ...]

Each program in `programs` has two or more bugs in one function. Its input triggers one of them. The
truth is which bug an output shows: lines of the programs are marked `BUG name`, and where one line
or one message has several, regular expressions tell them apart. Each input is reduced at every
level, and what the results show is written to SLIPS.md, beside what `before.json` recorded of the
version that compared file and function only.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.markdown import paragraphs, table

from boildown.jobs.reduce import reduce
from boildown.jobs.work import JobOptions, Obstacle, PreflightError
from boildown.runner.command import Level, from_argv
from boildown.runner.run import Run
from boildown.runner.runner import Runner

HERE = Path(__file__).resolve().parent
_TRIED = (Level.ERROR, Level.LOCATION, Level.MESSAGE)
_MOST_RUNS = 400


@dataclass(frozen=True, slots=True)
class Case:
    """A program with several bugs in one function."""

    name: str
    run: tuple[str, ...]
    """The command, in the folder of the program; the input's path comes last."""
    build: tuple[str, ...] = ()
    """The command that compiles it there."""
    bugs: Mapping[str, str] = field(default_factory=dict)
    """Regular expressions on the output for each bug, where marked lines do not tell."""
    by_path: bool = True
    """Whether the input's path is an argument."""


_PYTHON = (sys.executable, "tool.py")
_JAVA = ("java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", ".", "Tool")
_PYTEST = (sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=short")
CASES = (
    Case("py-lines", _PYTHON,
         bugs={"many": "too many values", "few": "not enough values", "float": "to float"}),
    Case("py-keys", _PYTHON),
    Case("py-columns", _PYTHON, bugs={"w": r"^ {11}\^", "h": r"^ {27}\^"}),
    Case("py-words", _PYTHON, bugs={"unknown": "is unknown$", "opened": "never opened$"}),
    Case("py-library", _PYTHON),
    Case("pytest-lines", (*_PYTEST, "test_report.py"), by_path=False),
    Case("pytest-asserts", (*_PYTEST, "test_words.py"), by_path=False),
    Case("js-lines", ("node", "tool.js")),
    Case("js-minified", ("node", "tool.js"), bugs={"left": r"js:1:53\)", "right": r"js:1:69\)"}),
    Case("js-words", ("node", "tool.js"), bugs={"id": "needs an id", "range": "range is empty"}),
    Case("c-asan", ("./tool",), ("gcc", "-g", "-fsanitize=address", "-o", "tool", "tool.c")),
    Case("c-assert", ("./tool",), ("gcc", "-g", "-o", "tool", "tool.c")),
    Case("cpp-numbers", ("./tool",), ("g++", "-o", "tool", "tool.cpp"),
         bugs={"stoi": "  stoi$", "stod": "  stod$"}),
    Case("java-numbers", _JAVA, ("javac", "Tool.java")),
    Case("java-cells", _JAVA, ("javac", "Tool.java")),
    Case("rust-unwrap", ("./tool",), ("rustc", "-g", "-o", "tool", "tool.rs")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one reduction."""

    case: str
    level: str
    bug: str
    """The bug that the original shows."""
    shown: str
    """The bug that the result shows."""
    before: int
    """Bytes."""
    after: int
    runs: int
    signature: str

    @property
    def slipped(self) -> bool:
        """Whether the result shows another bug than the original."""
        return self.shown != self.bug


def bug_of(case: Case, folder: Path, run: Run) -> str:
    """Return the name of the bug that an output shows, or its end if it is none of them."""
    output = f"{run.stdout}\n{run.stderr}"
    shown = {name for name, pattern in case.bugs.items() if re.search(pattern, output, re.M)}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".py", ".js", ".c", ".cpp", ".java", ".rs"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                marked = re.search(r"BUG (\w+)", line)
                named = rf"{re.escape(path.name)}(?::|\", line ){number}\b"
                if marked and re.search(named, output):
                    shown.add(marked[1])
    return "+".join(sorted(shown)) or f"none ({run.end})"


def measure(case: Case, level: Level) -> Result:
    """Reduce the input of a case at one level, in a copy of its folder."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made, case.name)
        shutil.copytree(HERE / "programs" / case.name, folder)
        if case.build:
            subprocess.run(case.build, cwd=folder, check=True, capture_output=True)
        (folder / "pyproject.toml").touch()
        file = next(folder.glob("input.*"))
        text = file.read_text()
        argv = (*case.run, str(file)) if case.by_path else case.run
        command = from_argv(argv, file, folder, level=level, repeat=2)
        options = JobOptions(max_runs=_MOST_RUNS, fresh=True)
        try:
            done = reduce(text, command, options)
        except PreflightError as error:
            # The original's first run shows its bug; that of the empty input is another one.
            with Runner(command) as runner:
                first, empty = runner.run(text), runner.run("")
            if error.kind is not Obstacle.EMPTY_REPRODUCES:
                raise
            bugs = bug_of(case, folder, first), bug_of(case, folder, empty)
            size = len(text.encode())
            return Result(case.name, level.value, *bugs, size, size, 0, "refused")
        assert done.start is not None
        assert done.run is not None
        return Result(
            case.name,
            level.value,
            bug_of(case, folder, done.start.run),
            bug_of(case, folder, done.run),
            len(text.encode()),
            len(done.reduction.text.encode()),
            done.reduction.runs,
            done.start.expected.signature,
        )


def _cell(result: Result | None) -> str | None:
    if result is None:
        return None
    if not result.runs:
        return f"refused: the empty input fails, too ({result.shown})"
    slip = f", slipped to {result.shown}" if result.slipped else ""
    return f"{result.after} B, {result.runs} runs{slip}"


def report(before: list[Result], after: list[Result]) -> str:
    """Return the measurement as Markdown."""
    old = {(each.case, each.level): each for each in before}
    new = {(each.case, each.level): each for each in after}
    levels = list(dict.fromkeys(each.level for each in after))
    location = Level.LOCATION.value
    parts = [
        "# Slips inside a function",
        "Results of `python -m benchmarks.slips`. Each program has two or more bugs in one "
        "function; a reduction slips if its result shows another one than the original. "
        "“Before” compared the file and the function of the place; now the text of the line "
        "and the words of the message count, too.",
    ]
    for level in levels:
        was = [each for each in before if each.level == level]
        now = [each for each in after if each.level == level]
        parts.append(
            f"Slips at level `{level}`: before {sum(each.slipped for each in was)} of {len(was)}, "
            f"now {sum(each.slipped for each in now)} of {len(now)}."
        )
    rows = []
    for case in dict.fromkeys(each.case for each in after):
        now_one = new[case, location]
        rows.append(
            (
                case,
                f"{now_one.before} B",
                now_one.bug,
                _cell(old.get((case, location))),
                _cell(now_one),
                *(_cell(new.get((case, level))) for level in levels if level != location),
            )
        )
    others = [f"level {level}" for level in levels if level != location]
    head = ("program", "input", "bug", "location before", "location now", *others)
    parts.append(table(head, rows))
    costs = [
        f"{name}: {old[name, location].after} → {new[name, location].after} B"
        for name, level in old
        if level == location and (name, level) in new and not old[name, level].slipped
        if new[name, location].after > old[name, location].after
    ]
    parts.append(
        "Where no slip was prevented, the stricter place cost size in "
        f"{len(costs)} of {len(rows)} programs{': ' + '; '.join(costs) if costs else ''}."
    )
    signatures = [(each.case, f"`{each.signature}`") for each in after if each.level == location]
    parts.append(table(("program", "failure at level location"), signatures))
    return paragraphs(parts) + "\n"


def main() -> None:
    """Measure, print the table, and keep it if all cases were measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slips")
    parser.add_argument("names", nargs="*", help="the cases to measure; default: all")
    parser.add_argument("--levels", default=",".join(level.value for level in _TRIED))
    parser.add_argument("--record-before", action="store_true", help="write before.json")
    options = parser.parse_args()
    levels = [Level(name) for name in options.levels.split(",")]
    results = []
    for case in CASES:
        if options.names and case.name not in options.names:
            continue
        program = (case.build or case.run)[0]
        if shutil.which(program) is None:
            print(f"{case.name}: {program} is not installed", file=sys.stderr)
            continue
        for level in levels:
            result = measure(case, level)
            results.append(result)
            print(f"{case.name} {level.value}: {result.bug}: {_cell(result)}", file=sys.stderr)
    record = HERE / "before.json"
    if options.record_before:
        record.write_text(json.dumps([asdict(each) for each in results], indent=1) + "\n")
    before = [Result(**each) for each in json.loads(record.read_text())]
    shown = report(before, results)
    print(shown)
    if not options.names:
        (HERE.parent / "SLIPS.md").write_text(shown, encoding="utf-8")


if __name__ == "__main__":
    main()
