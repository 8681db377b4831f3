"""Hierarchical delta debugging: ddmin over the nodes of each level of the tree.

Source: Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE 2006.
"""

from __future__ import annotations

from boildown.engine.language import Language
from boildown.engine.problem import Problem
from boildown.engine.reducing.levels import delete_nodes, levels
from boildown.tree import Kind, Leaf, Node, Tree, with_children


def hdd(problem: Problem) -> None:
    """Delete nodes by ddmin, one level of the tree after the other, the root's first.

    What the grammar requires leaves the shortest text of its symbol behind. Costs O(n²) runs for
    the n nodes of a level in the worst case, a logarithm of n where few have to stay.
    """
    for level in levels(problem):
        delete_nodes(level, lambda tree: shortest(problem.language, tree))


def shortest(language: Language, tree: Tree) -> Tree | None:
    """Return the shortest replacement of a subtree; None if it is no shorter, or not known."""
    if isinstance(tree, Node) and tree.kind is not Kind.RULE and not tree.least:
        return with_children(tree, ()) if tree.children else None
    text = language.shortest(tree.label)
    if text is None or len(text) >= tree.width:
        return None
    return Leaf(tree.label, text)
