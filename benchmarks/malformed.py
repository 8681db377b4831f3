"""Measures error recovery on damaged texts of about 100 KB: parsing time, and nodes kept.

    python -m benchmarks.malformed [LANGUAGE...]

For each language an example that it comes with is repeated, as a whole or an item of a list in it,
until it is long; a text that cannot be long, such as a date, stays as it is. It is damaged in the
five ways of `DAMAGES`, and each is parsed once. The seconds are of the processor, per 100 KB, so a
busy machine changes them little. Kept are nodes of a line or so that the damage did not touch;
`tests/languages/test_malformed.py` holds that share for all nodes of the examples.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from boildown.engine.language import Language
from boildown.languages import languages, load_language
from boildown.tree import Kind, Leaf, Node, Place, Tree, places, replace, text, with_children

GRAMMARS = Path(__file__).parents[1] / "grammars"
DAMAGES = ("cut off", "opened", "closed", "garbage", "doubled")
SIZE = 100_000
GOAL = 2.0
"""Seconds that a damaged text may take, per 100 KB."""
SHORT = 100
"""Nodes of more characters are left out where the kept ones are counted in a long text."""


def main() -> int:
    kinds = "".join(f"{kind:>10}" for kind in (*DAMAGES, "slowest"))
    print(f"{'damaged, s per 100 KB':22} characters   valid{kinds}    kept")
    wanted = sys.argv[1:] or [each.name for each in languages() if each.installed]
    for name in wanted:
        show(name)
    return 0


def show(name: str) -> None:
    """Measure one language, and print its line."""
    language = load_language(name)
    source = long_text(language, examples(name))
    whole, valid = timed(language, source)
    taken, undamaged, kept = [], 0, 0
    for kind in DAMAGES:
        broken, start, end = damage(source, kind, Random(name))
        tree, seconds = timed(language, broken)
        taken.append(seconds)
        before = nodes(whole, start, end, SHORT)
        undamaged += before.total()
        kept += (before & nodes(tree, -1, -1, SHORT)).total()
    cells = "".join(f"{each:10.2f}" for each in (*taken, max(taken)))
    share = f"{kept / max(undamaged, 1):8.1%}"
    missed = f"  MISSED: goal {GOAL:g}" if max(taken) > GOAL else ""
    print(f"{name:22}{len(source):11,}{valid:8.2f}{cells}{share}{missed}", flush=True)


def timed(language: Language, source: str) -> tuple[Tree, float]:
    """Return a tree, and the seconds of the processor; per 100 KB if the text is longer."""
    begin = time.process_time()
    tree = language.parse(source).tree
    return tree, (time.process_time() - begin) * min(1.0, SIZE / len(source))


def examples(name: str) -> list[str]:
    """Return the texts that come with a language, the longest first; those of all with none."""
    found = list((GRAMMARS / name / "examples").glob("*")) or list(GRAMMARS.glob("*/examples/*"))
    return sorted((path.read_bytes().decode() for path in found), key=len, reverse=True)


def long_text(language: Language, sources: list[str]) -> str:
    """Return a valid text of about `SIZE` characters; the longest source if none can be made."""
    for source in sources:
        line = source.rstrip("\n") + "\n"
        if language.parse(repeated := line * (SIZE // len(line) + 1)).valid:
            return repeated
    for source in sources:
        tree = language.parse(source).tree
        lists = [place for place in places(tree) if place.tree.width and _is_list(place.tree)]
        for place in sorted(lists, key=lambda place: -place.tree.width):
            if language.parse(repeated := _with_long_list(tree, place)).valid:
                return repeated
    return sources[0]


def _is_list(tree: Tree) -> bool:
    return isinstance(tree, Node) and tree.kind is Kind.LIST


def _with_long_list(root: Tree, place: Place) -> str:
    """Return a text with the items of a list again and again, between the same separator."""
    row = place.tree
    assert isinstance(row, Node)
    between = (row.children[1] if len(row.children) > 1 else Leaf(",", ","),) * row.separated
    children = (*row.children, *between) * (SIZE // row.width + 1)
    children = children[: len(children) - len(between)]
    return text(replace(root, [(place, with_children(row, children))]))


def damage(source: str, kind: str, rng: Random) -> tuple[str, int, int]:
    """Return a damaged text, and the range of the original that was deleted or overwritten."""
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


def nodes(root: Tree, start: int, end: int, most: int = sys.maxsize) -> Counter[tuple[str, str]]:
    """Count the nodes outside of a piece of the text that hold some of it, by label and text.

    What has no place in the grammar hangs at the next node, and is not counted with its text.
    Nodes of more than `most` characters are left out.
    """
    return Counter(
        (place.tree.label, held)
        for place in places(root)
        if isinstance(place.tree, Node) and place.tree.width <= most
        if place.end <= start or place.start >= end
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


if __name__ == "__main__":
    sys.exit(main())
