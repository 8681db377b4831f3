"""The measured figures of the shoot-out, kept between its runs in measured.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.bugs import HERE
from benchmarks.curves import Curve
from benchmarks.generated import Generated
from benchmarks.growth import Grown

FILE = HERE / "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one tool on one case."""

    case: str
    tool: str
    oracle_runs: int
    """Every start of the oracle, the tool's own checks of the original among them."""
    seconds: float | None
    bytes_out: int | None
    """Of the result, if the oracle confirms it; of the smallest success if a cap ended the tool."""
    tokens_out: int | None
    capped: bool
    points: tuple[tuple[int, int], ...]
    text: str = ""
    """The result."""
    report: dict[str, Any] | None = None
    """The tool's own report: Boildown's JSON."""
    note: str = ""
    invalid: int = 0
    """The runs in which the program rejected the input."""

    @property
    def curve(self) -> Curve:
        """The figures that are compared."""
        return Curve(self.points, self.bytes_out)


@dataclass(slots=True)
class Figures:
    """All figures of the shoot-out that were not recorded by others."""

    bugs: list[Measured] = field(default_factory=list)
    generated: list[Generated] = field(default_factory=list)
    growth: list[Grown] = field(default_factory=list)


def load(path: Path = FILE) -> Figures:
    """Return the figures of the last runs; none if there was no run."""
    if not path.exists():
        return Figures()
    kept = json.loads(path.read_text("utf-8"))
    measured = []
    for row in kept["bugs"]:
        points = tuple((run, size) for run, size in row.pop("points"))
        measured.append(Measured(**row, points=points))
    return Figures(
        measured,
        [_generated(row) for row in kept["generated"]],
        [Grown(**row) for row in kept["growth"]],
    )


def save(figures: Figures, path: Path = FILE) -> None:
    """Write the figures, one row a line, in an order that does not depend on when they came."""
    rows: dict[str, Sequence[Any]] = {
        "bugs": sorted(figures.bugs, key=lambda row: (row.case, row.tool)),
        "generated": figures.generated,
        "growth": figures.growth,
    }
    parts = []
    for name, values in rows.items():
        lines = ",\n".join(json.dumps(asdict(value)) for value in values)
        parts.append(f'"{name}": [\n{lines}\n]')
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def _generated(row: dict[str, Any]) -> Generated:
    symbols = tuple(row.pop("symbols"))
    return Generated(**row, symbols=symbols)
