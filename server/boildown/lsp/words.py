"""What the user reads: sizes, progress and results in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boildown.jobs import Progress, Reduced

MINIMALITY = {
    "1-tree-minimal": "No single part of it can be left out: each was tried.",
    "1-token-minimal": "No single token of it can be left out: each was tried.",
    "1-character-minimal": "No single character of it can be left out: each was tried.",
}
"""What a certificate means."""


def sizes(before: int, after: int) -> str:
    """Return how many bytes there were and are."""
    return f"{before:,} → {after:,} bytes"


def runs(number: int) -> str:
    """Return a number of runs."""
    return "1 run" if number == 1 else f"{number:,} runs"


def progress(latest: Progress | None) -> str:
    """Return the line of a progress report."""
    if latest is None:
        return "starting"
    if latest.phase == "preflight":
        return f"{latest.before:,} bytes, running the original"
    rate = latest.runs / latest.seconds if latest.seconds > 0 else 0.0
    line = f"{sizes(latest.before, latest.after)}, {runs(latest.runs)}"
    return f"{line}, {rate:.0f}/s, {latest.phase}"


def percentage(latest: Progress | None) -> int:
    """Return how much of the input is gone, in percent; never all of it before the end."""
    if latest is None or latest.before == 0:
        return 0
    return min(99, 100 * (latest.before - latest.after) // latest.before)


def result(reduced: Reduced, before: int, after: int) -> str:
    """Return in a sentence or two what a reduction did; sizes are in bytes."""
    reduction = reduced.reduction
    took = f"{runs(reduction.runs)} and {reduced.seconds:.1f} s"
    if after < before:
        line = f"Reduced: {sizes(before, after)} in {took}."
    else:
        line = f"Nothing smaller was found in {took}."
    if reduction.minimality is not None:
        line += f" {MINIMALITY[reduction.minimality]}"
    elif not reduction.finished:
        line += " It was stopped early: there may be a smaller one."
    return line
