"""Pieces of a text with gaps between them: a language of the texts that hold them in this order.

A reduction that only leaves text out shows which pieces of an input matter. What stood between them
is free, within limits that a few runs show: anything, text of one line, whole lines. Such a
language has no grammar of its own, so a pattern of it matches inputs as people write them, the
original among them. Each part is a leaf of the tree: a literal, or a gap, whose label says what may
stand in it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import Annotated, Any

from boildown.decoding import COUNT, FILLED
from boildown.engine.language import NO_REWRITING, Check, Expansions, Language, Parsed, Rewriting
from boildown.tree import Leaf, Node

ROOT = "text"
"""The label of the root of each tree."""
MOST_LINES = 12
"""Lines of other inputs that are put into a gap, at most."""
LINE_DRAWS = 10
"""Lines, or parts of one, that are drawn to find some whose brackets and quotes close."""
EMPTY_SHARE = 0.2
"""The share of the texts for a gap that are empty."""
_OVER_LINES = ('"""', "'''", "```", "~~~", "/*", "*/", "<!--", "-->")
"""What begins or ends a text over lines: of a part of it, nothing tells which of the two."""
_WORD = re.compile(r"\w+")
_RUN = re.compile(r"\S+")
_BREAK = re.compile(r"[ \t\r]*\n")
_BLANK = re.compile(r"\n[ \t]*")


class Gap(Enum):
    """A kind of text between two pieces, the widest first; the value is how it is shown."""

    ANYTHING = "…"
    AFTER = "⏎…"
    """Nothing, or anything that begins with the blank rest of a line."""
    BEFORE = "…⏎"
    """Nothing, or anything that ends with the blank begin of one."""
    LINES = "⏎…⏎"
    LINE = "line"
    """Anything without a line break."""
    BLANK = "blank"
    WORD = "word"
    """One word, as long as it is: letters, digits and `_`."""
    RUN = "run"
    """Characters without a blank among them, as many as there are."""

    def holds(self, text: str, start: int, end: int) -> bool:
        """Say whether it may stand from `start` to `end` of a text."""
        if self in _WHOLE:
            return _WHOLE[self].fullmatch(text, start, end) is not None
        if start == end or self is Gap.ANYTHING:
            return True
        if self is Gap.LINE:
            return text.find("\n", start, end) < 0
        if self is Gap.BLANK:
            return text[start:end].isspace()
        if self is not Gap.BEFORE and not _BREAK.match(text, start, end):
            return False
        return self is Gap.AFTER or _BLANK.fullmatch(text, _line(text, start, end), end) is not None


_WHOLE = {Gap.WORD: _WORD, Gap.RUN: _RUN}
"""The gaps that end where their text does, whatever comes behind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text: a literal, or a gap with its text."""

    text: str
    """What stands there in the text of the pattern."""
    gap: Gap | None = None
    """None for a literal."""
    without: str = ""
    """Characters that may not stand in the gap."""
    apart: bool = True
    """Whether a word in the gap may not join one beside it."""
    least: Annotated[int, COUNT] = 0
    """Characters of the shortest text that may stand in the gap."""

    @property
    def label(self) -> str:
        """The label of its leaf."""
        if self.gap is None:
            return f'"{self.text}"'
        return f"{self.least}+ characters" if self.least else self.gap.value

    def holds(self, text: str, start: int, end: int) -> bool:
        """Say whether the gap may reach from `start` to `end` of a text."""
        assert self.gap is not None
        if end - start < self.least:
            return False
        if self.apart and start < end and (joins_word(text, start) or joins_word(text, end)):
            return False
        return self.gap.holds(text, start, end) and not self.excludes(text, start, end)

    @property
    def needs_break(self) -> bool:
        """Whether a line break must stand in the gap, where it is not empty."""
        return self.gap in (Gap.AFTER, Gap.BEFORE, Gap.LINES)

    def may_begin(self, text: str, at: int) -> bool:
        """Say whether the gap may begin at an offset, as far as that alone tells."""
        if self.apart and joins_word(text, at):
            return False
        begins = self.gap in (Gap.AFTER, Gap.LINES)
        return not begins or _BREAK.match(text, at) is not None

    def excludes(self, text: str, start: int, end: int) -> bool:
        """Say whether a forbidden character stands there."""
        return any(text.find(each, start, end) >= 0 for each in self.without)


def _line(text: str, start: int, end: int) -> int:
    """Return the offset of the last line break of a part of a text; its start if it has none."""
    return max(text.rfind("\n", start, end), start)


def joins_word(text: str, at: int) -> bool:
    """Say whether a word goes on over an offset."""
    return 0 < at < len(text) and all(_WORD.match(each) for each in text[at - 1 : at + 1])


@dataclass(frozen=True)
class Pieces:
    """The language of the texts of another one that have these parts, and nothing else."""

    inner: Language
    """The language in which the pieces stand."""
    parts: tuple[Piece, ...]
    """No two gaps stand side by side, but for words."""
    lines: tuple[str, ...] = ()
    """Lines of inputs, which random texts are made of."""
    follows_inner: bool = False
    """Whether a text must follow the inner language's grammar, too."""
    gap: str = ""
    scope: Mapping[str, str] = field(default_factory=dict)
    rewriting: Rewriting = NO_REWRITING
    words: tuple[str, ...] = ()
    strict: bool = True

    @property
    def name(self) -> str:
        """The name of the language in which the pieces stand."""
        return self.inner.name

    def parse(self, text: str) -> Parsed:
        """Read a text part by part; one that lacks a piece is a single leaf."""
        ends = self._ends(text)
        if ends is None:
            return Parsed(Node(ROOT, (Leaf(ROOT, text, "", 0),)), valid=False)
        spans = zip(self.parts, (0, *ends), ends, strict=False)
        leaves = (Leaf(part.label, text[low:high], "", low) for part, low, high in spans)
        return Parsed(Node(ROOT, tuple(leaves)), valid=self._follows(text))

    def _ends(self, text: str) -> tuple[int, ...] | None:
        """Return where each part ends in a text; None if it does not hold them in this order.

        For each part all ends are found that those before it allow, each with where that one began:
        this takes as many steps as there are pairs of neighbouring pieces in the text.
        """
        reached: list[dict[int, int]] = []
        ends: list[int] = [0]
        waiting: Piece | None = None
        for part in self.parts:
            if part.gap is not None and part.gap not in _WHOLE:
                waiting = part
                continue
            before: dict[int, int] = {}
            found: dict[int, int] = {}
            begun = None if waiting is None else _begun(waiting, text, ends)
            for start, end in _standing(part, text, ends if begun is None else None):
                first = start if begun is None else begun(start)
                if first is not None:
                    before[start] = first
                    found.setdefault(end, start)
            if not found:
                return None
            reached += [found] if waiting is None else [before, found]
            ends, waiting = sorted(found), None
        if waiting is not None:
            first = _begun(waiting, text, ends)(len(text))
            if first is None:
                return None
            reached.append({len(text): first})
        elif len(text) not in reached[-1]:
            return None
        at, backwards = len(text), []
        for part_ends in reversed(reached):
            backwards.append(at)
            at = part_ends[at]
        return tuple(reversed(backwards))

    def fits(self, slot: str, label: str) -> bool:
        """Say whether labels are the same."""
        return slot == label

    def valid(self, text: str) -> bool:
        """Say whether a text has all parts, and follows the inner language if it must."""
        return self._ends(text) is not None and self._follows(text)

    def _follows(self, text: str) -> bool:
        return not self.follows_inner or self.inner.valid(text)

    def checker(self, text: str) -> Check:
        """Return a check of whether a text has all parts."""
        return lambda new, _near: self.valid(new)

    def shortest(self, label: str) -> str | None:
        """Return None: the shortest text for a gap is not known."""
        return None

    def expansions(self, label: str) -> Expansions | None:
        """Return None: a leaf has no alternatives."""
        return None

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a text for a gap, made of lines of inputs; None for a literal."""
        found = next((each for each in self.parts if each.label == label), None)
        return None if found is None or found.gap is None else self._drawn(found, rng)

    def _drawn(self, part: Piece, rng: Random) -> str:
        gap = part.gap
        if gap in _WHOLE:
            words = [word[0] for line in self.lines for word in _WORD.finditer(line)] or ["x"]
            text = rng.choice(words)
            while len(text) < part.least:
                text += rng.choice("-./") + rng.choice(words)
            return text
        if rng.random() < EMPTY_SHARE:
            return ""
        if gap is Gap.BLANK:
            return rng.choice((" ", "\n", "  ", "\n\n", "\t"))
        if gap is Gap.LINE:
            for _ in range(LINE_DRAWS):
                line = rng.choice(self.lines or ("x",)).strip()
                cuts = [0, *(at for word in _WORD.finditer(line) for at in word.span()), len(line)]
                low, high = sorted(rng.choices(cuts, k=2))
                if _is_balanced(line[low:high]):
                    break
            return line[low:high]
        # Whole blocks, as far as indentation shows them.
        blocks = [at for at, line in enumerate(self.lines) if line[:1].strip()] or [0]
        for _ in range(LINE_DRAWS):
            at = rng.choice(blocks)
            ends = [end for end in (*blocks, len(self.lines)) if 0 < end - at <= MOST_LINES]
            inner = "\n".join(self.lines[at : rng.choice(ends or [at + 1])])
            if _is_balanced(inner):
                break
        begins = gap in (Gap.AFTER, Gap.LINES) or rng.random() < 0.5
        breaks = gap in (Gap.BEFORE, Gap.LINES) or rng.random() < 0.5
        return "\n" * begins + inner + "\n" * breaks

    def to_json(self) -> dict[str, Any]:
        """Serialize all but the inner language; `StoredPieces` reads it."""
        parts = [
            {"text": each.text, "gap": None if each.gap is None else each.gap.value,
             "without": each.without, "apart": each.apart, "least": each.least}
            for each in self.parts
        ]  # fmt: skip
        return {"parts": parts, "lines": list(self.lines), "follows_inner": self.follows_inner}


@dataclass(frozen=True, slots=True)
class StoredPieces:
    """The pieces of a pattern as its JSON has them."""

    parts: Annotated[tuple[Piece, ...], FILLED]
    lines: tuple[str, ...]
    follows_inner: bool

    def pieces(self, inner: Language) -> Pieces:
        """Return the language that is meant."""
        return Pieces(inner, self.parts, self.lines, self.follows_inner)


def _standing(part: Piece, text: str, starts: list[int] | None) -> Iterator[tuple[int, int]]:
    """Yield the spans of a literal, a word or a run: anywhere, or where one of the starts is."""
    if part.gap is not None:
        inner = _WHOLE[part.gap]
        spans = (each.span() for each in inner.finditer(text))
        if starts is not None:
            found = (inner.match(text, at) for at in starts)
            spans = (each.span() for each in found if each is not None)
        for start, end in spans:
            if part.holds(text, start, end):
                yield start, end
    elif starts is not None:
        for at in starts:
            if text.startswith(part.text, at):
                yield at, at + len(part.text)
    else:
        at = text.find(part.text)
        while at >= 0:
            yield at, at + len(part.text)
            at = text.find(part.text, at + 1)


def _is_balanced(text: str) -> bool:
    """Say whether brackets and quotes of a text seem to close in it."""
    return (
        all(text.count(one) == text.count(two) for one, two in ("()", "[]", "{}"))
        and not any(text.count(quote) % 2 for quote in "\"'`")
        and not any(mark in text for mark in _OVER_LINES)
    )


def _begun(gap: Piece, text: str, ends: list[int]) -> Callable[[int], int | None]:
    """Return a function that finds the last of the `ends` from which a gap reaches to an offset.

    What may not stand in a gap from the nearest of them may not from a farther one, either; only a
    line break may still come.
    """
    starts = [at for at in ends if gap.may_begin(text, at)]
    empty = frozenset(() if gap.least else ends)

    def begun(end: int) -> int | None:
        if end in empty:
            return end
        for index in range(bisect_left(starts, end) - 1, -1, -1):
            start = starts[index]
            if gap.holds(text, start, end):
                return start
            if not gap.needs_break or text.find("\n", start, end) >= 0:
                return None
        return None

    return begun
