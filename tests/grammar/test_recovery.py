"""Trees of texts that do not follow the grammar: all of the text, most of the nodes, in time."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.grammar import Grammar, Parser, ParseSuccess, read_lark, read_mapping
from boildown.grammar.ir import Expr
from boildown.grammar.parsing.core import compile_grammar
from boildown.grammar.parsing.recovery import ERROR, Repaired
from boildown.tree import Kind, Leaf, Node, Tree, leaves, places, text
from grammar.outline import outline
from grammar.random_grammars import rule_sets
from grammar.shipped import NAMES, examples, load
from seed_grammars import EXPRESSIONS, SIMPLE_HTML

JSON = Parser(load("json"))
HTML = Parser(load("html"))


def recovered(parser: Parser, source: str) -> Repaired:
    """Repair a text; check what must hold of every repaired tree."""
    repaired = parser.recover(source)
    assert text(repaired.tree) == source
    assert all(0 <= start <= end <= len(source) for start, end in repaired.faults)
    for leaf in leaves(repaired.tree):
        assert leaf.start == -1 or source.startswith(leaf.text, leaf.start)
    check_shape(parser.grammar, repaired.tree)
    return repaired


def check_shape(grammar: Grammar, tree: Tree) -> None:
    """Check that every node has children for all symbols of some production of its label."""
    core = compile_grammar(grammar)
    for place in places(tree):
        node = place.tree
        if place.parent is None or isinstance(node, Leaf):
            continue
        if core.is_terminal(core.symbols[node.label]):
            junk, leaf = node.children
            assert (junk.label, leaf.label) == (ERROR, node.label)
        elif node.kind is Kind.LIST:
            assert len({child.label for child in node.items}) <= 1
            assert not node.separated or len(node.children) % 2 == bool(node.children)
        elif node.label != grammar.start:
            labels = [child.label for child in node.children]
            rights = [
                [core.label(part) for part in p.right] for p in core.of(core.symbols[node.label])
            ]
            assert labels in rights


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("[1 2]", "array([ [value(1) '' value(2)] ])"),
        ("[1,,2]", "array([ [value(1) , value('') , value(2)] ])"),
        ('{"a": }', "object({ [pair(\"a\" : value(''))] })"),
        ('{"a" 1}', "object({ [pair(\"a\" '' value(1))] })"),
        ("{a: 1}", "object({ [pair('' \":\"(a :) value(1))] })"),
        ("[1, 2", "array([ [value(1) , value(2)] '')"),
        ("[[1, [2", "array([ [value(array([ [value(1) , value(array([ [value(2)] ''))] ''))] '')"),
        ("[1], 2]", 'array([ [value(1) ","(] ,) value(2)] ])'),
        ('{"a":1}, "b":2}', 'object({ [pair("a" : value(1)) ","(} ,) pair("b" : value(2))] })'),
        ("[1, tru, 3]", "array([ [value(1) , value('') \",\"(tru ,) value(3)] ])"),
    ],
)
def test_the_cheapest_repair_that_leads_on(source: str, tree: str) -> None:
    assert outline(recovered(JSON, source).tree) == f"start(value({tree}))"


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("", "start()"),
        (" ", "start('')"),
        ("%%", "start(value('') %%)"),
        ("[1]]", "start(value(array([ [value(1)] ])) ])"),
        ("[1] [2]", "start(value(array([ [value(1)] ])) start(value(array([ [value(2)] ]))))"),
    ],
)
def test_what_has_no_place_at_all(source: str, tree: str) -> None:
    assert outline(recovered(JSON, source).tree) == tree


def test_the_faults_are_told() -> None:
    assert recovered(JSON, "[1 2, tru]").faults == ((2, 2), (6, 9))
    assert recovered(JSON, "[1, 2]").faults == ()


def test_a_skipped_piece_is_a_leaf_before_the_next() -> None:
    tree = recovered(JSON, "[1, \ntru\t, 3]").tree
    (node,) = (p.tree for p in places(tree) if p.tree.label == '","' and isinstance(p.tree, Node))
    assert node.children == (Leaf(ERROR, "tru", " \n", 5), Leaf('","', ",", "\t", 9))


def test_a_valid_text_has_its_own_tree() -> None:
    for name in NAMES:
        parser = Parser(load(name))
        for example in examples(name):
            answer = parser.parse(example)
            assert isinstance(answer, ParseSuccess)
            if not answer.ambiguous:
                repaired = parser.recover(example)
                assert (repaired.tree, repaired.faults) == (answer.tree, ())


def damaged(source: str, rng: Random) -> str:
    """Delete, double or swap characters, or cut the text off."""
    here, there = sorted((rng.randrange(len(source)), rng.randrange(len(source))))
    kind = rng.randrange(4)
    if kind == 0:
        return source[:here] + source[here + 1 :]
    if kind == 1:
        return source[:here] + source[here] + source[here:]
    if kind == 2 and here < there:
        swapped = source[there] + source[here + 1 : there] + source[here]
        return source[:here] + swapped + source[there + 1 :]
    return source[: there + 1]


BESIDE = 4
"""How many undamaged nodes may be lost without counting."""


def kept(parser: Parser, source: str, broken: str) -> float:
    """Return which part of the nodes that the damage did not touch is still there.

    A few nodes beside the damage may go with it: in a date or an address they are a large part.
    """
    answer = parser.parse(source)
    assert isinstance(answer, ParseSuccess)
    tree = recovered(parser, broken).tree
    start, end = 0, 0
    while start < min(len(source), len(broken)) and source[start] == broken[start]:
        start += 1
    while end < min(len(source), len(broken)) - start and source[-1 - end] == broken[-1 - end]:
        end += 1
    wanted = Counter(
        (place.tree.label, text(place.tree).strip())
        for place in places(answer.tree)
        if place.tree.width and isinstance(place.tree, Node)
        if place.end <= start or place.start >= len(source) - end
    )
    found = Counter((p.tree.label, text(p.tree).strip()) for p in places(tree))
    lost = wanted.total() - (wanted & found).total()
    return 1 - lost / wanted.total() if lost > BESIDE else 1.0


@pytest.mark.parametrize("name", NAMES)
def test_most_undamaged_nodes_stay(name: str) -> None:
    parser, rng = Parser(load(name)), Random(1)
    source = max(examples(name), key=len)
    shares: list[float] = []
    while len(shares) < 40:
        broken = damaged(source, rng)
        if not isinstance(parser.parse(broken), ParseSuccess):
            shares.append(kept(parser, source, broken))
    shares.sort()
    assert shares[8] >= 0.8
    assert sum(shares) / len(shares) >= 0.85


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_every_damaged_example_keeps_its_text(name: str) -> None:
    parser, rng = Parser(load(name)), Random(2)
    for example in examples(name):
        for _ in range(300):
            broken = example
            for _ in range(rng.randrange(1, 6)):
                broken = damaged(broken, rng) or example
            recovered(parser, broken)


@pytest.mark.parametrize("piece", ["[", "]", "{", '{"a":', ",", "1 ", '"', "%", "[1 2 }{"])
def test_no_text_takes_for_ever(piece: str) -> None:
    recovered(JSON, piece * (20_000 // len(piece)))


def test_html_with_tags_that_do_not_match() -> None:
    for source in ("<p>a<p>b</p>", "</b>x", "<a b='>x", "<ul><li>1<li>2</ul>", "<a =b>", "<"):
        recovered(HTML, source)


@pytest.mark.parametrize("rules", [EXPRESSIONS, SIMPLE_HTML])
def test_grammars_of_characters(rules: dict[str, list[str]]) -> None:
    parser, rng = Parser(read_mapping(rules)), Random(3)
    for _ in range(200):
        recovered(parser, "".join(rng.choices("<a>/'=\" 1+*(.", k=rng.randrange(30))))


def test_leaves_of_a_token_keep_their_text() -> None:
    parser = Parser(read_lark('start: ("(" NAME ")")*\nNAME: /[a-z]+/\n%ignore / +/'))
    tree = recovered(parser, " ( a b ) ( ) c").tree
    assert outline(tree) == 'start(["(" NAME ")"(( NAME(a b) )) "(" NAME ")"(( \'\' ))] c)'


@given(rule_sets(), st.text("abc", max_size=12))
def test_any_text_by_any_grammar(rules: dict[str, Expr], source: str) -> None:
    repaired = Parser(Grammar(rules, "A", longest=False)).recover(source)
    assert text(repaired.tree) == source
