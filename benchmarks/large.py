"""The large cases of the benchmark: failing inputs of 50 KB to 1 MB, most with coupled parts.

`python -m benchmarks.large` measures Boildown and its peers on them, capped by runs of the oracle
and by seconds, and writes LARGE.md, told by kind. What was measured is kept in large.json, so
`--cases` and `--tools` renew a part of it, and `--report` only writes it out again.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchmarks.bug_report import everything, ratio
from benchmarks.bugs import HERE, Case, large_cases, reproduces
from benchmarks.curves import geometric_mean
from benchmarks.markdown import block, paragraphs, table
from benchmarks.measured import Figures, load, save
from benchmarks.standings import Standing, mean_ratio
from benchmarks.tools import NotInstalledError, measure, names

FILE = HERE / "large.json"
CHECKPOINTS: tuple[int | None, ...] = (100, 400, 1000, None)
"""After how many runs sizes are compared; None is the end."""
PEERS = ("shrinkray", "cvise", "creduce", "picire")
SPECIAL = {".ll": ("llvm_reduce",), ".py": ("pysource_minimize",)}
"""The peers that are for one language."""
SHOWN = 400
"""Characters of a result that are kept: one that is longer says little."""

HEAD = """\
# The large cases

Written by `make bench-large`; not edited by hand. `python -m benchmarks.large --report` writes it
again from `large.json`."""

METHOD = """\
Each case is a failure of a real program, in an input of 50 KB to 300 KB that a script with a seed
makes or that comes out of a published package. All tools, one worker each, reach its oracle through
the same wrapper, which counts its runs: every start of the oracle counts, INVALID ones too. A run
is what costs, so sizes are compared after the same number of runs: the smallest candidate that
passed by then, or the whole input. The ratio is Boildown's bytes to those of the best peer at that
point, whichever that is; less than 1 is ahead; means are geometric. "By hand" is what a person
would write into a tracker. Where a cap ended Boildown before that many runs, there is a dash, and a
mean says of how many cases it is. The share of runs after the last success is of Boildown's runs,
those of a certificate among them."""


def main(argv: Sequence[str]) -> int:
    """Run what the arguments name, print and write the table; return the exit status."""
    options = _parser().parse_args(argv)
    try:
        chosen = large_cases(options.cases)
    except ValueError as error:
        print(f"large: {error}", file=sys.stderr)
        return 2
    if not options.report:
        for case in chosen:
            _measure(case, options)
    ranked = standings(load(FILE))
    text = report(ranked, (HERE / "large.remarks.md").read_text("utf-8").strip())
    (HERE / "LARGE.md").write_text(text, "utf-8")
    print(summary(ranked), f"Written: {HERE / 'LARGE.md'}", sep="\n\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.large",
        description="Measure Boildown and its peers on the large cases.",
    )
    for name, meaning in (
        ("--cases", "only these cases (default: all that are set up)"),
        ("--tools", "only these tools (default: Boildown and the peers for the case's language)"),
    ):
        parser.add_argument(name, type=names, default=(), metavar="A,B", help=meaning)
    parser.add_argument(
        "--cap", type=float, default=600, metavar="S", help="seconds that a tool may take per case"
    )
    parser.add_argument(
        "--runs", type=int, default=3000, metavar="N", help="runs that a tool may take per case"
    )
    parser.add_argument("--report", action="store_true", help="measure nothing, only write")
    return parser


def _measure(case: Case, options: argparse.Namespace) -> None:
    """Measure the tools on a case and keep the figures, or say why it is left out."""
    script = (case.oracle.parent / "setup.sh").relative_to(HERE.parent)
    reason = problem(case)
    if reason:
        print(f"{case.name}: left out, {reason} (sh {script})", flush=True)
        return
    peers = (*PEERS, *SPECIAL.get(case.input.suffix, ()))
    for tool in options.tools or ("boildown", *peers):
        try:
            measured = measure(tool, case, options.cap, options.runs)
        except NotInstalledError as error:
            print(f"{case.name}: {error}", flush=True)
            continue
        figures = load(FILE)
        kept = [row for row in figures.bugs if (row.case, row.tool) != (case.name, tool)]
        figures.bugs = [*kept, replace(measured, text=measured.text[:SHOWN], report=None)]
        save(figures, FILE)
        print(
            f"{case.name:16} {tool:17} {measured.bytes_out} bytes after {measured.oracle_runs}"
            f" runs, {measured.seconds} s {measured.note}",
            flush=True,
        )


def problem(case: Case) -> str:
    """Say why a case can't be measured here; nothing if it can."""
    if not case.input.exists():
        return "it is not set up"
    if hashlib.sha256(case.input.read_bytes()).hexdigest() != case.digest:
        return "its input is not the one that was frozen"
    return "" if reproduces(case, case.input) else "its program does not fail here"


def standings(figures: Figures) -> list[Standing]:
    """Pair Boildown's figures on each case with those of the peers, by kind."""
    found = []
    for case in large_cases():
        measured = {row.tool: row for row in figures.bugs if row.case == case.name}
        ours = measured.pop("boildown", None)
        if ours is not None:
            found.append(Standing(case, ours, tuple(measured.values())))
    return found


def report(ranked: Sequence[Standing], remarks: str) -> str:
    """Return LARGE.md; the remarks are a person's."""
    by_hand = [
        part
        for each in ranked
        for part in (f"**{each.case.name}**", block(each.case.best_text.rstrip("\n")))
    ]
    return (
        paragraphs(
            [
                HEAD,
                METHOD,
                remarks,
                "## By kind",
                summary(ranked),
                "## Case by case",
                details(ranked),
                "## All results",
                everything(ranked),
                "## By hand",
                *by_hand,
            ]
        )
        + "\n"
    )


def summary(ranked: Sequence[Standing]) -> str:
    """Return the table of the kinds: means of the ratios, and how far it is to what is by hand."""
    rows = []
    for kind, group in _by_kind(ranked):
        rows.append(
            (
                kind,
                len(group),
                *(_mean(group, runs) for runs in CHECKPOINTS),
                f"{geometric_mean(each.to_best_known for each in group):.1f}",
                sum(each.to_best_known <= 2 for each in group),
                f"{sum(each.idle for each in group) / len(group):.0%}",
            )
        )
    columns = (f"ratio {_when(runs)}" for runs in CHECKPOINTS)
    more = ("times by hand", "within twice", "runs after the last success")
    return table(("kind", "cases", *columns, *more), rows)


def _mean(group: Sequence[Standing], runs: int | None) -> str | None:
    """Return the mean ratio after so many runs over the cases in which Boildown came so far."""
    there = [each for each in group if came_to(each, runs)]
    share = "" if len(there) == len(group) else f" (of {len(there)})"
    return f"{mean_ratio(there, runs):.2f}{share}" if there else None


def came_to(each: Standing, runs: int | None) -> bool:
    """Say whether Boildown's job was not ended by a cap before so many runs."""
    return runs is None or not each.ours.capped or each.ours.oracle_runs >= runs


def _by_kind(ranked: Sequence[Standing]) -> Iterator[tuple[str, list[Standing]]]:
    """Yield the kinds with their cases, then all of them."""
    for kind, group in itertools.groupby(ranked, key=lambda each: each.case.kind):
        yield kind, list(group)
    if ranked:
        yield "all", list(ranked)


def _when(runs: int | None) -> str:
    return "at the end" if runs is None else f"after {runs:,}"


def details(ranked: Sequence[Standing]) -> str:
    """Return the table of the cases: Boildown's bytes beside those of the best peer."""
    head = ["case", "kind", "bytes"]
    for runs in CHECKPOINTS:
        head += [_when(runs), "best peer", "ratio"]
    head += ["runs", "after the last success", "by hand", "times"]
    rows = []
    for each in ranked:
        row: list[object] = [each.case.name, each.case.kind, each.case.size]
        for runs in CHECKPOINTS:
            compared = each.compared(runs)
            cells = (compared.bytes, f"{compared.peer_bytes} {compared.peer}", ratio(compared))
            row += cells if came_to(each, runs) else (None, None, None)
        row += [each.ours.oracle_runs, f"{each.idle:.0%}"]
        rows.append([*row, each.case.best_bytes, f"{each.to_best_known:.1f}"])
    return table(head, rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
