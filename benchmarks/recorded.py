"""Reads the recorded figures of the peers; peers/README.md tells how they were measured."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks.bugs import RECORDED
from benchmarks.curves import read_trajectory
from benchmarks.measured import Measured


def recorded(case: str, folder: Path = RECORDED) -> list[Measured]:
    """Return the recorded figures of the peers on a case, sorted by name.

    A peer's result is the smallest of its confirmed ones. Of a peer of which only the trajectory
    is known, it is where that ends.
    """
    rows = _results(case, folder)
    points = {
        path.name.split(".")[1]: read_trajectory(path.read_text("utf-8"))
        for path in sorted((folder / "traj").glob(f"{case}.*.j1.txt"))
    }
    return [
        _from_row(rows[peer], points.get(peer, ()))
        if peer in rows
        else _from_points(case, peer, points[peer])
        for peer in sorted(rows.keys() | points.keys())
    ]


def _results(case: str, folder: Path) -> dict[str, dict[str, str]]:
    """Return each peer's row with the smallest confirmed result."""
    best: dict[str, dict[str, str]] = {}
    with open(folder / "results.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["case"] == case and row["ok"] == "1" and row["jobs"] == "1":
                other = best.setdefault(row["peer"], row)
                if int(row["bytes_out"]) < int(other["bytes_out"]):
                    best[row["peer"]] = row
    return best


def _from_row(row: dict[str, str], points: tuple[tuple[int, int], ...]) -> Measured:
    return Measured(
        case=row["case"],
        tool=row["peer"],
        oracle_runs=int(row["oracle_runs"]),
        seconds=float(row["seconds"]),
        bytes_out=int(row["bytes_out"]),
        tokens_out=int(row["tokens_out"]),
        capped=row["capped"] == "1",
        points=points,
    )


def _from_points(case: str, peer: str, points: tuple[tuple[int, int], ...]) -> Measured:
    return Measured(
        case=case,
        tool=peer,
        oracle_runs=points[-1][0],
        seconds=None,
        bytes_out=points[-1][1],
        tokens_out=None,
        capped=False,
        points=points,
    )
