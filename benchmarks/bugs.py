"""The benchmark's real bugs: a failing input, an oracle and metadata for each.

A case is a folder in `cases`: `input.*`, `oracle FILE` (exit status 0: the same failure, 1: none or
another one, 2: the program rejects the input), `setup.sh` (makes its environment under $BENCH_ENV)
and `case.toml` (where the bug comes from).
"""

from __future__ import annotations

import ast
import csv
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

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

    @property
    def size(self) -> int:
        """Bytes of the failing input."""
        return self.input.stat().st_size


def cases(names: tuple[str, ...] = ()) -> list[Case]:
    """Return the cases with these names, or all of them, sorted by name.

    Raises:
        ValueError: there is no case of a name.
    """
    with open(RECORDED / "best_known.csv", encoding="utf-8", newline="") as file:
        best = {row["case"]: row for row in csv.DictReader(file)}
    known = {path.parent.name: path for path in sorted((HERE / "cases").glob("*/oracle"))}
    unknown = set(names) - set(known)
    if unknown:
        raise ValueError(f"There is no case {sorted(unknown)[0]!r}. There are: {', '.join(known)}.")
    return [
        Case(
            name,
            next(oracle.parent.glob("input.*")),
            oracle,
            int(best[name]["best_bytes"]),
            ast.literal_eval(best[name]["text"]),
            best[name]["by"],
        )
        for name, oracle in known.items()
        if name in names or not names
    ]


def reproduces(case: Case, file: Path) -> bool:
    """Say whether the oracle sees the failure in a file (its own input: whether it is set up)."""
    environment = {**os.environ, "BENCH_ENV": str(ENVIRONMENTS)}
    command = [str(case.oracle), str(file)]
    return subprocess.run(command, capture_output=True, env=environment).returncode == 0
