"""Inputs for which a law holds, made from others: by mutation, and by aiming at its thresholds."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from boildown.engine.laws import notation
from boildown.engine.laws.aim import aimed
from boildown.engine.laws.law import Law
from boildown.engine.laws.learner import Rule
from boildown.engine.laws.literals import Atom
from boildown.engine.laws.mutants import Corpus
from boildown.engine.laws.parts import Parts, read
from boildown.engine.laws.turned import turned

MOST_DRAWS = 4_000
"""Mutants that are drawn in a row without one for which the law holds."""
MOST_EDITS = 60
"""Edits that are tried to have one literal hold."""
MOST_DONORS = 40
"""Inputs that mutants are made of."""
DISTANCES = (-1, 0, 1, -1000, 1000)
"""How far from a threshold inputs are aimed."""


def law_instances(
    law: Law, inputs: Sequence[str], rng: Random, check: Callable[[], None] = lambda: None
) -> Iterator[str]:
    """Yield different inputs for which a law holds, until none is found in many draws.

    The first ones are those of `inputs` for which it holds, and the same with other values near
    its thresholds. `check` is called for each draw, and may raise an exception.
    """
    corpus = Corpus(law.language)
    seen: set[str] = set()

    def holding(texts: Iterator[str]) -> Iterator[str]:
        for text in texts:
            check()
            if text in seen or not text:
                continue
            seen.add(text)
            parts = read(text, law.language, law.naming)
            if parts is None:
                continue
            if len(corpus.donors) < MOST_DONORS:
                corpus.add(text, parts)
            if law.holds(parts):
                yield text

    yield from holding(iter(inputs))
    for donor in list(corpus.donors):
        yield from holding(_aimed(law, donor.text, donor.parts))
    while corpus.donors:
        drawn = (corpus.mutant(rng) or "" for _ in range(MOST_DRAWS))
        found = next(holding(drawn), None)
        if found is None:
            return
        yield found


def repaired(law: Law, texts: Iterable[str], rng: Random) -> Iterator[str]:
    """Yield edits of texts for which a law holds, each of one text.

    The literals of a rule that do not hold are repaired one after the other, by edits of the parts
    that they look at. Of a text that no few edits repair, there is none.
    """
    corpus = Corpus(law.language)
    for text in texts:
        parsed = law.language.parse(text)
        if not parsed.valid:
            continue
        parts = Parts(parsed.tree, law.language, law.naming)
        if len(corpus.donors) < MOST_DONORS:
            corpus.add(text, parts)
        for rule in law.rules:
            found = _repaired(rule, text, parts, corpus, rng)
            if found is not None:
                yield found


def _repaired(rule: Rule, text: str, parts: Parts, corpus: Corpus, rng: Random) -> str | None:
    """Return an edit of a text for which a rule holds; None if few edits come to none."""
    broken = [each for each in rule if not notation.holds(each, parts)]
    while broken:
        for edit in itertools.islice(_edits(broken[0], text, parts, corpus, rng), MOST_EDITS):
            parsed = corpus.language.parse(edit)
            edited = Parts(parsed.tree, corpus.language, parts.naming) if parsed.valid else parts
            left = [each for each in rule if not notation.holds(each, edited)]
            if parsed.valid and len(left) < len(broken):
                text, parts, broken = edit, edited, left
                break
        else:
            return None
    return text


def _edits(literal: Atom, text: str, parts: Parts, corpus: Corpus, rng: Random) -> Iterator[str]:
    yield from turned(notation.meant(literal, parts), text, parts, corpus, rng)


def _aimed(law: Law, text: str, parts: Parts) -> Iterator[str]:
    """Yield variants of an input with values near the thresholds of a law."""
    for literal in dict.fromkeys(itertools.chain.from_iterable(law.rules)):
        for bounded in (literal, *literal.sides):
            if bounded.relation and isinstance(bounded.constant, int | float):
                meant = notation.meant(bounded, parts)
                for distance in DISTANCES:
                    yield from aimed(meant, text, parts, bounded.constant + distance)
