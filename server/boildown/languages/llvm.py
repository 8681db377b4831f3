"""Mends modules of LLVM IR of which parts are gone: their names, and the numbers of the rest.

Values without a name of their own are numbered one after the other, and a module is invalid if a
number is left out or a name stands for nothing, so hardly any line of it can go alone. Here what is
left closes up, and `undef`, a value of any type, stands for what is gone. A block that has lost its
end is `unreachable` from there on, and who went to a block that is gone goes to the next one.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Container, Mapping

_TOKEN = re.compile(
    r"""
    ;[^\n]* | "[^"]*"
    | (?P<name>[%@](?:[-\w.$]+|"[^"]*")) (?P<defined>\s*=)?
    | (?<![-\w.$!\#]) (?P<label>[-\w.$]+)(?=:)
    | (?<!attributes)(?<!attributes[ ]) (?P<group>\#\d+)
    | (?P<attached>,\s*!\w[\w.]*\s*(?P<node>!\d+))
    | (?P<bracket>[(){}])
    | (?P<word>\b[a-z]\w*)
    """,
    re.VERBOSE,
)
_MARKED = re.compile(r"\battributes\s*(\#\d+)|(?<![\w,!.])(!\d+)\s*=")
"""The definition of a group of attributes, or of metadata."""
_TYPE = re.compile(r"%(?:struct|union|class)\.")
_PLAIN = "undef"
_ENDS = frozenset(("br", "ret", "switch", "unreachable", "resume", "indirectbr", "invoke"))
"""What ends a block."""
_STARTS = _ENDS | {"store", "call", "tail", "musttail", "notail", "fence"}
"""What instructions without a result begin with."""

_Token = re.Match[str]


def mended(text: str) -> str:
    """Return a module without names that stand for nothing, and with numbers that close up.

    A module in which nothing is missing comes back as it is.
    """
    tokens = list(_TOKEN.finditer(text))
    reader = _Reader()
    scopes = [reader.read(token) for token in tokens]
    marked = {name for match in _MARKED.finditer(text) for name in match.groups() if name}
    parts: list[str] = []
    end = 0
    last = None
    for token, names in zip(tokens, scopes, strict=True):
        new = _instead(token, names, marked, last)
        last = token["word"]
        start, stop = token.span("name" if token["name"] else 0)
        if start in reader.endless:
            parts += [text[end:start], " unreachable "]
            end = start
        if new is not None:
            gap = " " if new == _PLAIN and text[start - 1 : start].isalnum() else ""
            parts += [text[end:start], gap, new]
            end = stop
    return "".join((*parts, text[end:]))


def _instead(
    token: _Token, names: Mapping[str, str], marked: Container[str], last: str | None
) -> str | None:
    """Return the text in place of a token; None if it stays."""
    if name := token["name"]:
        if last == "label" and name not in names and name[1:].isdigit():
            return _next_label(int(name[1:]), names)
        is_value = last != "label" and not _TYPE.match(name)
        return names.get(name, _PLAIN if is_value else None)
    if label := token["label"]:
        return names.get(f"%{label}", f"%{label}")[1:]
    mark = token["group"] or token["node"]
    return None if mark is None or mark in marked else ""


def _next_label(gone: int, names: Mapping[str, str]) -> str | None:
    """Return the first label behind one that is gone, or the last one; None if there is none."""
    left = sorted(int(name[:-1]) for name in names if name[-1] == ":" and name[:-1].isdigit())
    after = next((number for number in left if number > gone), left[-1] if left else None)
    return None if after is None else names[f"%{after}"]


class _Reader:
    """Reads the tokens of a module in their order, and finds the names that each of them sees."""

    def __init__(self) -> None:
        self._module: dict[str, str] = {}
        """Its names, each with what it is called now; those of labels once more, as in `12:`."""
        self._scope = ChainMap(self._module)
        self._part = "module"
        """Where the next token is: there, behind `define` or `declare`, in a function's
        `parameters`, at its `entry`, or in its `body`."""
        self._depth = 0
        self._next = {"@": 0, "%": 0}
        """The next number of the module's values and of the function's."""
        self._entry = 0
        """The number that the first block of the function had."""
        self._ended = True
        """Whether what ends a block has been read since it began."""
        self.endless: set[int] = set()
        """Where what ends a block is missing."""

    def read(self, token: _Token) -> Mapping[str, str]:
        """Return the names that a token sees, some of which may be defined later on."""
        name, scope = token["name"] or " ", self._scope
        if self._part == "module" and token["word"] in ("define", "declare"):
            self._part = token["word"]
            if self._part == "define":
                self._scope, self._next["%"], self._entry = ChainMap({}, self._module), 0, 0
        elif self._part in ("define", "declare") and name[0] == "@":
            self._part = "parameters" if self._part == "define" else "module"
            self._define(name)
        elif self._part == "parameters" and name[0] == "%" and not _TYPE.match(name):
            self._define(name)
            if name[1:].isdigit():
                self._entry = int(name[1:]) + 1
        elif self._part == "entry" and token[0][0] != ";":
            self._part, self._ended = "body", True
            if not token["label"]:
                self._define(f"%{self._entry}")
                self._ended = False
        if self._part == "body":
            self._go_through(token)
        if token["defined"]:
            self._define(name)
        self._nest(token["bracket"])
        return scope if self._part == "module" else self._scope

    def _go_through(self, token: _Token) -> None:
        """See where blocks begin and end."""
        is_over = token["bracket"] == "}" and self._depth == 1
        if (token["label"] or is_over) and not self._ended:
            self.endless.add(token.start())
        if label := token["label"]:
            self._define(f"%{label}")
            self._scope.maps[0][f"{label}:"] = label
            self._ended = False
        elif self._ended and (token["defined"] or token["word"] in _STARTS):
            # A block without a label has a number all the same.
            self._next["%"] += 1
            self._ended = False
        self._ended = self._ended or token["word"] in _ENDS

    def _nest(self, bracket: str | None) -> None:
        """Go into brackets or out of them, and so into a body or out of it."""
        if bracket == "{" and self._depth == 0 and self._part == "parameters":
            self._part = "entry"
        if bracket:
            self._depth += 1 if bracket in "({" else -1
        if bracket == "}" and self._depth == 0 and self._part in ("entry", "body"):
            self._part, self._scope = "module", ChainMap(self._module)

    def _define(self, name: str) -> None:
        """Take in a name; one that is a number is the next one now."""
        names = self._module if name[0] == "@" else self._scope.maps[0]
        if name in names:
            return
        names[name] = name
        if name[1:].isdigit():
            names[name] = f"{name[0]}{self._next[name[0]]}"
            self._next[name[0]] += 1
