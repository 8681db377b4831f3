"""Messages to the user: sizes, progress, results and advice in sentences."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from boildown.history import difference
from boildown.jobs import inert
from boildown.jobs.events import (
    claimed,
    closest_passing,
    doubts,
    in_bytes,
    not_swept,
    size,
)

if TYPE_CHECKING:
    from boildown.config import ConfigProblem
    from boildown.jobs.check import Preflight
    from boildown.jobs.events import Outcome, Progress, Verdict
    from boildown.jobs.explain import Explanation, Neighbour
    from boildown.jobs.generalize import Evidence, Generalized, Law, Recall
    from boildown.jobs.reduce import Reduced
    from boildown.jobs.work import Obstacle
    from boildown.targets import Target


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
    return f"{line}, {rate:.0f}/s, {step(latest.phase)}"


_CHECKING = "checking that nothing more can go"
_PARTS = "leaving parts out"
_DEFINITIONS = "leaving out definitions with their uses"
_STEPS = {
    "preflight": "running the original",
    "verify": "running the result once more",
    "explain": "leaving out each part",
    "idle": "leaving out what did not run",
    "modules": "putting modules into one file",
    "inclusions": "putting files where they are included",
    "coarse": "leaving large parts out",
    "squeeze": "leaving out white space and comments",
    "unnest": "leaving out levels of nesting",
    "deepen": "making levels of nesting cheaper",
    "cuts": _PARTS,
    "prune": _PARTS,
    "perses": _PARTS,
    "long-links": _DEFINITIONS,
    "links": _DEFINITIONS,
    "pairs": "leaving out parts in pairs",
    "neighbours": "leaving out parts in pairs",
    "shorten": "shortening names and values",
    "repetitions": "shortening repetitions",
    "blanks": "leaving out white space",
    "production": "trying simpler parts",
    "brackets": "leaving out brackets",
    "runs": "leaving out words in a row",
    "extract": "trying single parts alone",
    "names": "leaving out names",
    "rewrite": "rewriting parts shorter",
    "lift": "moving parts to the top",
    "literals": "trying simpler values",
    "spell": "spelling values shorter",
    "lines": "leaving lines out",
    "pieces": "leaving pieces out",
    "trees": _CHECKING,
    "tokens": _CHECKING,
    "characters": _CHECKING,
    "given": "running the given inputs",
    "lists": "trying lists of other lengths",
    "covarying": "looking for parts that change together",
    "holes": "trying other parts",
    "isolation": "looking for the parts that matter",
    "joint": "filling all parts at once",
    "anywhere": "putting it into other inputs",
    "law": "looking for a law",
}


def step(phase: str) -> str:
    """Return what a job does in one of its phases; of a pass of the user's own, its name."""
    return _STEPS.get(phase, phase)


def result(reduced: Reduced, before: int, after: int) -> str:
    """Return the result of a reduction in a sentence or two; sizes are in bytes."""
    reduction = reduced.reduction
    took = f"{runs(reduced.runs)} and {reduced.seconds:.1f} s"
    if after >= before and reduced.stopped is not None:
        return f"Stopped before anything smaller was found, after {took}."
    if after < before:
        layout = reduced.layout
        laid_out = "" if layout is None else f" ({size(layout):,} with its layout)"
        line = f"Reduced: {sizes(before, after)}{laid_out} in {took}."
    else:
        line = f"Nothing smaller was found in {took}."
    if (certificate := reduction.certificate) is not None:
        claim = claimed(certificate)
        claim = f"{claim[0].upper()}{claim[1:]}: each was tried"
        line += f" {'; '.join((claim, *doubts(certificate)))}."
        for part, longest in not_swept(certificate):
            line += f" No single {part} was: it has more than {longest:,} characters."
    elif reduced.stopped is not None:
        line += " It was stopped early: there may be a smaller one."
    if (passing := reduction.passing) is not None:
        line += f" It passes as {', '.join(closest_passing(passing, reduction.text))}."
    return line


def brief(reduced: Reduced, before: int, after: int) -> str:
    """Return the result of a reduction in a line: sizes in bytes, and the failure of both."""
    if after >= before:
        stopped = reduced.stopped is not None
        return "Stopped before anything smaller was found" if stopped else "Nothing smaller found"
    line = f"Reduced {sizes(before, after)}"
    if not reduced.reduction.finished:
        line += ", stopped early"
    if reduced.failures is None:
        return line
    # What both begin with is said once.
    original, result = reduced.failures
    same = original[: difference(original, result)[0]] if original != result else ""
    common = "".join(same.rpartition(": ")[:2])
    rests = dict.fromkeys(each.removeprefix(common) for each in reduced.failures)
    both = " → ".join(inert.short(each, _LONGEST_FAILURE) for each in rests)
    return f"{line}: {inert.short(common, _LONGEST_FAILURE)}{both}"


_LONGEST_FAILURE = 120
"""Characters of a part of a failure in a line."""


def first(message: str) -> str:
    """Return the first sentence of a message, without its end."""
    return re.split(r"[.:](?=\s)", message, maxsplit=1)[0].removesuffix(".")


def failures(reduced: Reduced) -> str:
    """Return the failures of the original and of the result, for a message."""
    if reduced.failures is None:
        return ""
    original, result = reduced.failures
    if original == result:
        return f"it fails as before: {original}"
    return f"original: {original}; reduced: {result}"


def failures_in_markdown(reduced: Reduced) -> str:
    """Return the failures of the original and of the result as two paragraphs of Markdown."""
    if reduced.failures is None:
        return ""
    original, result = map(code, reduced.failures)
    if original == result:
        return f"It fails as before: {original}"
    return f"Original: {original}\n\nReduced: {result}"


LATE_EDIT = "The reduction has ended, so this edit is not tried."
KEPT = "Kept: no candidate of a reduction lacks this."


def edit_refused(verdict: Verdict | None) -> str:
    """Return why an edit of the user's was not taken, with the other failure if there is one."""
    if verdict is None:
        return "This edit was not tried: it leaves out what is kept."
    then = _GIVES[_given(verdict)][0]
    seen = f": {verdict.signature}" if _given(verdict) == "differs" else ""
    return f"With this edit it {then}{seen}. Undo it, or edit further and save."


def kept(text: str, is_held: bool) -> str:
    """Return whether a part is kept from now on, or stands in no step to go back to."""
    shown = repr(inert.short(text, 40))
    if is_held:
        return f"{shown} is kept from now on."
    return f"{shown} stands in no step of the reduction, so it can't be kept."


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
"""The outcomes of neighbours in words, for one and for several."""


def _gives(neighbour: Neighbour) -> str:
    return _given(neighbour.verdict)


def _given(verdict: Verdict) -> str:
    if verdict.outcome.value == "PASSED" and verdict.signature:
        return "differs"
    outcomes = {"REPRODUCED": "same", "PASSED": "passes", "INVALID": "invalid"}
    return outcomes.get(verdict.outcome.value, "timeout")


def gives(neighbour: Neighbour) -> str:
    """Return the outcome of a neighbour of a text, with the other failure if there is one."""
    line = _GIVES[_gives(neighbour)][0]
    return f"{line}: {neighbour.verdict.signature}" if neighbour.fails_differently else line


def neighbour(each: Neighbour) -> str:
    """Return a sentence on a neighbour of a text, in Markdown."""
    then = _GIVES[_gives(each)][0]
    if each.fails_differently:
        then += f": {code(each.verdict.signature, 160)}"
    if each.instead:
        return f"With {code(each.instead)} in place of {code(each.piece)} it {then}."
    return f"Without {code(each.piece)} it {then}."


def explanation(found: Explanation) -> str:
    """Return the outcomes of leaving out each token and each part, in a few sentences."""
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
    return inert.code(text, longest=longest)


def evidence(seen: Evidence) -> str:
    """Return the share of random texts that fail, and its lower bound with 95 % confidence."""
    if not seen.trials:
        return "none was tried"
    line = f"{seen.reproduced} of {seen.trials} fail (at least {seen.lower_bound:.0%} of all do)"
    unclear = seen.invalid + seen.timeouts
    return f"{line}; {unclear} more say nothing" if unclear else line


def recall(met: Recall) -> str:
    """Return how many failing inputs a pattern matches, with one that it does not, in Markdown."""
    missed = "" if met.missed is None else f"; {code(met.missed)} is none"
    return f"It matches {met}{missed}."


def law(found: Law) -> str:
    """Return the evidence of a law in a few sentences, the bound with 95 % confidence."""
    known = found.evidence
    left_out = (
        f" Left out, for they failed in another way or were invalid: {known.unjudged}."
        if known.unjudged
        else ""
    )
    line = (
        f"{known.reproduced} of {known.trials} fresh mutants of this job's inputs for which it"
        f" holds fail (at least {known.lower_bound:.0%} of all such do); {known.near_passed} of"
        f" {known.near} for which it does not hold pass.{left_out} It explains {known.explained} of"
        f" {known.failing} failing inputs."
    )
    excepted = len(found.excepted)
    if not excepted:
        return line
    those = "1 input passes" if excepted == 1 else f"{excepted} inputs pass"
    return f"{line} {those} although it holds."


def pattern(found: Generalized) -> str:
    """Return the result of a generalization in a sentence or two."""
    took = f"{runs(found.pattern.runs)} and {found.seconds:.1f} s"
    holes, law = len(found.pattern.holes), found.pattern.law
    if not found.pattern.is_general and law is not None:
        line = f"It fails if {inert.short(str(law))} ({took})."
    elif not found.pattern.is_general:
        line = f"Nothing more general was found in {took}."
    else:
        parts = "what is around it" if not holes else "1 part" if holes == 1 else f"{holes} parts"
        from boildown.jobs.generalize import sketch

        shown = inert.short(sketch(found.pattern).line)
        line = f"It fails for {shown}: {parts} may be something else ({took})."
    return line if found.pattern.finished else f"{line} It was stopped early."


def checked(target: Target, found: Preflight) -> str:
    """Return the outcome of a preflight in two sentences, with the test command."""
    failure = found.expected.signature or "the test command exits with 0"
    rate = found.expected.rate
    often = "" if rate is None else f" in {rate:.0%} of the runs"
    return (
        f"It fails{often}: {failure}. "
        f"{inert.code(target.shown)} ({target.why}) takes {found.seconds:.2g} s per run."
    )


def no_string(name: str) -> str:
    """Return the refusal for a place in Python code without a failing input, with advice."""
    return (
        f"No test in {name} uses a string at the cursor, and no test command is configured for "
        "the file. Put the cursor into the string that the failing test feeds to your program."
    )


def expected_in_test(now: str) -> str:
    """Return the question for the value that a test should expect, in place of a constant."""
    now = textwrap.shorten(now, 60, placeholder="…")
    return (
        f"What should the test expect of the reduced input, in place of {now}? "
        "Give Python code, or nothing to have other inputs tested as this one is."
    )


def expected_output(pattern: str) -> str:
    """Return the question for the output that a program should have, in place of a wrong one."""
    return (
        "What should the program print for the reduced input? "
        f"Give its output, or nothing to test only that '{pattern}' does not match it."
    )


def no_command(name: str) -> str:
    """Return the refusal for an input without a test command, with advice."""
    return (
        f"No test command is configured for {name}. Set one by the action “Boildown: set a test "
        "command”, which writes an [[input]] with 'files' and 'command' into boildown.toml."
    )


def wrong_config(problem: ConfigProblem, name: str) -> str:
    """Return the refusal for an input without a test command, where a configuration is wrong."""
    where = f"{problem.path.name}, line {problem.line}" if problem.path else "the settings"
    return f"{name} has no test command, since there is a mistake in {where}: {problem.message}"


def no_folder_command(name: str) -> str:
    """Return the refusal for a folder without a test command, with advice."""
    return (
        f"No test command is configured for the folder {name}. Give one, or write an [[input]] "
        "with files = [\".\"] and 'command' into a boildown.toml in it."
    )


def for_string(problem: Obstacle) -> str:
    """Return the advice for a string whose test does not fail or can't be run."""
    # Imported here: a server that does nothing yet loads no job.
    from boildown.jobs.work import Obstacle

    return {
        Obstacle.PASSES: " Put the cursor into a string of a test that fails.",
        Obstacle.NOT_FOUND: " Choose the Python that runs the project's tests anew.",
    }.get(problem, "")
