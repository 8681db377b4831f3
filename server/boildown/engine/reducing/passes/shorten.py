"""Shortens tokens: names, strings and numbers, all equal ones first.

Sources: replacing by the shortest tokens of the lexical rule, all equal ones first, is from Xu et
al., "T-Rec: Fine-Grained Language-Agnostic Program Reduction Guided by Lexical Syntax", TOSEM
2024; halving what must stay in part is delta debugging.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_lowercase

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Leaf, Place

_QUOTED = re.compile(r"(?s)(\w*(\"\"\"|'''|[\"'`]))(.*)(\2)")
_WORD = re.compile(r"\w+")


def shorten(problem: Problem) -> None:
    """Make tokens shorter: all that read the same at once, or else one by one.

    A token is first replaced by the shortest ones of its sort. One that is not a single word may
    have to stay in part: halves, quarters and so on of it are left out. Costs two or three runs
    for a word, some two runs per character that has to stay for other tokens.
    """
    tried: set[str] = set()
    while (text := next(_untried(problem, tried), None)) is not None:
        tried.add(text)
        places = _occurrences(problem, text)
        if problem.consider_first(_shorter(problem, places)) is None and len(places) > 1:
            for index in reversed(range(len(places))):
                problem.consider_first(_shorter(problem, [_occurrences(problem, text)[index]]))
        elif not _WORD.fullmatch(_inside(text)[1]):
            _halve(problem, text)


def _untried(problem: Problem, tried: set[str]) -> Iterator[str]:
    """Yield the texts of tokens that were not tried yet, those that take most room first."""
    room: dict[str, int] = {}
    for leaf in trees.leaves(problem.tree):
        if len(leaf.text) > 1 and leaf.text not in tried:
            room[leaf.text] = room.get(leaf.text, 0) + len(leaf.text)
    yield from sorted(room, key=lambda text: (-room[text], text))


def _occurrences(problem: Problem, text: str) -> list[Place]:
    return [
        place
        for place in trees.places(problem.tree)
        if isinstance(place.tree, Leaf) and place.tree.text == text
    ]


def _shorter(problem: Problem, places: list[Place]) -> Iterator[Candidate]:
    """Yield the text with the shortest tokens of the sort at these places."""
    leaf = places[0].tree
    assert isinstance(leaf, Leaf)
    for new in dict.fromkeys(_short_texts(problem, leaf)):
        if len(new) < len(leaf.text):
            yield _with_texts(problem, places, new)


def _short_texts(problem: Problem, leaf: Leaf) -> Iterator[str]:
    if (shortest := problem.language.shortest(leaf.label)) is not None:
        yield shortest
    before, inside, after = _inside(leaf.text)
    if before:
        yield before + after
    if not _WORD.fullmatch(inside):
        return
    if inside.isdigit():
        yield from (before + digit + after for digit in "01")
    else:
        used = {other.text for other in trees.leaves(problem.tree)}
        names = (before + letter + after for letter in ascii_lowercase)
        yield from [name for name in names if name not in used][:1]


def _inside(text: str) -> tuple[str, str, str]:
    """Divide a token into an opening quote, its inside, and a closing quote."""
    match = _QUOTED.fullmatch(text)
    return ("", text, "") if match is None else (match[1], match[3], match[4])


def _halve(problem: Problem, text: str) -> None:
    """Leave out ever smaller pieces of a token, at all its places at once."""
    before, inside, after = _inside(text)
    chunk = len(inside)
    while chunk:
        high = len(inside)
        while high > 0:
            places = _occurrences(problem, before + inside + after)
            pieces = [inside[: max(at - chunk, 0)] + inside[at:] for at in range(high, 0, -chunk)]
            hit = problem.consider_first(
                _with_texts(problem, places, before + piece + after) for piece in pieces
            )
            if hit is None:
                break
            inside = pieces[hit]
            high -= (hit + 1) * chunk
        chunk = min(chunk, len(inside)) // 2


def _with_texts(problem: Problem, places: list[Place], new: str) -> Candidate:
    return edited(problem, [(place, Leaf(place.tree.label, new)) for place in places])
