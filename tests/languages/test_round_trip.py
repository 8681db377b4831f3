"""Every language gives back every character of every text, however malformed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.languages import detect, languages, load_language
from boildown.tree import Kind, Node, Tree, text
from languages.examples import EXAMPLES, mutations, read

NAMES = [each.name for each in languages() if each.installed]


def ident(path: Path) -> str:
    return f"{path.parents[1].name}-{path.name}"


def check(name: str, source: str) -> None:
    """Check what holds for all trees: the text, the offsets, and the shape of nodes."""
    pieces: list[str] = []
    stack: list[Tree] = [load_language(name).parse(source).tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Node):
            check_shape(top)
            stack.extend(reversed(top.children))
        else:
            pieces += (top.prefix, top.text)
            assert source.startswith(top.text, top.start)
    assert "".join(pieces) == source


def check_shape(node: Node) -> None:
    """Check that an option has at most one child, and a list enough items between separators."""
    if node.kind is Kind.OPTION:
        assert len(node.children) <= 1
    elif node.kind is Kind.LIST:
        assert node.least <= len(node.items)
        assert not node.separated or len(node.children) % 2 or not node.children


@pytest.mark.parametrize("path", EXAMPLES, ids=ident)
def test_examples_are_valid_and_come_back(path: Path) -> None:
    language = load_language(path.parents[1].name)
    parsed = language.parse(read(path))
    assert (parsed.notes, parsed.valid) == ((), True)
    check(language.name, read(path))


@pytest.mark.nightly
@pytest.mark.parametrize("path", EXAMPLES, ids=ident)
def test_damaged_examples_come_back(path: Path) -> None:
    """Damage an example a thousand times, most often only a piece of it, which is faster."""
    name, source = path.parents[1].name, read(path)
    for broken in mutations(source, 100):
        check(name, broken)
    for number in range(9):
        start = len(source) * number // 10
        for broken in mutations(source[start : start + 300], 100, seed=number):
            check(name, broken)


@pytest.mark.parametrize("name", NAMES)
@given(
    st.text(st.one_of(st.sampled_from("ab1 \n\t\0\"'<>()[]{}/*#-=;:,\\\ufeff"), st.characters()))
)
def test_any_text_comes_back(name: str, source: str) -> None:
    check(name, source)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("opener", ["(", "[", "{", "<a>", "- ", "if x:\n "])
def test_deep_nesting_comes_back(name: str, opener: str) -> None:
    source = opener * 4000
    assert text(load_language(name).parse(source).tree) == source


INPUTS = sorted((Path(__file__).parents[2] / "benchmarks" / "cases").glob("*/input.*"))


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.parent.name)
def test_inputs_of_real_bugs_come_back(path: Path) -> None:
    source = read(path)
    language = detect(path.name, source)
    assert (language.name == "plain") == (path.suffix == ".txt")
    check(language.name, source)
