"""Flaky and fragile failures: an oracle whose runs may differ, made one whose answers hold.

A text that fails may pass now and then (a missed failure), and one that does not may fail (a
spurious one). As long as no two runs on a text differ, one run decides, and only a few runs of a
job are made again: on the best text, and on the candidates that its certificate rests on. As soon
as two differ, each answer is a sequential test (A. Wald, Sequential Tests of Statistical
Hypotheses, 1945): runs are added until the odds between the two kinds of texts are clear. The rates
of both kinds are measured on the way, and taken for no surer than so few runs make them.

A failure is fragile where smaller texts fail, but less often than the original: a stack that only
just overflows, a heap that is laid out by chance. A result is run again in varied surroundings
before it is called one. If it fails less reliably than the original, the search goes back to the
last step that was as reliable, and from there on no text is accepted on a single run.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import NoReturn

from boildown.engine.oracle import Oracle, Outcome, Stop, Verdict, close, digest
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
RESULT_RUNS, RESULT_SHARE = 20, 0.08
"""How often a result is run again at most, and the share of a job's runs that this may take."""
_FRAGILE_RUNS = 60
"""How often a result is run again once a smaller text has turned out to be fragile: none of so many
runs misses where at least 95 % of them fail, with 95 % confidence."""
_MOST_COMPARED = 240
"""Runs on a text after which the likelier answer is taken to whether it is fragile."""
_NEAR_RUNS = 10
"""How many runs more a candidate takes each time that twice as many have turned out to be fragile:
of many, one has no miss by luck. The sizes in benchmarks/FRAGILE.md set it, beside 20."""
_MOST_RETURNS = 8
"""How often the search goes back from a fragile text; after that the rates are said, no more."""
_LEAST_TELLING, _TELLING_TIMES = 6_000, 4
"""How many runs may go into telling fragile texts from others: so many, or so many times the runs
before, whichever is more. Where each part adds a little to the chance, no number is enough."""
_GROWN_RUNS = 2_000
"""The same once a text has grown: it is near the smallest, and of many candidates, one is lucky."""
_FRAGILE_ODDS = math.log(3), math.log(99)
"""The logarithm of the odds at which a text is called fragile: beside an original that always
fails, and beside one that does not."""
_FRAGILE_PRIOR = 9
"""Runs which stand for what is known of a text that is a little fragile before any run: they
reproduce as often as those on the original, and one more does not."""
_ANY_RATE, _SELDOM = (1.0, 1.0), math.log(4)
"""The same for one that is very fragile: it may fail at any rate, but seldom is there one."""
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
    """Raised where the best text turned out not to fail, or less reliably than the original."""


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
    vary: Callable[[bool], None] = lambda _on: None
    """Called with whether the next runs are to vary what should not matter to a failure, such as
    the size of the environment."""


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


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of the runs on a text reproduced the failure."""

    reproduced: int
    runs: int

    @property
    def always(self) -> bool:
        """Whether all of them did."""
        return self.reproduced == self.runs

    def __str__(self) -> str:
        return f"{self.reproduced} of {self.runs}"


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often the original and the result failed when they were run again."""

    original: Rate
    reduced: Rate
    fragile: Rate | None = None
    """Of the smallest text that was refused because it fails less reliably than the original."""


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
    """Whether it is known for sure not to fail, or to be fragile."""

    @property
    def runs(self) -> int:
        return self.hits + self.misses

    @property
    def rate(self) -> Rate:
        return Rate(self.hits, self.runs)

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
        self.settles = False
        """Whether it gave up among fragile texts, so that the best one is to be verified."""
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
        self._result = _Tally()
        """Of the runs by which the latest result was verified."""
        self.fragile = False
        """Whether a text has turned out to fail less reliably than the original."""
        self.grown = ""
        """What a fragile text has grown to. Little of it can go, so a step may take as many runs as
        tell; it took as many itself, and of few texts, so it needs no more to be gone back to."""
        self._last_run = 0
        """The run after which no more go into telling fragile texts from others."""
        self._near = 0
        """How many candidates had runs of both kinds."""
        self._returns = 0
        """How often the search had to go back from such a text."""
        self._refused: tuple[int, Rate] | None = None
        """The length of the smallest text that it had to go back from, and its rate."""

    @property
    def reliability(self) -> Reliability | None:
        """How reliably the original and the result fail; None if no result was verified."""
        if not self._result.runs:
            return None
        fragile = None if self._refused is None else self._refused[1]
        return Reliability(self._own.rate, self._result.rate, fragile)

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

    def verdicts(self, texts: Iterable[str]) -> Iterator[Verdict]:
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
        """Run a text again until it is clear that it fails as reliably as the original.

        Raises Contradicted if it does not.
        """
        if text == self._original:
            self._measure(self._care.verifying)
            self._result = self._own
        elif text != self._verified:
            self._result = tally = _Tally()
            self._verify(text, tally)
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

    def holds(self, text: str, runs: int = 0) -> bool:
        """Run a text again until it is clear whether it fails as reliably as the original.

        That takes as many `runs` where it does; 0 stands for twice as many as a candidate takes.
        """
        if text == self._original:
            return True
        tally = _Tally(accepted=True)
        # All that comes rests on it, and it was one of few.
        most = min(2 * self._step_runs, _MOST_COMPARED) if self.fragile else RESULT_RUNS
        return self._decide(text, tally, 1 - self._care.confidence, runs or most)

    def has_grown(self, text: str) -> None:
        """Take note of the reliable text that a fragile one has grown to."""
        self.grown = text
        self._last_run = min(self._last_run, self._runs + _GROWN_RUNS)

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
        if self.fragile and self._runs > self._last_run:
            self.settles = True
            self._give_up("Smaller texts fail less reliably, and it takes too many runs to tell.")
        self.repeats += tally.runs > 0
        if not tally.accepted and self._tells_of_passing(tally):
            self._passing.add(tally, -1)
        tally.take(verdict)
        if not tally.accepted and self._tells_of_passing(tally):
            self._passing.add(tally)
        if tally.hits and tally.misses:
            self._near += tally.misses == 1 or tally.hits == 1
            self._notice()

    def _tells_of_passing(self, tally: _Tally) -> bool:
        """Say whether the runs on a text that was not accepted tell of those that do not fail.

        Once failures are known to be fragile, a text with runs of both kinds more likely is.
        """
        return not (self.fragile and tally.hits and tally.misses)

    def _answer(self, key: bytes) -> Verdict | None:
        """Return the verdict on a text, or None if it needs another run."""
        tally = self._seen.get(key)
        fails = None if tally is None else self._fails(tally)
        if tally is None or fails is None:
            return None
        if fails is not tally.accepted:
            tally.accepted = fails
            if self._tells_of_passing(tally):
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
        if tally.hits and self._is_fragile(tally):
            return False
        if tally.hits and self.fragile and tally.runs < self._step_runs:
            return None
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

    @property
    def _result_runs(self) -> int:
        """How often a text that was accepted is run before it is called as reliable."""
        if self.fragile:
            return self._step_runs
        share = RESULT_RUNS if self.noticed else int(RESULT_SHARE * self._runs)
        return max(self._care.verifying, min(RESULT_RUNS, share))

    @property
    def _step_runs(self) -> int:
        """How often a candidate is run before it is accepted, where texts are fragile."""
        if self.grown:
            return _MOST_COMPARED
        return _FRAGILE_RUNS + int(_NEAR_RUNS * math.log2(1 + self._near))

    def _fragility(self, tally: _Tally) -> float:
        """Return the logarithm of the odds for a text's failing less reliably than the original."""
        if tally.hits * self._own.runs >= self._own.hits * tally.runs:
            return -math.inf
        hits = _FRAGILE_PRIOR * self._own.hits / self._own.runs
        little = _chance(tally, _Tally(), (hits, _FRAGILE_PRIOR - hits + 1))
        very = _chance(tally, _Tally(), _ANY_RATE) - _SELDOM
        return max(little, very) - _chance(tally, self._own, _RATE_PRIOR)

    def _is_fragile(self, tally: _Tally) -> bool:
        """Say whether it is clear enough that a text fails less reliably than the original.

        Beside an original that always fails, one miss is enough once fragile texts are known.
        """
        if self._own.misses:
            return self._fragility(tally) >= _FRAGILE_ODDS[tally.accepted or not self.grown]
        is_strict = self.fragile and not tally.accepted
        return self._fragility(tally) >= (0 if is_strict else _FRAGILE_ODDS[0])

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
            self._again(self._original, self._own, runs - self._own.runs)
        if self._own.misses:
            self._notice()

    def _again(self, text: str, tally: _Tally, runs: int = 1) -> None:
        """Run a text again as often, or until a run misses, in varied surroundings."""
        self._care.vary(True)
        verdicts = self._oracle(repeat(text, runs))
        try:
            for verdict in verdicts:
                tally.take(verdict)
                self._runs += 1
                self._checks += 1
                self.repeats += 1
                if not verdict.reproduced:
                    break
        finally:
            close(verdicts)
            self._care.vary(self.fragile)

    def _verify(self, text: str, tally: _Tally) -> None:
        tally.accepted = True
        if not self._decide(text, tally, _FALSE_RESULT, self._result_runs):
            self._seen[digest(text)].refuted = True
            if self.fragile:
                self._returns += 1
                self._measure(self._step_runs)
                if self._refused is None or len(text) <= self._refused[0]:
                    self._refused = len(text), tally.rate
            raise Contradicted

    def _give_up(self, why: str) -> NoReturn:
        """Raise Stop, for a reason that the user is told."""
        self.gave_up = why
        raise Stop(why)

    def _distrust(self) -> None:
        """Raise Stop where so many runs mislead that the kinds of texts can't be told apart."""
        passing = self._passing
        if passing.runs >= _MEASURING_RUNS[1] and passing.hits > HIGHEST_SPURIOUS * passing.runs:
            self._give_up(
                "Texts that do not fail seem to, too often to tell them from those that do."
            )

    def _decide(self, text: str, tally: _Tally, doubt: float, runs: int) -> bool:
        """Run an accepted text again until it is clear whether it fails as the original does.

        That takes as many `runs` at least where it does.
        """
        while (fails := self._is_clear(tally, doubt, runs)) is None:
            self._again(text, tally, max(1, runs - tally.runs))
            if tally.misses:
                self._notice()
        if fails:
            self._others.add(tally)
        else:
            seen = self._seen.setdefault(digest(text), _Tally())
            if not seen.accepted and self._tells_of_passing(seen):
                self._passing.add(seen, -1)
            seen.accepted = False
            seen.add(tally)
            if self._tells_of_passing(seen):
                self._passing.add(seen)
        return fails

    def _is_clear(self, tally: _Tally, doubt: float, runs: int) -> bool | None:
        """Say whether an accepted text fails, by the runs since; None if it is not clear."""
        if tally.misses and not self.noticed:
            self._notice()
        if not self.noticed:
            return True if tally.runs >= runs else None
        odds = self._odds(tally)
        is_clear = abs(odds) >= _log_odds(1 - doubt) or tally.runs >= self._most_runs
        if is_clear and odds <= 0:
            return False
        is_reliable = self._is_reliable(tally, runs)
        return None if is_reliable and not is_clear else is_reliable

    def _is_reliable(self, tally: _Tally, runs: int) -> bool | None:
        """Say whether a text fails as reliably as the original; None if it is not clear."""
        if tally.misses:
            # Like is compared with like: in the same varied surroundings, and as often.
            self._measure(min(tally.runs, _MOST_COMPARED))
        if not self._is_fragile(tally):
            if tally.runs < runs:
                return None
            fragility = self._fragility(tally)
            if fragility <= (0 if self._own.misses else -_FRAGILE_ODDS[0]):
                return True
            if tally.runs < _MOST_COMPARED:
                return None
            if fragility <= 0 or (self._own.misses and not self.grown):
                return True
        if self._returns >= _MOST_RETURNS:
            return True
        # Below this, it may be a text that does not fail at all.
        if not self.fragile and tally.hits > HIGHEST_SPURIOUS * tally.runs:
            # The original may have been lucky in the few runs that there were.
            self._measure(_FRAGILE_RUNS)
            if not self._is_fragile(tally):
                return None
            self.fragile = True
            self._last_run = self._runs + max(_LEAST_TELLING, _TELLING_TIMES * self._runs)
            for each in self._seen.values():
                if not each.accepted and not self._tells_of_passing(each):
                    self._passing.add(each, -1)
            self._care.vary(True)
        return False


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
