"""Laws on programs: calls behind a dot, assignments, and statements of all sorts."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from random import Random

import pytest

from boildown.languages import load_language
from helpers import by_some_seed
from library.test_laws_by_words import law_of

ROUTES = """from web import App
app = App()
@app.route("orders/", methods=["GET"])
def orders():
    return "ok 2"
@app.route("/login", methods=["POST"])
def login(request):
    return "login"
"""
DRAWING = """from turtle import Turtle
t = Turtle()
t.color("teal")
for _ in range(7):
    t.pendown()
    t.forward(105)
t.pendown()
t.goto(28, 38)
t.penup()
"""
BARE = """try:
    row += 4
except:
    print(name + a)
a = row
"""
SWITCH = """function turn(key, n) {
  switch (key) {
    case "up": n += 1; break;
    default: stop();
  }
  switch (n) {
    default: stop();
    case 1: move(4); break;
  }
}
"""


def _calls(text: str) -> list[tuple[str, list[ast.expr]]]:
    nodes = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call))
    names = ((getattr(each.func, "attr", getattr(each.func, "id", "")), each) for each in nodes)
    return [(name, each.args) for name, each in names]


def _has_odd_route(text: str) -> bool:
    given = (args[0] for name, args in _calls(text) if name == "route" and args)
    values = (each.value for each in given if isinstance(each, ast.Constant))
    return any(isinstance(each, str) and not each.startswith("/") for each in values)


def _leaves_pen_down(text: str) -> bool:
    names = [name for name, _ in _calls(text)]
    return names.count("pendown") > names.count("penup")


def _catches_all(text: str) -> bool:
    handlers = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.ExceptHandler))
    return any(each.type is None for each in handlers)


def _has_early_default(text: str) -> bool:
    """Say whether a case comes behind the default of its innermost switch."""
    open_ones: list[bool | None] = []
    for each in re.findall(r"\bswitch\b|\bdefault(?=\s*:)|\bcase\b|[{}]", text):
        if each == "switch":
            open_ones.append(None)
        elif each == "{":
            open_ones.append(False)
        elif each == "}" and open_ones:
            open_ones.pop()
            if open_ones and open_ones[-1] is None:
                open_ones.pop()
        elif each == "default" and open_ones:
            open_ones[-1] = True
        elif open_ones and open_ones[-1]:
            return True
    return False


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("language", "original", "fails", "law"),
    [
        ("python", ROUTES, _has_odd_route, 'route/string not starts with "/"'),
        ("python", DRAWING, _leaves_pen_down, "count(//pendown) > count(//penup)"),
        # What names the exceptions is an option, and stands in no other statement.
        ("python", BARE, _catches_all, '"except"/right::":"'),
        ("javascript", SWITCH, _has_early_default, "//.[switch_default before switch_case]"),
    ],
)
def test_a_law_is_found(
    language: str, original: str, fails: Callable[[str], bool], law: str
) -> None:
    found = by_some_seed(lambda seed: law_of(language, original, fails, seed), law)
    assert found == law


def test_statements_of_several_lines_are_sampled() -> None:
    python = load_language("python")
    samples = {python.sample("try_stmt", Random(seed), 30) for seed in range(20)}
    handlers = [
        handler
        for text in samples if text is not None
        for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Try)
        for handler in node.handlers
    ]  # fmt: skip
    assert any(each.name is not None for each in handlers)
    assert {"try_stmt", "decorated"} <= {*python.substitutes("try_stmt")}
