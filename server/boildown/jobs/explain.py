"""Explains why a text is minimal, by running its neighbours, each a single edit away.

Three sorts of neighbours are run: without one token, whatever the grammar says; without one part
that the grammar lets go (an item of a list, an option); and with the shortest text that the grammar
knows in the place of a part.
"""

from __future__ import annotations

import enum
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from boildown.engine.candidates import Items, items, removed, spliced
from boildown.engine.language import Check, Language
from boildown.engine.oracle import Stop, Verdict, close
from boildown.engine.problem import Problem
from boildown.jobs.events import Progress, See, size
from boildown.jobs.work import JobOptions, language_for
from boildown.runner.command import TestCommand
from boildown.runner.preflight.preflight import preflight
from boildown.runner.runner import Runner
from boildown.tree import Kind, Leaf, Place, places

MOST_NEIGHBOURS = 300
"""How many neighbours are run at most."""


class Sort(enum.Enum):
    """How a neighbour differs from the text."""

    TOKEN = "token"
    """One token is left out."""
    PART = "part"
    """A part is left out that the grammar lets go."""
    OTHER = "other"
    """Something shorter stands in the place of a part."""


@dataclass(frozen=True, slots=True)
class Change:
    """An edit of a text that makes one neighbour."""

    sort: Sort
    start: int
    """Offset of the edited piece in the text, in code points."""
    end: int
    instead: str
    """The replacement in the neighbour; empty if the piece is left out."""
    made: Callable[[], str | None]
    """Makes the neighbour; None if the grammar has none."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A text one edit away from another one, with the verdict of the test command."""

    sort: Sort
    start: int
    end: int
    piece: str
    """The piece of the text that is edited."""
    instead: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdicts on the neighbours of a text, or of a piece of it."""

    text: str
    signature: str
    """The failure that all this is about."""
    neighbours: tuple[Neighbour, ...]
    left: int
    """How many were not run, since there are too many or the job was stopped."""

    @property
    def closest_passing(self) -> str | None:
        """The neighbour that passes after the smallest edit; None if none does."""
        passing = [each for each in self.neighbours if each.verdict.passed]
        if not passing:
            return None
        least = min(passing, key=lambda each: max(len(each.piece), len(each.instead)))
        return self.text[: least.start] + least.instead + self.text[least.end :]


def explain(
    text: str,
    command: TestCommand,
    start: int,
    end: int,
    options: JobOptions,
    *,
    see: See = lambda _event: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Explanation:
    """Run the neighbours of a text that differ from it between two offsets.

    A stop is no error: what was run is the result.

    Raises:
        PreflightError: the text does not reproduce; the message says why and what to do.
        LanguageError: there is no such language.
    """
    began = time.monotonic()
    before = size(text)
    language = language_for(text, command.name, options)
    asking = _Asking(text, list(changes(text, language, start, end)))
    found: list[Neighbour] = []
    with Runner(command, options.jobs, stopped) as runner:
        expected = preflight(runner, text, 1).expected
        verdicts = runner.oracle(expected)(asking.texts())
        try:
            for verdict in verdicts:
                found.append(asking.next(verdict))
                outcomes = Counter(each.verdict.outcome for each in found)
                seconds = time.monotonic() - began
                see(Progress("explain", len(found), before, before, seconds, text, outcomes))
        except Stop:
            pass
        finally:
            close(verdicts)
    return Explanation(text, expected.signature, tuple(found), asking.left(len(found)))


@dataclass(slots=True)
class _Asking:
    """The neighbours that the oracle is asked for, each text once."""

    text: str
    changes: list[Change]
    asked: deque[Change] = field(default_factory=deque)
    passed_over: int = 0

    def texts(self) -> Iterator[str]:
        """Yield the neighbours."""
        # The hash stands for the text, of which there may be hundreds of a megabyte each.
        seen = {hash(self.text)}
        for change in self.changes:
            if len(seen) > MOST_NEIGHBOURS:
                return
            text = change.made()
            if text is None or hash(text) in seen:
                self.passed_over += 1
                continue
            seen.add(hash(text))
            self.asked.append(change)
            yield text

    def next(self, verdict: Verdict) -> Neighbour:
        """Return the next neighbour, with its verdict."""
        change = self.asked.popleft()
        start, end = change.start, change.end
        return Neighbour(change.sort, start, end, self.text[start:end], change.instead, verdict)

    def left(self, found: int) -> int:
        """Return how many remain after `found` of them."""
        return len(self.changes) - self.passed_over - found


def changes(text: str, language: Language, start: int, end: int) -> Iterator[Change]:
    """Yield the edits between two offsets that make the neighbours of a text.

    These are all changes of the tokens there and of parts made of them, and of the larger parts
    around them the smallest.
    """
    problem = Problem(language.parse(text).tree, lambda _texts: iter(()), language)
    tokens, touched = [], []
    for place in places(problem.tree):
        first, last = place.span
        if first < end and last > start:
            touched.append(place)
            if isinstance(place.tree, Leaf) and place.tree.text:
                tokens.append((first, last))
    for first, last in tokens:
        yield Change(Sort.TOKEN, first, last, "", partial(_without, text, first, last))
    if tokens:
        low, high = tokens[0][0], tokens[-1][1]
        whole = touched[0].span
        for found in (_parts(problem, touched), _others(problem, touched)):
            yield from _nearest((c for c in found if (c.start, c.end) != whole), low, high)


def _nearest(found: Iterable[Change], low: int, high: int) -> Iterator[Change]:
    """Yield the changes between two offsets, and the smallest one around these."""
    around = None
    for each in found:
        if low <= each.start and each.end <= high:
            yield each
        elif each.start <= low and high <= each.end:
            around = each if around is None else min(each, around, key=_length)
    if around is not None:
        yield around


def _length(change: Change) -> int:
    return change.end - change.start


def _parts(problem: Problem, touched: Iterable[Place]) -> Iterator[Change]:
    """Yield the edits that leave out a list item or an option."""
    for place in touched:
        kind = getattr(place.tree, "kind", None)
        if kind is Kind.OPTION:
            yield Change(Sort.PART, *place.span, "", partial(_without_child, problem, place))
        elif kind is Kind.LIST:
            listed = items(problem, place)
            for index in range(len(listed)):
                made = partial(_without_item, listed, index)
                yield Change(Sort.PART, *listed.item(index).span, "", made)


def _others(problem: Problem, touched: Iterable[Place]) -> Iterator[Change]:
    """Yield the edits that replace a part by its nonterminal's shortest text."""
    accepts = problem.language.checker(problem.text)
    for place in touched:
        start, end = place.span
        new = problem.language.shortest(place.tree.label)
        if new and new != problem.text[start:end] and len(new) <= end - start:
            made = partial(_with, problem, accepts, start, end, new)
            yield Change(Sort.OTHER, start, end, new, made)


def _without(text: str, start: int, end: int) -> str:
    return text[:start] + text[end:]


def _without_item(listed: Items, index: int) -> str | None:
    candidate = listed.without([(index, index + 1)])
    return None if candidate is None else candidate.text


def _without_child(problem: Problem, option: Place) -> str | None:
    candidate = removed(problem, option)
    return None if candidate is None else candidate.text


def _with(problem: Problem, accepts: Check, start: int, end: int, instead: str) -> str | None:
    text = spliced(problem.text, [(start, end, instead)], problem.language.gap)
    return text if accepts(text, problem.text) else None
