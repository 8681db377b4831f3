"""Candidates made from the best tree: subtrees replaced, list items left out, or a new text.

The text of a candidate is spliced from the best text, so proposing one costs a copy of the text and
no walk over the tree; the tree follows only if the candidate is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.problem import Candidate, Problem, key
from boildown.tree import Kind, Leaf, Node, Place, Tree

Splice: TypeAlias = tuple[int, int, str]
"""Start, end (offsets in the best text) and what stands there instead."""

EMPTY = Leaf("", "")

_OPERATORS = frozenset("+-*/<>=&|!%^~.:?@$#")


def retext(problem: Problem, new: str) -> Candidate:
    """Propose a text of which nothing is known; it is parsed if it is accepted."""
    return Candidate(new, lambda: problem.language.parse(new).tree, free=True)


def edited(problem: Problem, edits: Sequence[tuple[Place, Tree]]) -> Candidate:
    """Propose to replace subtrees, which must not lie inside one another.

    What comes in may take over the white space and comments before what goes.
    """
    moved = [(place, trees.inherit_prefix(new, place.tree)) for place, new in edits]
    moved.sort(key=lambda edit: edit[0].start)
    splices = [(place.start, place.end, trees.text(new)) for place, new in moved]
    wanted = spliced(problem.text, splices, problem.language.gap)
    root = problem.tree
    return Candidate(wanted, lambda: _spaced(problem.language, trees.replace(root, moved), wanted))


def removed(problem: Problem, place: Place) -> Candidate | None:
    """Propose to take away an optional child, or None if the node has none."""
    if not isinstance(place.tree, Node) or not place.tree.children:
        return None
    empty = trees.with_children(place.tree, ())
    wanted = spliced(problem.text, [(place.start, place.end, "")], problem.language.gap)
    root = problem.tree
    return Candidate(
        wanted, lambda: _spaced(problem.language, trees.replace(root, [(place, empty)]), wanted)
    )


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a list where it stands, measured once for many candidates."""

    problem: Problem
    place: Place
    children: tuple[Place, ...]
    step: int
    """2 where separators stand between the items, else 1."""

    def __len__(self) -> int:
        return (len(self.children) + self.step - 1) // self.step

    def item(self, index: int) -> Place:
        """The place of one item."""
        return self.children[index * self.step]

    def width(self, low: int, high: int) -> int:
        """The length of the items from `low` to before `high`, what is between them included."""
        return self.item(high - 1).end - self.item(low).start

    def without(self, ranges: Iterable[tuple[int, int]]) -> Candidate | None:
        """Propose the list without the items of some ranges (ascending, each low to before high).

        None if fewer would be left than the list must hold.
        """
        gone = list(ranges)
        node = self.place.tree
        assert isinstance(node, Node)
        if len(self) - sum(high - low for low, high in gone) < node.least:
            return None
        splices = self.cuts(gone)
        problem, root = self.problem, self.problem.tree
        wanted = spliced(problem.text, splices, problem.language.gap)

        def build() -> Tree:
            dropped = {index for low, high in gone for index in range(low, high)}
            kept = trees.with_items(node, (i for i in range(len(self)) if i not in dropped))
            return _spaced(problem.language, trees.replace(root, [(self.place, kept)]), wanted)

        return Candidate(wanted, build)

    def cuts(self, ranges: Sequence[tuple[int, int]]) -> list[Splice]:
        """Return what to cut from the text to leave out the items of some ranges."""
        return [splice for low, high in _joined(ranges) for splice in self._cut(low, high)]

    def _cut(self, low: int, high: int) -> list[Splice]:
        """Cut a range out; of a separated list with one separator fewer, too."""
        if low > 0:
            before = self.children[low * self.step - 1]
            start = before.end if self.step == 1 else before.start
            return [(start, self.item(high - 1).end, "")]
        if high == len(self) or self.step == 1:
            return [(self.item(0).start, self.item(high - 1).end, "")]
        heir = self.item(high)
        prefix = len(trees.first_prefix(heir.tree))
        inherited = trees.first_prefix(trees.inherit_prefix(heir.tree, self.item(0).tree))
        return [(self.item(0).start, heir.start + prefix, inherited)]


def items(problem: Problem, place: Place) -> Items:
    """Measure the items of the list at a place of the best tree."""
    assert isinstance(place.tree, Node)
    assert place.tree.kind is Kind.LIST
    return Items(problem, place, tuple(place.children()), 2 if place.tree.separated else 1)


def spliced(text: str, splices: Iterable[Splice], gap: str) -> str:
    """Return the text with some pieces replaced, given in ascending order.

    Where two tokens that would read as one come to touch, `gap` is put between them.
    """
    parts: list[str] = []
    last = ""
    at = 0
    for start, end, new in [*splices, (len(text), len(text), "")]:
        kept = text[at:start]
        for piece, touched in (
            (kept, last == text[at - 1 : at]),
            (new, new[:1] == text[start : start + 1]),
        ):
            if piece:
                if not touched and merge(last, piece[0]):
                    parts.append(gap)
                parts.append(piece)
                last = piece[-1]
        at = end
    return "".join(parts)


def apart(parts: Iterable[Tree], gap: str) -> list[Tree]:
    """Return trees that are to stand side by side, with `gap` where tokens would read as one."""
    placed: list[Tree] = []
    last = ""
    for part in parts:
        own = trees.text(part)
        if own and merge(last, own[0]):
            part, own = trees.with_prefix(part, gap + trees.first_prefix(part)), gap + own
        placed.append(part)
        last = own[-1:] or last
    return placed


def rewritten(problem: Problem, edits: Iterable[Sequence[Splice]]) -> Iterator[Candidate]:
    """Propose texts with some pieces replaced, given in ascending order: those that can be parsed.

    No text is proposed twice.
    """
    language, best = problem.language, key(problem.text)
    worth = parsable(problem)
    seen: set[str] = set()
    for splices in edits:
        wanted = spliced(problem.text, splices, language.gap)
        if wanted not in seen and key(wanted) < best:
            seen.add(wanted)
            if worth(wanted):
                yield Candidate(wanted, lambda wanted=wanted: language.parse(wanted).tree)  # type: ignore[misc]


def parsable(problem: Problem) -> Callable[[str], bool]:
    """Return a test of whether a text can be parsed; if the best can't, whether it is as good."""
    language = problem.language
    if language.parse(problem.text).valid:
        return lambda text: language.parse(text).valid
    return language.checker(problem.text)


def merge(left: str, right: str) -> bool:
    """Say whether a token that ends so and one that begins so would read as one."""
    if not left or not right:
        return False
    if left in _OPERATORS:
        return right in _OPERATORS
    return _in_word(left) and _in_word(right)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _joined(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that touch, so that a list loses one separator per gap."""
    joined: list[tuple[int, int]] = []
    for low, high in ranges:
        if joined and joined[-1][1] == low:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return joined


def _spaced(language: Language, tree: Tree, wanted: str) -> Tree:
    """Return the tree with the gaps that splicing put into its text; a fresh one if need be."""
    gaps: list[tuple[Place, Tree]] = []
    at = 0
    for place in trees.places(tree):
        leaf = place.tree
        if isinstance(leaf, Leaf):
            own = leaf.prefix + leaf.text
            if not wanted.startswith(own, at) and wanted.startswith(language.gap + own, at):
                own = language.gap + own
                gaps.append((place, trees.with_prefix(leaf, language.gap + leaf.prefix)))
            elif not wanted.startswith(own, at):
                break
            at += len(own)
    return trees.replace(tree, gaps) if at == len(wanted) else language.parse(wanted).tree
