"""Turns lists by recursion into lists of items, for laws: nobody counts nested pairs.

`<row> ::= <field> | <field>,<row>` says what `field ("," field)*` says, but in its tree `a,b,c` is
the field `a` beside the row `b,c`. Reductions and patterns keep that tree, since an operator and
its right operand have the same form; to a law, an operand is what stands beside its operator.

A tree-sitter grammar does not tell that `[1]` is a list, too: where examples have longer ones of
its sort, the option between its brackets becomes a list with one item.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeGuard

from boildown.engine.language import Language
from boildown.tree import Kind, Node, Tree, with_children

_BRACKETS = (('"["', '"]"'), ('"("', '")"'))


class _Recursion(NamedTuple):
    """The form of a list by recursion."""

    parts: int
    """Children of a node that goes on."""
    end: int
    """The index of the child in which it goes on: 0 or -1."""
    separated: bool


def with_lists(tree: Tree, language: Language) -> Tree:
    """Return a tree whose lists by recursion are lists of items; the tree itself if it has none."""
    nodes = list(_nodes(tree))
    labels = {each.label for each in nodes if each.kind is Kind.RULE}
    forms = {label: form for label in labels if (form := _form(label, language)) is not None}
    bracketed = {e.label for e in nodes if e.kind is Kind.RULE and _is_bracketed(e.children)}
    longer = {label for label in bracketed if language.shortest(f"{label}*") is not None}
    if not forms and not longer:
        return tree
    rests = {id(rest) for node in nodes if (rest := _rest(node, forms)) is not None}
    made: dict[int, Tree] = {}
    for node in reversed(nodes):
        if id(node) not in rests:
            form = forms.get(node.label)
            parts = node.children if form is None else _spine(node, forms)
            children = tuple(made.get(id(each), each) for each in parts)
            if form is not None and children:
                listed = Node(f"{node.label}*", children, Kind.LIST, separated=form.separated)
                children = (listed,)
            elif node.label in longer and _is_bracketed(children):
                only = Node(f"{node.label}*", children[1].children, Kind.LIST, separated=True)
                children = (children[0], only, children[2])
            made[id(node)] = with_children(node, children)
    return made[id(tree)]


def _nodes(tree: Tree) -> Iterator[Node]:
    """Yield the inner nodes, parents before children."""
    stack = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Node):
            yield top
            stack.extend(top.children)


def _is_bracketed(children: Sequence[Tree]) -> TypeGuard[tuple[Tree, Node, Tree]]:
    """Say whether one option, which is not absent, is all that stands between two brackets."""
    if len(children) != 3 or not isinstance(children[1], Node):
        return False
    is_option = children[1].kind is Kind.OPTION and len(children[1].children) == 1
    return is_option and (children[0].label, children[2].label) in _BRACKETS


def _form(label: str, language: Language) -> _Recursion | None:
    """Return the form of a nonterminal if it is a list.

    It has two alternatives then: one item or nothing, and an item with the nonterminal itself at
    one end; a separator may stand between the two.
    """
    found = language.expansions(label)
    if found is None or found.endless or len(found.alternatives) != 2:
        return None
    last, again = sorted(found.alternatives, key=lambda each: each.count(label))
    if label in last or again.count(label) != 1 or len(again) < 2 or len(last) > 1:
        return None
    end = -1 if again[-1] == label else 0
    rest = again[:-1] if end else again[1:]
    item = rest[:1] if end else rest[-1:]
    if again[end] != label or (last and (item != last or len(rest) > 2)):
        return None
    return _Recursion(len(again), end, bool(last) and len(rest) == 2)


def _rest(node: Node, forms: dict[str, _Recursion]) -> Node | None:
    """Return the child in which a list by recursion goes on, if it does."""
    form = forms.get(node.label)
    if form is None or len(node.children) != form.parts:
        return None
    rest = node.children[form.end]
    return rest if isinstance(rest, Node) and rest.label == node.label else None


def _spine(node: Node, forms: dict[str, _Recursion]) -> tuple[Tree, ...]:
    """Return the items of a list by recursion, and the separators between them."""
    form, pieces = forms[node.label], []
    while (rest := _rest(node, forms)) is not None:
        pieces.append(node.children[:-1] if form.end else node.children[1:])
        node = rest
    pieces.append(node.children)
    return tuple(each for piece in (pieces if form.end else pieces[::-1]) for each in piece)
