"""Sketches of patterns: the notation for people, which is not parsed; `str(pattern)` is exact.

`…` stands where there may be anything or nothing, `⟨number⟩` for any number; a raised digit is the
number of a hole, and holes of one number hold the same text. Conditions stand below, in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from boildown import tree as trees
from boildown.engine.patterns.conditions import (
    Alternatives,
    Condition,
    Containing,
    Except,
    Lacking,
    Numbers,
    Without,
    shown,
    unquoted,
)
from boildown.engine.patterns.hole import Hole, without_times
from boildown.engine.patterns.pattern import ANYTHING, Pattern, in_anything
from boildown.engine.patterns.pieces import Gap, Pieces
from boildown.visible import visible

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ANY_LINES = frozenset(gap.value for gap in Gap if ANYTHING in gap.value)
"""Gaps between pieces in which anything may stand; a line break in them is shown."""
_SPACED = (",", ":", ";")
"""Separators behind which a person leaves a blank, where the language lets them."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A pattern as a person would sketch it."""

    text: str
    """The text, with a mark for each hole."""
    where: tuple[str, ...]
    """The conditions on the holes."""
    marks: tuple[str, ...]
    """What stands for each hole."""
    holes: tuple[str, ...]
    """The same with the hole's conditions."""

    @property
    def line(self) -> str:
        """The sketch in one line, however many the text has."""
        return " ".join(str(self).split("\n"))

    def __str__(self) -> str:
        return f"{self.text}\nwhere {' and '.join(self.where)}" if self.where else self.text


def sketch(pattern: Pattern) -> Sketch:
    """Return a pattern as a person would sketch it.

    >>> from boildown import generalize
    >>> pattern = generalize('{"a":1}', lambda text: '"a":1' in text, "json", law_runs=0)
    >>> print(pattern)
    {<pair>*,"a":1,<pair>*}
    >>> print(sketch(pattern))
    {…¹, "a": 1, …²}
    """
    # Between pieces gaps are many, and few of them are spoken of.
    in_pieces = isinstance(pattern.template.language, Pieces)
    spoken = [hole for hole in pattern.holes if hole.conditions or not in_pieces]
    names = list(dict.fromkeys(hole.name for hole in spoken))
    marks = []
    for hole in pattern.holes:
        is_numbered = names[1:] and hole.name in names
        number = str(names.index(hole.name) + 1).translate(_RAISED) if is_numbered else ""
        marks.append(visible(f"{_kind(hole)}{number}"))
    parts: list[str] = []
    at, end = pattern.shown
    for hole, mark in zip(pattern.holes, marks, strict=True):
        parts += [_spaced(pattern, at, hole.start), _blank(pattern, hole.before), mark]
        parts.append(_blank(pattern, hole.after))
        at = hole.end
    parts.append(_spaced(pattern, at, end))
    told = [list(_told(hole, mark)) for hole, mark in zip(pattern.holes, marks, strict=True)]
    shown = visible("".join(parts), keep="\n\t")
    told = [[visible(each) for each in listed] for listed in told]
    return Sketch(
        in_anything(shown) if pattern.anywhere else shown,
        tuple(dict.fromkeys(each for listed in told for each in listed)),
        tuple(marks),
        tuple(" and ".join(each) or mark for each, mark in zip(told, marks, strict=True)),
    )


def _kind(hole: Hole) -> str:
    """Return the mark of a hole, in the words of its language."""
    if hole.label in _ANY_LINES:
        return hole.label
    inner, times = without_times(hole.label)
    may_be_empty = times in ("*", "?") or hole.items is not None
    if may_be_empty and Except(("",)) not in hole.conditions:
        return ANYTHING
    kind = _words(inner)
    return f"⟨{kind}, …⟩" if times in ("*", "+") or hole.items is not None else f"⟨{kind}⟩"


def _words(label: str) -> str:
    """Return a label as words: `close_tag` is a close tag, and `NUMBER` a number."""
    label = re.sub(r"<([^<>]+)>", r"\1", label)
    names = re.sub(r"_+", " ", label) if re.fullmatch(r"[\w |…-]+", label) else label
    names = names.replace(" | ", " or ").strip()
    return names.lower() if names.isupper() else names


def _told(hole: Hole, mark: str) -> Iterator[str]:
    """Yield the conditions of a hole in words."""
    for condition in hole.conditions:
        if condition != Except(("",)):
            yield (
                condition.around(mark)
                if isinstance(condition, Numbers)
                else (f"{mark} {_predicate(condition)}")
            )


def _predicate(condition: Condition) -> str:
    if isinstance(condition, Without):
        where = f" in any {_words(condition.inside)}" if condition.inside else ""
        return f"has no {_listed(condition.characters, 'or')}{where}"
    if isinstance(condition, Containing):
        return f"has {shown(condition.character)}"
    if isinstance(condition, Lacking):
        what = (
            shown(condition.text) if condition.text else _words(without_times(condition.label)[0])
        )
        # What is looked for only outside of inner parts is no matter of theirs.
        return f"has no {what}{' of its own' if condition.outside else ''}"
    if isinstance(condition, Alternatives):
        shapes = (" ".join(map(unquoted, each)) or "nothing" for each in condition.shapes)
        return f"is {_listed(map(_words, shapes), 'or')}"
    assert isinstance(condition, Except)
    return f"is not {_listed((text or 'empty' for text in condition.texts), 'or')}"


def _listed(texts: Iterable[str], last: str) -> str:
    *first, end = (shown(each) for each in texts)
    return f"{', '.join(first)} {last} {end}" if first else end


def _spaced(pattern: Pattern, start: int, end: int) -> str:
    """Return the text between two offsets, with blanks behind its separators."""
    if pattern.template.language.gap != " ":
        return pattern.text[start:end]
    parts = []
    at = 0
    for leaf in trees.leaves(pattern.template.tree):
        begin = at + len(leaf.prefix)
        prefix = pattern.text[max(at, start) : min(begin, end)]
        at = begin + len(leaf.text)
        parts += [prefix, pattern.text[max(begin, start) : min(at, end)]]
        follows = pattern.text[at : at + 1]
        if leaf.text in _SPACED and start <= begin and at <= end and not follows.isspace():
            parts.append(" " if follows else "")
    return "".join(parts)


def _blank(pattern: Pattern, separator: str) -> str:
    spaced = pattern.template.language.gap == " " and separator in _SPACED
    return f"{separator} " if spaced else separator
