"""Names and docstrings: one class per name, and first lines that name their subject."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "server" / "boildown"

APART = (PACKAGE / "demo", PACKAGE / "targets" / "plugin")
"""Folders that are copied to others or shown to them, and no part of the program."""

MOST = 20
"""The first lines that may explain something by "what": it names nothing that one can search."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield each module's path in the package, and its syntax tree."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if not any(path.is_relative_to(folder) for folder in APART):
            yield str(path.relative_to(PACKAGE)), ast.parse(path.read_text("utf-8"))


def first_lines() -> Iterator[tuple[str, str]]:
    """Yield where each docstring of a module, class or function stands, and its first line."""
    for name, module in modules():
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                line = 1 if isinstance(node, ast.Module) else node.lineno
                docstring = ast.get_docstring(node)
                if docstring:
                    yield f"{name}:{line}", docstring.splitlines()[0]


def test_public_class_names_are_unique() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name, module in modules():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(name)
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_first_lines_name_their_subject() -> None:
    riddles = [f"{place}: {line}" for place, line in first_lines() if "what" in line.lower()]
    assert len(riddles) <= MOST, "\n".join(("", *riddles))
