"""Checks the stated bounds of patterns with fresh inputs, on real bugs and the Debugging Book's.

    python -m benchmarks.generalize                      # every case that is set up
    python -m benchmarks.generalize --cases js-terser --methods auto,ddset,ddset-simple
    python -m benchmarks.generalize --books PYTHON       # a Python that has `debuggingbook`
    python -m benchmarks.generalize --rhino JAR          # Rhino's bug 385, of which papers tell
    python -m benchmarks.generalize --report             # only write GENERALIZATION.md again

Figures of cases that are not run again stay as they were. Exits with 1 if a stated bound is
refuted: if the 99.9 % upper limit of fresh inputs, drawn with another seed, lies below it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import rhino
from benchmarks.books import INPUTS, SEEDS, TRIES, compare, missed
from benchmarks.bugs import HERE, Case, cases, reproduces
from benchmarks.markdown import block, paragraphs, table

from boildown.engine.generalizing.generalize import METHODS, GeneralizeOptions
from boildown.engine.patterns.bounds import upper_bound
from boildown.engine.patterns.pattern import Pattern
from boildown.jobs.generalize import generalize
from boildown.jobs.instances import check_instances
from boildown.jobs.work import JobOptions
from boildown.runner.command import TestCommand, from_argv, parse_rule

FIGURES = HERE / "generalized.json"
REPORT = HERE / "GENERALIZATION.md"
FRESH = 200
"""Inputs that a pattern is checked with."""
CONFIDENCE = 0.999
SECONDS = 900.0
"""A generalization may take so long."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The lower bound that a pattern states, and the verdicts of fresh inputs of it."""

    case: str
    method: str
    pattern: str
    holes: int
    runs: int
    seconds: float
    finished: bool
    trials: int
    reproduced: int
    bound: float
    """The stated lower bound for all holes together."""
    fresh_trials: int
    fresh_reproduced: int
    fresh_invalid: int
    fresh_timeouts: int

    @property
    def limit(self) -> float:
        """What the share of all inputs is at most, by the fresh ones."""
        if not self.fresh_trials:
            return 1.0
        return upper_bound(self.fresh_reproduced, self.fresh_trials, CONFIDENCE)

    @property
    def holds(self) -> bool:
        """Whether the fresh inputs leave the stated bound possible."""
        return self.limit >= self.bound


def measure(case: Case, method: str, samples: int, seconds: float) -> Checked:
    """Generalize a case and check the pattern."""
    command = from_argv(
        [str(case.oracle), str(case.input)],
        case.input,
        HERE,
        interesting=True,
        invalid=parse_rule("exit=2"),
    )
    text = case.input.read_text("utf-8", "surrogateescape")
    limits = JobOptions(jobs=2, max_seconds=seconds, fresh=True)
    found = generalize(text, command, limits, GeneralizeOptions(method, samples), seed=0)
    pattern, joint = found.pattern, found.pattern.joint
    fresh = checked(pattern, command) if pattern.holes else {}
    return Checked(
        case.name,
        method,
        str(pattern),
        len(pattern.holes),
        pattern.runs,
        round(found.seconds, 1),
        pattern.finished,
        joint.trials,
        joint.reproduced,
        joint.lower_bound,
        fresh.get("trials", 0),
        fresh.get("reproduced", 0),
        fresh.get("invalid", 0),
        fresh.get("timeouts", 0),
    )


def checked(pattern: Pattern, command: TestCommand) -> dict[str, int]:
    """Run fresh inputs, drawn as the statement's were, but with another seed."""
    rng = Random("fresh")
    drawn = (pattern.draw(rng) for _ in range(FRESH))
    texts = [instance.text for instance in drawn if instance is not None]
    evidence = check_instances(pattern, texts, command, JobOptions(jobs=2)).evidence
    return {
        "trials": evidence.trials,
        "reproduced": evidence.reproduced,
        "invalid": evidence.invalid,
        "timeouts": evidence.timeouts,
    }


def report(figures: dict[str, Any]) -> str:
    """Return GENERALIZATION.md."""
    rows = [Checked(**each) for each in figures["cases"].values()]
    return paragraphs(
        [
            "# Generalization",
            "Written by `make bench-generalize` (`python -m benchmarks.generalize`). Each pattern"
            " was found by one command, and then checked with"
            f" {FRESH} fresh inputs of another seed. A stated bound is refuted if their"
            f" {CONFIDENCE:.1%} upper limit lies below it. Invalid inputs and timeouts say nothing"
            " either way. A stopped one ran into a limit of seconds, on a machine that was busy.",
            table(HEAD, map(_row, rows)),
            "Patterns:",
            block("\n".join(f"{each.case} ({each.method}): {each.pattern}" for each in rows)),
            *_books(figures["books"]),
            *_rhino(figures["rhino"]),
        ]
    )


HEAD = (
    *("case", "method", "holes", "runs", "s", "joint", "stated bound"),
    *("fresh", "invalid", "timeouts", "upper limit", "bound holds"),
)


def _row(each: Checked) -> tuple[object, ...]:
    runs = f"{each.runs}{'' if each.finished else ' (stopped)'}"
    start = (each.case, each.method, each.holes, runs, each.seconds)
    if not each.holes:
        return (*start, *(None,) * 7)
    return (
        *start,
        f"{each.reproduced}/{each.trials}",
        f"{each.bound:.1%}",
        f"{each.fresh_reproduced}/{each.fresh_trials}",
        each.fresh_invalid,
        each.fresh_timeouts,
        f"{each.limit:.1%}",
        "yes" if each.holds else "**no**",
    )


def _books(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield "## Beside the Debugging Book"
    yield (
        "Test calls of the book's `DDSetDebugger` (debuggingbook 1.3.2) and of Boildown"
        f" on the same failing texts, without reduction and with {TRIES} trials per hole: the mean"
        f" of {SEEDS} seeds. Then the share of {INPUTS:,} inputs with all holes filled that fail,"
        " and the patterns of the first seed. `python -m benchmarks.generalize --books PYTHON`"
        " writes it."
    )
    head = ("subject", "by", "holes", "calls", "fail")
    yield table(head, [[row[key] for key in head] for row in rows])
    yield block("\n".join(f"{row['subject']} ({row['by']}): {row['pattern']}" for row in rows))


def _rhino(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        return
    yield "## Rhino bug 385"
    yield (
        f"Runs on `{rhino.TEXT}` with {TRIES} trials, without reduction, beside the published"
        " counts (which leave covarying parts out); then what"
        f" {INPUTS:,} inputs with all holes filled do. Boildown fills holes with parts of its"
        " JavaScript examples, the papers with texts of a grammar, so the patterns may differ."
        " Where nothing failed or passed, no text with all holes filled could be drawn: the text"
        " itself is no valid JavaScript, and what stands around an error reads in ever other ways."
        " `python -m benchmarks.generalize --rhino JAR` writes it (Debian's `librhino-java`)."
    )
    head = [key for key in rows[0] if key not in ("pattern", "law")]
    yield table(head, [[row[key] for key in head] for row in rows])
    yield block("\n".join(f"{row['method']}: {row['pattern']}" for row in rows))
    yield from (
        f"{row['method'].capitalize()}, which has any expression on the left of `=`: it fails if"
        f" `{row['law']}`." for row in rows if row.get("law")
    )  # fmt: skip


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", default="", help="names with commas between; all if left out")
    parser.add_argument("--methods", default="auto", help=f"of {', '.join(METHODS)}")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit per case and method")
    parser.add_argument("--books", type=Path, metavar="PYTHON", help="only compare with the book")
    parser.add_argument("--rhino", type=Path, metavar="JAR", help="only generalize Rhino's bug")
    parser.add_argument("--report", action="store_true", help="only write the report")
    options = parser.parse_args()
    figures: dict[str, Any] = {"cases": {}, "books": [], "rhino": []}
    if FIGURES.exists():
        figures |= json.loads(FIGURES.read_text("utf-8"))
    refuted = False
    if options.books is not None:
        figures["books"] = compare(options.books)
        for subject in missed(figures["books"]):
            print(f"{subject}: more than half of the book's calls", file=sys.stderr)
            refuted = True
    elif options.rhino is not None:
        figures["rhino"] = rhino.measure(options.rhino)
    elif not options.report:
        for each in _measured(options):
            figures["cases"][f"{each.case} {each.method}"] = asdict(each)
            refuted = refuted or not each.holds
            _write(figures)
    _write(figures)
    return int(refuted)


def _measured(options: argparse.Namespace) -> Iterator[Checked]:
    for case in cases(tuple(filter(None, options.cases.split(",")))):
        if not reproduces(case, case.input):
            print(f"{case.name}: not set up", file=sys.stderr)
            continue
        for method in options.methods.split(","):
            each = measure(case, method, options.samples, options.seconds)
            print(" ".join(map(str, _row(each))), each.pattern, sep="\n  ", flush=True)
            yield each


def _write(figures: dict[str, Any]) -> None:
    figures["cases"] = dict(sorted(figures["cases"].items()))
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    REPORT.write_text(report(figures) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
