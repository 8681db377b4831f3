"""What the user reads: sizes, progress and results in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from boildown.runner.run import Problem, in_bytes

if TYPE_CHECKING:
    from boildown.engine.hole import Evidence
    from boildown.engine.oracle import Outcome
    from boildown.explain import Explanation, Neighbour
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
    return f"{before:,} → {in_bytes(after)}"


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


_OUTCOMES = {
    "REPRODUCED": "failed the same way",
    "PASSED": "did not",
    "INVALID": "invalid",
    "TIMEOUT": "not ended in time",
}


def outcomes(counts: Mapping[Outcome, int]) -> str:
    """Return how many runs had which outcome."""
    parts = [f"{count:,} {_OUTCOMES[outcome.value]}" for outcome, count in counts.items() if count]
    return ", ".join(parts) or "none"


_GIVES = {
    "same": ("still fails the same way", "still fail the same way"),
    "passes": ("passes", "pass"),
    "differs": ("fails differently", "fail differently"),
    "invalid": ("is invalid", "are invalid"),
    "timeout": ("does not end in time", "do not end in time"),
}
"""What neighbours do, for one and for several."""


def _gives(neighbour: Neighbour) -> str:
    if neighbour.fails_differently:
        return "differs"
    outcomes = {"REPRODUCED": "same", "PASSED": "passes", "INVALID": "invalid"}
    return outcomes.get(neighbour.verdict.outcome.value, "timeout")


def gives(neighbour: Neighbour) -> str:
    """Return what a neighbour of a text does, with the other failure if there is one."""
    line = _GIVES[_gives(neighbour)][0]
    return f"{line}: {neighbour.verdict.signature}" if neighbour.fails_differently else line


def neighbour(each: Neighbour) -> str:
    """Return a sentence on a neighbour of a text, in Markdown."""
    then = _GIVES[_gives(each)][0]
    if each.fails_differently:
        then += f": {code(each.verdict.signature)}"
    if each.instead:
        return f"With {code(each.instead)} in place of {code(each.piece)} it {then}."
    return f"Without {code(each.piece)} it {then}."


def explanation(found: Explanation) -> str:
    """Return what leaving out each token and each part gave, in a few sentences."""
    removed = [each for each in found.neighbours if not each.instead]
    if not removed:
        return "There is no token here."
    sorts = [[each for each in removed if each.sort.value == sort] for sort in _REMOVED]
    tried = " and ".join(_many(len(each), each[0].sort.value) for each in sorts if each)
    is_minimal = not found.left and all(_gives(each) != "same" for each in removed)
    if len(removed) == 1:
        return f"{'Nothing can be left out. ' if is_minimal else ''}{neighbour(removed[0])}"
    line = f"Each of the {tried} was left out once."
    if is_minimal:
        line = f"Nothing can be left out: each of the {tried} was tried."
    for each in filter(None, sorts):
        line += f" Without a {each[0].sort.value}: {_counts(each)}."
    return f"{line} {found.left} more were not tried." if found.left else line


def _many(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


_REMOVED = ("token", "part")
"""The sorts of neighbours in which something is left out."""


def _counts(neighbours: Sequence[Neighbour]) -> str:
    counts = Counter(map(_gives, neighbours))
    parts = [f"{counts[name]} {_GIVES[name][counts[name] > 1]}" for name in _GIVES if counts[name]]
    return f"all {parts[0]}" if len(parts) == 1 and len(neighbours) > 1 else ", ".join(parts)


def code(text: str, longest: int = 60) -> str:
    """Return a text as code in a line of Markdown, its middle left out if it is long."""
    text = _short(text, longest).replace("\r", "").replace("\n", "⏎").replace("|", "¦")
    if "`" in text:
        return f"`` {text} ``"
    return f"`{text}`" if text else ""


def _short(text: str, longest: int = 200) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def evidence(seen: Evidence) -> str:
    """Return what random texts showed, and what follows for all with 95 % confidence."""
    if not seen.trials:
        return "none was tried"
    line = f"{seen.reproduced} of {seen.trials} fail (at least {seen.lower_bound:.0%} of all do)"
    unclear = seen.invalid + seen.timeouts
    return f"{line}; {unclear} more say nothing" if unclear else line


def pattern(found: Generalized) -> str:
    """Return in a sentence or two what a generalization found."""
    took = f"{runs(found.pattern.runs)} and {found.seconds:.1f} s"
    holes = len(found.pattern.holes)
    if not holes:
        line = f"No part of it may be something else, as far as {took} tell."
    else:
        parts = "1 part" if holes == 1 else f"{holes} parts"
        line = f"It fails for {_short(str(found.pattern))}: {parts} may be something else ({took})."
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


_OPTIONS = (
    (r" If it fails only now and then, [^.]*--repeat \d+\.", ""),
    (r"; give it after --, or with --test", ""),
    (r"--signature (\w+) or (\w+)", r'`level = "\1"` or `"\2"`'),
    (r"--signature (\w+)", r'`level = "\1"`'),
    (r"--placement (\w+)", r'`placement = "\1"`'),
    (r"--reproduces timeout", "`reproduces = { timeout = true }`"),
    (r"--interesting\b", "`interesting = true`"),
    (r"--timeout\b", "`timeout`"),
    (r"--jobs\b", "more `boildown.jobs`"),
)
"""What the command line's options are in a configuration."""


def no_string(name: str) -> str:
    """Say that there is no failing input at a place in Python code, and what to do."""
    return (
        f"No test in {name} uses a string at the cursor, and no test command is configured for "
        "the file. Put the cursor into the string that the failing test feeds to your program."
    )


def no_command(name: str) -> str:
    """Say that nothing tells how an input is tested, and what to do."""
    return (
        f"No test command is configured for {name}. Set one by the action “Boildown: set a test "
        "command”, which writes an [[input]] with 'files' and 'command' into boildown.toml."
    )


def for_string(problem: Problem) -> str:
    """Return what to do when the test of a string does not fail or can't be run."""
    return {
        Problem.PASSES: " Put the cursor into a string of a test that fails.",
        Problem.NOT_FOUND: " Choose the Python that runs the project's tests anew.",
    }.get(problem, "")


def configured(message: str) -> str:
    """Return a message of the runner's with the names of the configuration for the options."""
    head, printed, output = message.partition(" It printed")
    said = head
    for option, name in _OPTIONS:
        said = re.sub(option, name, said)
    if said != head and "`" in said:
        said += " Such a line goes into the [[input]] of boildown.toml."
    return f"{said}{printed}{output}"
