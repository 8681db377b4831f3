"""What the user reads: sizes, progress and results in sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boildown.engine.hole import Evidence
    from boildown.explain import Explanation, Fate
    from boildown.jobs import Progress, Reduced
    from boildown.patterns import Generalized
    from boildown.runner.preflight import Preflight
    from boildown.targets import Target

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
    if after >= before and not reduction.finished:
        return f"Stopped before anything smaller was found, after {took}."
    if after < before:
        line = f"Reduced: {sizes(before, after)} in {took}."
    else:
        line = f"Nothing smaller was found in {took}."
    if reduction.minimality is not None:
        line += f" {MINIMALITY[reduction.minimality]}"
    elif not reduction.finished:
        line += " It was stopped early: there may be a smaller one."
    return line


_FATES = {
    "same": ("still fails the same way", "still fail the same way"),
    "passes": ("passes", "pass"),
    "differs": ("fails differently", "fail differently"),
    "invalid": ("is invalid", "are invalid"),
    "timeout": ("does not end in time", "do not end in time"),
}
"""What happens without a token, for one and for several."""


def _fate(fate: Fate) -> str:
    if fate.fails_differently:
        return "differs"
    return {"REPRODUCED": "same", "PASSED": "passes", "INVALID": "invalid", "TIMEOUT": "timeout"}[
        fate.verdict.outcome.value
    ]


def fate(fate: Fate) -> str:
    """Return what happens without a token, with the other failure if there is one."""
    line = _FATES[_fate(fate)][0]
    return f"{line}: {fate.verdict.signature}" if fate.fails_differently else line


def explanation(found: Explanation) -> str:
    """Return what leaving out each token gave, in a sentence or two."""
    tried = len(found.fates)
    counts = Counter(map(_fate, found.fates))
    parts = [f"{counts[name]} {_FATES[name][counts[name] > 1]}" for name in _FATES if counts[name]]
    tokens = "its one token" if tried == 1 else f"any one of its {tried} tokens"
    line = f"Leaving out {tokens}: {', '.join(parts)}." if tried else "There is no token here."
    if tried and not counts["same"] and not found.left:
        line = f"Nothing can be left out. {line}"
    if found.left:
        line += f" {found.left} more were not tried."
    return line


def evidence(seen: Evidence) -> str:
    """Return what random texts showed."""
    if not seen.trials:
        return "none was tried"
    line = f"{seen.reproduced} of {seen.trials} failed, at least {seen.lower_bound:.0%} of all do"
    unclear = seen.invalid + seen.timeouts
    return f"{line} ({unclear} more say nothing)" if unclear else line


def pattern(found: Generalized) -> str:
    """Return in a sentence or two what a generalization found."""
    took = f"{runs(found.pattern.runs)} and {found.seconds:.1f} s"
    holes = len(found.pattern.holes)
    if not holes:
        line = f"Nothing else may stand anywhere in the input, as far as {took} tell."
    else:
        parts = "1 part" if holes == 1 else f"{holes} parts"
        line = f"It fails for {found.pattern}: {parts} of it may be something else ({took})."
    return line if found.pattern.finished else f"{line} It was stopped early."


def checked(target: Target, found: Preflight) -> str:
    """Return in two sentences what would run, and what came of it on the failing input."""
    failure = found.expected.signature or "the test command exits with 0"
    rate = found.expected.rate
    often = "" if rate is None else f" in {rate:.0%} of the runs"
    return (
        f"It fails{often}: {failure}. "
        f"`{target.shown}` ({target.why}) takes {found.seconds:.2g} s per run."
    )
