"""Learns which places of a text declare a name that others use, from candidates that were INVALID.

A compiler or a database rejects a text that uses a name which nothing declares: of the runs on C
three quarters were INVALID, half of them for that. Which place declares a name is not known without
the language, but it is mostly the first one. So a hypothesis is made of each *role*: the sort of
token and of the part around it, and whether the uses that are left stand in the same item of the
outermost list. It is believed after some candidates in a row that take a first place of that role
away, and no other that might explain it, were INVALID; the more often another outcome has ended
such a row, the longer it has to be.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import TypeAlias

from boildown.engine.difference import changed
from boildown.engine.oracle import Outcome, digest
from boildown.engine.uses import Use, shared_words
from boildown.tree import Kind, Leaf, Node, Place, Tree

BELIEVED = 3
"""INVALID candidates in a row after which a hypothesis is believed that was never refuted. After
two, columns of a table in `sql-apsw` were taken for what no text may lack."""
PROBED = 16
"""One of so many candidates is run all the same, for a hypothesis that is not tried stays true."""

NO_SORT = "word"
"""The label of words in a text that is read without a grammar: that says nothing of what they are.
Where such counted, and words in strings, state machines and calendars of `make bench-public` came
to stand still at two to twenty times the size."""

Role: TypeAlias = tuple[str, str, bool]
"""The label of the token and of what holds it, and whether a use that is left stands in the same
item."""

_IN_WORD = re.compile(r"\w")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Declarations:
    """The places that declare names, as far as a job has learned of them."""

    def __init__(self) -> None:
        self._invalid: Counter[Role] = Counter()
        """Candidates in a row."""
        self._refuted: Counter[Role] = Counter()
        """How often a row ended."""
        self._root: Tree | None = None
        self._uses: dict[str, list[Use]] = {}
        """Of the names that stand at several places of the text with this tree."""
        self._ends: list[int] = []
        """Where each item of its outermost list ends."""

    @property
    def in_use(self) -> bool:
        """Whether a candidate was INVALID: only then roles are worth the time to find them."""
        return bool(self._invalid or self._refuted)

    def roles(self, root: Tree, before: str, after: str) -> frozenset[Role]:
        """Return the roles of the first places that are gone from a text while a use is left.

        Empty where the candidate is not the text without some tokens. `root` is the text's tree.
        """
        start, end, _ = changed(before, after)
        while start and _IN_WORD.match(before, start - 1):
            start -= 1
        while _IN_WORD.match(before, end):
            end += 1
        gone = _gone(before, start, end, after[start : len(after) - (len(before) - end)])
        if not gone:
            return frozenset()
        if self._root is not root:
            self._root = root
            shared = shared_words(root)
            self._uses = {u[0].word: u for u in shared if u[0].word.isidentifier()}
            self._ends = [item.end for item in _outermost(Place(root, 0))]
        found = (self._role(uses, gone) for word in gone.values() if (uses := self._uses.get(word)))
        return frozenset(role for role in found if role is not None)

    def _role(self, uses: Sequence[Use], gone: Container[int]) -> Role | None:
        """Return the role of the first place of a word, if it is gone and one of the others is not.

        None where it is no token of a sort, but a part of one.
        """
        first = uses[0]
        leaf, above = first.place.tree, first.place.parent
        is_token = isinstance(leaf, Leaf) and leaf.text == first.word and leaf.label != NO_SORT
        left = {self._item(use) for use in uses if use.start not in gone}
        if first.start not in gone or not left or not is_token:
            return None
        return leaf.label, "" if above is None else above.tree.label, self._item(first) in left

    def _item(self, use: Use) -> int:
        """Return the item of the outermost list that a use is in."""
        return bisect_right(self._ends, use.start)

    def learn(self, judged: Iterable[tuple[frozenset[Role], Outcome]]) -> None:
        """Take the outcomes of candidates, with the roles of the places that they lacked."""
        for roles, outcome in judged:
            if outcome is not Outcome.INVALID:
                for role in roles:
                    if self._invalid.pop(role, 0) or role not in self._refuted:
                        self._refuted[role] += 1
            # One that was refuted explains nothing as long as another may.
            elif len(suspects := [r for r in roles if r not in self._refuted] or [*roles]) == 1:
                self._invalid[suspects[0]] += 1

    def expects_invalid(self, text: str, roles: frozenset[Role]) -> bool:
        """Say whether a candidate that lacks places of these roles is expected to be INVALID."""
        is_expected = any(
            self._invalid[role] >= BELIEVED * (1 + self._refuted[role]) for role in roles
        )
        return is_expected and digest(text)[0] % PROBED != 0


def _gone(before: str, start: int, end: int, left: str) -> dict[int, str]:
    """Return the tokens of a span of a text that are not among those that are left of it.

    Each of these is the first one that it may be, so that no first place of a name counts as gone
    if it may be there. None is gone if others came.
    """
    kept = _TOKEN.findall(left)
    at = 0
    gone = {}
    for match in _TOKEN.finditer(before, start, end):
        if at < len(kept) and kept[at] == match[0]:
            at += 1
        else:
            gone[match.start()] = match[0]
    return gone if at == len(kept) else {}


def _outermost(place: Place) -> list[Place]:
    """Return the items of the outermost list of several, looked for where most of the text is."""
    while not (
        isinstance(place.tree, Node) and place.tree.kind is Kind.LIST and place.tree.count > 1
    ):
        inside = place.children()
        if not inside:
            return []
        place = max(inside, key=lambda child: child.tree.width)
    return place.items()
