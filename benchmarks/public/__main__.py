"""Reduces cases that nothing was tuned on, and writes PUBLIC.md.

    python -m benchmarks.public [--only PART ...] [--seeds N] [--from SEED]
    python -m benchmarks.public --only corpus --corpus DIR [--tools boildown] [--cap SECONDS]
    python -m benchmarks.public --only perses --corpus DIR

The families are drawn newly from seeds; their judges run in this process, so that a run costs
nothing and the figures follow from the seeds. The other parts reach their oracles through the
counting wrapper. What was measured is kept in measured.json, so that a part can be renewed alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.bugs import HERE
from benchmarks.markdown import paragraphs, table
from benchmarks.public.families import FAMILIES, NAMES, Family
from benchmarks.public.outside import PEERS, Row, Wanted, written
from benchmarks.public.outside import measured as measured_outside
from benchmarks.tools import names

from boildown import reduce
from boildown.engine.oracle import Outcome

REPORT, FILE = HERE / "PUBLIC.md", HERE / "public/measured.json"
MOST_RUNS = 2000

HEAD = """\
# On public ground

Written by `make bench-public`; not edited by hand. One worker each; a run is a start of the oracle,
an INVALID one too, and at most {runs:,} of them are had. “Capped” is what
the cap in seconds or in runs ended; means leave it out."""

ABOUT = {
    "families": """\
## Families

Each seed draws a new input of 15 to 30 KB of a family, whose parts depend on each other: counts,
indices, parallel lists, names that must be declared, numbers that follow each other. A strict
reader of a few lines says whether a text is valid and fails (`families.py`; SQL is read by SQLite
itself). “Best” is the smallest failing text that was written by hand. “Within twice” counts the
seeds whose result is at most twice the best.""",
    "ir": """\
## Unoptimized LLVM IR

Each seed draws a program by csmith, which clang makes a module of without optimizing it
(`public/ir.py`). A module fails if a function in it calls another with a value and that one
stores a value in a global; INVALID is what `opt` rejects. “Best” is written by hand.""",
    "corpus": """\
## Shrink Ray's corpus

Entries of `evaluation/corpus` of Shrink Ray's repository (MIT) whose program can be set up here;
their inputs are no part of this project (`--corpus DIR` names a checkout). The oracles are our own
(`public/corpus.py`) and see the failure in the original and in the result that was committed there,
whose bytes are “best”. Its `result.json` tells seconds, no calls; so Shrink Ray's calls are those
of its release from PyPI beside, by the same wrapper, where it was measured.""",
    "perses": """\
## C programs of the Perses benchmark

Eight of its programs, chosen by a rule, fail by what gcc 12 says of them (`public/perses.py`).""",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What one reduction gave."""

    before: int
    after: int
    """Bytes."""
    runs: int
    invalid: int


def measured(family: Family, seed: int) -> Figures:
    """Reduce the instance of a family that a seed gives.

    Raises:
        ValueError: the instance does not fail, or its result does not.
    """
    text = family.make(Random(seed))
    outcomes: list[Outcome] = []

    def judge(candidate: str) -> Outcome:
        outcomes.append(family.judge(candidate))
        return outcomes[-1]

    result = reduce(text, judge, family.language, max_runs=MOST_RUNS).text
    if family.judge(result) is not Outcome.REPRODUCED:
        raise ValueError(f"{family.name} {seed}: the result does not fail")
    return Figures(len(text), len(result), len(outcomes), outcomes.count(Outcome.INVALID))


def main(argv: Sequence[str]) -> int:
    """Measure, print each figure as it comes, and write the report of all that was kept."""
    options = _parser().parse_args(argv)
    kept: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    lines: dict[str, list[str]] = kept.setdefault("families", {})
    rows = {(row["name"], row["tool"]): Row(**row) for row in kept.get("rows", ())}
    seeds = range(options.first, options.first + options.seeds)
    for family in (each for each in FAMILIES if each.name in options.only):
        found = []
        for seed in seeds:
            found.append(measured(family, seed))
            print(family.name, seed, found[-1], flush=True)
        lines[family.name] = _line(family, found, seeds)
        _keep(lines, rows.values())
    for part in (part for part in PEERS if part in options.only):
        limits = options.cap, MOST_RUNS
        wanted = Wanted(part, options.corpus, seeds, options.cases, options.tools, *limits)
        for done in measured_outside(wanted):
            print(done, flush=True)
            if isinstance(done, Row):
                rows[done.name, done.tool] = done
                _keep(lines, rows.values())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.public", description=__doc__)
    parser.add_argument("--only", nargs="*", choices=(*NAMES, *PEERS), default=NAMES)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--corpus", type=Path, default=Path(), metavar="DIR")
    parser.add_argument("--cases", type=names, default=(), metavar="A,B", help="not of families")
    parser.add_argument("--tools", type=names, default=(), metavar="A,B")
    parser.add_argument("--cap", type=float, default=600, metavar="SECONDS", help="for each tool")
    return parser


def _keep(lines: dict[str, list[str]], rows: Iterable[Row]) -> None:
    """Keep the figures and write the report."""
    ordered = sorted(rows, key=lambda row: (row.part, row.before, row.name, row.tool))
    kept = {"families": lines, "rows": [asdict(row) for row in ordered]}
    FILE.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    columns = ["family", "language", "bytes", "best", "median", "largest", "within twice"]
    cells = [lines[name] for name in NAMES if name in lines]
    tables = {part: written(part, ordered) for part in PEERS}
    tables["families"] = table([*columns, "runs, median", "INVALID", "seeds"], cells)
    parts = [part for name in ABOUT if tables[name] for part in (ABOUT[name], tables[name])]
    REPORT.write_text(paragraphs([HEAD.format(runs=MOST_RUNS), *parts]) + "\n", "utf-8")


def _line(family: Family, found: Sequence[Figures], seeds: range) -> list[str]:
    best = len(family.best)
    after = [each.after for each in found]
    invalid = sum(each.invalid for each in found) / sum(each.runs for each in found)
    return [
        family.name,
        family.language or "none",
        f"{statistics.median(each.before for each in found):,.0f}",
        str(best),
        f"{statistics.median(after):,.0f}",
        f"{max(after):,}",
        f"{sum(size <= 2 * best for size in after)} of {len(found)}",
        f"{statistics.median(each.runs for each in found):,.0f}",
        f"{invalid:.0%}",
        f"{seeds[0]} to {seeds[-1]}",
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
