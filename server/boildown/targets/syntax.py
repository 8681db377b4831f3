"""Queries of parso's trees: the nodes around and in a node, statements, names, elements.

parso's trees have no types.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def up(node: Any) -> Iterator[Any]:
    """Yield a node and all those around it, the module last."""
    while node is not None:
        yield node
        node = node.parent


def statements(suite: Any) -> Iterator[Any]:
    """Yield the statements of a module or a suite, simple ones without their line."""
    for child in getattr(suite, "children", ()):
        yield child.children[0] if child.type == "simple_stmt" else child


def undecorated(statement: Any) -> Any:
    """Return a function or class without its decorators and `async`."""
    inner = statement
    while inner.type in ("decorated", "async_stmt", "async_funcdef"):
        inner = inner.children[-1]
    return inner


def decorators(statement: Any) -> list[Any]:
    """Return the decorators of a function or class."""
    if statement.type != "decorated":
        return []
    first = statement.children[0]
    return first.children if first.type == "decorators" else [first]


def descendants(node: Any) -> Iterator[Any]:
    """Yield the descendants of a node in preorder."""
    stack = list(reversed(getattr(node, "children", ())))
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(getattr(top, "children", ())))


def within(node: Any, other: Any) -> bool:
    """Say whether a node is another one or in it."""
    return any(each is other for each in up(node))


def defined(statement: Any) -> set[str]:
    """Return the names that a top statement defines."""
    inner = undecorated(statement)
    if inner.type in ("funcdef", "classdef"):
        return {inner.name.value}
    if inner.type == "expr_stmt":
        return {name.value for name in inner.get_defined_names()}
    return set()


def names_in(node: Any) -> set[str]:
    """Return all names in a piece of code."""
    found = set()
    stack = [node]
    while stack:
        top = stack.pop()
        if top.type == "name":
            found.add(top.value)
        stack.extend(getattr(top, "children", ()))
    return found


def elements(display: Any) -> list[Any] | None:
    """Return the elements of a list or tuple display; None if their number is not known."""
    if display.type != "atom" or display.children[0].value not in ("[", "("):
        return None
    inside = display.children[1:-1]
    if not inside:
        return []
    (inner,) = inside
    elements = inner.children[::2] if inner.type == "testlist_comp" else [inner]
    if any(each.type in ("star_expr", "sync_comp_for", "comp_for") for each in elements):
        return None
    if inner.type == "testlist_comp" and inner.children[1].type in ("sync_comp_for", "comp_for"):
        return None
    return list(elements)


def index_in(display: Any, node: Any) -> int | None:
    """Return which element of a display a node is in."""
    for index, element in enumerate(elements(display) or ()):
        if within(node, element):
            return index
    return None


def imported(statement: Any) -> set[str]:
    """Return the names that an import at the top of a module defines."""
    if statement.type not in ("import_name", "import_from"):
        return set()
    return {name.value for name in statement.get_defined_names()}
