"""Pretty-prints a result that is one long line: line breaks and indentation.

White space goes early in a reduction, since that is cheap and most of it does not matter. What is
left of a large input is then hard to read, so where the test allows it is laid out again.
"""

from __future__ import annotations

from boildown import tree as trees
from boildown.engine.language import Language
from boildown.tree import Kind, Leaf, Node, Place, Tree

LINE_WIDTH = 120
"""Characters of the longest line that is left as it is."""
SHORT_ITEM = 8
"""Lists whose items have no more characters on average stay on one line."""
INDENT = "  "


def tidied(text: str, language: Language) -> str | None:
    """Return a text with the items of its long lists on lines of their own.

    None if no line is too long, or if nothing can be broken without new faults.
    """
    if max(map(len, text.splitlines()), default=0) <= LINE_WIDTH:
        return None
    parsed = language.parse(text)
    new = trees.text(trees.with_prefixes(parsed.tree, _prefixes(parsed.tree)))
    is_as_good = language.checker(text)(new, text) and language.valid(new) == parsed.valid
    return new if new != text and is_as_good else None


def _prefixes(root: Tree) -> list[str]:
    """Return the white space and comments before each leaf, with a break before each item."""
    text = trees.text(root)
    breaks: dict[int, str] = {}
    stack = [(Place(root, 0), 0)]
    while stack:
        place, depth = stack.pop()
        if _is_long_list(place.tree):
            assert isinstance(place.tree, Node)
            line = text[text.rfind("\n", 0, place.start) + 1 :]
            indentation = line[: len(line) - len(line.lstrip())]
            breaks[place.end] = "\n" + indentation + INDENT * depth
            depth += place.start > 0
            for child in place.items():
                breaks[child.start] = "\n" + indentation + INDENT * depth
        stack += [(child, depth) for child in place.children()]
    return [
        breaks.get(place.start, leaf.prefix) if place.start and _may_break(leaf) else leaf.prefix
        for place in trees.places(root)
        if isinstance(leaf := place.tree, Leaf)
    ]


def _is_long_list(tree: Tree) -> bool:
    return (
        isinstance(tree, Node)
        and tree.kind is Kind.LIST
        and tree.width > LINE_WIDTH // 2
        and 1 < tree.count < tree.width // SHORT_ITEM
        and "\n" not in trees.first_prefix(tree.items[1])
        and (tree.separated or all(isinstance(item, Node) for item in tree.items))
    )


def _may_break(leaf: Leaf) -> bool:
    """Say whether a line may break before a leaf: there is only white space, and no break yet."""
    return not leaf.prefix.strip() and "\n" not in leaf.prefix
