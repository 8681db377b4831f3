"""Conditions on the values of a hole: predicates that print in a pattern and go to JSON and back.

A hole accepts the texts of its nonterminal for which all its conditions hold. Some conditions look
at a text alone, others (the `structural` ones) at its tree, too. `engine.generalizing.learning`
proposes them; each is a small frozen dataclass, which this module lists in `CONDITION_KINDS`.

A worked example. In JSON, a hole `<value>` may hold any of these:

>>> from boildown.languages import load_language
>>> json_language = load_language("json")
>>> texts = ("7", "70", '"a<b"', '[7, "<"]', "[]", "null")
>>> values = [Value(text, json_language.parse(text).tree.children[0]) for text in texts]
>>> def tell(condition):
...     print(condition, "|", *[value.text for value in values if condition.holds(value)])

The text alone decides. `Numbers` holds for nothing but numbers:

>>> tell(Without("<"))
without < | 7 70 [] null
>>> tell(Containing("<"))
with < | "a<b" [7, "<"]
>>> tell(Except(("7", "null")))
except 7 null | 70 "a<b" [7, "<"] []
>>> tell(Numbers(0, 70, low_included=True))
0 <= it < 70 | 7

The tree decides. With a label, `Without` looks only inside the subtrees that have it, so a `<` in
a string that is in no array is allowed. `Lacking` forbids a token as a whole: `70` is another one
than `7`; inside the subtrees with a label it may be allowed. The alternatives of a value are told
by the labels of its children, its `shape`, which is `("NUMBER",)` for `7` and `("array",)` for
`[]`.

>>> tell(Without("<", inside="array"))
without < in array | 7 70 "a<b" [] null
>>> tell(Lacking("NUMBER", "7"))
without NUMBER 7 | 70 "a<b" [] null
>>> tell(Lacking("NUMBER", "7", outside="array"))
without NUMBER 7 outside array | 70 "a<b" [7, "<"] [] null
>>> tell(Lacking("array"))
without <array> | 7 70 "a<b" null
>>> tell(Alternatives((("NUMBER",), ("array",))))
NUMBER | array | 7 70 [7, "<"] []

Conditions of one kind on one hole become one:

>>> both((Without("<"),), Without('"'))
(Without(characters='"<', inside=''),)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from boildown import tree as trees
from boildown.decoding import FILLED, Must
from boildown.engine.numerals import Number, exact_number, fraction
from boildown.tree import Kind, Leaf, Node, Tree

Shape: TypeAlias = tuple[str, ...]
"""The labels of a subtree's children, which tell which alternative of its nonterminal it is."""

Bound: TypeAlias = Annotated[
    float, Must("a number of 300 digits at most", lambda number: abs(number) <= 1e300)
]
"""A bound of numbers, which may be whole."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a hole: a text with its tree."""

    text: str
    """Its text, without the white space and comments before it."""
    tree: Tree

    @property
    def shape(self) -> Shape:
        """Which alternative of its nonterminal it is."""
        return shape(self.tree)


def shape(tree: Tree) -> Shape:
    """Return the shape of a subtree: its children's labels; of a leaf, its own label."""
    if isinstance(tree, Leaf):
        return (tree.label,)
    if tree.kind is Kind.LIST:
        # Lists of different lengths are one alternative, but for the empty one.
        return (tree.label,) if tree.children else ()
    return tuple(child.label for child in tree.children)


def digits(value: Number) -> str:
    """Return a finite number in digits, with at most twelve after the point."""
    if isinstance(value, int):
        return str(value)
    scaled = round(abs(value) * 10**12)
    text = f"{scaled // 10**12}.{scaled % 10**12:012d}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 else text


def _exact(bound: Number) -> Number:
    """Return a bound as it is written: 0.1 is a tenth."""
    return bound if isinstance(bound, int) else fraction(repr(bound))


def spellings(digits: str, like: str) -> list[str]:
    """Return a number as it may be written where another one stands: as it is, or as wide.

    Where that one is padded with zeros, the padded number comes first.

    >>> spellings("7", "12"), spellings("7", "03"), spellings("-7", "-1")
    (['7', '07'], ['07', '7'], ['-7'])
    """
    sign = "-" if digits.startswith("-") else ""
    bare = like.lstrip("+-")
    if not bare.isdecimal():
        return [digits]
    wide = sign + digits.removeprefix("-").zfill(len(bare))
    is_padded = bare.startswith("0") and len(bare) > 1
    return list(dict.fromkeys((wide, digits) if is_padded else (digits, wide)))


@dataclass(frozen=True, slots=True)
class Without:
    """Forbids some characters, anywhere or only inside the subtrees with a label."""

    characters: Annotated[str, FILLED]
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
    """Requires a character."""

    character: Annotated[str, FILLED]
    kind: ClassVar[str] = "containing"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value has the character."""
        return self.character in value.text

    def __str__(self) -> str:
        return f"with {shown(self.character)}"


@dataclass(frozen=True, slots=True)
class Lacking:
    """Forbids subtrees with a label, or tokens with a label and a text."""

    label: str
    text: str = ""
    """Empty for any text."""
    outside: str = ""
    """The label of inner subtrees that are not looked into; empty to look into all."""
    kind: ClassVar[str] = "lacking"
    structural: ClassVar[bool] = True

    def holds(self, value: Value) -> bool:
        """Say whether no part of a value is one of these."""
        if self.text:
            return (self.label, self.text) not in tokens(value.tree, self.outside)
        return all(part.label != self.label for part in _parts(value.tree, self.outside))

    def __str__(self) -> str:
        banned = f"{self.label} {shown(self.text)}" if self.text else f"<{self.label}>"
        return f"without {banned}" + (f" outside {self.outside}" if self.outside else "")


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Requires one of some alternatives of the nonterminal."""

    shapes: Annotated[tuple[Shape, ...], FILLED]
    kind: ClassVar[str] = "alternatives"
    structural: ClassVar[bool] = True

    def holds(self, value: Value) -> bool:
        """Say whether a value is one of these alternatives."""
        return value.shape in self.shapes

    def __str__(self) -> str:
        return " | ".join(" ".join(map(unquoted, each)) or '""' for each in self.shapes)


@dataclass(frozen=True, slots=True)
class Except:
    """Forbids some texts."""

    texts: Annotated[tuple[str, ...], FILLED]
    kind: ClassVar[str] = "except"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value is none of the texts."""
        return value.text not in self.texts

    def __str__(self) -> str:
        return "except " + " ".join(text if text.isalnum() else shown(text) for text in self.texts)


@dataclass(frozen=True, slots=True)
class Numbers:
    """Requires a number within bounds."""

    low: Bound | None = None
    """None for no bound."""
    high: Bound | None = None
    low_included: bool = False
    high_included: bool = False
    kind: ClassVar[str] = "numbers"
    structural: ClassVar[bool] = False

    def holds(self, value: Value) -> bool:
        """Say whether a value is a number within the bounds."""
        found = exact_number(value.text)
        return found is not None and self.contains(found)

    def contains(self, found: Number) -> bool:
        """Say whether a number is within the bounds."""
        if self.low is not None:
            low = _exact(self.low)
            if found < low or (found == low and not self.low_included):
                return False
        if self.high is None:
            return True
        high = _exact(self.high)
        return found < high or (found == high and self.high_included)

    def around(self, inner: str) -> str:
        """Print the condition around the hole that it compares, such as `<int> < 0`."""
        below = "<=" if self.high_included else "<"
        if self.low is None:
            return inner if self.high is None else f"{inner} {below} {self.high}"
        if self.high is None:
            return f"{inner} {'>=' if self.low_included else '>'} {self.low}"
        return f"{self.low} {'<=' if self.low_included else '<'} {inner} {below} {self.high}"

    def __str__(self) -> str:
        return self.around("it")


Condition: TypeAlias = Without | Containing | Lacking | Alternatives | Except | Numbers

CONDITION_KINDS: dict[str, type[Condition]] = {
    each.kind: each for each in (Without, Containing, Lacking, Alternatives, Except, Numbers)
}
"""The conditions by their names in JSON."""


def both(conditions: Sequence[Condition], other: Condition) -> tuple[Condition, ...]:
    """Return the conjunction of some conditions and one more; those of one kind become one."""
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
    """Serialize a condition to JSON values; `decoding.decode` reads it."""
    return {"kind": condition.kind, **asdict(condition)}


def inner_texts(tree: Tree, label: str) -> Iterator[str]:
    """Yield the texts of all subtrees with a label."""
    for place in trees.places(tree):
        if place.tree.label == label:
            yield trees.text(place.tree)


def labels(tree: Tree) -> set[str]:
    """Return the labels of a tree's nodes, its root's and those of literals left out."""
    found = {place.tree.label for place in trees.places(tree) if place.parent is not None}
    return {label for label in found if not is_literal_label(label)}


def tokens(tree: Tree, outside: str = "") -> set[tuple[str, str]]:
    """Return label and text of a tree's leaves, those of literals left out.

    Those inside subtrees that are labelled `outside` are left out, too.
    """
    found = (part for part in _parts(tree, outside) if isinstance(part, Leaf))
    return {(leaf.label, leaf.text) for leaf in found if leaf.text and not is_literal(leaf)}


def _parts(tree: Tree, outside: str) -> Iterator[Tree]:
    """Yield a tree and its subtrees, but none at or inside those that are labelled `outside`."""
    stack = [tree]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, Node):
            stack += [each for each in part.children if not outside or each.label != outside]


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
    return isinstance(tree, Leaf) and is_literal_label(tree.label)


def is_literal_label(label: str) -> bool:
    """Say whether a label is a quoted literal, or the empty label of white space at the end."""
    return not label or label.startswith('"')
