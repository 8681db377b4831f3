"""Other failures that a reduction met on its way, each with the smallest input that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from boildown.engine.oracle import Outcome, Verdict
from boildown.engine.problem import key

MOST = 50
"""Failures that are kept; a program that fails in ever new ways ends this list."""


@dataclass(slots=True)
class Others:
    """Failures by signature; `see` fits `engine.oracle.observed`."""

    expected: str
    """The signature of the failure that is looked for."""
    found: dict[str, str] = field(default_factory=dict)
    """The smallest text for each other signature, in the order in which they were met."""

    def see(self, text: str, verdict: Verdict) -> None:
        """Keep what failed, but differently."""
        seen = verdict.signature
        if verdict.outcome is not Outcome.PASSED or not seen or seen == self.expected:
            return
        if seen not in self.found:
            if len(self.found) < MOST:
                self.found[seen] = text
        elif key(text) < key(self.found[seen]):
            self.found[seen] = text
