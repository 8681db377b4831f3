"""Parses ANTLR 4 grammar files into their syntax (`syntax`).

Code (actions, predicates, arguments) is left out, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from boildown.grammar.ir import GrammarError, line_and_column
from boildown.grammar.notations.g4.chars import PIECE, in_brackets, property_inside, unescaped
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
)

_TOKEN = re.compile(
    r"""(?:\s+|//[^\n]*|/\*[\s\S]*?\*/)+
  | (?P<string>'(?:[^'\\\n]|\\.)*')
  | (?P<name>[^\W\d]\w*)
  | (?P<number>\d+)
  | (?P<symbol>->|\.\.|\+=|::|[][(){}:;,|?*+~.\#=@<>$-])
    """,
    re.VERBOSE,
)
_SET = re.compile(r"\[((?:[^]\\\n]|\\.)*)\]")
_ACTION = re.compile(
    r"""//[^\n]*|/\*[\s\S]*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[{}]|[^{}"'/]+|."""
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


def read_file(text: str, name: str) -> File:
    """Return the syntax of a grammar file. Raises `GrammarError`."""
    try:
        return _Reader(text, name).file()
    except RecursionError:
        raise GrammarError(name, "a rule is nested too deeply") from None


class _Reader:
    """A recursive-descent parser; tokens are matched as they are needed."""

    def __init__(self, text: str, name: str) -> None:
        self._result = File(name, text)
        self._text = text
        self._next = self._scan(0)
        self._mode = ""

    def file(self) -> File:
        while self._next.kind != "end":
            self._statement()
        return self._result

    def _scan(self, offset: int) -> _Token:
        while True:
            match = _TOKEN.match(self._text, offset)
            if match is None:
                kind = "other" if offset < len(self._text) else "end"
                return _Token(kind, self._text[offset : offset + 1], offset)
            if match.lastgroup:
                return _Token(match.lastgroup, match[0], match.start())
            offset = match.end()

    def _error(self, reason: str, offset: int) -> GrammarError:
        return GrammarError(self._result.name, reason, *line_and_column(self._text, offset))

    def _unexpected(self, wanted: str) -> GrammarError:
        found = repr(self._next.text) if self._next.text else "the end of the file"
        return self._error(f"expected {wanted}, found {found}", self._next.offset)

    def _note(self, what: str, offset: int) -> None:
        line, _ = line_and_column(self._text, offset)
        self._result.notes.append(f"{self._result.name}, line {line}: {what}")

    def _advance(self) -> _Token:
        token = self._next
        self._next = self._scan(token.offset + len(token.text))
        return token

    def _accept(self, *texts: str) -> bool:
        if self._next.kind != "string" and self._next.text in texts:
            self._advance()
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise self._unexpected(repr(text))

    def _name(self) -> str:
        if self._next.kind != "name":
            raise self._unexpected("a name")
        return self._advance().text

    def _statement(self) -> None:
        word = self._next.text
        if word in ("lexer", "parser", "grammar"):
            self._header()
        elif word == "import":
            self._advance()
            self._result.imports += self._names(";")
        elif word in ("options", "tokens", "channels"):
            self._block()
        elif word == "@":
            self._named_action()
        elif word == "mode":
            self._advance()
            self._mode = self._name()
            self._expect(";")
        else:
            self._rule()

    def _header(self) -> None:
        if self._next.text != "grammar":
            self._result.kind = self._advance().text
        self._expect("grammar")
        self._name()
        self._expect(";")

    def _names(self, end: str) -> list[str]:
        """Read names with commas between them (`a = b` counts as b) up to an end."""
        names = []
        while not self._accept(end):
            name = self._name()
            names.append(self._dotted() if self._accept("=") else name)
            if not self._accept(","):
                self._expect(end)
                break
        return names

    def _block(self) -> None:
        word = self._advance().text
        self._expect("{")
        if word != "options":
            names = self._names("}")
            self._result.tokens += names if word == "tokens" else []
            return
        while not self._accept("}"):
            key = self._name()
            self._expect("=")
            value = self._action().strip() if self._next.text == "{" else self._dotted()
            self._expect(";")
            self._result.options[key] = value
            if key == "superClass":
                self._note(f"the base class {value} is ignored", self._next.offset)

    def _dotted(self) -> str:
        if self._next.kind not in ("name", "string", "number"):
            raise self._unexpected("a value")
        value = self._advance().text
        while self._accept("."):
            value += "." + self._name()
        return value.strip("'")

    def _named_action(self) -> None:
        offset = self._advance().offset
        name = self._name()
        if self._accept("::"):
            name = self._name()
        self._action()
        self._note(f"the code of @{name} is ignored", offset)

    def _action(self) -> str:
        """Read code in braces; strings and comments in it may hold braces."""
        start = self._next.offset
        if self._next.text != "{":
            raise self._unexpected("'{'")
        depth, offset = 0, start
        while match := _ACTION.match(self._text, offset):
            offset = match.end()
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if not depth:
                self._next = self._scan(offset)
                return self._text[start + 1 : offset - 1]
        raise self._error("this code is not closed", start)

    def _set(self) -> str:
        match = _SET.match(self._text, self._next.offset)
        if match is None:
            raise self._error("this set is not closed", self._next.offset)
        self._next = self._scan(match.end())
        return match[1]

    def _rule(self) -> None:
        offset = self._next.offset
        is_fragment = False
        while self._next.text in ("fragment", "public", "private", "protected"):
            is_fragment |= self._advance().text == "fragment"
        name = self._name()
        if any(rule.name == name for rule in self._result.rules):
            raise self._error(f"the rule {name} is there already", offset)
        self._preamble()
        self._expect(":")
        alternatives = self._alternatives()
        self._expect(";")
        while self._next.text in ("catch", "finally"):
            if self._advance().text == "catch":
                self._set()
            self._action()
        self._result.rules.append(G4Rule(name, alternatives, offset, is_fragment, self._mode))

    def _preamble(self) -> None:
        """Skip the arguments, options and actions between a rule's name and its colon."""
        while True:
            if self._next.text == "[":
                self._set()
            elif self._next.text in ("returns", "locals"):
                self._advance()
                self._set()
            elif self._next.text == "throws":
                self._advance()
                self._name()
                while self._accept(","):
                    self._name()
            elif self._next.text == "options":
                self._block()
            elif self._next.text == "@":
                self._named_action()
            else:
                return

    def _alternatives(self) -> tuple[Alternative, ...]:
        alternatives = [self._alternative()]
        while self._accept("|"):
            alternatives.append(self._alternative())
        return tuple(alternatives)

    def _alternative(self) -> Alternative:
        items: list[Element] = []
        commands: list[tuple[str, str]] = []
        is_right = False
        while self._next.text not in ("|", ";", ")", "") or self._next.kind == "string":
            if self._next.text == "<":
                is_right |= "right" in self._element_options()
            elif self._next.text == "{":
                self._code()
            elif self._accept("#"):
                self._name()
            elif self._accept("->"):
                commands = list(self._commands())
            else:
                items.append(self._element())
        return Alternative(tuple(items), is_right, tuple(commands))

    def _element_options(self) -> list[str]:
        self._expect("<")
        return self._names(">")

    def _code(self) -> None:
        offset = self._next.offset
        self._action()
        if self._accept("?"):
            if self._next.text == "<":
                self._element_options()
            self._note("a predicate is ignored: the text it would refuse is accepted", offset)
        else:
            self._note("an action is ignored", offset)

    def _commands(self) -> Iterator[tuple[str, str]]:
        while True:
            name = self._name()
            argument = ""
            if self._accept("("):
                argument = self._dotted()
                self._expect(")")
            yield name, argument
            if not self._accept(","):
                return

    def _element(self) -> Element:
        item = self._atom()
        if self._next.text == "<" and self._next.kind == "symbol":
            self._element_options()
        if self._next.kind == "symbol" and self._next.text in ("?", "*", "+"):
            operator = self._advance().text
            item = Times(item, operator, self._accept("?"))
        return item

    def _atom(self) -> Element:
        token = self._next
        if token.kind == "string":
            text = self._literal()
            if self._accept(".."):
                if self._next.kind != "string":
                    raise self._unexpected("a character")
                ends = (text, self._literal())
                if any(len(end) != 1 for end in ends):
                    raise self._error("a range is from one character to another", token.offset)
                return self._checked("-".join(map(in_brackets, ends)), token.offset)
            return Text(text)
        if token.kind == "name":
            return self._reference()
        if token.text == "[":
            return self._chars()
        if self._accept("("):
            return self._group()
        if self._accept("~"):
            return Not(self._atom())
        if self._accept("."):
            return Wild()
        raise self._unexpected("an element of a rule")

    def _chars(self) -> Chars:
        offset = self._next.offset
        pieces = []
        for piece in PIECE.findall(self._set()):
            if piece[:2] in ("\\p", "\\P"):
                pieces.append(self._property(piece, offset))
            else:
                pieces.append(piece if piece == "-" else in_brackets(self._char(piece, offset)))
        return self._checked("".join(pieces), offset)

    def _checked(self, inside: str, offset: int) -> Chars:
        """Return the set of characters of a character class; raise if it is no valid one."""
        try:
            re.compile(f"[{inside}]" if inside else "")
        except re.error as error:
            raise self._error(error.msg, offset) from None
        return Chars(inside)

    def _literal(self) -> str:
        """Read a literal in single quotes; return its text."""
        token = self._advance()
        pieces = PIECE.findall(token.text[1:-1])
        return "".join(self._char(piece, token.offset) for piece in pieces)

    def _char(self, piece: str, offset: int) -> str:
        try:
            return unescaped(piece)
        except (ValueError, OverflowError):
            raise self._error(f"{piece} is no character of Unicode", offset) from None

    def _property(self, piece: str, offset: int) -> str:
        inside = property_inside(piece)
        if inside is None:
            self._note(f"{piece} is read as any character beyond ASCII", offset)
            return "\x80-\U0010ffff"
        return inside

    def _reference(self) -> Element:
        name = self._advance().text
        if self._accept("=", "+="):
            return self._atom()
        if self._next.text == "[" and not name[0].isupper():
            self._set()
        return Ref(name)

    def _group(self) -> Element:
        if self._next.text == "options":
            self._block()
            self._expect(":")
        alternatives = self._alternatives()
        self._expect(")")
        return Group(alternatives)
