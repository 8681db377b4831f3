"""Python's tree: what may go keeps the syntax, and blocks keep their indentation."""

from __future__ import annotations

import ast
import inspect
from random import Random

import pytest

import boildown.languages.python_tree
from boildown import tree as trees
from boildown.engine.oracle import from_test
from boildown.engine.reducing.reduce import reduce
from boildown.languages.python import Python, python_language
from boildown.tree import Kind, Node, Place, Tree, places, text
from languages.drawing import drawn
from languages.examples import GRAMMARS, read

PYTHON = python_language()
SOURCES = [
    read(GRAMMARS / "python" / "examples" / "orders.py"),
    inspect.getsource(boildown.languages.python_tree),
    inspect.getsource(trees),
]
CALL = ["argument", ["keyword?", ["keyword", "b", "="]], "1"]


def tree(source: str) -> Node:
    root = PYTHON.parse(source).tree
    assert isinstance(root, Node)
    return root


def body(source: str) -> object:
    drawing = drawn(tree(source))
    return drawing[1][1] if drawing[0] == "text" else drawing[1]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b = 1", ["expr_stmt", ["targets", ["target", "a", "="], ["target", "b", "="]], "1"]),
        (
            "if a: b\nelif c: d; e\nelse:\n f\n",
            [
                "if_stmt",
                *("if", "a", ":", ["suite", "b"]),
                ["clauses", ["elif_clause", "elif", "c", ":", ["suite", "d", ";", "e"]]],
                ["else_clause?", ["else_clause", "else", ":", ["suite", "f"]]],
            ],
        ),
        (
            "def f(a, *, b: int = 1, **k,) -> c: pass",
            [
                "funcdef",
                *("def", "f"),
                [
                    "parameters",
                    "(",
                    [
                        "params",
                        *("a", ",", "*", ","),
                        [
                            "param",
                            ["tfpdef", "b", ["tfpdef_rest?", ["tfpdef_rest", ":", "int"]]],
                            ["default?", ["default", "=", "1"]],
                        ],
                        ",",
                        ["param", ["star?", "**"], "k"],
                    ],
                    ["comma?", ","],
                    ")",
                ],
                ["returns?", ["returns", "->", "c"]],
                ":",
                ["suite", "pass"],
            ],
        ),
        (
            "raise A from b",
            [
                "raise_stmt",
                "raise",
                [
                    "raise_stmt_value?",
                    [
                        "raise_stmt_value",
                        "A",
                        ["raise_stmt_rest?", ["raise_stmt_rest", "from", "b"]],
                    ],
                ],
            ],
        ),
        (
            "{a: b, **c}",
            [
                "atom",
                "{",
                ["dictorsetmaker", ["item", "a", ":", "b"], ",", ["item", "**", "c"]],
                "}",
            ],
        ),
        (
            "f(x for x in y)[1:]",
            [
                "atom_expr",
                "f",
                [
                    "trailers",
                    [
                        "trailer",
                        "(",
                        [
                            "argument?",
                            [
                                "argument",
                                "x",
                                ["comp_for?", ["sync_comp_for", "for", "x", "in", "y"]],
                            ],
                        ],
                        ")",
                    ],
                    ["trailer", "[", ["subscript", ["number?", "1"], ":"], "]"],
                ],
            ],
        ),
    ],
)
def test_optional_parts_and_lists(source: str, expected: object) -> None:
    assert body(source) == expected


def test_match_statements() -> None:
    source = "x = 'é'; y\nmatch é:\n  case [1, *_] if x:\n    pass\n  case A(b=1) | None: y\n"
    assert drawn(tree(source))[1][2] == [
        *("match_stmt", "match", "é", ":"),
        [
            "cases",
            [
                *("case_clause", "case"),
                [
                    "with_items",
                    [
                        "or_test",
                        [
                            *("atom", "["),
                            ["testlist_comp", "1", ",", ["star_expr", "*", "_"]],
                            "]",
                        ],
                        "if",
                        "x",
                    ],
                ],
                ":",
                ["suite", "pass"],
            ],
            [
                *("case_clause", "case"),
                [
                    "with_items",
                    [
                        "expr",
                        [
                            *("atom_expr", "A"),
                            ["trailers", ["trailer", "(", ["argument?", CALL], ")"]],
                        ],
                        "|",
                        "None",
                    ],
                ],
                ":",
                ["suite", "y"],
            ],
        ],
    ]


def removals(root: Tree) -> list[tuple[Place, Tree]]:
    """Return each single item and each optional part that may go, with what is left."""
    found: list[tuple[Place, Tree]] = []
    for place in places(root):
        node = place.tree
        if not isinstance(node, Node) or not node.children:
            continue
        if node.kind is Kind.OPTION:
            found.append((place, trees.with_children(node, ())))
        elif node.kind is Kind.LIST and len(node.items) > node.least:
            for gone in range(len(node.items)):
                keep = [index for index in range(len(node.items)) if index != gone]
                found.append((place, trees.with_items(node, keep)))
    return found


def hoists(root: Tree) -> list[tuple[Place, Tree]]:
    """Return what may stand in place of a node that it is in."""
    return [
        (place, below.tree)
        for place in places(root)
        for below in places(place.tree)
        if below.parent and below.tree.width and PYTHON.fits(place.tree.label, below.tree.label)
    ]


@pytest.mark.parametrize("source", SOURCES, ids=["example", "tables", "tree"])
@pytest.mark.parametrize(("edits", "share"), [(removals, 0.95), (hoists, 0.8)])
@pytest.mark.nightly
def test_most_edits_keep_the_syntax(source: str, edits: object, share: float) -> None:
    assert callable(edits)
    root = tree(source)
    accepts = PYTHON.checker(source)
    sample = Random(0).sample(edits(root), 60)
    kept = 0
    for place, new in sample:
        moved = trees.inherit_prefix(new, place.tree) if new.width else new
        kept += accepts(text(trees.replace(root, [(place, moved)])), source)
    assert kept / len(sample) >= share


def test_a_hoisted_block_is_indented_as_its_new_place() -> None:
    source = "if a:\n    while b:\n        c\n        if d:\n            e\nf\n"
    root = tree(source)
    whole = next(place for place in places(root) if place.tree.label == "if_stmt")
    suite = [p.tree for p in places(root) if p.tree.label == "suite"][1]
    moved = trees.inherit_prefix(suite, whole.tree)
    assert text(trees.replace(root, [(whole, moved)])) == "c\nif d:\n    e\nf\n"


def test_reduction_of_blocks() -> None:
    source = SOURCES[0]

    def test(candidate: str) -> bool:
        try:
            ast.parse(candidate)
        except SyntaxError:
            return False
        return "yield order.total" in candidate

    assert reduce(source, from_test(test), PYTHON).text.split() == ["yield", "order.total"]


def test_malformed_text_keeps_its_statements() -> None:
    source = "def f(a):\n    return (a\n\nclass B:\n    x = 1\n"
    parsed = PYTHON.parse(source)
    assert not parsed.valid
    assert parsed.notes[0].startswith("This is no valid Python at line 2")
    accepts = PYTHON.checker(source)
    assert accepts("def f(a):\n    return (a\n", source)
    assert accepts("x = 1\n", source)


def test_valid_text_must_stay_valid() -> None:
    accepts = PYTHON.checker("x = 1\n")
    assert accepts("x", "x = 1\n")
    assert not accepts("x =", "x = 1\n")
    assert not accepts("\0", "x = 1\n")
    assert not accepts("\udc80", "x = 1\n")


def test_what_is_shortest() -> None:
    assert PYTHON.shortest("if_stmt") == PYTHON.shortest("suite") == "pass"
    assert PYTHON.shortest("strings") == "a"
    assert Python().shortest('"if"') is None
