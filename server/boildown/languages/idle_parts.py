"""Finds the parts of Python files that a failing run is likely not to need, by its lines.

Statements that were not executed go. So do definitions and imports whose names nothing that is left
uses, and modules that nothing imports any more: a mark and sweep. A name is used in its own file,
where it is imported from there, or as an attribute of anything. It is a guess, which one run
confirms or refutes.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import TypeAlias, TypeGuard

from boildown.engine.candidates import Splice
from boildown.folder_text import sections

_EMPTY = "pass"
_ELSE = re.compile(r"^[ \t]*else[ \t]*:", re.MULTILINE)

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Import = ast.Import | ast.ImportFrom


Display: TypeAlias = tuple[str, int, int]
"""A file, and the line and column, as `ast` counts them, where a display in it starts."""


def idle_parts(
    text: str, executed: Mapping[str, frozenset[int]], emptied_displays: Collection[Display] = ()
) -> tuple[list[Splice], list[Splice]]:
    """Return the splices of a folder's text that leave out parts which a run did not use.

    The first leave out all such parts, and hold together or not at all. The second, more careful
    ones each empty a function that was not entered. `executed` has the lines that were, by the
    file, counted from 1; of other files nothing is said, nor of what this Python can't parse.
    With the first, some displays are emptied, too, and what stands in them needs nothing.
    """
    modules: dict[str, _Module] = {}
    places: dict[str, tuple[int, int, int]] = {}
    for start, path, begin, after in sections(text):
        if path in executed:
            places_in = {place[1:] for place in emptied_displays if place[0] == path}
            if (tree := parsed(text[begin:after])) is not None:
                modules[path] = _Module(text[begin:after], tree, executed[path], places_in)
                places[path] = start, begin, after
    imported = _mark(modules)
    parts: list[Splice] = []
    emptied: list[Splice] = []
    for path, module in modules.items():
        start, begin, after = places[path]
        if path in imported or _is_package(path):
            parts += _moved(_swept(module), begin)
        else:
            parts.append((start, after, ""))
        emptied += _moved(_emptied(module), begin)
    return parts, emptied


def _moved(splices: Iterable[Splice], by: int) -> Iterator[Splice]:
    return ((start + by, end + by, new) for start, end, new in splices)


class _Module:
    """A file of Python with the lines that were executed, and the statements that are needed."""

    def __init__(
        self,
        text: str,
        tree: ast.Module,
        executed: Collection[int],
        displays: Collection[tuple[int, int]],
    ) -> None:
        self.text = text
        self.tree = tree
        self.executed = sorted(executed)
        # Columns are those of UTF-8.
        self.lines = text.encode("utf-8", "surrogateescape").splitlines(keepends=True)
        self.starts = [0, *accumulate(len(_decoded(line)) for line in self.lines)]
        self.needed: set[ast.AST] = set()
        """Statements, and the names that a statement imports."""
        self.emptied = {
            node
            for node in (ast.walk(tree) if displays else ())
            if is_display(node) and (node.lineno, node.col_offset) in displays
        }

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a place as `ast` counts it."""
        return self.starts[line - 1] + len(_decoded(self.lines[line - 1][:column]))

    def start(self, node: ast.stmt | ast.expr) -> int:
        """Return where a statement starts, with its first decorator's at sign."""
        if decorators := getattr(node, "decorator_list", None):
            first = self.offset(decorators[0].lineno, decorators[0].col_offset)
            return self.text.rindex("@", 0, first)
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr) -> int:
        """Return where a statement or an expression ends."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.end_lineno, node.end_col_offset)

    def ran(self, nodes: Sequence[ast.stmt]) -> bool:
        """Say whether a line of some neighbouring statements was executed."""
        if not nodes:
            return False
        first, last = _first_line(nodes[0]), nodes[-1].end_lineno
        assert last is not None
        at = bisect_left(self.executed, first)
        return at < len(self.executed) and self.executed[at] <= last


def parsed(content: str) -> ast.Module | None:
    """Parse a file of Python; None if this Python can't."""
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _mark(modules: Mapping[str, _Module]) -> Collection[str]:
    """Mark the statements that are needed, from the modules on that no other one imports.

    Returns the paths of the modules that are still loaded.
    """
    imported = {
        word
        for module in modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, _Import)
        for word in _imported_words(node)
    }
    names = {path: _name(path) for path in modules}
    marker = _Marker({name for name in names.values() if name not in imported})
    count = -1
    while count != marker.count:
        count = marker.count
        for path, module in modules.items():
            if names[path] in marker.imported:
                marker.module, marker.name = module, names[path]
                marker.mark(module.tree.body)
    return {path for path, name in names.items() if name in marker.imported}


class _Marker:
    """The words that needed statements use, and the modules that they import."""

    def __init__(self, imported: set[str]) -> None:
        self.imported = imported
        self.words: set[str] = set()
        """Attributes, and what else may be of any module."""
        self.names: set[tuple[str, str]] = set()
        """Those of variables, each with the module of which it is one; "" if that is not known."""
        self.bare: set[str] = set()
        """The same without the modules."""
        self.has_stars = False
        """Whether a module takes all names of another one."""
        self.module: _Module
        self.name: str
        """Of the module that is marked."""

    @property
    def count(self) -> int:
        """How much is known to be used."""
        return len(self.imported) + len(self.words) + len(self.names) + self.has_stars

    def _is_used(self, name: str) -> bool:
        if self.has_stars and name in self.bare:
            return True
        return name in self.words or not self.names.isdisjoint([(self.name, name), ("", name)])

    def _use(self, module: str, names: Collection[str]) -> None:
        self.names |= {(module, name) for name in names}
        self.bare |= set(names)

    def mark(self, body: Sequence[ast.stmt], *, within: str = "module") -> bool:
        """Mark the needed statements of a module, class or function; say whether there are any."""
        # All of them are marked, not only those up to the first.
        return sum(self._is_needed(node, within) for node in body) > 0

    def _is_needed(self, node: ast.stmt, within: str) -> bool:
        if isinstance(node, _Function | ast.ClassDef):
            needed = self._definition(node)
        elif isinstance(node, _Import):
            needed = self._import(node)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            needed = True
        elif _is_string(node):
            needed = False
        elif not self.module.ran([node]):
            # Without it, a function might be no generator any more.
            needed = within == "function" and _suspends(node)
        elif bodies := _bodies(node):
            marked = sum(self.mark(each, within=within) for each in bodies) > 0
            needed = marked or (within == "function" and not isinstance(node, ast.If))
        else:
            bound = _assigned(node) if within == "module" else ()
            needed = not bound or any(map(self._is_used, bound))
        if needed and node not in self.module.needed:
            self.module.needed.add(node)
            if not isinstance(node, _Import):
                words, names = _words(node, self.module.emptied)
                self.words |= words
                self._use(self.name, names)
        return needed

    def _definition(self, node: _Function | ast.ClassDef) -> bool:
        named = self._is_used(node.name)
        if isinstance(node, ast.ClassDef):
            entered = any(
                isinstance(each, _Function) and self.module.ran(each.body)
                for each in ast.walk(node)
            )
            # Else nobody asks for the attributes.
            if named or entered:
                self.mark(node.body, within="class")
            return named or entered
        if self.module.ran(node.body):
            self.mark(node.body, within="function")
            return True
        return named and self.module.ran([node])

    def _import(self, node: _Import) -> bool:
        if not self.module.ran([node]):
            return False
        needed = False
        for alias in node.names:
            bound = {alias.asname} if alias.asname else set(alias.name.split("."))
            is_forced = alias.name == "*" or getattr(node, "module", None) == "__future__"
            is_asked = is_forced or all(map(self._is_used, bound))
            if is_asked and alias not in self.module.needed:
                self.module.needed.add(alias)
                one = _with_names(node, [alias])
                self.imported.update(_imported_words(one))
                if isinstance(node, ast.ImportFrom):
                    self._use((node.module or "").rpartition(".")[2], [alias.name])
                # Whatever is used may be from there.
                self.has_stars = self.has_stars or alias.name == "*"
            needed = needed or is_asked
        return needed


def is_display(node: ast.AST) -> TypeGuard[ast.Dict | ast.List | ast.Set]:
    """Say whether a part of a tree is a dictionary, list or set that is written out."""
    return isinstance(node, ast.Dict | ast.List | ast.Set)


def _name(path: str) -> str:
    """Return the last part of a module's name."""
    found = PurePosixPath(path)
    return found.parent.name if _is_package(path) else found.stem


def _is_package(path: str) -> bool:
    return PurePosixPath(path).name == "__init__.py"


def _imported_words(node: _Import) -> Iterator[str]:
    """Yield the parts of the names of modules that an import may be of."""
    yield from (getattr(node, "module", None) or "").split(".")
    for alias in node.names:
        yield from alias.name.split(".")


def _with_names(node: _Import, names: list[ast.alias]) -> _Import:
    if isinstance(node, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(node.module, names, node.level)


def _words(node: ast.stmt, emptied: Collection[ast.AST]) -> tuple[set[str], set[str]]:
    """Return the words and the variables of a statement, without the statements inside it."""
    words, names = set(), set()
    todo = list(ast.iter_child_nodes(node))
    while todo:
        inner = todo.pop()
        if isinstance(inner, ast.stmt) or inner in emptied:
            continue
        if isinstance(inner, ast.Name):
            names.add(inner.id)
        elif isinstance(inner, ast.Attribute):
            words.add(inner.attr)
        elif isinstance(inner, ast.arg):
            # It may be a fixture.
            words.add(inner.arg)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            # What is looked up by its name, as by `getattr`.
            words |= {part for part in inner.value.split(".") if part.isidentifier()}
        todo += ast.iter_child_nodes(inner)
    return words, names


def _assigned(node: ast.stmt) -> Collection[str]:
    """Return the names that a statement only binds; none if it does anything else."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    else:
        return ()
    found = []
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        for part in parts:
            if not isinstance(part, ast.Name):
                return ()
            found.append(part.id)
    return found


def _is_string(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _suspends(node: ast.stmt) -> bool:
    return any(isinstance(each, ast.Yield | ast.YieldFrom | ast.Await) for each in ast.walk(node))


def _bodies(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the bodies of a statement, in order."""
    found = [
        getattr(node, name)
        for name in ("body", "handlers", "cases", "orelse", "finalbody")
        if getattr(node, name, None)
    ]
    return [
        inner
        for each in found
        for inner in (
            [each]
            if isinstance(each[0], ast.stmt)
            else [inner for part in each for inner in _bodies(part)]
        )
    ]


def _swept(module: _Module) -> Iterator[Splice]:
    """Yield the splices that leave out the statements that are not needed."""
    yield from _swept_body(module, module.tree.body, may_be_empty=True)


def _swept_body(
    module: _Module, body: Sequence[ast.stmt], *, may_be_empty: bool = False
) -> Iterator[Splice]:
    if not may_be_empty and not any(node in module.needed for node in body):
        yield from _emptied_body(module, body)
        return
    kept = 0
    for at, node in enumerate(body):
        if node in module.needed:
            yield from _cut(module, body[kept:at])
            kept = at + 1
            yield from _swept_inside(module, node)
    yield from _cut(module, body[kept:])


def _swept_inside(module: _Module, node: ast.stmt) -> Iterator[Splice]:
    if isinstance(node, _Import):
        names = [alias for alias in node.names if alias in module.needed]
        if len(names) < len(node.names):
            wanted = ast.unparse(_with_names(node, names))
            yield module.start(node), module.end(node), wanted
        return
    if module.emptied:
        yield from _emptied_displays(module, node)
    last: ast.stmt | None = None
    for body in _bodies(node):
        needed = any(each in module.needed for each in body)
        if not needed and last is not None:
            start, end = module.end(last), module.start(body[0])
            keyword = _ELSE.search(module.text, start, end)
            if keyword is not None:
                yield keyword.start(), module.end(body[-1]), ""
                continue
            if module.text.startswith("elif", end):
                yield end, module.end(body[-1]), ""
                continue
        if module.text.startswith("elif", module.start(body[0])):
            yield from _swept_inside(module, body[0])
        else:
            yield from _swept_body(module, body)
        last = body[-1]


def _emptied_displays(module: _Module, node: ast.stmt) -> Iterator[Splice]:
    """Yield the splices that empty displays of a statement, not of the statements inside it."""
    todo = list(ast.iter_child_nodes(node))
    while todo:
        inner = todo.pop()
        if inner in module.emptied:
            assert isinstance(inner, ast.expr)
            yield module.start(inner) + 1, module.end(inner) - 1, ""
        elif not isinstance(inner, ast.stmt):
            todo += ast.iter_child_nodes(inner)


def _cut(module: _Module, nodes: Sequence[ast.stmt]) -> Iterator[Splice]:
    """Cut neighbouring statements out if they have their lines for themselves."""
    if not nodes:
        return
    text = module.text
    start = text.rfind("\n", 0, module.start(nodes[0])) + 1
    found = text.find("\n", module.end(nodes[-1]))
    end = len(text) if found < 0 else found + 1
    before, after = text[start : module.start(nodes[0])], text[module.end(nodes[-1]) : end]
    if not before.strip() and (not after.strip() or after.lstrip().startswith("#")):
        yield start, end, ""


def _emptied(module: _Module) -> Iterator[Splice]:
    """Yield the splices that empty the outermost functions that were not entered."""
    todo: list[ast.AST] = [module.tree]
    while todo:
        node = todo.pop()
        if isinstance(node, _Function) and not module.ran(node.body):
            yield from _emptied_body(module, node.body)
        else:
            todo += reversed(list(ast.iter_child_nodes(node)))


def _emptied_body(module: _Module, body: Sequence[ast.stmt]) -> Iterator[Splice]:
    start, end = module.start(body[0]), module.end(body[-1])
    if end - start > len(_EMPTY):
        yield start, end, _EMPTY


def _first_line(node: ast.stmt) -> int:
    """Return the line of a statement's first decorator, or else its own."""
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else node.lineno


def _decoded(part: bytes) -> str:
    return part.decode("utf-8", "surrogateescape")
