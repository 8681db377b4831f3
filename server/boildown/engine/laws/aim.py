"""Aims at a number: inputs in which the measure of a law has a certain value.

A threshold is found by bisection, and for that inputs between one that fails and one that passes
are needed: with another number at the place, a longer or a shorter text, more or fewer items.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from boildown.engine.laws.features import (
    OPERATORS,
    Chosen,
    Feature,
    grouped,
    listed,
    pairs_beside,
)
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import deeper, put, repeated, without_item
from boildown.engine.laws.parts import Parts
from boildown.engine.numerals import number

MOST_ITEMS = 300
"""Items of the longest list, and a tenth of the characters of the longest text, that is made."""
MOST_SUMMED = 3
"""Numbers of which one is changed to have a sum."""


def aimed(literal: Atom, text: str, parts: Parts, target: float) -> Iterator[str]:
    """Yield variants of an input in which the measure of a literal may be `target`."""
    kind, test = literal.feature.kind, literal.test
    selection = literal.feature.a
    whole = round(target)
    if kind == "texts" and test in ("most", "least"):
        yield from _numbers(selection, text, parts, target, test == "most")
    elif kind == "texts" and test == "sum":
        yield from _summed(places(selection, parts), text, parts, target)
    elif kind == "texts" and test in ("longest", "shortest"):
        yield from _lengths(selection, text, parts, whole, test == "longest")
    elif kind == "texts" and test == "count":
        found = selection.of(parts)
        for index in found:
            yield from sized(text, parts, [index], whole - len(found) + 1)
        yield from sized(text, parts, found, whole)
    elif kind == "alike":
        texts = selection.texts(parts)
        for index, own in zip(selection.of(parts), texts, strict=True):
            same = [i for i, each in zip(selection.of(parts), texts, strict=True) if each == own]
            for item in parts.items_around(index):
                yield from sized(text, parts, [item], whole - len(same) + 1)
    elif kind in OPERATORS:
        yield from _computed(literal.feature, text, parts, target)
    elif kind == "groups":
        for found in grouped(literal.feature, parts).values():
            if test.startswith("sum"):
                values = {i: max(parts.all[i].value, i) for i in found}
                yield from _summed(values.values(), text, parts, target)
            else:
                yield from sized(text, parts, found, whole)
    elif kind == "counts":
        second = literal.feature.b
        assert second is not None
        for _, inner in listed(parts, selection, second.step):
            yield from sized(text, parts, inner, whole)
    elif kind == "depth":
        for index in selection.of(parts):
            made = deeper(text, parts, index)
            if made is not None:
                yield made


def places(selection: Chosen, parts: Parts) -> list[int]:
    """Return the parts whose texts are looked at."""
    found = selection.of(parts)
    if not selection.step.has_value:
        return found
    return [parts.all[i].value for i in found if parts.all[i].value >= 0]


def _numbers(
    selection: Chosen, text: str, parts: Parts, target: float, greatest: bool
) -> Iterator[str]:
    wanted = f"{target:.10g}" if not float(target).is_integer() else str(int(target))
    found = [i for i in places(selection, parts) if number(parts.all[i].bare) is not None]
    for index in found:
        own = parts.all[index].text
        yield put(text, parts, index, like(own, wanted))
        # Padded as wide as it was.
        yield put(text, parts, index, like(own, wanted.zfill(len(_plain(own)))))
    made = text
    for index in reversed(found):
        value = number(_plain(parts.all[index].text))
        if value is not None and (value > target if greatest else value < target):
            part = parts.all[index]
            made = made[: part.start] + like(part.text, wanted) + made[part.end :]
    yield made


def spelled(
    selection: Chosen, text: str, parts: Parts, given: Sequence[str], new: str, begins: bool
) -> Iterator[str]:
    """Yield a text with another character where one of those given stands, or begins a part."""
    for index in places(selection, parts):
        part = parts.all[index]
        inner = part.bare
        if inner in given or (begins and inner[:1] in given):
            yield put(text, parts, index, like(part.text, new + inner[1:]))


def _summed(found: Iterable[int], text: str, parts: Parts, target: float) -> Iterator[str]:
    """Yield texts in which one number is such that the sum of all of them is the target."""
    numbers = [(i, number(parts.all[i].bare)) for i in found]
    known = [(i, value) for i, value in numbers if value is not None]
    # Those of one sort, weights and not times, may be all that is added up.
    apart = {parts.all[each[0]].labels: each for each in reversed(known)}
    for index, value in dict.fromkeys([*apart.values(), *known[:MOST_SUMMED]]):
        wanted = target - sum(each for _, each in known) + value
        yield put(text, parts, index, like(parts.all[index].text, f"{wanted:.10g}"))


def _computed(feature: Feature, text: str, parts: Parts, target: float) -> Iterator[str]:
    """Yield texts in which the sum, difference or product of two numbers is the target."""
    assert feature.b is not None
    for pair in pairs_beside(feature.a, feature.b, parts):
        one, two = (max(parts.all[index].value, index) for index in pair)
        other = number(parts.all[two].bare)
        if other is None or number(parts.all[one].bare) is None:
            continue
        if feature.kind == "times":
            pairs = [(target, 1.0)]
            if other and float(target / other).is_integer():
                pairs.insert(0, (target / other, other))
        else:
            sign = 1 if feature.kind == "plus" else -1
            pairs = [(target - sign * other, other), (target, 0)]
        for values in pairs:
            left, right = (like(parts.all[i].text, f"{value:.10g}")
                           for i, value in zip((one, two), values, strict=True))  # fmt: skip
            changed = sorted(((one, left), (two, right)), reverse=True)
            made = text
            for index, new in changed:
                part = parts.all[index]
                made = made[: part.start] + new + made[part.end :]
            yield made


def _plain(text: str) -> str:
    return text[1:-1] if text[:1] in "\"'" and len(text) > 1 else text


def like(old: str, new: str) -> str:
    """Return a text between the quotes of another one."""
    return old[0] + new + old[-1] if old[:1] in ("'", '"') and len(old) > 1 else new


def _lengths(
    selection: Chosen, text: str, parts: Parts, wanted: int, longest: bool
) -> Iterator[str]:
    if not 0 <= wanted <= 10 * MOST_ITEMS:
        return
    found = places(selection, parts)
    found.sort(key=lambda i: len(parts.all[i].text), reverse=longest)
    for index in found[:3]:
        part = parts.all[index]
        inner = _plain(part.text)
        if not part.children or all(not parts.all[i].children for i in part.children):
            full = (inner * (wanted // max(len(inner), 1) + 1))[:wanted] if inner else "a" * wanted
            yield put(text, parts, index, like(part.text, full))
            ends = inner[:1] + "a" * max(wanted - 1, 0)
            yield put(text, parts, index, like(part.text, ends[:wanted]))
        grown = wanted - len(inner)
        leaves = [i for i in range(index, len(parts.all)) if part.start <= parts.all[i].start
                  and parts.all[i].end <= part.end and not parts.all[i].children
                  and not parts.all[i].is_literal]  # fmt: skip
        for leaf in leaves:
            own = parts.all[leaf].text
            if grown > 0 and own:
                yield put(text, parts, leaf, like(own, _plain(own) + "a" * grown))
            elif len(_plain(own)) > -grown:
                yield put(text, parts, leaf, like(own, _plain(own)[: len(_plain(own)) + grown]))


def sized(text: str, parts: Parts, found: list[int], wanted: int) -> Iterator[str]:
    """Yield the text with a list of items as long as wanted."""
    if not found or not 0 <= wanted <= MOST_ITEMS:
        return
    if wanted > len(found):
        more = wanted - len(found)
        longer = (repeated(text, parts, found[-1], more, renaming) for renaming in (False, True))
        yield from dict.fromkeys(longer)
        return
    made = text
    for index in reversed(found[wanted:]):
        made = without_item(made, parts, index)
    yield made
