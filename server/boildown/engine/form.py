"""A text with its tree, in which some subtrees may be exchanged: what patterns are made of.

Filling goes from values to a text, reading from a text back to the values: it parses the text as a
whole and goes through both trees side by side. What is read from a text that was filled are the
values that were put in, unless they made something else of the text around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

from boildown import tree as trees
from boildown.engine.candidates import spliced
from boildown.engine.conditions import Value
from boildown.engine.language import Language
from boildown.tree import Leaf, Place, Tree

Path: TypeAlias = tuple[int, ...]
"""The child indices from the root of a tree to a subtree."""
Span: TypeAlias = tuple[int, int]
"""Start and end of a subtree in the text, the blanks before it left out."""

_Steps: TypeAlias = "dict[int, _Steps] | Path"
"""Where the paths of some holes lead from a node: a step for each child, or a hole's own path."""


REMEMBERED = 2000
"""Trees that are kept: the same texts are read again and again."""


@runtime_checkable
class Strict(Protocol):
    """A language that can tell sooner than by a tree that a text does not follow it."""

    def follows(self, text: str) -> bool:
        """Say whether the whole text follows the grammar."""


@dataclass(frozen=True, slots=True)
class Form:
    """A text and its tree. Compared by the text."""

    text: str
    tree: Tree
    valid: bool
    """Whether the text follows its language's grammar."""
    language: Language
    _read: dict[str, Tree | None] = field(default_factory=dict)
    """The trees of texts that were read before, as many as are worth keeping."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def span(self, path: Path) -> Span:
        """Return where the subtree at a path is."""
        return span(trees.place_at(self.tree, path))

    def value(self, path: Path) -> Value:
        """Return what stands at a path."""
        return _value(trees.place_at(self.tree, path).tree)

    def has(self, path: Path, where: Span, label: str) -> bool:
        """Say whether a path leads to a subtree with a span and a label."""
        place = trees.Place(self.tree, 0)
        for index in path:
            children = place.children()
            if not 0 <= index < len(children):
                return False
            place = children[index]
        return span(place) == where and place.tree.label == label

    def fill(self, values: Iterable[tuple[Span, str]]) -> str:
        """Return the text with other texts at some spans, which must not overlap."""
        splices = sorted((start, end, value) for (start, end), value in values)
        return spliced(self.text, splices, self.language.gap)

    def read(self, text: str, holes: Mapping[Path, str]) -> dict[Path, Value] | None:
        """Return what stands in the holes for this form to be another text, or None.

        `holes` tells the label of what may stand at a path. White space and comments between
        tokens don't count.
        """
        tree = self._tree(text)
        if tree is None:
            return None
        found: dict[Path, Value] = {}
        stack = [(_steps(holes), self.tree, tree)]
        while stack:
            steps, mine, other = stack.pop()
            if isinstance(steps, tuple):
                if not self.language.fits(holes[steps], other.label):
                    return None
                found[steps] = _value(other)
            elif not steps:
                if _words(mine) != _words(other):
                    return None
            elif isinstance(mine, Leaf) or isinstance(other, Leaf) or mine.label != other.label:
                return None
            else:
                ours, theirs = _children(mine.children), _children(other.children)
                if len(ours) != len(theirs):
                    return None
                for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
                    stack.append((steps.get(index, {}), left, right))
        return found

    def _tree(self, text: str) -> Tree | None:
        """Return the tree of a text, or None if it does not follow the grammar and should."""
        if text not in self._read:
            if len(self._read) >= REMEMBERED:
                self._read.clear()
            self._read[text] = self._parsed(text)
        return self._read[text]

    def _parsed(self, text: str) -> Tree | None:
        if self.valid and isinstance(self.language, Strict) and not self.language.follows(text):
            return None
        parsed = self.language.parse(text)
        return None if self.valid and not parsed.valid else parsed.tree


def form(text: str, language: Language) -> Form:
    """Return the form of a text."""
    parsed = language.parse(text)
    return Form(text, parsed.tree, parsed.valid, language)


def span(place: Place) -> Span:
    """Return where a subtree is in its root's text, the blanks before it left out."""
    return place.start + len(trees.first_prefix(place.tree)), place.end


def _value(tree: Tree) -> Value:
    return Value(trees.text(tree)[len(trees.first_prefix(tree)) :], tree)


def _steps(paths: Iterable[Path]) -> _Steps:
    root: dict[int, _Steps] = {}
    for path in paths:
        if not path:
            return ()
        steps = root
        for index in path[:-1]:
            deeper = steps.setdefault(index, {})
            assert isinstance(deeper, dict), "a hole lies inside another"
            steps = deeper
        steps[path[-1]] = path
    return root


def _words(tree: Tree) -> list[str]:
    return [leaf.text for leaf in trees.leaves(tree) if leaf.text]


def _children(children: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Leave out an empty leaf at the end, which holds the white space there."""
    last = children[-1] if children else None
    if isinstance(last, Leaf) and last.prefix and not last.text:
        return children[:-1]
    return children
