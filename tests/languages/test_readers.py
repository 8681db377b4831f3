"""Independent readers: which texts stay valid by a grammar that takes more than its language."""

from __future__ import annotations

import pytest

from boildown.languages.readers import is_nearly_valid, kept_valid, only_tried
from boildown.languages.registry import load_language

PROGRAM = (
    '#include "p.h"\ntypedef struct { int x; } point;\nint f(int w) { point p; g(); return w; }\n'
)


@pytest.mark.parametrize(
    ("text", "is_valid"),
    [
        ("typedef struct { int x; } point;", True),
        ("int f(int w) { return w; }", True),
        ("int f(int w) { g(); }", True),
        ("a;", False),
        ("typedef struct {} point;", False),
        ("int f() { return w; }", False),
        ("int f(int w) { return w }", False),
        ("int f(int w) { return w; ", False),
        ('#include "a"\nint f(int w) { return w; }', True),
        ('#include "a" int f(int w) { return w; }', False),
    ],
)
def test_what_the_original_does_not_have_is_not_known_to_be_valid(
    text: str, is_valid: bool
) -> None:
    language = kept_valid(load_language("c"), PROGRAM)
    assert language.checker(PROGRAM)(text, PROGRAM) is is_valid
    assert only_tried(language) == "inputs that are valid in the forms of the original"


def test_a_reader_that_is_a_parser_needs_no_original() -> None:
    assert only_tried(kept_valid(load_language("toml"), "a = 1")) == "inputs that are valid"
    language = kept_valid(load_language("json"), '{"a": 1}')
    accepts = language.checker("")
    assert (accepts("[null]", ""), accepts("[null", "")) == (True, False)
    assert only_tried(language) == "inputs that are valid"


@pytest.mark.parametrize(
    ("language", "original", "valid", "invalid"),
    [
        (
            "sql",
            "SELECT a FROM b QUALIFY c; INSERT INTO d (e, f, g) VALUES (1, 2, 3), (4, 5, 6);"
            " DELETE FROM h WHERE i BETWEEN 7 AND 8 OR j LIKE 'k' AND l IN (9, 10, 11);",
            ["SELECT a", "SELECT a FROM b QUALIFY c", "DELETE FROM h"],
            ["DELETE FROM", "SELECT a,", "(a"],
        ),
        (
            "c",
            "int f(int i) { int a[3]; x: y(a[0]); goto *a[i]; return z(i, &a); }",
            ["int f(int i){goto *a[i];}"],
            ["int f(int i){goto}", "int f(int i){goto return z();}"],
        ),
        (
            "css",
            "a { color: (red) - blue; margin: 0 auto; padding: 1em }\nb { width: 1px \\9; }",
            ["a{color:(red)- blue}", "b{width:1px \\9;}"],
            [")- ", "a{color:(red- blue}", "b{width:\\8}"],
        ),
    ],
)
def test_errors_of_the_original_are_the_only_ones_that_are_known_to_be_right(
    language: str, original: str, valid: list[str], invalid: list[str]
) -> None:
    inner = load_language(language)
    assert is_nearly_valid(original, inner)
    assert not inner.valid(original)
    accepts = kept_valid(inner, original).checker(original)
    assert [text for text in (*valid, *invalid) if accepts(text, original)] == valid
