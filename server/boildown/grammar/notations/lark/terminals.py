"""Turns literals and terminals in Lark's notation into regular expressions.

They are written as Lark writes them, character by character, so that a terminal matches here what
it matches there: the alternatives that can match the longest text come first, for instance.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token

from boildown.grammar import ir
from boildown.grammar.parsing.regexes import width


class DefinitionError(Exception):
    """Raised for a definition that can't be read; `piece` of the grammar's text is to blame."""

    def __init__(self, reason: str, piece: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.piece = piece


@dataclass(frozen=True, slots=True)
class TerminalPattern:
    """A fixed text or a regular expression, with its flags beside it."""

    value: str
    flags: str = ""
    is_fixed: bool = False

    def regex(self) -> str:
        """Return the regular expression with its flags inside."""
        text = re.escape(self.value) if self.is_fixed else self.value
        for flag in self.flags:
            text = f"(?{flag}:{text})"
        return text

    def for_ir(self) -> ir.Lit | ir.Regex:
        """Return the pattern as the expression of a grammar."""
        if self.is_fixed and self.flags in ("", "i"):
            return ir.Lit(self.value, bool(self.flags))
        return ir.Regex(self.regex())


def literal(token: Token) -> TerminalPattern:
    """Return the pattern of a text in quotes or a regular expression between slashes."""
    end = max(token.rfind('"'), token.rfind("/"))
    body, flags = token[1:end], "".join(sorted(set(token[end + 1 :])))
    if "\n" in body and "x" not in flags:
        raise DefinitionError(
            "You can only use newlines in regular expressions with the `x` (verbose) flag"
        )
    text = unescaped(body)
    if not text:
        raise DefinitionError(f"Empty terminals are not allowed ({token})", token)
    if token.type == "STRING":
        return TerminalPattern(text.replace("\\\\", "\\"), flags, is_fixed=True)
    return TerminalPattern(text, flags)


def ends_of_range(first: Token, last: Token) -> tuple[str, str]:
    """Return the first and the last character of a range such as `"a".."z"`."""
    ends = literal(first).value, literal(last).value
    if any(len(end) != 1 for end in ends):
        raise DefinitionError("A range is from one character to another", first)
    return ends


_ESCAPE = re.compile(
    r"\\(?:(?P<code>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})|(?P<plain>[\s\S]))"
)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


def unescaped(body: str) -> str:
    """Replace the escapes for characters; others stay, as they are a regular expression's."""

    def character(escape: re.Match[str]) -> str:
        if escape["code"]:
            number = int(escape["code"][1:], 16)
            if number > 0x10FFFF:
                raise DefinitionError(f"{escape[0]} is no character of Unicode", escape[0])
            return chr(number)
        if escape["plain"] in "uUx":
            raise DefinitionError(f"{escape[0]} needs the number of a character", escape[0])
        return _CONTROL.get(escape["plain"], escape[0])

    # Lark takes the backslash before a quote away first, whatever stands before it.
    return _ESCAPE.sub(character, body.replace('\\"', '"'))


def one_of(patterns: list[TerminalPattern]) -> TerminalPattern:
    """Return the choice between patterns, those first that can match the longest text.

    A regular expression takes the first alternative that matches, a lexer the longest.
    """
    if len(patterns) == 1:
        return patterns[0]

    def order(pattern: TerminalPattern) -> tuple[int, int, int]:
        size = len(pattern.value)
        least, most = (size, size) if pattern.is_fixed else width(pattern.regex())
        return -most, -least, -size

    return TerminalPattern(f"(?:{'|'.join(p.regex() for p in sorted(patterns, key=order))})")


def one_after_the_other(patterns: list[TerminalPattern]) -> TerminalPattern:
    """Return the pattern of a sequence."""
    if len(patterns) == 1:
        return patterns[0]
    return TerminalPattern("".join(p.regex() for p in patterns), is_fixed=not patterns)


def repeated(pattern: TerminalPattern, operator: str) -> TerminalPattern:
    """Return a pattern with `*`, `+`, `?` or a count in braces after it."""
    return TerminalPattern(f"(?:{pattern.regex()}){operator}", pattern.flags)


def bounds(numbers: list[Token]) -> tuple[int, int]:
    """Return the least and the greatest count of a repetition such as `x~2..4`."""
    least, most = int(numbers[0]), int(numbers[-1])
    if most < least or least < 0:
        raise DefinitionError(f"Bad range {least}..{most}")
    return least, most
