"""The inputs whose runs are compared: failing and passing ones close to the smallest."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from boildown.engine.language import LONGEST_PARSED, Language
from boildown.folder_text import Place
from boildown.tree import Leaf, leaves

MOST_FAILING, MOST_PASSING = 12, 30
"""Runs that are compared: with half as many of each the order is worse, with more hardly better."""
_LAST = 8
"""Of the failing ones, as many are the last steps of the reduction; others are spread over all."""
_INSTEAD = {"digit": "017", "letter": "ax", "other": "\"'(,:;-."}
"""The texts that stand in place of a token, by its first character."""


def failing_texts(steps: Sequence[str]) -> list[str]:
    """Return steps of a reduction: the last ones, and some of all; the result is not among them."""
    found = list(dict.fromkeys(steps[:-1]))
    last, before = found[-_LAST:], found[:-_LAST]
    many = min(MOST_FAILING - 1 - len(last), len(before))
    spread = [before[at * len(before) // many] for at in range(many)]
    return [*reversed(last), *spread]


def telling(passing: Sequence[Sequence[Place]], smallest: Sequence[Place]) -> list[Sequence[Place]]:
    """Return the passing runs that share most places with the failing one on the smallest input.

    One that a parser refuses at once tells little.
    """
    places = set(smallest)
    far = sorted(passing, key=lambda run: len(places.intersection(run)), reverse=True)
    return far[:MOST_PASSING]


def neighbours(text: str, original: str, language: Language) -> Iterator[str]:
    """Yield texts with one token of a text left out, doubled, or another one in its place.

    Each kind of edit goes over all tokens before the next one does.
    """
    if len(text) > LONGEST_PARSED or not text:
        return
    spans = list(_tokens(text, language))
    yield from (text[:start] + text[end:] for start, end in spans)
    yield from (text[:end] + text[start:end] + text[end:] for start, end in spans)
    for at in range(max(map(len, _INSTEAD.values()))):
        for start, end in spans:
            others = _INSTEAD[_kind(text[start])]
            if at < len(others) and others[at] != text[start:end]:
                yield text[:start] + others[at] + text[end:]
    words = dict.fromkeys(original.split())
    for word in words:
        for start, end in spans:
            yield text[:start] + word + text[end:]


def _tokens(text: str, language: Language) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the tokens of a text."""
    at = 0
    for leaf in leaves(language.parse(text).tree):
        assert isinstance(leaf, Leaf)
        start = at + len(leaf.prefix)
        at = start + len(leaf.text)
        if leaf.text:
            yield start, at


def _kind(character: str) -> str:
    if character in string.digits:
        return "digit"
    return "letter" if character.isalpha() or character == "_" else "other"
