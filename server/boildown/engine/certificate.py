"""Certificates of minimality: the claim that no single step of a kind can be left out of a text.

A claim rests on runs, and runs can mislead: a certificate names its doubts beside what was shown.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class Unit(enum.Enum):
    """The kind of part of which no single one can be left out; the coarsest kind comes first."""

    TREE = "tree"
    """A list item, an optional part, or what stands around a subtree."""
    TOKEN = "token"
    """A word or a punctuation character."""
    CHARACTER = "character"
    """A code point; of bytes, those of one code point in UTF-8, or a byte that is part of none."""

    @property
    def minimality(self) -> str:
        """The name of the claim, such as "1-token-minimal"."""
        return f"1-{self.value}-minimal"


class Certified(enum.Enum):
    """The text that a certificate is about."""

    OUTPUT = "output"
    """The text that is put out."""
    BEFORE_LAYOUT = "before_layout"
    """The text before line breaks and indentation were put into it for people to read."""


@dataclass(frozen=True, slots=True)
class NotSwept:
    """A kind of part whose single steps were not tried one by one on the last text."""

    unit: Unit
    """The kind of part."""
    longest: int | None = None
    """The characters of the longest text for which that is worth its runs; None if no pass that
    was asked for does it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate of minimality: no single part of a kind can be left out of a text.

    The engine states what was shown and which answers it rests on; a job adds what only it knows.

    >>> certificate = reduce("f(g(x), y)", lambda text: "x" in text).certificate
    >>> certificate.unit.minimality, certificate.candidates, certificate.timeouts
    ('1-character-minimal', 1, 0)
    """

    unit: Unit
    """The finest kind of part of which no single one can be left out."""
    of: Certified = Certified.OUTPUT
    """The text that it is about."""
    candidates: int = 0
    """How many texts, each without a single part, were judged by the sweeps: it rests on them."""
    timeouts: int = 0
    """Candidates of the sweep whose run was ended by the time-out: they count as not failing."""
    confidence: float | None = None
    """Of the claim on a flaky failure; None where no two runs on a text have differed."""
    not_swept: tuple[NotSwept, ...] = ()
    """The kinds of parts for which nothing is claimed."""
    protected: int = 0
    """Parts that the user protects, which were never left out."""
    margin: float = 0.0
    """The share by which a candidate had to be beyond a limit on time or memory to fail: one that
    is less beyond it counts as not failing."""
    only: str = ""
    """The texts that alone were tried, in words, such as "inputs that are valid"; empty: all."""

    def to_json(self) -> dict[str, Any]:
        """Return the certificate as the command line's JSON has it."""
        return {
            "unit": self.unit.value,
            "of": self.of.value,
            "confidence": self.confidence,
            "candidates": self.candidates,
            "timeouts": self.timeouts,
            "protected": self.protected,
            "margin": self.margin,
            "only": self.only,
            "not_swept": [
                {"unit": each.unit.value, "longest": each.longest} for each in self.not_swept
            ],
        }
