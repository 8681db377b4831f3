"""What a hole's values must be like, beside being of its nonterminal.

A condition is a value: it says of a text whether it holds, prints in a pattern, and goes to JSON
and back. Some ask for the text alone, others (`structural` ones) for its tree, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, TypeAlias

from boildown import tree as trees
from boildown.tree import Kind, Leaf, Node, Tree

Shape: TypeAlias = tuple[str, ...]
"""The labels of a subtree's children, which tell the alternative that was taken."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Value:
    """What stands in a hole."""

    text: str
    """Without the white space and comments before it."""
    tree: Tree

    @property
    def shape(self) -> Shape:
        """Which alternative of its nonterminal it is."""
        return shape(self.tree)


def shape(tree: Tree) -> Shape:
    """Return the labels of the children; of a leaf its own, and of a list that it is not empty."""
    if isinstance(tree, Leaf):
        return (tree.label,)
    if tree.kind is Kind.LIST:
        return (tree.label,) if tree.children else ()
    return tuple(child.label for child in tree.children)


def number(text: str) -> int | float | None:
    """Return the number that a text is, infinite beyond a double's range; None if it is none."""
    if _NUMBER.fullmatch(text) is None or len(text) > 300:
        return None
    if text.lstrip("+-").isdecimal():
        return int(text)
    return float(text)


@dataclass(frozen=True, slots=True)
class Without:
    """None of some characters, anywhere or only inside the parts with a label."""

    characters: str
    inside: str = ""
    """A label; empty for the whole value."""
    kind: ClassVar[str] = "without"

    @property
    def structural(self) -> bool:
        """Whether the tree decides, not the text alone."""
        return bool(self.inside)

    def holds(self, value: Value) -> bool:
        """Say whether a value has none of the characters."""
        texts = inner_texts(value.tree, self.inside) if self.inside else (value.text,)
        return not any(char in text for text in texts for char in self.characters)

    def __str__(self) -> str:
        listed = " ".join(shown(char) for char in self.characters)
        return f"without {listed}" + (f" in {self.inside}" if self.inside else "")


@dataclass(frozen=True, slots=True)
class Containing:
    """At least one of a character."""

    character: str
    kind: ClassVar[str] = "containing"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value has the character."""
        return self.character in value.text

    def __str__(self) -> str:
        return f"with {shown(self.character)}"


@dataclass(frozen=True, slots=True)
class Lacking:
    """No part with a label, or none with a label and a text."""

    label: str
    text: str = ""
    """Empty for any text."""
    kind: ClassVar[str] = "lacking"
    structural: ClassVar[bool] = True

    def holds(self, value: Value) -> bool:
        """Say whether no part of a value is one of these."""
        if self.text:
            return (self.label, self.text) not in tokens(value.tree)
        return all(place.tree.label != self.label for place in trees.places(value.tree))

    def __str__(self) -> str:
        return (
            f"without {self.label} {shown(self.text)}" if self.text else f"without <{self.label}>"
        )


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of some alternatives of the nonterminal."""

    shapes: tuple[Shape, ...]
    kind: ClassVar[str] = "alternatives"
    structural: ClassVar[bool] = True

    def holds(self, value: Value) -> bool:
        """Say whether a value is one of these alternatives."""
        return value.shape in self.shapes

    def __str__(self) -> str:
        return " | ".join(" ".join(map(unquoted, each)) or '""' for each in self.shapes)


@dataclass(frozen=True, slots=True)
class Except:
    """None of some texts."""

    texts: tuple[str, ...]
    kind: ClassVar[str] = "except"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value is none of the texts."""
        return value.text not in self.texts

    def __str__(self) -> str:
        return "except " + " ".join(text if text.isalnum() else shown(text) for text in self.texts)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number between bounds."""

    low: int | float | None = None
    """None for no bound."""
    high: int | float | None = None
    low_included: bool = False
    high_included: bool = False
    kind: ClassVar[str] = "numbers"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value is a number within the bounds."""
        found = number(value.text)
        return found is not None and self.contains(found)

    def contains(self, found: int | float) -> bool:
        """Say whether a number is within the bounds."""
        if self.low is not None and not (
            found > self.low or (self.low_included and found == self.low)
        ):
            return False
        return self.high is None or found < self.high or (self.high_included and found == self.high)

    def around(self, inner: str) -> str:
        """Return the condition with what is compared in its place, such as `<int> < 0`."""
        below = "<=" if self.high_included else "<"
        if self.low is None:
            return inner if self.high is None else f"{inner} {below} {self.high}"
        if self.high is None:
            return f"{inner} {'>=' if self.low_included else '>'} {self.low}"
        return f"{self.low} {'<=' if self.low_included else '<'} {inner} {below} {self.high}"

    def __str__(self) -> str:
        return self.around("it")


Condition: TypeAlias = Without | Containing | Lacking | Alternatives | Except | Numbers

KINDS: dict[str, type[Condition]] = {
    each.kind: each for each in (Without, Containing, Lacking, Alternatives, Except, Numbers)
}
"""The conditions by their names in JSON."""


def both(conditions: Sequence[Condition], other: Condition) -> tuple[Condition, ...]:
    """Return some conditions with one more, as few as say the same."""
    for index, mine in enumerate(conditions):
        joined = _joined(mine, other)
        if joined is not None:
            return (*conditions[:index], joined, *conditions[index + 1 :])
    return (*conditions, other)


def _joined(mine: Condition, other: Condition) -> Condition | None:
    if isinstance(mine, Without) and isinstance(other, Without) and mine.inside == other.inside:
        return Without("".join(sorted({*mine.characters, *other.characters})), mine.inside)
    if isinstance(mine, Alternatives) and isinstance(other, Alternatives):
        return Alternatives(tuple(each for each in mine.shapes if each in other.shapes))
    if isinstance(mine, Except) and isinstance(other, Except):
        return Except(tuple(sorted({*mine.texts, *other.texts})))
    return mine if mine == other else None


def to_json(condition: Condition) -> dict[str, Any]:
    """Return a condition as what JSON can hold."""
    return {"kind": condition.kind, **asdict(condition)}


def from_json(values: Mapping[str, Any]) -> Condition:
    """Return the condition that `to_json` made these values of.

    Raises:
        ValueError: they are no condition; the message says why.
    """
    if not isinstance(values, Mapping) or values.get("kind") not in KINDS:
        raise ValueError(f"a condition's kind is one of {', '.join(KINDS)}")
    found = {key: _frozen(value) for key, value in values.items() if key != "kind"}
    try:
        return KINDS[values["kind"]](**found)
    except TypeError:
        raise ValueError(f"{sorted(found)} are not the keys of {values['kind']!r}") from None


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def inner_texts(tree: Tree, label: str) -> Iterator[str]:
    """Yield the texts of all parts of a tree with a label."""
    for place in trees.places(tree):
        if place.tree.label == label:
            yield trees.text(place.tree)


def labels(tree: Tree) -> set[str]:
    """Return the labels of a tree's nodes, its root's and those of literals left out."""
    found = {place.tree.label for place in trees.places(tree) if place.parent is not None}
    return {label for label in found if label and not label.startswith('"')}


def tokens(tree: Tree) -> set[tuple[str, str]]:
    """Return label and text of a tree's leaves, those of literals left out."""
    found = trees.leaves(tree)
    return {(leaf.label, leaf.text) for leaf in found if leaf.text and not is_literal(leaf)}


def shown(text: str) -> str:
    """Return a text as it can stand in a line: control characters and blanks are escaped."""
    if text and text.isprintable() and not text.isspace():
        return text
    return json.dumps(text)


def unquoted(label: str) -> str:
    """Return a label; of a literal, its text."""
    if len(label) > 1 and label.startswith('"') and label.endswith('"'):
        try:
            return shown(str(json.loads(label)))
        except ValueError:
            return label
    return label


def is_literal(tree: Tree) -> bool:
    """Say whether a subtree is a fixed text of the grammar, or white space at the end."""
    return isinstance(tree, Leaf) and (not tree.label or tree.label.startswith('"'))


def is_node(tree: Tree) -> bool:
    """Say whether a subtree has children of its own."""
    return isinstance(tree, Node) and bool(tree.children)
