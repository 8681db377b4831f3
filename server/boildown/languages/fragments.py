"""Samples texts of languages without a grammar, by recombining fragments of examples.

A sample is a subtree of an example that has the wanted label, often with subtrees of it replaced
by others of the same label, or with other tokens. It is kept only if the example still parses with
the sample in the subtree's place. The idea is that of LangFuzz (Holler, Herzig, Zeller: "Fuzzing
with Code Fragments", 2012).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from boildown import tree as trees
from boildown.engine.language import Check, Parsed
from boildown.engine.telling import DRAWN_NUMBERS, DRAWN_TEXTS
from boildown.tree import Kind, Leaf, Node, Place, Tree, places

_TRIES = 6
"""How many variations are tried before a piece is taken as it is."""
_INDENTED = re.compile(r"[\r\n][ \t]")
_WORDS = ("a", "x1", "_", "value", "Zz", "\u00e9t\u00e9")


@dataclass(frozen=True, slots=True)
class Fragment:
    """A subtree of an example."""

    place: Place
    host: int
    """The number of the example that it is from."""
    size: int
    """Its size in tokens."""

    @property
    def text(self) -> str:
        """The text without the white space and comments before its first token."""
        return trees.bare_text(self.place.tree)


class Fragments:
    """A pool of fragments by label, collected from the examples at the first use."""

    def __init__(
        self,
        examples: Callable[[], Iterable[str]],
        parse: Callable[[str], Parsed],
        checker: Callable[[str], Check],
        unindented: bool = False,
    ) -> None:
        """`unindented`: leave out pieces with indented lines, for where indentation counts."""
        self._examples = examples
        self._parse = parse
        self._checker = checker
        self._unindented = unindented
        self._hosts: list[tuple[str, Check]] = []
        self._pool: dict[str, list[Fragment]] | None = None
        self._substitutes: dict[str, tuple[str, ...]] = {}

    def sample(self, label: str, rng: Random, budget: int) -> str | None:
        """Return a random text of a label, of at most `budget` tokens; None if there is none."""
        found = [each for each in self._found().get(label, ()) if each.size <= budget]
        if not found:
            return None
        for _ in range(_TRIES):
            fragment = rng.choice(found)
            varied = self._varied(fragment.place.tree, rng, budget)
            if self._stands(fragment, varied):
                return varied
        return rng.choice(found).text

    def substitutes(self, label: str, fits: Callable[[str, str], bool]) -> tuple[str, ...]:
        """Return the labels in the examples that fit in place of one.

        Those come first in whose place it fits as well: statements in place of a statement, and
        then expressions.
        """
        if label not in self._substitutes:
            plain = (each for each in self._found() if not each.endswith(("?", "*")))
            found = [each for each in plain if fits(label, each)]
            found.sort(key=lambda each: not fits(each, label))
            self._substitutes[label] = tuple(found)
        return self._substitutes[label]

    def shortest(self, label: str) -> str | None:
        """Return the shortest text of a label in the examples; None if there is none."""
        found = self._found().get(label, ())
        if any(_may_be_empty(each.place.tree) for each in found):
            return ""
        return min((each.text for each in found), key=lambda text: (len(text), text), default=None)

    def _found(self) -> dict[str, list[Fragment]]:
        if self._pool is None:
            pool: dict[str, dict[str, Fragment]] = {}
            for host, example in enumerate(self._examples()):
                self._hosts.append((example, self._checker(example)))
                for place in places(self._parse(example).tree):
                    if place.tree.width and not (self._unindented and _is_indented(place.tree)):
                        fragment = Fragment(place, host, trees.size(place.tree))
                        pool.setdefault(place.tree.label, {}).setdefault(fragment.text, fragment)
            self._pool = {label: list(found.values()) for label, found in pool.items()}
        return self._pool

    def _stands(self, fragment: Fragment, new: str) -> bool:
        """Say whether the example still parses with another text in a fragment's place."""
        example, accepts = self._hosts[fragment.host]
        start = fragment.place.span[0]
        return accepts(example[:start] + new + example[fragment.place.end :], example)

    def _varied(self, tree: Tree, rng: Random, budget: int) -> str:
        """Return the text of a subtree with none, one or two random mutations."""
        for _ in range(rng.choice((0, 1, 1, 2))):
            place = rng.choice(list(places(tree)))
            new = self._other(place.tree, rng, budget)
            tree = trees.replace(tree, [(place, trees.inherit_prefix(new, place.tree))])
        return trees.bare_text(tree)

    def _other(self, tree: Tree, rng: Random, budget: int) -> Tree:
        """Return a random subtree of the same label."""
        if isinstance(tree, Leaf):
            return Leaf(tree.label, _other_token(tree.text, rng), tree.prefix)
        if tree.kind is Kind.LIST and rng.random() < 0.5:
            return _fewer(tree, rng)
        if tree.kind is Kind.OPTION and rng.random() < 0.5:
            return trees.with_children(tree, ())
        found = [each for each in self._found().get(tree.label, ()) if each.size <= budget]
        return rng.choice(found).place.tree if found else tree


def _is_indented(tree: Tree) -> bool:
    return _INDENTED.search(trees.bare_text(tree)) is not None


def _may_be_empty(tree: Tree) -> bool:
    return isinstance(tree, Node) and tree.kind is not Kind.RULE and not tree.least


def _fewer(node: Node, rng: Random) -> Node:
    count = node.count
    keep = rng.sample(range(count), rng.randint(min(node.least, count), count))
    return trees.with_items(node, sorted(keep))


def _other_token(token: str, rng: Random) -> str:
    """Return a random token of the same lexical class: number, identifier or string."""
    if re.fullmatch(r"\d+", token):
        return rng.choice(DRAWN_NUMBERS)
    if re.fullmatch(r"[^\W\d]\w*", token):
        return rng.choice(_WORDS)
    if len(token) > 1 and token[0] == token[-1] and token[0] in "\"'":
        return f"{token[0]}{rng.choice(DRAWN_TEXTS)}{token[0]}"
    return rng.choice(DRAWN_TEXTS) if " " in token else token
