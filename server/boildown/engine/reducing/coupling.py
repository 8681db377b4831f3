"""Families of parts that can't go alone, with the edits that take some of one away.

A family is a hypothesis on what belongs together. Its elements go one by one or many at once, each
with all that refers to it, as in the reduction of closures of a dependency graph (Kalhauge and
Palsberg, "Binary Reduction of Dependency Graphs", ESEC/FSE 2019).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from boildown.engine.candidates import Splice
from boildown.engine.problem import Problem
from boildown.engine.reducing.identifiers import cuts, outermost, removable
from boildown.engine.reducing.links import Links, Reference
from boildown.tree import Place

Removal: TypeAlias = Callable[[Collection[int]], "list[Splice] | None"]
"""Returns the splices of a text without some elements of a family; None if they can't go."""


@dataclass(frozen=True, slots=True)
class Family:
    """Some parts of a text, and the edit that takes a number of them away."""

    sort: str
    """What sort of hypothesis it is: "rows", "columns", or a way to do without definitions."""
    name: str
    """The hypothesis itself, as it is known in a job; once refuted it is not tried again."""
    size: int
    """How many elements it has."""
    without: Removal
    weight: int
    """About how many characters it is about."""
    counted: bool = False
    """Whether a number in the text says its size, or else it is hardly there by accident."""
    uncounted: Removal | None = None
    """Leaves such a number as it is, where it may be there for another reason, and the elements
    would go one by one without it."""
    number: str = ""
    """What stands before that number, and so tells it from others while both change."""
    exact: bool = False
    """Whether nothing else changes, not even by white space between what comes together."""


def definition_families(problem: Problem, found: Links) -> Iterator[Family]:
    """Yield families of the definitions of a text: ways to do without some of them."""
    weight = len(problem.text)
    for where, elements in zip(("outer", "inner"), found.outermost(), strict=True):
        for name, level in (("unit", _unit(found)), ("part", _part), ("line", _line(problem.text))):
            sort = f"{where} definitions with the {name} of each use"
            removal = _Removal(problem, found, elements, level)
            yield Family(sort, sort, len(elements), removal.without, weight)
        for name, which in (("first", 0), ("last", -1)):
            sort = f"{where} definitions, their {name} reference for each use"
            contraction = _Contraction(problem, found, elements, which)
            yield Family(sort, sort, contraction.size, contraction.without, weight)


_Level = Callable[[Place, Reference], "Place | None"]
"""Finds the part of a text that goes where a use in a leaf has to go."""


def _part(leaf: Place, _use: Reference) -> Place | None:
    """Return the smallest part that may go."""
    return next(removable(leaf), None)


def _line(text: str) -> _Level:
    def line(leaf: Place, _use: Reference) -> Place | None:
        """Return the smallest part that may go and is all that stands on its lines."""
        last = None
        for place in removable(leaf):
            start, end = place.span
            before = text[text.rfind("\n", 0, start) + 1 : start]
            after = text[end : text.find("\n", end) if "\n" in text[end:] else len(text)]
            if not before.strip() and not after.strip(" \t\r,;"):
                return place
            last = place
        return last

    return line


def _unit(found: Links) -> _Level:
    lists = {id(each.unit.parent) for each in found.definitions}

    def unit(leaf: Place, _use: Reference) -> Place | None:
        """Return the outermost item of a list that defines names."""
        last = None
        for place in removable(leaf):
            if id(place.parent) in lists:
                last = place
        return last

    return unit


class _Removal:
    """Definitions go with their uses, and with the definitions in these."""

    def __init__(
        self, problem: Problem, found: Links, elements: Sequence[int], level: _Level
    ) -> None:
        self._problem = problem
        self._found = found
        self._elements = elements
        self._level = level
        self._places: dict[int, Place | None] = {}

    def without(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some definitions, and all that refers to them."""
        found = self._found
        todo = [self._elements[at] for at in gone]
        known = set(todo)
        places: dict[Place, None] = {}
        while todo:
            definition = found.definitions[todo.pop()]
            for place in (*definition.parts, *map(self._place, definition.uses)):
                if place is None:
                    return None
                if place not in places:
                    places[place] = None
                    inside = [at for at in found.inside(place.start, place.end) if at not in known]
                    known.update(inside)
                    todo += inside
        return outermost(cuts(self._problem, places))

    def _place(self, use: Reference) -> Place | None:
        if use.leaf not in self._places:
            self._places[use.leaf] = self._level(self._found.leaves[use.leaf], use)
        return self._places[use.leaf]


class _Contraction:
    """Definitions go, and the names that they refer to stand in place of their own."""

    def __init__(self, problem: Problem, found: Links, elements: Sequence[int], which: int) -> None:
        self._problem = problem
        self._found = found
        self._elements = [at for at in elements if found.targets[at]]
        self._which = which
        self.size = len(self._elements)

    def without(self, gone: Collection[int]) -> list[Splice] | None:
        """Return the splices without some definitions that refer to others."""
        found = self._found
        to = {self._elements[at]: found.targets[self._elements[at]][self._which] for at in gone}
        for start in list(to):
            # Of a ring, the one that closes it stays.
            seen = {start}
            at = to.get(start)
            while at is not None and at not in seen:
                seen.add(at)
                at = to.get(at)
            if at == start:
                del to[start]
        splices = cuts(self._problem, [part for at in to for part in found.definitions[at].parts])
        for at, target in to.items():
            while target in to:
                target = to[target]
            word = found.definitions[target].word
            splices += [(use.start, use.end, word) for use in found.definitions[at].uses]
        return outermost(splices)


def spread(size: int, count: int) -> Sequence[int]:
    """Return so many numbers below a size, spread evenly; fewer if there are no more."""
    count = min(count, size)
    return [size * (2 * at + 1) // (2 * count) for at in range(count)]
