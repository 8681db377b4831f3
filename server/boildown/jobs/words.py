"""Sentences on results and patterns, the same in a terminal, an editor, a report and a test run.

A result, a pattern or a state is a value; here each gets its words, once. A front end chooses what
it has room for: the lines of a summary, or one that fits into a message (`SHORT`).

Nothing here imports a grammar or a parser: the language server loads this module when it starts.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from boildown.engine.certificate import Certificate, Certified, Unit
from boildown.engine.difference import difference
from boildown.folder_text import SEPARATOR, unpacked
from boildown.jobs import inert
from boildown.jobs.events import in_bytes, in_runs, many, runs, size
from boildown.visible import quoted

if TYPE_CHECKING:
    from boildown.engine.flaky import Reliability
    from boildown.engine.passing import Passing
    from boildown.jobs.branching import Assignment
    from boildown.jobs.check import Preflight
    from boildown.jobs.events import Outcome, Progress, Verdict
    from boildown.jobs.explain import Explanation, Neighbour
    from boildown.jobs.generalize import Evidence, Generalized, Law, Recall
    from boildown.jobs.reduce import Reduced
    from boildown.jobs.why import Suspect, Why

SHORT = 200
"""Characters of the longest sentence that a message shows; an editor cuts what is longer."""
MOST_OTHERS_SHOWN = 3
"""Other failures that are listed where not all of them are asked for."""
_MOST_SUSPECTS = 5
"""Suspects of a ranking that are shown to people."""
_SHOWN = 80
"""Characters of a text that is shown in a line."""
_LONGEST_QUOTED = 200
"""Characters of the longest input that is named beside a law."""

Quote = Callable[[str], str]
"""Returns a text as it is quoted: by `repr` in a terminal, as code in Markdown."""


def short(message: str, most: int = SHORT) -> str:
    """Return a message in so many characters: its first sentence if it is too long."""
    if len(message) <= most:
        return message
    first = re.split(r"[.:](?=\s)", message, maxsplit=1)[0].removesuffix(".")
    return inert.short(first, most * 4 // 5)


def fitting(message: str, most: int) -> str:
    """Return the sentences at the beginning of a message that fit into so many characters."""
    kept = 0
    for end in re.finditer(r"\.(?=\s|$)", message):
        if end.end() > most:
            break
        kept = end.end()
    return message[:kept] if kept and len(message) > most else short(message, most)


def sizes(before: int, after: int) -> str:
    """Return how many bytes there were and are."""
    return f"{before:,} → {in_bytes(after)}"


def share(part: int, whole: int) -> str:
    """Return a share in percent, rounded down, so that less than all is never 100 %."""
    return f"{math.floor(1000 * part / max(whole, 1)) / 10:.1f}%"


# Progress.

_STEPS = {
    "preflight": "running the original",
    "verify": "running the result once more",
    "explain": "leaving out each part",
    "idle": "leaving out what did not run",
    "modules": "putting modules into one file",
    "tokens": "trying other tokens",
    "given": "running the given inputs",
    "lists": "trying lists of other lengths",
    "covarying": "looking for parts that change together",
    "holes": "trying other parts",
    "isolation": "looking for the parts that matter",
    "joint": "filling all parts at once",
    "anywhere": "putting it into other inputs",
    "chain": "filling the gaps of the original",
    "law": "looking for a law",
}
"""The phases of a job beside the passes, in words."""


def step(phase: str) -> str:
    """Return the activity of a job in one of its phases; of a pass of the user's own, its name."""
    # Imported here: a server that shows no job yet has no pass.
    from boildown.engine.reducing.passes import PASSES

    told = _STEPS.get(phase) or next((each.step for each in PASSES if each.name == phase), "")
    return told or phase


def progress(latest: Progress | None) -> str:
    """Return the line of a progress report."""
    if latest is None:
        return "starting"
    if latest.phase == "preflight":
        return f"{latest.before:,} bytes, running the original"
    rate = latest.runs / latest.seconds if latest.seconds > 0 else 0.0
    line = f"{sizes(latest.before, latest.after)}, {runs(latest.runs)}"
    return f"{line}, {rate:.0f}/s, {step(latest.phase)}"


# The claim of a result.

_CLAIMED = {Unit.TREE: "part", Unit.TOKEN: "token", Unit.CHARACTER: "character"}
"""The kinds of parts that a certificate of minimality may be about, in words."""


def stated(certificate: Certificate | None) -> str | None:
    """Return a certificate in short, with its doubts; None if there is none."""
    if certificate is None:
        return None
    apart = " apart from its layout" if certificate.of is Certified.BEFORE_LAYOUT else ""
    return "; ".join((f"{certificate.unit.minimality}{apart}", *_doubts(certificate)))


def _doubts(certificate: Certificate) -> Iterator[str]:
    """Yield the doubts that a certificate of minimality names, as clauses."""
    if number := certificate.protected:
        yield f"{many(number, 'part')} {'was' if number == 1 else 'were'} kept and never left out"
    if certificate.only:
        yield f"only {certificate.only} were tried"
    if number := certificate.timeouts:
        counts = "count as not failing" if number > 1 else "counts as not failing"
        yield f"{in_runs(number)} ended by the time-out and {counts}"
    if certificate.margin:
        limit = f"{certificate.margin:.0%}"
        yield f"what is less than {limit} beyond the limit counts as not failing"
    if certificate.confidence is not None:
        sure = f"{certificate.confidence:.0%}"
        yield f"runs on one text differ, and this holds with {sure} confidence"


def _reliably(reliability: Reliability) -> str:
    """Return the sentence on how often the result failed when it was run again."""
    reduced, original = reliability.reduced, reliability.original
    beside = "" if reduced.always and original.always else f", the original in {original}"
    return f"Run again, the result failed in {reduced} runs{beside}."


def claims(reduced: Reduced) -> list[str]:
    """Return the sentences on the claim of a result with its doubts, or on its early end."""
    reduction, certificate = reduced.reduction, reduced.reduction.certificate
    found = []
    if certificate is not None:
        unit, apart = certificate.unit, certificate.of is Certified.BEFORE_LAYOUT
        claim = f"{unit.minimality}: no single {_CLAIMED[unit]} of it can be left out"
        claim += ", apart from its layout" if apart else ""
        found.append(f"{'; '.join((claim, *_doubts(certificate)))}.")
        found += [
            f"No single {_CLAIMED[each.unit]} was left out by itself: it has more than"
            f" {each.longest:,} characters. To try that, reduce the result with"
            f' passes = ["{_CLAIMED[each.unit]}s"] in boildown.toml.'
            for each in certificate.not_swept
            if each.longest is not None
        ]
    elif reduced.stopped is not None:
        found.append("It was stopped early: there may be a smaller one.")
    if reduction.reliability is not None:
        found[-1:] = [" ".join((*found[-1:], _reliably(reduction.reliability)))]
    if not reduction.finished and reduction.slope is not None:
        last, brought = reduction.slope
        found.append(f"The last {last} runs brought {brought or 'no'} characters.")
    return found


def closest_passing(passing: Passing, text: str) -> tuple[str, str]:
    """Return the closest text that passes in words, and how close it is to the reduced one.

    Of a long one only the difference is told.
    """
    away = many(passing.distance, "character")
    # None can be closer than one character.
    doubt = "" if passing.distance == 1 else ", the closest of those that were tried"
    if text.startswith(SEPARATOR):
        return _changed_files(passing.text, text), f"{away} away{doubt}"
    if len(passing.text) <= _SHOWN:
        return quoted(passing.text), f"{away} away{doubt}"
    start, end, instead = difference(text, passing.text)
    old, new = (quoted(inert.short(part, _SHOWN)) for part in (text[start:end], instead))
    told = f"with {new}" if start == end else f"without {old}"
    if start < end and instead:
        told = f"with {new} in place of {old}"
    return f"{told} at character {start + 1:,}", f"{away} away{doubt}"


def _changed_files(passing: str, text: str) -> str:
    """Return in words where a folder's text that passes differs from the one that fails."""
    new, old = unpacked(passing), unpacked(text)
    changed = sorted(path for path in {*new, *old} if new.get(path) != old.get(path))
    return f"with a change in {', '.join(changed)}"


# Results of reductions, whose sizes are those of the text that the certificate is about.


def outcome(reduced: Reduced, before: int) -> str:
    """Return the sizes of a reduction, its runs and its seconds in a line."""
    after = size(reduced.reduction.text)
    laid_out = "" if reduced.layout is None else f" ({size(reduced.layout):,} with its layout)"
    number = reduced.reduction.candidates
    candidates = f" ({many(number, 'candidate')})" if 0 < number != reduced.runs else ""
    return (
        f"{sizes(before, after)}{laid_out}, {share(before - after, before)} smaller, in"
        f" {runs(reduced.runs)}{candidates} and {reduced.seconds:.1f} s"
    )


def summary(
    name: str, before: str, reduced: Reduced, worded: Callable[..., str] = str
) -> list[str]:
    """Return the lines on a reduction: sizes, runs, seconds, its claim, and both failures.

    Below the failures stands the closest input that passes. `worded` words the doubts.
    """
    lines = [f"{name}: {outcome(reduced, size(before))}", *claims(reduced)]
    if reduced.failures is not None:
        original, result = reduced.failures
        lines += [f"  original: {original}", f"  reduced:  {result}"]
    lines += map(worded, reduced.doubts)
    if reduced.reduction.passing is not None:
        told, close = closest_passing(reduced.reduction.passing, reduced.reduction.text)
        lines.append(f"  passes:   {told}, {close}")
    return lines


def result(reduced: Reduced, before: int) -> str:
    """Return the result of a reduction in a few sentences; `before` is in bytes."""
    said, passing = claimed(reduced, before), reduced.reduction.passing
    if passing is None:
        return said
    return f"{said} It passes as {', '.join(closest_passing(passing, reduced.reduction.text))}."


def claimed(reduced: Reduced, before: int) -> str:
    """Return the result of a reduction without the passing input; `before` is in bytes."""
    reduction = reduced.reduction
    if size(reduction.text) < before:
        lines = [f"Reduced: {outcome(reduced, before)}."]
    else:
        took = f"{runs(reduced.runs)} and {reduced.seconds:.1f} s"
        if reduced.stopped is not None:
            return f"Stopped before anything smaller was found, after {took}."
        lines = [f"Nothing smaller was found in {took}."]
    return " ".join((*lines, *claims(reduced)))


def brief(reduced: Reduced, before: int) -> str:
    """Return the result of a reduction in a short line: sizes in bytes, and the failure of both."""
    after = size(reduced.reduction.text)
    if after >= before:
        stopped = reduced.stopped is not None
        return "Stopped before anything smaller was found" if stopped else "Nothing smaller found"
    line = f"Reduced {sizes(before, after)}"
    if not reduced.reduction.finished:
        line += ", stopped early"
    if reduced.failures is None:
        return line
    # What both begin with is said once.
    original, last = reduced.failures
    same = original[: difference(original, last)[0]] if original != last else ""
    common = "".join(same.rpartition(": ")[:2])
    rests = dict.fromkeys(each.removeprefix(common) for each in reduced.failures)
    room = SHORT - len(line) - len(" → : …")
    parts = [each for each in (common, *rests) if each]
    common, *both = (inert.short(each, room // len(parts) * 4 // 5) for each in (common, *rests))
    return f"{line}: {common}{' → '.join(both)}"


def failures(reduced: Reduced, between: str = "; reduced: ", quote: Quote = str) -> str:
    """Return the failures of the original and of the result, once if they are equal."""
    if reduced.failures is None:
        return ""
    original, last = map(quote, reduced.failures)
    if original == last:
        return f"It fails as before: {original}"
    return f"Original: {original}{between}{last}"


def other_failure(signature: str, smallest: str) -> str:
    """Return the line that tells of another failure, with its smallest input if that is short."""
    shown = f": {smallest!r}" if len(smallest) <= 60 else ""
    return f"also found: {signature}, with {in_bytes(size(smallest))}{shown}"


def checked(found: Preflight, command: str, why: str) -> str:
    """Return the outcome of a preflight in two sentences, with the test command."""
    failure = found.expected.signature or "the test command exits with 0"
    rate = found.expected.rate
    often = "" if rate is None else f" in {rate:.0%} of the runs"
    return (
        f"It fails{often}: {failure}. "
        f"{inert.code(command)} ({why}) takes {found.seconds:.2g} s per run."
    )


_NO_SUSPECT = "No function can be suspected."


def shown_suspects(found: Why) -> list[Suspect]:
    """Return the suspects of a ranking that are shown to people."""
    return [each for each in found.suspects if found.is_telling(each)][:_MOST_SUSPECTS]


def executed_in(found: Why, suspect: Suspect) -> str:
    """Return the runs that execute the line of a suspect."""
    failing = f"in {suspect.failing} of {found.failing_runs} failing runs"
    return f"{failing} and {suspect.passing} of {found.passing_runs} passing ones"


def suspected(found: Why) -> str:
    """Return a ranking as a message, which names the first suspect."""
    if not (shown := shown_suspects(found)):
        return _NO_SUSPECT
    place = f"{shown[0].function} ({os.path.basename(shown[0].file)}:{shown[0].line})"
    return f"The bug may be in {place}: {executed_in(found, shown[0])}."


def ranking(found: Why) -> list[str]:
    """Return the lines on a ranking of functions: a few suspects, and the evidence."""
    lines = []
    for number, each in enumerate(shown_suspects(found), 1):
        lines += [
            f"{number}. {_from_here(each.file)}:{each.line}, in {each.function}",
            f"     {each.text}",
            f"     {executed_in(found, each)}",
        ]
        if number == 1:
            lines += [f"     {line}" for line in _ways(found)]
    if not lines:
        return [_NO_SUSPECT]
    lines.append(
        "This is a ranking of functions by where a traceback ends, and by the lines that failing"
        f" runs execute and passing ones do not ({found.traced_runs} observed runs); the bug may be"
        " elsewhere."
    )
    return lines


def _from_here(path: str) -> str:
    """Return a path as it is typed in the current folder, if it leads to somewhere below that."""
    return path.removeprefix(os.path.join(os.getcwd(), ""))


def _ways(found: Why) -> Iterator[str]:
    """Yield the lines on where a passing input goes another way, and on where values are from."""
    if branch := found.branch:
        told = f": {branch.input!r}" if len(branch.input) <= _SHOWN else ""
        yield f"The closest passing input goes another way at line {branch.line}{told}"
        yield f"  {branch.text}"
        for word, known, line in (
            ("fails:", branch.failing, branch.failing_line),
            ("passes:", branch.passing, branch.passing_line),
        ):
            after = "the function ends" if line is None else f"line {line} comes next"
            if line == branch.line:
                after = "the line goes on"
            yield f"  {word:7} {values(known)}{'; ' if known else ''}{after}"
    if found.assignments:
        yield "In the failing run:"
    for each in found.assignments:
        text = each.text if len(each.text) <= _SHOWN else f"{each.text[:_SHOWN]}…"
        yield f"  {assigned(each)}, at line {each.line}: {text}"


def assigned(found: Assignment) -> str:
    """Return a name with its value, and the values that this was made of."""
    of = f" ← {values(found.values)}" if found.values else ""
    return f"{found.name} = {found.value}{of}"


def values(known: Mapping[str, str]) -> str:
    """Return names with their values."""
    return ", ".join(f"{name} = {value}" for name, value in known.items())


# Verdicts on other texts.

_OUTCOMES = {
    "REPRODUCED": "failed the same way",
    "PASSED": "did not",
    "INVALID": "invalid",
    "TIMEOUT": "not ended in time",
}


def outcomes(counts: Mapping[Outcome, int]) -> str:
    """Return how many runs had which outcome."""
    parts = [f"{count:,} {_OUTCOMES[each.value]}" for each, count in counts.items() if count]
    return ", ".join(parts) or "none"


_GIVES = {
    "same": ("still fails the same way", "still fail the same way"),
    "passes": ("passes", "pass"),
    "differs": ("fails differently", "fail differently"),
    "invalid": ("is invalid", "are invalid"),
    "timeout": ("does not end in time", "do not end in time"),
}
"""The verdicts on other texts in words, for one and for several."""


def _given(verdict: Verdict) -> str:
    if verdict.differs:
        return "differs"
    named = {"REPRODUCED": "same", "PASSED": "passes", "INVALID": "invalid"}
    return named.get(verdict.outcome.value, "timeout")


def gives(verdict: Verdict, quote: Quote = str) -> str:
    """Return the verdict on another text in words, with the other failure if there is one."""
    given = _given(verdict)
    return _GIVES[given][0] + (f": {quote(verdict.signature)}" if given == "differs" else "")


def edit_refused(verdict: Verdict | None) -> str:
    """Return why an edit of the user's was not taken, with the other failure if there is one."""
    if verdict is None:
        return "This edit was not tried: it leaves out what is kept."
    return f"With this edit it {gives(verdict)}. Undo it, or edit further and save."


def neighbour(each: Neighbour) -> str:
    """Return a sentence on a neighbour of a text, in Markdown."""
    then = gives(each.verdict, lambda signature: inert.code(signature, 160))
    if each.instead:
        return f"With {code(each.instead)} in place of {code(each.piece)} it {then}."
    return f"Without {code(each.piece)} it {then}."


def explanation(found: Explanation) -> str:
    """Return the outcomes of leaving out each token and each part, in a few sentences."""
    removed = [each for each in found.neighbours if not each.instead]
    if not removed:
        return "There is no token here."
    sorts = [[each for each in removed if each.sort.value == sort] for sort in _REMOVED]
    tried = " and ".join(many(len(each), each[0].sort.value) for each in sorts if each)
    is_minimal = not found.left and all(_given(each.verdict) != "same" for each in removed)
    if len(removed) == 1:
        return f"{'Nothing can be left out. ' if is_minimal else ''}{neighbour(removed[0])}"
    line = f"Each of the {tried} was left out once."
    if is_minimal:
        line = f"Nothing can be left out: each of the {tried} was tried."
    for each in filter(None, sorts):
        line += f" Without a {each[0].sort.value}: {_counts(each)}."
    return f"{line} {found.left} more were not tried." if found.left else line


_REMOVED = ("token", "part")
"""The sorts of neighbours in which something is left out."""


def _counts(neighbours: Sequence[Neighbour]) -> str:
    counts = Counter(_given(each.verdict) for each in neighbours)
    parts = [f"{counts[name]} {_GIVES[name][counts[name] > 1]}" for name in _GIVES if counts[name]]
    return f"all {parts[0]}" if len(parts) == 1 and len(neighbours) > 1 else ", ".join(parts)


def code(text: str, longest: int = 60) -> str:
    """Return a text as code in a line of Markdown, its middle left out if it is long."""
    return inert.code(text, longest=longest)


# Patterns and laws.


def evidence(seen: Evidence) -> str:
    """Return the share of random texts that fail, and its lower bound with 95 % confidence."""
    if not seen.trials:
        return "none was tried"
    line = f"{seen.reproduced} of {seen.trials} reproduced"
    line += f", at least {seen.lower_bound:.1%} do (with 95 % confidence)"
    if seen.invalid or seen.timeouts:
        line += f"; {seen.invalid} invalid, {seen.timeouts} timed out"
    return line


def law(found: Law, quote: Quote = repr) -> Iterator[str]:
    """Yield the clauses on the evidence of a law."""
    known = found.evidence
    without = f"; of {known.near} for which it does not, {known.near_passed} passed"
    yield (
        f"the law: {known.reproduced} of {known.trials} fresh {found.sampler} for"
        f" which it holds failed, at least {known.lower_bound:.1%} of such mutants do (with 95 %"
        f" confidence){without if known.near else ''}"
    )
    if known.unjudged:
        why = "they failed in another way or were invalid"
        yield f"such mutants left out, for {why}: {known.unjudged}"
    yield (
        f"of {known.failing} failing inputs that it was compared with, it explains"
        f" {known.explained}{_such_as(found.missed, 'not', quote)}"
    )
    if known.exceptions:
        those = "input passes" if known.exceptions == 1 else "inputs pass"
        such = _such_as(found.excepted, "such as", quote)
        yield f"{known.exceptions} {those} although it holds{such}"


def _such_as(texts: Sequence[str], word: str, quote: Quote) -> str:
    """Name the shortest of some texts, if it is short."""
    is_short = bool(texts) and len(texts[0]) <= _LONGEST_QUOTED
    return f", {word} {quote(texts[0])}" if is_short else ""


def recall(met: Recall, quote: Quote = repr) -> str:
    """Return how many failing inputs a pattern matches, with one that it does not."""
    return f"it matches {met}{'' if met.missed is None else f'; {quote(met.missed)} is none'}"


def pattern(found: Generalized) -> str:
    """Return the result of a generalization in a sentence or two."""
    took = f"{runs(found.pattern.runs)} and {found.seconds:.1f} s"
    holes, rule = len(found.pattern.holes), found.pattern.law
    if not found.pattern.is_general and rule is not None:
        line = f"It fails if {inert.short(str(rule))} ({took})."
    elif not found.pattern.is_general:
        line = f"No pattern was found in {took}."
    else:
        parts = "what is around it" if not holes else many(holes, "part")
        # Imported here: where no pattern is known, no job was loaded yet.
        from boildown.jobs.generalize import sketch

        shown = inert.short(sketch(found.pattern).line)
        line = f"It fails for {shown}: {parts} may be something else ({took})."
    return line if found.pattern.finished else f"{line} It was stopped early."
