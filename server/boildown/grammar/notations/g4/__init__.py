"""Reads ANTLR 4 grammars (`.g4`): combined ones, or a parser grammar with its lexer grammar.

A lexer's rules become regular expressions, with the rules they use written out in them. Tokens on
another channel than the parser's are ignored text. Modes are not kept: a terminal stands where
the parser can take it. Operators in a rule bind as in ANTLR (see `precedence`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boildown.grammar import ir
from boildown.grammar.ir import Expr, Grammar, GrammarError
from boildown.grammar.notations.g4.lexer import Lexer
from boildown.grammar.notations.g4.reader import read_file
from boildown.grammar.notations.g4.syntax import (
    Alternative,
    Element,
    File,
    Group,
    Not,
    Ref,
    Text,
    Times,
    Wild,
    ignores_case,
    is_parser,
    place,
    within,
)
from boildown.grammar.notations.precedence import PrecedenceChoice, levels


def read_g4(
    text: str,
    name: str = "grammar.g4",
    start: str | None = None,
    resolve: Callable[[str], str | None] | None = None,
) -> Grammar:
    """Return the grammar of an ANTLR 4 file.

    The start symbol is `start`, or else the first parser rule. Another file that it names (an
    `import`, a `tokenVocab`) is asked of `resolve`, by the name `Name.g4`; None means that there
    is none. The grammar's notes tell of constructs that are left out, such as actions. Raises
    `GrammarError`.
    """
    files = _files(text, name, resolve or (lambda _name: None))
    lexer = Lexer(files)
    parser = _Parser(files, lexer)
    rules, labels = parser.rules()
    first = next((rule.name for file in files for rule in file.rules if is_parser(rule)), None)
    if first is None:
        raise GrammarError(name, "there is no parser rule, only tokens")
    used = {expr.name for expr in ir.parts(rules.values()) if isinstance(expr, ir.Sym)}
    keep = used | set(lexer.ignored)
    grammar = Grammar(
        rules,
        start or first,
        {token: ir.Terminal(p) for token, p in lexer.patterns.items() if token in keep},
        tuple(lexer.ignored),
        labels=labels,
        name=name,
        notes=tuple(note for file in files for note in file.notes),
    )
    ir.check(grammar, lambda piece: place(files[0], piece))
    return grammar


def _files(text: str, name: str, resolve: Callable[[str], str | None]) -> list[File]:
    """Return a grammar file and all files that it imports, parsed."""
    files = [read_file(text, name)]
    known = set()
    for file in files:
        wanted = [*file.imports, *filter(None, [file.options.get("tokenVocab")])]
        for other in wanted:
            if other in known:
                continue
            known.add(other)
            found = resolve(f"{other}.g4")
            if found is None:
                reason = f"there is no {other}.g4 beside it"
                raise GrammarError(file.name, reason, *place(file, other))
            files.append(read_file(found, f"{other}.g4"))
    return files


@dataclass(slots=True)
class _Parser:
    """Turns parser rules into expressions."""

    files: list[File]
    lexer: Lexer

    def rules(self) -> tuple[dict[str, Expr], dict[str, str]]:
        """Return the rules, and the labels of those that are levels of others."""
        rules: dict[str, Expr] = {}
        labels: dict[str, str] = {}
        for file in self.files:
            for rule in file.rules:
                if is_parser(rule) and rule.name not in rules:
                    with within(rule, file):
                        choices = [
                            PrecedenceChoice(
                                self._sequence(alternative, file), alternative.is_right
                            )
                            for alternative in rule.alternatives
                        ]
                    unfolded = levels(rule.name, choices)
                    rules |= unfolded
                    labels |= {level: rule.name for level in unfolded if level != rule.name}
        return rules, labels

    def _sequence(self, alternative: Alternative, file: File) -> Expr:
        return ir.seq([self._expr(item, file) for item in alternative.items])

    def _expr(self, element: Element, file: File) -> Expr:
        if isinstance(element, Ref):
            return ir.EMPTY if element.name == "EOF" else ir.Sym(element.name)
        if isinstance(element, Text):
            return self._literal(element.text, file)
        if isinstance(element, Group):
            return ir.alt([self._sequence(a, file) for a in element.alternatives])
        if isinstance(element, Times):
            item = self._expr(element.item, file)
            if element.operator == "?":
                return ir.opt(item)
            return ir.repeat(item, 1 if element.operator == "+" else 0, None)
        if isinstance(element, Wild | Not):
            excluded = element.item if isinstance(element, Not) else Group(())
            return self._tokens_but(excluded)
        raise GrammarError(file.name, "a set of characters stands in a parser rule")

    def _literal(self, text: str, file: File) -> Expr:
        name = self.lexer.literals.get(text)
        return ir.Lit(text, ignores_case(file)) if name is None else ir.Sym(name)

    def _tokens_but(self, element: Element) -> Expr:
        """Return the choice of all tokens except some."""
        inner = element.alternatives if isinstance(element, Group) else ()
        items = [item for alt in inner for item in alt.items] if inner else [element]
        names = {item.name for item in items if isinstance(item, Ref)}
        names |= {self.lexer.literals.get(i.text, "") for i in items if isinstance(i, Text)}
        hidden = names | set(self.lexer.ignored)
        return ir.alt([ir.Sym(name) for name in self.lexer.patterns if name not in hidden])
