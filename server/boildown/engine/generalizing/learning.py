"""What the values that pass share, and those that reproduce have not.

From values of both sorts to the condition that leaves out all that pass and keeps the most of the
others. Conditions are few and simple, so a handful of values tells them apart; what is learnt is
a guess, and runs have to confirm it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from boildown import tree as trees
from boildown.engine.conditions import (
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Value,
    Without,
    labels,
    tokens,
)
from boildown.tree import Leaf

KEPT = 0.5
"""A condition that leaves less of the values that reproduce is too narrow."""
PRICE = 0.1
"""How much of these values each text that is left out by name has to be worth."""
LONGEST = 20
"""Characters of a token that a condition may name."""
FORBIDDEN = 3
"""How many characters a condition may forbid; more are chance."""
NAMED = 3
"""How many texts may be left out by name."""


def learn(
    good: Sequence[Value],
    bad: Sequence[Value],
    start: Value,
    only_alternatives: bool = False,
    around: Set[tuple[str, str]] = frozenset(),
) -> Condition | None:
    """Return the condition that fits best, or None.

    `good` are values that reproduce, `bad` those that pass, `start` is what stands in the text.
    With `only_alternatives`, only a choice between two alternatives or more is looked for.
    `around` are the tokens of the whole text, which are likelier to matter than others.
    """
    best, most = None, KEPT
    for condition in _proposals(good, bad, start, only_alternatives, around):
        if not condition.holds(start) or any(condition.holds(value) for value in bad):
            continue
        kept = sum(condition.holds(value) for value in good) / max(len(good), 1)
        if isinstance(condition, Except):
            kept -= PRICE * len(condition.texts)
        if kept > most:
            best, most = condition, kept
    return best


def _proposals(
    good: Sequence[Value],
    bad: Sequence[Value],
    start: Value,
    only_alternatives: bool,
    around: Set[tuple[str, str]],
) -> Iterator[Condition]:
    """Yield conditions, of two that are as good the clearer one first."""
    refuted = {value.shape for value in bad}
    allowed = {value.shape: None for value in (start, *good) if value.shape not in refuted}
    if len(allowed) > 1:
        yield Alternatives(tuple(sorted(allowed)))
    if only_alternatives:
        return
    banned = [] if isinstance(start.tree, Leaf) else list(_lacking(bad, around))
    # Of a single character it is clearer to say that it is nowhere.
    yield from (each for each in banned if len(each.text) > 1)
    insides = [_Texts(value) for value in good], [_Texts(value) for value in bad], _Texts(start)
    for inside in ("", *_outermost(bad)):
        if (characters := _cover(*insides, inside)) is not None:
            yield Without(characters, inside)
    yield from (each for each in banned if len(each.text) == 1)
    for label in sorted(set.intersection(*(labels(value.tree) for value in bad))):
        yield Lacking(label)
    if isinstance(start.tree, Leaf):
        for character in sorted(set(start.text)):
            yield Containing(character)
    if len(bad) <= NAMED:
        yield Except(tuple(sorted({value.text for value in bad})))


def _lacking(bad: Sequence[Value], around: Set[tuple[str, str]]) -> Iterator[Lacking]:
    """Yield for each token that all values that pass have that there be none such."""
    common = set.intersection(*(tokens(value.tree) for value in bad))
    for label, text in sorted(common, key=lambda token: (token not in around, token)):
        if len(text) <= LONGEST:
            yield Lacking(label, text)


def _outermost(bad: Sequence[Value]) -> list[str]:
    """Return the labels of inner parts, those of large parts first."""
    first: dict[str, int] = {}
    for value in bad:
        for index, place in enumerate(trees.places(value.tree)):
            label = place.tree.label
            if place.parent is not None and label and not label.startswith('"'):
                first[label] = min(index, first.get(label, index))
    return sorted(first, key=lambda label: (first[label], label))


class _Texts(dict[str, str]):
    """What a value holds inside the parts with each label; the whole text for no label."""

    def __init__(self, value: Value) -> None:
        parts: dict[str, list[str]] = {"": [value.text]}
        for place in trees.places(value.tree):
            if place.parent is not None:
                parts.setdefault(place.tree.label, []).append(trees.text(place.tree))
        super().__init__((label, "".join(texts)) for label, texts in parts.items())

    def __missing__(self, label: str) -> str:
        return ""


def _cover(good: list[_Texts], bad: list[_Texts], start: _Texts, inside: str) -> str | None:
    """Return the few characters to forbid so that no value that passes is left, or None.

    Greedy: the next one is in the most values that pass, and in the fewest that reproduce.
    """
    left = [value[inside] for value in bad]
    chosen: list[str] = []
    while left:
        if len(chosen) == FORBIDDEN:
            return None
        counts = Counter(char for text in left for char in set(text) - set(start[inside]))
        if not counts:
            return None
        lost = Counter(char for value in good for char in set(value[inside]))
        best = min(counts, key=lambda char: (lost[char] - counts[char], lost[char], char))
        chosen.append(best)
        left = [text for text in left if best not in text]
    return "".join(sorted(chosen))
