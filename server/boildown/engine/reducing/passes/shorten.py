"""Shortens tokens: names, strings and numbers, all equal ones first.

A word may stand in tokens of several kinds, whole or as a part: the name of `"#/x/service"` is the
key `"service"`, `--wide` is used by `var(--wide)`. So a word is renamed in all of them at once, to
a name that the text has already, for two names that may be one are a step to fewer parts, or else
to a fresh one.

Sources: replacing by the shortest tokens of the lexical rule, all equal ones first, is from Xu et
al., "T-Rec: Fine-Grained Language-Agnostic Program Reduction Guided by Lexical Syntax", TOSEM
2024; halving what must stay in part is delta debugging.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, product
from string import ascii_lowercase

from boildown import tree as trees
from boildown.engine.candidates import edited
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.ahead import Attempt, try_all
from boildown.tree import Leaf, Place, Tree

_QUOTED = re.compile(r"(?s)(\w*(\"\"\"|'''|[\"'`]))(.*)(\2)")
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W\d]\w*")
_CODE = re.compile(r"[\s()\[\]{}]")
_UNIT = re.compile(r"\w+|\s+|[^\w\s]")


def shorten(problem: Problem) -> None:
    """Make tokens shorter: all that read the same at once, or else one by one.

    A token is first replaced by the shortest ones of its sort. One that is not a single word may
    have to stay in part: halves, quarters and so on of it are left out, and the words inside are
    renamed. Costs some three runs for a word, two per character (or word, in code) that has to stay
    for other tokens.
    """
    tokens = _Tokens(problem)
    try_all(problem, _shortenings(tokens, []))
    try_all(problem, _renamings(tokens, []))


def _shortenings(tokens: _Tokens, tried: list[str]) -> Iterator[Attempt]:
    """Shorten the tokens of one text after the other, but those that were tried."""
    seen = set(tried)
    while (text := tokens.largest(seen)) is not None:
        seen.add(text)
        tried.append(text)
        rest = partial(_rest, _shortenings, tokens, tried, len(tried))
        places = tokens.places(text)
        yield Attempt(_shorter(tokens, places), rest)
        inside = _inside(text)
        if len(places) > 1:
            yield from _single(tokens, text, len(places), rest)
        elif not _WORD.fullmatch(inside[1]):
            before, middle, after = inside
            units = _units(middle, is_quoted=bool(before))
            yield from _halved(tokens, (before, units, after), len(units), len(units), rest)


def _renamings(tokens: _Tokens, tried: list[str]) -> Iterator[Attempt]:
    """Rename one word inside of tokens after the other, but those that were tried."""
    for word in tokens.words_inside(set(tried)):
        tried.append(word)
        rest = partial(_rest, _renamings, tokens, tried, len(tried))
        yield Attempt(_renamed(tokens, word), rest)


def _rest(
    attempts: Callable[[_Tokens, list[str]], Iterator[Attempt]],
    tokens: _Tokens,
    tried: list[str],
    count: int,
    _hit: int = 0,
) -> Iterator[Attempt]:
    """Go on after the first texts that were tried: those after them were taken ahead."""
    return attempts(tokens, tried[:count])


def _renamed(tokens: _Tokens, word: str) -> Iterator[Candidate]:
    """Yield the text with another name for a word, in all tokens that hold it."""
    held = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    places = [
        (place, leaf)
        for place in trees.places(tokens.problem.tree)
        if isinstance(leaf := place.tree, Leaf) and held.search(leaf.text)
    ]
    for new in tokens.names(word, {leaf.label for _, leaf in places}):
        renamed = [_with_text(place, held.sub(new, leaf.text)) for place, leaf in places]
        yield edited(tokens.problem, renamed)


def _fresh_names() -> Iterator[str]:
    """Yield all names of small letters, the shortest first: `a` to `z`, `aa`, `ab` and so on."""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


class _Tokens:
    """The places of the tokens of the best tree by their texts; found anew where it has changed."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._root: Tree | None = None
        self._places: dict[str, list[Place]] = {}
        self._largest: Iterator[str] = iter(())
        self._words: dict[str, set[str]] | None = None

    def _look(self) -> None:
        if self._root is self.problem.tree:
            return
        self._root = self.problem.tree
        self._places = {}
        self._words = None
        for place in trees.places(self._root):
            if isinstance(place.tree, Leaf) and len(place.tree.text) > 1:
                self._places.setdefault(place.tree.text, []).append(place)
        room = {text: len(text) * len(places) for text, places in self._places.items()}
        self._largest = iter(sorted(room, key=lambda text: (-room[text], text)))

    def largest(self, tried: Container[str]) -> str | None:
        """Return the text that takes most room, of those that were not tried yet."""
        self._look()
        # What was passed over in this tree was tried, and stays so.
        return next((text for text in self._largest if text not in tried), None)

    def places(self, text: str) -> list[Place]:
        """Return the places of the tokens with a text of more than one character."""
        self._look()
        return self._places.get(text, [])

    def words_inside(self, tried: Container[str]) -> Iterator[str]:
        """Yield the words inside tokens that were not tried, those that take most room first."""
        found: dict[str, int] = {}
        for leaf in trees.leaves(self.problem.tree):
            for match in _NAME.finditer(leaf.text):
                if len(match[0]) > 1 and match[0] != leaf.text and match[0] not in tried:
                    found[match[0]] = found.get(match[0], 0) + len(match[0])
        yield from sorted(found, key=lambda word: (-found[word], word))

    def names(self, word: str, labels: Container[str]) -> Iterator[str]:
        """Yield names shorter than a word: one from tokens of the same sorts, and a fresh one.

        The first is as short as the second, for two names that are one may not be renamed any more.
        """
        used = self._used()
        fresh = next(name for name in _fresh_names() if name not in used)
        same = [
            name
            for name, sorts in used.items()
            if len(name) <= len(fresh) and any(sort in labels for sort in sorts)
        ]
        if len(fresh) < len(word):
            yield from [min(same)] if same else []
            yield fresh

    def _used(self) -> dict[str, set[str]]:
        """Return all names in the text, with the sorts of the tokens that hold them."""
        self._look()
        if self._words is None:
            self._words = {}
            for leaf in trees.leaves(self.problem.tree):
                for match in _NAME.finditer(leaf.text):
                    self._words.setdefault(match[0], set()).add(leaf.label)
        return self._words


def _shorter(tokens: _Tokens, places: list[Place]) -> Iterator[Candidate]:
    """Yield the text with the shortest tokens of the sort at these places."""
    leaf = places[0].tree
    assert isinstance(leaf, Leaf)
    for new in dict.fromkeys(_short_texts(tokens, leaf)):
        if len(new) < len(leaf.text):
            yield edited(tokens.problem, [_with_text(place, new) for place in places])


def _short_texts(tokens: _Tokens, leaf: Leaf) -> Iterator[str]:
    problem = tokens.problem
    if (shortest := problem.language.shortest(leaf.label)) is not None:
        yield shortest
    before, inside, after = _inside(leaf.text)
    if before:
        yield before + after
    if not _WORD.fullmatch(inside):
        return
    if inside.isdigit():
        yield from (before + digit + after for digit in "01")
    else:
        yield from (before + name + after for name in tokens.names(inside, (leaf.label,)))


def _inside(text: str) -> tuple[str, str, str]:
    """Divide a token into an opening quote, its inside, and a closing quote."""
    match = _QUOTED.fullmatch(text)
    return ("", text, "") if match is None else (match[1], match[3], match[4])


def _units(inside: str, is_quoted: bool) -> Sequence[str]:
    """Divide the inside of a token into units that may go: characters, or the words of code.

    The body of a macro is one token, and half a name in it is no name.
    """
    return inside if is_quoted or not _CODE.search(inside) else _UNIT.findall(inside)


def _single(
    tokens: _Tokens, text: str, high: int, rest: Callable[[], Iterator[Attempt]]
) -> Iterator[Attempt]:
    """Shorten single tokens of a text, from before the one with a number down to the first."""

    def accepted(index: int, _hit: int) -> Iterator[Attempt]:
        return chain(_single(tokens, text, index, rest), rest())

    for index in reversed(range(high)):
        places = [tokens.places(text)[index]]
        yield Attempt(_shorter(tokens, places), partial(accepted, index))


def _halved(
    tokens: _Tokens,
    parts: tuple[str, Sequence[str], str],
    chunk: int,
    high: int,
    rest: Callable[[], Iterator[Attempt]],
) -> Iterator[Attempt]:
    """Leave out ever fewer units of the inside of a token, at all its places at once."""
    before, inside, after = parts

    def accepted(chunk: int, high: int, hit: int) -> Iterator[Attempt]:
        at = high - hit * chunk
        left = before, [*inside[: max(at - chunk, 0)], *inside[at:]], after
        return chain(_halved(tokens, left, chunk, at - chunk, rest), rest())

    places = tokens.places("".join((before, *inside, after)))
    while chunk:
        cuts = ((max(at - chunk, 0), at) for at in range(high, 0, -chunk))
        texts = ("".join((before, *inside[:low], *inside[at:], after)) for low, at in cuts)
        candidates = (
            edited(tokens.problem, [_with_text(place, new) for place in places]) for new in texts
        )
        yield Attempt(candidates, partial(accepted, chunk, high))
        high = len(inside)
        chunk = min(chunk, high) // 2


def _with_text(place: Place, new: str) -> tuple[Place, Tree]:
    """Return the edit that gives a leaf another text.

    The white space stays: between two tokens that are not words it could go, too.
    """
    leaf = place.tree
    assert isinstance(leaf, Leaf)
    return place, replace(leaf, text=new)
