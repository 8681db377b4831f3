"""Tells of each token of a failing text whether it is needed as it is, one of a kind, or free.

A token is varied alone: replaced by others of its kind, by some of other kinds where those say too
little, and left out. All with one text are replaced together where none can be alone. What is known
of other texts counts, so few runs are made.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeAlias

from boildown import tree as trees
from boildown.engine.difference import difference, distance
from boildown.engine.numerals import Number, number
from boildown.engine.oracle import Oracle, Stop, Verdict, close
from boildown.tree import Tree

MOST_RUNS = 48
"""Runs that are made at most."""
MOST_TOKENS = 400
"""Of a text with more tokens nothing is told."""
ENOUGH_PASSED = 3
"""So many others of its kind that pass, and none that fails, show that a token is needed."""
MOST_TOGETHER = 2
"""So many texts are tried in the place of all tokens with the same one."""
LONGEST_VALUE = 40
"""Characters of the longest text that counts as one in the place of a token."""

LONG_STRING = 24
"""A string with so many characters is told by its words."""

NAME, NUMBER, STRING, SIGN, BLANK, TEXT = "name", "number", "string", "sign", "white space", "text"
"""The kinds of tokens. A text is what is no other, such as a word with a hyphen."""
_PIECE = re.compile(r"[-+]?\d[\w.]*|\w+|\s+|&&|\|\||[<>=!:+-]=?|.", re.DOTALL)
"""The tokens of a leaf that has several, such as a line of prose."""
_STRING = re.compile(r"""(["'`])(?:\\.|(?!\1).)*\1|(\"""|\'\'\').*\2""", re.DOTALL)
_FAMILIES = ("< <= > >= == !=", "+ - * / %", "&& ||", "and or", "= += :=", "( [ {", ") ] }")
_ALIKE = {each: family.split() for family in _FAMILIES for each in family.split()}
_BLANKS = (" ", "\n", "\t")
_RARE_BLANK = "\u2003"
_ELSE = {NUMBER: "0", STRING: '"a"', NAME: "a"}
"""A token of each kind that may stand in the place of one of another."""

Fails: TypeAlias = "bool | None"
"""Whether a text fails; None if it fails in another way, or what it does says nothing."""


class Need(enum.Enum):
    """How much of a token the failure needs."""

    AS_IT_IS = "as it is"
    """Nothing that was tried in its place fails."""
    KIND = "kind"
    """Something else in its place fails, most often another one of its kind."""
    FREE = "free"
    """The text fails without it, or with whatever was tried in its place."""


@dataclass(frozen=True, slots=True)
class VariedToken:
    """A token of a failing text, with the nearest variations of it that pass and that fail."""

    start: int
    """Offset in the failing text, in code points."""
    text: str
    kind: str
    """Its kind in words."""
    need: Need | None = None
    """None if nothing was tried."""
    everywhere: bool = False
    """Whether another one fails only if it stands in the place of all tokens with this text."""
    passes: str | None = None
    """What stands in its place in the nearest text that passes; nothing does if it is empty."""
    fails: str | None = None
    """The same of the nearest other text that fails."""

    @property
    def end(self) -> int:
        """Offset after its last character."""
        return self.start + len(self.text)


@dataclass(slots=True)
class _Tried:
    """A token with its variations and their outcomes."""

    token: VariedToken
    others: Sequence[str]
    """Others of its kind, those that tell the most first."""
    elses: Sequence[str]
    """Some of other kinds."""
    alone: dict[str, Fails] = field(default_factory=dict)
    together: dict[str, Fails] = field(default_factory=dict)
    """What was tried in the place of all tokens with its text, which share this."""

    def having(self, fails: bool, own: bool = True) -> list[str]:
        """Return the variations that fail, or pass, of its own kind or of others."""
        kind = self.token.kind
        found = (value for value, did in self.alone.items() if value and did is fails)
        return [value for value in found if (kind_of(value) == kind) is own]


@dataclass(frozen=True, slots=True)
class _Variation:
    """A text with something else in the place of a token, or of all that are equal to it."""

    text: str
    value: str
    outcomes: dict[str, Fails]
    """Where its outcome is noted."""


def what_matters(
    text: str,
    tree: Tree,
    known: Mapping[str, Fails],
    oracle: Oracle,
    worth: Callable[[str], bool],
) -> tuple[VariedToken, ...]:
    """Return the tokens of a failing text, each with how much of it the failure needs.

    `tree` is that of the text, `known` says which other texts fail, and `worth` which texts are
    worth a run: others say nothing. At most `MOST_RUNS` are run; a stop leaves what is known then.
    A text with more than `MOST_TOKENS` tokens gets none.
    """
    tried = _to_try(tokens(tree))
    if not 0 < len(tried) <= MOST_TOKENS:
        return ()
    _learn(text, tried, known)
    met, left = dict(known), MOST_RUNS
    try:
        while left and (wanted := list(_wanted(text, tried))):
            for each in wanted:
                if each.text not in met and not worth(each.text):
                    met[each.text] = None
            asked = [it for it in dict.fromkeys(each.text for each in wanted) if it not in met]
            verdicts = oracle(asked[:left])
            left -= len(asked[:left])
            try:
                for it, verdict in zip(asked, verdicts, strict=False):
                    met[it] = says(verdict)
            finally:
                close(verdicts)
                for each in wanted:
                    if each.text in met:
                        each.outcomes[each.value] = met[each.text]
    except Stop:
        pass
    return tuple(map(_told, tried))


def says(verdict: Verdict) -> Fails:
    """Return whether a text fails by its verdict; None if that says nothing."""
    if verdict.passed:
        return False
    return True if verdict.reproduced else None


def tokens(tree: Tree) -> list[VariedToken]:
    """Return the tokens of a tree, white space and comments among them."""
    found: list[VariedToken] = []
    at = 0
    for leaf in trees.leaves(tree):
        for part in (leaf.prefix, leaf.text):
            kind = kind_of(part)
            is_short = kind == STRING and len(part) < LONG_STRING
            is_one = kind in (NAME, NUMBER, BLANK) or is_short
            for piece in [part] if is_one else [each[0] for each in _PIECE.finditer(part)]:
                found.append(VariedToken(at, piece, kind_of(piece)))
                at += len(piece)
    return [each for each in found if each.text]


def kind_of(text: str) -> str:
    """Return the kind of a token."""
    if text in _ALIKE:
        return SIGN
    if number(text) is not None:
        return NUMBER
    if _STRING.fullmatch(text):
        return STRING
    if re.fullmatch(r"[^\W\d]\w*", text):
        return NAME
    if text.isspace():
        return BLANK
    return TEXT if re.search(r"[^\x00-\x7f]|\w", text) else SIGN


def _to_try(found: Sequence[VariedToken]) -> list[_Tried]:
    """Return tokens with the variations to try.

    Among that are other tokens of the text, for that two differ may be what matters.
    """
    words = [each for each in found if each.kind in _ELSE]
    in_its_place = _ELSE | {each.kind: each.text for each in words}
    shared: dict[str, dict[str, Fails]] = {}
    tried = []
    for each in found:
        own, elses = [*_alike(each)], list[str]()
        if each.kind not in (SIGN, BLANK):
            peers = (it.text for it in words if it.kind == each.kind and it.text != each.text)
            own[1:1] = islice(peers, 1)
            elses = [it for kind, it in in_its_place.items() if kind != each.kind]
        own = [it for it in dict.fromkeys(own) if it != each.text]
        tried.append(_Tried(each, own, elses, together=shared.setdefault(each.text, {})))
    return tried


def _alike(token: VariedToken) -> Iterator[str]:
    """Yield others of a token's kind."""
    text, kind = token.text, token.kind
    if kind == SIGN:
        yield from _ALIKE.get(text, ())
    elif kind == BLANK:
        yield from (*_BLANKS, _RARE_BLANK) if text.isascii() else (_RARE_BLANK, *_BLANKS)
    elif kind == NUMBER and re.fullmatch(r"-?[0-9]+", text):
        value = int(text)
        yield from map(str, (value + 1, value - 1, -value, 10 * value + 37))
    elif kind == STRING:
        yield from (text[0] + each + text[-1] for each in (*_words(text[1:-1]), ""))
    else:
        yield from _words(text)


def _words(text: str) -> Iterator[str]:
    """Yield other words: all characters changed, the last one, in plain ASCII, and a longer one."""
    yield "".join(map(_next, text)) or "a"
    yield text[:-1] + _next(text[-1:])
    yield re.sub(r"[^\x00-\x7f]", "a", text)
    yield text + (text[-1:] or "0")


def _next(character: str) -> str:
    """Return the letter or the digit after one, of the same sort; other characters stay."""
    for first, last in ("az", "AZ", "09"):
        if first <= character <= last:
            return first if character == last else chr(ord(character) + 1)
    return character if character.isascii() else chr(ord(character) + 1)


def _learn(text: str, tried: Sequence[_Tried], known: Mapping[str, Fails]) -> None:
    """Note the known texts that differ in one token alone."""
    starts = [each.token.start for each in tried]
    for other, fails in known.items():
        start, end, new = difference(text, other)
        if start == end and not new:
            continue
        if not new:
            # The white space before a token goes with it.
            gone = text[start:end]
            start += len(gone) - len(gone.lstrip()) if gone.strip() else 0
        each = tried[bisect_right(starts, start) - 1]
        token = each.token
        value = token.text[: start - token.start] + new + token.text[end - token.start :]
        if end <= token.end and _may_stand(value, token, start == end):
            each.alone[value] = fails


def _may_stand(value: str, token: VariedToken, is_insertion: bool) -> bool:
    """Say whether a text counts as another one in the place of a token."""
    kind = kind_of(value)
    if not value or token.kind in (SIGN, BLANK):
        return not value or (kind == token.kind and len(value) == 1)
    return len(value) <= LONGEST_VALUE and (kind == token.kind or not is_insertion)


def _wanted(text: str, tried: Sequence[_Tried]) -> Iterator[_Variation]:
    """Yield the next variation of each token of which more is to be known; signs come last."""
    count = Counter(each.token.text for each in tried)
    for each in sorted(tried, key=lambda it: it.token.kind in (SIGN, BLANK)):
        token = each.token
        value = _untried(each)
        if value is not None:
            yield _Variation(text[: token.start] + value + text[token.end :], value, each.alone)
        elif count[token.text] > 1 and _may_need_all(each):
            value = next((it for it in each.others if it not in each.together), None)
            if value is not None:
                parts = (value if it.token.text == token.text else it.token.text for it in tried)
                yield _Variation("".join(parts), value, each.together)


def _untried(each: _Tried) -> str | None:
    """Return the next variation of a token alone; None if enough were tried."""
    fails, passes = each.having(True), each.having(False)
    if (fails and passes) or len(passes) >= ENOUGH_PASSED:
        return None
    wanted = [*each.others, *(() if passes else each.elses), ""]
    return next((it for it in wanted if it not in each.alone), None)


def _may_need_all(each: _Tried) -> bool:
    """Say whether a token that nothing can replace alone may be replaced with its peers."""
    is_word = each.token.kind not in (SIGN, BLANK)
    is_open = len(each.together) < MOST_TOGETHER and True not in each.together.values()
    return is_word and is_open and _told(each).need is Need.AS_IT_IS


def _told(each: _Tried) -> VariedToken:
    """Return a token with how much of it the failure needs."""
    token = each.token
    fails, elses = each.having(True), each.having(True, own=False)
    passes = each.having(False) or each.having(False, own=False)
    together = [value for value, did in each.together.items() if did]
    need, failing = Need.AS_IT_IS if each.alone else None, []
    if each.alone.get(""):
        need, failing = Need.FREE, [""]
    elif elses and not passes:
        need, failing = Need.FREE, fails or elses
    elif fails or elses or together:
        need, failing = Need.KIND, fails or elses or together
    if not passes and each.alone.get("") is False:
        passes = [""]
    return replace(
        token,
        need=need,
        everywhere=need is Need.KIND and not fails and not elses,
        passes=_nearest(token, passes),
        fails=_nearest(token, failing),
    )


def _nearest(token: VariedToken, values: Iterable[str]) -> str | None:
    """Return the value that is closest to a token, one token before others; None if none is."""

    def far(value: str) -> tuple[bool, Number, int, int]:
        return kind_of(value) in (SIGN, TEXT), *distance(token.text, value), len(value)

    return min(values, key=far, default=None)
