"""Flaky failures: an oracle whose runs may contradict each other, made one whose answers hold.

A text that fails may pass now and then (a missed failure), and one that does not may fail (a
spurious one). As long as no two runs on a text differ, one run decides, and only a few runs of a
job are made again: on the best text, and on the candidates that its certificate rests on. As soon
as two differ, each answer is a sequential test (A. Wald, Sequential Tests of Statistical
Hypotheses, 1945): runs are added until the odds between the two kinds of texts are clear. The rates
of both kinds are measured on the way, and taken for no surer than so few runs make them.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NoReturn

from boildown.engine.oracle import Oracle, Outcome, Stop, Verdict, close, digest, judge
from boildown.engine.patterns.bounds import lower_bound, upper_bound

CONFIDENCE = 0.95
"""The confidence of what is claimed of a flaky failure, if no other is wanted."""
LOWEST_RATE = 0.05
"""The lowest share of reproducing runs on the original that is worked with unasked."""
_LEAST_HITS = 3
"""Reproducing runs that make a lower share a measured one, after many runs that were asked for."""
HIGHEST_SPURIOUS = 0.15
"""The highest share of spurious failures on other texts that can be worked with."""
FREE_CHECKS, CHECKED_SHARE = 10, 0.05
"""How many of a job's runs may be checks where nothing disagrees: so many, or this share."""
_FIRST_CHECK = 16
"""Runs after which the best text is run again; from there on after twice as many each time."""
_MEASURING_RUNS = (8, 20)
"""Runs on the original from which its rate is taken: if all of them reproduce, and if few do."""
_MEASURING_HITS = 3
"""Where so many reproduce and others do not, that is enough: each further run that is known to fail
adds to it."""
_FIRST_DOUBT = 0.25
"""The doubt of the first of several sweeps for a claim; each has this share of the one before."""
_FALSE_RESULT = 0.001
"""The chance at which a result that does not fail may pass for one that does."""
_UNLIKELY = math.log(3)
"""The logarithm of the odds against a candidate's failing, before it is run."""
_RATE_PRIOR = (0.5, 0.5)
"""Hits and misses of texts that fail, which stand for what is known before any run."""
_SPURIOUS_PRIOR = (0.2, 9.0)
"""The same of texts that do not fail: spurious failures are rare, until one is seen."""


class Contradicted(Exception):  # noqa: N818 - a turn, not an error
    """Raised where the best text turned out not to fail."""


def is_too_rare(hits: int, runs: int) -> bool:
    """Say whether a failure that so many of the runs on the original showed is too rare."""
    return hits < min(LOWEST_RATE * runs, _LEAST_HITS)


def most_runs(rate: float) -> int:
    """Return the runs on a text after which the likelier answer is taken.

    A text that fails at the rate passes in all of them at odds of 1 to 20,000 at most.
    """
    return max(100, math.ceil(10 / max(rate, 0.001)))


@dataclass(frozen=True, slots=True)
class Care:
    """The care for flaky failures: a confidence, and the runs of the original before it all."""

    confidence: float = CONFIDENCE
    hits: int = 1
    """Runs on the original that reproduced."""
    runs: int = 1
    """Runs on the original."""
    checks: int = 1
    """Runs that count as checks: those before the reduction, and those to come after it."""
    verifying: int = 3
    """Runs on a result that must agree before it is believed."""


@dataclass(frozen=True, slots=True)
class Flaky:
    """The rates of a flaky failure, as they were measured."""

    rate: float
    """The share of runs on texts that fail which reproduced."""
    low: float
    """The lower end of the 95 % interval of that share."""
    high: float
    """The upper end of the 95 % interval of that share."""
    spurious: float
    """The share of runs on texts that do not fail which seemed to reproduce."""


@dataclass(slots=True)
class _Tally:
    """The runs on a text, or on all texts of a kind."""

    hits: int = 0
    misses: int = 0
    hit: Verdict | None = None
    """The latest verdict that reproduced."""
    miss: Verdict | None = None
    accepted: bool = False
    """Whether it is taken to fail."""
    refuted: bool = False
    """Whether it is known for sure not to fail."""

    @property
    def runs(self) -> int:
        return self.hits + self.misses

    def take(self, verdict: Verdict) -> None:
        """Count a run."""
        if verdict.reproduced:
            self.hits, self.hit = self.hits + 1, verdict
        else:
            self.misses, self.miss = self.misses + 1, verdict

    def add(self, other: _Tally, sign: int = 1) -> None:
        """Count the runs of another tally; with -1, take them back."""
        self.hits += sign * other.hits
        self.misses += sign * other.misses
        self.hit, self.miss = self.hit or other.hit, self.miss or other.miss


@dataclass(slots=True)
class _Waiting:
    """A text that waits for its answer."""

    text: str
    key: bytes
    runs: int
    """Runs that it still needs."""
    known: bool
    """Whether it needed none."""


class Careful:
    """An oracle that remembers its answers, and runs texts again where runs have differed.

    `oracle` judges, `check` and `verify` run the best text again, and in a sweep that certifies,
    `sweep` is how many answers the claim rests on.
    """

    def __init__(self, oracle: Oracle, original: str, care: Care) -> None:
        self._oracle = oracle
        self._original = original
        self._care = care
        self.noticed = 0 < care.hits < care.runs
        """Whether runs on a text have differed."""
        self.doubt: float | None = None
        """The doubt at which a candidate passes in a sweep for a claim; None during the search for
        a smaller text, where an answer that is not clear yet counts as passed."""
        self.gave_up = ""
        """Why no answer can be given any more, in a sentence; nothing if one can."""
        self.cached = 0
        """Answers that needed no run."""
        self.repeats = 0
        """Runs on texts that had been run before."""
        self._runs = 0
        self._checks = care.checks
        self._next_check = _FIRST_CHECK
        self._verified = original
        self._seen: dict[bytes, _Tally] = {}
        self._own = _Tally(care.hits, care.runs - care.hits)
        """Of the original."""
        self._others = _Tally()
        """Of other texts that fail, without the runs for which they were accepted."""
        self._passing = _Tally()
        """Of the candidates that were not accepted."""

    @property
    def _failing(self) -> _Tally:
        """The runs on texts that fail."""
        own, others = self._own, self._others
        return _Tally(own.hits + others.hits, own.misses + others.misses)

    @property
    def _most_runs(self) -> int:
        failing = self._failing
        return most_runs(failing.hits / max(failing.runs, 1))

    @property
    def flaky(self) -> Flaky | None:
        """The rates of the failure, if runs have differed."""
        if not self.noticed:
            return None
        seen = self._failing.hits, self._failing.runs
        low, high = lower_bound(*seen, 0.975), upper_bound(*seen, 0.975)
        spurious = self._passing.hits / max(self._passing.runs, 1)
        return Flaky(seen[0] / max(seen[1], 1), low, high, spurious)

    def oracle(self, texts: Iterable[str]) -> Iterator[Verdict]:
        """Judge texts, in order; those that are known already are not run again."""
        source = iter(texts)
        again: deque[str] = deque()
        while True:
            waiting: deque[_Waiting] = deque()
            inner = self._oracle(self._asked(chain(_drained(again), source), waiting))
            try:
                while True:
                    if waiting and not waiting[0].runs:
                        if (answer := self._answer(waiting[0].key)) is None:
                            break
                        self.cached += waiting.popleft().known and self.doubt is None
                        yield answer
                    elif (verdict := next(inner, None)) is not None:
                        # The order is kept: an answer from memory waits for those before it.
                        entry = next(each for each in waiting if each.runs)
                        entry.runs -= 1
                        self._take(entry.key, verdict)
                    elif not waiting or waiting[0].runs:
                        return
            finally:
                close(inner)
            # The first of them needs more runs; those behind it that were run ahead are dropped.
            again.extendleft(each.text for each in reversed(waiting))

    def check(self, best: str) -> None:
        """Run the best text again if it is time for that. Raises Contradicted."""
        if self.noticed or best == self._verified or self._runs < self._next_check:
            return
        while self._next_check <= self._runs:
            self._next_check *= 2
        # As many are left for the result, and for some of what its certificate rests on.
        if self._spare > self._care.verifying + 2:
            tally = _Tally()
            self._again(best, tally)
            if tally.misses:
                self._verify(best, tally)

    def verify(self, text: str) -> None:
        """Run a text again until it is clear that it fails. Raises Contradicted if it does not."""
        if text == self._original:
            self._measure(self._care.verifying)
        elif text != self._verified:
            self._verify(text, _Tally())
            self._verified = text
        self._distrust()

    def doubts(self, answers: int) -> Iterator[float]:
        """Yield the doubts of the sweeps for a claim that rests on so many answers.

        Each is stricter than the one before, so where one candidate fails, few runs have gone into
        the others. Answers that were enough before runs had differed may not be enough any more.
        """
        last = (1 - self._care.confidence) / answers
        if not self.noticed:
            yield last
        doubt = _FIRST_DOUBT
        while self.noticed and doubt > last:
            yield doubt
            doubt *= _FIRST_DOUBT
        if self.noticed:
            yield last
            self._distrust()

    def holds(self, text: str) -> bool:
        """Run a text again until it is clear whether it fails."""
        return self._decide(text, _Tally(accepted=True), 1 - self._care.confidence)

    def _asked(self, texts: Iterable[str], waiting: deque[_Waiting]) -> Iterator[str]:
        """Yield each text as often as it must be run at least, and put it into `waiting`."""
        for text in texts:
            key = digest(text)
            pending = any(each.runs and each.key == key for each in waiting)
            runs = 0 if pending else self._missing(key)
            waiting.append(_Waiting(text, key, runs, not runs))
            # Now, not when it is run: others may be asked before that.
            self._checks += runs if key in self._seen else 0
            for _ in range(runs):
                yield text

    def _take(self, key: bytes, verdict: Verdict) -> None:
        """Count a run on a candidate."""
        tally = self._seen.setdefault(key, _Tally())
        self._runs += 1
        self.repeats += tally.runs > 0
        tally.take(verdict)
        if not tally.accepted:
            self._passing.take(verdict)
        if tally.hits and tally.misses:
            self._notice()

    def _answer(self, key: bytes) -> Verdict | None:
        """Return the verdict on a text, or None if it needs another run."""
        tally = self._seen.get(key)
        fails = None if tally is None else self._fails(tally)
        if tally is None or fails is None:
            return None
        if fails is not tally.accepted:
            tally.accepted = fails
            self._passing.add(tally, -1 if fails else 1)
        # No run may have said so, where others seem to fail more often than the original.
        return (tally.hit if fails else tally.miss) or Verdict(Outcome.PASSED)

    def _fails(self, tally: _Tally) -> bool | None:
        """Say whether a text with these runs fails; None if it needs another run."""
        if tally.refuted or (tally.miss is not None and tally.miss.outcome is Outcome.INVALID):
            return False
        if not self.noticed:
            is_to_repeat = tally.runs == 1 and tally.misses and self._spare > 0
            return None if self.doubt is not None and is_to_repeat else tally.hits > 0
        # A claim takes nothing for likely beforehand.
        odds = self._odds(tally) - (_UNLIKELY if self.doubt is None else 0)
        if odds >= _log_odds(self._care.confidence) and tally.hits:
            return True
        if odds <= -_log_odds(1 - (self.doubt or 0.5)) and tally.misses:
            return False
        return odds > 0 and tally.hits > 0 if tally.runs >= self._most_runs else None

    def _missing(self, key: bytes) -> int:
        """Return how many more runs on a text an answer needs at least."""
        if self._answer(key) is not None:
            return 0
        if not self.noticed:
            return 1
        known = self._seen.get(key, _Tally())
        for runs in range(1, self._most_runs):
            for hits in (0, runs):
                tally = _Tally(known.hits + hits, known.misses + runs - hits)
                tally.accepted = known.accepted
                if self._fails(tally) is not None:
                    return runs
        return self._most_runs

    @property
    def _spare(self) -> int:
        """How many more runs may be checks where nothing disagrees."""
        return max(FREE_CHECKS, int(CHECKED_SHARE * self._runs)) - self._checks

    def _odds(self, tally: _Tally) -> float:
        """Return the logarithm of the odds for a text's failing, by its runs alone."""
        others = _Tally(self._passing.hits, self._passing.misses)
        if not tally.accepted:
            others = _Tally(max(others.hits - tally.hits, 0), max(others.misses - tally.misses, 0))
        return _chance(tally, self._failing, _RATE_PRIOR) - _chance(tally, others, _SPURIOUS_PRIOR)

    def _notice(self) -> None:
        """Measure how often the original fails, once runs have differed. May raise Stop."""
        if self.noticed:
            return
        self.noticed = True
        hits, runs = self._own.hits, self._own.runs
        few, many = _MEASURING_RUNS
        while self._own.runs < (few if not self._own.misses else many):
            self._again(self._original, self._own)
            if self._own.misses and self._own.hits >= max(hits + 1, _MEASURING_HITS):
                break
        if self._own.hits == hits and self._own.runs - runs >= few:
            self._give_up("The input does not fail any more.")
        if is_too_rare(self._own.hits, self._own.runs):
            self._give_up("The failure is too rare to go on.")

    def _measure(self, runs: int) -> None:
        """Run the original until it was run so often."""
        while self._own.runs < runs:
            self._again(self._original, self._own)
        if self._own.misses:
            self._notice()

    def _again(self, text: str, tally: _Tally) -> None:
        """Run a text again."""
        tally.take(judge(self._oracle, text))
        self._runs += 1
        self._checks += 1
        self.repeats += 1

    def _verify(self, text: str, tally: _Tally) -> None:
        tally.accepted = True
        if not self._decide(text, tally, _FALSE_RESULT):
            self._seen[digest(text)].refuted = True
            raise Contradicted

    def _give_up(self, why: str) -> NoReturn:
        """Raise Stop, for a reason that the user is told."""
        self.gave_up = why
        raise Stop(why)

    def _distrust(self) -> None:
        """Raise Stop where so many runs mislead that the two kinds of texts cannot be told apart.

        Texts that are taken to fail and do so far less often than the original are of neither kind.
        """
        passing, own, others = self._passing, self._own, self._others
        if passing.runs >= _MEASURING_RUNS[1] and passing.hits > HIGHEST_SPURIOUS * passing.runs:
            self._give_up(
                "Texts that do not fail seem to, too often to tell them from those that do."
            )
        if 2 * others.hits * own.runs < own.hits * others.runs and (
            upper_bound(others.hits, others.runs, 0.95) < lower_bound(own.hits, own.runs, 0.95)
        ):
            self._give_up("Smaller texts fail much less often than the input, if they fail at all.")

    def _decide(self, text: str, tally: _Tally, doubt: float) -> bool:
        """Run an accepted text again until it is clear whether it fails."""
        while (fails := self._is_clear(tally, doubt)) is None:
            self._again(text, tally)
            if tally.misses:
                self._notice()
        if fails:
            self._others.add(tally)
        else:
            seen = self._seen.setdefault(digest(text), _Tally())
            if seen.accepted:
                self._passing.add(seen)
            seen.accepted = False
            self._passing.add(tally)
            seen.add(tally)
        return fails

    def _is_clear(self, tally: _Tally, doubt: float) -> bool | None:
        """Say whether an accepted text fails, by the runs since; None if it is not clear."""
        if tally.misses and not self.noticed:
            self._notice()
        if not self.noticed:
            return True if tally.runs >= self._care.verifying else None
        odds = self._odds(tally)
        if abs(odds) < _log_odds(1 - doubt) and tally.runs < self._most_runs:
            return None
        return odds > 0


def _chance(tally: _Tally, known: _Tally, prior: tuple[float, float]) -> float:
    """Return the logarithm of the chance of the runs of a tally, after those that are known.

    The rate has a beta distribution, so few known runs make no chance small.
    """
    hits, misses = known.hits + prior[0], known.misses + prior[1]
    return _log_beta(hits + tally.hits, misses + tally.misses) - _log_beta(hits, misses)


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _drained(texts: deque[str]) -> Iterator[str]:
    while texts:
        yield texts.popleft()
