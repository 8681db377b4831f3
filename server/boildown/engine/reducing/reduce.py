"""The loop over passes, which reduces a failing text until no pass finds a smaller one.

The passes run in turn to a fixpoint, as in C-Reduce (Regehr et al., PLDI 2012). `reduce` never
raises for a limit or a stop: the best so far comes back, with `finished` false.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Generic

from boildown.engine.certificate import Certificate, NotSwept, Unit
from boildown.engine.failed_edits import FailedEdits
from boildown.engine.flaky import Care, Careful, Contradicted, Flaky, Reliability
from boildown.engine.language import LONGEST_PARSED, Language
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Step,
    Stop,
    Text,
    Verdict,
    cached,
    counted,
    digest,
    judge,
    observed,
)
from boildown.engine.passing import Passing, PassingTexts
from boildown.engine.problem import Problem, is_smaller, keeps, key
from boildown.engine.reducing.grow import grown
from boildown.engine.reducing.idle import Idle, leave_out
from boildown.engine.reducing.passes import AUTO, Pass, named
from boildown.engine.reducing.passes.coarse import coarse
from boildown.engine.reducing.replay import replayed
from boildown.engine.reducing.schedule import Schedule
from boildown.engine.reducing.steps import Steps
from boildown.engine.rescue import OnDefect, attempted, raise_defect
from boildown.engine.user_edit import UserEdit
from boildown.folder_text import unpacked
from boildown.tree import Leaf, Tree

if TYPE_CHECKING:
    from boildown.engine.reducing.notebooks import Shown

SHORT_TEXT = 100_000
"""Characters at which a text that was too long to be parsed gets its tree."""


SLOPE_RUNS = 200
"""Runs at the end of a reduction of which it is said how little they brought."""
_SHOWN = 40
"""Characters of a result that its `repr` shows."""


@dataclass(frozen=True, slots=True)
class Reduction(Generic[Text]):
    """The result of a reduction.

    The engine states what it found; a job and the library add what only they know.

    >>> reduction = reduce("f(g(x), y)", lambda text: "x" in text)
    >>> reduction
    <Reduction 10 → 1 in 17 runs, 1-character-minimal: 'x'>
    >>> reduction.history[0].text, reduction.certificate.timeouts, reduction.finished
    ('f(g(x), y)', 0, True)
    """

    text: Text
    """The smallest text that is known to reproduce the failure."""
    runs: int
    """Runs behind the verdicts that were taken from the oracle, the original's own not among them.

    A verdict on a flaky failure takes several."""
    cached: int
    """Candidates that had been judged before and cost no run."""
    finished: bool
    """False if a limit or a stop ended it early."""
    certificate: Certificate | None
    """What the last sweeps have shown, with its doubts; None if they have shown nothing."""
    history: Sequence[Step[Text]]
    """The accepted candidates; the original, at run 0, is the first. Texts are made when asked for.

    Of those of more than `LONGEST_PARSED` characters, only every one of half the length.
    """
    outcomes: dict[Outcome, int] = field(default_factory=dict)
    """How many candidates had which outcome."""
    passing: Passing | None = None
    """The closest text that passed, of those that were tried; None if none is known."""
    again: int = 0
    """Of the runs, those on a text that had been run before, for fear that the failure is flaky."""
    flaky: Flaky | None = None
    """The rates of the failure, if two runs on a text have differed; None without `care`."""
    reliability: Reliability | None = None
    """How often the original and the result failed when they were run again; None if the result was
    not."""
    stopped: str | None = None
    """Why it was stopped early, if it was: "runs", "seconds", "user", or "limit" for others."""
    failures: tuple[str, str] | None = None
    """The failures of the original and of the result, for a person to compare; None if the test
    only says that there is one."""
    notes: tuple[str, ...] = ()
    """Sentences for the user."""
    kept: tuple[str, ...] = ()
    """The parts of the text that no candidate was to lack."""
    tried: PassingTexts = field(default_factory=PassingTexts, repr=False, compare=False)
    """Candidates that did not fail so, as far as they are close to the text."""

    @property
    def files(self) -> dict[str, str]:
        """The files that are left, by their paths, where the input is a folder."""
        return unpacked(self.text) if isinstance(self.text, str) else {}

    def __repr__(self) -> str:
        claim = self.minimality or ("finished" if self.finished else "not finished")
        shown = repr(self.text) if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]!r}…"
        before = f"{len(self.history[0].text):,} → " if self.history else ""
        runs = "1 run" if self.runs == 1 else f"{self.runs:,} runs"
        return f"<Reduction {before}{len(self.text):,} in {runs}, {claim}: {shown}>"

    def _repr_html_(self) -> str:
        return self._shown().as_html()

    def _repr_markdown_(self) -> str:
        return self._shown().as_markdown()

    def _shown(self) -> Shown:
        # Only here, for most reductions are shown nowhere, and wait for no imports.
        from boildown.engine.reducing.notebooks import Shown

        unit = "byte" if isinstance(self.text, bytes) else "character"
        before, after = self.history[0].text if self.history else self.text, len(self.text)
        claim = (
            f"{len(before):,} → {after:,} {unit}{'' if after == 1 else 's'} in {self.runs:,} runs,"
            f" {self.minimality or ('finished' if self.finished else 'stopped early')}"
        )
        return Shown(before, self.text, claim, self.failures or ())

    @property
    def candidates(self) -> int:
        """How many candidates were judged, those not among them that were judged before."""
        return sum(self.outcomes.values()) - self.again

    @property
    def slope(self) -> tuple[int, int] | None:
        """Of the last runs, how many they were and the characters that they brought, if few.

        None for a short reduction, and for one that was still going down.
        """
        last = max(self.runs, self.history[-1].run if self.history else 0)
        if last < 2 * SLOPE_RUNS:
            return None
        before = [step for step in self.history if step.run <= last - SLOPE_RUNS]
        brought = len(before[-1].text) - len(self.text)
        return (SLOPE_RUNS, brought) if 50 * brought <= len(self.text) else None

    @property
    def minimality(self) -> str | None:
        """The claim of the certificate, such as "1-token-minimal"; None if there is none."""
        return None if self.certificate is None else self.certificate.unit.minimality


def unreduced(text: str) -> Reduction:
    """Return the result of a reduction that was stopped before its first run."""
    return Reduction(text, 0, 0, False, None, (Step(0, text),), dict.fromkeys(Outcome, 0))


@dataclass(slots=True)
class Watch:
    """Callbacks that see a reduction as it goes; each may be left out."""

    accepted: Callable[[str, Verdict], None] = lambda _text, _verdict: None
    entered: Callable[[str], None] = lambda _name: None
    """Called with a pass's name when it starts."""
    check: Callable[[], None] = lambda: None
    """Called again and again in long work between two runs; may raise `Stop`."""
    handed: Callable[[int], UserEdit | None] = lambda _run: None
    """Called as often, with the runs so far; returns what the user hands in now, if anything."""
    tried: Callable[[UserEdit, Verdict | None], None] = lambda _edit, _verdict: None
    """Called with what became of an edit; the verdict is None where it was not run, for it lacks
    what is kept, or is a part that no step holds."""
    defect: OnDefect = raise_defect
    """Called with a phase and the exception that ended it, if that was no `Stop`; if it does not
    raise it, the work goes on with the results of the other phases."""


def reduce(
    text: str,
    oracle: Oracle,
    language: Language,
    passes: Sequence[str | Pass] = AUTO,
    watch: Watch | None = None,
    *,
    care: Care | None = None,
    idle: Idle | None = None,
    keep: Sequence[str] = (),
) -> Reduction:
    """Reduce a text that `oracle` says reproduces, by passes of the catalogue or others.

    `idle` are guesses of the caller's at what may go: see `leave_out`.
    `keep` are parts of the text: the oracle is asked for no text that lacks one of them.

    An edit of the user's that reproduces is the best text from then on, also where it is larger,
    and the passes begin again; a part that is to be kept has them go on from the last step with it.

    The oracle may raise `Stop` at any time. Without `care` each text is asked for at most once;
    with it some are asked for again, and many if answers differ: then nothing rests on an answer
    that is not sure, and the certificate names its confidence.

    Raises:
        ValueError: a pass is unknown, or the text lacks what is to be kept.
    """
    check_kept(text, keep)
    chosen = named(tuple(passes))
    search = _Search(text, oracle, language, watch or Watch(), care, keep)
    search.finish(chosen, idle)
    return search.reduction()


def check_kept(text: str, keep: Sequence[str]) -> None:
    """Check that a text holds the parts of it that are to be kept. Raises ValueError."""
    if isinstance(keep, str) or "" in keep:
        raise ValueError("What is kept is a list of texts, none of them empty.")
    for each in keep:
        if each not in text:
            told = repr(each) if len(each) <= _SHOWN else f"{each[:_SHOWN]!r}…"
            raise ValueError(f"The input does not hold {told}, which is to be kept.")


class _Handed(Exception):  # noqa: N818 - says what is the case
    """Raised between two runs where the user has handed something in."""

    def __init__(self, edit: UserEdit) -> None:
        super().__init__()
        self.edit = edit


class _Search:
    """The state of a reduction: its steps so far, and the judge of the candidates."""

    def __init__(
        self,
        text: str,
        oracle: Oracle,
        language: Language,
        watch: Watch,
        care: Care | None,
        keep: Sequence[str],
    ) -> None:
        self.language, self.watch, self.keep = language, watch, keep
        self.steps = Steps(Step(0, text))
        self.count, self.passing = Count(), PassingTexts()
        judged = counted(observed(oracle, self._see), self.count)
        self.careful = None if care is None else Careful(judged, text, care)
        self.oracle = cached(judged, self.count) if self.careful is None else self.careful.verdicts
        self.confidence = None if care is None else care.confidence
        self.phase = "reduce"
        self.finished = False
        self.certificate: Certificate | None = None

    @property
    def best(self) -> str:
        """The best text so far."""
        return self.steps[-1].text

    def _see(self, new: str, verdict: Verdict) -> None:
        self.passing.see(new, verdict, len(self.best))

    def accept(self, new: str, verdict: Verdict) -> None:
        """Take a text for the best one."""
        self.steps.accept(Step(self.count.runs, new))
        self.watch.accepted(new, verdict)

    def enter(self, name: str) -> None:
        """Begin a pass. Raises Contradicted if the best text does not fail."""
        self.phase = name
        self.watch.entered(name)
        if self.careful is not None:
            self.careful.check(self.best)

    def check(self) -> None:
        """Look between two runs whether the user has handed something in. Raises _Handed."""
        self.watch.check()
        if (edit := self.watch.handed(self.count.runs)) is not None:
            raise _Handed(edit)

    def finish(self, passes: tuple[Pass, ...], idle: Idle | None) -> None:
        """Reduce the text until nothing more can go, or the search is ended."""
        try:
            while not self.finished:
                self._attempt(passes, idle)
        except Stop:
            pass
        except Exception as error:
            self.watch.defect(self.phase, error)
        if self.careful is not None and self.careful.settles:
            # Of many fragile texts that were tried, the one that was accepted may have been lucky.
            with contextlib.suppress(Stop):
                if not self.careful.holds(self.best):
                    self._go_back(self.careful)

    def _attempt(self, passes: tuple[Pass, ...], idle: Idle | None) -> None:
        """Run the passes to their end, unless an edit or a contradiction comes between."""
        self.certificate = None
        try:
            if idle and self.best == self.steps[0].text:
                self._leave_out(idle)
            self.certificate = self._run(passes)
            self.check()
            self.finished = True
        except _Handed as handed:
            self._take(handed.edit)
        except Contradicted:
            assert self.careful is not None
            self._go_back(self.careful)

    def reduction(self) -> Reduction:
        """Return the result as it stands."""
        careful, certificate, text = self.careful, self.certificate, self.best
        flaky = None if careful is None else careful.flaky
        kept = tuple(each for each in dict.fromkeys(self.keep) if each in text)
        if certificate is not None:
            confidence = None if flaky is None else self.confidence
            certificate = replace(certificate, confidence=confidence, protected=len(kept))
        # What passed once may fail another time.
        closest = None
        if flaky is None:
            look = partial(self.passing.closest, text)
            closest = attempted("passing", look, None, self.watch.defect)
        return Reduction(
            text,
            self.count.runs,
            self.count.cached if careful is None else careful.cached,
            self.finished,
            certificate,
            self.steps,
            self.count.outcomes,
            closest,
            0 if careful is None else careful.repeats,
            flaky,
            None if careful is None else careful.reliability,
            notes=() if careful is None or not careful.gave_up else (careful.gave_up,),
            kept=kept,
            tried=self.passing,
        )

    def _take(self, edit: UserEdit) -> None:
        """Have a user's edit tried, or its text kept from now on. Raises Stop."""
        verdict = None
        if edit.kept:
            held = [index for index, step in enumerate(self.steps) if edit.text in step.text]
            if held and edit.text:
                verdict = Verdict(Outcome.REPRODUCED)
                self.keep = (*self.keep, edit.text)
                if held[-1] + 1 < len(self.steps):
                    self.steps.cut(held[-1] + 1)
                    self.watch.accepted(self.best, verdict)
        elif keeps(edit.text, self.keep):
            verdict = judge(self.oracle, edit.text)
            if verdict.reproduced and edit.text != self.best:
                self.accept(edit.text, verdict)
        self.watch.tried(edit, verdict)

    def _go_back(self, careful: Careful) -> None:
        """Drop the steps from the first one on that does not fail, as the last one does not.

        A text that fails less reliably than the original counts as one that does not fail. The
        first of them grows until it is reliable; else the steps that had nothing to do with it are
        made again. Raises Stop, with steps that are known to fail.
        """
        steps, texts = self.steps, [step.text for step in self.steps]
        reproduced = Verdict(Outcome.REPRODUCED)
        try:
            _bisect(steps, careful)
            # The last one that is left has more runs behind it where failures are fragile.
            while careful.fragile and not (self.best == careful.grown or careful.holds(self.best)):
                _bisect(steps, careful)
        finally:
            self.watch.accepted(self.best, reproduced)
        if not careful.fragile or len(texts[0]) > LONGEST_PARSED:
            return
        accepts = self.language.checker(texts[0]) if self.language.strict else None
        reliable = self.best

        def holds(new: str, runs: int = 0) -> bool:
            is_asked = keeps(new, self.keep) and (accepts is None or accepts(new, texts[0]))
            return is_asked and is_smaller(new, reliable) and careful.holds(new, runs)

        if not careful.grown:
            for new in grown(texts[-1], key(reliable)[0], self.language, holds):
                careful.has_grown(new)
                self.accept(new, reproduced)
        if not careful.grown or self.best == reliable:
            for new in replayed(texts[len(steps) - 1 :], holds):
                self.accept(new, reproduced)

    def _run(self, passes: tuple[Pass, ...]) -> Certificate | None:
        """Run the passes over and over until a whole round changes nothing.

        Returns the certificate. A round that changes nothing because edits that had failed were not
        tried again is no proof: it is followed by the sweeps alone, which try them. Raises
        Contradicted if the best text does not fail.
        """
        if len(passes) > 1 and any(each.unparsed for each in passes):
            self._shorten()
        failed = FailedEdits()
        remembered = failed if len(passes) > 1 else None
        schedule = Schedule() if len(passes) > 1 else None
        certifying = tuple(each for each in passes if each.certifies is not None) or passes
        while True:
            sweeps = _Sweeps()
            tree = self.language.parse(self.best).tree
            problem = self._problem(tree, observed(self.oracle, sweeps.see), remembered)
            before = problem.text
            asked = passes if failed.trusted else certifying
            _round(problem, asked, schedule, self.enter, sweeps)
            if problem.text != before:
                failed.trusted = True
            elif failed.trusted and failed.spared:
                # Nothing has changed, but edits were left out: the sweeps try these, too.
                failed.trusted = False
            else:
                certificate = sweeps.certificate(passes)
                # What has failed in this very round is tried again, too.
                failed.trusted = False
                if self.careful is None or _is_confirmed(
                    problem, certificate, passes, self.careful
                ):
                    return certificate
                failed.trusted = True
            failed.spared = 0

    def _problem(
        self, tree: Tree, oracle: Oracle, remembered: FailedEdits | None = None
    ) -> Problem:
        own = self.accept, remembered
        return Problem(tree, oracle, self.language, *own, check=self.check, keep=self.keep)

    def _leave_out(self, idle: Idle) -> None:
        """Leave out the parts that are likely idle, before there is a tree."""
        self.enter("idle")
        leave_out(self._problem(Leaf("text", self.best), self.oracle), idle)

    def _shorten(self) -> None:
        """Reduce a long text without a tree, until it is short or nothing helps."""
        before = ""
        while len(self.best) > (SHORT_TEXT if before else LONGEST_PARSED) and self.best != before:
            before = self.best
            self.enter("coarse")
            coarse(self._problem(Leaf("text", before), self.oracle), SHORT_TEXT)


def _bisect(steps: Steps, careful: Careful) -> None:
    """Drop the last step, and those before it that do not fail either, found by bisection."""
    high, span = len(steps) - 1, 1
    low = next((at for at, step in enumerate(steps[:-1]) if step.text == careful.grown), 0)
    try:
        while high - low > 1:
            # From the end on in ever wider steps: where a text does not hold, few runs tell.
            middle = max((low + high) // 2, high - span)
            span *= 2
            if careful.holds(steps[middle].text):
                low = middle
            else:
                high = middle
    finally:
        steps.cut(low + 1)


def _is_confirmed(
    problem: Problem,
    certificate: Certificate | None,
    passes: tuple[Pass, ...],
    careful: Careful,
) -> bool:
    """Run the best text again, and the runs that its certificate rests on; say whether both hold.

    Raises Contradicted if the best text does not fail.
    """
    text = problem.text
    careful.verify(text)
    if certificate is None:
        return True
    sweep = next(each for each in reversed(passes) if each.certifies is certificate.unit)
    problem.start(None, mends=False)
    # A sweep leaves out about as many parts as there are characters, at most.
    for doubt in careful.doubts(len(text) + 1):
        careful.doubt = doubt
        try:
            sweep.run(problem)
        finally:
            careful.doubt = None
        if problem.text != text:
            return False
    return True


class _Sweeps:
    """The sweeps of one round, each with the candidates that it asked for and their outcomes."""

    def __init__(self) -> None:
        self._done: dict[Unit, dict[bytes, Outcome]] = {}
        self._asked: dict[bytes, Outcome] | None = None

    def see(self, text: str, verdict: Verdict) -> None:
        """Take the verdict on a candidate, be it from a run or from memory."""
        if self._asked is not None:
            self._asked[digest(text)] = verdict.outcome

    def begin(self, unit: Unit | None) -> None:
        """Begin a pass, which tries each single part of a kind, if it does."""
        self._asked = None if unit is None else {}

    def end(self, unit: Unit | None) -> None:
        """End a pass that has tried each single part of a kind."""
        if unit is not None and self._asked is not None:
            self._done[unit] = self._asked

    def certificate(self, passes: tuple[Pass, ...]) -> Certificate | None:
        """Return the strongest claim of a round that has changed nothing."""
        unit = next((each for each in reversed(Unit) if each in self._done), None)
        if unit is None:
            return None
        limits = {each.certifies: each.longest for each in passes}
        missing = (NotSwept(each, limits.get(each)) for each in Unit if each not in self._done)
        asked = self._done[unit]
        timeouts = sum(outcome is Outcome.TIMEOUT for outcome in asked.values())
        candidates = len(set().union(*self._done.values()))
        return Certificate(unit, candidates=candidates, timeouts=timeouts, not_swept=tuple(missing))


def _round(
    problem: Problem,
    passes: tuple[Pass, ...],
    schedule: Schedule | None,
    entered: Callable[[str], None],
    sweeps: _Sweeps,
) -> None:
    """Run the passes once; those that come last only if nothing else has changed the text."""
    before = problem.text
    for each in passes:
        if each.unparsed and schedule is not None:
            continue
        if each.last and problem.text != before:
            break
        if schedule is None or each.fits(len(problem.text)):
            sweeps.begin(each.certifies)
            entered(each.name)
            if schedule is None:
                problem.start(None, mends=each.certifies is None)
                each.run(problem)
            elif schedule.begin(each, problem):
                each.run(problem)
                schedule.end(each, problem)
            sweeps.end(each.certifies)
