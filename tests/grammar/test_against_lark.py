"""Our parser and Lark's on random grammars and texts: the same texts, the same trees.

Trees are compared where a text has one. Where it has several, Lark's LALR parser shifts, so that
`a - b - c` by `e: e "-" e | N` is `a - (b - c)`; ours keeps the last part short (`earley`).
"""

from __future__ import annotations

from typing import Any

import lark
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from boildown.grammar import Parser, ParseSuccess, Sampler, ir, read_lark
from boildown.grammar.ir import EMPTY, Expr, Lit, Repeat, Seq, Sym, label
from boildown.tree import Leaf, Tree
from grammar.shipped import GRAMMARS, examples, samples
from helpers import example_count

RULES = ("start", "one", "two")


def exprs() -> st.SearchStrategy[Expr]:
    """Make expressions whose labels are Lark's notation."""
    atoms: st.SearchStrategy[Expr] = st.sampled_from(
        [Lit("a"), Lit("b"), Lit("c"), *map(Sym, RULES[1:])]
    )

    def wider(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(inner, min_size=1, max_size=3)
        return st.one_of(
            several.map(ir.seq),
            several.map(ir.alt),
            inner.map(ir.opt),
            st.builds(ir.repeat, inner, st.integers(0, 1), st.sampled_from([None, 2])),
            st.builds(lambda x, s: Repeat(x, 1, None, s), inner, atoms),
        )

    return st.recursive(atoms, wider, max_leaves=7).filter(_is_larks)


def _is_larks(expr: Expr) -> bool:
    """Say whether Lark can write an expression: it has no notation for nothing, nor for `~2..`."""
    return not any(
        part == EMPTY or (isinstance(part, Repeat) and part.min > 1 and part.max is None)
        for part in ir.parts([expr])
    )


grammars = st.fixed_dictionaries({name: exprs() for name in RULES}).map(
    lambda rules: "\n".join(f"{name}: {label(expr)}" for name, expr in rules.items())
)
texts = st.lists(st.sampled_from(["a", "b", "c", " a", " b", " c"]), max_size=8).map("".join)


def ours(tree: Tree, rules: tuple[str, ...]) -> Any:
    """Return a tree as nested lists, without the nodes that Lark does not have."""
    if isinstance(tree, Leaf):
        return [tree.text] if tree.label else []
    inner = [part for child in tree.children for part in ours(child, rules)]
    return [(tree.label, inner)] if tree.label in rules else inner


def larks(tree: Any) -> Any:
    if not isinstance(tree, lark.Tree):
        return [str(tree)]
    return [(str(tree.data), [part for child in tree.children for part in larks(child)])]


def lark_parser(source: str, **options: Any) -> lark.Lark:
    return lark.Lark(source, keep_all_tokens=True, maybe_placeholders=False, **options)


@settings(suppress_health_check=list(HealthCheck))
@given(grammars, st.lists(texts, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_trees_are_those_of_larks_lalr_parser(source: str, texts: list[str], rng: Any) -> None:
    source += '\n%ignore " "'
    try:
        reference = lark_parser(source, parser="lalr")
    except lark.exceptions.GrammarError:
        assume(False)
    parser = Parser(read_lark(source))
    sample = Sampler(parser.grammar).sample("start", rng, 12)
    for text in [*texts, *([] if sample is None else [sample])]:
        answer = parser.parse(text)
        try:
            expected = larks(reference.parse(text))
        except lark.exceptions.UnexpectedInput:
            # It shifts where two ways are open, and so rejects some texts of the grammar; what is
            # accepted is compared with the Earley parser below.
            continue
        assert isinstance(answer, ParseSuccess), (source, text, answer)
        assert answer.ambiguous or ours(answer.tree, RULES) == expected, (source, text)


@pytest.mark.parametrize(
    ("rules", "text", "last"),
    [
        ('start: one\none: one "b" one | "a"', "ababa", ("one", ["a"])),
        ('start: one ("b" one)*\none: ["a" ("b" "a")*]', "baba", ("one", ["a"])),
    ],
)
def test_of_several_trees_lark_shifts_and_ours_has_a_short_last_part(
    rules: str, text: str, last: tuple[str, list[str]]
) -> None:
    def parts(tree: Any) -> Any:
        return tree[0][1] if len(tree[0][1]) > 1 else parts(tree[0][1])

    answer = Parser(read_lark(rules)).parse(text)
    assert isinstance(answer, ParseSuccess)
    assert answer.ambiguous
    assert parts(ours(answer.tree, RULES))[-1] == last
    assert parts(larks(lark_parser(rules, parser="lalr").parse(text)))[-1] != last


@settings(suppress_health_check=list(HealthCheck), max_examples=example_count(60))
@given(grammars, st.lists(texts, min_size=1, max_size=6))
def test_texts_are_those_of_larks_earley_parser(source: str, texts: list[str]) -> None:
    try:
        reference = lark_parser(source, parser="earley", lexer="dynamic_complete")
    except lark.exceptions.GrammarError:
        assume(False)
    parser = Parser(read_lark(source))
    for text in texts:
        try:
            reference.parse(text)
            accepted = True
        except lark.exceptions.UnexpectedInput:
            accepted = False
        assert isinstance(parser.parse(text), ParseSuccess) == accepted, (source, text)


@given(grammars)
def test_labels_are_larks_notation(source: str) -> None:
    try:
        grammar = read_lark(source)
    except ir.GrammarError:
        assume(False)
    again = read_lark("\n".join(f"{name}: {label(e)}" for name, e in grammar.rules.items()))
    assert again.rules == grammar.rules


@pytest.mark.parametrize("name", ["json", "expressions", "assignments", "datetime"])
def test_shipped_grammars_mean_the_same_to_lark(name: str) -> None:
    source = (GRAMMARS / name / "grammar.lark").read_text(encoding="utf-8")
    reference = lark_parser(source, parser="lalr")
    grammar = read_lark(source)
    parser = Parser(grammar)
    for text in [*examples(name), *samples(name, 200)]:
        answer = parser.parse(text)
        assert isinstance(answer, ParseSuccess)
        assert ours(answer.tree, tuple(grammar.rules)) == larks(reference.parse(text))


def test_a_sequence_is_flat_in_both() -> None:
    source = 'start: ("a" ("b" "c")?)+'
    answer = Parser(read_lark(source)).parse("abca")
    assert isinstance(answer, ParseSuccess)
    assert ours(answer.tree, RULES) == [("start", ["a", "b", "c", "a"])]
    assert larks(lark_parser(source).parse("abca")) == [("start", ["a", "b", "c", "a"])]
    assert isinstance(Seq(()), Seq)
