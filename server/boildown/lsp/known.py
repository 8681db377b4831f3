"""The pattern that is known of a failing input in an open document, kept at its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boildown.history import difference, normal
from boildown.targets import InputKind, Target

if TYPE_CHECKING:
    from boildown.jobs.generalize import Generalized
    from boildown.lsp.documents import Document


@dataclass(frozen=True, slots=True)
class Known:
    """A pattern that was found, with the place of the input that it is about."""

    target: Target
    """As it was when the job began."""
    found: Generalized
    instances: tuple[str, ...]
    """Some inputs of the pattern."""
    when: str
    """When it was found, for a person."""
    start: int
    """Where the input is now, in code points."""
    end: int
    holds: str
    """The input now: the text that the job began with, or that of the pattern."""

    @property
    def is_reduced(self) -> bool:
        """Whether the document holds the very text that the pattern was measured on."""
        return normal(self.holds) == normal(self.found.pattern.text)

    @property
    def numbers(self) -> list[int]:
        """The numbers by which people tell the holes apart; those of one name share theirs."""
        names = [hole.name for hole in self.found.pattern.holes]
        told = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
        return [told[name] for name in names]

    def at(self, document: Document) -> int | None:
        """Return the offset in a document where the pattern's text stands letter by letter.

        None where it does not, as in a literal with escapes, or where the input is not reduced.
        """
        text = normal(self.found.pattern.text)
        return document.spelled(text, self.start, self.end) if self.is_reduced else None

    def moved(self, before: Document, after: Document) -> Known | None:
        """Return it for the next version of the document; None if the input is another one."""
        start, end, new = difference(before.text, after.text)
        is_whole = self.target.kind is InputKind.DOCUMENT
        if end <= self.start and not is_whole:
            by = len(new) - (end - start)
            return replace(self, start=self.start + by, end=self.end + by)
        if start >= self.end and not is_whole:
            return self
        rest = len(before.text) - self.end
        return self._with(after, len(after.text) - rest)

    def _with(self, document: Document, end: int) -> Known | None:
        """Return it for an input that was replaced, if by one that it is about."""
        now = normal(document.text[self.start : end])
        for text in (self.found.pattern.text, self.target.text):
            if now == normal(self.target.written(text)):
                return replace(self, end=end, holds=text)
        return None
