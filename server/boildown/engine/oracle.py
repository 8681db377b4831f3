"""What judges candidates: outcomes, verdicts, and the wrappers that every concern is.

An oracle is a function from texts to verdicts that is lazy and keeps the order. It takes an
iterable, so that an implementation may run several texts at once; the caller takes verdicts until
it has seen enough and drops the iterator, which ends what is still under way. Caching, counting,
limits, stopping and observation are functions from oracles to oracles: none knows of another, and
no algorithm knows of any.
"""

from __future__ import annotations

import enum
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


class Outcome(enum.Enum):
    """What a run of the test command said of a candidate."""

    REPRODUCED = "REPRODUCED"
    """The same failure."""
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
    """What makes two failures the same, in words; empty if nothing failed."""

    @property
    def reproduced(self) -> bool:
        """Whether it was the same failure."""
        return self.outcome is Outcome.REPRODUCED


Oracle: TypeAlias = Callable[[Iterable[str]], Iterator[Verdict]]


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
    """End what an abandoned iterator of verdicts still has under way."""
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
    """How many verdicts were taken from an oracle."""

    outcomes: dict[Outcome, int] = field(default_factory=lambda: dict.fromkeys(Outcome, 0))
    cached: int = 0
    """Answers that needed no run."""

    @property
    def runs(self) -> int:
        """Verdicts of all outcomes together, cached answers not among them."""
        return sum(self.outcomes.values())


def counted(oracle: Oracle, count: Count) -> Oracle:
    """Count the outcomes in `count`."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        inner = oracle(texts)
        try:
            for verdict in inner:
                count.outcomes[verdict.outcome] += 1
                yield verdict
        finally:
            close(inner)

    return verdicts


def limited(oracle: Oracle, max_runs: int) -> Oracle:
    """Raise `Stop` where a verdict would be the one after `max_runs`.

    Verdicts are counted as they are taken, so texts that were run ahead do not count.
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
                taken += 1
                yield verdict
        finally:
            close(inner)

    return verdicts


def stoppable(oracle: Oracle, stopped: Callable[[], bool]) -> Oracle:
    """Raise `Stop` before the next verdict once `stopped()` is true."""

    def verdicts(texts: Iterable[str]) -> Iterator[Verdict]:
        inner = oracle(texts)
        try:
            while True:
                if stopped():
                    raise Stop("stopped")
                verdict = next(inner, None)
                if verdict is None:
                    return
                yield verdict
        finally:
            close(inner)

    return verdicts


def observed(oracle: Oracle, see: Callable[[str, Verdict], None]) -> Oracle:
    """Show every text with its verdict, in order, to `see`."""

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
    """Answer a text that was asked before without asking again.

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
                known = key in memory or key in asked
                waiting.append((key, known))
                if not known:
                    asked.append(key)
                    yield text

        inner = oracle(unknown())
        try:
            while True:
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
    """Return 16 bytes that stand for the text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
