"""Scopes: the parts in which several conditions of a law may have to hold at once.

That some row has an empty name and some row a price below 0 is not that one row has both. Which
parts these may be is read off an input that fails: those around what the conditions look at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from boildown.engine.laws.features import Chosen, Feature, Named, looked_at
from boildown.engine.laws.learner import Proposal
from boildown.engine.laws.literals import Atom, is_side, scoped
from boildown.engine.laws.parts import Parts
from boildown.engine.laws.state import Search

MOST_SCOPED = 6
"""Proposals whose literals are asked of one and the same part, and literals where there are none.
"""
MOST_SCOPES = 3
"""Sorts of parts of which two literals are asked, the innermost ones."""
MOST_FEATURES = 60
"""Features of parts alone, about, after which no more are looked at."""
MOST_LOOKED_AT = 8
"""Parts that a condition looks at, around which others are tried."""
_UNEVEN = ("uneven", "over first", "under first")


def is_alone_in_scope(literal: Atom) -> bool:
    """Say whether a literal compares lists, and so may hold in a part and not in all around it."""
    return literal.feature.kind in ("lengths", "stated") or literal.test in _UNEVEN


def scope(search: Search, proposals: Sequence[Proposal], known: Sequence[tuple[Atom, int]]) -> bool:
    """Ask whether several literals of a rule hold in one and the same part; say whether any may.

    Where no rule agrees with all runs, those are taken that hold for all failing ones, and for the
    fewest others.
    """
    table = search.table
    if len(table.scopes) >= MOST_FEATURES:
        return False
    rules = [rule for each in proposals[:MOST_SCOPED] for rule in each.rules]
    whole = [each for each in known if not table.failing & ~each[1] and not each[0].sides]
    whole.sort(key=lambda each: (each[1] & table.passing).bit_count())
    if not rules:
        rules = [tuple(literal for literal, _ in whole[:MOST_SCOPED])]
    lists = [literal for literal, _ in whole if is_alone_in_scope(literal)]
    rules += [(literal,) for literal in lists[:MOST_SCOPES]]
    added: dict[Feature, list[Atom]] = {}
    for rule in rules:
        failing = table.shortest_first(table.explained([rule]) & table.failing)
        texts = (*failing[:1], table.texts[0])
        inputs = [parts for text in texts if (parts := search.parts(text)) is not None]
        plain = [each for each in rule if not each.sides]
        single = [(each,) for each in plain if is_alone_in_scope(each)]
        single += [
            (replace(each, test=test),)
            for each in plain for test in _UNEVEN if each.test in _UNEVEN and each.test != test
        ]  # fmt: skip
        for sides in [*single, *itertools.combinations(plain, 2)]:
            if sides in search.scoped:
                continue
            search.scoped.add(sides)
            found = (each for parts in inputs for each in in_scopes(sides, parts))
            for literal in dict.fromkeys(itertools.islice(found, MOST_SCOPES)):
                added.setdefault(literal.feature, []).append(literal)
    for feature, asked in added.items():
        table.scopes[feature] = (*table.scopes.get(feature, ()), *asked)
        table.questions.pop(feature, None)
    table.extend(added, search.parts)
    return bool(added)


def in_scopes(sides: tuple[Atom, ...], parts: Parts) -> Iterator[Atom]:
    """Yield the conditions that literals hold in one part, of those that do in a failing input.

    The innermost parts come first. Of one that is an item, or stands in one, there may be others.
    """
    found: dict[Atom, None] = {}
    for own in itertools.product(*map(_ways, sides)):
        for scope in _scopes(own, parts):
            literal = scoped(Chosen(scope), own)
            # On parts side by side, other literals say it.
            is_plain = all(is_side(each, scope) for each in own)
            if not is_plain and literal not in found and literal.holds(literal.feature.of(parts)):
                found[literal] = None
                yield literal


def _ways(literal: Atom) -> Iterator[Atom]:
    """Yield a literal, and for one on the owner of a part the same of that part itself."""
    feature = literal.feature
    if feature.kind in ("with", "inside") and feature.b is not None:
        is_absent = (literal.test == "lacks") != literal.negated
        yield Atom(Feature("texts", feature.b), "exists", negated=is_absent)
    yield literal


def _scopes(sides: tuple[Atom, ...], parts: Parts) -> Iterator[Named]:
    """Yield the steps of the parts around those that literals look at."""
    seen: dict[Named, None] = {}
    for literal in sides:
        for index in looked_at(literal.feature, parts)[:MOST_LOOKED_AT]:
            around = [index, *parts.above(index)]
            items = [at for at, each in enumerate(around) if parts.all[each].is_item]
            # Of what stands in no item there is but one.
            for each in around[: items[-1] + 1] if items else ():
                part = parts.all[each]
                label = part.labels[-1]
                if part.children and not label.startswith('"'):
                    words = [part.word] if parts.owns_word(each) else []
                    seen.update({Named(label, word): None for word in (*words, None)})
    yield from seen
