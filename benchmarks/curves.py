"""Convergence curves: bytes left after a number of runs, and the ratios between tools.

Runs of the oracle are what costs, and they do not depend on the machine's load as seconds do. So
tools are compared by the smallest candidate that passed within the same number of runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Curve:
    """The convergence curve of a tool on one case: its improvements in bytes over runs."""

    points: tuple[tuple[int, int], ...]
    """(run, bytes) of each success that was smaller than all before, in order."""
    final: int | None = None
    """Bytes of the tool's result; None if it has none."""

    def after(self, runs: int | None) -> int | None:
        """Return the bytes left after so many runs, or at the end for None.

        None if the tool had not one success by then.
        """
        if runs is None:
            return self.final
        return min((size for run, size in self.points if run <= runs), default=None)

    @property
    def stretch(self) -> int:
        """The most runs in a row without an improvement while twice the final size was left."""
        final = self.final or 0
        pairs = zip(self.points, self.points[1:], strict=False)
        return max(
            (end - start for (start, left), (end, _) in pairs if left > 2 * final), default=0
        )


def improvements(successes: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Keep of (run, bytes) of all successes those that were smaller than all before."""
    kept: list[tuple[int, int]] = []
    for run, size in sorted(successes):
        if not kept or size < kept[-1][1]:
            kept.append((run, size))
    return tuple(kept)


def read_log(log: str) -> tuple[tuple[int, int], ...]:
    """Return the improvements in a log of the counting wrapper, `NUMBER BYTES STATUS` a line."""
    rows = (tuple(map(int, line.split())) for line in log.splitlines())
    return improvements((number, size) for number, size, status in rows if status == 0)


def read_trajectory(lines: str) -> tuple[tuple[int, int], ...]:
    """Return the improvements in a recorded trajectory, `NUMBER BYTES SECONDS` per success."""
    rows = (line.split() for line in lines.splitlines())
    return improvements((int(row[0]), int(row[1])) for row in rows)


def best_peer(peers: Mapping[str, Curve], runs: int | None) -> tuple[str, int] | None:
    """Return the peer with the fewest bytes after so many runs (None: at the end), and the bytes.

    Of equal ones the first by name; None if no peer has anything by then.
    """
    sizes = [(size, name) for name, curve in peers.items() if (size := curve.after(runs))]
    if not sizes:
        return None
    size, name = min(sizes)
    return name, size


def geometric_mean(ratios: Iterable[float]) -> float:
    """Return the geometric mean of ratios; 1 if there are none."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0
