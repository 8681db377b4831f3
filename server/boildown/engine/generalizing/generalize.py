"""Generalizes a failing text to a pattern of texts that fail alike, after reducing it.

`generalize` never raises for a limit or a stop: what is known comes back, with `finished` false.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from random import Random
from types import MappingProxyType

from boildown.engine.generalizing.anywhere import stand_anywhere
from boildown.engine.generalizing.auto import auto
from boildown.engine.generalizing.between import between, large_inputs
from boildown.engine.generalizing.chain import find_chain
from boildown.engine.generalizing.ddset import ddset, ddset_simple
from boildown.engine.generalizing.examine import attacked
from boildown.engine.generalizing.generalization import (
    SAMPLES,
    Generalization,
    GeneralizeOptions,
)
from boildown.engine.generalizing.given import compared, doubts, run_given
from boildown.engine.generalizing.joint import hold_together, statement
from boildown.engine.generalizing.neighbours import with_counterexample
from boildown.engine.language import Language
from boildown.engine.laws.convincing import LEAST_INPUTS, doubt
from boildown.engine.laws.law import Law
from boildown.engine.laws.search import LawOptions, find_law
from boildown.engine.laws.words import find_lacking
from boildown.engine.matters import VariedToken, says, what_matters
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Stop,
    Verdict,
    cached,
    close,
    counted,
    judge,
    observed,
)
from boildown.engine.patterns.algebra import Texts
from boildown.engine.patterns.hole import Hole, Recall
from boildown.engine.patterns.pattern import Pattern, never_stopped
from boildown.engine.patterns.template import Template, template_of
from boildown.engine.problem import key
from boildown.engine.reducing.passes import AUTO, named
from boildown.engine.reducing.reduce import Watch, reduce
from boildown.engine.rescue import attempted

__all__ = [
    "LAW_RUNS",
    "METHODS",
    "GeneralizeOptions",
    "generalize",
    "reduced_text",
    "with_affordable_law",
]

LAW_RUNS = 250
"""Runs for a law, where the user does not say how many."""
LAW_SECONDS = 60
"""Seconds of processor time that so many runs may use together; of slow runs there are fewer."""
LAW_SHARE = 0.25
"""The share of a job's limit of seconds that they may take with those of the evidence, as the
pattern comes after the law."""

METHODS: dict[str, Callable[[Generalization], None]] = {
    "auto": auto,
    "ddset": ddset,
    "ddset-simple": ddset_simple,
}
"""The methods by name."""

GRAMMATICAL_PASSES = ("prune", "perses")
"""Passes whose candidates follow the grammar by construction, so that none has to be parsed. They
make the text small before the others come."""

PRUNED = ("prune",)
"""The pass that only leaves out items of lists. Its result lies inside the original."""

PUBLISHED_PASSES = ("perses",)
"""The passes that reduce for the published methods, as in their papers: tokens stay."""

LARGE = 500
"""Characters of an original so large that what is around its part that matters says something."""

LONGEST_CUT = 200_000
"""Characters of the longest original that is cut into pieces: each filling is parsed as a whole."""

MAX_COMPARED = 200
"""Failing inputs that were met before, the shortest ones, that the pattern is compared with."""

MOST_LAW_TRIALS = 60
"""Mutants that are run for the evidence of a law, at most; those known before count as well.
The pattern beside it has as many trials, where the user does not say how many."""

MOST_EXPLAINED = 0.9
"""A law for less than this share of the failing inputs is said to be one of a part."""

MUTANTS_OF_LAW = 60
"""Mutants that are made for a pattern beside a law, of which those that miss the law refute it."""

LONGEST_SHOWN = 100
"""Characters of the longest failing input that is named as one that the pattern does not match."""

LONGEST_EVIDENCE = 4_000
"""Characters of the longest text whose outcome is remembered as evidence."""


def generalize(
    text: str,
    oracle: Oracle,
    language: Language,
    rng: Random,
    options: GeneralizeOptions | None = None,
    watch: Watch | None = None,
    *,
    passes: Sequence[str] = AUTO,
    known: Mapping[str, Outcome] = MappingProxyType({}),
    original: str | None = None,
) -> Pattern:
    """Generalize a text that `oracle` says reproduces.

    The text is reduced first, by the named passes, unless the options say otherwise; the pattern is
    one of the reduced text. The published methods come with a reducer of their own, which is used
    unless others than the default passes are named. `known` are texts that were run before; they
    only refute, as the reduction's own runs do. `original` is the input that the text was reduced
    from, if it was before. The inputs that the options give are run once each:
    the law is learned from them, too, and the pattern is compared with them. The oracle may raise
    `Stop` at any time. Each text is run at most once, but for some that pass: before one of these
    counts as a counterexample, it is run again.

    Raises:
        ValueError: there is no such method or pass.
    """
    options, watch = options or GeneralizeOptions(), watch or Watch()
    check_names(options.method, passes)
    count = Count()
    seen = _Seen(dict(known))
    outcomes, others = seen.outcomes, seen.others
    original = text if original is None else original
    afresh = counted(oracle, count)
    remembered = observed(cached(afresh), seen.run)
    judged = observed(remembered, seen.judged)
    finished, pruned = True, text
    if options.reduce_first:
        chosen = PUBLISHED_PASSES if options.method != "auto" and passes == AUTO else tuple(passes)
        if chosen == AUTO:
            text, finished = reduced_text(text, judged, language, PRUNED, watch)
        pruned = text
        if finished:
            text, finished = reduced_text(text, judged, language, chosen, watch)
    reduction_runs = count.runs
    met = [known for known, outcome in outcomes.items() if outcome is Outcome.REPRODUCED]
    state = Generalization(
        template_of(text, language),
        judged,
        outcomes,
        rng,
        options,
        entered=watch.entered,
        check=watch.check,
        afresh=afresh,
        ran=seen.ran,
    )
    watch.entered("tokens")
    told = partial(_tokens, state.template, seen.ran, state.unreliable)
    tokens = attempted("tokens", partial(told, remembered if finished else None), (), watch.defect)
    law = None
    given: dict[str, Outcome] = {}
    if finished and options.given:
        watch.entered("given")

        def run() -> dict[str, Outcome]:
            ran = run_given(options.given, remembered)
            state.notes += doubts(options.given, ran)
            return ran

        try:
            given = attempted("given", run, {}, watch.defect)
        except Stop:
            finished = False
    texts = _Texts(original, pruned, text, given, others, frozenset(met))
    if finished and options.method == "auto" and options.law_runs != 0:
        watch.entered("law")
        law, finished = _convincing_law(state, texts, remembered, watch)
        state.has_law = law is not None
        if law is not None and options.samples == SAMPLES:
            # An instance of a law needs no more trials than the law, if the user asks for none.
            state.options = replace(options, samples=MOST_LAW_TRIALS)
    sought = state
    if law is not None:
        sought = attempted("law", partial(_stood_in, state, law), state, watch.defect)
    state.instead = partial(_take_pieces, state, texts, unless_anywhere=True)
    phases = {"holes": partial(_finish, state, sought)}
    phases["counterexamples"] = partial(_refute_wider, state, sought)
    is_large = len(original) >= LARGE and options.reduce_first
    if options.method == "auto" and (law is None or is_large):
        passing = partial(_large, state, texts, remembered, False) if is_large else tuple
        phases["anywhere"] = partial(_generalize_upwards, state, texts, passing)
    for phase, work in phases.items():
        finished = finished and attempted(phase, work, False, watch.defect)
    recall = None
    if finished:
        compare = partial(_recall, state, original, met)
        recall = attempted("recall", compare, None, watch.defect)
    finished = recall is not None
    if finished and given:
        compare_given = partial(_compare_given, state, law, given)
        finished = attempted("given", compare_given, False, watch.defect)
    _note_unreliable(state)
    state.check, state.afresh = never_stopped, None

    def shown() -> list[Hole]:
        return [
            hole if hole.counterexample else with_counterexample(state, hole)
            for hole in state.holes
        ]

    holes = attempted("counterexamples", shown, state.holes, watch.defect)
    if not given:
        # The search for the pattern may have met nearer variations.
        tokens = attempted("tokens", partial(told, None), tokens, watch.defect)
    return replace(
        state.pattern(holes),
        joint=state.joint,
        finished=finished,
        runs=count.runs,
        reduction_runs=reduction_runs,
        outcomes=count.outcomes,
        notes=tuple(state.notes),
        recall=recall,
        law=law,
        tokens=tokens,
    )


def _note_unreliable(state: Generalization) -> None:
    if state.unreliable:
        state.notes.append(
            f"The failure is flaky: of the texts that passed, {len(state.unreliable)} failed when"
            " they were run again. None of these counts as a counterexample."
        )


@dataclass(slots=True)
class _Seen:
    """The texts that were run, the long ones left out."""

    outcomes: dict[str, Outcome]
    """Those that teach a pattern."""
    ran: dict[str, Verdict] = field(default_factory=dict)
    """All of them."""
    others: set[str] = field(default_factory=set)
    """Those that fail in another way."""

    def run(self, text: str, verdict: Verdict) -> None:
        """Take the verdict of a run."""
        if len(text) <= LONGEST_EVIDENCE:
            self.ran[text] = verdict
            if verdict.differs:
                self.others.add(text)

    def judged(self, text: str, verdict: Verdict) -> None:
        """Take a verdict that teaches the pattern."""
        if len(text) <= LONGEST_EVIDENCE:
            self.outcomes[text] = verdict.outcome


def _tokens(
    smallest: Template,
    ran: Mapping[str, Verdict],
    unreliable: Set[str],
    oracle: Oracle | None,
) -> tuple[VariedToken, ...]:
    """Return the tokens of a text, each with its need; without an oracle, by no runs."""
    known = {text: says(each) for text, each in ran.items() if text not in unreliable}
    worth = smallest.language.valid if smallest.valid else lambda _text: True
    return what_matters(smallest.text, smallest.tree, known, oracle or _no_runs, worth)


def _no_runs(_texts: Iterable[str]) -> Iterator[Verdict]:
    """Give no verdict."""
    return iter(())


def check_names(method: str, passes: Sequence[str]) -> None:
    """Check that there is such a method, and that there are such passes. Raises ValueError."""
    if method not in METHODS:
        names = ", ".join(METHODS)
        raise ValueError(f"There is no method called {method!r}. The methods are: {names}.")
    named(tuple(passes))


def with_affordable_law(
    options: GeneralizeOptions, cpu: float, took: float, limit: float | None
) -> tuple[GeneralizeOptions, str | None]:
    """Return options with a number of runs for a law, and a note if there are few: a run is slow.

    A run uses `cpu` seconds of processor time and takes `took`, and runs for a law are made one
    after another; the whole job may take `limit` seconds. A number that the user has chosen stays.
    """
    if options.law_runs is not None:
        return options, None
    told, affordable = f"uses {cpu:.1f} s of processor time", LAW_SECONDS / max(cpu, 1e-6)
    if limit is not None:
        left = LAW_SHARE * limit / max(took, 1e-6) - _law_options(options).evidence_runs
        if left < affordable:
            told, affordable = f"takes {took:.1f} s", left
    # By halves, so that what varies in the measure seldom makes another number.
    runs = LAW_RUNS
    while runs > max(affordable, 0):
        runs //= 2
    sought = f"a law is looked for in {runs} runs" if runs else "no law is looked for"
    note = f"A run {told}, so {sought}." if runs < LAW_RUNS else None
    return replace(options, law_runs=runs), note


def _law_options(options: GeneralizeOptions) -> LawOptions:
    """Return the limits of the search for a law."""
    runs = LAW_RUNS if options.law_runs is None else options.law_runs
    return LawOptions(runs, min(options.samples, MOST_LAW_TRIALS))


@dataclass(frozen=True, slots=True)
class _Texts:
    """The inputs that a law is learned from, beside those of other runs."""

    original: str
    pruned: str
    """What is left of it where items of lists are left out and nothing else is done."""
    reduced: str
    given: Mapping[str, Outcome]
    others: Set[str]
    """Texts that fail in another way. They grow in number as texts are run."""
    met: frozenset[str]
    """The failing texts that the reduction met."""


def _convincing_law(
    state: Generalization, texts: _Texts, oracle: Oracle, watch: Watch
) -> tuple[Law | None, bool]:
    """Find a law that would convince a maintainer, or note that there is none.

    Say, too, whether this was finished.
    """
    count, tried = Count(), dict(state.known)
    seen = observed(counted(oracle, count), lambda new, done: tried.update({new: done.outcome}))
    # The pattern, which shows counterexamples, does not depend on runs for a law.
    law, finished = attempted("law", partial(_law, state, texts, seen), (None, True), watch.defect)
    why = None
    if law is not None and not texts.given:
        of_it = partial(_doubt, state, law, texts, tried, oracle)
        why = attempted("law", of_it, "could not be tested", watch.defect)
    if law is None or why is not None:
        if finished:
            found = "" if why is None else f": the likeliest one {why}"
            state.notes.append(f"No law convinces after {count.runs} runs{found}.")
        return None, finished
    if law.evidence.explained < MOST_EXPLAINED * law.evidence.failing:
        state.notes.append(
            f"The law explains {law.evidence.explained} of {law.evidence.failing} failing"
            " inputs, and none was found that explains more. The others may be another failure,"
            " for which explore looks."
        )
    return law, finished


def _law(state: Generalization, texts: _Texts, oracle: Oracle) -> tuple[Law | None, bool]:
    """Find the law that explains the failure; say whether this was finished.

    A law that did not stand all attacks is none. Where inputs were given, it shows none of those
    that it does not explain: they may be mutants of these. `others` grows as inputs fail in another
    way: what would have come after that failure is not known, so they say nothing. Only if all that
    don't fail alike are such, they are what the failing ones differ from.
    """
    original, reduced, given, others = texts.original, texts.reduced, texts.given, texts.others
    aside = any(each is Outcome.PASSED and text not in others for text, each in state.known.items())

    def told(text: str, outcome: Outcome, aside: bool) -> Outcome:
        return Outcome.INVALID if aside and text in others else outcome

    def judged(text: str, aside: bool) -> Outcome:
        known = state.known.get(text)
        return told(text, judge(oracle, text).outcome if known is None else known, aside)

    options, language, rng = _law_options(state.options), state.template.language, Random()
    rng.setstate(state.rng.getstate())
    rng.seed(rng.getrandbits(64))
    lacking = None
    try:
        if state.options.words or language.words:
            strictly = partial(judged, aside=True)
            lacking = find_lacking(
                state.options.words, original, reduced, language, strictly, state.check
            )
            aside = aside or bool(lacking.passing)
        known, given = (
            {text: told(text, each, aside) for text, each in outcomes.items()}
            for outcomes in (state.known, given)
        )
        law, stood = find_law(
            original,
            reduced,
            known,
            language,
            partial(judged, aside=aside),
            rng,
            options=options,
            check=state.check,
            reliable=state.refutes,
            given=given,
            lacking=lacking,
        )
    except Stop:
        return None, False
    if law is None or not stood:
        return None, True
    return replace(law, missed=(), excepted=()) if given else law, True


def _doubt(
    state: Generalization, law: Law, texts: _Texts, tried: Mapping[str, Outcome], oracle: Oracle
) -> str | None:
    """Return the reason, as a clause, not to say a law; None if there is none.

    It is asked of the failing inputs that the reduction met, and of large inputs; of mutants only
    where the original is so small that there are few others.
    """
    original, language = texts.original, state.template.language
    large = [text for text in tried if 2 * len(text) >= len(original) and language.valid(text)]
    passing = [t for t in large if tried[t] is Outcome.PASSED and t not in texts.others]
    failing = [text for text in texts.met if language.valid(text)]

    if min(len(failing), len(passing)) < LEAST_INPUTS:
        try:
            for side, fails in ((failing, True), (passing, False)):
                side += _large(state, texts, oracle, fails)
        except Stop:
            return "could not be tested in time"
    mutants = [text for text in large if tried[text] is Outcome.REPRODUCED and text not in failing]
    failing += mutants[: max(LEAST_INPUTS - len(failing), 0)]
    return doubt(law, original, failing, passing)


def _large(state: Generalization, texts: _Texts, oracle: Oracle, fails: bool) -> list[str]:
    """Return the large inputs that fail, or that pass, as far as they could be made.

    They are run the first time; `oracle` may raise `Stop`. A failure of another kind says nothing.
    """
    language = state.template.language

    def run(text: str) -> Outcome:
        verdict = judge(oracle, text)
        says_nothing = verdict.differs or not language.valid(text)
        return Outcome.INVALID if says_nothing else verdict.outcome

    if state.large is None:
        larger = (each for each in sorted(texts.met, key=key) if len(each) > len(texts.pruned))
        inner = [texts.pruned, *islice(larger, MAX_COMPARED)]
        found = between(texts.original, inner, language)
        state.large = [] if found is None else [*large_inputs(found, run, state.fork())]
    return [text for text, failed in state.large if failed is fails]


def reduced_text(
    text: str, oracle: Oracle, language: Language, passes: tuple[str, ...], watch: Watch
) -> tuple[str, bool]:
    """Reduce a text, and keep it in its language; say whether it was finished.

    A smaller text that does not follow the grammar is no use: it has no tree to make holes in.
    """
    strict = in_language(oracle, language) if language.valid(text) else oracle
    stages = (
        [(GRAMMATICAL_PASSES, oracle), (passes, strict)] if passes == AUTO else [(passes, strict)]
    )
    for names, judged in stages:
        reduction = reduce(text, judged, language, names, watch)
        text = reduction.text
        if not reduction.finished:
            return text, False
    return text, True


def in_language(oracle: Oracle, language: Language) -> Oracle:
    """Wrap an oracle: a text that does not follow the grammar is INVALID without a run."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        valid: deque[bool] = deque()

        def asked() -> Iterator[str]:
            for text in texts:
                valid.append(language.valid(text))
                if valid[-1]:
                    yield text

        inner = oracle(asked())
        try:
            while True:
                verdict = None if valid and not valid[0] else next(inner, None)
                while valid and not valid[0]:
                    valid.popleft()
                    yield Verdict(Outcome.INVALID)
                if verdict is not None:
                    valid.popleft()
                    yield verdict
                elif not valid:
                    return
        finally:
            close(inner)

    return verdicts


def _stood_in(state: Generalization, law: Law) -> Generalization:
    """Return a generalization for which a law stands in for the program: it costs no runs.

    What was run is known there, too, and inputs that miss the law, which refute wider holes. Of
    the holes that are found so, nothing is stated.
    """
    known, rng = dict(state.known), state.fork()
    if law.corpus is not None and not state.options.given:
        # Random texts of the grammar seldom have what a law speaks of; its own mutants do.
        for _ in range(MUTANTS_OF_LAW):
            text = law.corpus.mutant(rng)
            if text is not None and text not in known and not law.matches(text):
                known[text] = Outcome.PASSED

    def predicted(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            state.check()
            known[text] = Outcome.REPRODUCED if law.matches(text) else Outcome.PASSED
            yield Verdict(known[text])

    return replace(state, oracle=predicted, known=known, rng=rng, notes=[], afresh=None, ran={})


def _refute_wider(state: Generalization, sought: Generalization) -> bool:
    """Attach the counterexamples, each run once more; say whether this was finished.

    Where a law stood in for the program, the one that it names is run first.
    """
    holes = []
    try:
        for hole in state.holes:
            text = with_counterexample(sought, hole).counterexample if sought is not state else None
            if text is not None and text not in state.known:
                judge(state.oracle, text)
            holes.append(with_counterexample(state, hole))
    except Stop:
        return False
    state.holes = holes
    return True


def _attacked(state: Generalization, sought: Generalization) -> list[Hole]:
    """Return the holes that a few runs leave of those for which a law stood in."""
    found: list[Hole] = []
    holes = state.pattern(sought.holes).holes
    for name in dict.fromkeys(hole.name for hole in holes):
        same = [hole for hole in holes if hole.name == name]
        found += attacked(state, sought, same) or []
    return found


def _generalize_upwards(
    state: Generalization, texts: _Texts, passing: Callable[[], Sequence[str]]
) -> bool:
    """Let the pattern stand anywhere, or else take that of pieces; say if this was finished."""
    try:
        state.entered("anywhere")
        stand_anywhere(state, texts.original, texts.others, passing)
        _take_pieces(state, texts)
    except Stop:
        return False
    return True


def _take_pieces(state: Generalization, texts: _Texts, unless_anywhere: bool = False) -> bool:
    """Take the pattern of pieces of a large original that is missed; say whether there is one.

    A small original has too few lines. With `unless_anywhere` one with a part that the holes match
    is not taken as missed, for they may stand anywhere, which is tried first.
    """
    original = texts.original
    is_large = LARGE <= len(original) <= LONGEST_CUT
    if not is_large or state.has_law or state.sought_pieces:
        return False
    pattern = state.pattern(state.holes)
    if (pattern.wherever() if unless_anywhere else pattern).matches(original):
        return False
    state.entered("chain")
    state.sought_pieces = True
    return find_chain(state, original, texts.met, texts.others)


def _recall(state: Generalization, original: str, met: Sequence[str]) -> Recall | None:
    """Count the failing inputs that the pattern matches; None if a stop came.

    Those are the original and the ones that were met before any was made for the pattern.
    """
    pattern = state.pattern(state.holes)
    failing = dict.fromkeys([original, *sorted(met, key=key)[:MAX_COMPARED]])
    missed = []
    try:
        for text in failing:
            state.check()
            if not pattern.matches(text):
                missed.append(text)
    except Stop:
        return None
    others = (each for each in missed if each != original and len(each) <= LONGEST_SHOWN)
    shortest = min(others, key=key, default=None)
    part = original in missed and pattern.wherever().matches(original)
    explained = len(failing) - len(missed)
    return Recall(len(failing), explained, original not in missed, shortest, part)


def _compare_given(state: Generalization, law: Law | None, given: Mapping[str, Outcome]) -> bool:
    """Note how many of the given inputs the answers explain; say whether this was finished."""
    answers: dict[str, Texts] = {} if law is None else {"law": law}
    answers["pattern"] = state.pattern(state.holes)
    try:
        for name, answer in answers.items():
            state.notes += compared(name, answer, state.options.given, given, state.check)
    except Stop:
        return False
    return True


def _finish(state: Generalization, sought: Generalization) -> bool:
    """Run the method, then measure the joint evidence; say whether both were finished.

    The holes that `sought` gets, where a law stands in for the program, are held together by runs.
    """
    try:
        state.entered("holes")
        METHODS[state.options.method](sought)
        if sought is not state:
            state.holes = _attacked(state, sought)
            state.entered("joint")
            hold_together(state)
        if state.options.method != "auto":
            state.entered("joint")
            found = state.holes
            statement(state)
            state.holes = found
    except Stop:
        return False
    return True
