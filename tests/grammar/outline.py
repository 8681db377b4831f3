"""What the grammar tests share: trees in one line, and a check of what every tree must be."""

from __future__ import annotations

from boildown.grammar import Grammar, ParseFailure, Parser, ParseSuccess
from boildown.grammar.parsing.core import compile_grammar
from boildown.tree import Kind, Leaf, Node, Place, Tree, places, text


def outline(tree: Tree) -> str:
    """Write a tree as `label(child child)`, a leaf as its text, a list as `[...]`."""
    if isinstance(tree, Leaf):
        return tree.text or "''"
    inner = " ".join(map(outline, tree.children))
    if tree.kind is Kind.LIST:
        return f"[{inner}]"
    if tree.kind is Kind.OPTION:
        return f"?({inner})"
    return f"{tree.label}({inner})"


def parsed(parser: Parser, source: str, symbol: str | None = None) -> Node:
    """Parse a text that follows the grammar; check the tree."""
    answer = parser.parse(source, symbol)
    assert isinstance(answer, ParseSuccess), f"{source!r}: {answer}"
    assert isinstance(answer.tree, Node)
    check_tree(parser.grammar, answer.tree, source)
    return answer.tree


def failed(parser: Parser, source: str, symbol: str | None = None) -> ParseFailure:
    """Parse a text that does not follow the grammar."""
    answer = parser.parse(source, symbol)
    assert isinstance(answer, ParseFailure), source
    return answer


def check_tree(grammar: Grammar, tree: Tree, source: str) -> None:
    """Check that a tree gives back its text and that every node follows a production."""
    assert text(tree) == source
    core = compile_grammar(grammar)
    for place in places(tree):
        if isinstance(place.tree, Leaf):
            found = place.tree
            begin = place.start + len(found.prefix)
            assert found.start in (begin, -1), found
            assert source[begin : place.end] == found.text
            continue
        node = place.tree
        children = [child.label for child in node.children if child.label]
        if node.kind is Kind.LIST:
            check_list(node)
            continue
        allowed = [
            [core.label(part) for part in production.right]
            for symbol in core.nonterminals()
            if core.label(symbol) == node.label
            for production in core.of(symbol)
        ]
        assert children in allowed, (node.label, children)


def check_list(node: Node) -> None:
    """Check that a list has one sort of items, one sort of separators, and enough of them."""
    assert len({item.label for item in node.items}) <= 1
    assert len(node.items) >= node.least
    if node.separated and node.children:
        assert len(node.children) == 2 * len(node.items) - 1
        assert len({separator.label for separator in node.children[1::2]}) <= 1


def find(tree: Tree, label: str) -> list[Place]:
    """Return the places of the subtrees with a label."""
    return [place for place in places(tree) if place.tree.label == label]
