"""Reduces instances of each family, newly drawn, and writes PUBLIC.md.

    python -m benchmarks.public [--only NAME ...] [--seeds N] [--from SEED]

The judges run in this process, so that a run costs nothing and the figures follow from the seeds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.markdown import table
from benchmarks.public.families import FAMILIES, NAMES, Family

from boildown import reduce
from boildown.engine.oracle import Outcome

REPORT = Path(__file__).parents[1] / "PUBLIC.md"
MOST_RUNS = 2000

HEAD = """\
# Families on public ground

Written by `make bench-public`; not edited by hand.

Each seed draws a new input of 15 to 30 KB of a family, whose parts depend on each other: counts,
indices, parallel lists, names that must be declared, numbers that follow each other. A strict
reader of a few lines says whether a text is valid and fails (`families.py`; SQL is read by SQLite
itself). “Best” is the smallest failing text that was written by hand. A reduction has at most
{runs:,} runs, one worker. “Within twice” counts the seeds whose result is at most twice the best.

Not here: the entries of Shrink Ray's corpus, the C programs of the Perses benchmark, random
programs in an intermediate language, and the peers beside."""


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
    """Measure, print each figure as it comes, and write the report if all was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.public", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--from", dest="first", type=int, default=0)
    options = parser.parse_args(argv)
    rows = []
    for family in (each for each in FAMILIES if each.name in options.only):
        found = []
        for seed in range(options.first, options.first + options.seeds):
            found.append(measured(family, seed))
            print(family.name, seed, found[-1], flush=True)
        rows.append(_row(family, found))
    told = HEAD.format(runs=MOST_RUNS)
    columns = ["family", "language", "bytes", "best", "median", "largest", "within twice"]
    written = table([*columns, "runs, median", "INVALID"], rows)
    seeds = f"Seeds {options.first} to {options.first + options.seeds - 1}."
    whole = f"{told}\n\n{seeds}\n\n{written}\n"
    if options.only == NAMES:
        REPORT.write_text(whole, "utf-8")
    print(written)
    return 0


def _row(family: Family, found: Sequence[Figures]) -> list[str]:
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
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
