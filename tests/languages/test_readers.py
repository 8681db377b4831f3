"""Independent readers: which texts stay valid by a grammar that takes more than its language."""

from __future__ import annotations

import pytest

from boildown.languages.readers import kept_valid, only_tried
from boildown.languages.registry import load_language

PROGRAM = "typedef struct { int x; } point;\nint f(int w) { point p; g(); return w; }\n"


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
