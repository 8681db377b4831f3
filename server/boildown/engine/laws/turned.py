"""Directed mutants: variants of an input that differ in the parts a literal looks at.

Mutants made by chance seldom hit the one place that a law speaks of. Here its parts are dropped,
doubled, renamed, exchanged, made equal, and spelled otherwise around the text that it names. So a
law meets inputs that only just satisfy it, and others that miss it by a single literal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random

from boildown.engine.laws.aim import aimed, like, places
from boildown.engine.laws.features import Chosen, Feature, children
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus, chunk, put, repeated, varied
from boildown.engine.laws.numerals import number
from boildown.engine.laws.parts import Parts

MOST_PLACES = 3
"""Parts that are changed of those that a literal looks at."""


def turned(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    """Yield variants of an input that differ in the parts a literal looks at, sorts in turn."""
    feature = literal.feature
    made: list[Iterator[str]] = []
    if literal.relation:
        assert isinstance(literal.constant, int | float)
        near = [literal.constant + each for each in (0, 1, -1)]
        made += [aimed(literal, text, parts, target) for target in near]
    parted = _looked_at(feature, parts)
    chosen = rng.sample(parted, min(MOST_PLACES, len(parted)))
    made.append(_spelled(literal, text, parts, rng))
    made.append(_stated(feature, text, parts))
    made.append(_made_equal(feature, text, parts, rng))
    made += [_edited(text, parts, index, rng) for index in chosen]
    made.append(_without(feature, text, parts))
    made.append(_brought(feature, text, parts, corpus, rng))
    rng.shuffle(made)
    while made:
        for each in list(made):
            new = next(each, None)
            if new is None:
                made.remove(each)
            elif new != text:
                yield new


def probes(text: str, parts: Parts, index: int) -> Iterator[str]:
    """Yield texts without a part, with it twice, and with values of it that often matter."""
    part = parts.all[index]
    if part.is_item:
        start, end = chunk(text, parts, index)
        yield text[:start] + text[end:]
        yield repeated(text, parts, index, 1)
    if part.children:
        return
    value = number(part.bare)
    if value is None:
        given: Sequence[str] = ("", part.bare * 12, f"{part.bare}x")
    else:
        size = max(abs(int(value)), 1)
        given = ("0", f"-{size}", str(size * 10), str(size * 1000))
    for new in given:
        yield _with(text, parts, index, new)


def _looked_at(feature: Feature, parts: Parts) -> list[int]:
    """Return the parts that a feature is of, and those that they are compared with."""
    found = dict.fromkeys(feature.a.of(parts))
    if feature.kind == "counts" and feature.b is not None:
        for index in list(found):
            inner = parts.all[index].value if feature.a.step.word is not None else index
            found.update(dict.fromkeys(children(parts, max(inner, 0), feature.b.step)))
    elif feature.b is not None:
        found.update(dict.fromkeys(feature.b.of(parts)))
    elif feature.kind == "around":
        for index in list(found):
            parent = parts.all[index].parent
            found.update(dict.fromkeys(parts.all[parent].children if parent >= 0 else ()))
    contexts = (feature.a.context, feature.within)
    found.update(dict.fromkeys(i for each in contexts if each is not None for i in each.of(parts)))
    return [index for index in found if index]


def _edited(text: str, parts: Parts, index: int, rng: Random) -> Iterator[str]:
    """Yield texts without a part, with it twice, under another name, and with another value."""
    part = parts.all[index]
    start, end = chunk(text, parts, index)
    yield text[:start] + text[end:]
    named = next((i for i in part.children if part.word and part.word in parts.all[i].text), None)
    if named is not None:
        own = parts.all[named].text
        yield put(text, parts, named, own.replace(part.word, f"{part.word}x"))
    yield repeated(text, parts, index, 1)
    inner = part.value if part.value > 0 else index
    if not parts.all[inner].children:
        yield _with(text, parts, inner, varied(parts.all[inner].bare, rng))
    same = [i for i in parts.by_label[part.labels[0]] if i != index]
    apart = [parts.all[i] for i in same]
    apart = [e for e in apart if e.end <= part.start or part.end <= e.start]
    if apart:
        first, second = sorted((part, rng.choice(apart)), key=lambda each: each.start)
        between = text[first.end : second.start]
        yield text[: first.start] + second.text + between + first.text + text[second.end :]


def _with(text: str, parts: Parts, index: int, new: str) -> str:
    """Put a text in the place of a part, between quotes if there were any."""
    return put(text, parts, index, like(parts.all[index].text, new))


def _spelled(literal: Atom, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts that are, begin with, end with or contain the constant of a literal."""
    constant = literal.constant
    if literal.relation or literal.feature.kind != "texts" or constant is None:
        return
    given = constant if isinstance(constant, tuple) else (_shown(constant),)
    found = places(literal.feature.a, parts)
    if not found:
        return
    words = [
        new
        for each in given
        for new in (f"{each}x", f"x{each}", each, f"x{each}x", each[:-1], each[1:], each.swapcase())
    ]
    if literal.test == "divisible":
        words = [str(int(given[0]) * rng.randint(2, 40) + each) for each in (0, 0, 1)]
    for word in rng.sample(words, len(words)):
        yield _with(text, parts, rng.choice(found), word)


def _shown(constant: str | float) -> str:
    return f"{constant:g}" if isinstance(constant, float) else str(constant)


def _stated(feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    """Yield texts in which a number equals its other side, a count or a sum, or nearly does."""
    if feature.kind != "stated":
        return
    seen = feature.of(parts)
    assert isinstance(seen, tuple)
    for index in places(feature.a, parts)[:MOST_PLACES]:
        for value in dict.fromkeys((*seen[1:], seen[1] + 1, seen[1] - 1)):
            yield _with(text, parts, index, f"{value:.10g}")


def _made_equal(feature: Feature, text: str, parts: Parts, rng: Random) -> Iterator[str]:
    """Yield texts in which two parts that are compared are equal, or differ by one."""
    ones = [i for i in places(feature.a, parts) if not parts.all[i].children]
    others = ones
    if feature.kind == "around":
        found = feature.a.step.of(parts)
        beside = [_siblings(parts, index) for index in found]
        pairs = [each for each in beside if each is not None]
    else:
        if feature.b is not None and feature.kind != "counts":
            others = [i for i in places(feature.b, parts) if not parts.all[i].children]
        pairs = [(one, two) for one, two in itertools.product(ones[:8], others[:8]) if one != two]
        near = [each for each in pairs if _row(parts, each[0]) == _row(parts, each[1])]
        pairs = near if near and feature.kind == "beside" else pairs
    for one, two in rng.sample(pairs, min(len(pairs), MOST_PLACES)):
        value = number(parts.all[two].bare)
        yield _with(text, parts, one, parts.all[two].bare)
        if value is not None:
            yield _with(text, parts, one, f"{value + 1:.10g}")
            yield _with(text, parts, one, f"{value - 1:.10g}")


def _row(parts: Parts, index: int) -> int:
    """Return the part around a part, or around the one of which it is the value."""
    above = parts.all[index].parent
    if above >= 0 and parts.all[above].value == index:
        return parts.all[above].parent
    return above


def _siblings(parts: Parts, index: int) -> tuple[int, int] | None:
    """Return the parts on the left and on the right of a token."""
    parent = parts.all[index].parent
    siblings = parts.all[parent].children if parent >= 0 else []
    at = siblings.index(index) if siblings else 0
    return (siblings[at - 1], siblings[at + 1]) if 0 < at < len(siblings) - 1 else None


def _without(feature: Feature, text: str, parts: Parts) -> Iterator[str]:
    """Yield texts without any of the parts of one sort."""
    chosen: Sequence[Chosen | None] = (feature.a, feature.b)
    for each in chosen:
        made = text
        for index in reversed(each.of(parts) if each is not None else []):
            start, end = chunk(text, parts, index)
            if end <= len(made):
                made = made[:start] + made[end:]
        yield made


def _brought(
    feature: Feature, text: str, parts: Parts, corpus: Corpus, rng: Random
) -> Iterator[str]:
    """Yield texts with one more part of a sort, beside any item that it may stand beside."""
    for each in (feature.a, feature.b):
        if each is None:
            continue
        step = each.step
        known = list(corpus.texts.get(step.label, ()))
        if step.word is not None:
            known = [new for new in known if step.word in new[: len(step.word) + 3]]
        items = [i for i in parts.by_label.get(step.label, ()) if parts.all[i].is_item]
        # An item with other labels may be of the same sort: an element and a text, say.
        items = items or [i for i, part in enumerate(parts.all) if part.is_item]
        for new in rng.sample(known, min(len(known), 2)):
            for index in rng.sample(items, min(len(items), 2)):
                part = parts.all[index]
                start, end = chunk(text, parts, index)
                before, after = text[start : part.start], text[part.end : end]
                yield text[: part.end] + before + new + text[part.end :]
                yield text[: part.start] + new + (after or before) + text[part.start :]
