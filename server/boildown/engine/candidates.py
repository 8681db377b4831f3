"""Makes candidates from the best tree: subtrees replaced, list items deleted, or a new text.

The text of a candidate is spliced from the best text, so proposing one costs a copy of the text and
no walk over the tree; the tree follows only if the candidate is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.engine.problem import Candidate, Problem, is_smaller
from boildown.tree import Kind, Leaf, Node, Place, Tree

Splice: TypeAlias = tuple[int, int, str]
"""Start and end (offsets in the best text) and the text that replaces it."""

_OPERATORS = frozenset("+-*/<>=&|!%^~.:?@$#")


def retext(problem: Problem, new: str) -> Candidate:
    """Make a candidate of any text; it may leave the language, and is parsed if it is accepted."""
    return Candidate(new, lambda: problem.language.parse(new).tree, free=True)


def edited(problem: Problem, edits: Sequence[tuple[Place, Tree]]) -> Candidate:
    """Make a candidate with some subtrees replaced, of which none may lie inside another.

    What comes in may take over the white space and comments before what goes.
    """
    moved = [(place, trees.inherit_prefix(new, place.tree)) for place, new in edits]
    moved.sort(key=lambda edit: edit[0].start)
    splices = [(place.start, place.end, trees.text(new)) for place, new in moved]
    wanted = spliced(problem.text, splices, problem.language.gap)
    root = problem.tree

    def build() -> Tree:
        return _spaced(problem.language, trees.replace(root, moved), wanted)

    return Candidate(wanted, build, splices=splices)


def hoisted(problem: Problem, place: Place, inner: Place) -> Candidate:
    """Make a candidate with a subtree's descendant in its stead.

    Its text is a part of the best text, so that no walk over it is needed, however large it is.
    """
    root, text = problem.tree, problem.text
    prefix, indents = trees.prefix_for(inner.tree, place.tree)
    inside = text[slice(*inner.span)]
    if not inner.tree.width or (indents is not None and not {"\r", "\n"}.isdisjoint(inside)):
        return edited(problem, [(place, inner.tree)])
    wanted = spliced(text, [(place.start, place.end, prefix + inside)], problem.language.gap)

    def build() -> Tree:
        moved = trees.inherit_prefix(inner.tree, place.tree)
        return _spaced(problem.language, trees.replace(root, [(place, moved)]), wanted)

    return Candidate(wanted, build)


def removed(problem: Problem, place: Place) -> Candidate | None:
    """Make a candidate without an option's child, or return None if it has none."""
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
    """The offsets of a list's items, measured once for many candidates."""

    problem: Problem
    place: Place
    node: Node
    """The list itself, which is the tree of the place."""
    children: tuple[Place, ...]
    """The places of items and separators."""

    def __len__(self) -> int:
        return self.node.count

    def item(self, index: int) -> Place:
        """The place of one item."""
        return self.children[index * self.node.stride]

    def without(self, ranges: Iterable[tuple[int, int]]) -> Candidate | None:
        """Make a candidate without the items of some ranges (ascending, each low to before high).

        None if fewer would be left than the list must hold.
        """
        gone, node = list(ranges), self.node
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
        """Return the splices that leave out the items of some ranges.

        Ranges that touch become one, so that a list loses one separator for each of them.
        """
        return [splice for low, high in trees.merged(ranges) for splice in self._cut(low, high)]

    def _cut(self, low: int, high: int) -> list[Splice]:
        """Cut a range out; of a separated list with one separator fewer, too."""
        if low > 0:
            before = self.children[low * self.node.stride - 1]
            start = before.start if self.node.separated else before.end
            return [(start, self.item(high - 1).end, "")]
        if high == len(self):
            return [(self.item(0).start, self.item(high - 1).end, "")]
        # What becomes the first item may take over the white space of the old first one.
        inherited = trees.first_prefix(trees.heir(self.node, high))
        return [(self.item(0).start, self.item(high).span[0], inherited)]


def items(problem: Problem, place: Place) -> Items:
    """Measure the items of the list at a place of the best tree, in time linear in their number."""
    assert isinstance(place.tree, Node)
    assert place.tree.kind is Kind.LIST
    return Items(problem, place, place.tree, tuple(place.children()))


def spliced(text: str, splices: Iterable[Splice], gap: str) -> str:
    """Apply splices, given in ascending order, to a text.

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


def apart(parts: Sequence[Tree], gap: str) -> list[Tree]:
    """Return subtrees that are to stand side by side, with `gap` where tokens would merge."""
    return [
        trees.with_prefix(part, before + trees.first_prefix(part)) if before else part
        for before, part in zip(_gaps(map(trees.text, parts), gap), parts, strict=True)
    ]


def joined(texts: Sequence[str], gap: str) -> str:
    """Concatenate tokens, with `gap` where two would merge into one."""
    return "".join(before + text for before, text in zip(_gaps(texts, gap), texts, strict=True))


def _gaps(texts: Iterable[str], gap: str) -> Iterator[str]:
    """Yield the separator needed before each of some texts: `gap`, or nothing."""
    last = ""
    for text in texts:
        yield gap if merge(last, text[:1]) else ""
        last = text[-1:] or last


def rewritten(problem: Problem, edits: Iterable[Sequence[Splice]]) -> Iterator[Candidate]:
    """Make candidates by splices (each edit's in ascending order), of texts that parse.

    No text is proposed twice.
    """
    language, best = problem.language, problem.text
    worth = parsable(problem)
    seen: set[str] = set()
    for splices in edits:
        wanted = spliced(problem.text, splices, language.gap)
        if wanted not in seen and is_smaller(wanted, best):
            seen.add(wanted)
            # The first goes on from the parse of the best text, the second parses all of it.
            if problem.accepts(wanted) and worth(wanted):
                yield Candidate(
                    wanted,
                    lambda wanted=wanted: language.parse(wanted).tree,  # type: ignore[misc]
                    splices=splices,
                )


def parsable(problem: Problem) -> Callable[[str], bool]:
    """Return a test of whether a text parses; where the best doesn't, of having no new errors."""
    language, best = problem.language, problem.text
    accepts = None if language.valid(best) else language.checker(best)

    def asked(text: str) -> bool:
        problem.check()
        return language.valid(text) if accepts is None else accepts(text, best)

    return asked


def merge(left: str, right: str) -> bool:
    """Say whether a token that ends and one that begins with a character would merge into one."""
    if not left or not right:
        return False
    if left in _OPERATORS:
        return right in _OPERATORS
    return _in_word(left) and _in_word(right)


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _spaced(language: Language, tree: Tree, wanted: str) -> Tree:
    """Return the tree with the gaps that splicing put into its text, or else parse that text."""
    if tree.width == len(wanted) and trees.text(tree) == wanted:
        return tree
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
