"""The functions and statements of a Python file by line, for lines that were executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from boildown.engine.locating.branches import Statement


def functions_by_line(source: str) -> dict[int, str]:
    """Return the qualified name of the function that each line belongs to.

    Lines outside of functions, and those on which a function is defined, are left out. There are
    none where the source is no Python that this one can read.
    """
    found: dict[int, str] = {}
    for name, node in _functions(_parsed(source)):
        first = node.body[0].lineno
        # An inner one comes later, and takes its lines.
        for line in range(node.lineno, (node.end_lineno or first) + 1):
            found.pop(line, None)
            if line >= first:
                found[line] = name
        for decorator in node.decorator_list:
            for line in range(decorator.lineno, node.lineno):
                found.pop(line, None)
    return found


def statements_by_line(source: str) -> dict[int, Statement]:
    """Return the statement that each line belongs to; of one with others in it, those of its head.

    There are none where the source is no Python that this one can read.
    """
    found: dict[int, Statement] = {}
    for node in ast.walk(_parsed(source)):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        reads: set[str] = set()
        writes: set[str] = set()
        for each in _parts(node):
            if isinstance(each, ast.Name):
                (reads if isinstance(each.ctx, ast.Load) else writes).add(each.id)
        if isinstance(node, ast.AugAssign):
            reads |= writes
        for line in range(node.lineno, max(end, node.lineno) + 1):
            found[line] = Statement(node.lineno, reads, writes)
    return found


def _parts(node: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that are of no other one in it."""
    waiting: list[ast.AST] = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting += (each for each in ast.iter_child_nodes(at) if not isinstance(each, ast.stmt))


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _functions(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions of a module with their qualified names, outer ones first."""
    stack: list[tuple[str, ast.AST]] = [("", tree)]
    while stack:
        prefix, node = stack.pop(0)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{prefix}{child.name}", child
                stack.append((f"{prefix}{child.name}.<locals>.", child))
            elif isinstance(child, ast.ClassDef):
                stack.append((f"{prefix}{child.name}.", child))
            else:
                stack.append((prefix, child))
