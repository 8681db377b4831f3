"""Checks of candidates of long texts: they say what a parse of the whole text says, for less."""

from __future__ import annotations

import ast
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Parser, Tree

from boildown.engine import difference
from boildown.engine.language import LONG_TEXT
from boildown.languages import load_language, python_checks, treesitter
from boildown.languages import python as python_language
from helpers import example_count

STATEMENTS = (
    "x = 1\n",
    "if x:\n    y = 2\nelse:\n    z = 3\n",
    "@decorated\n# and\n@again\ndef f(a):\n    return a\n",
    "try:\n    pass\nexcept E:\n    raise\n",
    "s = '''\nx = (\n'''; t = 4\n",
    's = """\nq = 1\n"""\n',
    "(1 +\n2)\n",
    "x = \\\n1\n",
    "\\\nx = 2\n",
    "s = 'a\\\nb'\n",
    "class A:\n\n    def m(self):\n        pass\n",
    "# a comment\n\n",
    "x = 1; y = 2\r\n",
    "async def g(): await h()\n",
)


@settings(max_examples=example_count(80))
@given(st.lists(st.sampled_from(STATEMENTS), max_size=9), st.randoms(use_true_random=False))
def test_a_long_python_text_is_as_valid_as_its_changed_part(parts: list[str], rng: Random) -> None:
    text = "".join(parts)
    language = load_language("python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(python_checks, "LONG_TEXT", 0)
        accepts = language.checker(text)
        for _ in range(30):
            low, high = sorted(rng.choices(range(len(text) + 1), k=2))
            high = min(high, low + 12) if rng.random() < 0.5 else high
            new = (
                text[:low] + rng.choice(["", "", "\n", "x", "(", '"""', "@", "else:"]) + text[high:]
            )
            valid = language.valid(new)
            assert accepts(new, text) == valid
            text = new if valid and rng.random() < 0.3 else text


def test_of_a_long_python_text_a_part_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"def f{number}(a):\n    return a + {number}\n\n" for number in range(3000))
    parsed: list[int] = []
    compiled = python_language._compiled

    def counting(part: str) -> ast.AST:
        parsed.append(len(part))
        return compiled(part)

    accepts = load_language("python").checker(text)
    monkeypatch.setattr(python_language, "_compiled", counting)
    best = text
    for number in range(40):
        middle = best.index(f"def f{number * 70}(")
        assert not accepts(best[:middle] + best[middle + 9 :], best)
        new = best[:middle] + best[best.index("def", middle + 1) :]
        assert accepts(new, best)
        best = new if number % 2 else best
    assert parsed[0] == len(text)
    assert sum(parsed[1:]) < len(text)


def test_of_a_long_text_with_errors_nothing_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "x = 1\n" * LONG_TEXT + "x = = 1\n"
    monkeypatch.setattr(python_language, "_read", None)
    assert load_language("python").checker(text)("x = = 2", text)


@pytest.mark.parametrize("fault", ["", "(x {\n"])
@pytest.mark.parametrize("name", ["javascript", "c", "css"])
def test_tree_sitter_goes_on_from_the_best_text(
    name: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = {"javascript": "f(%d, [a]);\n", "c": "int f%d(a) { b; }\n", "css": "a%d { b: c; }\n"}
    units = [unit[name] % number for number in range(2000)]
    units.append(fault)
    language = load_language(name)
    best = "".join(units)
    accepts = language.checker(best)
    changed: list[int] = []

    def counting(before: bytes, after: bytes) -> tuple[int, int, int]:
        start, old, new = difference.changed(before, after)
        changed.append(old - start)
        return start, old, new

    monkeypatch.setattr(treesitter, "changed", counting)
    for number in range(1, 40):
        wrong = units.copy()
        wrong[number * 30] = wrong[number * 30].strip(")};\n")
        assert accepts("".join(wrong), best) <= bool(fault)
        del units[number * 40]
        assert accepts("".join(units), best)
        best = "".join(units)
    assert max(changed) < 100


def test_a_token_without_its_text_is_no_error_of_candidates() -> None:
    # tree-sitter reads a number of no digits there, which it counts as no error.
    empty, rule = "a {\n  --b: ;\n}\n", "c {\n  d: e;\n}\n"
    text = empty + rule * (LONG_TEXT // len(rule) + 1)
    accepts = load_language("css").checker(text)
    assert accepts(text, text)
    assert accepts(text[: -len(rule)], text)
    assert not accepts(text[:-2], text)


def yaml_block(rng: Random, depth: int = 0) -> str:
    """Return random YAML of mappings and lists in one another, `depth` levels indented."""
    dash = "- " if rng.random() < 0.5 else ""
    made = []
    for number in range(rng.randint(1, 4)):
        entry = "  " * depth + (dash or f"k{number}:")
        nested = depth < 3 and rng.random() < 0.5
        inner = yaml_block(rng, depth + 1) if nested else ""
        if dash:
            made.append(entry + (inner.lstrip(" ") or f"v{number}\n"))
        else:
            made.append(entry + (f"\n{inner}" if inner else f" v{number}\n"))
    return "".join(made)


@settings(max_examples=example_count(60))
@given(st.randoms(use_true_random=False))
def test_a_long_yaml_text_is_as_valid_as_the_lines_around_a_change(rng: Random) -> None:
    text = yaml_block(rng)
    language = load_language("yaml")
    parses = language.checker(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(treesitter, "LONG_TEXT", 0)
        accepts = language.checker(text)
        lines = text.splitlines(keepends=True)
        for _ in range(20):
            low, high = sorted(rng.choices(range(len(lines) + 1), k=2))
            new = "".join(lines[:low] + lines[high:])
            assert accepts(new, text) == parses(new, text)


def test_of_a_long_yaml_text_a_part_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [f"- id: {number}\n  nested:\n    - a\n    - b: c\n" for number in range(1000)]
    text = "".join(records)
    accepts = load_language("yaml").checker(text)
    parsed: list[int] = []
    parse = treesitter._parse

    def counting(parser: Parser, source: bytes, old: Tree | None = None) -> Tree | None:
        parsed.append(len(source))
        return parse(parser, source, old)

    monkeypatch.setattr(treesitter, "_parse", counting)
    for number in range(1, 999):
        assert accepts("".join(records[:number] + records[number + 1 :]), text)
    assert max(parsed) < 100
