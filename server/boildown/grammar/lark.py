"""Reads grammars in Lark's notation, through the lark library's own loader.

The loader checks a grammar and keeps its rules as they were written, with `*`, `+`, `?` and `[x]`;
they become repetitions and options here. Names that only shape Lark's trees (`?rule`, `_rule`,
aliases) are read and mean nothing: every rule makes a node under its own name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import lark.exceptions
import lark.load_grammar
from lark.grammar import NonTerminal, Terminal
from lark.lexer import Pattern, PatternStr
from lark.load_grammar import (
    GrammarBuilder,
    PrepareLiterals,
    TerminalTreeToPattern,
)
from lark.tree import Tree

from boildown.grammar import ir
from boildown.grammar.ir import Expr, Grammar, GrammarError, line_and_column

_loader: Any = lark.load_grammar
"""Lark's loader as a module, for the functions in it that have no types."""

Resolve: TypeAlias = Callable[[str], "str | None"]


def read_lark(
    text: str, name: str = "grammar.lark", start: str = "start", resolve: Resolve | None = None
) -> Grammar:
    """Return the grammar that a text in Lark's notation describes.

    `name` is the file's name, for messages. An `%import a.b.NAME` asks `resolve("a/b.lark")` for
    the text of the other grammar; None means that there is none. Raises `GrammarError`.
    """
    builder = _Builder(resolve or (lambda _path: None))
    try:
        builder.load_grammar(text, name)
        rules, terminals = _Definitions(builder.build()).read()
    except lark.exceptions.LarkError as error:
        raise _located(text, name, error) from None
    except RecursionError:
        raise GrammarError(name, "a rule is nested too deeply") from None
    grammar = Grammar(
        {rule: expr for rule, (expr, _) in rules.items()},
        start,
        _used(terminals, (expr for expr, _ in rules.values()), builder.ignored()),
        builder.ignored(),
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


class _Builder(GrammarBuilder):
    """Lark's loader, which here imports through a function and never from the disk."""

    def __init__(self, resolve: Resolve) -> None:
        super().__init__()
        self._resolve = resolve

    def ignored(self) -> tuple[str, ...]:
        return tuple(map(str, self._ignore_names))

    def do_import(
        self,
        dotted_path: tuple[str, ...],
        base_path: str | None,
        aliases: dict[str, str],
        base_mangle: Callable[[str], str] | None = None,
    ) -> None:
        path = "/".join(dotted_path) + ".lark"
        text = self._resolve(path)
        if text is None:
            raise lark.exceptions.GrammarError(f"Can't import {path}: there is no such grammar")
        mangle = _loader._get_mangle("__".join(dotted_path), aliases, base_mangle)
        inner = _Builder(self._resolve)
        inner.load_grammar(text, path, mangle)
        _loader.GrammarBuilder._remove_unused(inner, map(mangle, aliases))
        for name in inner._definitions:
            if name in self._definitions:
                raise lark.exceptions.GrammarError(f"Symbol '{name}' is imported and defined")
        self._definitions.update(inner._definitions)


class _Definitions:
    """Turns the loader's definitions into expressions."""

    def __init__(self, grammar: Any) -> None:
        self._rules = {name: definition for name, *definition in grammar.rule_defs}
        self._terminals = grammar.term_defs
        self._named: dict[Expr, str] = {}
        self._instances: dict[str, tuple[Expr, int]] = {}

    def read(self) -> tuple[dict[str, tuple[Expr, int]], dict[str, ir.Terminal]]:
        """Return the rules with their priorities, and the terminals."""
        to_pattern = PrepareLiterals() * TerminalTreeToPattern()
        terminals = {}
        for name, (tree, priority) in self._terminals:
            if tree is None:
                raise lark.exceptions.GrammarError(
                    f"Terminal '{name}' is declared without a pattern, which only a lexer in "
                    "Python could match"
                )
            terminals[str(name)] = ir.Terminal(_pattern(to_pattern.transform(tree)), priority)
            self._named.setdefault(terminals[name].pattern, str(name))
        for name, (params, tree, options) in self._rules.items():
            if not params:
                self._instances[str(name)] = ir.EMPTY, 0
                self._instances[name] = self._expr(tree, {}), options.priority or 0
        return self._instances, terminals

    def _expr(self, tree: Any, arguments: dict[str, Expr]) -> Expr:
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

    def _repetition(self, tree: Any, arguments: dict[str, Expr]) -> Expr:
        item = self._expr(tree.children[0], arguments)
        operator, *bounds = tree.children[1:]
        if operator == "~":
            least, most = int(bounds[0]), int(bounds[-1])
            if most < least or least < 0:
                raise lark.exceptions.GrammarError(f"Bad range {least}..{most}")
            return ir.repeat(item, least, most)
        if operator == "?":
            return ir.opt(item)
        return ir.repeat(item, 1 if operator == "+" else 0, None)

    def _value(self, value: Any, arguments: dict[str, Expr]) -> Expr:
        if isinstance(value, Terminal | NonTerminal):
            return arguments.get(value.name, ir.Sym(str(value.name)))
        if value.data == "template_usage":
            return self._instance(value, arguments)
        if value.data == "literal":
            pattern = _pattern(_loader._literal_to_pattern(value.children[0]))
        else:
            first, last = (_loader._literal_to_pattern(end).value for end in value.children)
            pattern = ir.Regex(f"[{re.escape(first)}-{re.escape(last)}]")
        name = self._named.get(pattern)
        return pattern if name is None else ir.Sym(name)

    def _instance(self, usage: Any, arguments: dict[str, Expr]) -> Expr:
        """Return the rule that a template makes of arguments."""
        name = usage.children[0].name
        values = [
            self._value(child.children[0] if isinstance(child, Tree) else child, arguments)
            for child in usage.children[1:]
        ]
        instance = f"{name}{{{', '.join(map(ir.label, values))}}}"
        if instance not in self._instances:
            self._instances[instance] = ir.EMPTY, 0
            params, tree, options = self._rules[name]
            expr = self._expr(tree, dict(zip(params, values, strict=True)))
            self._instances[instance] = expr, options.priority or 0
        return ir.Sym(instance)


def _pattern(pattern: Pattern) -> ir.Lit | ir.Regex:
    if isinstance(pattern, PatternStr) and not set(pattern.flags) - {"i"}:
        return ir.Lit(pattern.value, "i" in pattern.flags)
    return ir.Regex(pattern.to_regexp())


def _located(text: str, name: str, error: Exception) -> GrammarError:
    """Return the error with the place in the text that it speaks of."""
    parse = _loader._get_parser().parse
    try:
        parse(text + "\n", "start")
    except lark.exceptions.UnexpectedInput as fault:
        reason = None
        if isinstance(fault, lark.exceptions.UnexpectedToken):
            reason = _loader._translate_parser_exception(parse, fault)
        offset = min(fault.pos_in_stream or 0, len(text))
        found = text[offset:].split("\n", 1)[0][:20]
        reason = reason or (f"unexpected {found!r}" if found else "unexpected end of line")
        return GrammarError(name, reason, *line_and_column(text, offset))
    reason = str(error).splitlines()[0]
    word = re.search(r"'(\w+)'|: (\w+)$|terminal (\w+)|\(([\"/].*)\)$", reason)
    return GrammarError(name, reason, *_place(text, word[word.lastindex or 0] if word else ""))


def _place(text: str, piece: str) -> tuple[int, int]:
    """Return the line and the column of the last time that a piece stands alone, or zeros."""
    found = list(re.finditer(rf"(?<!\w){re.escape(piece)}(?!\w)", text)) if piece else []
    if not found:
        return 0, 0
    return line_and_column(text, found[-1].start())
