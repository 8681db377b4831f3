"""Less white space and fewer comments: all of it at once, or else what can go piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.tree import Leaf, Place


def squeeze(problem: Problem) -> None:
    """Take away all that stands between tokens, or at least comments and blank lines: two runs."""
    for less in (_nothing, _one_break):
        if problem.consider(_with_less(problem, less, _leaves(problem))):
            return


def blanks(problem: Problem) -> None:
    """Take away what stands between tokens; where that fails, at half of the places, and so on.

    Comments go first, then blank lines and spaces, then line breaks and indentation. Costs one run
    where none of it matters, some two runs for each place where it does.
    """
    if problem.consider(_with_less(problem, _nothing, _leaves(problem))):
        return
    for less in (_one_break, _nothing):
        ranges = [(0, len(_leaves(problem)))]
        while ranges:
            low, high = ranges.pop()
            candidate = _with_less(problem, less, _leaves(problem)[low:high])
            if candidate and not problem.consider(candidate) and high - low > 1:
                middle = (low + high) // 2
                ranges += [(low, middle), (middle, high)]


def _leaves(problem: Problem) -> list[Place]:
    return [place for place in trees.places(problem.tree) if isinstance(place.tree, Leaf)]


def _with_less(
    problem: Problem, less: Callable[[str], str], places: Sequence[Place]
) -> Candidate | None:
    """Propose other prefixes for some leaves; None where they have them already."""
    edits = []
    for place in places:
        leaf = place.tree
        assert isinstance(leaf, Leaf)
        if (prefix := less(leaf.prefix)) != leaf.prefix:
            edits.append((place, Leaf(leaf.label, leaf.text, prefix, leaf.start)))
    return edited(problem, edits) if edits else None


def _nothing(_prefix: str) -> str:
    return ""


def _one_break(prefix: str) -> str:
    """Keep of white space with a line break only the last line's indentation, else nothing."""
    lines = prefix.split("\n")
    if len(lines) == 1:
        return ""
    indentation = lines[-1]
    return "\n" + indentation[: len(indentation) - len(indentation.lstrip())]
