"""Collects the definitions of a grammar in Lark's notation, with imported ones.

Imported definitions are renamed, as in Lark: `%import my.list` defines `list`, and a rule `word`
that it uses there is called `my__word` here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from lark import Token, Tree

from boildown.grammar.notations.lark.syntax import Subtree, parsed
from boildown.grammar.notations.lark.terminals import DefinitionError

Resolve: TypeAlias = Callable[[str], "str | None"]
"""Returns the text of another grammar file, given its path; None if there is no such file."""


@dataclass(slots=True, eq=False)
class Definition:
    """A rule, a template or a terminal. Compared by identity."""

    name: str
    is_terminal: bool
    tree: Subtree
    """Its expansions; None if it is only declared. In a terminal's, the terminals that it uses are
    the children of values as definitions, since an import may give their names another meaning."""
    params: tuple[str, ...] = ()
    priority: int = 0

    @property
    def kind(self) -> str:
        """The word for it in messages."""
        return "terminal" if self.is_terminal else "rule"

    def used(self) -> list[str]:
        """Return the names in the expansions, apart from a template's parameters."""
        if self.tree is None:
            return []
        names: dict[str, None] = {}
        seen: set[int] = set()
        # Inner expansions come before those around them, and are not gone through again there.
        for expansion in self.tree.find_data("expansion"):
            stack = [expansion]
            while stack:
                part = stack.pop()
                if id(part) not in seen and isinstance(part, Tree):
                    seen.add(id(part))
                    stack += reversed(part.children)
                    if part.data in ("terminal", "nonterminal"):
                        names[str(part.children[0])] = None
        return [name for name in names if name not in self.params]

    def parts(self) -> list[Definition]:
        """Return the terminals of which a terminal is composed."""
        if self.tree is None:
            return []
        values = (value.children[0] for value in self.tree.find_data("value"))
        return [value for value in values if isinstance(value, Definition)]


class Definitions:
    """The definitions of one grammar file."""

    def __init__(
        self, text: str, name: str, resolve: Resolve, renamed: Callable[[str], str] | None = None
    ) -> None:
        """`renamed` gives the names of an imported file their new ones.

        Raises `DefinitionError`, or `GrammarError` with the place of a fault in the syntax.
        """
        self.known: dict[str, Definition] = {}
        self.ignored: list[str] = []
        self._resolve = resolve
        self._renamed = renamed
        statements = parsed(text, name).children
        self._import_all(statement for statement in statements if statement.data == "import")
        for statement in statements:
            self._read(statement)
        self._compose_terminals()

    def _read(self, statement: Subtree) -> None:
        if self._renamed is not None:
            _rename(statement, self._renamed)
        if statement.data in ("rule", "term"):
            self._define(_definition(statement))
        elif statement.data == "override":
            self._define(_definition(statement.children[0]), override=True)
        elif statement.data == "extend":
            self._extend(_definition(statement.children[0]))
        elif statement.data == "ignore" and self._renamed is None:
            self._ignore(statement.children[0])
        elif statement.data == "declare":
            for symbol in statement.children:
                name = str(symbol.children[0])
                self._define(Definition(name, symbol.data == "terminal", None))

    def _define(self, new: Definition, override: bool = False) -> None:
        if override and new.name not in self.known:
            raise DefinitionError(f"Cannot override a nonexisting {new.kind} {new.name}", new.name)
        if not override and new.name in self.known:
            what = new.kind.title()
            raise DefinitionError(f"{what} '{new.name}' defined more than once", new.name)
        if new.name.startswith("__"):
            raise DefinitionError(
                f"Names starting with double-underscore are reserved (Error at {new.name})",
                new.name,
            )
        self.known[new.name] = new

    def _extend(self, more: Definition) -> None:
        base = self.known.get(more.name)
        reason = None
        if base is None:
            reason = "it wasn't defined before"
        elif base.is_terminal != more.is_terminal:
            reason = "one is a terminal, while the other is not"
        elif base.params != more.params:
            reason = "it has other parameters"
        elif base.tree is None:
            reason = "it is abstract"
        if reason is not None or base is None or base.tree is None:
            raise DefinitionError(f"Can't extend {more.kind} {more.name}: {reason}", more.name)
        # The definition itself changes, not its name's meaning: what was composed of it, such as
        # the terminals of an imported file, is extended, too.
        base.tree.children.insert(0, more.tree)

    def _ignore(self, expansions: Subtree) -> None:
        names = [str(token) for token in expansions.scan_values(lambda _token: True)]
        if [tree.data for tree in expansions.iter_subtrees_topdown()] == [
            *("expansions", "expansion", "value", "terminal")
        ]:
            self.ignored += names
            return
        name = f"__IGNORE_{len(self.ignored)}"
        self.ignored.append(name)
        self.known[name] = Definition(name, True, expansions)

    def _import_all(self, statements: Iterable[Subtree]) -> None:
        """Read the imported files, each only once, and take the names asked for."""
        imports: dict[tuple[str, ...], dict[str, str]] = {}
        for statement in statements:
            path, *names = statement.children
            dotted = tuple(map(str, path.children))
            if names and isinstance(names[0], Tree):
                aliases = {str(name): str(name) for name in names[0].children}
            else:
                *_, name = dotted
                dotted = dotted[:-1]
                aliases = {name: str(names[0]) if names else name}
            if not dotted:
                raise DefinitionError(f"Nothing was imported from grammar `{name}`")
            imports.setdefault(dotted, {}).update(aliases)
        for dotted, aliases in imports.items():
            self._import(dotted, aliases)

    def _import(self, dotted: tuple[str, ...], aliases: dict[str, str]) -> None:
        path = "/".join(dotted) + ".lark"
        text = self._resolve(path)
        if text is None:
            raise DefinitionError(f"Can't import {path}: there is no such grammar")
        renamed = _renaming("__".join(dotted), aliases, self._renamed)
        inner = Definitions(text, path, self._resolve, renamed)
        for name in inner.needed(map(renamed, aliases)):
            if name in self.known:
                raise DefinitionError(f"Symbol '{name}' is imported and defined", name)
            self.known[name] = inner.known[name]

    def needed(self, names: Iterable[str]) -> list[str]:
        """Return which definitions some names need, in the order of the file.

        A terminal needs no others, as it is composed already.
        """
        found: set[str] = set()
        pending = list(names)
        while pending:
            name = pending.pop()
            definition = self.known.get(name)
            if name not in found and definition is not None:
                found.add(name)
                pending += [] if definition.is_terminal else definition.used()
        return [name for name in self.known if name in found]

    def _compose_terminals(self) -> None:
        """Put the definitions of the terminals that a terminal uses into its expansions."""
        terminals = [each for each in self.known.values() if each.is_terminal and each.tree]
        for terminal in terminals:
            assert terminal.tree is not None
            for value in terminal.tree.find_data("value"):
                child = value.children[0]
                if isinstance(child, Definition) or child.data not in ("terminal", "nonterminal"):
                    continue
                name = str(child.children[0])
                if child.data == "nonterminal":
                    raise DefinitionError(
                        f"Rules aren't allowed inside terminals ('{name}' in {terminal.name})", name
                    )
                if name not in self.known:
                    raise DefinitionError(f"Terminal used but not defined: {name}", name)
                value.children[0] = self.known[name]
        for terminal in terminals:
            if _is_recursive(terminal):
                raise DefinitionError(
                    f"Recursion in terminal '{terminal.name}' "
                    "(recursion is only allowed in rules, not terminals)",
                    terminal.name,
                )

    def check(self) -> None:
        """Raise `DefinitionError` if a name is used that is not defined, or not as it must be."""
        for definition in self.known.values():
            where = f"(in {definition.kind} {definition.name})"
            self._check_params(definition)
            if definition.tree is not None:
                self._check_templates(definition, where)
            for name in definition.used():
                if name not in self.known:
                    what = definition.kind.title()
                    reason = f"{what} '{name}' used but not defined {where}"
                    raise DefinitionError(reason, name)
        for name in self.ignored:
            if name not in self.known:
                raise DefinitionError(
                    f"Terminal '{name}' was marked to ignore but was not defined", name
                )

    def _check_params(self, template: Definition) -> None:
        where = f"(in template {template.name})"
        for i, param in enumerate(template.params):
            if param in self.known:
                reason = f"Template Parameter conflicts with rule {param} {where}"
                raise DefinitionError(reason, param)
            if param in template.params[:i]:
                raise DefinitionError(f"Duplicate Template Parameter {param} {where}", param)

    def _check_templates(self, definition: Definition, where: str) -> None:
        assert definition.tree is not None
        for usage in definition.tree.find_data("template_usage"):
            name = str(usage.children[0].children[0])
            if name in definition.params:
                continue
            if name not in self.known:
                raise DefinitionError(f"Template '{name}' used but not defined {where}", name)
            expected, actual = len(self.known[name].params), len(usage.children) - 1
            if expected != actual:
                raise DefinitionError(
                    f"Wrong number of template arguments used for {name} "
                    f"(expected {expected}, got {actual}) {where}",
                    name,
                )


def _definition(statement: Subtree) -> Definition:
    """Return the definition of a statement that defines a rule or a terminal."""
    if statement.data == "term":
        name, priority, tree = statement.children
        return Definition(str(name), True, tree, (), _number(priority))
    modifiers, name, params, priority, tree = statement.children
    if name.startswith("_") and any("?" in modifier for modifier in modifiers.children):
        raise DefinitionError("Inlined rules (_rule) cannot use the ?rule modifier.", name)
    return Definition(str(name), False, tree, tuple(map(str, params.children)), _number(priority))


def _number(priority: Subtree) -> int:
    return int(str(priority.children[0])) if priority.children else 0


def _renaming(
    prefix: str, aliases: dict[str, str], outer: Callable[[str], str] | None
) -> Callable[[str], str]:
    """Return a function from the names of an imported file to those that they have here."""

    def renamed(name: str) -> str:
        if name in aliases:
            name = aliases[name]
        else:
            name = f"_{prefix}__{name[1:]}" if name.startswith("_") else f"{prefix}__{name}"
        return name if outer is None else outer(name)

    return renamed


def _rename(statement: Subtree, renamed: Callable[[str], str]) -> None:
    """Rename the symbols that a statement defines or uses."""
    for tree in statement.iter_subtrees():
        if tree.data in ("terminal", "nonterminal", "rule", "term", "params"):
            tree.children = [
                renamed(child)
                if isinstance(child, Token) and child.type in ("RULE", "TERMINAL")
                else child
                for child in tree.children
            ]


def _is_recursive(terminal: Definition) -> bool:
    seen: set[Definition] = set()
    pending = terminal.parts()
    while pending:
        part = pending.pop()
        if part is terminal:
            return True
        if part not in seen:
            seen.add(part)
            pending += part.parts()
    return False
