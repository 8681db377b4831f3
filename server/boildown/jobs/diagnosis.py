"""Diagnoses: all that is known of a failure, whichever job has found it.

Nothing here imports a grammar or a parser: the language server loads this module when it starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from boildown.engine.passing import Passing
from boildown.jobs.events import size
from boildown.jobs.words import stated

if TYPE_CHECKING:
    from boildown.jobs.reduce import Reduced


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings on a failure: a minimal input, how it was found, and the inputs around it."""

    text: str
    """The minimal input."""
    before: int
    """Bytes of the original."""
    runs: int
    minimality: str | None = None
    """The certificate of minimality with its doubts in short, such as "1-token-minimal"."""
    pattern: str | None = None
    """The pattern of all inputs that fail so, if it was looked for."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Other failures that were met, each with its smallest input."""
    rate: float | None = None
    """Of a flaky failure: the share of runs on the original that reproduced it."""
    passing: Passing | None = None
    """The closest input that passes."""
    needs: tuple[str, ...] = ()
    """The lines on what is needed of the minimal input, in Markdown."""
    original: str | None = None
    """The failure of the original with its message, if that is known."""


def diagnosis_of(reduced: Reduced, before: str) -> Diagnosis:
    """Return the findings of a reduction of the text `before`."""
    reduction, start = reduced.reduction, reduced.start
    rate = None if start is None else start.expected.rate
    return Diagnosis(
        reduced.text,
        size(before),
        reduced.runs,
        stated(reduction.certificate),
        others=reduced.others,
        rate=rate if reduction.flaky is None else reduction.flaky.rate,
        passing=reduction.passing,
        original=None if reduced.failures is None else reduced.failures[0],
    )
