"""Random texts: they follow the grammar, end within the budget, and are different enough."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boildown.grammar import Grammar, Parser, ParseSuccess, Sampler, read_lark, read_mapping
from boildown.grammar.ir import Expr
from boildown.grammar.parsing.regex_samples import Sampling
from boildown.grammar.parsing.regexes import may_start
from boildown.tree import size
from grammar.random_grammars import NAMES, rule_sets
from helpers import example_count
from seed_grammars import SIMPLE_HTML

LEVELS = """
    start: e0
    e0: e1 ("|" e1)*
    e1: e2 ("^" e2)*
    e2: e3 ("&" e3)*
    e3: e4 (("+" | "-") e4)*
    e4: e5 (("*" | "/") e5)*
    e5: "-" e5 | e6
    e6: NAME | NUMBER | "(" e0 ")" | NAME "(" [e0 ("," e0)*] ")" | "if" e0 "else" e0
    NAME: /[a-z]+/
    NUMBER: /[0-9]+/
    %ignore / /
"""
PATTERNS = [
    r"a|bc|(?i:de)",
    r"[^\W\d]\w*",
    r'"(?:[^"\\]|\\.)*"',
    r"(?P<q>['\"])x(?P=q)",
    r"(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?",
    r"<!--(?:[^-]|-(?!->))*-->",
    r"(?!if\b)[a-z]{2,3}",
    r"a{3}b{0,2}c+?",
    r"\s+\S",
    r"[\]\-x-z]",
    r".",
    r"(?s:.)",
    r"x(?=y)?",
    r"(a)?(?(1)b|c)",
    r"^\d$",
]


@pytest.mark.parametrize("budget", [0, 1, 5, 30, 300])
def test_texts_follow_the_grammar_within_the_budget(budget: int) -> None:
    grammar = read_lark(LEVELS)
    sampler, parser, rng = Sampler(grammar), Parser(grammar), Random(5)
    sizes = []
    for _ in range(200 if budget < 100 else 20):
        text = sampler.sample("start", rng, budget)
        assert text is not None
        answer = parser.parse(text)
        assert isinstance(answer, ParseSuccess)
        sizes.append(size(answer.tree))
    assert max(sizes) <= max(budget, 1)
    assert max(sizes) > budget * 0.7 - 1


def test_the_same_seed_gives_the_same_texts() -> None:
    def texts(seed: int) -> list[str | None]:
        sampler, rng = Sampler(read_mapping(SIMPLE_HTML)), Random(seed)
        return [sampler.sample("html", rng, 40) for _ in range(20)]

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_every_alternative_is_used() -> None:
    sampler, rng = Sampler(read_lark(LEVELS)), Random(0)
    text = " ".join(filter(None, (sampler.sample("e6", rng, 20) for _ in range(300))))
    seen = Counter(re.findall(r"[a-z]+\(|if|else|[-|^&+*/,]|\d+", text))
    assert {"|", "^", "&", "+", "-", "*", "/", ",", "if", "else"} <= set(seen)
    assert any(name.endswith("(") for name in seen)


def test_names_are_no_keywords() -> None:
    sampler = Sampler(read_lark('start: NAME\nother: "a" | "b"i\nNAME: /[abc]/'))
    rng = Random(0)
    assert {sampler.sample("start", rng, 1) for _ in range(100)} == {"c"}


def test_any_label_can_be_sampled() -> None:
    sampler, rng = Sampler(read_lark(LEVELS)), Random(0)
    assert sampler.sample('"|"', rng, 5) == "|"
    assert re.fullmatch("[0-9]+", sampler.sample("NUMBER", rng, 5) or "")
    assert sampler.sample('[e0 ("," e0)*]', rng, 0) == ""
    assert sampler.sample("nobody", rng, 5) is None
    assert Sampler(read_lark('start: "a" start | "b"\nx: x')).sample("x", rng, 5) is None


@settings(max_examples=example_count(50))
@given(rule_sets(), st.integers(0, 20), st.randoms(use_true_random=False))
def test_any_grammar_can_be_sampled(rules: dict[str, Expr], budget: int, rng: Random) -> None:
    grammar = Grammar(rules, "A", longest=False)
    sampler, parser = Sampler(grammar), Parser(grammar)
    for name in NAMES:
        text = sampler.sample(name, rng, budget)
        if text is not None:
            assert isinstance(parser.parse(text, name), ParseSuccess)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_regular_expressions_are_sampled(pattern: str) -> None:
    sampling, rng = Sampling(pattern), Random(0)
    texts = [sampling.random(rng) for _ in range(100)]
    starts = may_start(pattern)
    for text in [*texts, sampling.shortest()]:
        assert re.fullmatch(pattern, text), text
        assert starts(text[0])
    assert len(sampling.shortest()) == min(map(len, texts))


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("a|[b-d]", "abcd", "eA"),
        ("(?i:a)", "aA", "b"),
        ("x*y", "xy", "a"),
        ("[^ab]", "c\n", "ab"),
        (r"\d|\s", "0 \n", "a"),
        ("(?=a)b", "b", "a"),
        ("x?(?:y|)z", "xyz", "a"),
    ],
)
def test_what_a_match_may_start_with(pattern: str, yes: str, no: str) -> None:
    starts = may_start(pattern)
    assert all(map(starts, yes))
    assert not any(map(starts, no))
