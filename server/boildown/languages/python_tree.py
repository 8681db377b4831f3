"""Converts parso's syntax trees of Python to trees with lists and options.

Parso's nodes follow Python's grammar; which children are optional or repeated is declared here, in
tables where one rule serves many. The line break before a statement is part of its first token's
prefix, so deleting a statement deletes its line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from parso.tree import BaseNode, NodeOrLeaf
from parso.tree import Leaf as ParsoLeaf

from boildown.languages.plain import arranged
from boildown.tree import Kind, Leaf, Node, Tree

_CHAINS = frozenset(
    ("or_test", "and_test", "comparison", "expr", "xor_expr", "and_expr", "shift_expr")
) | {"arith_expr", "term", "dotted_name"}
"""Operands with operators between them: all but one may be deleted, each with an operator."""

_COMMAS = {
    "arglist": 0,
    "testlist_comp": 0,
    "dictorsetmaker": 0,
    "exprlist": 1,
    "testlist": 1,
    "testlist_star_expr": 1,
    "subscriptlist": 1,
    "import_as_names": 1,
    "dotted_as_names": 1,
}
"""Items with commas between them, and how many must stay."""

_TAILS = {
    "return_stmt": (1, None),
    "yield_expr": (1, None),
    "raise_stmt": (1, "from"),
    "except_clause": (1, "as"),
    "assert_stmt": (None, ","),
    "import_as_name": (None, "as"),
    "dotted_as_name": (None, "as"),
    "with_item": (None, "as"),
    "tfpdef": (None, ":"),
}
"""Where the optional rest of a node begins: at a child, and again at a token after that."""

_CLAUSES = frozenset(("elif", "else", "except", "finally"))


def python_tree(module: BaseNode, words: Mapping[int, str]) -> Node:
    """Convert parso's tree of a text.

    `words` are the original texts of masked tokens, by their offsets.
    """
    done: list[list[Tree]] = [[]]
    todo: list[tuple[NodeOrLeaf, bool]] = [(module, False)]
    before = ""
    at = 0
    while todo:
        top, finished = todo.pop()
        if isinstance(top, BaseNode):
            if finished:
                children = done.pop()
                if children:
                    done[-1].append(_matching(_shaped(top.type, children)))
            else:
                done.append([])
                todo.append((top, True))
                todo.extend((child, False) for child in reversed(top.children))
            continue
        assert isinstance(top, ParsoLeaf)
        prefix, at = before + top.prefix, at + len(top.prefix)
        value = words.get(at, top.value)
        at += len(value)
        if top.type == "newline" or not value:
            before = prefix + value
        else:
            done[-1].append(Leaf(_label(top.type, value), value, prefix, at - len(value)))
            before = ""
    if before:
        done[-1].append(Leaf("end", "", before, at))
    trees = done[0]
    return (
        trees[0] if len(trees) == 1 and isinstance(trees[0], Node) else Node("text", tuple(trees))
    )


def _label(kind: str, value: str) -> str:
    if kind in ("keyword", "operator"):
        return json.dumps(value)
    return "error" if kind == "error_leaf" else kind


def _matching(tree: Tree) -> Tree:
    """Relabel the nodes of a match statement, which parso was given as `while` and `with`.

    The cases get another label than a block has, for they can't stand where a block can.
    """
    if not isinstance(tree, Node) or not _is(tree.children[0], "match", "case"):
        return tree
    if tree.label == "while_stmt" and isinstance(cases := tree.children[-1], Node):
        block = Node("cases", cases.children, Kind.LIST, 1)
        return Node("match_stmt", (*tree.children[:-1], block))
    return Node("case_clause", tree.children) if tree.label == "with_stmt" else tree


def _shaped(kind: str, children: list[Tree]) -> Tree:
    """Return a node with its optional children in options and its repeated ones in lists."""
    if kind == "error_node":
        block = arranged(children)
        return Node("error", block.children, Kind.LIST, separated=block.separated)
    if kind in _CHAINS:
        return Node(kind, tuple(children), Kind.LIST, 1, separated=True)
    if kind in _COMMAS:
        return _comma_node(kind, children)
    if kind in _TAILS:
        return _with_tails(kind, children, *_TAILS[kind])
    shape = _SHAPES.get(kind)
    return Node(kind, tuple(children)) if shape is None else shape(kind, children)


def _is(tree: Tree, *texts: str) -> bool:
    return isinstance(tree, Leaf) and tree.text in texts


def _find(children: Sequence[Tree], *texts: str) -> int:
    """Return the index of the first child that is one of some tokens; their number if none is."""
    return next((i for i, child in enumerate(children) if _is(child, *texts)), len(children))


def _joined(kind: str, children: Sequence[Tree]) -> Tree:
    return children[0] if len(children) == 1 else Node(kind, tuple(children))


def _option(kind: str, children: Sequence[Tree]) -> list[Tree]:
    """Return an option around children that may be deleted together; nothing without children."""
    return [Node(f"{kind}?", (_joined(kind, children),), Kind.OPTION)] if children else []


def _list(kind: str, children: Iterable[Tree], least: int = 0) -> list[Tree]:
    """Return a list node around items; nothing without items."""
    items = tuple(children)
    return [Node(kind, items, Kind.LIST, least)] if items else []


def _commas(kind: str, children: Sequence[Tree], least: int) -> list[Tree]:
    """Return the items between commas as a list, and a comma after the last as an option."""
    if not children:
        return []
    rest: Sequence[Tree] = ()
    if _is(children[-1], ","):
        children, rest = children[:-1], children[-1:]
    parts: list[Tree] = []
    start = 0
    while start <= len(children):
        end = start + _find(children[start:], ",")
        parts.append(_joined("item", children[start:end]) if end > start else Node("item", ()))
        parts += children[end : end + 1]
        start = end + 1
    return [Node(kind, tuple(parts), Kind.LIST, least, separated=True), *_option("comma", rest)]


def _comma_node(kind: str, children: list[Tree]) -> Tree:
    if children[-1].label in ("comp_for", "sync_comp_for"):
        return Node(kind, (_joined("item", children[:-1]), *_option("comp_for", children[-1:])))
    return _joined(kind, _commas(kind, children, _COMMAS[kind]))


def _with_tails(kind: str, children: list[Tree], first: int | None, token: str | None) -> Tree:
    inner = len(children) if token is None else _find(children, token)
    tail = _option(f"{kind}_rest", children[inner:])
    if first is None:
        return Node(kind, (*children[:inner], *tail))
    return Node(
        kind, (*children[:first], *_option(f"{kind}_value", [*children[first:inner], *tail]))
    )


def _simple(kind: str, children: list[Tree]) -> Tree:
    rest: list[Tree] = []
    if _is(children[-1], ";"):
        rest = _option("semicolon", [children.pop()])
    if len(children) > 1:
        children = [Node(kind, tuple(children), Kind.LIST, 1, separated=True)]
    return _joined(kind, [*children, *rest])


def _suite(_kind: str, children: list[Tree]) -> Tree:
    return Node("suite", tuple(children), Kind.LIST, 1)


def _file(kind: str, children: list[Tree]) -> Tree:
    return Node(kind, tuple(children), Kind.LIST)


def _compound(kind: str, children: list[Tree]) -> Tree:
    """Return a statement with blocks: its head, its first block, and its further clauses."""
    starts = [i for i, child in enumerate(children) if i and _is_clause(child)]
    pieces = [
        children[low:high] for low, high in zip([0, *starts], [*starts, len(children)], strict=True)
    ]
    clauses = [(_word(piece[0]), _clause(piece)) for piece in pieces[1:]]
    repeated = [tree for word, tree in clauses if word in ("elif", "except")]
    last = {word: tree for word, tree in clauses if word in ("else", "finally")}
    parts = list(_head(kind, pieces[0]))
    ending = "finally" in last
    parts += _list("clauses", repeated, int(kind == "try_stmt" and not ending))
    if "else" in last:
        parts += _option("else_clause", [last["else"]])
    if ending:
        parts += _option("finally_clause", [last["finally"]]) if repeated else [last["finally"]]
    return Node(kind, tuple(parts))


def _is_clause(tree: Tree) -> bool:
    return _is(tree, *_CLAUSES) or tree.label == "except_clause"


def _word(tree: Tree) -> str:
    return tree.text if isinstance(tree, Leaf) else "except"


def _clause(children: list[Tree]) -> Tree:
    return Node(f"{_word(children[0])}_clause", tuple(_with_suite(children)))


def _with_suite(children: list[Tree]) -> list[Tree]:
    """Wrap the statement after the last colon in a suite, if it is none yet."""
    last = children[-1]
    if len(children) < 2 or not _is(children[-2], ":") or last.label == "suite":
        return children
    if isinstance(last, Node) and last.label == "simple_stmt" and last.kind is Kind.LIST:
        return [*children[:-1], Node("suite", last.children, Kind.LIST, 1, separated=True)]
    return [*children[:-1], Node("suite", (last,), Kind.LIST, 1)]


def _head(kind: str, children: list[Tree]) -> Iterable[Tree]:
    """Return the parts of a statement up to the end of its first block."""
    children = _with_suite(children)
    colon = len(children) - 1 - _find(children[::-1], ":")
    head, block = children[:colon], children[colon:]
    if kind == "with_stmt":
        return (head[0], *_commas("with_items", head[1:], 1), *block)
    if kind == "funcdef":
        arrow = _find(head, "->")
        return (*head[:arrow], *_option("returns", head[arrow:]), *block)
    if kind == "classdef":
        opened = _find(head, "(")
        bases = [*head[opened : opened + 1], *_optional(head[opened + 1 : -1]), *head[-1:]]
        return (*head[:opened], *_option("bases", bases if opened < len(head) else ()), *block)
    return (*head, *block)


def _optional(children: Sequence[Tree]) -> list[Tree]:
    """Make an option of an only child between brackets, unless it is a list that may be empty."""
    if len(children) == 1 and not _may_be_empty(children[0]):
        return _option(children[0].label, children)
    return list(children)


def _may_be_empty(tree: Tree) -> bool:
    return isinstance(tree, Node) and tree.kind is Kind.LIST and not tree.least


def _brackets(kind: str, children: list[Tree]) -> Tree:
    if kind == "trailer" and not _is(children[0], "("):
        return Node(kind, tuple(children))
    return Node(kind, (children[0], *_optional(children[1:-1]), children[-1]))


def _parameters(kind: str, children: list[Tree]) -> Tree:
    listed = _commas("params", _spread(children[1:-1]), 0)
    return Node(kind, (children[0], *listed, children[-1]))


def _lambda(kind: str, children: list[Tree]) -> Tree:
    listed = _commas("params", _spread(children[1:-2]), 0)
    return Node(kind, (children[0], *listed, *children[-2:]))


def _spread(children: Sequence[Tree]) -> list[Tree]:
    """Move the commas, which parso has inside of the parameters, between them."""
    spread: list[Tree] = []
    for child in children:
        spread += child.children if child.label == "param," and isinstance(child, Node) else [child]
    return spread


def _param(kind: str, children: list[Tree]) -> Tree:
    if _is(children[-1], ","):
        return Node("param,", (_param(kind, children[:-1]), children[-1]))
    equals = _find(children, "=")
    stars = int(_is(children[0], "*", "**"))
    parts = (
        *_option("star", children[:stars]),
        *children[stars:equals],
        *_option("default", children[equals:]),
    )
    return _joined(kind, parts)


def _assignment(kind: str, children: list[Tree]) -> Tree:
    annotation = children[1]
    if isinstance(annotation, Node) and annotation.label == "annassign":
        return Node(kind, (children[0], *annotation.children))
    if not _is(annotation, "="):
        return Node(kind, tuple(children))
    targets = [Node("target", tuple(children[i : i + 2])) for i in range(0, len(children) - 1, 2)]
    return Node(kind, (*_list("targets", targets, 1), children[-1]))


def _annotation(kind: str, children: list[Tree]) -> Tree:
    equals = _find(children, "=")
    parts = (*_option("annotation", children[:equals]), *_option("value", children[equals:]))
    return Node(kind, parts)


def _atom_expr(kind: str, children: list[Tree]) -> Tree:
    awaits = int(_is(children[0], "await"))
    trailers = _list("trailers", children[awaits + 1 :])
    return Node(kind, (*_option("await", children[:awaits]), children[awaits], *trailers))


def _argument(kind: str, children: list[Tree]) -> Tree:
    if children[-1].label in ("comp_for", "sync_comp_for"):
        return Node(kind, (*children[:-1], *_option("comp_for", children[-1:])))
    return Node(kind, (*_option("keyword", children[:-1]), children[-1]))


def _comprehension(kind: str, children: list[Tree]) -> Tree:
    size = 2 if kind == "comp_if" else 4
    return Node(kind, (*children[:size], *_option("comp_iter", children[size:])))


def _asynchronous(kind: str, children: list[Tree]) -> Tree:
    return Node(kind, (*_option("async", children[:1]), *children[1:]))


def _decorated(kind: str, children: list[Tree]) -> Tree:
    decorators = children[0]
    if decorators.label == "decorator":
        decorators = Node("decorators", (decorators,), Kind.LIST)
    return Node(kind, (decorators, *children[1:]))


def _names(kind: str, children: list[Tree]) -> Tree:
    return Node(kind, (children[0], *_commas("names", children[1:], 1)))


def _subscript(kind: str, children: list[Tree]) -> Tree:
    parts: list[Tree] = []
    for child in children:
        parts += [child] if _is(child, ":") else _option(child.label, [child])
    return Node(kind, tuple(parts))


def _formatted(kind: str, children: list[Tree]) -> Tree:
    middle = children[1:-1]
    if kind == "fstring":
        return Node(kind, (children[0], *_list("fstring_parts", middle), children[-1]))
    if kind == "fstring_format_spec":
        return Node(kind, (children[0], *_list("fstring_parts", children[1:])))
    rest = [part for child in middle[1:] for part in _option(child.label, [child])]
    return Node(kind, (children[0], *middle[:1], *rest, children[-1]))


def _repeated(least: int) -> Callable[[str, list[Tree]], Tree]:
    return lambda kind, children: Node(kind, tuple(children), Kind.LIST, least)


_SHAPES: dict[str, Callable[[str, list[Tree]], Tree]] = {
    "file_input": _file,
    "simple_stmt": _simple,
    "suite": _suite,
    **dict.fromkeys(
        ("if_stmt", "while_stmt", "for_stmt", "try_stmt", "with_stmt", "funcdef", "classdef"),
        _compound,
    ),
    "decorated": _decorated,
    "decorators": _repeated(0),
    "strings": _repeated(1),
    "parameters": _parameters,
    "lambdef": _lambda,
    "param": _param,
    "expr_stmt": _assignment,
    "annassign": _annotation,
    "atom": _brackets,
    "trailer": _brackets,
    "atom_expr": _atom_expr,
    "argument": _argument,
    "comp_for": _asynchronous,
    "sync_comp_for": _comprehension,
    "comp_if": _comprehension,
    "global_stmt": _names,
    "nonlocal_stmt": _names,
    "subscript": _subscript,
    "sliceop": _subscript,
    "fstring": _formatted,
    "fstring_expr": _formatted,
    "fstring_format_spec": _formatted,
}
