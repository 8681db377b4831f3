"""Random texts of a grammar."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from boildown.grammar.ir import Grammar


class Sampler:
    """Makes texts of one grammar; the same generator state gives the same text."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, of about `budget` tokens at most.

        None if the grammar does not know the label.
        """
        raise NotImplementedError

    def adversarial(self, label: str) -> Iterator[str]:
        """Yield the texts of a label that programs trip over first: empty, quotes, limits."""
        raise NotImplementedError
