"""Scopes: the parts in which several conditions of a law may have to hold at once.

That some row has an empty name and some row a price below 0 is not that one row has both. Which
parts these may be is read off an input that fails: those around what the conditions look at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from boildown.engine.laws.features import Chosen, Feature, Named, looked_at
from boildown.engine.laws.literals import Atom, is_side, scoped
from boildown.engine.laws.parts import Parts

MOST_LOOKED_AT = 8
"""Parts that a condition looks at, around which others are tried."""


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
