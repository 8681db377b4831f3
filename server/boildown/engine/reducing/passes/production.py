"""Reduction by production: elements that are not in the input but in the grammar.

Source: an exercise of Zeller et al., "The Fuzzing Book", chapter "Reducing Failure-Inducing
Inputs": where `100.99` fails, `1` or `NaN` may fail too, although the input holds no such number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from boildown import tree as trees
from boildown.engine.candidates import apart
from boildown.engine.language import Language
from boildown.engine.problem import Problem, key
from boildown.engine.reducing.passes.grammar import node_of, reduce_tree
from boildown.tree import Leaf, Node, Tree


def production(problem: Problem) -> None:
    """Replace subtrees by the shortest text of each alternative of their symbol.

    The parts of an alternative come from the subtree where it holds such, or are made of such, or
    else are the shortest that the grammar knows; that and all of the shortest are tried. Works
    from the top down, the shortest text first. Costs two runs for each node and alternative at
    most, and none without a grammar.
    """

    def produced(tree: Tree) -> Iterator[Tree]:
        found = {trees.text(new): new for new in _produced(problem.language, tree)}
        for text in sorted(found, key=key):
            yield found[text]

    reduce_tree(problem, produced, lists=False)


def _produced(language: Language, tree: Tree) -> Iterator[Tree]:
    known = language.expansions(tree.label)
    if known is None:
        return
    inside = _inside(tree)
    for labels in known.alternatives:
        for near in (inside, {}):
            parts = [near.get(part) or _made(language, part, near) for part in labels]
            if not near and _is_more(language, tree.label, labels, parts):
                continue
            if (new := _joined(language, tree, tree.label, parts)) is not None:
                yield new


def _is_more(
    language: Language, label: str, labels: Sequence[str], parts: Sequence[Tree | None]
) -> bool:
    """Say whether an alternative is the shortest text of its symbol with signs or key words.

    Where `?` can't stand for an expression, `NOT ?` and `? + ?` hardly can.
    """
    shortest = language.shortest(label)
    has_signs = any(each.startswith('"') for each in labels)
    return has_signs and any(part and trees.text(part) == shortest for part in parts)


def _inside(tree: Tree) -> dict[str, Tree]:
    """Return the first subtree of each label inside a tree."""
    found: dict[str, Tree] = {}
    stack = list(reversed(tree.children)) if isinstance(tree, Node) else []
    while stack:
        top = stack.pop()
        found.setdefault(top.label, top)
        if isinstance(top, Node):
            stack += reversed(top.children)
    return found


def _made(language: Language, label: str, near: Mapping[str, Tree]) -> Tree | None:
    """Make a tree for a symbol, with some part that is near if possible; None if unknown."""
    known = language.expansions(label)
    for labels in known.alternatives if known is not None else ():
        if not near.keys().isdisjoint(labels):
            parts = [near.get(part) or _shortest(language, part) for part in labels]
            if (new := _joined(language, None, label, parts)) is not None:
                return new
    return _shortest(language, label)


def _shortest(language: Language, label: str) -> Tree | None:
    text = language.shortest(label)
    return None if text is None else Leaf(label, text)


def _joined(
    language: Language, like: Tree | None, label: str, parts: Sequence[Tree | None]
) -> Tree | None:
    """Return one node of the parts; None if one is not known."""
    known = [part for part in parts if part is not None]
    return node_of(like, label, apart(known, language.gap)) if len(known) == len(parts) else None
