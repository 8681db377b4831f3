"""The functions of a Python file by line, for lines that were executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def functions_by_line(source: str) -> dict[int, str]:
    """Return the qualified name of the function that each line belongs to.

    Lines outside of functions, and those on which a function is defined, are left out. There are
    none where the source is no Python that this one can read.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[int, str] = {}
    for name, node in _functions(tree):
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
