"""Diagnoses programs whose law of failure is known, and says how right the answers are.

    python -m benchmarks.diagnosis --setup              # once: old releases, under $BENCH_ENV
    python -m benchmarks.diagnosis                      # every subject, three failing inputs each
    python -m benchmarks.diagnosis --subjects json,sql --inputs 1 --max-runs 500
    python -m benchmarks.diagnosis --version "with the learner"
    python -m benchmarks.diagnosis --words --version "with words"   # those of its program given
    python -m benchmarks.diagnosis --report             # only write DIAGNOSIS.md again

The first inputs of all subjects come first, so that a run that is ended early has seen all of
them. Figures are kept by version in figures.json; those that are not run again stay as they were.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks.bugs import HERE as BENCHMARKS
from benchmarks.diagnosis import programs
from benchmarks.diagnosis.constants import words
from benchmarks.diagnosis.diagnose import Asked, diagnose
from benchmarks.diagnosis.report import report
from benchmarks.diagnosis.scoring import GRADES, Compared, Diagnosis, summed
from benchmarks.diagnosis.subject import INPUTS, Subject
from benchmarks.diagnosis.subjects import REAL, WRITTEN, available
from benchmarks.diagnosis.subjects.real_programs import RELEASES

FIGURES = Path(__file__).with_name("figures.json")
PEERS = Path(__file__).with_name("peers.json")
"""Written by `peers.py`."""
REMARKS = Path(__file__).with_name("remarks.md")
REPORT = BENCHMARKS / "DIAGNOSIS.md"

Figures = dict[str, dict[str, Diagnosis]]
"""By version; then by the subject's name and the input's number."""


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--subjects", default="", help="parts of names, with commas between")
    parser.add_argument("--inputs", type=int, default=INPUTS, help="failing inputs of each subject")
    parser.add_argument("--max-runs", type=int, default=1000, help="limit for each input")
    parser.add_argument("--max-seconds", type=float, default=30.0, help="limit of processor time")
    parser.add_argument("--seed", type=int, default=0, help="of Boildown's random choices")
    parser.add_argument("--version", default="this version", help="what the figures are of")
    parser.add_argument(
        "--words", action="store_true", help="give the constants of each written program"
    )
    parser.add_argument("--setup", action="store_true", help="only install the old releases")
    parser.add_argument("--report", action="store_true", help="only write the report")
    options = parser.parse_args()
    if options.setup:
        for release in RELEASES.values():
            programs.install(release)
        return 0
    figures = _read()
    if not options.report:
        own = figures.pop(options.version, {})
        figures[options.version] = own
        for number in range(options.inputs):
            for subject in _chosen(options.subjects):
                given = words(subject) if options.words and subject in WRITTEN else ()
                asked = Asked(options.max_runs, options.max_seconds, given, options.seed)
                found = diagnose(subject, number, asked)
                print(_line(found), flush=True)
                own[f"{subject.name} {number}"] = found
                _write(figures)
        print(_sum(list(own.values())))
    _write(figures)
    return 0


def _chosen(parts: str) -> list[Subject]:
    names = [each for each in parts.split(",") if each]
    there = available()
    if missing := len(REAL) + len(WRITTEN) - len(there):
        print(f"{missing} programs are not installed: try --setup", file=sys.stderr)
    return [each for each in there if not names or any(name in each.name for name in names)]


def _line(found: Diagnosis) -> str:
    precision = "–" if found.precision is None else f"{found.precision:.2f}"
    bound = "no bound" if found.bound is None else f"bound {found.bound:.0%}"
    return (
        f"{found.subject} {found.input + 1}: {found.grade}, precision {precision},"
        f" recall {found.recall:.2f}, {bound}{' VIOLATED' if found.violated else ''},"
        f" {found.runs} runs, {found.seconds:.1f} s{'' if found.finished else ' (stopped)'}"
        f"\n  {found.law!r}"
    )


def _sum(rows: list[Diagnosis]) -> str:
    found = summed(rows)
    grades = ", ".join(f"{found.grades[each]} {each}" for each in GRADES)
    return (
        f"{len(rows)} diagnoses: {grades}; mean precision {found.precision:.2f}, mean recall"
        f" {found.recall:.2f}, {found.violated} of {found.bounds} bounds violated, median of"
        f" {found.runs:.0f} runs, {found.seconds:.0f} s"
    )


def _read() -> Figures:
    if not FIGURES.exists():
        return {}
    read = json.loads(FIGURES.read_text("utf-8"))
    return {
        version: {key: Diagnosis(**row) for key, row in rows.items()}
        for version, rows in read.items()
    }


def _write(figures: Figures) -> None:
    written = {
        version: {key: asdict(row) for key, row in rows.items()}
        for version, rows in figures.items()
    }
    FIGURES.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")
    subjects = {each.name: each for each in (*WRITTEN, *REAL)}
    remarks = REMARKS.read_text("utf-8").strip() if REMARKS.exists() else ""
    listed = {version: list(rows.values()) for version, rows in figures.items()}
    REPORT.write_text(report(listed, subjects, _compared(), remarks) + "\n", "utf-8")


def _compared() -> list[Compared]:
    read = json.loads(PEERS.read_text("utf-8")) if PEERS.exists() else {}
    return [Compared(**row) for row in read.values()]


if __name__ == "__main__":
    sys.exit(main())
