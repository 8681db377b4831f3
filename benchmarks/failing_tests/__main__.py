"""Failing tests as people write them: whether the input is found, and without a question.

    python -m benchmarks.failing_tests [--only NAME ...] [--seconds S]

Sixty tests are those of six packages: a newer release's suite on an older release's source. Forty
are shapes: a small program, its fault, and a test that is written as people write them. Each has a
label that says which input it has: where it stands, or that it has none. What is typed is
`boildown reduce TEST --json --in-place`, in a fresh copy. What it came to is kept in a row, and
FAILING_TESTS.md is written of all rows. The tests are frozen: nothing may be tuned to them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.failing_tests.cases import HERE, HOME, cases, lay, packages, programs
from benchmarks.failing_tests.grading import Answer, Case, grade, runs_before, spans_of
from benchmarks.markdown import paragraphs, table
from benchmarks.processes import run

ROWS = HOME / "rows.json"
BEFORE = HERE / "before.json"
REPORT = HERE.parent / "FAILING_TESTS.md"
MOST_RUNS = 200
_GRADES = ("found", "wrong", "asked", "refused", "dead end", "no answer")
_GOAL = 0.85
_BEFORE = """\
The version before anything was done for such tests (8f0babf), with 15 seconds for each on a \
machine that did much else: “first” and sizes are those of searches that hardly began."""
_NOW = """\
15 or 30 seconds for each, on two cores with a load of 5 to 13: sizes are those of searches that \
were cut short. Rows are of 58a396b or later; those of tabulate, but for 05 and 11, and those of \
jinja2 that may have changed (02, 03, 08) were measured again with 8bcb7fa. What it does about \
equality in a helper made five of “found” “refused”: their result was an empty list."""

# Counts the sessions of pytest, also of those of which Boildown keeps no count.
_COUNTER = """\
import os

def pytest_sessionstart(session):
    with open(os.environ["FAILING_TESTS_COUNT"], "a") as file:
        file.write("x")
"""


@dataclass(frozen=True, slots=True)
class Row:
    """What the reduction of a failing test came to."""

    name: str
    grade: str
    taken: str = ""
    """Where the input stands that was reduced."""
    first: int | None = None
    """The runs before the first candidate, those of the final check left out."""
    sizes: tuple[int, int] | None = None
    """Bytes before and after."""
    runs: int = 0
    """Sessions of pytest."""
    seconds: float = 0
    said: str = ""
    """The first line of a refusal."""


def measure(case: Case, seconds: int) -> Row:
    """Reduce the input of a test as a user would, and grade what comes of it."""
    with tempfile.TemporaryDirectory(prefix="failing-test-") as made:
        folder, count = Path(made, "project"), Path(made, "count")
        lay(case, folder)
        (Path(made, "plugin")).mkdir()
        Path(made, "plugin/failing_tests_counter.py").write_text(_COUNTER)
        python = programs()
        variables = {
            **os.environ,
            "PATH": os.pathsep.join([str(python), os.environ["PATH"]]),
            "VIRTUAL_ENV": str(python.parent),
            "PYTHONPATH": str(Path(made, "plugin")),
            "PYTEST_PLUGINS": "failing_tests_counter",
            "FAILING_TESTS_COUNT": str(count),
            "XDG_CACHE_HOME": str(Path(made, "cache")),
            "XDG_STATE_HOME": str(Path(made, "state")),
        }
        limits = ["--jobs", "1", "--max-runs", str(MOST_RUNS), "--max-seconds", str(seconds)]
        typed = [sys.executable, "-m", "boildown", "reduce", case.test, "--json", *limits]
        texts = _texts(folder)
        began = time.monotonic()
        # What stands in no file, as an example of Hypothesis, can't be reduced in place.
        for place in (["--in-place"], ["--output", str(Path(made, "result"))]):
            count.write_text("")
            status, printed, said = run([*typed, *place], folder, variables, 5 * seconds)
            if status == -signal.SIGKILL or _json(printed) or "--in-place" not in said:
                break
        taken = round(time.monotonic() - began, 1)
        runs = len(count.read_text())
        if status == -signal.SIGKILL:
            return Row(case.name, "no answer", runs=runs, seconds=taken)
        now = _texts(folder)
        changed = {file: now.get(file, "") for file in texts if now.get(file) != texts[file]}
        answer = Answer(_json(printed), said or printed, changed)
        graded = grade(case, texts, answer)
        if answer.done is None:
            first_line = next((line for line in said.splitlines() if line.strip()), "nothing")
            return Row(case.name, graded, runs=runs, seconds=taken, said=first_line[:300])
        return _row(case, graded, answer.done, runs, taken)


def _row(case: Case, graded: str, done: Mapping[str, object], runs: int, seconds: float) -> Row:
    before, after = done.get("bytes_before"), done.get("bytes_after")
    return Row(
        case.name,
        graded,
        str(done.get("where") or done.get("kind") or done.get("output")),
        runs_before(done, runs),
        (before, after) if isinstance(before, int) and isinstance(after, int) else None,
        runs,
        seconds,
    )


def _texts(folder: Path) -> dict[str, str]:
    """Return the texts of a folder's files by path, those that Python makes left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".orig")
    }


def _json(printed: str) -> dict[str, object] | None:
    """Return the result's JSON, which ends what is printed, if there is one."""
    for line in reversed(printed.splitlines()):
        if line.startswith("{"):
            found = json.loads(line)
            return found if isinstance(found, dict) and "bytes_before" in found else None
    return None


def check(case: Case) -> str:
    """Return what is wrong with a declaration: its test passes, or its input is not there."""
    with tempfile.TemporaryDirectory(prefix="failing-test-") as made:
        folder = Path(made, "project")
        lay(case, folder)
        if case.file:
            path = folder / case.file
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            try:
                spans_of(text, case.input)
                spans_of(text, case.also)
            except ValueError as error:
                return str(error)
        command = [str(programs() / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        status, printed, _ = run([*command, case.test], folder, dict(os.environ), 120)
        if status != 1 or re.search(r"^1 failed", printed, re.M) is None:
            return f"pytest exits with {status}: {printed[-300:]}"
        return ""


def summary(chosen: Sequence[Case], rows: Mapping[str, Row]) -> str:
    """Return the sums in a few sentences."""
    done = [(case, rows[case.name]) for case in chosen if case.name in rows]
    labelled = [row for case, row in done if case.has_input]
    if not labelled:
        return "Nothing was measured yet."
    counts = Counter(row.grade for row in labelled)
    dead = sum(row.grade in ("dead end", "no answer") for _, row in done)
    without = [row for case, row in done if not case.has_input]
    told = ", ".join(f"{counts[name]} {name}" for name in _GRADES)
    first = [row.first for _, row in done if row.first is not None]
    middle = f"{statistics.median(first):.0f} (median)" if first else "unknown"
    return (
        f"{len(labelled)} tests with an input: {told}. Found at once: "
        f"{counts['found'] / len(labelled):.0%} (goal: {_GOAL:.0%}); wrong: {counts['wrong']} "
        f"(goal: 0). {sum(row.grade == 'found' for row in without)} of {len(without)} tests "
        f"without an input are taken for that, {sum(row.grade == 'wrong' for row in without)} get "
        f"one. Of all {len(done)}, {dead} are refused without a next step, or have no answer in "
        f"time (goal: 0). Runs before the first candidate: {middle}."
    )


def report(chosen: Sequence[Case], before: Mapping[str, Row], now: Mapping[str, Row]) -> str:
    """Return all rows as Markdown."""
    listed = (f"{name} ({each['new']} on {each['old']})" for name, each in packages().items())
    parts = [
        "# Failing tests",
        "Written by `make bench-failing-tests`; not edited by hand. "
        "`python -m benchmarks.failing_tests --report` writes it again.",
        "Each test has a label that says which input it has; the labels were written before "
        "anything was tuned, and stay as they are. “Found” is that input without a question, or "
        "that the test has none; “wrong” that another one was taken, or a part of it; “asked” a "
        "list of inputs to choose from; “refused” a refusal that says what to do next, “dead end” "
        "one that does not. Runs are sessions of pytest; “first” those that were no candidates, "
        "without the final check. A test's run is ended at "
        f"{MOST_RUNS} runs, or by seconds, so sizes are not always the smallest.",
        f"The packages, a newer suite on an older source: {', '.join(listed)}.",
        *_part("Now", chosen, now, _NOW),
        *_part("Before", chosen, before, _BEFORE),
    ]
    return paragraphs(parts) + "\n"


def _part(
    title: str, chosen: Sequence[Case], rows: Mapping[str, Row], remark: str = ""
) -> list[str]:
    if not rows:
        return []
    head = ("name", "test", "input", "grade", "taken, or said", "first", "bytes", "runs", "seconds")
    cells = []
    for case in chosen:
        if (row := rows.get(case.name)) is not None:
            what = "Hypothesis' example" if case.is_example else case.file or None
            sizes = None if row.sizes is None else "{:,} → {:,}".format(*row.sizes)
            told = _cell(row.taken or row.said) or None
            cells.append(
                (case.name, f"`{_cell(case.test)}`", what, row.grade, told, row.first, sizes,
                 row.runs, f"{row.seconds:.0f}")
            )  # fmt: skip
    return [f"## {title}", remark, summary(chosen, rows), _groups(chosen, rows), table(head, cells)]


def _groups(chosen: Sequence[Case], rows: Mapping[str, Row]) -> str:
    """Return how many tests of each package, and of the shapes, have got which grade."""
    counts: dict[str, Counter[str]] = {}
    for case in chosen:
        if (row := rows.get(case.name)) is not None:
            counts.setdefault(case.package or "shapes", Counter())[row.grade] += 1
    cells = [
        (name, each.total(), *(each[grade] for grade in _GRADES)) for name, each in counts.items()
    ]
    return table(("tests of", "measured", *_GRADES), cells)


def _cell(text: str) -> str:
    """Return a text as the short cell of a table."""
    short = text if len(text) <= 90 else text[:89] + "…"
    return short.replace("|", "\\|").replace("\n", "\\n")


def main() -> int:
    """Measure what is chosen, keep the rows, and print and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.failing_tests")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=(), help="these tests alone")
    parser.add_argument("--seconds", type=int, default=60, help="the cap of a test (default: 60)")
    parser.add_argument("--missing", action="store_true", help="only those that have no row yet")
    parser.add_argument("--check", action="store_true", help="only say which labels do not hold")
    parser.add_argument("--report", action="store_true", help="only write the report again")
    parser.add_argument("--keep-before", action="store_true", help="keep the rows as “Before”")
    options = parser.parse_args()
    known = cases()
    chosen = [each for each in known if not options.only or each.name in options.only]
    if unknown := set(options.only) - {each.name for each in known}:
        parser.error(f"no test is named {sorted(unknown)[0]!r}")
    if options.check:
        found = {case.name: problem for case in chosen if (problem := check(case))}
        print(*(f"{name}: {problem}" for name, problem in found.items()), sep="\n")
        return int(bool(found))
    for case in () if options.report else chosen:
        if options.missing and case.name in _load(ROWS):
            continue
        row = measure(case, options.seconds)
        _keep(ROWS, {**_load(ROWS), row.name: row})
        print(row, file=sys.stderr, flush=True)
    if options.keep_before:
        names = {case.name for case in known}
        _keep(BEFORE, {name: row for name, row in _load(ROWS).items() if name in names})
    now = {} if options.keep_before else _load(ROWS)
    shown = report(known, _load(BEFORE), now)
    print(shown)
    REPORT.write_text(shown, encoding="utf-8")
    return 0


def _load(path: Path) -> dict[str, Row]:
    kept = json.loads(path.read_text()) if path.exists() else []
    return {values["name"]: Row(**values) for values in kept}


def _keep(path: Path, rows: Mapping[str, Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(asdict(row), ensure_ascii=False) for _, row in sorted(rows.items()))
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
