"""Results that are one long line are laid out, and nothing else is changed."""

from __future__ import annotations

import json

import pytest

from boildown.engine.reducing.tidy import LINE_WIDTH, tidied
from boildown.languages import load_language


def test_long_lists_get_lines_of_their_own() -> None:
    value = {"tasks": [{"id": number, "needs": [number] * 9} for number in range(4)], "b": None}
    text = json.dumps(value)
    assert tidied(text, load_language("json")) == (
        "{\n"
        '  "tasks": [\n'
        '    {"id": 0, "needs": [0, 0, 0, 0, 0, 0, 0, 0, 0]},\n'
        '    {"id": 1, "needs": [1, 1, 1, 1, 1, 1, 1, 1, 1]},\n'
        '    {"id": 2, "needs": [2, 2, 2, 2, 2, 2, 2, 2, 2]},\n'
        '    {"id": 3, "needs": [3, 3, 3, 3, 3, 3, 3, 3, 3]}\n'
        "  ],\n"
        '  "b": null\n'
        "}"
    )


def test_code_is_laid_out_by_its_statements() -> None:
    text = "class A{f(a){return a}g(b){return this.f(b)}}" + "new A().f(0);" * 7 + "new A().g(1)"
    assert tidied(text, load_language("javascript")) == (
        "class A{f(a){return a}g(b){return this.f(b)}}\n" + "new A().f(0);\n" * 7 + "new A().g(1)"
    )


def test_the_indentation_of_a_line_is_kept() -> None:
    text = f"def f():\n    g('{'x' * 60}', '{'y' * 60}')\n"
    assert tidied(text, load_language("python")) == (
        f"def f():\n    g(\n      '{'x' * 60}',\n      '{'y' * 60}'\n    )\n"
    )


@pytest.mark.parametrize("language", ["json", "javascript", "python", "plain"])
@pytest.mark.parametrize("text", ["", "[1, 2]", "\n".join(["[1, 2, 3]"] * LINE_WIDTH)])
def test_what_can_be_read_stays_as_it_is(language: str, text: str) -> None:
    assert tidied(text, load_language(language)) is None


def test_what_would_break_the_grammar_is_not_done() -> None:
    text = "x = 1; " * LINE_WIDTH
    assert tidied(text, load_language("python")) is None
