"""Trees of tree-sitter's: what may go, what fits where, and what an edit is checked by."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from boildown.languages import languages, load_language
from boildown.languages.treesitter import TreeSitterLanguage, tree_sitter_language
from boildown.tree import Kind, Node, Tree, leaves, places, text
from languages.drawing import drawn
from languages.examples import EXAMPLES, read


def language(name: str) -> TreeSitterLanguage:
    found = load_language(name)
    assert isinstance(found, TreeSitterLanguage)
    return found


def tree(name: str, source: str) -> Tree:
    return language(name).parse(source).tree


def found(root: Tree, label: str) -> Node:
    """Return the first node with a label."""
    node = next(place.tree for place in places(root) if place.tree.label == label)
    assert isinstance(node, Node)
    return node


def test_items_between_commas_make_a_list() -> None:
    listed = found(tree("javascript", "f(a, [1, 2,], {b: c});"), "arguments*")
    assert (listed.kind, listed.separated, listed.least) == (Kind.LIST, True, 0)
    assert [text(item) for item in listed.items] == ["a", " [1, 2,]", " {b: c}"]
    inner = found(listed, "array*")
    assert [text(item) for item in inner.items] == ["1", " 2"]


def test_statements_make_a_list() -> None:
    root = tree("c", "int f(void) { int a; g(); return a; }\n")
    listed = found(root, "compound_statement*")
    assert (listed.kind, listed.separated) == (Kind.LIST, False)
    assert [text(item) for item in listed.items] == [" int a;", " g();", " return a;"]


def test_what_may_be_absent_is_an_option() -> None:
    root = tree("javascript", "if (a) b(); else c();\nreturn;")
    assert drawn(found(root, "else_clause?"))[1][:2] == ["else_clause", "else"]
    heads = found(tree("c", "int f() { for (i = 0; i < 3; i++) g(); }"), "for_statement")
    going = [
        part for part in heads.children if isinstance(part, Node) and part.kind is not Kind.RULE
    ]
    parts = {text(child) for part in going for child in part.children}
    assert parts >= {"i = 0", " i < 3", " i++"}


def test_every_character_is_somewhere() -> None:
    source = "// é\nlet s = 'a\\n\U0001f600 b' /* c */; \udc80 \ufeff"
    root = tree("javascript", source)
    assert text(root) == source
    first = next(leaves(root))
    assert (first.prefix, first.text, first.start) == ("// é\n", "let", 5)
    for leaf in leaves(root):
        assert source[leaf.start : leaf.start + len(leaf.text)] == leaf.text


def test_errors_are_read_as_plain_text() -> None:
    parsed = language("javascript").parse("f(1);\n@@ (x [y] z) @@\ng(2);\n")
    assert not parsed.valid
    assert parsed.notes == (
        "This is no valid javascript from line 2, column 1; "
        "what is in error is read as plain text.",
    )
    assert [text(place.tree) for place in places(parsed.tree) if place.tree.label == "arguments"]


def test_slots_accept_more_than_their_like() -> None:
    fits = language("javascript").fits
    assert fits("call_expression", "identifier")
    assert fits("identifier", "call_expression")
    assert fits("if_statement", "expression_statement")
    assert fits("if_statement", "statement_block*")
    assert fits("group", "line")
    assert not fits("identifier", "if_statement")
    assert not fits('"("', '")"')


def test_a_check_counts_errors() -> None:
    text = "f(a, b);\nif (c) { d(); }\n"
    accepts = language("javascript").checker(text)
    assert accepts("f(a);\nif (c) { d(); }\n", text)
    assert not accepts("f(a, b;\nif (c) { d(); }\n", text)
    assert accepts("if (c) { d(); }\n", text)
    assert not accepts("if (c) { d();\n", text)
    assert accepts("", text)
    text = "f(a, b;\ng();\n"
    malformed = language("javascript").checker(text)
    assert malformed("f(a;\ng();\n", text)
    assert malformed("f(a);\n", text)
    assert not malformed("f(a;\n@ g(];\n if", text)


SOURCES = {each.name: each.source for each in languages()}
PARSED = [each for each in EXAMPLES if SOURCES[each.parents[1].name] == "tree-sitter"]


@pytest.mark.parametrize("path", PARSED, ids=lambda path: f"{path.parents[1].name}-{path.name}")
def test_a_check_does_not_depend_on_those_before(path: Path) -> None:
    source, name = read(path), path.parents[1].name
    accepts = language(name).checker(source)
    step = max(len(source) // 40, 1)
    for start in range(0, len(source), step):
        candidate = source[:start] + source[start + step :]
        assert accepts(candidate, source) == language(name).checker(source)(candidate, source)


def test_a_parse_of_too_much_work_falls_back() -> None:
    # Its scanner looks to the end of the text at each token.
    source = "a(b<c" * 2500
    parsed = language("bash").parse(source)
    assert text(parsed.tree) == source
    assert not parsed.valid
    assert parsed.notes == ("Reading the text as bash takes too long; it is read as plain text.",)
    assert language("bash").checker(source)("f(", source)


def test_the_clock_has_no_say_in_a_parse(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "f(a);\n" * 5000
    there = language("javascript").parse(source)
    hours = itertools.count(0, 3600)
    for clock in ("monotonic", "perf_counter", "process_time", "thread_time", "time"):
        monkeypatch.setattr(time, clock, lambda: float(next(hours)))
    assert language("javascript").parse(source) == there
    assert there.valid


def test_what_crashes_a_scanner_is_kept_from_it() -> None:
    parsed = language("yaml").parse("- " * 10_000)
    assert parsed.notes == ("The text is nested too deeply for yaml; it is read as plain text.",)
    source = "echo \U0010ffff \u4e2d \xe9\n"
    assert text(tree("bash", source)) == source
    assert language("yaml").parse("a:\n" + "- b: c\n" * 5000).valid


def test_a_whole_text_may_be_empty_or_blank() -> None:
    for name in ("javascript", "yaml", "bash", "markdown"):
        for source in ("", " ", "\n\n", "\ufeff"):
            assert text(tree(name, source)) == source


def toml() -> TreeSitterLanguage:
    """Return a language that has parsed nothing so far."""
    return tree_sitter_language("toml", "tree_sitter_toml", lambda: ())


@pytest.mark.parametrize("content", ["a", ",", ";", "[", "}", "\\n"])
def test_a_tree_does_not_depend_on_what_was_parsed_before(content: str) -> None:
    source = f'k = "{content}"'
    used = toml()
    for other in "a,;[}(":
        used.parse(f'k = "{other}"')
    assert used.parse(source).tree == toml().parse(source).tree
