"""Python data: the language of displays of lists, dictionaries, tuples, sets, strings and numbers.

It is the Python language, restricted to one expression. A candidate keeps the types: a value of a
kind stands only where the original has one of that kind, in a container of the same kind. Names,
calls and other code are left as they are, or go as a whole.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from boildown.engine.language import Check
from boildown.languages.python import Python


@dataclass(frozen=True, slots=True, eq=False)
class PythonData(Python):
    """The language of Python data. Compared by identity."""

    name: str = "python-data"
    strict: bool = True

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle how it was made."""
        return PythonData, (self.name, self.examples)

    def shortest(self, label: str) -> str | None:
        """Return a minimal literal; None for other labels, whose types would not be kept."""
        return {"number": "0", "string": '""'}.get(label)

    def valid(self, text: str) -> bool:
        """Say whether a text is one expression with a literal in it."""
        found = expression(text)
        return found is not None and literals_in(found)

    def checker(self, text: str) -> Check:
        """Return a check that accepts data of the same types, whose code is the original's."""
        known = _steps(text)
        if known is None:
            return Python.checker(self, text)

        def accepts(candidate: str, _best: str) -> bool:
            steps = _steps(candidate)
            return steps is not None and steps <= known

        return accepts


def expression(code: str) -> ast.expr | None:
    """Return the tree of one expression; None for any other code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(f"({code}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def literals_in(node: ast.expr) -> bool:
    """Say whether data has a literal of its own that is no key, or an object made of literals."""
    steps = [kind for _, role, kind in _walk(node) if role != "key" and kind not in _EMPTY]
    return any(not kind.startswith("code ") for kind in steps)


def is_object(node: ast.AST) -> bool:
    """Say whether code calls a class, by the custom of its name, with a literal."""
    if not isinstance(node, ast.Call):
        return False
    name = str(getattr(node.func, "attr", "") or getattr(node.func, "id", ""))
    given = [*node.args, *(each.value for each in node.keywords)]
    return name[:1].isupper() and any(isinstance(each, ast.Constant) for each in given)


def is_repeated(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """Say whether code repeats a literal by a number, as `"[" * 1000` does."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult)):
        return False
    sides = [_kind(each) for each in (node.left, node.right)]
    return "int" in sides and any(side in ("str", "bytes", "list", "tuple") for side in sides)


_CONTAINERS = {ast.List: "list", ast.Tuple: "tuple", ast.Set: "set", ast.Dict: "dict"}
_EMPTY = frozenset(_CONTAINERS.values())


def _steps(code: str) -> frozenset[tuple[str, str, str]] | None:
    """Return the kinds of values, each with its container's; None for no expression."""
    found = expression(code)
    return None if found is None else frozenset(_walk(found))


def _walk(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """Yield each step into a value: the kind of its container, its role there, and its own kind."""
    stack: list[tuple[str, str, ast.AST]] = [("", "", node)]
    while stack:
        around, role, top = stack.pop()
        if isinstance(top, ast.BinOp) and isinstance(top.op, ast.Add):
            # Parts that are added stand for their sum.
            stack += [(around, role, top.right), (around, role, top.left)]
            continue
        if is_repeated(top):
            sides = sorted((top.left, top.right), key=_is_number)
            stack += [("repeated", "times", sides[1]), (around, role, sides[0])]
            continue
        kind = _kind(top)
        yield around, role, kind
        if isinstance(top, ast.List | ast.Tuple | ast.Set):
            stack += [(kind, "item", each) for each in top.elts]
        elif isinstance(top, ast.Dict):
            keys = [("key", each) for each in top.keys if each is not None]
            stack += [(kind, *each) for each in keys]
            roles = ["value" if each is not None else "more" for each in top.keys]
            stack += [(kind, role, each) for role, each in zip(roles, top.values, strict=True)]


def _is_number(node: ast.AST) -> bool:
    return _kind(node) == "int"


def _kind(node: ast.AST) -> str:
    """Return the type of a value, or its code if it is no literal."""
    if type(node) in _CONTAINERS:
        return _CONTAINERS[type(node)]
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.Constant):
        return type(inner.value).__name__
    return f"{'object' if is_object(node) else 'code'} {ast.dump(node)}"
