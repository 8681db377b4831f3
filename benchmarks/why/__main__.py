"""Why it fails: whether `boildown why` names the function that the fixing release changed.

    python -m benchmarks.why [--only NAME ...] [--missing] [--report]

Forty real bugs of old releases, which are installed below $BENCH_ENV. What is typed is
`boildown why INPUT -- COMMAND`, one run at a time; beside it stands what the stack of a crash says.
What it came to is kept in `rows.json`, and WHY.md is written of all rows. Half of the bugs are
unseen: nothing may be tuned to them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.markdown import paragraphs, table
from benchmarks.processes import run
from benchmarks.why.cases import COSTS, HERE, KINDS, LANGUAGES, Bug, bugs, missing, place, unseen
from benchmarks.why.scoring import Suspect, in_order, rank_by_counts, rank_of, share
from benchmarks.why.stacks import locate, stack
from benchmarks.why.suites import Suite, load

ROWS = HERE / "rows.json"
REPORT = HERE.parent / "WHY.md"
_MOST_SECONDS = 1800
_GOALS = "first ≥ 40 %, among three ≥ 65 %, median of traced runs ≤ 50"


_Counted = tuple[str, str, int, int]
"""File, function, failing and passing runs."""


@dataclass(frozen=True, slots=True)
class Row:
    """What asking for the reason of a failure came to."""

    name: str
    suspects: tuple[_Counted, ...] = ()
    """Best first."""
    stack: tuple[tuple[str, str], ...] = ()
    """The functions of packages on the stack of the failure, innermost first."""
    failing: int = 0
    passing: int = 0
    traced: int = 0
    runs: int = 0
    seconds: float = 0
    problem: str = ""
    """Why there is no ranking."""


def measure(bug: Bug) -> Row:
    """Ask for the reason of a failure as a user would, and note what the stack of it says."""
    laid = place(bug)
    _, _, said = laid.run()
    crashed = tuple(stack(said, laid.packages)) if bug.kind == "crash" else ()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="why-") as made:
        folder = Path(made, "project")
        folder.mkdir()
        laid.lay(folder)
        (folder / "pyproject.toml").touch()
        status, printed, error = run(
            ["sh", "-c", typed(bug)],
            folder,
            {**laid.variables, "XDG_CACHE_HOME": str(Path(made, "cache"))},
            _MOST_SECONDS,
        )
    seconds = round(time.monotonic() - began, 1)
    found = _json(printed)
    if found is None:
        problem = f"exit {status}: {(error.strip() or 'nothing said').splitlines()[-1][:200]}"
        return Row(bug.name, stack=crashed, seconds=seconds, problem=problem)
    codes = [note["code"] for note in found["notes"]]
    return Row(
        bug.name,
        tuple(ranking(found["suspects"], laid.packages)),
        crashed,
        found["failing_runs"],
        found["passing_runs"],
        found["traced_runs"],
        found.get("runs", 0),
        seconds,
        "" if found["suspects"] else _unranked(codes),
    )


def _unranked(codes: Sequence[str]) -> str:
    """Return in words why there are no suspects, by the codes of notes."""
    return "not observed" if "why-unseen" in codes else f"no suspects: {', '.join(codes)}"


def typed(bug: Bug) -> str:
    """Return the line as a user types it, with one run at a time and JSON as its answer."""
    words = [sys.executable, "-m", "boildown", "why", bug.file, "--json", "--jobs", "1"]
    if bug.compared:
        words += ["--good", good(bug), "--compare", "output"]
    return f"{shlex.join(words)} -- {bug.command}"


def good(bug: Bug) -> str:
    """Return the command with the fixed release: its own Python, or its own packages."""
    fixed = place(bug, bug.fixed)
    if bug.registry == "npm":
        return f"env NODE_PATH={fixed.packages} {bug.command}"
    program, _, rest = bug.command.partition(" ")
    return f"{fixed.packages.parents[2]}/bin/{program} {rest}"


def ranking(suspects: Sequence[Mapping[str, object]], packages: Path) -> list[_Counted]:
    """Return the functions of suspects, each once, those that are no part of packages by name."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for each in suspects:
        file, line = Path(str(each["file"])), int(str(each["line"]))
        function = locate(file, line, packages) or (str(file), str(each["function"]))
        found.setdefault(function, (int(str(each["failing"])), int(str(each["passing"]))))
    return [(*function, *counts) for function, counts in found.items()]


def _json(printed: str) -> dict[str, Any] | None:
    """Return the ranking, which ends what is printed, if there is one."""
    for line in reversed(printed.splitlines()):
        if line.startswith("{"):
            found = json.loads(line)
            return found if "suspects" in found else None
    return None


_WAYS = ("why", "counts as ties", "innermost frame", "traceback")


def ranks(bug: Bug, row: Row) -> dict[str, int | None]:
    """Return the ranks at which each way of looking has a right function of a bug."""
    suspects = [Suspect((file, name), a, b) for file, name, a, b in row.suspects]
    frames = in_order(row.stack)
    return {
        _WAYS[0]: rank_of(suspects, bug.truth),
        _WAYS[1]: rank_by_counts(suspects, bug.truth),
        _WAYS[2]: rank_of(frames[:1], bug.truth),
        _WAYS[3]: rank_of(frames, bug.truth),
    }


def shares(chosen: Sequence[Bug], rows: Mapping[str, Row]) -> str:
    """Return how many bugs are found by each way, at first and among three, as a table."""
    pairs = itertools.product(LANGUAGES, KINDS)
    groups: list[tuple[str, set[str]]] = [("all", {*LANGUAGES, *KINDS})]
    groups += [(language, {language, *KINDS}) for language in LANGUAGES]
    groups += [(kind, {kind, *LANGUAGES}) for kind in KINDS]
    groups += [(f"{language}, {kind}", {language, kind}) for language, kind in pairs]
    head = ("", "bugs", *(f"{way}, {at}" for way in _WAYS for at in ("first", "three")))
    cells = []
    for name, wanted in groups:
        group = [bug for bug in chosen if bug.name in rows and {bug.language, bug.kind} <= wanted]
        found = {bug.name: ranks(bug, rows[bug.name]) for bug in group}
        told = (share({name: of[way] for name, of in found.items()}).told() for way in _WAYS)
        if group:
            cells.append((name, len(group), *itertools.chain.from_iterable(told)))
    return table(head, cells)


def report(known: Sequence[Bug], rows: Mapping[str, Row]) -> str:
    """Return all rows as Markdown, the unseen half apart."""
    hidden = unseen(known)
    lacking = [bug.name for bug in known if bug.name not in rows]
    halves = [
        ("The half that may be seen", [bug for bug in known if bug.name not in hidden]),
        ("The unseen half", [bug for bug in known if bug.name in hidden]),
    ]
    parts = [
        "# Why it fails",
        "Written by `make bench-why`; not edited by hand. `python -m benchmarks.why --report` "
        "writes it again.",
        f"{len(known)} real bugs of old releases, chosen before anything was tuned. A right answer "
        "is a function of the old release that differs in the fixing one, and that the failing run "
        "enters: told by a tracer of the benchmark's own. A bug with more than ten of these, or "
        "none, was left out before looking. Every second bug of a language and a kind, by a digest "
        "of its name, is of the unseen half, which nothing was tuned to. A bug is found at the "
        "rank of the first right function. “Why” is the order in which the tool "
        "names functions; “counts as ties” takes the order of those away that as many failing and "
        "passing runs enter, and counts a tie at its last place. “Innermost frame” is the function "
        "of a package in which a crash ends, “traceback” all of them, innermost first. A bug that "
        "was measured without a ranking counts as not found.",
        f"Wanted: {_GOALS}; at least 15 points ahead of both baselines at three, and never behind "
        "them on crashes.",
        "## Found",
        shares(known, rows),
        *(part for title, half in halves for part in (f"{title}:", shares(half, rows))),
        _traced([rows[bug.name] for bug in known if bug.name in rows]),
        _costs(),
        *beside(
            load(), {bug.name: ranks(bug, rows[bug.name]) for bug in known if bug.name in rows}
        ),
        "## The bugs",
        *(part for title, half in halves for part in (f"### {title}", _table(half, rows))),
        f"Not measured: {', '.join(lacking)}." if lacking else "",
    ]
    return paragraphs(parts) + "\n"


def beside(suites: Sequence[Suite], found: Mapping[str, Mapping[str, int | None]]) -> list[str]:
    """Return the section on what the packages' own tests say, by the ranks of this tool."""
    told = [each for each in suites if not each.problem and each.name in found]
    if not told:
        return []
    ways = {
        "tests, ties last": {each.name: each.last for each in told},
        "tests, ties first": {each.name: each.first for each in told},
        "why, counts as ties": {each.name: found[each.name]["counts as ties"] for each in told},
        "why": {each.name: found[each.name]["why"] for each in told},
    }
    shown = [
        (each.name, each.passed, *(of[each.name] or "no" for of in ways.values())) for each in told
    ]
    left = "; ".join(f"{each.name}: {each.problem}" for each in suites if each.problem)
    return [
        "## Beside: Ochiai over the package's own tests",
        f"{len(told)} of the bugs in Python, at which rank a right function stands if the failing "
        "run is compared with the tests that the old release brings, each a context of coverage, "
        "in place of the runs of a reduction (`python -m benchmarks.why.suites`). There is one "
        "failing run, and functions that as few tests enter are ties, for nothing else gives them "
        "an order: they count at their last place, and at their first. Of each package it is the "
        "first bug by a digest of the names, then the second, up to ten for which a source "
        "distribution can be had of which pytest, without further packages, passes at least ten "
        "tests; a package whose first bug has none is left out. Only functions of the bug's "
        "package are ranked, which is in favour of the tests.",
        table(("", "bugs", "first", "three"),
              [(way, len(of), *share(of).told()) for way, of in ways.items()]),
        table(("bug", "tests", *ways), shown),
        f"Left out: {left}." if left else "",
    ]  # fmt: skip


def _traced(rows: Sequence[Row]) -> str:
    """Return how many runs the rankings take, in a sentence."""
    traced = [row.traced for row in rows if row.traced]
    if not traced:
        return ""
    return f"Traced runs: {statistics.median(traced):.0f} (median), at most {max(traced)}."


def _costs() -> str:
    """Return how much more processor time traced runs take, in a few sentences."""
    kept = json.loads(COSTS.read_text("utf-8")) if COSTS.exists() else {}
    return " ".join(
        f"Processor time of a traced run on Python {version}: "
        f"{statistics.median(ratios.values()):.1f} times a plain one (median), at most "
        f"{max(ratios.values()):.1f}, over {len(ratios)} bugs."
        for version, ratios in kept.items()
    )


def _table(chosen: Sequence[Bug], rows: Mapping[str, Row]) -> str:
    head = ("bug", "kind", "release", "fixed in", "reported", "right", "rank", "as ties",
            "innermost", "in order", "failing", "passing", "traced")  # fmt: skip
    cells: list[tuple[object, ...]] = []
    for bug in chosen:
        about = (bug.name, bug.kind, f"{bug.package} {bug.bad}", bug.fixed, bug.issue)
        if (row := rows.get(bug.name)) is None:
            cells.append((*about, len(bug.truth), *["not measured"], *[None] * 6))
            continue
        found = [None if bug.kind != "crash" and n > 1 else "no" if rank is None else rank
                 for n, rank in enumerate(ranks(bug, row).values())]  # fmt: skip
        if row.problem:
            found[:2] = [row.problem.replace("|", "\\|"), None]
        cells.append((*about, len(bug.truth), *found, row.failing, row.passing, row.traced))
    return table(head, cells)


def main() -> int:
    """Measure what is chosen, keep the rows, and print and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.why")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=(), help="these bugs alone")
    parser.add_argument("--seen", action="store_true", help="the half that may be seen alone")
    parser.add_argument("--missing", action="store_true", help="only those that have no row yet")
    parser.add_argument("--report", action="store_true", help="only write the report again")
    options = parser.parse_args()
    known = bugs()
    if unknown := set(options.only) - {bug.name for bug in known}:
        parser.error(f"no bug is named {sorted(unknown)[0]!r}")
    chosen = [bug for bug in known if not options.only or bug.name in options.only]
    if options.seen:
        hidden = unseen(known)
        chosen = [bug for bug in chosen if bug.name not in hidden]
    for bug in () if options.report else chosen:
        if options.missing and bug.name in _load():
            continue
        if lacking := missing(bug):
            print(f"{bug.name}: {', '.join(lacking)} is not installed.", file=sys.stderr)
            continue
        row = measure(bug)
        _keep({**_load(), row.name: row})
        print(row, file=sys.stderr, flush=True)
    shown = report(known, _load())
    print(shown)
    REPORT.write_text(shown, encoding="utf-8")
    return 0


def _load() -> dict[str, Row]:
    kept = json.loads(ROWS.read_text("utf-8")) if ROWS.exists() else []
    for values in kept:
        for name in ("suspects", "stack"):
            values[name] = tuple(map(tuple, values[name]))
    return {values["name"]: Row(**values) for values in kept}


def _keep(rows: Mapping[str, Row]) -> None:
    lines = (json.dumps(asdict(row), ensure_ascii=False) for _, row in sorted(rows.items()))
    ROWS.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
