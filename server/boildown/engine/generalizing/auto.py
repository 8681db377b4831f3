"""The default method of generalization: adversarial values, learned conditions, joint evidence."""

from __future__ import annotations

from boildown.engine.generalizing.generalization import Generalization
from boildown.engine.generalizing.joint import hold_together
from boildown.engine.generalizing.search import find_holes


def auto(state: Generalization) -> None:
    """Find holes from the largest to the smallest, then make them hold together.

    Values that are likely to refute a hole come before random ones, and one that passes is enough.
    Then a condition is looked for that tells the values that pass from those that reproduce (bounds
    of a number, alternatives, characters to leave out); without one, the subtree's children are
    next. The search only ever narrows: what is stated comes from draws made after it. Holes that
    miss the original before they are narrowed miss it then, too, and need no evidence where another
    pattern has it.
    """
    find_holes(state)
    if not state.instead():
        state.entered("joint")
        hold_together(state)
