"""Finds the uses of words by their text alone, as far as that can be known without the language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from boildown import tree as trees
from boildown.tree import Leaf, Place, Tree, is_key_word

_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a word: a leaf, or a part of one, as in the body of a macro."""

    word: str
    place: Place
    """Of the leaf."""
    start: int
    end: int
    """Offsets in the text."""

    def span(self, height: int) -> tuple[int, int]:
        """Return the span of the word, or of the subtree that is so many larger ones above it.

        White space and comments before it do not belong to it.
        """
        if not height:
            return self.start, self.end
        place = self.place
        while height and (above := place.parent) is not None:
            height -= above.tree.width > place.tree.width
            place = above
        return place.span


def shared_words(root: Tree, with_key_words: bool = False) -> list[list[Use]]:
    """Return the uses of each word that occurs more than once, in the text's order.

    The words that take most room come first. Key words of the grammar are none of them by default.
    """
    found: dict[str, list[Use]] = {}
    inside: list[Use] = []
    for place in trees.places(root):
        leaf = place.tree
        if not isinstance(leaf, Leaf) or (not with_key_words and is_key_word(leaf)):
            continue
        start = place.end - len(leaf.text)
        if any(map(str.isalpha, leaf.text)):
            found.setdefault(leaf.text, []).append(Use(leaf.text, place, start, place.end))
        for match in _WORD.finditer(leaf.text):
            if match[0] != leaf.text:
                inside.append(Use(match[0], place, start + match.start(), start + match.end()))
    for use in inside:
        if use.word in found:
            found[use.word].append(use)
    several = [sorted(uses, key=lambda use: use.start) for uses in found.values() if len(uses) > 1]
    return sorted(several, key=lambda uses: -sum(use.end - use.start for use in uses))
