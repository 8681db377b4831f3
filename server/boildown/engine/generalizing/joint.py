"""Estimates how often all holes together reproduce, and narrows them until that is often enough.

Holes were found one at a time, with the rest of the text as it was, so together they may promise
too much. The estimate is a Clopper-Pearson bound from independent random draws with every hole
filled; a text among them that passes is a counterexample, and shows which holes to narrow.

A worked example. The grammar is `start: digit " " digit`, the text is `1 2`, and the program fails
where the sum of the two is below 10. Each hole was examined with the other digit in place, so what
comes in is `<digit> <digit> < 9` (that the first one has to be below 8 was not seen: by chance no
8 or 9 was among its values). Then, with the random seed 1:

1. `_probe` draws texts of the pattern. The first one, `8 3`, passes.
2. `culprits` puts the values 8 and 3 into the text one at a time: `8 2` passes, `1 3` does not, so
   the first hole alone is to blame. `_narrow` learns a bound for it: `<digit> < 8 <digit> < 9`.
3. `_probe` again: three texts reproduce, `7 5` passes. Neither `7 2` nor `1 5` does, so both holes
   are to blame, and no condition on one of them tells the texts that pass from the others.
4. So the next step is `_measure`: of 100 texts 72 reproduce. The share is at least 64 %, which is
   below the goal of 95 %, so one of the culprits is given up: `1 <digit> < 9`.
5. `_probe` draws 30 texts, and all reproduce. The draws so far steered the search, so the evidence
   that is stated is from 100 new ones: all reproduce, and the share is at least 97 %.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from random import Random
from typing import TypeAlias

from boildown.engine.generalizing.examine import draws, learned, narrowed
from boildown.engine.generalizing.generalization import DRAWS_PER_TRIAL, Generalization, inside
from boildown.engine.generalizing.search import explore
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.conditions import Value, both
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Instance

VALIDITY_DRAWS = 20
"""Texts that are drawn to see whether enough of them are valid."""
MIN_VALID = 2
"""So many of these are enough: of the draws for a statement, nine in ten may be invalid."""
MIN_VALID_OF_LAW = 8
"""The same beside a law, where a plain pattern shows more than a wide one that most texts of are
invalid."""
PROBE_TRIALS = 30
"""Trials that see whether a narrowing was enough; the statement rests on later ones."""
VARIETY_DRAWS = 20
"""Texts that are drawn to see whether a condition leaves enough of a hole."""
MIN_DISTINCT = 3
"""How many different texts these must be."""
MAX_STEPS = 12
"""How often texts with all holes filled are drawn to find a counterexample."""

_Step: TypeAlias = "Callable[[Generalization], _Step | None]"
"""A step of narrowing: returns the next one, or None if nothing is left to do."""


def hold_together(state: Generalization) -> None:
    """Narrow holes until the bound for all of them together holds the goal; state the evidence."""
    _make_valid(state)
    step = _probe(state, state.options.samples)
    if step is not None:
        for _ in range(MAX_STEPS - 1):
            step = step(state)
            if step is None:
                break
        # Of several attempts the one that went well is no evidence: it needs draws of its own.
        statement(state)
    if state.holes and state.joint.lower_bound < state.options.goal:
        state.notes.append(below_goal(state))
    _state_alone(state)


def _probe(state: Generalization, wanted: int = PROBE_TRIALS) -> _Step | None:
    """Look for a counterexample, and narrow a hole by it; if none can be, measure next."""
    passed = _counterexample(state, wanted)
    if passed is None:
        return None
    return _probe if _narrow(state, passed) else _measure


def _measure(state: Generalization) -> _Step | None:
    """See how often all holes together reproduce; if not often enough, give up a culprit.

    The holes may hold the goal although some texts pass, and then no hole has to go.
    """
    passed = statement(state)
    if passed is None or state.joint.lower_bound >= state.options.goal:
        return None
    _give_up(state, culprits(state, passed))
    return _probe


def _make_valid(state: Generalization) -> None:
    """Give up holes until enough texts with all of them filled are valid to say something."""
    while len(state.holes) > 1:
        pattern = state.pattern(state.holes)
        enough = MIN_VALID_OF_LAW if state.has_law else MIN_VALID
        if _valid(state, pattern.holes, VALIDITY_DRAWS, enough) >= enough:
            break
        # The hole whose texts are least often valid alone is the likeliest to spoil the others.
        alone = {
            name: _valid(state, _named(pattern.holes, name), VALIDITY_DRAWS // 2, VALIDITY_DRAWS)
            for name in dict.fromkeys(hole.name for hole in pattern.holes)
        }
        least = min(alone, key=lambda name: alone[name])
        if state.has_law:
            # Beside a law it is not worth many runs to find out which part of a hole is to blame.
            spoiling = [name for name, valid in alone.items() if 4 * valid < VALIDITY_DRAWS]
            for name in {least, *spoiling}:
                _replace(state, _named(pattern.holes, name), [])
        else:
            _give_up(state, [least])


def _valid(state: Generalization, holes: Sequence[Hole], count: int, enough: int) -> int:
    """Return how many random texts with some holes filled say something; `enough` at most."""
    texts = draws(state.pattern(holes), Random(0), count)
    with closing(state.ask(texts)) as answers:
        told = (each for each in answers if each[1] in (Outcome.REPRODUCED, Outcome.PASSED))
        return sum(1 for _ in islice(told, enough))


def statement(state: Generalization) -> Instance | None:
    """Set the evidence of all holes together; return the first text that passed, or None.

    It rests on as many trials as the options ask for, if enough of the texts are valid.
    """
    passed: list[Instance] = []
    state.joint = Evidence()
    for instance, outcome in _trials(state, state.holes, state.options.samples):
        state.joint = state.joint.plus(outcome)
        if outcome is Outcome.PASSED:
            passed.append(instance)
    state.holes = [replace(hole, evidence=state.joint) for hole in state.holes]
    return next((each for each in passed if state.refutes(each.text)), None)


def _counterexample(state: Generalization, wanted: int) -> Instance | None:
    """Return the first text with all holes filled that passes, of so many trials, or None.

    If there is none, these trials are the evidence; if it passes only sometimes, all new ones are.
    """
    state.joint = Evidence()
    passed = None
    with closing(_trials(state, state.holes, wanted)) as trials:
        for instance, outcome in trials:
            state.joint = state.joint.plus(outcome)
            if outcome is Outcome.PASSED:
                passed = instance
                break
    if passed is not None:
        return passed if state.refutes(passed.text) else statement(state)
    state.holes = [replace(hole, evidence=state.joint) for hole in state.holes]
    return None


def _trials(
    state: Generalization, holes: Sequence[Hole], wanted: int
) -> Generator[tuple[Instance, Outcome], None, None]:
    """Yield random texts with some holes filled, and their outcomes, until so many are trials."""
    if not holes:
        return
    trials = 0
    texts = draws(state.pattern(holes), state.fork(), DRAWS_PER_TRIAL * wanted)
    with closing(state.ask(texts)) as answers:
        for instance, outcome in answers:
            yield instance, outcome
            trials += outcome in (Outcome.REPRODUCED, Outcome.PASSED)
            if trials >= wanted:
                return


def culprits(state: Generalization, passed: Instance) -> list[str]:
    """Return the names of the holes whose values alone, or at least together, make a text pass."""
    pattern = state.pattern(state.holes)
    values = {
        hole.name: value.text for hole, value in zip(pattern.holes, passed.values, strict=True)
    }
    alone = [name for name in values if _passes(state, {name: values[name]})]
    if alone or len(values) == 1:
        return alone or list(values)
    # No value alone makes the text pass, so several interact. Each in turn is left at the text's
    # own value; if the text passes all the same, that one is not needed.
    needed = dict(values)
    for name in values:
        fewer = {other: text for other, text in needed.items() if other != name}
        if len(fewer) > 1 and _passes(state, fewer):
            needed = fewer
    return list(needed)


def _passes(state: Generalization, values: dict[str, str]) -> bool:
    instance = state.pattern(state.holes).instance(values)
    return instance is not None and state.passes(instance)


def _narrow(state: Generalization, passed: Instance) -> bool:
    """Give a condition to a hole that is to blame; say whether one was found."""
    blamed = culprits(state, passed)
    pattern = state.pattern(state.holes)
    for name in blamed:
        holes = _named(pattern.holes, name)
        if len(blamed) > 1:
            found = _learnt_together(state, holes)
        else:
            alone = state.pattern(holes)
            index = pattern.holes.index(holes[0])
            instance = alone.instance({alone.holes[0].name: passed.values[index].text})
            if instance is not None and not state.passes(instance):
                instance = None
            found = narrowed(state, holes, instance)
        if found is not None:
            _replace(state, holes, found)
            return True
    return False


def _learnt_together(state: Generalization, holes: list[Hole]) -> list[Hole] | None:
    """Return the holes with a condition that tells texts that passed with all holes filled."""
    pattern = state.pattern(state.holes)
    index = next(i for i, hole in enumerate(pattern.holes) if hole.name == holes[0].name)
    good: list[Value] = []
    bad: list[Value] = []
    for text, outcome in list(state.known.items()):
        if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
            state.check()
            values = pattern.read(text)
            if values is None:
                continue
            if outcome is Outcome.REPRODUCED:
                good.append(values[index])
            elif state.refutes(text):
                bad.append(values[index])
    if not bad:
        return None
    condition = learned(pattern, good, bad, index=index)
    if condition is None:
        return None
    conditions = both(holes[0].conditions, condition)
    # A hole has one condition at most, so one of another kind than it has can't be added.
    if len(conditions) > 1:
        return None
    found = [replace(hole, conditions=conditions) for hole in holes]
    texts = {instance.text for instance in draws(state.pattern(found), state.fork(), VARIETY_DRAWS)}
    return found if len(texts) >= MIN_DISTINCT else None


def _give_up(state: Generalization, names: list[str]) -> None:
    """Take the smallest of some holes away, and look for holes inside it."""
    pattern = state.pattern(state.holes)
    blamed = [hole for hole in pattern.holes if hole.name in names]
    name = min(blamed, key=lambda hole: (hole.end - hole.start, hole.start)).name
    holes = _named(pattern.holes, name)
    _replace(state, holes, [])
    if len(holes) == 1:
        explore(state, inside(state.template, holes[0]))


def _named(holes: Sequence[Hole], name: str) -> list[Hole]:
    """Return the holes with a name, which hold the same text."""
    return [hole for hole in holes if hole.name == name]


def _replace(state: Generalization, old: list[Hole], new: list[Hole]) -> None:
    # `pattern` names holes anew, by their labels; the slot says which hole of the state it is.
    slots = {hole.slot for hole in old}
    state.holes = [hole for hole in state.holes if hole.slot not in slots] + [
        replace(hole, name=before.name) for hole, before in zip(new, old, strict=False)
    ]
    state.joint = Evidence()


def below_goal(state: Generalization) -> str:
    """Return the note on evidence that is less than was wanted."""
    joint = state.joint
    if not joint.trials:
        return "No text with all holes filled was valid: there is no evidence for them together."
    return (
        f"Of {joint.trials} texts with all holes filled, {joint.reproduced} reproduced. That is"
        f" {state.options.goal:.0%} of all such texts is more than can be said."
    )


def _state_alone(state: Generalization) -> None:
    """Where too few texts with all holes filled were valid, fill each hole alone."""
    if state.has_law or 2 * state.joint.trials >= state.options.samples:
        return
    joint = state.joint
    for name in dict.fromkeys(hole.name for hole in state.holes):
        holes = _named(state.holes, name)
        evidence = Evidence()
        for _, outcome in _trials(state, holes, state.options.samples):
            evidence = evidence.plus(outcome)
        _replace(state, holes, [replace(hole, evidence=evidence) for hole in holes])
    state.joint = joint
