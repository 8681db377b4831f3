"""Coupled inputs of formats without a grammar come down to exactly what a person would write."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages import load_language

MOST_RUNS = 1000


def machine() -> str:
    """Return a state machine of 80 states; three lead to each other without an event."""
    rng = Random(2)
    ring = {20: 41, 41: 63, 63: 20}
    lines = ["machine door", "initial s0"]
    for number in range(80):
        lines += [f"state s{number}:", f"  entry log_{rng.randrange(30)}"]
        for event in rng.sample(("open", "close", "lock", "tick", "reset"), 3):
            lines.append(f"  on {event} -> s{rng.randrange(80)} / act_{rng.randrange(40)}")
        if number in ring:
            lines.append(f"  always -> s{ring[number]}")
    return "\n".join(lines) + "\n"


def never_rests(text: str) -> bool:
    """Say whether all states that are named are there once, and some go round without an event."""
    head = re.match(r"machine (\w+)\s+initial (\w+)\n", text)
    if head is None:
        return False
    states: set[str] = set()
    used = [head[2]]
    always: dict[str, str] = {}
    state = ""
    for line in filter(str.strip, text[head.end() :].split("\n")):
        named = re.fullmatch(r"\s*state (\w+) ?:", line)
        step = re.fullmatch(r"\s*(on (\w+)|always) -> (\w+)( / \w+)?", line)
        if named is not None and named[1] not in states:
            state = named[1]
            states.add(state)
        elif step is not None and state:
            used.append(step[3])
            if step[1] == "always":
                always[state] = step[3]
        elif not (state and re.fullmatch(r"\s*entry \w+", line)):
            return False
    return states.issuperset(used) and _has_a_ring(always)


def _has_a_ring(following: dict[str, str]) -> bool:
    for start in following:
        at: str | None = start
        for _ in following:
            at = following.get(at) if at is not None else None
        if at is not None and at in following:
            return True
    return False


def graph() -> str:
    """Return a graph of 100 units and what they need; three are in a ring of dashed edges."""
    rng = Random(1)
    ring = ((14, 48), (48, 83), (83, 14))
    lines = [f'  n{at} [label="unit {at}", color="c{rng.randrange(9)}"];' for at in range(100)]
    lines += [f"  n{at} -> n{rng.randrange(at)} [weight={at}];" for at in range(1, 100)]
    lines += [f"  n{one} -> n{two} [style=dashed, weight=1];" for one, two in ring]
    return "digraph needs {\n  rankdir=LR;\n" + "\n".join(lines) + "\n}\n"


def is_dashed_round(text: str) -> bool:
    """Say whether all ends of edges are listed, and dashed ones lead in a ring."""
    whole = re.fullmatch(r"\s*digraph\s+\w+\s*\{(.*)\}\s*", text, re.DOTALL)
    if whole is None:
        return False
    nodes: set[str] = set()
    ends: set[str] = set()
    dashed: dict[str, str] = {}
    for part in filter(None, map(str.strip, whole[1].split(";"))):
        found = re.fullmatch(
            r"(\w+)\s*(?:->\s*(\w+)\s*)?(?:\[((?:\w+=(?:\w+|\"[^\"]*\")(?:,\s*|(?=\])))+)\])?", part
        )
        if found is not None and found[2]:
            ends |= {found[1], found[2]}
            if "dashed" in (found[3] or ""):
                dashed[found[1]] = found[2]
        elif found is not None:
            nodes.add(found[1])
        elif not re.fullmatch(r"\w+=\w+", part):
            return False
    return ends <= nodes and _has_a_ring(dashed)


@pytest.mark.parametrize(
    ("text", "test", "smallest"),
    [
        (machine(), never_rests, r"machine a\ninitial (\w)\nstate \1:\nalways -> \1"),
        (graph(), is_dashed_round, r"digraph a\{(\w);\1->\1\[\w=dashed\]\}"),
    ],
    ids=["machine", "graph"],
)
def test_what_is_coupled_comes_down_to_the_least(
    text: str, test: Callable[[str], bool], smallest: str
) -> None:
    assert test(text)
    reduction = reduce(text, from_test(test), load_language("plain"))
    assert reduction.finished
    assert re.fullmatch(smallest, reduction.text), reduction.text
    assert reduction.runs < MOST_RUNS
