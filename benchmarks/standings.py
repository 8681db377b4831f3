"""Compares Boildown's figures on the real bugs with those of its best peer, case by case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.bugs import Case
from benchmarks.curves import best_peer, geometric_mean
from benchmarks.measured import Measured

CHECKPOINTS: tuple[int | None, ...] = (100, 400, None)
"""After how many runs sizes are compared; None is the end."""
GOALS = {100: 0.23, 400: 0.48, None: 0.73}
"""The goal for the geometric mean of the ratios, at most."""
LARGER = 1.1
"""How much larger than its best peer a result may be, as a ratio."""
NEAR = 1.1
"""How near to the smallest known input a result is to be, as a ratio."""
ANOTHER_BUG = frozenset({"js-terser"})
"""The cases in which Boildown's result shows another bug than the original, and the oracle does not
see it (`remarks.md`). They count for nothing."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Boildown and its best peer on one case after the same number of runs."""

    case: str
    runs: int | None
    """None at the end of both."""
    bytes: int
    peer: str
    peer_bytes: int

    @property
    def ratio(self) -> float:
        """Our bytes to those of the best peer: less than 1 is ahead."""
        return self.bytes / self.peer_bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """One case with everything that was measured on it."""

    case: Case
    ours: Measured
    peers: tuple[Measured, ...]

    def compared(self, runs: int | None) -> Comparison:
        """Compare with the best of all peers after so many runs, None at the end.

        A tool without any success by then still has the whole input.
        """
        own = self.ours.curve.after(runs) or self.case.size
        best = best_peer({peer.tool: peer.curve for peer in self.peers}, runs)
        name, size = best or ("none", self.case.size)
        return Comparison(self.case.name, runs, own, name, size)

    @property
    def to_best_known(self) -> float:
        """Our result's bytes to those of the smallest input known."""
        return (self.ours.bytes_out or self.case.size) / self.case.best_bytes

    @property
    def idle(self) -> float:
        """The share of Boildown's runs that came after its last success."""
        last = self.ours.points[-1][0] if self.ours.points else 0
        return 1 - last / max(self.ours.oracle_runs, 1)

    @property
    def stretch(self) -> float:
        """The share of Boildown's runs that its longest stretch without an improvement takes, of
        those while more than twice the result was left."""
        return self.ours.curve.stretch / max(self.ours.oracle_runs, 1)

    def caught_up(self, runs: int | None) -> int | None:
        """Return the run at which we had what the best peer had after `runs`; None if never."""
        size = self.compared(runs).peer_bytes
        return next((run for run, ours in self.ours.points if ours <= size), None)


def counted(standings: Sequence[Standing]) -> list[Standing]:
    """Return the standings whose results show the bug of the original."""
    return [each for each in standings if each.case.name not in ANOTHER_BUG]


def mean_ratio(standings: Sequence[Standing], runs: int | None) -> float:
    """Return the geometric mean of the ratios after so many runs, None at the end."""
    return geometric_mean(standing.compared(runs).ratio for standing in standings)


def larger(standings: Sequence[Standing]) -> list[str]:
    """Return the cases that end more than 10 % larger than their best peer."""
    return [each.case.name for each in standings if each.compared(None).ratio > LARGER]


def near(standings: Sequence[Standing]) -> list[str]:
    """Return the cases that end within 10 % of the smallest input known."""
    return [each.case.name for each in standings if each.to_best_known <= NEAR]
