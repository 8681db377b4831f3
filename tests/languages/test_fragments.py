"""Samples made of pieces of examples: of the right label, within budget, the same per seed."""

from __future__ import annotations

import ast
from random import Random

import pytest

from boildown.languages import load_language
from boildown.languages.fragments import Fragments
from boildown.languages.python import python_language

LABELS = {
    "javascript": ("call_expression", "if_statement", "arguments", "binary_expression", "string"),
    "c": ("declaration", "binary_expression", "call_expression"),
    "rust": ("let_declaration", "match_arm", "call_expression"),
    "yaml": ("flow_node", "block_mapping_pair"),
    "python": ("atom_expr", "expr_stmt", "comparison", "suite", "name"),
}
CASES = [(name, label) for name, labels in LABELS.items() for label in labels]


@pytest.mark.parametrize(("name", "label"), CASES)
def test_samples_vary_and_repeat(name: str, label: str) -> None:
    language = load_language(name)
    samples = [language.sample(label, Random(seed), 20) for seed in range(60)]
    assert samples == [language.sample(label, Random(seed), 20) for seed in range(60)]
    assert len(set(samples)) >= 15
    assert all(sample is not None for sample in samples)


def test_a_label_that_no_example_has_gives_nothing() -> None:
    language = load_language("javascript")
    assert language.sample("no_such_thing", Random(0), 20) is None
    assert language.sample("class_declaration", Random(0), 3) is None
    assert language.shortest("no_such_thing") is None


def test_most_samples_are_what_they_claim_to_be() -> None:
    language = load_language("python")
    good = 0
    for seed in range(100):
        sample = language.sample("atom_expr", Random(seed), 20)
        assert sample is not None
        try:
            ast.parse(f"[{sample}]")
            good += 1
        except SyntaxError:
            pass
    assert good >= 90


def test_samples_stand_in_for_the_piece_they_come_from() -> None:
    language = python_language()
    fragments = Fragments(lambda: ["x = f(1)\n"], language.parse, language.checker)
    samples = {fragments.sample("atom_expr", Random(seed), 9) for seed in range(40)}
    assert "f(1)" in samples
    assert len(samples) > 3
    for sample in samples:
        ast.parse(f"x = {sample}\n")


def test_pieces_with_line_breaks_are_left_out_where_indentation_counts() -> None:
    samples = [load_language("python").sample("suite", Random(seed), 50) for seed in range(50)]
    assert all(sample and "\n" not in sample for sample in samples)


def test_shortest() -> None:
    javascript = load_language("javascript")
    assert javascript.shortest("array*") == ""
    assert javascript.shortest("else_clause?") == ""
    assert javascript.shortest("identifier") == "c"
