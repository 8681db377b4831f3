"""Renders trees as indented text, as Graphviz's dot, as SVG that needs no Graphviz, and as rows.

White space and comments are left out, long tokens cut short.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from boildown.tree import Kind, Leaf, Node, Tree

LONGEST_TOKEN = 40
"""Characters of a token that are shown; a longer one is cut in its middle."""
DEEPEST_INDENT = 100
"""Levels that are indented in text; below, the level is written out as a number."""


def as_text(tree: Tree) -> str:
    """Render a tree as a line per node and token, children indented below their parent."""
    lines = []
    for top, level, _, _ in _walk(tree):
        number = f"({level}) " if level > DEEPEST_INDENT else ""
        indent = "  " * min(level, DEEPEST_INDENT) + number
        lines.append(f"{indent}{caption(top)}\n")
    return "".join(lines)


def as_dot(tree: Tree) -> str:
    """Render a tree as a graph in Graphviz's dot."""
    lines = ["digraph tree {", '  node [shape=plain, fontname="monospace"];', "  edge [dir=none];"]
    for number, (top, _, parent, _) in enumerate(_walk(tree)):
        style = ", fontcolor=blue" if isinstance(top, Leaf) else ""
        label = caption(top).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  n{number} [label="{label}"{style}];')
        if parent >= 0:
            lines.append(f"  n{parent} -> n{number};")
    return "\n".join((*lines, "}", ""))


def caption(tree: Tree) -> str:
    """Return the caption of a token, or of a node: its label, and its kind if not a rule."""
    if isinstance(tree, Node):
        if tree.kind is Kind.RULE or not tree.label:
            return tree.label or "node"
        return f"{tree.label} ({tree.kind.value})"
    token = json.dumps(_shortened(tree.text), ensure_ascii=False)
    token = "".join(char if char.isprintable() else _code(char) for char in token)
    return token if tree.label in ("", token) else f"{tree.label} {token}"


def _code(char: str) -> str:
    return json.dumps(char)[1:-1]


def _shortened(token: str) -> str:
    half = LONGEST_TOKEN // 2
    return token if len(token) <= LONGEST_TOKEN else f"{token[:half]}…{token[-half:]}"


def _walk(tree: Tree) -> Iterator[tuple[Tree, int, int, int]]:
    """Yield all subtrees in preorder, each with its level, its parent's number and its index.

    Leaves without text are left out.
    """
    stack: list[tuple[Tree, int, int, int]] = [(tree, 0, -1, 0)]
    number = 0
    while stack:
        top, level, parent, index = stack.pop()
        if isinstance(top, Leaf) and not top.text:
            continue
        yield top, level, parent, index
        if isinstance(top, Node):
            last = len(top.children) - 1
            stack.extend(
                (child, level + 1, number, last - back)
                for back, child in enumerate(reversed(top.children))
            )
        number += 1


_CHARACTER = 7.3
_GAP = 14.0
_LEVEL = 46.0
_STYLE = """\
text { font: 12px monospace; text-anchor: middle; fill: #333; }
.token { fill: #0550ae; }
.list { font-style: italic; }
line { stroke: #aaa; }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd; } .token { fill: #79c0ff; } line { stroke: #666; }
}"""


@dataclass(slots=True)
class _Spot:
    """A drawn subtree: its caption, its CSS class and its position."""

    words: str
    sort: str
    level: int
    parent: int
    """The number of the parent in preorder; -1 for the root."""
    x: float = 0.0
    """The middle of its caption, in pixels from the left."""


def as_svg(tree: Tree) -> str:
    """Render a tree as an SVG document: tokens from left to right, nodes centred above theirs."""
    spots = [
        _Spot(caption(top), _sort(top), level, parent) for top, level, parent, _ in _walk(tree)
    ]
    width = _place(spots)
    height = (max((spot.level for spot in spots), default=0) + 1) * _LEVEL
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{_STYLE}</style>"]
    for spot in spots:
        y = (spot.level + 0.5) * _LEVEL
        if spot.parent >= 0:
            above = spots[spot.parent].x
            ends = f'x1="{above:.1f}" y1="{y - _LEVEL + 6:.1f}" x2="{spot.x:.1f}" y2="{y - 14:.1f}"'
            parts.append(f"<line {ends}/>")
        where = f'x="{spot.x:.1f}" y="{y:.1f}"'
        parts.append(f'<text class="{spot.sort}" {where}>{escape(spot.words)}</text>')
    return "\n".join((*parts, "</svg>", ""))


def _place(spots: list[_Spot]) -> float:
    """Set the x of every spot; return the width of the picture in pixels.

    The first loop sums widths from the last spot to the first, so that a subtree's width is known
    when its parent's is needed; the second hands the space out from the root down. A caption that
    is wider than its children has them in the middle below it.
    """
    widths = [len(spot.words) * _CHARACTER + _GAP for spot in spots]
    needed = list(widths)
    inner = [0.0] * len(spots)
    for number in range(len(spots) - 1, -1, -1):
        needed[number] = max(widths[number], inner[number])
        if spots[number].parent >= 0:
            inner[spots[number].parent] += needed[number]
    starts = [0.0] * len(spots)
    used = [0.0] * len(spots)
    for number, spot in enumerate(spots):
        if spot.parent >= 0:
            starts[number] = starts[spot.parent] + used[spot.parent]
            used[spot.parent] += needed[number]
        used[number] = max(needed[number] - inner[number], 0.0) / 2
        spot.x = starts[number] + needed[number] / 2
    return needed[0] if needed else 0.0


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A node or token of a tree that somebody else draws, as one of a list in preorder."""

    level: int
    caption: str
    sort: str
    """"token", or the kind of a node: "rule", "list" or "option"."""
    hole: int | None = None
    """The number of the hole of a pattern that it is in; None if it is in none."""
    gaps: tuple[int, ...] = ()
    """The numbers of the holes between its children."""


def as_rows(
    tree: Tree,
    holes: Mapping[tuple[int, ...], int] | None = None,
    gaps: Mapping[tuple[int, ...], tuple[int, ...]] | None = None,
) -> list[DrawnRow]:
    """Return a row per node and token, with the numbers of the holes of a pattern by their paths.

    `holes` are subtrees, `gaps` belong to the lists between whose items they are.
    """
    walked = list(_walk(tree))
    numbers = {(parent, index): number for number, (_, _, parent, index) in enumerate(walked)}
    inside = {_number(numbers, path): hole for path, hole in (holes or {}).items()}
    between = {_number(numbers, path): those for path, those in (gaps or {}).items()}
    rows: list[DrawnRow] = []
    for number, (top, level, parent, _) in enumerate(walked):
        above = rows[parent].hole if parent >= 0 else None
        hole, those = inside.get(number, above), between.get(number, ())
        rows.append(DrawnRow(level, caption(top), _sort(top), hole, those))
    return rows


def _number(numbers: Mapping[tuple[int, int], int], path: tuple[int, ...]) -> int:
    """Return the number of a subtree in preorder; -1 if it is left out."""
    number = 0
    for index in path:
        number = numbers.get((number, index), -1)
        if number < 0:
            break
    return number


def _sort(tree: Tree) -> str:
    return "token" if isinstance(tree, Leaf) else tree.kind.value
