"""The pattern from the chain of a reduction: the pieces that stayed, and gaps for the rest.

A reduction leads from an input as people write it to the smallest one. Where it only left text out,
the smallest is made of pieces of the original, and what stood between them is one of the texts that
may stand there. How much else may is found by filling each gap in the smallest input and in the
original: with lines of the original, with single characters, with other pieces. The pattern matches
the original, and its evidence comes from inputs that are made of the original's lines.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import closing
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from random import Random

from boildown.engine.generalizing.examine import draws
from boildown.engine.generalizing.generalization import Generalization
from boildown.engine.generalizing.joint import below_goal
from boildown.engine.oracle import Outcome
from boildown.engine.patterns.bounds import lower_bound
from boildown.engine.patterns.conditions import Without
from boildown.engine.patterns.hole import Evidence, Hole
from boildown.engine.patterns.pattern import Instance, Pattern
from boildown.engine.patterns.pieces import Gap, Piece, Pieces, joins_word
from boildown.engine.patterns.template import template_of
from boildown.engine.problem import key

MOST_PIECES = 8
"""Pieces of an original that are told apart. A text in more of them is too little of it."""
LONGEST_BASE = 300
"""Characters of the longest text that is looked for in the original."""
MOST_SOUGHT = 24
"""Pieces that a text is looked for in. Those with nothing but white space between are one, then."""
MOST_CHAINS = 2
"""Texts whose pieces are tried, each with all its gaps."""
MOST_BASES = 50
"""Texts that are looked for in the original, the shortest ones."""
MOST_BETWEEN = 50
"""Texts between one of them and the original through which its characters are followed."""
LONGEST_KEPT = 60
"""Characters of a gap that stay in the pattern where nothing else may stand."""
LINES_BESIDE = 2
"""Lines of a gap that stay beside a piece, at most, where the whole gap can't be another text."""
RANDOM_FILLERS = 8
"""Random texts that are tried in a gap."""
LEAST_REPRODUCED = 3
"""Texts for a gap that must reproduce, none of which passes."""
LINES_KEPT = 200
"""Lines of the original that random texts are made of."""
MOST_WITHOUT = 3
"""Characters that a gap excludes, at most."""
MOST_CULPRITS = 2
"""Characters that make a text pass only together, such as two brackets: one is excluded."""
SHORTEST_RUN = 16
"""Characters of the shortest text without blanks of which the length is looked at."""
RUN_STARTS = 4
"""Words of it from which on it may be another text, the first ones."""
TRIALS = 60
"""Inputs that the evidence of all gaps together rests on."""
DRAWS = 300
"""Inputs that are drawn for it; the rest may be invalid."""
LEAST_BOUND = 0.85
"""The least bound on the share of such inputs that fail, as for parts (`anywhere`)."""
ROUNDS = 6
"""How often a gap is narrowed by an input that passes."""
MARKS = string.punctuation.replace("_", "")
"""Characters that often mean something."""
_WORD = re.compile(r"\w+")
_LONG = re.compile(rf"\S{{{SHORTEST_RUN},}}")
_UNBROKEN = re.compile(r"\S+")
_LINE = re.compile(r"(?m)^")
_BLOCK = re.compile(r"(?m)^(?=\S)")
_NARROWER = (Gap.ANYTHING, Gap.AFTER, Gap.BEFORE, Gap.LINES, Gap.LINE, Gap.BLANK)


def find_chain(state: Generalization, original: str, met: Iterable[str], others: Set[str]) -> bool:
    """Give the pattern the pieces of the original, if inputs with them do fail; say if it has them.

    `met` are failing texts that the reduction met, of which the shortest that lies in the original
    is the pattern's text; those among `others` fail in another way, and say nothing. The oracle may
    raise `Stop`. Where too many inputs pass, all stays as it was.
    """
    for chain in _chains(state, original, met, others):
        if not chain.find_gaps() or (found := chain.measured()) is None:
            continue
        pattern, evidence = found
        if pattern.matches(original):
            state.template, state.joint, state.anywhere = pattern.template, evidence, False
            state.holes = [replace(hole, evidence=evidence) for hole in pattern.holes]
            if evidence.lower_bound < state.options.goal:
                state.notes.append(below_goal(state))
            return True
    return False


def _chains(
    state: Generalization, original: str, met: Iterable[str], others: Set[str]
) -> Iterator[_Chain]:
    """Yield the pieces of the shortest texts that lie in the original in few, then whole lines."""
    texts = {text for text in (*met, state.template.text) if lies_in(text, original)}
    larger = [*sorted(texts - {original}, key=key), original]
    tightest: Sequence[int] = ()
    yielded = 0
    for number, base in enumerate(larger[:MOST_BASES]):
        if len(base) > LONGEST_BASE or base == original or yielded == MOST_CHAINS:
            break
        if not base.strip():
            continue
        found = (_followed(base, larger[number + 1 :]), *_outermost(base, original))
        ways = {tuple(offsets) for offsets in found if offsets is not None}
        for offsets in sorted(ways, key=_reach):
            tightest = min(tightest or offsets, offsets, key=_reach)
            parts = _parted(original, offsets)
            if len(parts) > 2 * MOST_PIECES + 1:
                parts = _parted(original, [*with_blanks(original, offsets)])
            chain = _Chain(state, original, others, parts)
            if len(parts) <= 2 * MOST_PIECES + 1 and chain.is_needed():
                yielded += 1
                yield chain
                break
    if tightest:
        chain = _Chain(state, original, others, _parted(original, tightest))
        for parts in chain.windows():
            chain.parts = parts
            yield chain


def _reach(offsets: Sequence[int]) -> int:
    return offsets[-1] - offsets[0]


def with_blanks(original: str, offsets: Sequence[int]) -> Iterator[int]:
    """Yield offsets with those between two of them where the original only has white space.

    >>> [*with_blanks("a ( b", [2, 4])]
    [2, 3, 4]
    """
    for at, after in pairwise([*offsets, offsets[-1] + 1]):
        yield from range(at, after if original[at + 1 : after].isspace() else at + 1)


def _outermost(base: str, original: str) -> Iterator[list[int] | None]:
    """Yield the first and the last place in an original that is made of a text's pieces."""
    yield _offsets(pieces_of(base, original))
    last = _offsets(pieces_of(base[::-1], original[::-1]))
    yield None if last is None else [len(original) - 1 - at for at in reversed(last)]


def _offsets(spans: list[tuple[int, int]] | None) -> list[int] | None:
    return None if spans is None else [at for start, end in spans for at in range(start, end)]


def lies_in(inner: str, text: str) -> bool:
    """Say whether a text is left if some characters of another one go."""
    at = -1
    return all((at := text.find(each, at + 1)) >= 0 for each in inner)


def _parted(original: str, offsets: Sequence[int]) -> list[_Part]:
    """Return the parts of an original by the offsets of the characters that stayed.

    Pieces and gaps take turns, with a gap on either side. A piece that begins or ends inside a word
    has the whole word.
    """
    kept = set(offsets)
    for at in offsets:
        for step in (-1, 1):
            there = at
            while joins_word(original, max(there, there + step)):
                there += step
                kept.add(there)
    edges = {at for one in kept for at in (one, one + 1) if (at in kept) is not (at - 1 in kept)}
    spans = pairwise([0, *sorted(edges), len(original)])
    texts = [original[start:end] for start, end in spans]
    return [_Part(_GAP, text) if at % 2 == 0 else _literal(text) for at, text in enumerate(texts)]


def _followed(base: str, larger: Sequence[str]) -> list[int] | None:
    """Return the offset in the last text of each character of the base; None if it is not in it.

    It is followed through the texts between, so that of several places the right one is found.
    """
    offsets, inner = list(range(len(base))), base
    for text in [*larger[:-1][:: len(larger) // MOST_BETWEEN + 1], *larger[-1:]]:
        if len(text) > len(inner) and (found := embedded(inner, text)) is not None:
            offsets, inner = [found[at] for at in offsets], text
    return offsets if larger and inner == larger[-1] else None


def embedded(inner: str, text: str) -> list[int] | None:
    """Return the offset in a text of each character of one that is left if some of it goes.

    Lines are compared first, then the characters of those that differ. None if there is no way, or
    none in few pieces.
    """
    if len(inner) <= LONGEST_BASE and (found := _offsets(pieces_of(inner, text))) is not None:
        return found
    mine, other = inner.splitlines(keepends=True), text.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, other))]
    offsets: list[int] = []
    for tag, low, high, begin, end in SequenceMatcher(None, mine, other, False).get_opcodes():
        start = starts[begin]
        if tag == "equal":
            offsets += range(start, starts[end])
        elif tag != "insert":
            changed = "".join(mine[low:high])
            spans = pieces_of(changed, text[start : starts[end]])
            if len(changed) > LONGEST_BASE or spans is None:
                return None
            offsets += [start + at for one, two in spans for at in range(one, two)]
    return offsets


def pieces_of(base: str, original: str) -> list[tuple[int, int]] | None:
    """Return the spans of the pieces of an original that make up a text, as few as can be.

    Each is as near to the next as it can be. None if there are none, or too many.

    >>> pieces_of("[](", "see [this page](")
    [(4, 5), (14, 16)]
    """
    # By the number of pieces: how much of the text is found, how early, and what came before.
    reached: list[dict[int, tuple[int, int]]] = [{0: (0, 0)}]
    while len(base) not in reached[-1]:
        if len(reached) > MOST_SOUGHT:
            return None
        found: dict[int, tuple[int, int]] = {}
        for done, (end, _) in reached[-1].items():
            at = end
            for upto in range(done + 1, len(base) + 1):
                at = original.find(base[done:upto], at)
                if at < 0:
                    break
                after = at + upto - done
                if upto not in found or after < found[upto][0]:
                    found[upto] = after, done
        if not found:
            return None
        reached.append(found)
    spans: list[tuple[int, int]] = []
    upto = len(base)
    for found in reversed(reached[1:]):
        after, done = found[upto]
        if spans:
            after = original.rfind(base[done:upto], 0, spans[0][0]) + upto - done
        spans.insert(0, (after - (upto - done), after))
        upto = done
    return spans


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the pattern, with the text of it in the original."""

    piece: Piece
    gone: str
    passed: str | None = None
    """The shortest text that passes because of what stands there."""


_GAP = Piece("", Gap.ANYTHING)


def _literal(text: str) -> _Part:
    return _Part(Piece(text), text)


@dataclass(slots=True)
class _Chain:
    """The pieces and gaps of an original, as far as they are known."""

    state: Generalization
    original: str
    others: Set[str]
    parts: list[_Part]
    """Of the smallest text: gaps are empty in it."""
    more: list[str] = field(default_factory=list)
    """Texts of gaps that refuted one, for each is tried in all."""
    valid: bool = field(init=False)
    """Whether all inputs follow the grammar, as original and smallest text do."""

    def __post_init__(self) -> None:
        language = self.state.template.language
        self.valid = language.valid(self.original) and language.valid(self._text(self.parts))

    @staticmethod
    def _text(parts: Iterable[_Part]) -> str:
        return "".join(part.piece.text for part in parts)

    def is_needed(self) -> bool:
        """Say whether the smallest text fails, and the original passes without each of its pieces.

        Of those in a line, one is enough: the others may be there to make it long.
        """
        if self._outcome(self._text(self.parts)) is not Outcome.REPRODUCED:
            return False
        line, needed = 0, dict[int, bool]()
        for at, part in enumerate(self.parts[1:-1], 1):
            if part.piece.text.strip() and not needed.get(line):
                needed[line] = self._without(at) is not Outcome.REPRODUCED
            line += part.gone.count("\n")
        return all(needed.values())

    def _span(self, index: int) -> tuple[int, int]:
        """Return start and end of a part in the original."""
        start = sum(len(part.gone) for part in self.parts[:index])
        return start, start + len(self.parts[index].gone)

    def _without(self, at: int) -> Outcome:
        """Return the outcome of the original without a piece; its line or block, if that says more.

        A block begins with a line that is not indented.
        """
        text = self.original
        start, end = self._span(at)
        around = [(start, end)]
        for edges in self._lines_and_blocks():
            low = max(at for at in edges if at <= start)
            around.append((low, min(at for at in edges if at >= end)))
        for low, high in around:
            outcome = self._outcome(text[:low] + text[high:])
            if outcome in (Outcome.REPRODUCED, Outcome.PASSED):
                return outcome
        return Outcome.INVALID

    def windows(self) -> Iterator[list[_Part]]:
        """Yield the parts of the original where all lines with a piece are one, then all blocks."""
        text, first, last = self.original, self.parts[0].gone, self.parts[-1].gone
        for edges in self._lines_and_blocks():
            start = max(at for at in edges if at <= len(first))
            end = min(at for at in edges if at >= len(text) - len(last))
            if end - start <= LONGEST_BASE:
                low, high = self._trimmed(start, start + len(text[start:end].removesuffix("\n")))
                inner, after = text[low:high], text[high:]
                yield [_Part(_GAP, text[:low]), _literal(inner), _Part(_GAP, after)]

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of a failing part of the original without words at its ends."""
        for side in (0, 1):
            words = [*_UNBROKEN.finditer(self.original, start, end)]
            size = len(words) // 2
            while size:
                kept = words[size:] if side == 0 else words[:-size]
                low, high = (kept[0].start(), end) if side == 0 else (start, kept[-1].end())
                if self._outcome(self.original[low:high]) is Outcome.REPRODUCED:
                    start, end, words = low, high, kept
                    size = min(size, len(words) - 1)
                else:
                    size //= 2
        return start, end

    def _lines_and_blocks(self) -> tuple[list[int], list[int]]:
        """Return the offsets of lines, and of those that are not indented, with the text's end."""
        found = (_LINE.finditer(self.original), _BLOCK.finditer(self.original))
        lines, blocks = ([0, *(at.start() for at in each), len(self.original)] for each in found)
        return lines, blocks

    def find_gaps(self) -> bool:
        """Settle each gap, and find the words that are free; say whether all is known."""
        if self._outcome(self._text(self.parts)) is not Outcome.REPRODUCED:
            return False
        index = 0
        while index < len(self.parts):
            if self.parts[index].piece.gap is not None and not self._settled(index):
                return False
            index += 1
        self.parts = [*_joined(self.parts)]
        self._find(_LONG, self._as_run)
        self._find(_WORD, self._as_word)
        return True

    def _settled(self, index: int) -> bool:
        """Settle a gap, or keep lines of it; say whether anything is known."""
        part = self.parts[index]
        widest = part.piece.gap or Gap.ANYTHING
        # Between the pieces of a line people write the rest of it.
        is_inner = 0 < index < len(self.parts) - 1
        if is_inner and widest is Gap.ANYTHING and "\n" not in part.gone:
            widest = Gap.LINE
        gaps = _NARROWER[_NARROWER.index(widest) :]
        return self._settle(index, gaps) or self._keep(index)

    def _settle(self, index: int, gaps: Sequence[Gap]) -> bool:
        """Give a gap the widest reading that no text refutes; say whether there is one.

        Where there is none, a short text stays as it is.
        """
        gone = self.parts[index].gone
        for gap in gaps:
            piece = self._apart(index, Piece("", gap))
            if not gap.holds(gone, 0, len(gone)):
                continue
            for _ in range(MOST_WITHOUT + 1):
                self._put(index, piece)
                filler = self._refuting(index)
                if filler is None:
                    return True
                mark = self._culprit(index, filler)
                if mark is None or mark in gone:
                    break
                piece = replace(piece, without=piece.without + mark)
        self._put(index, _GAP)
        if len(gone) > LONGEST_KEPT:
            return False
        before = self.parts[index]
        self._put(index, Piece(gone))
        if self._outcome(self._text(self.parts)) is Outcome.REPRODUCED:
            return True
        self.parts[index] = before
        return False

    def _put(self, index: int, piece: Piece) -> None:
        self.parts[index] = replace(self.parts[index], piece=piece)

    def _apart(self, index: int, piece: Piece) -> Piece:
        """Return a gap in which no word joins one beside it, where that is so in the original."""
        is_apart = _GAP.holds(self.original, *self._span(index))
        return piece if is_apart else replace(piece, apart=False)

    def _keep(self, index: int) -> bool:
        """Keep the lines of a gap beside its piece, as few as help; say whether some do."""
        parts, gone = self.parts, self.parts[index].gone
        lines = gone.splitlines(keepends=True)
        for size in range(1, min(LINES_BESIDE, len(lines)) + 1):
            at = len("".join(lines[:-size] if index == 0 else lines[:size]))
            one, two = gone[:at], gone[at:]
            kept = [_literal(one), _Part(_GAP, two)] if index else [_Part(_GAP, one), _literal(two)]
            self.parts = [*parts[:index], *kept, *parts[index + 1 :]]
            if self._outcome(self._text(self.parts)) is Outcome.REPRODUCED and (
                self._settle(index + (index > 0), _NARROWER)
            ):
                return True
        self.parts = parts
        return False

    def _refuting(self, index: int) -> str | None:
        """Return a text for a gap that passes; an empty one if too few say anything."""
        fillers = list(dict.fromkeys(self._fillers(index)))
        texts: dict[str, str] = {}
        for filler in fillers:
            texts.setdefault(self._filled(index, filler), filler)
        for filler in ("", *fillers[:LEAST_REPRODUCED]):
            texts.setdefault(self._filled(index, filler, in_original=True), filler)
        reproduced = 0
        for text, outcome in self._outcomes(texts):
            if outcome is Outcome.PASSED and self.state.refutes(text):
                self._note(index, text)
                return texts[text]
            reproduced += outcome is Outcome.REPRODUCED
        return None if reproduced >= LEAST_REPRODUCED else ""

    def _note(self, index: int, text: str) -> None:
        known = self.parts[index].passed
        if known is None or key(text) < key(known):
            self.parts[index] = replace(self.parts[index], passed=text)

    def _fillers(self, index: int) -> Iterator[str]:
        """Yield texts for a gap that fit it: marks, the original one, random ones."""
        piece, gone = self.parts[index].piece, self.parts[index].gone
        raw = ["x", *self.more, gone, "0 y", " ", "\n", "\n\n"]
        if piece.gap in (Gap.ANYTHING, Gap.LINE):
            literals = (part.piece.text for part in self.parts if part.piece.gap is None)
            raw = ["x", MARKS, *literals, *raw]
        if piece.gap is Gap.LINE and gone.strip():
            raw.append(f"{gone}, {gone}")
        language, rng = self._language(self.parts), Random(index)
        raw += (language.sample(piece.label, rng, 0) or "" for _ in range(RANDOM_FILLERS))
        for text in raw:
            yield from _adapted(piece, text)

    def _language(self, parts: Iterable[_Part]) -> Pieces:
        pieces = tuple(part.piece for part in parts)
        return Pieces(self.state.template.language, pieces, tuple(self._lines()), self.valid)

    def _filled(self, index: int, filler: str, in_original: bool = False) -> str:
        """Return the smallest text, or the original, with a text in a gap."""
        texts = [part.gone if in_original else part.piece.text for part in self.parts]
        before, after = "".join(texts[:index]), "".join(texts[index + 1 :])
        piece = self.parts[index].piece
        return before + (_apart(before, filler, after, piece) if piece.apart else filler) + after

    def _culprit(self, index: int, filler: str) -> str | None:
        """Return a character without which a text passes no more, of as few as can be."""
        marks = [each for each in MARKS if each in filler]
        size = len(marks)
        while size:
            for at in range(0, len(marks), size):
                fewer = marks[:at] + marks[at + size :]
                text = self._filled(index, "".join(fewer))
                if fewer and self._outcome(text) is Outcome.PASSED:
                    marks = fewer
                    break
            else:
                size //= 2
            size = min(size, len(marks) - 1)
        passes = marks and self._outcome(self._filled(index, "".join(marks))) is Outcome.PASSED
        return marks[-1] if passes and len(marks) <= MOST_CULPRITS else None

    def _as_run(self, index: int) -> list[_Part] | None:
        """Let a long text without blanks be any one that is as long, where its length decides."""
        text = self.parts[index].gone
        for word in [*_WORD.finditer(text)][:RUN_STARTS]:
            at, size = word.start(), len(text) - word.start()

            def made(size: int, of: str = "x", at: int = at) -> str:
                return text[:at] + (of * size)[:size]

            longer = [made(size), made(size, "ab-c.d/"), made(2 * size, "ef/")]
            if size < SHORTEST_RUN or not self._all_fail(index, longer):
                continue
            low, high = 1, size
            while low < high:
                middle = (low + high) // 2
                fails = self._outcome(self._filled(index, made(middle))) is Outcome.REPRODUCED
                low, high = (low, middle) if fails else (middle + 1, high)
            if high < SHORTEST_RUN:
                return None
            shorter = self._filled(index, made(high - 1))
            is_refuted = self._outcome(shorter) is Outcome.PASSED
            piece = Piece(text[at:], Gap.RUN, least=high)
            run = _Part(piece, text[at:], shorter if is_refuted else None)
            return [_literal(text[:at]), run] if at else [run]
        return None

    def _as_word(self, index: int) -> list[_Part] | None:
        """Let a word be any other one, where all that are tried reproduce."""
        own = self.parts[index].gone
        whole = self._text(self.parts)
        if len(re.findall(rf"\b{re.escape(own)}\b", whole)) != 1:
            return None
        others = ["7", "0", "4321"] if own.isdigit() else ["x", "Value_2", own[::-1] + "s"]
        words = _WORD.findall("\n".join(self._lines()[:20]))
        if not self._all_fail(index, [*others, *words[:60:20]]):
            return None
        return [_Part(Piece(own, Gap.WORD), own)]

    def _find(self, text: re.Pattern[str], read: Callable[[int], list[_Part] | None]) -> None:
        """Read matches in literals, a part each, in another way where it can be."""
        index = 0
        while index < len(self.parts):
            part = self.parts[index]
            for found in [] if part.piece.gap is not None else text.finditer(part.gone):
                before, after = part.gone[: found.start()], part.gone[found.end() :]
                parts = self.parts
                self.parts = [*parts[:index], _literal(before), _literal(found[0]),
                              _literal(after), *parts[index + 1 :]]  # fmt: skip
                if (made := read(index + 1)) is not None:
                    self.parts[index + 1 : index + 2] = made
                    index += len(made)
                    break
                self.parts = parts
            index += 1
        self.parts = [*_joined(self.parts)]

    def _all_fail(self, index: int, texts: Sequence[str]) -> bool:
        """Say whether smallest text and original fail with each of some texts in a part."""
        tried = [self._filled(index, each) for each in texts]
        tried += [self._filled(index, each, in_original=True) for each in texts[:2]]
        reproduced = 0
        for _, outcome in self._outcomes(tried):
            if outcome is Outcome.PASSED:
                return False
            reproduced += outcome is Outcome.REPRODUCED
        return reproduced >= LEAST_REPRODUCED

    def measured(self) -> tuple[Pattern, Evidence] | None:
        """Narrow the gaps until they hold together; return the pattern with its evidence."""
        for _ in range(ROUNDS):
            pattern = self.pattern()
            evidence, passed = self._measured(pattern)
            if passed is None or evidence.lower_bound >= LEAST_BOUND:
                break
            if not self._narrowed(pattern, passed):
                break
        return (pattern, evidence) if evidence.lower_bound >= LEAST_BOUND else None

    def pattern(self) -> Pattern:
        """Return the pattern of the parts as they are."""
        template = template_of(self._text(self.parts), self._language(self.parts))
        holes, at = [], 0
        for index, part in enumerate(self.parts):
            piece, end = part.piece, at + len(part.piece.text)
            if piece.gap is not None:
                conditions = (Without(piece.without),) if piece.without else ()
                hole = Hole(piece.label, piece.label, (index,), at, end, conditions)
                holes.append(replace(hole, counterexample=part.passed))
            at = end
        plain = self.state.pattern([])
        return replace(plain, template=template, anywhere=False, around=()).with_holes(holes)

    def _measured(self, pattern: Pattern) -> tuple[Evidence, str | None]:
        """Return the evidence of all gaps together, and an input that passed, if one did."""
        evidence, passed = Evidence(), None
        wanted = min(self.state.options.samples, TRIALS)
        instances = (each.text for each in draws(pattern, self.state.fork(), DRAWS))
        for text, outcome in self._outcomes(instances, are_valid=self.valid):
            evidence = evidence.plus(outcome)
            if outcome is Outcome.PASSED and passed is None and self.state.refutes(text):
                passed = text
            hopeless = lower_bound(wanted - evidence.passed, wanted) < LEAST_BOUND
            if evidence.trials >= wanted or hopeless:
                break
        return evidence, passed

    def _narrowed(self, pattern: Pattern, passed: str) -> bool:
        """Narrow the gap whose text makes an input pass; say whether there is one.

        Where none does so alone, words that are free alone are not free together.
        """
        values = pattern.read(passed)
        assert values is not None
        gaps = [index for index, part in enumerate(self.parts) if part.piece.gap is not None]
        for index, value in zip(gaps, values, strict=True):
            if self.parts[index].piece.gap in _NARROWER:
                for in_original in (False, True):
                    text = self._filled(index, value.text, in_original)
                    if self._outcome(text) is Outcome.PASSED:
                        self._note(index, text)
                        self.more.append(value.text)
                        return self._settled(index)
        words = [part for part in self.parts if part.piece.gap is Gap.WORD]
        parts = (_literal(part.gone) if part in words else part for part in self.parts)
        self.parts = [*_joined(parts)]
        return bool(words)

    def _lines(self) -> list[str]:
        """Return lines of the original, without those of pieces."""
        gaps = [part.gone for part in self.parts if part.piece.gap is not None]
        lines = [line for gone in gaps for line in gone.split("\n")[1:-1]]
        return (lines or self.original.split("\n"))[:LINES_KEPT]

    def _outcome(self, text: str) -> Outcome:
        return next((outcome for _, outcome in self._outcomes([text])), Outcome.INVALID)

    def _outcomes(
        self, texts: Iterable[str], are_valid: bool = False
    ) -> Iterator[tuple[str, Outcome]]:
        """Yield texts with their outcomes, but for those that alone break the grammar.

        A failure of another kind says nothing.
        """
        state = self.state
        language = state.template.language

        def instances() -> Iterator[Instance]:
            for text in texts:
                state.check()
                if are_valid or not self.valid or text in state.known or language.valid(text):
                    yield Instance(text, ())

        with closing(state.ask(instances())) as answers:
            for instance, outcome in answers:
                is_other = instance.text in self.others
                yield instance.text, Outcome.INVALID if is_other else outcome


def _joined(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Yield parts, literals that stand side by side as one; empty ones are left out."""
    text = ""
    for part in parts:
        if part.piece.gap is None:
            text += part.gone
            continue
        if text:
            yield _literal(text)
            text = ""
        yield part
    if text:
        yield _literal(text)


def _adapted(piece: Piece, text: str) -> Iterator[str]:
    """Yield a text as it fits a gap."""
    text = "".join(each for each in text if each not in piece.without)
    if piece.gap is Gap.LINE:
        yield from text.split("\n")[:2]
    elif piece.gap is Gap.BLANK:
        if text.isspace():
            yield text
    else:
        begins = piece.gap in (Gap.AFTER, Gap.LINES) and not text.startswith("\n")
        ends = piece.gap in (Gap.BEFORE, Gap.LINES) and not text.endswith("\n")
        yield "\n" * begins + text + "\n" * ends


def _apart(before: str, filler: str, after: str, piece: Piece) -> str:
    """Return a text for a gap with blanks where it would join a word."""
    for wider in (filler, f" {filler}", f"{filler} ", f" {filler} "):
        whole = before + wider + after
        if not filler or _GAP.holds(whole, len(before), len(before) + len(wider)):
            return wider
    return filler
