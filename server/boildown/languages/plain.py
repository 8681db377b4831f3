"""The fallback language for any text: its structure is found in the text itself.

It assumes only conventions that most notations share. Brackets, tags and lines that open and close
group (`openers`), lines that are indented deeper belong to the line above, empty lines divide,
semicolons terminate, commas, bars, tabs and blanks separate (`blocks`), a quoted string is one
token. Every level is a list, so a reducer may delete any part; what doesn't match is a token like
any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from boildown.engine.language import NO_REWRITING, Check, Expansions, Parsed, Rewriting
from boildown.grammar.parsing.collector import collector_paused
from boildown.languages.blocks import Row, indentation, nested
from boildown.languages.openers import opened
from boildown.tree import Leaf, Node, Tree, first_prefix

_TOKEN = re.compile(
    r"""(\s*)(?:
    (?P<end>\Z)
  | (?P<string>[rRbBuUfFL]{0,2}(?:"{3}[\s\S]*?"{3}|'{3}[\s\S]*?'{3}))
  | (?P<double>[rRbBuUfFL]{0,2}"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*")
  | (?P<single>(?<!\w)[rRbBuUfFL]{0,2}'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'(?![\w(]))
  | (?P<number>(?:(?<![^\s(\[{,=:|;])-)?\d\w*(?:\.\w+)*)
  | (?P<name>(?<![\w)\]}@%$.])[@%$]\w+(?:\.\w+)*)
  | (?P<word>\w+)
  | (?P<bytes>[\udc80-\udcff]+)
  | (?P<escape>\\["'\\])
  | (?P<symbol>\.\.\.|<<=|>>=|===|!==|[-+*/%&|^!=<>:]=|->|=>|::|\+\+|--|<<|>>|&&|\|\||\*\*|//|\S)
    )""",
    re.VERBOSE,
)

_INSIDE = frozenset(("block", "section", "compound", "line", "items"))
_FITS = {
    "text": _INSIDE | {"group"},
    "section": _INSIDE,
    "compound": _INSIDE,
    "block": frozenset(("block",)),
    "line": frozenset(("block", "section", "line", "items")),
    "items": frozenset(("block", "section", "line", "items")),
    "group": frozenset(("block", "line", "items", "group")),
}
_SHORTEST = {
    "string": '""""""',
    "double": '""',
    "single": "''",
    "number": "0",
    "word": "a",
    "group": "",
    "section": "",
    "compound": "",
}


@dataclass(frozen=True, slots=True)
class Plain:
    """The language of all texts, structured by openers and closers, lines and separators."""

    name: str = "plain"
    gap: str = " "
    scope: Mapping[str, str] = field(default_factory=dict)
    rewriting: Rewriting = NO_REWRITING
    words: tuple[str, ...] = ()
    strict: bool = False
    notes: tuple[str, ...] = ()
    """Sentences for the user on why a text is not read in a language of its own."""

    def parse(self, text: str) -> Parsed:
        """Return the tree of blocks, lines, fields and tokens; every text is valid."""
        with collector_paused():
            return Parsed(plain_tree(text), self.notes)

    def fits(self, slot: str, label: str) -> bool:
        """Say whether a `label` may be substituted for a `slot`.

        What is between an opening and a closing part may replace all three, a block its header and
        itself, a line the line around it, and a token another one of its lexical class.
        """
        return label in _FITS.get(slot, (slot,))

    def shortest(self, label: str) -> str | None:
        """Return the shortest token of a lexical class; None for a symbol, which is fixed."""
        return _SHORTEST.get(label)

    def expansions(self, label: str) -> Expansions | None:
        """Return nothing: no grammar is known."""
        return None

    def substitutes(self, label: str) -> tuple[str, ...]:
        """Return nothing: a line may be any other one."""
        return ()

    def valid(self, _text: str) -> bool:
        """Say that a text is valid: every text is."""
        return True

    def checker(self, text: str) -> Check:
        """Return a check that accepts every text."""
        return lambda _candidate, _best: True

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random word, number or string; None for anything else."""
        letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(1, 6)))
        samples = {
            "word": letters,
            "number": str(rng.choice((0, 1, -1, rng.randint(-9, 99), rng.randint(0, 2**33)))),
            "double": f'"{rng.choice(("", letters))}"',
            "single": f"'{rng.choice(('', letters))}'",
        }
        return samples.get(label)


def plain_tree(text: str, offset: int = 0, end: int | None = None) -> Node:
    """Parse a text, or the piece of it between two offsets, by the structure that it shows.

    The leaves keep their offsets in the whole text. White space at the end becomes the prefix of
    an empty leaf.
    """
    tokens, indents, tail = _tokens(text, offset, len(text) if end is None else end)
    root = nested(opened(tokens, indents))
    if tail is None:
        return Node("text", (root,))
    return Node("text", (root, tail))


def arranged(parts: Sequence[Tree]) -> Node:
    """Group leaves and whole subtrees into a block, by brackets, lines and separators.

    A bracket is a leaf that is nothing but the bracket. The subtrees stay as they are.
    """
    return nested(Row(parts, [indentation(first_prefix(part)) for part in parts]))


def plain_leaves(text: str, start: int, end: int) -> list[Leaf]:
    """Return the tokens of a piece of a text; white space at its end goes to an empty leaf."""
    tokens, _, tail = _tokens(text, start, end)
    return tokens if tail is None else [*tokens, tail]


def _tokens(text: str, start: int, end: int) -> tuple[list[Leaf], list[int], Leaf | None]:
    """Return the leaves, the indentation of each that begins a line (else -1), and the tail.

    The tail is an empty leaf whose prefix is the white space at the end; None if there is none.
    """
    tokens: list[Leaf] = []
    indents: list[int] = []
    tail = None
    for match in _TOKEN.finditer(text, start, end):
        kind = match.lastgroup
        prefix = match[1]
        if kind == "end":
            tail = Leaf("end", "", prefix, match.end()) if prefix else None
            break
        assert kind is not None
        token = match[kind]
        tokens.append(Leaf(kind, token, prefix, match.start(kind)))
        indents.append(indentation(prefix) if prefix else -1)
    if indents and indents[0] < 0:
        indents[0] = len(tokens[0].prefix)
    return tokens, indents, tail
