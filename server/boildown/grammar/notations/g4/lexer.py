"""Turns the rules of an ANTLR lexer into terminals with regular expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from boildown.grammar import ir
from boildown.grammar.ir import GrammarError
from boildown.grammar.notations.g4.chars import in_brackets
from boildown.grammar.notations.g4.syntax import (
    Alternative,
    Chars,
    Element,
    File,
    G4Rule,
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
from boildown.grammar.parsing.regexes import width


@dataclass(frozen=True, slots=True)
class _Piece:
    """The regular expression of a part of a lexer rule."""

    pattern: str
    is_atom: bool = False
    """Whether `*` may follow it as it is."""

    def atom(self) -> str:
        return self.pattern if self.is_atom else f"(?:{self.pattern})"


@dataclass(slots=True)
class Lexer:
    """The terminals of an ANTLR lexer's rules."""

    files: list[File]
    patterns: dict[str, ir.Lit | ir.Regex] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    literals: dict[str, str] = field(default_factory=dict)
    """The names of the terminals that are a fixed text, by that text."""
    _rules: dict[str, tuple[G4Rule, File]] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for file in self.files:
            for rule in file.rules:
                if not is_parser(rule):
                    self._rules.setdefault(rule.name, (rule, file))
        self._define()

    def _define(self) -> None:
        """Give every token its pattern; a token of several rules gets the choice between theirs."""
        sources: dict[str, list[str]] = {}
        begun = self._begun()
        for rule, file in self._rules.values():
            commands = {key: value for alt in rule.alternatives for key, value in alt.commands}
            if rule.is_fragment or "more" in commands:
                continue
            pattern = begun.get(rule.mode, "") + self._regex(rule, file)
            name = commands.get("type", rule.name)
            hidden = "skip" in commands or commands.get("channel", "DEFAULT") not in _VISIBLE
            if hidden:
                name = rule.name
                self.ignored.append(name)
            sources.setdefault(name, []).append(pattern)
        for name, patterns in sources.items():
            literal = self._literal(name)
            if len(patterns) == 1 and literal is not None:
                self.patterns[name] = literal
                self.literals.setdefault(literal.text, name)
            else:
                self.patterns[name] = ir.Regex(_longest_first(patterns))

    def _literal(self, name: str) -> ir.Lit | None:
        """Return the literal of a rule, if it is a fixed text."""
        if name not in self._rules:
            return None
        rule, file = self._rules[name]
        if len(rule.alternatives) == 1 and rule.mode not in self._begun():
            items = rule.alternatives[0].items
            if len(items) == 1 and isinstance(items[0], Text):
                return ir.Lit(items[0].text, ignores_case(file))
        return None

    def _begun(self) -> dict[str, str]:
        """Return for each mode the regular expression that `more` puts before its tokens."""
        begun: dict[str, list[str]] = {}
        for rule, file in self._rules.values():
            for alternative in rule.alternatives:
                commands = dict(alternative.commands)
                mode = commands.get("pushMode") or commands.get("mode")
                if "more" in commands and mode and mode != rule.mode:
                    begun.setdefault(mode, []).append(self._regex(rule, file))
        return {
            mode: _longest_first(patterns) + self._more(mode) for mode, patterns in begun.items()
        }

    def _more(self, mode: str) -> str:
        """Return the regular expression that `more` adds to a token within a mode."""
        added = [
            self._regex(rule, file)
            for rule, file in self._rules.values()
            if rule.mode == mode
            and any(key == "more" for alt in rule.alternatives for key, _ in alt.commands)
        ]
        return f"{_longest_first(added)}*" if added else ""

    def _regex(self, rule: G4Rule, file: File) -> str:
        with within(rule, file):
            pattern = self._alternatives(rule.alternatives, file).pattern
        return f"(?i:{pattern})" if ignores_case(file) else pattern

    def _alternatives(self, alternatives: tuple[Alternative, ...], file: File) -> _Piece:
        pieces = [self._sequence(alternative, file) for alternative in alternatives]
        if len(pieces) == 1:
            return pieces[0]
        sets = [_set_of(element) for alt in alternatives for element in alt.items]
        if all(sets) and all(len(alternative.items) == 1 for alternative in alternatives):
            return _Piece(f"[{''.join(filter(None, sets))}]", is_atom=True)
        return _Piece(_longest_first([piece.pattern for piece in pieces]), is_atom=True)

    def _sequence(self, alternative: Alternative, file: File) -> _Piece:
        pieces = [self._piece(item, file) for item in alternative.items]
        if len(pieces) == 1:
            return pieces[0]
        return _Piece("".join(piece.pattern for piece in pieces))

    def _piece(self, element: Element, file: File) -> _Piece:
        if isinstance(element, Text):
            return _Piece(re.escape(element.text), is_atom=len(element.text) == 1)
        if isinstance(element, Chars):
            return _Piece(f"[{element.inside}]" if element.inside else "(?!)", is_atom=True)
        if isinstance(element, Wild):
            return _Piece(r"[\s\S]", is_atom=True)
        if isinstance(element, Not):
            return _Piece(f"[^{self._excluded(element.item, file)}]", is_atom=True)
        if isinstance(element, Group):
            return self._alternatives(element.alternatives, file)
        if isinstance(element, Times):
            lazy = "?" if element.lazy else ""
            inner = self._piece(element.item, file).atom()
            return _Piece(f"{inner}{element.operator}{lazy}", is_atom=False)
        return self._referred(element, file)

    def _referred(self, ref: Ref, file: File) -> _Piece:
        if ref.name == "EOF":
            return _Piece(r"\Z", is_atom=True)
        if ref.name not in self._rules:
            raise GrammarError(file.name, f"{ref.name!r} is not defined", *place(file, ref.name))
        if ref.name in self._open:
            reason = f"the token {ref.name} contains itself, which a regular expression can't say"
            raise GrammarError(file.name, reason, *place(file, ref.name))
        rule, home = self._rules[ref.name]
        self._open.append(ref.name)
        piece = self._alternatives(rule.alternatives, home)
        self._open.pop()
        return piece

    def _excluded(self, element: Element, file: File) -> str:
        """Return the characters after `~` as the inside of a character class."""
        if isinstance(element, Group):
            items = [item for alt in element.alternatives for item in alt.items]
            return "".join(self._excluded(item, file) for item in items)
        if isinstance(element, Ref) and element.name in self._rules:
            rule, home = self._rules[element.name]
            return self._excluded(Group(rule.alternatives), home)
        inside = _set_of(element)
        if inside is None:
            raise GrammarError(file.name, "~ stands before more than single characters")
        return inside


_VISIBLE = ("DEFAULT", "DEFAULT_TOKEN_CHANNEL", "0")


def _set_of(element: Element) -> str | None:
    """Return the inside of a character class for an element, if it matches one character."""
    if isinstance(element, Chars):
        return element.inside
    if isinstance(element, Text) and len(element.text) == 1:
        return in_brackets(element.text)
    return None


def _longest_first(patterns: list[str]) -> str:
    """Return the choice between patterns; as a regex takes the first, the longest come first."""
    widths = {pattern: width(pattern) for pattern in patterns}
    ordered = sorted(dict.fromkeys(patterns), key=lambda p: (-widths[p][1], -widths[p][0]))
    return ordered[0] if len(ordered) == 1 else f"(?:{'|'.join(ordered)})"
