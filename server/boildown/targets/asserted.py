"""Comparisons with constants in Python tests: the values that assertions expect.

Such a value is that of the input in the test, so tests of other inputs cannot assert it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from boildown.runner.judging.parts import parts_of
from boildown.targets.literals import Module, node_at
from boildown.targets.reach import case_element, enclosing_test
from boildown.targets.syntax import descendants, within

EXCEPTION = re.compile(r"[A-Za-z]\w*(?:Error|Exception)", re.ASCII)
"""Matches the names that runtimes print as they stand in a signature, if bytes can spell them."""
_EQUAL = re.compile(r"\.\s*assertEquals?")


class Comparison(NamedTuple):
    """An assertion that a value equals a constant, as nodes of parso's."""

    statement: Any
    value: Any
    constant: Any


def is_wrong_value(failure: str) -> bool:
    """Say whether a failure, told by its signature, is that of an assertion."""
    return parts_of(failure).type == "AssertionError"


def is_exception(failure: str) -> bool:
    """Say whether a failure, told by its signature, is an exception other than an assertion's."""
    raised = parts_of(failure).type
    return raised is not None and not is_wrong_value(failure) and bool(EXCEPTION.fullmatch(raised))


def comparisons(test: Any, literal: Any) -> Iterator[Comparison]:
    """Yield the comparisons with constants in a test: `assert x == 1`, `assertEqual(x, 1)`.

    Where the literal under test is in one, it is in the value.
    """
    for node in descendants(test):
        for value, constant in _sides(node):
            has_value = not (_is_constant(value) or within(literal, node))
            if _is_constant(constant) and (has_value or within(literal, value)):
                yield Comparison(node, value, constant)


def asserted(test: Any, literal: Any, failure: str) -> Comparison | None:
    """Return the one comparison in a test that is about a literal; None where it is not clear.

    That is the one in the line that failed, or with the literal in it, or else the only one.
    """
    found = list(comparisons(test, literal))
    line = parts_of(failure).line_text
    failed = [each for each in found if line is not None and line in each.statement.get_code()]
    around = [each for each in found if within(literal, each.value)]
    return next((each[0] for each in (failed, around, found) if len(each) == 1), None)


def asserted_at(code: str, offset: int, failure: str) -> str | None:
    """Return the code of the constant that a test expects of the literal at an offset.

    None where the literal stands in no body of a test, or no single constant is expected of it.
    """
    module = Module(code)
    node = node_at(module, offset, offset)
    test = None if node is None or case_element(module, node) else enclosing_test(module, node)
    found = None if test is None else asserted(test, node, failure)
    return None if found is None else str(found.constant.get_code(include_prefix=False))


def expression(code: str) -> str | None:
    """Return the code of a Python expression as one side of a comparison; None if it is none."""
    code = code.strip()
    try:
        value = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    # What stands around it, such as a comment, is left out.
    written = ast.get_source_segment(code, value) or code
    return written if isinstance(value, _BINDING) and "\n" not in written else f"({written})"


_BINDING = (ast.Constant, ast.List, ast.Dict, ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""Expressions that need no parentheses, wherever they stand."""


def _sides(node: Any) -> list[tuple[Any, Any]]:
    """Return the two sides that a statement asserts to be equal, both ways round."""
    left = right = None
    if node.type == "assert_stmt" and node.children[1].type == "comparison":
        left, operator, right, *more = node.children[1].children
        if more or operator.get_code(include_prefix=False) != "==":
            return []
    elif node.type == "atom_expr" and len(node.children) == 3:
        _, method, call = node.children
        if _EQUAL.fullmatch(method.get_code()) and call.children[1].type == "arglist":
            left, _, right, *_ = call.children[1].children
    return [] if left is None else [(left, right), (right, left)]


def _is_constant(node: Any) -> bool:
    return all(each.type not in ("name", "fstring") for each in (node, *descendants(node)))
