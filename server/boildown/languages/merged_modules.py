"""Modules of Python put into the file that imports them, so that a package goes as files do.

Where an import would first run a module of the folder, the module's text is put, with those that it
imports in it in turn, as they run. `module.name` becomes `name`; where two modules have the same
name, that of the later one becomes another. Names that functions bind, and modules that are used as
values, may make it fail: the test judges.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate

from boildown.folder_text import packed, unpacked
from boildown.languages.idle_parts import parsed

_PACKAGE = "__init__.py"
_FUTURE = "__future__"
_SETUP = "conftest.py"
"""The module that pytest imports by itself, from the folders above a test's file."""


def merged_modules(text: str, main: str) -> Iterator[str]:
    """Yield folders in which a file holds the modules that it imports: all of them, or fewer.

    `text` is that of a folder. A module is put into the file only with all that import it, so it
    does not exist twice. The first text has the fewest files, each later one half of those merged.
    """
    files = unpacked(text)
    modules = _Modules(files)
    if main not in modules.trees:
        return
    order = _outermost_first(modules, main)
    count = len(order)
    while count:
        taken = frozenset(order[:count])
        merged = _Merging(modules, taken).merged(main)
        yield packed(
            (path, merged if path == main else content)
            for path, content in files.items()
            if path not in taken
        )
        count //= 2


def _outermost_first(modules: _Modules, main: str) -> list[str]:
    """Return the modules that a file imports, each behind those that import it, as far as may be.

    Modules that import each other come in the order in which they are met.
    """
    imported: dict[str, list[str]] = {}
    waiting = [main]
    while waiting:
        path = waiting.pop()
        if path not in imported:
            imported[path] = list(dict.fromkeys(modules.imports(path)))
            waiting += reversed(imported[path])
    left = list(imported)[1:]
    order: list[str] = []
    while left:
        free = [
            path
            for path in left
            if not any(path in imported[other] for other in left if other != path)
        ]
        order += free or left
        left = [path for path in left if path not in order]
    return order


class _Modules:
    """The modules of a folder that can be parsed, by their paths."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.trees: dict[str, ast.Module] = {}
        for path, content in files.items():
            if path.endswith(".py") and (tree := parsed(content)) is not None:
                self.trees[path] = tree

    def key(self, name: str) -> str | None:
        """Return the path without its end of a module or package that is imported by a name."""
        place = name.replace(".", "/")
        parts = [f"/{path}".partition(f"/{place}/") for path in self.files]
        found = [f"{start}/{place}"[1:] for start, middle, _ in parts if middle]
        found += [path.removesuffix(".py") for path in self.files if self._is_file_of(path, place)]
        # What lies in a package is found by way of it alone.
        roots = ((key[: -len(place)], key) for key in found)
        free = [key for root, key in roots if f"{root}{_PACKAGE}" not in self.files]
        return min(free, key=lambda each: each.count("/"), default=None)

    def _is_file_of(self, path: str, place: str) -> bool:
        return f"/{path}".endswith(f"/{place}.py")

    def file(self, key: str) -> str | None:
        """Return the file of a module or package; None for a folder without one."""
        paths = (f"{key}.py", posixpath.join(key, _PACKAGE))
        return next((path for path in paths if path in self.trees), None)

    def inside(self, key: str, name: str) -> str | None:
        """Return the module or package of a name in a package, if there is one."""
        inner = posixpath.join(key, name)
        is_known = self.file(inner) or any(path.startswith(f"{inner}/") for path in self.trees)
        return inner if is_known else None

    def source(self, path: str, node: ast.ImportFrom) -> str | None:
        """Return the module from which an import in a file takes names, if it is in the folder."""
        if not node.level:
            return self.key(node.module or "")
        folder = posixpath.dirname(path)
        for _ in range(node.level - 1):
            folder = posixpath.dirname(folder)
        parts = (node.module or "").split(".")
        key = posixpath.normpath(posixpath.join(folder, *filter(None, parts)))
        known = self.file(key) or any(other.startswith(f"{key}/") for other in self.trees)
        return key if known else None

    def run_by(self, key: str) -> list[str]:
        """Return the files that run when a module is imported: of the packages around it, too."""
        found = [self.file(key)]
        while "/" in key:
            key = posixpath.dirname(key)
            found.append(posixpath.join(key, _PACKAGE))
        return [path for path in reversed(found) if path in self.trees]

    def targets(self, path: str, node: ast.AST) -> list[str]:
        """Return the modules of the folder that an import names, by their paths without ends."""
        found: list[str | None] = []
        if isinstance(node, ast.Import):
            found = [self.key(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (source := self.source(path, node)) is not None:
            found = [source, *(self.inside(source, alias.name) for alias in node.names)]
        return [key for key in found if key is not None]

    def imports(self, path: str) -> Iterator[str]:
        """Yield the files that a file runs by its imports, in order."""
        yield from self.setups(path)
        for node in ast.walk(self.trees[path]):
            for key in self.targets(path, node):
                yield from (each for each in self.run_by(key) if each != path)

    def setups(self, path: str) -> list[str]:
        """Return the modules that pytest runs before a file of tests."""
        found = []
        folder = posixpath.dirname(path)
        while is_test(path):
            found.append(posixpath.join(folder, _SETUP))
            if not folder:
                break
            folder = posixpath.dirname(folder)
        return [each for each in reversed(found) if each in self.trees]


class _Merging:
    """The modules that are put into a file, in the order in which they run."""

    def __init__(self, modules: _Modules, taken: Collection[str]) -> None:
        self.modules = modules
        self.taken = taken
        self.done: set[str] = set()
        self.futures: set[str] = set()
        """What is imported from `__future__`, which has to come first."""
        self.stands: dict[tuple[str, str], str] = {}
        """The modules, by their paths without ends, that names in files stand for."""
        self.names: dict[tuple[str, str], str] = {}
        """What the names that files hold are called in the file that all are put into."""
        self.owners: dict[str, tuple[str, ...]] = {}
        """Who has each of these names: a file, or what is imported from elsewhere."""

    def merged(self, main: str) -> str:
        """Return the text of a file with the modules in it."""
        for name in _defined(self.modules.trees[main]):
            # A test is found by its name, so this file keeps its own.
            self._name(main, name, (main,))
        text = self._text(main).decode()
        if self.futures:
            text = f"from {_FUTURE} import {', '.join(sorted(self.futures))}\n{text}"
        return text

    def _text(self, path: str) -> bytes:
        """Return the text of a module, with those that it is the first to import."""
        source = self.modules.files[path].encode()
        lines = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        module = self.modules.trees[path]

        def span(node: ast.stmt | ast.expr) -> tuple[int, int]:
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = lines[node.lineno - 1] + node.col_offset
            return start, lines[node.end_lineno - 1] + node.end_col_offset

        for name in _defined(module):
            self._name(path, name, (path,))
        splices = [(0, 0, b"".join(map(self._begun, self.modules.setups(path))))]
        for statement in module.body:
            for node in _imports(statement):
                keys = self.modules.targets(path, node)
                run = (file for key in keys for file in self.modules.run_by(key))
                first = lines[min([statement.lineno, *_decorated(statement)]) - 1]
                splices.append((first, first, b"".join(map(self._begun, run))))
                instead = self._instead(path, node)
                if instead is not None:
                    instead = instead or ("" if node is statement else "pass")
                    splices.append((*span(node), instead.encode()))
        for expression in _of_module(module):
            if (new := self._called(path, expression)) is not None:
                splices.append((*span(expression), new.encode()))
        for statement in module.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                new = self.names[path, statement.name]
                start = source.index(statement.name.encode(), span(statement)[0] + len("def"))
                splices.append((start, start + len(statement.name.encode()), new.encode()))
        return _spliced(source, splices) + b"\n"

    def _begun(self, path: str) -> bytes:
        """Return the text of a module that is put where it is first imported, else nothing."""
        if path not in self.taken or path in self.done:
            return b""
        self.done.add(path)
        return self._text(path)

    def _name(self, path: str, name: str, owner: tuple[str, ...]) -> None:
        """Choose the name for one of a file; each name has one owner."""
        if (path, name) in self.names:
            return
        new, count = name, 1
        while self.owners.setdefault(new, owner) != owner:
            count += 1
            new = f"{name}_{count}"
        self.names[path, name] = new

    def _called(self, path: str, node: ast.expr) -> str | None:
        """Return the name for one of a file or a module; None if it stays as it is."""
        if isinstance(node, ast.Name):
            new = self.names.get((path, node.id), node.id)
            return None if new == node.id else new
        if not isinstance(node, ast.Attribute) or self._key(path, node) is not None:
            return None
        key = self._key(path, node.value)
        if key is None or not self._is_merged(key):
            return None
        return self.names.get((self.modules.file(key) or "", node.attr), node.attr)

    def _instead(self, path: str, node: ast.Import | ast.ImportFrom) -> str | None:
        """Return the statement that stands for an import; None if it stays as it is."""
        if isinstance(node, ast.Import):
            kept = [alias for alias in node.names if not self._binds(path, alias)]
            for alias in kept:
                name = alias.asname or alias.name.partition(".")[0]
                self._name(path, name, (alias.name if alias.asname else name, ""))
            told = self._import(path, "", kept)
            return None if told == ast.unparse(node) else told
        if node.module == _FUTURE:
            self.futures.update(alias.name for alias in node.names)
            return ""
        source = self.modules.source(path, node)
        file = self.modules.file(source or "") or ""
        kept = []
        for alias in node.names:
            name = alias.asname or alias.name
            inner = None if source is None else self.modules.inside(source, alias.name)
            stands = self.stands.get((file, alias.name), inner)
            if stands is not None and self._is_merged(stands):
                self.stands[path, name] = stands
            elif file not in self.taken:
                kept.append(alias)
                if name != "*":
                    self._name(path, name, (f"{'.' * node.level}{node.module}", alias.name))
            elif name == "*":
                for (owner, each), new in list(self.names.items()):
                    if owner == file:
                        self.names.setdefault((path, each), new)
            else:
                self.names[path, name] = self.names.get((file, alias.name), alias.name)
        if source is None and path not in self.taken:
            told = self._import(path, f"{'.' * node.level}{node.module or ''}", kept)
        else:
            told = self._import(path, node.module if source is None else self._dotted(source), kept)
        return None if told == ast.unparse(node) else told

    def _import(self, path: str, source: str | None, names: Sequence[ast.alias]) -> str:
        """Return the statement that imports names, of a module or as modules; nothing for none."""
        told = []
        for each in names:
            name = each.asname or each.name
            new = self.names.get((path, name), name)
            told.append(f"{each.name} as {new}" if each.asname or new != name else each.name)
        if not told:
            return ""
        return f"{f'from {source} ' if source else ''}import {', '.join(told)}"

    def _binds(self, path: str, alias: ast.alias) -> bool:
        """Note which module a name stands for, if that is merged."""
        key = self.modules.key(alias.name)
        if key is None or not self._is_merged(key):
            return False
        outer = key.split("/")[: -alias.name.count(".") or None]
        name = alias.asname or alias.name.partition(".")[0]
        self.stands[path, name] = key if alias.asname else "/".join(outer)
        return True

    def _key(self, path: str, node: ast.expr) -> str | None:
        """Return the module that an expression stands for, if it is one of the folder."""
        if isinstance(node, ast.Name):
            return self.stands.get((path, node.id))
        if isinstance(node, ast.Attribute) and (key := self._key(path, node.value)) is not None:
            held = self.stands.get((self.modules.file(key) or "", node.attr))
            return held or self.modules.inside(key, node.attr)
        return None

    def _is_merged(self, key: str) -> bool:
        """Say whether a module is, or of a folder that is none whether one in it is."""
        file = self.modules.file(key)
        if file is not None:
            return file in self.taken
        return any(path.startswith(f"{key}/") for path in self.taken)

    def _dotted(self, key: str) -> str:
        """Return the name by which a module is imported from anywhere."""
        parts = key.split("/")
        start = len(parts) - 1
        while start and "/".join([*parts[:start], _PACKAGE]) in self.modules.files:
            start -= 1
        return ".".join(parts[start:])


_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


def _imports(statement: ast.stmt) -> list[ast.Import | ast.ImportFrom]:
    found = [node for node in ast.walk(statement) if isinstance(node, ast.Import | ast.ImportFrom)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _defined(scope: ast.AST) -> Iterator[str]:
    """Yield the names that a module, a class or a function binds in itself, but by imports."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            yield node.name
        if not isinstance(node, _Scope):
            waiting += ast.iter_child_nodes(node)


def _of_module(module: ast.Module) -> Iterator[ast.expr]:
    """Yield the names that a module binds or looks up, not those of its functions."""
    nothing: frozenset[str] = frozenset()
    waiting: list[tuple[ast.AST, frozenset[str], frozenset[str]]] = [(module, nothing, nothing)]
    while waiting:
        node, local, of_class = waiting.pop()
        if isinstance(node, ast.Name) and node.id not in local | of_class:
            yield node
        if isinstance(node, ast.Attribute) and not _root(node) & (local | of_class):
            yield node
        inner = local
        if isinstance(node, _Function):
            declared = {
                name
                for each in ast.walk(node)
                if isinstance(each, ast.Global)
                for name in each.names
            }
            inner = local | (frozenset(_defined(node)) - declared)
        elif isinstance(node, _Comprehension):
            of_class, inner = nothing, local | of_class | frozenset(_defined(node))
        within = frozenset(_defined(node)) if isinstance(node, ast.ClassDef) else nothing
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.arguments):
                    # Defaults and annotations are of the scope around the function.
                    outside = (*child.defaults, *filter(None, child.kw_defaults))
                    notes = (
                        each.annotation for each in ast.walk(child) if isinstance(each, ast.arg)
                    )
                    waiting += ((each, local, of_class) for each in (*outside, *notes) if each)
                elif isinstance(child, ast.AST):
                    is_inside = name == "body" or not isinstance(node, _Scope)
                    if isinstance(node, ast.ClassDef) and is_inside:
                        waiting.append((child, local, within))
                    elif isinstance(node, _Function) and is_inside:
                        waiting.append((child, inner, nothing))
                    else:
                        waiting.append((child, inner if is_inside else local, of_class))


def _root(node: ast.expr) -> frozenset[str]:
    while isinstance(node, ast.Attribute):
        node = node.value
    return frozenset([node.id] if isinstance(node, ast.Name) else ())


def _decorated(statement: ast.stmt) -> list[int]:
    return [each.lineno for each in getattr(statement, "decorator_list", ())]


def _spliced(source: bytes, splices: list[tuple[int, int, bytes]]) -> bytes:
    """Return a text with parts replaced; of two that overlap the inner one is left out."""
    parts, end = [], 0
    for start, after, instead in sorted(
        splices, key=lambda each: (each[0], each[0] != each[1], -each[1])
    ):
        if start >= end:
            parts += [source[end:start], instead]
            end = after
    return b"".join([*parts, source[end:]])


def is_test(path: str) -> bool:
    """Say whether pytest looks for tests in a file of that name."""
    name = posixpath.basename(path)
    return name.startswith("test_") or name.endswith("_test.py")
