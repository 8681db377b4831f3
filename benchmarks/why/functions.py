"""The functions of a source file: where each stands, and what it says besides layout and comments.

Python is read by `ast`, JavaScript by tree-sitter. A function that stands in another one is a
function of its own, and no part of the other's text; what has no name belongs to the function
around it. Code outside of functions belongs to none.
"""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tree_sitter
import tree_sitter_javascript

_JAVASCRIPT = tree_sitter.Language(tree_sitter_javascript.language())
_FUNCTIONS = {
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "arrow_function",
    "method_definition",
}
_CLASSES = {"class_declaration", "class"}
_NAMED_BY = {
    "variable_declarator": "name",
    "assignment_expression": "left",
    "pair": "key",
    "field_definition": "property",
}
"""What a function that has no name of its own is assigned to."""
_PYTHON_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a source file."""

    name: str
    """Qualified within its file, such as `Parser.read`."""
    first: int
    """Its first line, that of decorators; from 1."""
    last: int
    said: str
    """A digest of its arguments and its body, without docstrings, annotations and comments."""
    end: int = 0
    """Where it ends, in UTF-16 units, by which V8 counts. Of JavaScript alone."""


def functions(path: Path) -> list[Function]:
    """Return the functions of a file, outer ones first; none of what cannot be parsed."""
    text = path.read_text("utf-8", "replace")
    if path.suffix == ".py":
        try:
            return list(_of_python(ast.parse(text), ()))
        except SyntaxError:
            return []
    tree = tree_sitter.Parser(_JAVASCRIPT).parse(text.encode())
    return list(_of_javascript(tree.root_node, text.encode(), ()))


def owner(of: list[Function], line: int) -> Function | None:
    """Return the innermost function that a line stands in."""
    return next((each for each in reversed(of) if each.first <= line <= each.last), None)


def changed(before: list[Function], after: list[Function]) -> list[Function]:
    """Return the functions that say something else afterwards, or are not there any more.

    Those of one name, such as a property and its setter, are compared in order.
    """
    said = {key: each.said for key, each in _numbered(after).items()}
    return [each for key, each in _numbered(before).items() if said.get(key) != each.said]


def _numbered(of: list[Function]) -> dict[tuple[str, int], Function]:
    found: dict[tuple[str, int], Function] = {}
    counts: Counter[str] = Counter()
    for each in of:
        found[each.name, counts[each.name]] = each
        counts[each.name] += 1
    return found


def _of_python(node: ast.AST, outer: tuple[str, ...]) -> Iterator[Function]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*_PYTHON_FUNCTIONS, ast.ClassDef)):
            yield from _of_python(child, outer)
            continue
        name = (*outer, child.name)
        if isinstance(child, _PYTHON_FUNCTIONS):
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            said = _digest(_python_said(child))
            yield Function(".".join(name), first, child.end_lineno or first, said)
        yield from _of_python(child, name)


def _python_said(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the arguments and the body of a function as text that layout has no part in."""
    arguments, body = copy.deepcopy((function.args, function.body))
    stripped = ast.Module([_Stripped().visit(each) for each in _undocumented(body)], [])
    for each in ast.walk(arguments):
        if isinstance(each, ast.arg):
            each.annotation = None
    return ast.dump(arguments) + ast.dump(stripped)


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    if isinstance(body[0], ast.Expr) and isinstance(value := body[0].value, ast.Constant):
        return body[1:] if isinstance(value.value, str) else body
    return body


class _Stripped(ast.NodeTransformer):
    """Takes the functions in a function, and annotations, out of it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return ast.Pass()

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.stmt:
        return ast.Pass()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        self.generic_visit(node)
        return ast.Pass() if node.value is None else ast.Assign([node.target], node.value)


def _of_javascript(
    node: tree_sitter.Node, source: bytes, outer: tuple[str, ...]
) -> Iterator[Function]:
    waiting = [(node, outer)]
    while waiting:
        at, names = waiting.pop()
        if name := _javascript_name(at):
            names = (*names, name)
            end = len(source[: at.end_byte].decode("utf-8", "replace").encode("utf-16-le")) // 2
            yield Function(
                ".".join(names),
                at.start_point.row + 1,
                at.end_point.row + 1,
                _digest(" ".join(_tokens(at))),
                end,
            )
        elif at.type in ("class_declaration", "class") and (
            named := at.child_by_field_name("name")
        ):
            names = (*names, _text(named))
        waiting += [(child, names) for child in reversed(at.children)]


def _javascript_name(node: tree_sitter.Node) -> str:
    """Return the name of a function, or of what it is assigned to; nothing where there is none."""
    if node.type not in _FUNCTIONS:
        return ""
    if named := node.child_by_field_name("name"):
        return _text(named)
    around = node.parent
    field = _NAMED_BY.get(around.type if around else "", "")
    to = around.child_by_field_name(field) if around and field else None
    return _text(to) if to and to != node else ""


def _tokens(function: tree_sitter.Node) -> Iterator[str]:
    """Yield the words of a function without comments, each function in it as one word."""
    waiting = list(reversed(function.children))
    while waiting:
        at = waiting.pop()
        if _javascript_name(at):
            yield "function"
        elif at.type != "comment":
            if at.child_count:
                waiting += reversed(at.children)
            else:
                yield _text(at)


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
