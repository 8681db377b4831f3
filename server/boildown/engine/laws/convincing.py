"""Whether a law would convince a maintainer: on large inputs, as people write them, and in short.

Mutants of a smallest input are small, and a law that tells them apart may hold for every ordinary
file, or quote what only one of them has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from boildown.engine.laws.law import Law
from boildown.engine.laws.literals import Atom

MOST_CONDITIONS = 2
"""Conditions of a law that is said."""
LEAST_INPUTS = 10
"""Large inputs of either outcome that it must have been tested on."""
MAX_WRONG = 0.05
"""The share of them that it may be wrong about."""
LONGEST_QUOTED = 12
"""Characters of the longest text in a law, unless that is a name."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NAME = re.compile(r"[\w$@:./-]+")


def doubt(law: Law, original: str, failing: Sequence[str], passing: Sequence[str]) -> str | None:
    """Return the reason, as a clause, not to say a law; None if there is none.

    `failing` and `passing` are large inputs that were run.
    """
    conditions = sum(_conditions(rule) for rule in law.rules)
    if conditions > MOST_CONDITIONS:
        return f"has {conditions} conditions"
    quoted = _QUOTED.findall(str(law))
    if any(len(each) > LONGEST_QUOTED and not _NAME.fullmatch(each) for each in quoted):
        return "quotes a long text"
    if not law.matches(original):
        return "does not hold for the original input"
    for texts, fails in ((failing, True), (passing, False)):
        verb, kind = ("misses", "that fail") if fails else ("holds for", "that pass")
        if len(texts) < LEAST_INPUTS:
            return f"has too few large inputs {kind} to be tested on"
        wrong = sum(law.matches(each) is not fails for each in texts)
        if wrong > MAX_WRONG * len(texts):
            return f"{verb} {wrong} of {len(texts)} large inputs {kind}"
    return None


def _conditions(literals: Iterable[Atom]) -> int:
    """Return how many conditions there are to read; two bounds of one number are one."""
    return sum(
        _conditions(each.sides) if each.sides and each.test != "between" else 1 for each in literals
    )
