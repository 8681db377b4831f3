"""Reduces and generalizes texts in memory by a Python predicate."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, AnyStr

from boildown.engine.flaky import Care, Flaky
from boildown.engine.generalizing import generalize as engine
from boildown.engine.generalizing.given import GivenInput
from boildown.engine.language import Language
from boildown.engine.oracle import Count, Oracle, Step, Stop, Verdict, counted, limited
from boildown.engine.patterns.pattern import Pattern
from boildown.engine.reducing.passes import AUTO, named
from boildown.engine.reducing.reduce import Reduction, Watch, check_kept
from boildown.engine.reducing.reduce import reduce as reduce_text
from boildown.languages import load_language
from boildown.library.interrupted import Interrupted
from boildown.library.limits import check_limits
from boildown.library.predicates import (
    Answer,
    Exceptions,
    Predicate,
    as_text,
    calling,
    described_as,
    predicate_on,
)
from boildown.library.turns import in_turns
from boildown.library.warning import warn
from boildown.runner.limits import JobLimits
from boildown.runner.run import encode

_MOST_CALLS = 3
"""Calls with the original after which it does not reproduce."""


def reduce(
    text: AnyStr,
    test: Callable[[AnyStr], object],
    language: Language | str | None = None,
    *,
    raises: Exceptions = (),
    passes: Sequence[str] | None = None,
    keep: Sequence[AnyStr] | tuple[()] = (),
    max_runs: int | None = None,
    max_seconds: float | None = None,
) -> Reduction[AnyStr]:
    """Reduce a text to the smallest one for which `test` still says that it reproduces.

    `test` returns what is true or false, or an `Outcome`; or it raises on the text, and then
    whatever raises the same reproduces, and what is returned does not matter. The same is an
    exception of the same type, from the same line, with the same words in its message, as far as
    these are not the text's; or, if `raises` is given, any exception of these types. Where `test`
    returns for the text, a candidate for which it raises does not reproduce, which a note tells.

    Where the text is bytes, `test` gets bytes, and so is the result.

    `language` is a language or its name; None takes brackets, lines and words for structure.
    `passes` names passes of the catalogue. `keep` are parts of the text that stay as they are: no
    candidate lacks one, wherever it stands. `max_runs` and `max_seconds` are limits at which the
    best so far is the result; a call of `test` is never interrupted.

    The first calls of `test`, on the text itself and on the empty text, are not counted as runs. A
    `BoildownWarning` tells if the empty text reproduces, too.

    Raises:
        ValueError: the text does not reproduce, or lacks what is to be kept, or there is no such
            pass, or a limit is below zero.
        TypeError: `test` returns a coroutine or a generator, or the text is neither a string nor
            bytes.
        LanguageError: there is no such language.
        Interrupted: on Ctrl-C, with the best so far.

    >>> reduce("[1, [2, 3], 4]", lambda text: "3" in text, "json").text
    '3'
    >>> reduce(b"1 + 2 / 0", eval, raises=ZeroDivisionError).text
    b'2/0'
    """
    kept = _kept(text, keep)
    job = _job(text, test, language, raises, passes, (max_runs, max_seconds))
    progress = _Progress(job)
    try:
        return _as_given(_result(job, progress.reduced(job.oracle(), kept)), text)
    except KeyboardInterrupt as error:
        raise Interrupted(_as_given(progress.state(), text)) from error


def reducing(
    text: AnyStr,
    test: Callable[[AnyStr], object],
    language: Language | str | None = None,
    *,
    raises: Exceptions = (),
    passes: Sequence[str] | None = None,
    keep: Sequence[AnyStr] | tuple[()] = (),
    max_runs: int | None = None,
    max_seconds: float | None = None,
) -> Iterator[Reduction[AnyStr]]:
    """Reduce a text as `reduce` does, and yield the state of the reduction before each run.

    The last one is the result; those before it have `finished` false, and in their history only the
    original and the best so far. Nothing runs while the caller does not ask for the next one; a
    caller that stops asking has the best so far. `test` is called on the thread of the caller.

    Raises:
        ValueError, TypeError, LanguageError: as `reduce` does, at once.
        Interrupted: on Ctrl-C during a call of `test`, with the best so far.

    >>> for reduction in reducing("f(x, y)", lambda text: "x" in text):
    ...     if len(reduction.text) < 6:
    ...         break
    >>> reduction.text
    '(x,y)'
    """
    kept = _kept(text, keep)
    job = _job(text, test, language, raises, passes, (max_runs, max_seconds))
    return _states(job, text, kept)


def generalize(
    text: AnyStr,
    test: Callable[[AnyStr], object],
    language: Language | str | Path | Mapping[str, Any],
    *,
    raises: Exceptions = (),
    method: str = "auto",
    samples: int = 100,
    seed: int = 0,
    reduce_first: bool = True,
    law_runs: int | None = None,
    passing: Sequence[AnyStr] | tuple[()] = (),
    failing: Sequence[AnyStr] | tuple[()] = (),
    words: Sequence[str] = (),
    max_runs: int | None = None,
    max_seconds: float | None = None,
) -> Pattern:
    """Return the pattern of the texts for which `test` says that they reproduce.

    `text`, `test`, `raises` and the limits are those of `reduce`. `language` is a language, its
    name, a grammar file, or a grammar as a mapping in the fuzzingbook format. `method` is "auto",
    "ddset" or "ddset-simple"; `samples` is how many random texts the statements rest on, 60
    beside a law if it is left at 100, and another `seed` gives other ones. The text is reduced
    first, unless `reduce_first` is false.
    `law_runs` is how many calls are made for a law: if it is None, none without other texts or
    words, and else 250, or fewer where a call is slow.
    `passing` and `failing` are other texts at hand: `test` is called once for each, whose answer
    counts, the law learns from them, and notes say how many of them it and the pattern explain;
    none of them is quoted. `words` are strings and numbers of the program, such as keys: they are
    put into texts, so that the law can say that one is missing. The first calls of `test`, on the
    text itself and on the empty text, are not counted as runs.

    Raises:
        ValueError: the text does not reproduce, or there is no such method, or a limit is below
            zero.
        TypeError: `test` returns a coroutine or a generator, or the text is neither a string nor
            bytes.
        LanguageError: there is no such language.
        Interrupted: on Ctrl-C, with the pattern as far as it is known.

    >>> digits = {"<start>": ["-<digit>"], "<digit>": ["1", "2", "3"]}
    >>> str(generalize("-1", lambda text: text.startswith("-"), digits))
    '-<digit>'
    """
    job = _job(text, test, language, raises, None, (max_runs, max_seconds))
    wanted = engine.GeneralizeOptions(
        method=method,
        samples=samples,
        reduce_first=reduce_first,
        law_runs=law_runs if law_runs is not None or passing or failing or words else 0,
        given=(*_given("passing", passing), *_given("failing", failing)),
        words=tuple(words),
    )
    how, told = engine.with_affordable_law(wanted, *job.spent, max_seconds)
    if told is not None:
        # The first call may have loaded what the others only use.
        began = _spent()
        job.predicate.call(job.text)
        cpu, took = map(min, job.spent, _since(began))
        how, told = engine.with_affordable_law(wanted, cpu, took, max_seconds)
    progress = _Progress(job)
    notes = () if told is None else (told,)
    interrupt: KeyboardInterrupt | None = None

    def call(text: str) -> Answer:
        nonlocal interrupt
        try:
            return job.predicate.call(text)
        except KeyboardInterrupt as error:
            interrupt = error
            raise Stop("interrupted") from error

    def found(text: str, oracle: Oracle, how: engine.GeneralizeOptions) -> Pattern:
        watch = Watch(progress.accepted)
        pattern = engine.generalize(text, oracle, job.language, Random(seed), how, watch)
        return replace(pattern, notes=job.notes() + notes + pattern.notes)

    try:
        pattern = found(job.text, job.oracle(call), how)
    except KeyboardInterrupt as error:
        # Not in a call of the test, so the search did not take it for its end.
        interrupt = error
        known = replace(how, reduce_first=False)
        pattern = replace(found(progress.state().text, _judging_no_more, known), finished=False)
    if interrupt is not None:
        raise Interrupted(pattern=pattern) from interrupt
    return pattern


def _judging_no_more(_texts: Iterable[str]) -> Iterator[Verdict]:
    raise Stop("interrupted")


def _given(name: str, texts: Sequence[AnyStr] | tuple[()]) -> Iterator[GivenInput]:
    """Yield the texts of an argument, which are named by their places in it."""
    for index, text in enumerate(texts):
        yield GivenInput(f"{name}[{index}]", as_text(text), name == "failing")


@dataclass(frozen=True, slots=True)
class _Job:
    """A job: a predicate that has reproduced on a text, with passes and limits."""

    text: str
    predicate: Predicate
    language: Language
    passes: tuple[str, ...]
    limits: JobLimits
    care: Care
    """How often the original was asked about, and how often it reproduced."""
    spent: tuple[float, float]
    """Seconds of processor time, and by the clock, of one call on the original."""
    doubts: tuple[str, ...] = ()
    """Notes on the predicate that were shown as warnings."""

    def oracle(self, call: Callable[[str], Answer] | None = None) -> Oracle:
        """Return the predicate as an oracle that raises `Stop` at a limit."""
        judged = self.predicate.oracle(call)
        runs = self.limits.runs
        oracle = judged if runs is None else limited(judged, runs)
        return lambda texts: oracle(self._in_time(texts))

    def _in_time(self, texts: Iterable[str]) -> Iterator[str]:
        for text in texts:
            self.limits.check()
            yield text

    def notes(self) -> tuple[str, ...]:
        """Return the notes on the predicate so far."""
        return *self.doubts, *self.predicate.notes()


def _job(
    text: AnyStr,
    test: Callable[[AnyStr], object],
    language: Language | str | Path | Mapping[str, Any] | None,
    raises: Exceptions,
    passes: Sequence[str] | None,
    limits: tuple[int | None, float | None],
) -> _Job:
    """Call the predicate with the original and with the empty text; warn if that reproduces."""
    max_runs, max_seconds = limits
    check_limits(max_runs=max_runs, max_seconds=max_seconds)
    allowed = JobLimits(max_seconds, max_runs)
    whole, call = as_text(text), calling(test, text, raises)
    chosen = AUTO if passes is None else (passes,) if isinstance(passes, str) else tuple(passes)
    named(chosen)
    if language is None or isinstance(language, str | Path | Mapping):
        language = load_language(language or "plain")
    began = _spent()
    predicate, calls = _reproduced(whole, call, raises)
    spent = _since(began, calls)
    care = Care(hits=1, runs=calls, checks=calls)
    job = _Job(whole, predicate, language, chosen, allowed, care, spent)
    answer = call("") if whole else (False, None)
    if whole and predicate.judged("", *answer).reproduced:
        doubt = _empty_reproduces(predicate, answer)
        warn(doubt)
        return replace(job, doubts=(doubt,))
    return job


def _spent() -> tuple[float, float]:
    """Return the seconds that this process and its children used, and those on the clock."""
    return time.process_time() + sum(os.times()[2:4]), time.perf_counter()


def _since(began: tuple[float, float], calls: int = 1) -> tuple[float, float]:
    """Return the seconds that each of some calls has spent since they began."""
    (cpu_before, before), (cpu, now) = began, _spent()
    return (cpu - cpu_before) / calls, (now - before) / calls


def _reproduced(
    text: str, call: Callable[[str], Answer], raises: Exceptions
) -> tuple[Predicate, int]:
    """Return the predicate once it has reproduced on the original, and how many calls that took.

    Raises:
        ValueError, TypeError: as `predicate_on` does, after a few calls.
    """
    for calls in range(1, _MOST_CALLS):
        with contextlib.suppress(ValueError):
            return predicate_on(text, call, raises), calls
    return predicate_on(text, call, raises), _MOST_CALLS


def _empty_reproduces(predicate: Predicate, answer: Answer) -> str:
    """Return the note on a predicate that the empty text satisfies, with its answer to that."""
    _, error = answer
    if error is None:
        told = "The test says that the empty text reproduces, too, as it may say of any text"
    elif predicate.raises:
        told = f"The test raises {type(error).__name__} on the empty text, too"
    else:
        told = (
            f"The empty text fails in the same way: {predicate.failure}. If that is a slip in the "
            "test itself, mend it; if another failure is meant, name it with `raises`"
        )
    return f"{told}: the result may be empty."


def _kept(text: AnyStr, keep: Sequence[AnyStr] | tuple[()]) -> tuple[str, ...]:
    """Return the parts that are to be kept as strings. Raises ValueError."""
    given = [keep] if isinstance(keep, str | bytes) else keep
    kept = tuple(map(as_text, given))
    check_kept(as_text(text), kept)
    return kept


def _states(job: _Job, original: AnyStr, keep: Sequence[str]) -> Iterator[Reduction[AnyStr]]:
    """Reduce the text on a thread of its own; yield the state before each call of the predicate."""
    progress = _Progress(job)
    turns = in_turns(partial(_giving_states, progress, keep))
    try:
        state, text = next(turns)
        while True:
            yield _as_given(state, original)
            try:
                answer = job.predicate.call(text)
            except KeyboardInterrupt as error:
                raise Interrupted(_as_given(state, original)) from error
            state, text = turns.send(answer)
    except StopIteration as end:
        yield _as_given(_result(job, end.value), original)
    finally:
        turns.close()


class _Progress:
    """The state of a reduction while it is under way."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self._history: tuple[Step, ...] = (Step(0, job.text),)
        self._count = Count()

    def reduced(self, oracle: Oracle, keep: Sequence[str]) -> Reduction:
        """Reduce the text of the job."""
        job, judged, watch = self.job, counted(oracle, self._count), Watch(self.accepted)
        return reduce_text(
            job.text, judged, job.language, job.passes, watch, care=job.care, keep=keep
        )

    def accepted(self, text: str, _verdict: Verdict) -> None:
        """Take a smaller text that reproduces."""
        self._history = self._history[0], Step(self._count.runs, text)

    def state(self) -> Reduction:
        """Return the reduction as it stands."""
        history, runs = self._history, self._count.runs
        outcomes = dict(self._count.outcomes)
        return Reduction(history[-1].text, runs, 0, False, None, history, outcomes)


def _giving_states(
    progress: _Progress, keep: Sequence[str], give: Callable[[tuple[Reduction, str]], Answer | None]
) -> Reduction:
    """Reduce the text; give away the state and the candidate in place of calling the predicate."""

    def call(text: str) -> Answer:
        if (answer := give((progress.state(), text))) is None:
            raise Stop("nobody asks for more")
        return answer

    return progress.reduced(progress.job.oracle(call), keep)


def _result(job: _Job, reduction: Reduction) -> Reduction:
    """Return a reduction with the notes on its predicate; warn if that contradicts itself."""
    predicate, text = job.predicate, reduction.text
    answer = predicate.call(text)
    doubts = [] if reduction.flaky is None else [_flaky_note(reduction.flaky)]
    if reduction.flaky is None and not predicate.judged(text, *answer).reproduced:
        # Only where a limit has ended it: otherwise the engine has asked again.
        doubts.append("The test did not say the same of the result when it was asked again.")
    for doubt in doubts:
        warn(doubt)
    _, error = answer
    failures = None
    if error is not None and predicate.failure is not None:
        failures = predicate.described, described_as(error, text)
    stopped = None if reduction.finished else job.limits.reached(reduction.runs)
    notes = (*job.notes(), *doubts, *reduction.notes)
    return replace(reduction, stopped=stopped, failures=failures, notes=notes)


def _flaky_note(flaky: Flaky) -> str:
    """Return the note on a predicate that does not always say the same of a text."""
    spurious = f", and {flaky.spurious:.0%} of those on others" if flaky.spurious else ""
    return (
        f"The test does not always say the same of a text: {flaky.rate:.0%} of its calls on texts "
        f"that reproduce say so (between {flaky.low:.0%} and {flaky.high:.0%}, with 95 % "
        f"confidence){spurious}. Each text is asked about until it is likely enough whether it "
        "reproduces; make the test deterministic to be sure."
    )


def _as_given(reduction: Reduction, original: AnyStr) -> Reduction[AnyStr]:
    """Return a reduction with its texts as strings or bytes, as the original is given."""
    if isinstance(original, str):
        return reduction
    history = tuple(Step(step.run, encode(step.text)) for step in reduction.history)
    fields = {each.name: getattr(reduction, each.name) for each in dataclasses.fields(reduction)}
    return Reduction(**{**fields, "text": encode(reduction.text), "history": history})
