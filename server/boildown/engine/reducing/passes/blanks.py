"""Deletes white space and comments between tokens: all at once, or else by bisection."""

from __future__ import annotations

from collections.abc import Callable

from boildown import tree as trees
from boildown.engine.candidates import merge
from boildown.engine.problem import Candidate, Problem


def squeeze(problem: Problem) -> None:
    """Delete all white space and comments, or at least comments and blank lines: two runs."""
    for less in (_nothing, _one_break):
        if problem.consider(_with_less(problem, less)):
            return


def blanks(problem: Problem) -> None:
    """Delete white space and comments everywhere; where that fails, in halves, and so on.

    Comments go first, then blank lines and spaces, then line breaks and indentation. Costs one run
    where none of it matters, some two runs for each place where it does.
    """
    if problem.consider(_with_less(problem, _nothing)):
        return
    for less in (_one_break, _nothing):
        ranges = [(0, sum(1 for _ in trees.leaves(problem.tree)))]
        while ranges:
            low, high = ranges.pop()
            candidate = _with_less(problem, less, low, high)
            if candidate and not problem.consider(candidate) and high - low > 1:
                middle = (low + high) // 2
                ranges += [(low, middle), (middle, high)]


def _with_less(
    problem: Problem, less: Callable[[str], str], low: int = 0, high: int | None = None
) -> Candidate | None:
    """Propose other prefixes for the leaves from `low` to before `high`; None if nothing changes.

    A gap stays where two tokens would read as one.
    """
    root = problem.tree
    leaves = list(trees.leaves(root))
    prefixes = [leaf.prefix for leaf in leaves]
    last = ""
    for index, leaf in enumerate(leaves):
        if prefixes[index] and low <= index and (high is None or index < high):
            new = less(leaf.prefix)
            prefixes[index] = new or (problem.language.gap if merge(last, leaf.text[:1]) else "")
        last = (prefixes[index] + leaf.text)[-1:] or last
    if all(prefix == leaf.prefix for prefix, leaf in zip(prefixes, leaves, strict=True)):
        return None
    text = "".join(prefix + leaf.text for prefix, leaf in zip(prefixes, leaves, strict=True))
    return Candidate(text, lambda: trees.with_prefixes(root, prefixes))


def _nothing(_prefix: str) -> str:
    return ""


def _one_break(prefix: str) -> str:
    """Keep of white space with a line break only the last line's indentation, else nothing."""
    lines = prefix.split("\n")
    if len(lines) == 1:
        return ""
    indentation = lines[-1]
    return "\n" + indentation[: len(indentation) - len(indentation.lstrip())]
