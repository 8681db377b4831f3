"""Openers and closers besides brackets: tags, lines with a common argument, pairs of words.

No format is known. An element in angle brackets that begins with a slash closes the one whose word
follows; a line closes an earlier one where the two have different words before the same argument
(`BEGIN:VEVENT` and `END:VEVENT`) and all lines with these words nest; `endmodule` closes `module`;
and `begin` is closed by `end` if there are as many of both. One of these alone says little in a
long text, so each has to balance.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boildown.languages.blocks import Row, nested
from boildown.tree import Kind, Leaf, Node, Tree

_LONGEST_TAG = 400
"""Tokens of the longest tag that is looked for."""
_FEWEST = 4
"""Pairs of lines that make two words known as opening and closing, if they nest."""
_END = re.compile(r"end(?=$|[_\W])", re.IGNORECASE)
_END_OF = re.compile(r"end_?(\w+)", re.IGNORECASE)


def opened(tokens: Sequence[Leaf], indents: Sequence[int]) -> Row:
    """Join the tokens of tags and of lines that open and close; say which do."""
    return _with_words(_with_lines(_with_tags(tokens, indents)))


@dataclass(slots=True)
class _Joining:
    """Row in the making."""

    trees: list[Tree]
    indents: list[int]
    opens: dict[int, str]
    closes: dict[int, str]

    def parts(self) -> Row:
        return Row(self.trees, self.indents, self.opens, self.closes)


def _with_tags(tokens: Sequence[Leaf], indents: Sequence[int]) -> Row:
    """Join the tokens of each tag, if the text has a tag that closes another."""
    made = _Joining([], [], {}, {})
    at = 0
    is_marked_up = any(
        one.text == "<" and two.text == "/" and not two.prefix
        for one, two in itertools.pairwise(tokens)
    )
    while at < len(tokens):
        high = _tag_end(tokens, at) if is_marked_up and tokens[at].text == "<" else 0
        if high:
            tag = tokens[at:high]
            if tag[1].text == "/":
                made.closes[len(made.trees)] = "<" + tag[2].text
            elif tag[1].label == "word" and tag[-2].text != "/" and tag[-1].text != "/>":
                made.opens[len(made.trees)] = "<" + tag[1].text
            inside = nested(Row(tag[1:-1], [-1] * (len(tag) - 2)))
            made.trees.append(Node("tag", (tag[0], inside, tag[-1])))
        else:
            high = at + 1
            made.trees.append(tokens[at])
        made.indents.append(indents[at])
        at = high
    return made.parts()


def _tag_end(tokens: Sequence[Leaf], at: int) -> int:
    """Return the index after the tag that begins at a token; 0 if none does."""
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if (
        following is None
        or following.prefix
        or not (following.label == "word" or following.text in "/!?")
    ):
        return 0
    for index in range(at + 2, min(at + _LONGEST_TAG, len(tokens))):
        text = tokens[index].text
        if text == ">":
            return index + 1
        if text == "<":
            return 0
    return 0


def _with_lines(parts: Row) -> Row:
    """Join the tokens of each line that opens or closes by its argument or its word."""
    lines = list(_lines_of(parts))
    sorts = _arguments(lines) | _ends_of(lines)
    if not sorts:
        return parts
    made = _Joining([], [], {}, {})
    at = 0
    sources = {line.low: line for line in lines if line.low in sorts}
    while at < len(parts.trees):
        line = sources.get(at)
        index = len(made.trees)
        if line is None:
            made.trees.append(parts.trees[at])
            if at in parts.opens:
                made.opens[index] = parts.opens[at]
            if at in parts.closes:
                made.closes[index] = parts.closes[at]
            made.indents.append(parts.indents[at])
            at += 1
            continue
        does_open, sort = sorts[at]
        (made.opens if does_open else made.closes)[index] = sort
        inside = parts.trees[line.low : line.high]
        whole = nested(Row(inside, [-1] * len(inside)))
        made.trees.append(Node("head", whole.children, Kind.LIST, separated=whole.separated))
        made.indents.append(parts.indents[at])
        at = line.high
    return made.parts()


@dataclass(frozen=True, slots=True)
class _Line:
    low: int
    high: int
    word: str
    """Its first word, without regard to case; empty if it has none near its beginning."""
    argument: str
    """Its second word."""


def _lines_of(parts: Row) -> Iterator[_Line]:
    starts = [at for at, indent in enumerate(parts.indents) if indent >= 0]
    for low, high in zip(starts, [*starts[1:], len(parts.trees)], strict=False):
        words: list[str] = []
        for tree in parts.trees[low : min(high, low + 6)]:
            if isinstance(tree, Leaf) and tree.label == "word":
                words.append(tree.text)
        yield _Line(low, high, *(*words, "", "")[:2])


def _arguments(lines: Sequence[_Line]) -> dict[int, tuple[bool, str]]:
    """Find lines that open and close by the same argument after two words that nest."""
    heads: dict[str, list[str]] = {}
    for line in lines:
        if line.argument:
            heads.setdefault(line.argument, []).append(line.word)
    pairs: dict[tuple[str, str], int] = {}
    for found in heads.values():
        kinds = list(dict.fromkeys(found))
        if len(kinds) == 2 and 2 * found.count(kinds[0]) == len(found):
            pair = (kinds[0], kinds[1])
            pairs[pair] = pairs.get(pair, 0) + 1
    sorts: dict[int, tuple[bool, str]] = {}
    by_word: dict[str, list[_Line]] = {}
    for line in lines:
        by_word.setdefault(line.word, []).append(line)
    for opener, closer in sorted(pairs, key=lambda pair: -pairs[pair]):
        # Each word is in one pair only, so that all pairs together take linear time.
        if opener not in by_word or closer not in by_word:
            continue
        own = sorted(by_word.pop(opener) + by_word.pop(closer), key=lambda line: line.low)
        depth = _depth(own, opener)
        if depth and (_END.match(closer) or (depth > 1 and len(own) >= 2 * _FEWEST)):
            for line in own:
                sorts[line.low] = (line.word == opener, f"{opener} {line.argument}")
    return sorts


def _depth(lines: Sequence[_Line], opener: str) -> int:
    """Return how deep lines nest that open and close by their arguments; 0 if they don't."""
    stack: list[str] = []
    depth = 0
    for line in lines:
        if line.word == opener:
            stack.append(line.argument)
            depth = max(depth, len(stack))
        elif not stack or stack.pop() != line.argument:
            return 0
    return 0 if stack else depth


def _ends_of(lines: Sequence[_Line]) -> dict[int, tuple[bool, str]]:
    """Find lines such as `endmodule` and `#endif`, and those that they close."""
    closers = {
        line.low: match[1].casefold()
        for line in lines
        if (match := _END_OF.fullmatch(line.word)) is not None
    }
    sorts = {low: (False, "end" + word) for low, word in closers.items()}
    words = set(closers.values())
    longest = max(map(len, words), default=0)
    for line in lines:
        if line.low not in closers:
            word = line.word[:longest].casefold()
            opener = next((word[:n] for n in range(len(word), 1, -1) if word[:n] in words), None)
            if opener is not None:
                sorts[line.low] = (True, "end" + opener)
    return sorts


def _with_words(parts: Row) -> Row:
    """Take `begin` and `end` for brackets, if there are as many of both."""
    places: dict[str, list[int]] = {"begin": [], "end": []}
    for index, tree in enumerate(parts.trees):
        if isinstance(tree, Leaf) and tree.label == "word":
            found = places.get(tree.text.casefold())
            if found is not None:
                found.append(index)
    if not places["begin"] or len(places["begin"]) != len(places["end"]):
        return parts
    opens = {**parts.opens, **dict.fromkeys(places["begin"], "begin")}
    closes = {**parts.closes, **dict.fromkeys(places["end"], "begin")}
    return Row(parts.trees, parts.indents, opens, closes)
