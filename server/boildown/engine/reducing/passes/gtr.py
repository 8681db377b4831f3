"""Generalized tree reduction: delete a node, or put one of its children in its place.

Source: Herfert, Patra and Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017.
They learn from a corpus which child may stand below which parent; here the language says it.
"""

from __future__ import annotations

from collections.abc import Iterator

from boildown.engine.candidates import edited
from boildown.engine.language import Language
from boildown.engine.problem import Problem
from boildown.engine.reducing.levels import TreeLevel, delete_nodes, levels
from boildown.tree import Kind, Node, Tree


def gtr(problem: Problem) -> None:
    """Go through the levels from the root's down; at each one delete nodes, then hoist children.

    Only what may be absent is deleted, by ddmin. Each other node is replaced by its smallest
    child that reproduces, over and over. Costs what ddmin costs, and a run for each child.
    """
    for level in levels(problem):
        delete_nodes(level, lambda _tree: None)
        _hoist_children(level)


def _hoist_children(level: TreeLevel) -> None:
    problem = level.problem
    index = 0
    while index < len(level.places()):
        place = level.places()[index]
        news = sorted(children(problem.language, place.tree), key=lambda tree: tree.width)
        if problem.consider_first(edited(problem, [(place, new)]) for new in news) is None:
            index += 1


def children(language: Language, tree: Tree) -> Iterator[Tree]:
    """Yield the children of a tree that may stand in its place, as in an abstract syntax tree.

    A chain of nodes with one child each counts as one node, and list items and optional parts as
    children of the node around them. Of a chain, the topmost that fits is meant.
    """
    branching = _end_of_chain(tree)
    stack = list(reversed(branching.children)) if isinstance(branching, Node) else []
    while stack:
        child = stack.pop()
        if not child.width:
            continue
        fitting = next(
            (link for link in _chain(child) if language.fits(tree.label, link.label)), None
        )
        if fitting is not None:
            yield fitting
        if isinstance(child, Node) and child.kind is not Kind.RULE:
            stack += reversed(child.children)


def _chain(tree: Tree) -> Iterator[Tree]:
    """Yield a tree and its only child with text, and so on down."""
    yield tree
    while isinstance(tree, Node):
        inner = [child for child in tree.children if child.width]
        if len(inner) != 1:
            return
        tree = inner[0]
        yield tree


def _end_of_chain(tree: Tree) -> Tree:
    *_, last = _chain(tree)
    return last
