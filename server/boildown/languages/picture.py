"""Renders trees as indented text, as Graphviz's dot, and as SVG that needs no Graphviz.

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
.essential { fill: #a40e26; }
.hole { fill: #116329; }
line { stroke: #aaa; }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd; } .token { fill: #79c0ff; } line { stroke: #666; }
  .essential { fill: #ff9492; } .hole { fill: #7ee787; }
}"""


@dataclass(slots=True)
class _Spot:
    """A drawn subtree: its caption, its CSS class and its position."""

    words: str
    sort: str
    level: int
    parent: int
    """The number of the parent in preorder; -1 for the root."""
    index: int
    """The index among the parent's children."""
    x: float = 0.0
    """The middle of its caption, in pixels from the left."""
    title: str = ""
    """Its tooltip."""


def as_svg(tree: Tree, holes: Mapping[tuple[int, ...], str] | None = None) -> str:
    """Render a tree as an SVG document: tokens from left to right, nodes centred above theirs.

    `holes` are the tooltips of the holes of a pattern of the tree's text, by their paths. Subtrees
    in a hole are of the CSS class `hole` then, and all others of the class `essential`.
    """
    spots = [
        _Spot(
            caption(top), "token" if isinstance(top, Leaf) else top.kind.value, level, parent, index
        )
        for top, level, parent, index in _walk(tree)
    ]
    if holes is not None:
        _mark(spots, holes)
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
        title = f"<title>{escape(spot.title)}</title>" if spot.title else ""
        parts.append(f'<text class="{spot.sort}" {where}>{title}{escape(spot.words)}</text>')
    return "\n".join((*parts, "</svg>", ""))


def _mark(spots: list[_Spot], holes: Mapping[tuple[int, ...], str]) -> None:
    """Add the class `hole` or `essential` to all spots, and the holes' tooltips."""
    numbers = {(spot.parent, spot.index): number for number, spot in enumerate(spots)}
    inside: dict[int, str] = {}
    for path, title in holes.items():
        number: int | None = 0
        for index in path:
            number = numbers.get((-2 if number is None else number, index))
        if number is not None:
            inside[number] = title
    for number, spot in enumerate(spots):
        if number not in inside and spot.parent in inside:
            inside[number] = inside[spot.parent]
        spot.title = inside.get(number, "")
        spot.sort += " hole" if number in inside else " essential"


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
