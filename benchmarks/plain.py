"""Unknown languages: the real bugs, read as plain text, beside what a grammar makes of them.

`python -m benchmarks.plain` measures Boildown with `--language plain` on the small cases, and
prints bytes and runs beside those in measured.json, where the language is detected. The goal: at
most twice the bytes and the runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from benchmarks import bugs
from benchmarks.curves import geometric_mean
from benchmarks.markdown import table
from benchmarks.measured import Measured, load
from benchmarks.tools import measure, names

GOAL = 2.0
"""So many times the bytes and the runs of the grammar's result at most."""


def main(argv: Sequence[str]) -> int:
    """Measure the cases that the arguments name, print the table; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.plain",
        description="Measure Boildown without a grammar beside Boildown with one.",
    )
    parser.add_argument(
        "--cases", type=names, default=(), metavar="A,B", help="only these real bugs"
    )
    parser.add_argument(
        "--cap", type=float, default=900, metavar="S", help="seconds that a case may take"
    )
    options = parser.parse_args(argv)
    try:
        chosen = bugs.cases(options.cases)
    except ValueError as error:
        print(f"plain: {error}", file=sys.stderr)
        return 2
    with_grammar = {row.case: row for row in load().bugs if row.tool == "boildown"}
    pairs = []
    for case in chosen:
        if case.name not in with_grammar or not bugs.reproduces(case, case.input):
            print(f"{case.name}: left out, it is not set up or not measured", file=sys.stderr)
            continue
        pairs.append((with_grammar[case.name], measure("boildown_plain", case, options.cap)))
    print(report(pairs))
    return 0


def report(pairs: Iterable[tuple[Measured, Measured]]) -> str:
    """Return the table of figures with a grammar and without one, and the means of the ratios."""
    rows: list[tuple[object, ...]] = []
    of_bytes, of_runs = [], []
    for known, plain in pairs:
        if known.bytes_out is None or plain.bytes_out is None:
            continue
        of_bytes.append(plain.bytes_out / known.bytes_out)
        of_runs.append(plain.oracle_runs / known.oracle_runs)
        reached = "yes" if max(of_bytes[-1], of_runs[-1]) <= GOAL and not plain.capped else "no"
        ratios = f"{of_bytes[-1]:.2f}", f"{of_runs[-1]:.2f}"
        sizes = known.bytes_out, plain.bytes_out, ratios[0]
        rows.append((known.case, *sizes, known.oracle_runs, plain.oracle_runs, ratios[1], reached))
    if rows:
        means = f"{geometric_mean(of_bytes):.2f}", f"{geometric_mean(of_runs):.2f}"
        rows.append(("geometric mean", None, None, means[0], None, None, means[1], ""))
    head = ("case", "bytes", "plain", "ratio", "runs", "plain", "ratio", f"at most {GOAL:.0f}")
    return table(head, rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
