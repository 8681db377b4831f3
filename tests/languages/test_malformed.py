"""A malformed text keeps most of the structure that the damage did not touch."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from benchmarks.malformed import DAMAGES, damage, nodes

from boildown.languages import load_language
from boildown.tree import text
from languages.examples import EXAMPLES, read


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
