"""Finds executed parts of Python files that a failing run may not need: dominators and displays.

If a function did nothing, those that the run entered by way of it alone would not be entered
either: it dominates them, as in the dominator tree of a call graph (Lengauer and Tarjan, 1979). So
all of them go in one guess, with the names that only they use. A long display, such as a table of
functions or of words, goes in the same way: it may be empty.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping

from boildown.engine.candidates import Splice
from boildown.folder_text import Call, Line, sections
from boildown.languages.idle_parts import Display, idle_parts, is_display, parsed

_LONG_DISPLAY = 3
"""Lines from which on a display is a guess of its own."""


class Dispensable:
    """Long displays, then the functions that a run entered: of each those of most lines first.

    Most displays can be empty, while the functions of most lines are those on the way to the
    failure; a loop that waits for what one of them did may never end.
    """

    def __init__(
        self, text: str, executed: Mapping[str, frozenset[int]], calls: Iterable[Call]
    ) -> None:
        self._text = text
        self._executed = {path: sorted(lines) for path, lines in executed.items()}
        self._bodies: dict[str, dict[int, tuple[int, int]]] = {}
        found: list[tuple[int, Collection[Line], Collection[Display]]] = []
        for _, path, begin, end in sections(text):
            if path in executed and (tree := parsed(text[begin:end])) is not None:
                self._bodies[path] = _bodies(tree)
                found += (
                    (count, (), ((path, node.lineno, node.col_offset),))
                    for node in ast.walk(tree)
                    if is_display(node)
                    and (count := self._count(path, node.lineno, _after(node))) >= _LONG_DISPLAY
                )
        self._called: dict[Line | None, set[Line]] = {}
        for caller, callee in calls:
            if (to := self._function(callee)) is not None:
                self._called.setdefault(caller and self._function(caller), set()).add(to)
        self._entered = self._reached(())
        for function in sorted(self._entered):
            dominated = self._entered - self._reached([function])
            count = sum(self._count(path, *self._bodies[path][at]) for path, at in dominated)
            found.append((count, (function,), ()))
        self._elements = sorted(found, key=lambda each: (not each[2], -each[0]))

    @property
    def size(self) -> int:
        """How many of them there are."""
        return len(self._elements)

    def without(self, gone: Collection[int]) -> list[Splice]:
        """Return the splices that leave out all idle parts if some of them do and hold nothing."""
        executed = {path: set(lines) for path, lines in self._executed.items()}
        chosen = [self._elements[at] for at in gone]
        emptied = {display for _, _, displays in chosen for display in displays}
        reached = self._reached([function for _, functions, _ in chosen for function in functions])
        for path, line in self._entered - reached:
            executed[path].difference_update(range(*self._bodies[path][line]))
        left = {path: frozenset(lines) for path, lines in executed.items()}
        return idle_parts(self._text, left, emptied)[0]

    def _reached(self, without: Collection[Line]) -> set[Line]:
        """Return the functions reachable by calls without passing through `without`."""
        found: set[Line] = set()
        waiting = list(self._called.get(None, ()))
        while waiting:
            each = waiting.pop()
            if each not in found and each not in without:
                found.add(each)
                waiting += self._called.get(each, ())
        return found

    def _function(self, line: Line) -> Line | None:
        """Return the innermost function around a line, by its first line."""
        path, number = line
        bodies = self._bodies.get(path, {})
        around = [first for first, (_, end) in bodies.items() if first <= number < end]
        return (path, max(around)) if around else None

    def _count(self, path: str, start: int, end: int) -> int:
        """Count the lines of a file that were executed, from one up to another."""
        lines = self._executed[path]
        return bisect_left(lines, end) - bisect_left(lines, start)


def _bodies(tree: ast.Module) -> dict[int, tuple[int, int]]:
    """Return where the body of each function starts and ends, in lines, by its first line."""
    return {
        min([node.lineno, *(each.lineno for each in node.decorator_list)]): (
            node.body[0].lineno,
            _after(node),
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _after(node: ast.stmt | ast.expr) -> int:
    """Return the line after a part."""
    assert node.end_lineno is not None
    return node.end_lineno + 1
