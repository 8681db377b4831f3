"""Replaces subtrees as people do by hand: by literals, and by the language's rewriting rules.

That a body, a statement or an expression may be a literal is known from writing minimal examples by
hand; C-Reduce has a pass for each such step (Regehr et al., "Test-Case Reduction for C Compiler
Bugs", PLDI 2012). Here they are data beside the grammar (`Language.rewriting`), and what does not
parse costs no run.

A rule may make a text longer: `*(volatile int*)8;` is `*(volatile int*)8=0;` then, which brings
nothing by itself. But a store is not optimised away, so `volatile` can go, and the two steps
together give `*(int*)8=0;`. So a rule is also applied to the subtree without any one of its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from boildown import tree as trees
from boildown.engine.candidates import Splice, rewritten, spliced
from boildown.engine.language import RewritingRule
from boildown.engine.problem import Problem
from boildown.engine.reducing.identifiers import cuts, removable
from boildown.engine.reducing.passes.perses import compatible
from boildown.tree import Place

SHORTEST = 2
"""Characters of the shortest subtree that a literal may replace."""
PARTS_TRIED = 20
"""Parts of a subtree that are left out with a rule that does not make it shorter."""


def rewrite(problem: Problem) -> None:
    """Apply each of the language's rewriting rules to each subtree of its label.

    The largest subtrees come first. Costs one run for each, and up to `PARTS_TRIED` more where the
    rule makes the text longer.
    """
    rules = problem.language.rewriting.rules
    while rules and problem.consider_first(rewritten(problem, _rewritings(problem))) is not None:
        pass


def literals(problem: Problem) -> None:
    """Replace each subtree by each of the language's literals, the largest subtree first.

    Costs a run for each subtree and literal that may stand there.
    """
    known = problem.language.rewriting.literals
    while known and problem.consider_first(rewritten(problem, _stand_ins(problem))) is not None:
        pass


def _stand_ins(problem: Problem) -> Iterator[list[Splice]]:
    for place in _by_width(problem):
        start, end = place.span
        for literal in problem.language.rewriting.literals:
            if len(literal) < end - start:
                yield [(start, end, literal)]


def _rewritings(problem: Problem) -> Iterator[list[Splice]]:
    for place in _by_width(problem):
        for rule in problem.language.rewriting.rules:
            if rule.label == place.tree.label:
                start, end = place.span
                for new in dict.fromkeys(_applied(problem, rule, place)):
                    yield [(start, end, new)]


def _by_width(problem: Problem) -> list[Place]:
    """Return the places of subtrees, the widest first."""
    found = [place for place in trees.places(problem.tree) if place.tree.width >= SHORTEST]
    return sorted(found, key=lambda place: -place.tree.width)


def _applied(problem: Problem, rule: RewritingRule, place: Place) -> Iterator[str]:
    """Yield a subtree's text by a rule, and if that is not shorter, without a part of it, too."""
    pattern = re.compile(rule.pattern, re.DOTALL)
    before = trees.bare_text(place.tree)
    after = pattern.sub(rule.template, before, count=1)
    if after == before:
        return
    yield after
    if len(after) >= len(before):
        for less in islice(_lessened(problem, place), PARTS_TRIED):
            yield pattern.sub(rule.template, less, count=1)


def _lessened(problem: Problem, place: Place) -> Iterator[str]:
    """Yield the text of a subtree with one part left out or hoisted, the largest part first."""
    start, end = place.span
    inside = _descendants(place)
    steps = [
        (part, cuts(problem, [part])) for part in inside if next(removable(part), None) is part
    ]
    for part in inside:
        for new in compatible(problem, part):
            steps.append((part, [(*part.span, problem.text[slice(*new.span)])]))
    steps.sort(key=lambda step: -step[0].tree.width)
    for _, splices in steps:
        yield spliced(problem.text[:end], splices, problem.language.gap)[start:]


def _descendants(place: Place) -> list[Place]:
    found = place.children()
    for each in found:
        found += each.children()
    return found
