"""Shorter tokens: what is left of long names, strings and numbers once the tree is minimal."""

from __future__ import annotations

from collections.abc import Iterator

from boildown import tree as trees
from boildown.engine.candidates import retext
from boildown.engine.problem import Candidate, Problem


def shorten(problem: Problem) -> None:
    """Leave out halves, quarters and so on of each token's characters, the longest token first.

    Costs about two runs per character that has to stay.
    """
    spans = sorted(_token_spans(problem), key=lambda span: (span[0] - span[1], span[0]))
    done = 0
    while done < len(spans):
        start, end = spans[done]
        saved = _shorten_span(problem, start, end)
        spans = [(low - saved, high - saved) if low > start else (low, high) for low, high in spans]
        done += 1


def _token_spans(problem: Problem) -> Iterator[tuple[int, int]]:
    """Yield where the tokens of more than one character stand in the best text."""
    at = 0
    for leaf in trees.leaves(problem.tree):
        start = at + len(leaf.prefix)
        at += leaf.width
        if len(leaf.text) > 1:
            yield start, at


def _shorten_span(problem: Problem, start: int, end: int) -> int:
    """Shorten the token at a span of the best text; return how many characters it lost."""
    whole = end - start
    chunk = whole
    while chunk:
        at = end
        while at > start:
            hit = problem.consider_first(_without_chunks(problem, start, at, chunk))
            if hit is None:
                break
            low = max(at - (hit + 1) * chunk, start)
            end -= at - hit * chunk - low
            at = low
        chunk = min(chunk, end - start) // 2
    return whole - (end - start)


def _without_chunks(problem: Problem, start: int, at: int, chunk: int) -> Iterator[Candidate]:
    text = problem.text
    while at > start:
        low = max(at - chunk, start)
        yield retext(problem, text[:low] + text[at:])
        at = low
