"""The shoot-out: compares reducers on the same inputs, with the same oracles, counted alike.

`python -m benchmarks.shootout` measures Boildown on the real bugs, the passes on generated cases,
and how runs grow with the input; then it writes RESULTS.md and its plots. Peers are taken from
their recorded runs; `--peers picire,lithium` runs them afresh. What was measured is kept in
measured.json, so `--only` renews a part of it, and `--report` only writes it out again.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from benchmarks import bugs, generated, growth
from benchmarks.measured import Figures, load, save
from benchmarks.report import write_report
from benchmarks.tools import TOOLS, NotInstalledError, measure, names

PARTS = ("bugs", "generated", "growth")


def main(argv: Sequence[str]) -> int:
    """Run the measurements that the arguments name, write the report; return the exit status."""
    options = _parser().parse_args(argv)
    figures = load()
    parts = () if options.report else options.only
    try:
        if "bugs" in parts:
            _measure_bugs(figures, options)
        if "generated" in parts:
            figures.generated = generated.measure_all()
            save(figures)
        if "growth" in parts:
            figures.growth = growth.measure_all(options.largest)
            save(figures)
    except (NotInstalledError, ValueError) as error:
        print(f"shootout: {error}", file=sys.stderr)
        return 2
    for path in write_report(figures):
        print(f"Written: {path}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shootout", description="Measure Boildown against its peers."
    )
    for name, default, meaning in (
        ("--only", PARTS, f"measure only these parts: {', '.join(PARTS)}"),
        ("--cases", (), "only these real bugs"),
        ("--peers", (), f"run these on the real bugs instead: {', '.join(TOOLS)}"),
    ):
        parser.add_argument(name, type=names, default=default, metavar="A,B", help=meaning)
    parser.add_argument(
        "--cap", type=float, default=900, metavar="S", help="seconds that a tool may take per case"
    )
    parser.add_argument(
        "--largest", type=int, default=1_000_000, metavar="BYTES", help="of the growing inputs"
    )
    parser.add_argument("--report", action="store_true", help="measure nothing, only write")
    return parser


def _measure_bugs(figures: Figures, options: argparse.Namespace) -> None:
    unknown = set(options.peers) - set(TOOLS)
    if unknown:
        raise ValueError(f"There is no peer {sorted(unknown)[0]!r}. There are: {', '.join(TOOLS)}.")
    for case in bugs.cases(options.cases):
        if not bugs.reproduces(case, case.input):
            script = os.path.relpath(case.oracle.with_name("setup.sh"))
            print(f"{case.name}: left out, its program is not set up (sh {script})")
            continue
        for tool in options.peers or ("boildown",):
            measured = measure(tool, case, options.cap)
            figures.bugs = [
                other for other in figures.bugs if (other.case, other.tool) != (case.name, tool)
            ]
            figures.bugs.append(measured)
            save(figures)
            print(
                f"{case.name:16} {tool:10} {measured.bytes_out} bytes after"
                f" {measured.oracle_runs} runs, {measured.seconds} s {measured.note}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
