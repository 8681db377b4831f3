"""All holes together: how often texts reproduce in which every hole is filled.

The answer comes from independent random draws, made after the last narrowing. Where a text passes,
the holes to blame are found and narrowed, until the bound holds the goal or nothing is left to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from random import Random

from boildown.engine.conditions import Value, both
from boildown.engine.generalizing.examine import draws, learned, narrowed
from boildown.engine.generalizing.search import explore
from boildown.engine.generalizing.state import DRAWS_PER_TRIAL, State, inside
from boildown.engine.hole import Evidence, Hole
from boildown.engine.oracle import Outcome
from boildown.engine.pattern import Instance

LOOKS = 20
"""Texts that look whether enough are valid."""
PROBES = 30
"""Trials that look whether a narrowing was enough; the statement rests on later ones."""
VARIETY = 20
LEAST = 3
"""How many different values so many draws must give for a condition to leave a hole."""
ROUNDS = 12
"""How often holes are narrowed because of what all of them do together."""


def hold_together(state: State) -> None:
    """Narrow holes until the bound for all of them together holds the goal; state the evidence."""
    patient = again = False
    _make_valid(state)
    for _ in range(ROUNDS):
        passed = statement(state, patient, PROBES if again and not patient else None)
        if passed is None or (patient and state.joint.lower_bound >= state.options.goal):
            break
        again = True
        if patient:
            _give_up(state, culprits(state, passed))
            patient = False
        else:
            patient = not _narrow(state, passed)
    if again:
        # Of several attempts the one that went well is no evidence: it needs draws of its own.
        statement(state)
    if state.holes and state.joint.lower_bound < state.options.goal:
        state.notes.append(_below_goal(state))
    _state_alone(state)


def _make_valid(state: State) -> None:
    """Give up holes until enough texts with all of them filled are valid to say something."""
    while len(state.holes) > 1:
        pattern = state.pattern(state.holes)
        if _valid(state, pattern.holes, LOOKS) * DRAWS_PER_TRIAL >= LOOKS:
            break
        alone = {
            name: _valid(state, [hole for hole in pattern.holes if hole.name == name], LOOKS // 2)
            for name in dict.fromkeys(hole.name for hole in pattern.holes)
        }
        _give_up(state, [min(alone, key=lambda name: alone[name])])


def _valid(state: State, holes: Sequence[Hole], count: int) -> int:
    """Return how many random texts with some holes filled say something."""
    texts = draws(state.pattern(holes), Random(0), count)
    with closing(state.ask(texts)) as answers:
        return sum(outcome in (Outcome.REPRODUCED, Outcome.PASSED) for _, outcome in answers)


def statement(state: State, patient: bool = True, wanted: int | None = None) -> Instance | None:
    """Draw texts with all holes filled; set the evidence; return a text that passed, or None.

    Ends with the first that passed, unless `patient`. `wanted` is how many trials to make, the
    number in the options if None.
    """
    state.joint = Evidence()
    if not state.holes:
        return None
    passed = None
    wanted = wanted or state.options.samples
    texts = draws(state.pattern(state.holes), state.fork(), DRAWS_PER_TRIAL * wanted)
    with closing(state.ask(texts)) as answers:
        for instance, outcome in answers:
            state.joint = state.joint.plus(outcome)
            if outcome is Outcome.PASSED:
                passed = passed or instance
                if not patient:
                    break
            if state.joint.trials >= wanted:
                break
    if patient or passed is None:
        state.holes = [replace(hole, evidence=state.joint) for hole in state.holes]
    return passed


def culprits(state: State, passed: Instance) -> list[str]:
    """Return the names of the holes whose values alone, or at least together, make a text pass."""
    pattern = state.pattern(state.holes)
    values = {
        hole.name: value.text for hole, value in zip(pattern.holes, passed.values, strict=True)
    }
    alone = [name for name in values if _passes(state, {name: values[name]})]
    if alone or len(values) == 1:
        return alone or list(values)
    needed = dict(values)
    for name in values:
        fewer = {other: text for other, text in needed.items() if other != name}
        if len(fewer) > 1 and _passes(state, fewer):
            needed = fewer
    return list(needed)


def _passes(state: State, values: dict[str, str]) -> bool:
    instance = state.pattern(state.holes).instance(values)
    return instance is not None and state.outcome(instance) is Outcome.PASSED


def _narrow(state: State, passed: Instance) -> bool:
    """Give a condition to a hole that is to blame; say whether one was found."""
    blamed = culprits(state, passed)
    pattern = state.pattern(state.holes)
    for name in blamed:
        holes = [hole for hole in pattern.holes if hole.name == name]
        if len(blamed) > 1:
            found = _learnt_together(state, holes)
        else:
            alone = state.pattern(holes)
            index = pattern.holes.index(holes[0])
            instance = alone.instance({alone.holes[0].name: passed.values[index].text})
            if instance is not None and state.outcome(instance) is not Outcome.PASSED:
                instance = None
            found = narrowed(state, holes, instance)
        if found is not None:
            _replace(state, holes, found)
            return True
    return False


def _learnt_together(state: State, holes: list[Hole]) -> list[Hole] | None:
    """Return the holes with a condition that tells texts that passed with all holes filled."""
    pattern = state.pattern(state.holes)
    index = next(i for i, hole in enumerate(pattern.holes) if hole.name == holes[0].name)
    good: list[Value] = []
    bad: list[Value] = []
    for text, outcome in state.known.items():
        if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
            values = pattern.read(text)
            if values is not None:
                (good if outcome is Outcome.REPRODUCED else bad).append(values[index])
    if not bad:
        return None
    condition = learned(pattern, good, bad, index=index)
    if condition is None:
        return None
    conditions = both(holes[0].conditions, condition)
    if len(conditions) > 1:
        return None
    found = [replace(hole, conditions=conditions) for hole in holes]
    texts = {instance.text for instance in draws(state.pattern(found), state.fork(), VARIETY)}
    return found if len(texts) >= LEAST else None


def _give_up(state: State, names: list[str]) -> None:
    """Take the smallest of some holes away, and look for holes inside it."""
    pattern = state.pattern(state.holes)
    blamed = [hole for hole in pattern.holes if hole.name in names]
    name = min(blamed, key=lambda hole: (hole.end - hole.start, hole.start)).name
    holes = [hole for hole in pattern.holes if hole.name == name]
    _replace(state, holes, [])
    if len(holes) == 1:
        explore(state, inside(state.form, holes[0]))


def _replace(state: State, old: list[Hole], new: list[Hole]) -> None:
    slots = {hole.slot for hole in old}
    state.holes = [hole for hole in state.holes if hole.slot not in slots] + [
        replace(hole, name=before.name) for hole, before in zip(new, old, strict=False)
    ]
    state.joint = Evidence()


def _below_goal(state: State) -> str:
    joint = state.joint
    if not joint.trials:
        return "No text with all holes filled was valid: there is no evidence for them together."
    return (
        f"Of {joint.trials} texts with all holes filled, {joint.reproduced} reproduced. That is"
        f" {state.options.goal:.0%} of all such texts is more than can be said."
    )


def _state_alone(state: State) -> None:
    """Where too few texts with all holes filled were valid, fill each hole alone."""
    if 2 * state.joint.trials >= state.options.samples:
        return
    joint = state.joint
    for name in dict.fromkeys(hole.name for hole in state.holes):
        holes = [hole for hole in state.holes if hole.name == name]
        evidence = Evidence()
        wanted = state.options.samples
        texts = draws(state.pattern(holes), state.fork(), DRAWS_PER_TRIAL * wanted)
        with closing(state.ask(texts)) as answers:
            for _, outcome in answers:
                evidence = evidence.plus(outcome)
                if evidence.trials >= wanted:
                    break
        _replace(state, holes, [replace(hole, evidence=evidence) for hole in holes])
    state.joint = joint
