"""Steps that people take by hand: rewriting rules, literals, shorter spellings, parts moved up."""

from __future__ import annotations

import ast
import importlib
import json
import re
from collections.abc import Callable, Iterator

import pytest

from boildown.engine.candidates import Splice, rewritten
from boildown.engine.oracle import from_test
from boildown.engine.problem import Candidate, Problem
from boildown.engine.reducing.reduce import reduce
from boildown.engine.reducing.spellings import spellings
from boildown.languages import load_language
from helpers import run_pass


def matches(pattern: str) -> Callable[[str], bool]:
    """Reproduce where a regular expression matches the whole text."""
    return lambda text: re.fullmatch(pattern, text) is not None


def makes_a_class(text: str) -> bool:
    """Say whether a Python text runs to its end and has made a class."""
    names: dict[str, object] = {}
    try:
        exec(text, {"__name__": "program"}, names)
    except Exception:
        return False
    return any(isinstance(each, type) for each in names.values())


def has_nested_ifs(text: str) -> bool:
    try:
        found = list(ast.walk(ast.parse(text)))
    except SyntaxError:
        return False
    outer = (node for node in found if isinstance(node, ast.If) and len(node.body) > 1)
    return any(isinstance(inner, ast.If) and inner.orelse for node in outer for inner in node.body)


def holds_a_control_character(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return "\\" in text and isinstance(value, list) and any(str(item) < " " for item in value)


@pytest.mark.parametrize(
    ("language", "text", "test", "least"),
    [
        (
            "python",
            "class Shop(object):\n    def price(self):\n        return tax\n",
            makes_a_class,
            "class a:0",
        ),
        (
            "python",
            "from shop.till import unusually, total\nx.y = unusually(total)\n",
            matches(r"from \w+(?:\.\w+)* import ?(?:\*|.*unusually[^*]*)\s.*\bunusually\(.*\)\s*"),
            "from a import*\nunusually()",
        ),
        (
            "python",
            "if one:\n    if two:\n        pass\n    else:\n        stay()\n    other()\n",
            has_nested_ifs,
            "if a:\n if a:b\n else:a\n a",
        ),
        (
            "c",
            "int f(){*(volatile int*)8;}",
            matches(r"int f\(\)\{\*\((volatile int\*\)8| ?int\*\)8=0);\}"),
            "int f(){*(int*)8=0;}",
        ),
        (
            "cpp",
            "class shop{public:int till;};",
            matches(r"(class \w+\{public:|struct \w+\{)int till;};"),
            "struct T{int till;};",
        ),
        (
            "c",
            "int f(struct{char h[8];}*i){a(i->h);}",
            matches(
                r"int \w+\(struct\{char h\[8];}\*i\)\{a\(i->h\);}|char h\[8];int f\(\)\{a\(h\);}"
            ),
            "char h[8];int f(){a(h);}",
        ),
        (
            "c",
            "typedef char name[16];int f(name);",
            matches(r"typedef char (\w+)\[16];int f\(\1\);|int f\(char ?\[16]\);"),
            "int f(char[16]);",
        ),
        ("json", '[1, "\\u0007"]', holds_a_control_character, '["\\n"]'),
        ("xml", '<shop till="&#13;"/>', matches(r'<\w+ \w+="&#(9|1\d);"/>'), '<a a="&#9;"/>'),
    ],
)
def test_a_small_text_becomes_as_small_as_by_hand(
    language: str, text: str, test: Callable[[str], bool], least: str
) -> None:
    assert test(text)
    assert reduce(text, from_test(test), load_language(language)).text == least


@pytest.mark.parametrize(
    ("token", "shorter"),
    [
        ("0x40u", ["1", "9", "0", "64", "1u", "9u", "0u", "64u"]),
        ("123456", ["1", "9", "0", "999", "99999"]),
        ("1e308", ["1", "9", "0", "1e99"]),
        ("1_000", ["1", "9", "0", "99", "999", "1000"]),
        ("&lt;", ["<"]),
        ("&#10;", ["\n", "&#1;", "&#9;", "&#0;"]),
        (r"'\007'", ["'\x07'", r"'\n'", r"'\t'", r"'\0'"]),
        ("a%41", ["aA"]),
        (r"\u{110000}", [r"\n", r"\t", r"\0", *(rf"\u{{{n}}}" for n in (1, 9, 0, 999, 99999))]),
        (r"'\ud83d'", [r"'\n'", r"'\t'", r"'\0'"]),
        ("x10", []),
        ("#ff0010", []),
        ("9" * 300, []),
    ],
)
def test_spellings_are_shorter_forms_of_numbers_and_escapes(token: str, shorter: list[str]) -> None:
    assert list(spellings(token)) == shorter


def test_indentation_is_narrowed_to_its_levels() -> None:
    text = 'if a:\n    if b:\n          c\n\n    d = """\n    e"""\n'
    least = 'if a:\n if b:\n  c\n d="""\n    e"""\n'
    python = load_language("python")
    assert run_pass("squeeze", text, lambda _text: True, python) == (least, 2)


def test_equal_tokens_are_spelled_shorter_together_or_else_one_by_one() -> None:
    both = matches(r"\[(\d+), ?\1]")
    assert run_pass("spell", "[10, 10]", both, load_language("json"))[0] == "[1,1]"
    first = matches(r"\[\d+, ?10]")
    assert run_pass("spell", "[10, 10]", first, load_language("json"))[0] == "[1, 10]"


def test_a_part_is_moved_with_its_uses_by_its_bare_name() -> None:
    text = "class a:\n def b():c\na.b()\nd()"
    test = matches(r"(class a:\n )?def b\(\):c\n+(a\.)?b\(\)\nd\(\)")
    least = "def b():c\n\nb()\nd()"
    assert (
        run_pass(
            "lift", text, lambda new: new in (text, least) and test(new), load_language("python")
        )[0]
        == least
    )


def test_what_is_parsed_to_move_parts_grows_with_the_levels_not_with_their_square(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed: list[list[Splice]] = []
    # The package has the function by the same name.
    lift = importlib.import_module("boildown.engine.reducing.passes.lift")

    def counted(problem: Problem, steps: Iterator[list[Splice]]) -> Iterator[Candidate]:
        def noted() -> Iterator[list[Splice]]:
            for each in steps:
                parsed.append(each)
                yield each

        return rewritten(problem, noted())

    monkeypatch.setattr(lift, "rewritten", counted)
    run_pass("lift", "[" * 40 + "0" + "]" * 40, lambda _text: False, load_language("json"))
    assert 0 < len(parsed) <= 2 * 40 * lift.PARTS_AROUND
