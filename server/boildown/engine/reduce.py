"""The loop over passes: from a failing text to the smallest one that it can reach.

`reduce` never raises for a limit or a stop: the best so far comes back, with `finished` false.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from boildown.engine.language import Language
from boildown.engine.oracle import Count, Oracle, Outcome, Stop, Verdict, cached, counted
from boildown.engine.passes import AUTO, Pass, named
from boildown.engine.problem import Problem
from boildown.engine.vain import Vain

STRENGTH = ("1-tree-minimal", "1-token-minimal", "1-character-minimal")
"""The certificates, the weakest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted candidate."""

    run: int
    """How many runs it took to get here."""
    text: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """What came of a reduction."""

    text: str
    """The smallest text that is known to reproduce the failure."""
    runs: int
    """Verdicts taken from the oracle, the original's own not among them."""
    cached: int
    """Candidates that had been judged before and cost no run."""
    finished: bool
    """False if a limit or a stop ended it early."""
    minimality: str | None
    """What the last sweep showed the text to be, such as "1-token-minimal"."""
    history: tuple[Step, ...]
    """The accepted candidates; the original, at run 0, is the first."""
    outcomes: dict[Outcome, int] = field(default_factory=dict)
    """How many runs had which outcome."""


def unreduced(text: str) -> Reduction:
    """Return what came of a reduction that was stopped before its first run."""
    return Reduction(text, 0, 0, False, None, (Step(0, text),), dict.fromkeys(Outcome, 0))


@dataclass(slots=True)
class Watch:
    """Callbacks that see a reduction as it goes; each may be left out."""

    accepted: Callable[[str, Verdict], None] = lambda _text, _verdict: None
    entered: Callable[[str], None] = lambda _name: None
    """Called with a pass's name when it starts."""


def reduce(
    text: str,
    oracle: Oracle,
    language: Language,
    passes: Sequence[str] = AUTO,
    watch: Watch | None = None,
) -> Reduction:
    """Reduce a text that reproduces, as `oracle` judges it, by the named passes.

    The oracle may raise `Stop` at any time. Each text is asked for at most once.

    Raises:
        ValueError: a pass is unknown.
    """
    watch = watch or Watch()
    chosen = named(tuple(passes))
    count = Count()
    steps = [Step(0, text)]

    def accepted(new: str, verdict: Verdict) -> None:
        steps.append(Step(count.runs, new))
        watch.accepted(new, verdict)

    judged = cached(counted(oracle, count), count)
    finished, minimality = True, None
    try:
        minimality = _run(text, judged, language, chosen, accepted, watch.entered)
    except Stop:
        finished = False
    return Reduction(
        steps[-1].text, count.runs, count.cached, finished, minimality, tuple(steps), count.outcomes
    )


def _run(
    text: str,
    oracle: Oracle,
    language: Language,
    passes: tuple[Pass, ...],
    accepted: Callable[[str, Verdict], None],
    entered: Callable[[str], None],
) -> str | None:
    """Run the passes over and over until a whole round changes nothing; return the certificate.

    A round that changes nothing because edits that had failed were not tried again is no proof: it
    is followed by one that tries them.
    """
    vain = Vain()
    remembered = vain if len(passes) > 1 else None
    while True:
        problem = Problem(language.parse(text).tree, oracle, language, accepted, remembered)
        certificates = _round(problem, passes, entered)
        if problem.text != text:
            vain.trusted = True
        elif vain.trusted and vain.spared:
            vain.trusted = False
        else:
            return max(filter(None, certificates), key=STRENGTH.index, default=None)
        vain.spared = 0
        text = problem.text


def _round(problem: Problem, passes: tuple[Pass, ...], entered: Callable[[str], None]) -> list[str]:
    """Run the passes once; those that come last only if nothing else has changed the text."""
    before = problem.text
    certificates = []
    for each in passes:
        if each.last and problem.text != before:
            break
        alone = len(passes) == 1
        if alone or each.longest is None or len(problem.text) <= each.longest:
            entered(each.name)
            problem.start(None if alone else each.patience)
            each.run(problem)
            certificates.append(each.certifies)
    return certificates
