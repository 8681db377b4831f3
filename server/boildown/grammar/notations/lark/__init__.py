"""Reads grammars in Lark's notation (`.lark`).

Rules keep the form in which they were written, with `*`, `+`, `?` and `[x]`, which become
repetitions and options. Names that only shape Lark's trees (`?rule`, `_rule`, aliases) are read
and mean nothing: every rule makes a node under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from boildown.grammar import ir
from boildown.grammar.ir import Expr, Grammar, GrammarError, line_and_column
from boildown.grammar.notations.lark.definitions import Definition, Definitions, Resolve
from boildown.grammar.notations.lark.syntax import Subtree
from boildown.grammar.notations.lark.terminals import (
    DefinitionError,
    TerminalPattern,
    bounds,
    ends_of_range,
    literal,
    one_after_the_other,
    one_of,
    repeated,
)


def read_lark(
    text: str, name: str = "grammar.lark", start: str = "start", resolve: Resolve | None = None
) -> Grammar:
    """Return the grammar that a text in Lark's notation describes.

    `name` is the file's name, for messages. An `%import a.b.NAME` asks `resolve("a/b.lark")` for
    the text of the other grammar; None means that there is none. Raises `GrammarError`.
    """
    try:
        definitions = Definitions(text, name, resolve or (lambda _path: None))
        definitions.check()
        rules, terminals = _Reader(definitions.known.values()).read()
    except DefinitionError as error:
        raise GrammarError(name, error.reason, *_place(text, error.piece)) from None
    except RecursionError:
        raise GrammarError(name, "a rule is nested too deeply") from None
    ignored = tuple(definitions.ignored)
    grammar = Grammar(
        {rule: expr for rule, (expr, _) in rules.items()},
        start,
        _used(terminals, (expr for expr, _ in rules.values()), ignored),
        ignored,
        {rule: priority for rule, (_, priority) in rules.items() if priority},
        name=name,
    )
    ir.check(grammar, lambda piece: _place(text, piece))
    return grammar


def _used(
    terminals: dict[str, ir.Terminal], rules: Iterable[Expr], ignored: tuple[str, ...]
) -> dict[str, ir.Terminal]:
    """Return the terminals that stand in rules, not only in other terminals."""
    names = {expr.name for expr in ir.parts(rules) if isinstance(expr, ir.Sym)} | {*ignored}
    return {name: terminal for name, terminal in terminals.items() if name in names}


class _Reader:
    """Turns definitions into expressions."""

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._definitions = {each.name: each for each in definitions}
        self._named: dict[Expr, str] = {}
        """The names of terminals by their patterns."""
        self._rules: dict[str, tuple[Expr, int]] = {}

    def read(self) -> tuple[dict[str, tuple[Expr, int]], dict[str, ir.Terminal]]:
        """Return the rules with their priorities, and the terminals."""
        terminals = {}
        for name, definition in self._definitions.items():
            if definition.is_terminal:
                pattern = _terminal(definition).for_ir()
                terminals[name] = ir.Terminal(pattern, definition.priority)
                self._named.setdefault(pattern, name)
        for name, definition in self._definitions.items():
            if not definition.is_terminal and not definition.params:
                self._add(name, definition, {})
        return self._rules, terminals

    def _add(self, name: str, definition: Definition, arguments: dict[str, Expr]) -> None:
        if definition.tree is None:
            raise DefinitionError(f"Rule '{name}' is declared without a body", name)
        # The place of a rule among the others is where it is first met, before the rules that the
        # templates in it make.
        self._rules[name] = ir.EMPTY, 0
        self._rules[name] = self._expr(definition.tree, arguments), definition.priority

    def _expr(self, tree: Subtree, arguments: dict[str, Expr]) -> Expr:
        """Return the expression of a part of a rule, in which parameters stand for arguments."""
        if tree.data == "expansions":
            return ir.alt([self._expr(child, arguments) for child in tree.children])
        if tree.data == "alias":
            return self._expr(tree.children[0], arguments)
        if tree.data == "expansion":
            return ir.seq([self._expr(child, arguments) for child in tree.children])
        if tree.data == "maybe":
            return ir.opt(self._expr(tree.children[0], arguments))
        if tree.data == "expr":
            return self._repetition(tree, arguments)
        return self._value(tree.children[0], arguments)

    def _repetition(self, tree: Subtree, arguments: dict[str, Expr]) -> Expr:
        item = self._expr(tree.children[0], arguments)
        operator, *numbers = tree.children[1:]
        if operator == "~":
            return ir.repeat(item, *bounds(numbers))
        if operator == "?":
            return ir.opt(item)
        return ir.repeat(item, 1 if operator == "+" else 0, None)

    def _value(self, value: Subtree, arguments: dict[str, Expr]) -> Expr:
        if value.data in ("terminal", "nonterminal"):
            name = str(value.children[0])
            return arguments.get(name, ir.Sym(name))
        if value.data == "template_usage":
            return self._instance(value, arguments)
        if value.data == "literal":
            pattern = literal(value.children[0]).for_ir()
        else:
            first, last = map(re.escape, ends_of_range(*value.children))
            pattern = ir.Regex(f"[{first}-{last}]")
        known = self._named.get(pattern)
        return pattern if known is None else ir.Sym(known)

    def _instance(self, usage: Subtree, arguments: dict[str, Expr]) -> Expr:
        """Return the rule that a template makes of arguments."""
        template, *values = usage.children
        template_name = str(template.children[0])
        if isinstance(given := arguments.get(template_name), ir.Sym):
            template_name = given.name
        exprs = [self._value(value.children[0], arguments) for value in values]
        name = f"{template_name}{{{', '.join(map(ir.label, exprs))}}}"
        if name not in self._rules:
            definition = self._definitions[template_name]
            if len(definition.params) != len(exprs):
                raise DefinitionError(f"Wrong number of template arguments used for {name}", name)
            self._add(name, definition, dict(zip(definition.params, exprs, strict=True)))
        return ir.Sym(name)


def _terminal(definition: Definition) -> TerminalPattern:
    """Return the pattern of a terminal."""
    if definition.tree is None:
        raise DefinitionError(
            f"Terminal '{definition.name}' is declared without a pattern, which only a lexer in "
            "Python could match",
            definition.name,
        )
    try:
        return _pattern(definition.tree)
    except re.error as error:
        reason = f"Terminal '{definition.name}' is no regular expression: {error}"
        raise DefinitionError(reason, definition.name) from None


def _pattern(tree: Subtree) -> TerminalPattern:
    """Return the pattern of a part of a terminal."""
    children = tree.children
    if tree.data == "expansions":
        return one_of([_pattern(child) for child in children])
    if tree.data == "expansion":
        return one_after_the_other([_pattern(child) for child in children])
    if tree.data == "maybe":
        return repeated(_pattern(children[0]), "?")
    if tree.data == "expr":
        operator, *numbers = children[1:]
        if operator == "~":
            bounds(numbers)
            operator = f"{{{','.join(str(int(number)) for number in numbers)}}}"
        return repeated(_pattern(children[0]), operator)
    if tree.data == "value":
        return (
            _terminal(children[0]) if isinstance(children[0], Definition) else _pattern(*children)
        )
    if tree.data == "literal":
        return literal(children[0])
    if tree.data == "range":
        ends_of_range(*children)
        # Lark puts the ends into the brackets as they are written, escapes and all.
        return TerminalPattern(f"[{children[0][1:-1]}-{children[1][1:-1]}]")
    if tree.data == "alias":
        raise DefinitionError(
            "Aliasing not allowed in terminals (You used -> in the wrong place)",
            str(children[1].children[0]),
        )
    raise DefinitionError("A terminal can't use a template", str(children[0].children[0]))


def _place(text: str, piece: str) -> tuple[int, int]:
    """Return the line and the column of the last time that a piece stands alone, or zeros."""
    found = list(re.finditer(rf"(?<!\w){re.escape(piece)}(?!\w)", text)) if piece else []
    if not found:
        return 0, 0
    return line_and_column(text, found[-1].start())
