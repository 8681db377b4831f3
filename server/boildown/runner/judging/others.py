"""Other failures met during a reduction, each with the smallest input that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from boildown.engine.oracle import Outcome, Verdict
from boildown.engine.problem import key

MOST_OTHERS = 50
"""Failures that are kept; a program that fails in ever new ways ends this list."""

MOST_CHARACTERS = 8_000_000
"""Characters of the texts that are kept, together: each may be as long as the failing input."""


@dataclass(slots=True)
class Others:
    """Collects other failures by signature; `see` fits `engine.oracle.observed`."""

    expected: str
    """The signature of the failure that is looked for."""
    found: dict[str, str] = field(default_factory=dict)
    """The smallest text for each other signature, in the order in which they were met."""

    def see(self, text: str, verdict: Verdict) -> None:
        """Keep a text that failed, but with another signature, if it is the smallest such."""
        seen = verdict.signature
        if verdict.outcome is not Outcome.PASSED or not seen or seen == self.expected:
            return
        if seen not in self.found:
            kept = sum(map(len, self.found.values()))
            if len(self.found) < MOST_OTHERS and kept + len(text) < MOST_CHARACTERS:
                self.found[seen] = text
        elif key(text) < key(self.found[seen]):
            self.found[seen] = text
