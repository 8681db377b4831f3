"""The algebra of input sets: intersection, union and complement of patterns.

A set can say whether a text belongs to it, and make texts that do. Source: R. Gopinath, H. Nemati
and A. Zeller, Input Algebras, ICSE 2021; there grammars are combined, here texts are made of one
part and looked at by the others, a bounded number of times.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from boildown.engine.language import Language

SAMPLE_DRAWS = 1000
"""Texts that are drawn before a set is said to seem empty."""


class NoSample(Exception):  # noqa: N818 - an answer, not an error
    """No text was found that belongs to a set, in a bounded number of draws.

    >>> from random import Random
    >>> try:
    ...     parse_law("//price < 0", "json").sample(Random(0))
    ... except NoSample as error:
    ...     print(error)
    No input was found for which //price < 0 holds.
    """


class Texts:
    """A set of texts."""

    __slots__ = ()

    def matches(self, text: str) -> bool:
        """Say whether a text belongs to the set."""
        raise NotImplementedError

    def sample(self, rng: Random) -> str:
        """Return a random text of the set.

        Raises:
            NoSample: none was found.
        """
        raise NotImplementedError

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        raise NotImplementedError

    def __and__(self, other: Texts) -> Texts:
        return Intersection(self, other)

    def __or__(self, other: Texts) -> Texts:
        return Union(self, other)

    def __invert__(self) -> Texts:
        return Complement(self)


@dataclass(frozen=True, slots=True)
class Everything(Texts):
    """All texts that a language can make of a label."""

    language: Language
    label: str
    budget: int

    def matches(self, text: str) -> bool:
        """Say whether a text follows the language."""
        return self.language.valid(text)

    def sample(self, rng: Random) -> str:
        """Return a random text of the language."""
        text = self.language.sample(self.label, rng, self.budget)
        if text is None:
            raise NoSample(f"{self.language.name} can't make texts of its own.")
        return text

    def universe(self) -> Texts:
        """Return this set."""
        return self

    def __str__(self) -> str:
        return f"<{self.label}>"


@dataclass(frozen=True, slots=True)
class Intersection(Texts):
    """The intersection of two sets of texts."""

    left: Texts
    right: Texts

    def matches(self, text: str) -> bool:
        """Say whether a text belongs to both."""
        return self.left.matches(text) and self.right.matches(text)

    def sample(self, rng: Random) -> str:
        """Return a text made by one of the two that the other accepts."""
        pairs = [(self.left, self.right), (self.right, self.left)]
        positive = [pair for pair in pairs if not isinstance(pair[0], Complement)] or pairs
        for _ in range(SAMPLE_DRAWS):
            source, other = rng.choice(positive)
            text = source.sample(rng)
            if other.matches(text):
                return text
        raise NoSample(f"Of {SAMPLE_DRAWS} texts of {source}, none belongs to {other}.")

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        return self.left.universe()

    def __str__(self) -> str:
        return f"({self.left} & {self.right})"


@dataclass(frozen=True, slots=True)
class Union(Texts):
    """The union of two sets of texts."""

    left: Texts
    right: Texts

    def matches(self, text: str) -> bool:
        """Say whether a text belongs to one of them."""
        return self.left.matches(text) or self.right.matches(text)

    def sample(self, rng: Random) -> str:
        """Return a text of one of the two, each as likely."""
        first, second = rng.sample((self.left, self.right), 2)
        try:
            return first.sample(rng)
        except NoSample:
            return second.sample(rng)

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        return self.left.universe()

    def __str__(self) -> str:
        return f"({self.left} | {self.right})"


@dataclass(frozen=True, slots=True)
class Complement(Texts):
    """The texts of the language that do not belong to a set."""

    of: Texts

    def matches(self, text: str) -> bool:
        """Say whether a text follows the language and does not belong to the set."""
        return self.universe().matches(text) and not self.of.matches(text)

    def sample(self, rng: Random) -> str:
        """Return a random text of the language that does not belong to the set."""
        texts = self.universe()
        for _ in range(SAMPLE_DRAWS):
            text = texts.sample(rng)
            if not self.of.matches(text):
                return text
        raise NoSample(f"All of {SAMPLE_DRAWS} random texts belong to {self.of}.")

    def universe(self) -> Texts:
        """Return the set of all texts of the language."""
        return self.of.universe()

    def __str__(self) -> str:
        return f"~{self.of}"
