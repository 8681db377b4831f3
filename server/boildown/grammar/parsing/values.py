"""Builds the value of a reduced production: a node, or subtrees for its parent.

The value of a nonterminal is its node; that of one that makes no node is a list of subtrees, which
belongs to its parent and may be changed by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from boildown.grammar.parsing.core import Core, Production, Shape
from boildown.tree import Leaf, Tree, leaves

_ChainBuilder: TypeAlias = "tuple[Callable[[list[Any]], Any] | None, tuple[bool, ...]]"
"""Makes a production's node, if it makes one; and which of the production's parts are chains."""


def is_plain(core: Core, production: Production) -> bool:
    """Say whether a production makes an ordinary node with its parts as the children."""
    shape = core.shape(production.left)
    return (
        shape == Shape(shape.label)
        and not any(_joined_parts(core, production))
        and not core.passes_on(production)
    )


def builder(core: Core, production: Production) -> Callable[[list[Any]], Any]:
    """Return the function from the values of a production's parts to its value."""
    shape = core.shape(production.left)
    joined = _joined_parts(core, production)
    if shape.atomic:
        return lambda parts: _leaf(shape.label, _join([], parts, joined))
    if core.passes_on(production):
        return lambda parts: parts[0]
    if shape.kind is None:
        if joined[:1] == [True]:
            return lambda parts: _join(parts[0], parts[1:], joined[1:])
        return lambda parts: _join([], parts, joined)
    if joined == [True]:
        return lambda parts: shape.node(tuple(parts[0]))
    if any(joined):
        return lambda parts: shape.node(tuple(_join([], parts, joined)))
    return lambda parts: shape.node(tuple(parts))


def _joined_parts(core: Core, production: Production) -> list[bool]:
    return [
        not core.is_terminal(symbol) and core.shape(symbol).kind is None
        for symbol in production.right
    ]


def _join(before: list[Tree], parts: list[Any], joined: list[bool]) -> list[Tree]:
    for part, is_list in zip(parts, joined, strict=True):
        if is_list:
            before.extend(part)
        else:
            before.append(part)
    return before


def _leaf(label: str, parts: list[Tree]) -> Leaf:
    """Return one leaf of all the text of some subtrees."""
    inner = [leaf for part in parts for leaf in leaves(part)]
    if not inner:
        return Leaf(label, "")
    text = "".join(leaf.prefix + leaf.text for leaf in inner)[len(inner[0].prefix) :]
    return Leaf(label, text, inner[0].prefix, inner[0].start)


class TreeValues:
    """Builds the trees of an LR parse that may take steps back.

    Like `builder`, but nothing that was made is changed any more: the subtrees of a nonterminal
    that makes no node are a chain of rows, `(chain before, row)`, and chains may be shared.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._builders: dict[Production, _ChainBuilder] = {}

    def reduced(self, production: Production, values: list[Any]) -> Any:
        """Return the value of a production; `values` are those on the stack, the top first."""
        values.reverse()
        values += map(self.missing, production.right[len(values) :])
        build, is_chain = self._builders.get(production) or self._builder(production)
        if build is not None:
            if any(is_chain):
                pairs = zip(values, is_chain, strict=True)
                values = [unrolled(value) if chain else value for value, chain in pairs]
            return build(values)
        # A repetition is left-recursive: linking one more row to the chain takes constant time,
        # where a copy of all items so far would take quadratic time in total.
        if is_chain[:1] == (True,):
            return values[0], tuple(_flat(values[1:], is_chain[1:]))
        return None, tuple(_flat(values, is_chain))

    def missing(self, symbol: int) -> Any:
        """Return the value of a symbol that is inserted: a leaf without text, or an empty chain."""
        if not self._core.is_terminal(symbol) and self._core.shape(symbol).kind is None:
            return None, ()
        return Leaf(self._core.label(symbol), "")

    def childless(self, symbol: int) -> Any:
        """Return the node of a nonterminal of which nothing was found."""
        return self._core.shape(symbol).node(())

    def _builder(self, production: Production) -> _ChainBuilder:
        makes_node = self._core.shape(production.left).kind is not None
        is_chain = tuple(_joined_parts(self._core, production))
        found = builder(self._core, production) if makes_node else None, is_chain
        self._builders[production] = found
        return found


class NoValues:
    """Builds nothing: for an LR parse of which only the moves matter, as it is tried out."""

    def reduced(self, production: Production, values: list[Any]) -> None:
        """Return no value of a production."""

    def missing(self, symbol: int) -> None:
        """Return no value of a symbol that is inserted."""

    def childless(self, symbol: int) -> None:
        """Return no value of a nonterminal of which nothing was found."""


def _flat(values: list[Any], is_chain: tuple[bool, ...]) -> Iterator[Tree]:
    for value, chain in zip(values, is_chain, strict=True):
        if chain:
            yield from unrolled(value)
        else:
            yield value


def unrolled(chain: Any) -> list[Tree]:
    """Return the subtrees of a chain of rows."""
    rows = []
    while chain is not None:
        chain, row = chain
        rows.append(row)
    return [tree for row in reversed(rows) for tree in row]
