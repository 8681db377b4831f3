"""From a failing text to the pattern of all texts that fail like it.

`generalize` never raises for a limit or a stop: what is known comes back, with `finished` false.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType

from boildown.engine.form import form
from boildown.engine.generalizing.auto import auto
from boildown.engine.generalizing.ddset import ddset, ddset_simple
from boildown.engine.generalizing.joint import statement
from boildown.engine.generalizing.neighbours import with_counterexample
from boildown.engine.generalizing.state import Options, State
from boildown.engine.language import Language
from boildown.engine.oracle import (
    Count,
    Oracle,
    Outcome,
    Stop,
    Verdict,
    cached,
    close,
    counted,
    observed,
)
from boildown.engine.passes import AUTO
from boildown.engine.pattern import Pattern
from boildown.engine.reduce import Watch, reduce

__all__ = ["METHODS", "Options", "generalize", "reduced_text"]

METHODS: dict[str, Callable[[State], None]] = {
    "auto": auto,
    "ddset": ddset,
    "ddset-simple": ddset_simple,
}
"""The methods by name."""

KEEPING = ("prune", "perses")
"""Passes whose candidates follow the grammar by construction, so that none has to be parsed. They
make the text small before the others come."""

PUBLISHED = ("perses",)
"""What reduces for the published methods, as in their papers: it leaves tokens as they are."""

LONGEST = 4_000
"""Characters of the longest text whose outcome is remembered as evidence."""


def generalize(
    text: str,
    oracle: Oracle,
    language: Language,
    rng: Random,
    options: Options | None = None,
    watch: Watch | None = None,
    passes: Sequence[str] = AUTO,
    known: Mapping[str, Outcome] = MappingProxyType({}),
) -> Pattern:
    """Generalize a text that reproduces, as `oracle` judges it.

    The text is reduced first, by the named passes, unless the options say otherwise; the pattern is
    one of the reduced text. The published methods come with a reducer of their own, which is used
    unless others than the default passes are named. `known` are texts that were run before; they
    only refute, as the reduction's own runs do. The oracle may raise `Stop` at any time. Each
    text is run at most once.

    Raises:
        ValueError: there is no such method or pass.
    """
    options, watch = options or Options(), watch or Watch()
    if options.method not in METHODS:
        names = ", ".join(METHODS)
        raise ValueError(f"There is no method called {options.method!r}. The methods are: {names}.")
    count = Count()
    outcomes = dict(known)

    def see(new: str, verdict: Verdict) -> None:
        if len(new) <= LONGEST:
            outcomes[new] = verdict.outcome

    judged = observed(cached(counted(oracle, count)), see)
    finished = True
    if options.reduce_first:
        chosen = PUBLISHED if options.method != "auto" and passes == AUTO else tuple(passes)
        text, finished = reduced_text(text, judged, language, chosen, watch)
    state = State(form(text, language), judged, outcomes, rng, options, entered=watch.entered)
    if finished:
        finished = _finish(state)
    pattern = state.pattern(with_counterexample(state, hole) for hole in state.holes)
    return replace(
        pattern,
        joint=state.joint,
        finished=finished,
        runs=count.runs,
        outcomes=count.outcomes,
        notes=tuple(state.notes),
    )


def reduced_text(
    text: str, oracle: Oracle, language: Language, passes: tuple[str, ...], watch: Watch
) -> tuple[str, bool]:
    """Reduce a text, and keep it in its language; say whether it was finished.

    A smaller text that does not follow the grammar is no use: it has no tree to make holes in.
    """
    strict = in_language(oracle, language) if language.parse(text).valid else oracle
    stages = [(KEEPING, oracle), (passes, strict)] if passes == AUTO else [(passes, strict)]
    for names, judged in stages:
        reduction = reduce(text, judged, language, names, watch)
        text = reduction.text
        if not reduction.finished:
            return text, False
    return text, True


def in_language(oracle: Oracle, language: Language) -> Oracle:
    """Call a text that does not follow the grammar invalid without asking."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        valid: deque[bool] = deque()

        def asked() -> Iterator[str]:
            for text in texts:
                valid.append(language.parse(text).valid)
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


def _finish(state: State) -> bool:
    """Run the method, then what tells how often all holes together reproduce."""
    try:
        state.entered("holes")
        METHODS[state.options.method](state)
        if state.options.method != "auto":
            state.entered("joint")
            found = state.holes
            statement(state)
            state.holes = found
    except Stop:
        return False
    return True
