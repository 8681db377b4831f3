"""Finds the functions of a Python text that a run has not entered, and empties their bodies."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate

from boildown.engine.candidates import Splice
from boildown.folder_text import sections

_EMPTY = "pass"


def idle_functions(text: str, entered: Mapping[str, frozenset[int]]) -> list[Splice]:
    """Return the splices of a folder's text that empty the functions a run did not enter.

    `entered` has the first lines of the code that was, by the file; of other files, which the run
    did not load, nothing is said.
    """
    return [
        (begin + start, begin + end, empty)
        for _, path, begin, after in sections(text)
        if path in entered
        for start, end, empty in idle_bodies(text[begin:after], entered[path])
    ]


def idle_bodies(text: str, entered: Collection[int]) -> list[Splice]:
    """Return the splices that empty the bodies of functions that were not entered, in order.

    `entered` are the first lines of code that was, counted from 1: of a function its first
    decorator's line. Of functions inside of another that was not entered nothing is said. None are
    found in a text that this Python can't parse.
    """
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    # Columns are those of UTF-8.
    lines = text.encode("utf-8", "surrogateescape").splitlines(keepends=True)
    starts = [0, *accumulate(len(_decoded(line)) for line in lines)]
    splices = []
    for function in _idle(module, entered):
        first, last = function.body[0], function.body[-1]
        assert last.end_lineno is not None
        begins, ends = _first_line(first) - 1, last.end_lineno - 1
        start = starts[begins] + len(_decoded(lines[begins][: first.col_offset]))
        end = starts[ends] + len(_decoded(lines[ends][: last.end_col_offset]))
        if end - start > len(_EMPTY):
            splices.append((start, end, _EMPTY))
    return splices


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _idle(module: ast.Module, entered: Collection[int]) -> Iterator[_Function]:
    """Yield the outermost functions that were not entered, in order."""
    todo: list[ast.AST] = [module]
    while todo:
        node = todo.pop()
        if isinstance(node, _Function) and _first_line(node) not in entered:
            yield node
        else:
            todo += reversed(list(ast.iter_child_nodes(node)))


def _first_line(node: ast.stmt) -> int:
    """Return the line of a statement's first decorator, or else its own."""
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else node.lineno


def _decoded(part: bytes) -> str:
    return part.decode("utf-8", "surrogateescape")
