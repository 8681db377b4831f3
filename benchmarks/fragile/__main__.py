"""Fragile failures: how reliably the results fail where the failure depends on more than the text.

    python -m benchmarks.fragile [--only NAME ...] [--seed N] [--simulate]

Each of 30 subjects is a failing input of a program whose failure depends on depth, layout, hash
seed, environment, timing or chance: ten real programs, and twenty that are made, with a law that
says the exact rate at which a text fails. `boildown reduce --json` reduces each; then its result's
rate of failure is compared with the original's. The rates of a real program are measured, in 200
runs of original and result in turn, each with a hash seed and an environment's size of its own.
FRAGILE.md is written of all outcomes, which are kept in `outcomes.json`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.bugs import ENVIRONMENTS
from benchmarks.first_tries.__main__ import set_up
from benchmarks.fragile.laws import PAGE, rate
from benchmarks.fragile.made import MADE
from benchmarks.fragile.real import REAL
from benchmarks.fragile.simulated import is_drawn, simulate
from benchmarks.fragile.subject import Subject
from benchmarks.markdown import paragraphs, table
from benchmarks.processes import run

from boildown.jobs.work import JobOptions

HERE = Path(__file__).resolve().parent
SUBJECTS = (*REAL, *MADE)
RUNS = 200
"""By which the rate of a real program is measured."""
_MOST_RUNS = 10_000
"""After so many runs a reduction is stopped."""
_MOST_SECONDS = 600
"""After so many a reduction is told to end, and what it has is its result."""
_ORDINARY = {"command", "text", "time"}
"""The codes of notes that nearly all jobs have."""
_RELIABLE, _STEADY, _SMALL = 0.95, 0.99, 1.2


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the reduction of a subject came to."""

    name: str
    original: float = 0.0
    """The rate at which the original fails."""
    result: float = 0.0
    before: int = 0
    """Bytes."""
    after: int = 0
    """Bytes of the result without a layout for people; what fails is the text with it."""
    runs: int = 0
    said: str = ""
    """What the summary says of the rate and of minimality, and the codes of its notes."""
    problem: str = ""
    """Why there is no result."""

    @property
    def kept(self) -> float:
        """The result's rate as a share of the original's."""
        return self.result / self.original if self.original else 0.0


def size_ratio(subject: Subject, outcome: Outcome) -> float:
    """Return the size of a result as a multiple of the smallest one known that fails reliably."""
    return outcome.after / len(subject.best.encode())


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with the files of a subject, and how its program is run there."""

    subject: Subject
    folder: Path
    variables: dict[str, str]

    @property
    def command(self) -> list[str]:
        """The words of the command, for the input in the folder."""
        found = shutil.which("python", path=self.variables["PATH"])
        python = found if self.subject.pip and found else sys.executable
        return [word.replace("{python}", python) for word in self.subject.command]

    def fails(self, text: str) -> bool:
        """Run the program once on a text, with a hash seed and an environment of its own."""
        (self.folder / self.subject.file).write_text(text, encoding="utf-8")
        variables = {
            **self.variables,
            "PYTHONHASHSEED": str(random.randrange(2**32)),
            "FRAGILE_PADDING": "x" * random.randrange(PAGE),
        }
        done = subprocess.run(
            self.command,
            cwd=self.folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
        )
        printed = (done.stdout + done.stderr).decode("utf-8", "replace")
        return re.search(self.subject.shows, f"exit {done.returncode}\n{printed}") is not None

    def rates(self, texts: Sequence[str], runs: int = RUNS) -> list[float]:
        """Return the rates at which texts fail: the law's, or those of so many runs in turn."""
        if self.subject.made:
            return [rate(self.subject.name, text) for text in texts]
        failed = [0] * len(texts)
        for _ in range(runs):
            for n, text in enumerate(texts):
                failed[n] += self.fails(text)
        return [count / runs for count in failed]


def missing(subject: Subject) -> list[str]:
    """Return the programs of the machine that a subject needs and that are not there."""
    wanted = (*subject.needs, *(("npm", "node") if subject.npm else ()))
    return [name for name in wanted if shutil.which(name) is None]


def place(subject: Subject, folder: Path) -> Place:
    """Install the packages of a subject, unless they are, and lay its files."""
    home = ENVIRONMENTS / "fragile" / subject.name
    programs = set_up(home, subject.pip, subject.npm)
    for name, text in {**subject.files, subject.file: subject.text}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").touch()
    variables = {
        **os.environ,
        "PATH": os.pathsep.join(map(str, [*programs, os.environ["PATH"]])),
        "NODE_PATH": str(home / "node_modules"),
    }
    variables.pop("PYTHONHASHSEED", None)
    return Place(subject, folder, variables)


def measure(subject: Subject, seed: int | None = None) -> Outcome:
    """Reduce a subject by the command line, and judge the result."""
    with tempfile.TemporaryDirectory(prefix="fragile-") as made:
        folder = Path(made, "project")
        folder.mkdir()
        laid = place(subject, folder)
        size = len(subject.text.encode())
        variables = {**laid.variables, "XDG_CACHE_HOME": str(Path(made, "cache"))}
        if seed is not None:
            counted = str(Path(made, "count"))
            variables |= {"FRAGILE_SEED": f"{seed} {subject.name}", "FRAGILE_COUNT": counted}
        output = Path(made, "result")
        limits = ["--jobs", "1", "--max-runs", str(_MOST_RUNS), "--max-seconds", str(_MOST_SECONDS)]
        reduce = [
            "reduce",
            subject.file,
            "--json",
            "--output",
            str(output),
            *limits,
            *subject.options,
        ]
        command = [sys.executable, "-m", "boildown", *reduce, "--", *laid.command]
        status, printed, error = run(command, folder, variables, 2 * _MOST_SECONDS)
        if status or not output.exists():
            said = (error.strip() or printed.strip() or "nothing said").splitlines()[-1]
            return Outcome(subject.name, before=size, problem=f"exit {status}: {said[:200]}")
        text = output.read_text("utf-8")
        return _outcome(subject, json.loads(printed), laid.rates((subject.text, text)))


def measure_simulated(subject: Subject, seed: int | None = None) -> Outcome:
    """Reduce a made subject by a job whose runs draw numbers, without its program."""
    limits = JobOptions(max_runs=_MOST_RUNS, max_seconds=_MOST_SECONDS, fresh=True)
    done, text = simulate(subject, seed, limits)
    outcome = _outcome(subject, done, [rate(subject.name, each) for each in (subject.text, text)])
    return replace(outcome, said=f"simulated; {outcome.said}")


def _outcome(subject: Subject, done: dict[str, Any], rates: Sequence[float]) -> Outcome:
    """Return the outcome of a reduction, by its JSON and the rates of original and result."""
    original, result = (round(each, 4) for each in rates)
    size = len(subject.text.encode())
    return Outcome(
        subject.name, original, result, size, done["bytes_after"], done["runs"], _said(done)
    )


def _said(done: dict[str, object]) -> str:
    """Return what the JSON of a reduction says of flakiness, minimality, and in notes."""
    parts = [str(done.get("minimality") or "nothing minimal")]
    certificate = done.get("certificate")
    if isinstance(certificate, dict) and certificate.get("confidence") is not None:
        parts[0] += f" at {certificate['confidence']:.0%}"
    if isinstance(flaky := done.get("flaky"), dict):
        parts.append(f"fails in {flaky['rate']:.0%} of runs")
    if isinstance(rates := done.get("reliability"), dict):
        reduced = rates["reduced"]
        parts.append(f"run again {reduced['reproduced']} of {reduced['runs']}")
    if done.get("stopped"):
        parts.append(f"stopped by {done['stopped']}")
    notes = done.get("notes")
    codes = {str(note["code"]) for note in notes} if isinstance(notes, list) else set()
    return "; ".join((*parts, *sorted(codes - _ORDINARY)))


def totals(subjects: Sequence[Subject], outcomes: dict[str, Outcome]) -> str:
    """Return the sums as a sentence for each goal."""
    counted = [(each, outcomes[each.name]) for each in subjects if each.name in outcomes]
    results = [outcome for _, outcome in counted if not outcome.problem]
    reliable = sum(outcome.kept >= _RELIABLE for outcome in results)
    steady = sum(outcome.kept >= _STEADY for outcome in results)
    small = sum(
        outcome.kept >= _RELIABLE and size_ratio(subject, outcome) <= _SMALL
        for subject, outcome in counted
    )
    runs = statistics.median(outcome.runs for outcome in results) if results else 0
    return (
        f"Of {len(counted)} subjects ({len(subjects) - len(counted)} of {len(subjects)} were not "
        f"measured), {reliable} results fail at {_RELIABLE:.0%} of the original's "
        f"rate or more, {steady} at {_STEADY:.0%}; {small} do the former and are within {_SMALL} "
        f"times the smallest text known. Runs, median: {runs:.0f}."
    )


def rows(subjects: Sequence[Subject], outcomes: dict[str, Outcome]) -> list[tuple[object, ...]]:
    """Return a row of the table for each outcome."""
    found: list[tuple[object, ...]] = []
    for subject in subjects:
        if (each := outcomes.get(subject.name)) is None:
            continue
        best = len(subject.best.encode())
        sizes = f"{each.before:,} → {each.after:,}"
        if each.problem:
            cells: tuple[object, ...] = (None, None, None, f"{each.before:,}", best, None, None)
        else:
            rates = f"{each.original:.3f}", f"{each.result:.3f}", f"{each.kept:.1%}"
            cells = (*rates, sizes, best, f"{size_ratio(subject, each):.2f}", f"{each.runs:,}")
        found.append((subject.name, subject.kind, *cells, each.problem or each.said))
    return found


_HEAD = ("subject", "depends on", "original's rate", "result's rate", "kept", "bytes", "best",
         "size / best", "runs", "said")  # fmt: skip


def report(
    before: dict[str, Outcome], now: dict[str, Outcome], left_out: Sequence[str] = ()
) -> str:
    """Return the outcomes as Markdown, beside those before anything was done for such failures."""
    parts = [
        "# Fragile failures",
        "Outcomes of `python -m benchmarks.fragile`: inputs whose failure depends on depth, "
        "layout, hash seed, environment, timing or chance, reduced by `boildown reduce --json`. "
        f"The rates of the first {len(REAL)}, real programs, are shares of {RUNS} runs in varied "
        "environments; those of the others are exact. “Kept” is the result's rate as a share of "
        "the original's, “best” the bytes of the smallest text known that keeps 99 %. "
        f"A reduction is ended after {_MOST_RUNS:,} runs or {_MOST_SECONDS // 60} minutes, which "
        "the last column says. Where that begins with “simulated”, the program was not started: "
        "the whole job ran as ever, and each run drew a number by the law (`--simulate`).",
        *_measured(now),
        "\n".join(f"Left out: {sentence}" for sentence in left_out),
        "## Before",
        "The same with the version before results were compared with the original (`before.json`).",
        *_measured(before),
        "## The smallest texts known",
        table(("subject", "program", "best", "how it is known"),
              [(each.name, f"`{_escaped(' '.join(each.command))}`", len(each.best.encode()),
                each.how) for each in SUBJECTS]),
    ]  # fmt: skip
    return paragraphs(parts) + "\n"


def _measured(outcomes: dict[str, Outcome]) -> list[str]:
    if not outcomes:
        return ["Nothing was measured yet."]
    return [totals(SUBJECTS, outcomes), table(_HEAD, rows(SUBJECTS, outcomes))]


def _escaped(line: str) -> str:
    return line.replace("|", "\\|")


def main() -> None:
    """Measure, print the table of all outcomes, and write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fragile")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="the subjects to measure")
    parser.add_argument(
        "--seed",
        type=int,
        help="have the made programs draw the same numbers each time (default: by chance); hash "
        "seeds, addresses and time still vary",
    )
    parser.add_argument(
        "--simulate",
        action="store_true",
        help="measure the made subjects alone, without starting their programs",
    )
    parser.add_argument("--report", action="store_true", help="only write the report again")
    parser.add_argument("--check", action="store_true", help="only measure the best texts' rates")
    parser.add_argument("--record-before", action="store_true", help="keep them in before.json")
    options = parser.parse_args()
    names = {each.name for each in SUBJECTS}
    if unknown := set(options.only or ()) - names:
        parser.error(f"no subject {sorted(unknown)[0]!r}; there are {', '.join(sorted(names))}")
    record = HERE / ("before.json" if options.record_before else "outcomes.json")
    left_out = []
    for subject in SUBJECTS:
        if options.report or (options.only and subject.name not in options.only):
            continue
        if options.simulate and not is_drawn(subject):
            continue
        if lacking := missing(subject):
            left_out.append(f"{subject.name}, for {', '.join(lacking)} is not installed.")
            continue
        if options.check:
            _check(subject)
            continue
        outcome = (measure_simulated if options.simulate else measure)(subject, options.seed)
        kept = {**_load(record), subject.name: outcome}
        print(*rows([subject], kept), file=sys.stderr, flush=True)
        stored = {name: asdict(outcome) for name, outcome in sorted(kept.items())}
        record.write_text(json.dumps(stored, indent=1) + "\n")
    if not options.check:
        shown = report(_load(HERE / "before.json"), _load(HERE / "outcomes.json"), left_out)
        print(shown)
        (HERE.parent / "FRAGILE.md").write_text(shown, encoding="utf-8")


def _check(subject: Subject) -> None:
    """Print the rates of a subject's original and best text."""
    with tempfile.TemporaryDirectory(prefix="fragile-") as made:
        laid = place(subject, Path(made))
        original, best = laid.rates((subject.text, subject.best))
        print(f"{subject.name}: original {original:.3f}, best {best:.3f}", flush=True)


def _load(record: Path) -> dict[str, Outcome]:
    kept = json.loads(record.read_text()) if record.exists() else {}
    return {name: Outcome(**values) for name, values in kept.items()}


if __name__ == "__main__":
    main()
