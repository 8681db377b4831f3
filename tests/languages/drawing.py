"""Trees as nested lists, for tests to compare."""

from __future__ import annotations

from typing import Any

from boildown.tree import Leaf, Tree


def drawn(tree: Tree) -> Any:
    """Return a leaf as its text and a node as a list that starts with its label."""
    if isinstance(tree, Leaf):
        return tree.text
    return [tree.label, *map(drawn, tree.children)]
