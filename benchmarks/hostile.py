"""Runs the tests of hostile programs, inputs, files and clients, and prints how many tries held.

Run: python -m benchmarks.hostile [MODULE ...] (or `make hostile`), with all modules or those that
are named, such as `test_kills`. One row is one fault: a module of
`tests/hostile/` or one that is listed here, in the words of its docstring, with the tests that were
tried and those that held. How many random things each test tries is set high, see `ENVIRONMENT`; a
number that is set outside counts. It ends with 1 if anything fell.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
ELSEWHERE = (
    "tests/lsp/test_hygiene.py",
    "tests/lsp/test_end_of_server.py",
    "tests/runner/test_runner.py",
    "tests/languages/test_malformed.py",
    "tests/grammar/test_fault.py",
)
"""Tests of faults that stand with what they are about."""
ENVIRONMENT = {
    "BOILDOWN_HOSTILE": "1000",
    "BOILDOWN_DAMAGES": "10000",
    "BOILDOWN_MUTANTS": "2000",
}
"""Random predicates, strings and grammars of each test; damages of a record; mutants of a file."""


@dataclass(frozen=True)
class Row:
    """A fault, with how often it was tried and withstood."""

    fault: str
    tried: int
    held: int
    skipped: int


def fault(path: Path) -> str:
    """Return the first sentence of a module's docstring, without its full stop."""
    told = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or path.stem
    return " ".join(told.split("\n\n")[0].split()).removesuffix(".")


def modules(names: Collection[str] = ()) -> list[Path]:
    """Return the modules of hostile tests, or those with these names."""
    own = sorted((ROOT / "tests" / "hostile").glob("test_*.py"))
    found = own + [ROOT / each for each in ELSEWHERE]
    return [path for path in found if not names or path.stem in names]


def row(path: Path, report: Path) -> Row:
    """Return what pytest's report in JUnit's format says of a module."""
    results: Counter[str] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        fell = kinds & {"failure", "error"}
        results["fell" if fell else "skipped" if "skipped" in kinds else "held"] += 1
    tried = results["held"] + results["fell"]
    return Row(fault(path), tried, results["held"], results["skipped"])


def run(path: Path, folder: Path) -> Row:
    """Run the tests of a module; what fell is printed by pytest on standard error."""
    report = folder / f"{path.stem}.xml"
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, f"--junit-xml={report}", str(path)],
        cwd=ROOT,
        env={**ENVIRONMENT, **os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout, file=sys.stderr, flush=True)
    if not report.exists():
        return Row(fault(path), 1, 0, 0)
    return row(path, report)


def shown(each: Row) -> str:
    """Return a row of the table."""
    verdict = "all held" if each.held == each.tried else f"{each.tried - each.held} FELL"
    note = f", {each.skipped} skipped" if each.skipped else ""
    return f"| {each.fault} | {each.tried} | {each.held} | {verdict}{note} |"


def main() -> int:
    numbers = ", ".join(f"{name}={os.environ.get(name, own)}" for name, own in ENVIRONMENT.items())
    print(f"{numbers}\n\n| fault | tests tried | held | |\n|---|--:|--:|---|", flush=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in modules(sys.argv[1:]):
            rows.append(run(path, Path(folder)))
            print(shown(rows[-1]), flush=True)
    held, tried = sum(each.held for each in rows), sum(each.tried for each in rows)
    print(shown(Row("together", tried, held, sum(each.skipped for each in rows))))
    return int(held < tried or not rows)


if __name__ == "__main__":
    sys.exit(main())
