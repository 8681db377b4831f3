"""Learns a condition that separates passing from failing values.

Of a fixed list of proposals, the condition is chosen that holds for none of the values that pass
and for most of the values that reproduce. Conditions are few and simple, so a handful of values
tells them apart; the result is a guess, and runs have to confirm it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from boildown import tree as trees
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Value,
    Without,
    is_literal_label,
    labels,
    tokens,
)
from boildown.tree import Leaf

MIN_KEPT_SHARE = 0.5
"""The share of the values that reproduce for which a condition must hold."""
PRICE_PER_TEXT = 0.1
"""How much of that share each text excepted by name costs."""
LONGEST_TOKEN = 20
"""Characters of a token that a condition may name."""
MAX_FORBIDDEN_CHARACTERS = 3
"""Characters that a condition may forbid; more are chance."""
MAX_EXCEPTED_TEXTS = 3
"""Texts that a condition may except by name."""


def learn(
    good: Sequence[Value],
    bad: Sequence[Value],
    start: Value,
    only_alternatives: bool = False,
    around: Set[tuple[str, str]] = frozenset(),
) -> Condition | None:
    """Return the condition that excludes all passing values and keeps most others, or None.

    `good` are values that reproduce, `bad` those that pass, `start` is what stands in the text.
    With `only_alternatives`, only a choice between two alternatives or more is looked for.
    `around` are the tokens of the whole text, which are likelier to matter than others.
    """
    best, most = None, MIN_KEPT_SHARE
    for condition in _proposals(good, bad, start, only_alternatives, around):
        if not condition.holds(start) or any(condition.holds(value) for value in bad):
            continue
        kept = sum(condition.holds(value) for value in good) / max(len(good), 1)
        if isinstance(condition, Except):
            kept -= PRICE_PER_TEXT * len(condition.texts)
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
    """Yield candidate conditions, of two that are as good the clearer one first."""
    refuted = {value.shape for value in bad}
    allowed = {value.shape: None for value in (start, *good) if value.shape not in refuted}
    if len(allowed) > 1:
        yield Alternatives(tuple(sorted(allowed)))
    if only_alternatives:
        return
    banned = [] if isinstance(start.tree, Leaf) else list(_lacking(bad, around))
    banned += [Lacking(*each) for token in banned for each in _outside(good, token)]
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
    if len(bad) <= MAX_EXCEPTED_TEXTS:
        yield Except(tuple(sorted({value.text for value in bad})))


def _lacking(bad: Sequence[Value], around: Set[tuple[str, str]]) -> Iterator[Lacking]:
    """Yield the condition that a token be absent, for each token that all passing values have."""
    common = set.intersection(*(tokens(value.tree) for value in bad))
    for label, text in sorted(common, key=lambda token: (token not in around, token)):
        if len(text) <= LONGEST_TOKEN:
            yield Lacking(label, text)


def _outside(good: Sequence[Value], token: Lacking) -> list[tuple[str, str, str]]:
    """Return a token with the labels around it in values that reproduce although they have it."""
    found: dict[tuple[str, str, str], None] = {}
    for value in good:
        for place in trees.places(value.tree):
            if isinstance(place.tree, Leaf) and (place.tree.label, place.tree.text) == (
                token.label,
                token.text,
            ):
                above = place.parent
                while above is not None and above.parent is not None:
                    found[(token.label, token.text, above.tree.label)] = None
                    above = above.parent
    return list(found)


def _outermost(bad: Sequence[Value]) -> list[str]:
    """Return the labels of inner subtrees, those of large ones first."""
    first: dict[str, int] = {}
    for value in bad:
        for index, place in enumerate(trees.places(value.tree)):
            label = place.tree.label
            if place.parent is not None and not is_literal_label(label):
                first[label] = min(index, first.get(label, index))
    return sorted(first, key=lambda label: (first[label], label))


class _Texts(dict[str, str]):
    """The text inside a value's subtrees by label; the whole text for the empty label."""

    def __init__(self, value: Value) -> None:
        parts: dict[str, list[str]] = {"": [value.text]}
        for place in trees.places(value.tree):
            if place.parent is not None:
                parts.setdefault(place.tree.label, []).append(trees.text(place.tree))
        super().__init__((label, "".join(texts)) for label, texts in parts.items())

    def __missing__(self, label: str) -> str:
        return ""


def _cover(good: list[_Texts], bad: list[_Texts], start: _Texts, inside: str) -> str | None:
    """Find a few characters such that every passing value has one (a greedy set cover), or None.

    Greedy: the next one is in the most values that pass, and in the fewest that reproduce.
    """
    left = [value[inside] for value in bad]
    chosen: list[str] = []
    while left:
        if len(chosen) == MAX_FORBIDDEN_CHARACTERS:
            return None
        counts = Counter(char for text in left for char in set(text) - set(start[inside]))
        if not counts:
            return None
        lost = Counter(char for value in good for char in set(value[inside]))
        best = min(counts, key=lambda char: (lost[char] - counts[char], lost[char], char))
        chosen.append(best)
        left = [text for text in left if best not in text]
    return "".join(sorted(chosen))
