"""Oracles judge candidates: outcomes, verdicts, and wrappers that cache, count and limit.

An oracle is a function from texts to verdicts that is lazy and keeps the order. It takes an
iterable, so that an implementation may run several texts at once; the caller takes verdicts until
it has seen enough and drops the iterator, which ends what is still under way. Caching, counting,
limits and observation are functions from oracles to oracles: none knows of another, and no
algorithm knows of any.
"""

from __future__ import annotations

import enum
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias

if TYPE_CHECKING:
    # A default for a type variable is new in Python 3.13, and only type checkers ask for it.
    from typing_extensions import TypeVar

    Text = TypeVar("Text", str, bytes, default=str)
else:
    from typing import TypeVar

    Text = TypeVar("Text", str, bytes)
"""The type of texts; a caller of the library may have bytes."""


class Outcome(enum.Enum):
    """The outcome of one run of the test command on a candidate.

    >>> def test(text):
    ...     if text.count("(") != text.count(")"):
    ...         return Outcome.INVALID
    ...     return Outcome.REPRODUCED if "(x" in text else Outcome.PASSED
    >>> reduction = reduce("f(g(x), y)", test)
    >>> reduction.text, reduction.outcomes[Outcome.INVALID] > 0
    ('(x)', True)
    """

    REPRODUCED = "REPRODUCED"
    """The same failure was seen."""
    PASSED = "PASSED"
    """Not this failure: none, or another one."""
    INVALID = "INVALID"
    """Not a meaningful input."""
    TIMEOUT = "TIMEOUT"
    """No end in time: not reproduced, for reduction; no evidence, for generalization."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome with the signature that was seen."""

    outcome: Outcome
    signature: str = ""
    """The failure's identity in words, equal for equal failures; empty if nothing failed."""
    runs: int = field(default=1, compare=False)
    """How many runs it took."""

    @property
    def reproduced(self) -> bool:
        """Whether it was the same failure."""
        return self.outcome is Outcome.REPRODUCED

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return self.outcome is Outcome.PASSED and not self.signature

    @property
    def differs(self) -> bool:
        """Whether something failed, but in another way."""
        return self.outcome is Outcome.PASSED and bool(self.signature)


Oracle: TypeAlias = Callable[[Iterable[str]], Iterator[Verdict]]


@dataclass(frozen=True, slots=True)
class Step(Generic[Text]):
    """An accepted candidate, as the history of a reduction lists it."""

    run: int
    """How many runs it took to get there; 0 for the original."""
    text: Text
    """The candidate."""


class Stop(Exception):  # noqa: N818 - an end, not an error
    """Raised by an oracle that will judge no more: a limit, a cancel, a shutdown."""


def judge(oracle: Oracle, text: str) -> Verdict:
    """Return the verdict on one text."""
    verdicts = oracle((text,))
    try:
        return next(verdicts)
    finally:
        close(verdicts)


def close(verdicts: Iterator[Verdict]) -> None:
    """Close an iterator of verdicts, which ends the runs that it still has under way."""
    if (end := getattr(verdicts, "close", None)) is not None:
        end()


def from_test(test: Callable[[str], Outcome | bool]) -> Oracle:
    """Make an oracle of a function of one text; True means reproduced, False passed."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        for text in texts:
            answer = test(text)
            if isinstance(answer, bool):
                answer = Outcome.REPRODUCED if answer else Outcome.PASSED
            yield Verdict(answer)

    return verdicts


@dataclass(slots=True)
class Count:
    """The numbers of verdicts that were taken from an oracle, and of the runs behind them."""

    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    cached: int = 0
    """Answers that needed no run."""
    runs: int = 0

    @property
    def candidates(self) -> int:
        """Verdicts of all outcomes together, cached answers not among them."""
        return sum(self.outcomes.values())


def counted(oracle: Oracle, count: Count) -> Oracle:
    """Wrap an oracle: count the outcomes and runs in `count`."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        inner = oracle(texts)
        try:
            for verdict in inner:
                count.outcomes[verdict.outcome] += 1
                count.runs += verdict.runs
                yield verdict
        finally:
            close(inner)

    return verdicts


def limited(oracle: Oracle, max_runs: int) -> Oracle:
    """Wrap an oracle: raise `Stop` in place of the first verdict after `max_runs`.

    Runs are counted as verdicts are taken, so texts that were run ahead do not count. A verdict
    that takes several runs may go beyond the limit.
    """
    taken = 0

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        nonlocal taken
        inner = oracle(texts)
        try:
            while True:
                if taken >= max_runs:
                    raise Stop("the limit of runs is reached")
                verdict = next(inner, None)
                if verdict is None:
                    return
                taken += verdict.runs
                yield verdict
        finally:
            close(inner)

    return verdicts


def observed(oracle: Oracle, see: Callable[[str, Verdict], None]) -> Oracle:
    """Wrap an oracle: call `see` with every text and its verdict, in order."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        asked: deque[str] = deque()

        def asking() -> Iterator[str]:
            for text in texts:
                asked.append(text)
                yield text

        inner = oracle(asking())
        try:
            for verdict in inner:
                see(asked.popleft(), verdict)
                yield verdict
        finally:
            close(inner)

    return verdicts


def cached(oracle: Oracle, count: Count | None = None) -> Oracle:
    """Wrap an oracle: answer a text that was asked before from memory.

    Only digests are kept (16 bytes a text), never the texts. Answers from memory are counted in
    `count.cached`.
    """
    memory: dict[bytes, Verdict] = {}

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        waiting: deque[tuple[bytes, bool]] = deque()
        asked: deque[bytes] = deque()

        def unknown() -> Iterator[str]:
            for text in texts:
                key = digest(text)
                # A text may come twice before its first verdict: it is asked once all the same.
                known = key in memory or key in asked
                waiting.append((key, known))
                if not known:
                    asked.append(key)
                    yield text

        inner = oracle(unknown())
        try:
            while True:
                # The order is kept: an answer from memory waits for the texts asked before it.
                if waiting and waiting[0][0] in memory:
                    key, known = waiting.popleft()
                    if known and count is not None:
                        count.cached += 1
                    yield memory[key]
                elif (verdict := next(inner, None)) is not None:
                    memory[asked.popleft()] = verdict
                elif not waiting:
                    return
        finally:
            close(inner)

    return verdicts


def digest(text: str) -> bytes:
    """Hash a text to 16 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
