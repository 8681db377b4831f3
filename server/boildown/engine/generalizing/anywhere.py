"""Generalizes a pattern upwards: texts that fail as whole inputs may fail as parts of others.

A reduction drops what stands around the part that matters, so that the pattern of its result does
not match the input that the job began with. Here that is put back: the pattern is one of a part,
which may stand anywhere that the grammar lets it. Source: R. Gopinath, H. Nemati and A. Zeller,
Input Algebras, ICSE 2021, where such a part is an evocative pattern.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import closing
from dataclasses import replace

from boildown.engine.generalizing.examine import draws
from boildown.engine.generalizing.generalization import Generalization
from boildown.engine.generalizing.joint import below_goal
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.bounds import lower_bound
from boildown.engine.patterns.hole import Evidence

PLACED_PER_TRIAL = 4
"""How many inputs are drawn at most for each trial that is wanted: the rest may be invalid."""
MOST_AROUND = 3
"""Large inputs that such parts are put into, the shortest ones."""
LEAST_BOUND = 0.85
"""The least bound on the share of such inputs that fail. A few pass by chance whatever is in them:
in JSON of equal keys only the last counts."""


def stand_anywhere(
    state: Generalization,
    original: str,
    others: Set[str],
    passing: Callable[[], Sequence[str]],
) -> None:
    """Let the pattern match parts, if the original has such a part and other inputs with one fail.

    Those are large inputs that pass otherwise, as far as there are any, else random ones. The
    evidence of all holes together is then from such inputs. Where too many of them pass, all
    stays as it was. Those among `others`, which fail in another way, say nothing.
    """
    pattern = state.pattern(state.holes)
    wide = pattern.wherever()
    if pattern.matches(original) or not wide.matches(original):
        return
    wide = replace(wide, around=tuple(sorted(passing(), key=len)[:MOST_AROUND]))
    joint, wanted = Evidence(), state.options.samples
    texts = draws(wide, state.fork(), PLACED_PER_TRIAL * wanted)
    with closing(state.ask(texts)) as answers:
        for instance, outcome in answers:
            unjudged = outcome is Outcome.PASSED and instance.text in others
            joint = joint.plus(Outcome.INVALID if unjudged else outcome)
            if joint.trials >= wanted or lower_bound(wanted - joint.passed, wanted) < LEAST_BOUND:
                break
    if joint.lower_bound >= LEAST_BOUND:
        state.holes, state.joint, state.anywhere = list(wide.holes), joint, True
        state.around = wide.around
        if joint.lower_bound < state.options.goal:
            state.notes.append(below_goal(state))
