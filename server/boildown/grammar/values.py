"""What a parser makes of a production whose parts it has found.

The value of a nonterminal is its node; that of one that makes no node is a list of subtrees, which
belongs to its parent and may be changed by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boildown.grammar.core import Core, Production, Shape
from boildown.tree import Leaf, Tree, leaves


def is_plain(core: Core, production: Production) -> bool:
    """Say whether a production makes an ordinary node with its parts as the children."""
    shape = core.shape(production.left)
    return (
        shape == Shape(shape.label)
        and not any(_joined_parts(core, production))
        and not core.passes_on(production)
    )


def builder(core: Core, production: Production) -> Callable[[list[Any]], Any]:
    """Return what makes the value of a production from the values of its parts."""
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
