"""Recovers the choice sequence with which the generator would produce a given text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from boildown.engine.language import Expansions
from boildown.engine.reducing.choices import Choices, Generator, Names, added
from boildown.tree import Leaf, Tree, bare_text


@dataclass(frozen=True, slots=True)
class _End:
    """Where a subtree ends."""

    tree: Tree
    labels: tuple[str, ...] = ()
    """Of its children."""


_Step: TypeAlias = "Tree | _End | int"
"""An entry of the stack: a subtree, the end of one, or a choice."""


def retrace(generator: Generator, tree: Tree) -> Choices | None:
    """Return the choices with which the generator makes the text of a tree, white space aside.

    The generator must know the tree's tokens. None if there are no such choices: the tree does not
    follow the grammar, or the text not the rule that names are defined before they are used.
    """
    choices: list[int] = []
    names = Names(generator.scope)
    stack: list[_Step] = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, _End):
            names.ended(top.tree.label, partial(bare_text, top.tree), top.labels)
        elif isinstance(top, int):
            choices.append(top)
        elif (steps := _steps(generator, top, names)) is not None:
            stack += reversed(steps)
        else:
            return None
    return tuple(choices)


def _steps(generator: Generator, tree: Tree, names: Names) -> list[_Step] | None:
    """Return the choices at the root of a tree, with its children among them."""
    if names.are_used(tree.label):
        return _use(generator, bare_text(tree), names)
    known = generator.known(tree.label)
    if known is None:
        texts = generator.tokens.get(tree.label, [])
        if not isinstance(tree, Leaf) or tree.text not in texts:
            return None
        return [texts.index(tree.text), _End(tree)] if len(texts) > 1 else [_End(tree)]
    children = [] if isinstance(tree, Leaf) else [child for child in tree.children if child.label]
    labels = tuple(child.label for child in children)
    end = _End(tree, labels)
    if known.endless:
        steps = _list_steps(known, children)
        return None if steps is None else [*steps, end]
    if labels not in known.alternatives:
        return None
    return [known.alternatives.index(labels), *children, end]


def _use(generator: Generator, name: str, names: Names) -> list[_Step] | None:
    if names.defined:
        return [names.defined.index(name)] if name in names.defined else None
    return [] if name == generator.scope.get("default") else None


def _list_steps(known: Expansions, children: Sequence[Tree]) -> list[_Step] | None:
    """Return the choices of an endless list: 1 before each further item, 0 at the end."""
    expected = list(known.alternatives[0])
    at = len(expected)
    steps: list[_Step] = list(children[:at])
    step = 0
    while at < len(children):
        more = added(known, step)
        expected += more
        steps += [1, *children[at : at + len(more)]]
        at += len(more)
        step += 1
    return [*steps, 0] if expected == [child.label for child in children] else None
