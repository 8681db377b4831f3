"""Hoists a subtree out of all around it, with literal values in place of its free names.

A part deep inside a program often fails on its own, but for names that mean nothing where they are
not defined. To leave out what is around it takes away the definitions; a value in place of a name
makes the text no smaller as long as the rest stands. So both are one edit. It is what people do who
write the minimal example by hand, and the inverse of the refactoring "extract function" (Fowler,
"Refactoring", 1999). What does not parse costs no run.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from operator import attrgetter

from boildown import tree as trees
from boildown.engine.candidates import Splice, rewritten
from boildown.engine.problem import Problem
from boildown.engine.reducing.identifiers import PLAIN_VALUE
from boildown.engine.uses import Use, shared_words
from boildown.tree import Node, Place

VALUES_TRIED = 4
"""Values that are tried in place of a name."""
LONGEST_VALUE = 8
"""Characters of the longest such value."""

_VALUE = re.compile(r"\d+|\(.*\)|\[.*\]|\{.*\}|\".*\"|'.*'|`.*`")
_LETTER = re.compile(r"[^\W\d]")


def extract(problem: Problem) -> None:
    """Replace the text, or a larger subtree, by a subtree with values for its free names.

    The whole text comes first, and the smallest part. A name is a word that stands outside of the
    part, too; all names of a part are replaced, or one of them. Costs a few runs for each part.
    """
    while problem.consider_first(rewritten(problem, _steps(problem))) is not None:
        pass


def _steps(problem: Problem) -> Iterator[list[Splice]]:
    values = _values(problem)
    names = [uses for uses in shared_words(problem.tree) if uses[0].word.isidentifier()]
    total = {uses[0].word: len(uses) for uses in names}
    every = sorted((use for uses in names for use in uses), key=attrgetter("start"))
    starts = [use.start for use in every]
    parts = _parts(problem)
    for around in reversed(parts):
        whole = around.parent is None
        for part in parts:
            if part.tree.width >= around.tree.width:
                break
            if not around.start <= part.start < part.end <= around.end:
                continue
            if not whole and not problem.language.fits(around.tree.label, part.tree.label):
                continue
            start = part.span[0]
            uses = every[bisect_left(starts, start) : bisect_left(starts, part.end)]
            for closing in _closings(uses, total, values):
                yield [(around.span[0], start, ""), *closing, (part.end, around.end, "")]


def _parts(problem: Problem) -> list[Place]:
    """Return the parts of more than one token, the smallest first."""
    found = [
        place
        for place in trees.places(problem.tree)
        if isinstance(place.tree, Node) and len(place.tree.children) > 1
    ]
    return sorted(found, key=lambda place: place.tree.width)


def _closings(
    uses: Sequence[Use], total: dict[str, int], values: Sequence[str]
) -> Iterator[list[Splice]]:
    """Yield ways to put values in place of the words of a part that stand outside of it, too."""
    inside: dict[str, list[Use]] = {}
    for use in uses:
        inside.setdefault(use.word, []).append(use)
    open_names = [found for word, found in inside.items() if len(found) < total[word]]
    if not open_names:
        yield []
        return
    together = [use for found in open_names for use in found]
    for chosen in [together, *(open_names if len(open_names) > 1 else ())]:
        for value in values:
            yield sorted((use.start, use.end, value) for use in chosen)


def _values(problem: Problem) -> list[str]:
    """Return short parts of the text that are numbers or in brackets or quotes, without letters."""
    found = {PLAIN_VALUE}
    for place in trees.places(problem.tree):
        if place.tree.width <= LONGEST_VALUE:
            text = trees.text(place.tree).strip()
            if _VALUE.fullmatch(text) and not _LETTER.search(text):
                found.add(text)
    return sorted(found, key=lambda text: (len(text), text))[:VALUES_TRIED]
