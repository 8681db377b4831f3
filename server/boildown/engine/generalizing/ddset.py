"""DDSET as published: abstracts subtrees that random ones of their nonterminal may replace.

Sources: R. Gopinath, A. Kampmann, N. Havrikov, E. Soremekun and A. Zeller, Abstracting
Failure-Inducing Inputs, ISSTA 2020, and R. Gopinath's simple variant of it. Runs that are invalid
or time out are no evidence either way. Values are random texts of the language's grammar.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from random import Random

from boildown import tree as trees
from boildown.engine.generalizing.generalization import (
    DRAWS_PER_TRIAL,
    Generalization,
    children,
    covers,
    hole_at,
)
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import Value
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Instance
from boildown.engine.patterns.template import Path


def ddset_simple(state: Generalization) -> None:
    """Abstract subtrees from the root down, each filled together with all found before it.

    Source: the simple variant. A subtree that reproduces as often as is asked for is a hole, of any
    other the children are next.
    """
    stack: list[Path] = [()]
    while stack:
        path = stack.pop()
        hole = hole_at(state.template, path, state.options.budget)
        if hole is not None:
            evidence = _abstracts(state, [*state.holes, hole])
            if evidence is not None:
                state.holes.append(replace(hole, evidence=evidence))
                continue
        stack.extend(reversed(children(state.template, path)))


def ddset(state: Generalization) -> None:
    """Abstract subtrees one at a time, then keep those that hold with all others, then covarying.

    Source: the paper. Where a hole does not hold together with the others, the children of its
    subtree are tried in the same way.
    """
    state.entered("holes")
    found = _alone(state)
    state.entered("isolation")
    _isolate(state, found)
    state.entered("covarying")
    _covary(state)


def _alone(state: Generalization) -> list[Hole]:
    found = []
    stack: list[Path] = [()]
    while stack:
        path = stack.pop()
        hole = hole_at(state.template, path, state.options.budget)
        if hole is not None and _abstracts(state, [hole], distinct=True) is not None:
            found.append(hole)
        else:
            stack.extend(reversed(children(state.template, path)))
    return found


def _isolate(state: Generalization, found: Sequence[Hole]) -> None:
    """Keep the holes that hold while all others are filled, verified or not."""
    queue = deque(found)
    while queue:
        hole = queue.popleft()
        evidence = _abstracts(state, [*state.holes, *queue, hole], distinct=True)
        if evidence is not None:
            state.holes.append(replace(hole, evidence=evidence))
            continue
        for path in children(state.template, hole.path):
            deeper = hole_at(state.template, path, state.options.budget)
            if deeper is not None:
                queue.append(deeper)


def _covary(state: Generalization) -> None:
    """Make one hole of equal subtrees that reproduce as long as they stay equal."""
    for group in covarying_groups(state):
        name = f"${group[0].label}"
        same = [replace(hole, name=f"{name}#{group[0].start}") for hole in group]
        evidence = _abstracts(state, same, distinct=True)
        if evidence is not None and evidence.reproduced > 1:
            state.holes += [replace(hole, evidence=evidence) for hole in same]


def covarying_groups(state: Generalization) -> Iterator[list[Hole]]:
    """Yield groups of equal subtrees outside of the holes so far, the largest first.

    A group is looked for only when the one before it was dealt with.
    """
    groups: dict[tuple[str, str], list[Path]] = {}
    for place in trees.places(state.template.tree):
        path = place.path()
        value = state.template.value(path)
        if (value.text and not isinstance(place.tree, trees.Leaf)) or _is_token(place.tree):
            groups.setdefault((place.tree.label, value.text), []).append(path)
    for (_, text), paths in sorted(groups.items(), key=lambda item: (-len(item[0][1]), item[1])):
        free = [path for path in paths if not _covered(state, path)]
        holes = [hole_at(state.template, path, state.options.budget) for path in free]
        group = [hole for hole in holes if hole is not None]
        if text and len(group) > 1:
            yield group


def _is_token(tree: trees.Tree) -> bool:
    return isinstance(tree, trees.Leaf) and bool(tree.text)


def _covered(state: Generalization, path: Path) -> bool:
    """Say whether a hole is at, above or below a path."""
    return any(
        covers(state.template, hole.slot, path) or covers(state.template, (path, None), hole.path)
        for hole in state.holes
    )


def _abstracts(
    state: Generalization, holes: Sequence[Hole], distinct: bool = False
) -> Evidence | None:
    """Test some holes by random values; return the evidence, or None if a text passed.

    At most ten draws are made for each text that is wanted. If they don't suffice, more than one
    text that reproduces is enough. `distinct` counts each text once.
    """
    wanted = state.options.samples
    evidence = Evidence()
    reproduced, seen = set(), set()
    draws = random_fillings(state, holes, state.fork(), DRAWS_PER_TRIAL * wanted)
    with closing(state.ask(draws)) as answers:
        for instance, outcome in answers:
            if distinct and instance.text in seen:
                continue
            seen.add(instance.text)
            if outcome is Outcome.REPRODUCED:
                reproduced.add(instance.text)
            evidence = evidence.plus(outcome)
            if outcome is Outcome.PASSED:
                return None
            if evidence.reproduced >= wanted and len(reproduced) > 1:
                return evidence
    return evidence if len(reproduced) > 1 else None


def random_fillings(
    state: Generalization, holes: Sequence[Hole], rng: Random, count: int
) -> Iterator[Instance]:
    """Yield texts with values drawn from the grammar in some holes, conditions not regarded."""
    holes = sorted(holes, key=lambda hole: state.template.order(hole.slot))
    names = {hole.name: hole for hole in holes if hole.covaries}
    for _ in range(count):
        shared = {name: _value(state, hole, rng) for name, hole in names.items()}
        texts = [shared[hole.name] if hole.covaries else _value(state, hole, rng) for hole in holes]
        spans = [((hole.start, hole.end), text) for hole, text in zip(holes, texts, strict=True)]
        values = tuple(
            Value(text, trees.Leaf(hole.label, text))
            for hole, text in zip(holes, texts, strict=True)
        )
        yield Instance(state.template.fill(spans), values)


def _value(state: Generalization, hole: Hole, rng: Random) -> str:
    return state.template.language.sample(hole.label, rng, state.options.budget) or ""
