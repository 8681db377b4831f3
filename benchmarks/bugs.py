"""The benchmark's real bugs: a failing input, an oracle and metadata for each.

A case is a folder in `cases`: `input.*`, `oracle FILE` (exit status 0: the same failure, 1: none or
another one, 2: the program rejects the input), `setup.sh` (makes its environment under $BENCH_ENV)
and `case.toml` (where the bug comes from).

A large case keeps no input: `setup.sh` makes it or takes it out of an installed package, into
$BENCH_ENV; `case.toml` says its kind and its digest, so that it stays what was measured, and
`best_known.*` is what a person would write into a tracker.
"""

from __future__ import annotations

import ast
import csv
import math
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import tomlkit

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "peers"
ENVIRONMENTS = Path(os.environ.get("BENCH_ENV") or Path(tempfile.gettempdir()) / "bench/env")


@dataclass(frozen=True, slots=True)
class Case:
    """One real bug."""

    name: str
    input: Path
    oracle: Path
    best_bytes: int
    """Bytes of the smallest input known."""
    best_text: str
    best_by: str
    """Who found it: "hand", or a tool."""
    kind: str = ""
    """Of a large case: what stands in the way of its reduction, such as "coupled"."""
    chance: float = 1.0
    """The share of runs in which a failing input fails."""
    digest: str = ""
    """SHA-256 of a large case's input."""
    frozen: int = 0
    """Bytes of a large case's input, which need not be set up."""

    @property
    def size(self) -> int:
        """Bytes of the failing input."""
        return self.frozen or self.input.stat().st_size

    @property
    def tries(self) -> int:
        """Runs after which a failure of this chance has shown itself, but for one in a hundred."""
        return 1 if self.chance == 1 else math.ceil(math.log(0.01) / math.log(1 - self.chance))


def cases(names: tuple[str, ...] = ()) -> list[Case]:
    """Return the small cases with these names, or all of them, sorted by name.

    Raises:
        ValueError: there is no case of a name.
    """
    with open(RECORDED / "best_known.csv", encoding="utf-8", newline="") as file:
        best = {row["case"]: row for row in csv.DictReader(file)}
    return [
        Case(
            folder.name,
            next(folder.glob("input.*")),
            folder / "oracle",
            int(best[folder.name]["best_bytes"]),
            ast.literal_eval(best[folder.name]["text"]),
            best[folder.name]["by"],
        )
        for folder in _folders("input", names)
    ]


def large_cases(names: tuple[str, ...] = ()) -> list[Case]:
    """Return the large cases with these names, or all of them, by kind and name.

    Raises:
        ValueError: there is no case of a name.
    """
    return sorted(
        (_large(folder) for folder in _folders("best_known", names)),
        key=lambda case: (case.kind, case.name),
    )


def _folders(holding: str, names: tuple[str, ...]) -> list[Path]:
    """Return the folders of the cases with these names (or all) that hold a file of a stem."""
    known = {path.parent.name: path.parent for path in (HERE / "cases").glob(f"*/{holding}.*")}
    unknown = set(names) - set(known)
    if unknown:
        listed = ", ".join(sorted(known))
        raise ValueError(f"There is no case {sorted(unknown)[0]!r}. There are: {listed}.")
    return [known[name] for name in sorted(names or known)]


def _large(folder: Path) -> Case:
    best = next(folder.glob("best_known.*"))
    about = tomlkit.parse((folder / "case.toml").read_text("utf-8")).unwrap()
    return Case(
        folder.name,
        ENVIRONMENTS / folder.name / f"input{best.suffix}",
        folder / "oracle",
        best.stat().st_size,
        best.read_text("utf-8"),
        "hand",
        about["kind"],
        about.get("chance", 1.0),
        about["sha256"],
        about["bytes"],
    )


def reproduces(case: Case, file: Path) -> bool:
    """Say whether the oracle sees the failure in a file (its own input: whether it is set up)."""
    environment = {**os.environ, "BENCH_ENV": str(ENVIRONMENTS)}
    command = [str(case.oracle), str(file)]
    return any(
        subprocess.run(command, capture_output=True, env=environment).returncode == 0
        for _ in range(case.tries)
    )
