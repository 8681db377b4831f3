"""A malformed text keeps most of the structure that the damage did not touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from boildown.languages import load_language
from boildown.tree import Leaf, Node, Tree, places, text
from languages.examples import EXAMPLES, read

DAMAGES = ("cut off", "opened", "closed", "garbage", "doubled")


def damage(source: str, kind: str, rng: Random) -> tuple[str, int, int]:
    """Return a damaged text, and what of the original is gone or was written over."""
    at = rng.randrange(len(source) // 4, 3 * len(source) // 4)
    match kind:
        case "cut off":
            return source[:at], at, len(source)
        case "opened":
            return source[:at] + "{(" + source[at:], at, at
        case "closed":
            return source[:at] + ")>" + source[at:], at, at
        case "garbage":
            return source[:at] + " @@ $ " + source[at + 3 :], at, at + 3
        case _:
            start = source.rfind("\n", 0, at) + 1
            return source[:at] + source[start:at] + source[at:], at, at


def nodes(root: Tree, start: int, end: int) -> Counter[tuple[str, str]]:
    """Count the nodes outside of a piece of the text that hold some of it, by label and text.

    What has no place in the grammar hangs at the next node, and is not counted with its text.
    """
    return Counter(
        (place.tree.label, held)
        for place in places(root)
        if isinstance(place.tree, Node) and (place.end <= start or place.start >= end)
        if (held := "".join(_parts(place.tree)).strip())
    )


def _parts(tree: Tree) -> Iterator[str]:
    """Yield the texts of the leaves, without those that are in error."""
    stack = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Leaf) and top.label != "ERROR":
            yield top.prefix + top.text
        elif isinstance(top, Node) and top.label != "ERROR":
            stack += reversed(top.children)


@pytest.mark.parametrize("name", sorted({path.parents[1].name for path in EXAMPLES}))
def test_most_undamaged_nodes_are_kept(name: str) -> None:
    language = load_language(name)
    wanted: Counter[tuple[str, str]] = Counter()
    kept: Counter[tuple[str, str]] = Counter()
    for path in EXAMPLES:
        source = read(path)
        if path.parents[1].name != name:
            continue
        whole = language.parse(source).tree
        for kind, seed in product(DAMAGES, range(3)):
            broken, start, end = damage(source, kind, Random(f"{path.name} {seed}"))
            undamaged = nodes(whole, start, end)
            tree = language.parse(broken).tree
            assert text(tree) == broken
            wanted += undamaged
            kept += undamaged & nodes(tree, -1, -1)
    print(name, kept.total(), wanted.total(), kept.total() / wanted.total())
    assert kept.total() >= 0.8 * wanted.total()
