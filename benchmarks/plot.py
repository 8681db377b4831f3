"""Draws charts as SVG: panels of step lines on logarithmic axes, without a plotting library.

Everything but the lines is in one grey that reads on white and on black, and there is no
background, so a chart fits into a light and into a dark page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

INK = "#7a828e"
COLOURS = (
    *("#e5484d", "#3b82f6", "#12a594", "#d97706", "#a855f7"),
    *("#65a30d", "#db2777", "#0891b2", "#9a6b4f", "#7c83db"),
)
WIDTH, HEIGHT = 400, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 30, 40
LEGEND = 26


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a panel; lines of one name have one colour in all panels."""

    name: str
    points: Sequence[tuple[float, float]]
    """Ascending; all values positive."""
    steps: bool = True
    """Whether a value holds until the next point, rather than changing evenly."""
    ends: bool = False
    """Whether to mark the last point."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart of a figure."""

    title: str
    lines: Sequence[Line]
    across: str
    """The caption of the x axis."""
    upwards: str
    """The caption of the y axis."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic axis from a range of values to a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Return the powers of ten in the range."""
        first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]


def figure(panels: Sequence[Panel], columns: int = 2) -> str:
    """Return the SVG of some panels, in rows of `columns`, under one legend."""
    names = list(dict.fromkeys(line.name for panel in panels for line in panel.lines))
    colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(names)}
    legend, top = _legend(colours, columns * WIDTH)
    parts = [legend]
    for index, panel in enumerate(panels):
        row, column = divmod(index, columns)
        drawn = _panel(panel, colours)
        parts.append(f'<g transform="translate({column * WIDTH},{top + row * HEIGHT})">{drawn}</g>')
    width = columns * WIDTH
    height = top + math.ceil(len(panels) / columns) * HEIGHT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' font-family="sans-serif" font-size="11" fill="{INK}">\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _legend(colours: dict[str, str], width: int) -> tuple[str, int]:
    """Return the legend and its height."""
    parts = []
    x, y = LEFT, 16
    for name, colour in colours.items():
        taken = 34 + 7 * len(name)
        if x + taken > width:
            x, y = LEFT, y + LEGEND - 8
        parts.append(
            f'<path d="M{x} {y - 4}h18" stroke="{colour}" stroke-width="3"/>'
            f'<text x="{x + 24}" y="{y}">{escape(name)}</text>'
        )
        x += taken
    return "".join(parts), y + LEGEND - 8


def _panel(panel: Panel, colours: dict[str, str]) -> str:
    xs = [x for line in panel.lines for x, _ in line.points]
    ys = [y for line in panel.lines for _, y in line.points]
    across = Scale(*_range(xs), LEFT, WIDTH - RIGHT)
    upwards = Scale(*_range(ys), HEIGHT - BOTTOM, TOP)
    parts = [
        f'<text x="{LEFT}" y="{TOP - 10}" font-size="13" font-weight="bold">'
        f"{escape(panel.title)}</text>",
        _axes(panel, across, upwards),
    ]
    for index, line in reversed(list(enumerate(panel.lines))):
        thick = 2.6 if index == 0 else 1.3
        parts.append(_line(line, colours[line.name], thick, across, upwards))
    return "\n".join(parts)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a range for an axis, of some width even if the values have none."""
    low, high = min(values), max(values)
    return low, max(high * 1.15, low * 2)


def _axes(panel: Panel, across: Scale, upwards: Scale) -> str:
    parts = []
    for tick in across.ticks():
        x = across.at(tick)
        parts.append(
            f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="{INK}" stroke-opacity=".25"/>'
            f'<text x="{x}" y="{HEIGHT - BOTTOM + 14}" text-anchor="middle">{_short(tick)}</text>'
        )
    for tick in upwards.ticks():
        y = upwards.at(tick)
        parts.append(
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{INK}" stroke-opacity=".25"/>'
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{_short(tick)}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" stroke="{INK}" fill="none"/>'
        f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">{escape(panel.across)}</text>'
        f'<text transform="translate(13,{(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)"'
        f' text-anchor="middle">{escape(panel.upwards)}</text>'
    )
    return "".join(parts)


def _line(line: Line, colour: str, thick: float, across: Scale, upwards: Scale) -> str:
    pixels = [(across.at(x), upwards.at(y)) for x, y in line.points]
    path = f"M{pixels[0][0]} {pixels[0][1]}"
    for x, y in pixels[1:]:
        path += f"H{x}V{y}" if line.steps else f"L{x} {y}"
    drawn = f'<path d="{path}" stroke="{colour}" stroke-width="{thick}" fill="none"/>'
    if line.ends:
        x, y = pixels[-1]
        drawn += f'<circle cx="{x}" cy="{y}" r="{thick + 1:g}" fill="{colour}"/>'
    return drawn


def _short(value: float) -> str:
    """Return a number as it stands on an axis, such as 10k or 0.1."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:g}{unit}"
    return f"{value:g}"
