"""Literals are found, read and written so that Python reads the same value again."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boildown.targets.literals import (
    Declined,
    Literal,
    Module,
    Style,
    in_string,
    node_at,
    read,
    write,
)

PREFIXES = ("", "r", "R", "u", "U", "b", "B", "rb", "Br", "bR")
QUOTES = ('"', "'", '"""', "'''")
CHARACTERS = "ab\"'\\\n\r\t\0\x07\x0c\x85\u2028ä😀\ud800\udc80{}#N"
STYLES = st.builds(
    Style, st.sampled_from(PREFIXES), st.sampled_from(QUOTES), st.sampled_from(("\n", "\r\n"))
)


def literal(code: str) -> Literal | None:
    """Read the literal at the mark `|` in some code."""
    at = code.index("|")
    module = Module(code.replace("|", "", 1))
    node = node_at(module, at, at)
    return None if node is None else read(module, node)


@given(st.text(CHARACTERS, max_size=12), STYLES)
def test_any_text_in_any_style_of_str_is_read_again(value: str, style: Style) -> None:
    style = Style(style.prefix.replace("b", "").replace("B", ""), style.quote, style.eol)
    code = write(value, style)
    assert ast.literal_eval(code) == value
    found = literal(f"x = |{code}")
    assert found is not None
    assert (found.start, found.end, found.value) == (4, 4 + len(code), value)


@given(st.binary(max_size=12), STYLES.filter(lambda style: style.is_bytes))
def test_any_bytes_in_any_style_of_bytes_are_read_again(value: bytes, style: Style) -> None:
    text = value.decode("utf-8", "surrogateescape")
    code = write(text, style)
    assert ast.literal_eval(code) == value
    found = literal(f"x = |{code}")
    assert found is not None
    assert found.value == text


@given(st.text(CHARACTERS, max_size=8), STYLES, st.text(CHARACTERS, max_size=8))
def test_a_literal_keeps_its_style(value: str, style: Style, new: str) -> None:
    style = Style("" if style.is_bytes else style.prefix, style.quote, style.eol)
    found = literal(f"x = |{write(value, style)}")
    assert found is not None
    again = found.written(new)
    assert again.lstrip("rRuU")[: len(style.quote)] == style.quote
    assert ast.literal_eval(again) == new


@given(
    st.lists(st.tuples(st.text(CHARACTERS, max_size=6), STYLES), min_size=1, max_size=4),
    st.booleans(),
    st.text(CHARACTERS, max_size=8),
)
def test_whatever_it_is_made_of_a_literal_becomes_the_new_value(
    pieces: list[tuple[str, Style]], is_bytes: bool, new: str
) -> None:
    """Of any spelling, also of several literals in a row: what is written has the new value."""
    if is_bytes:  # No bytes decode to other surrogates.
        pieces = [(value.replace("\ud800", ""), style) for value, style in pieces]
        new = new.replace("\ud800", "")
    codes = []
    for value, style in pieces:
        letters = "".join(letter for letter in style.prefix if letter.lower() != "b")
        prefix = ("b" + letters.replace("u", "").replace("U", "")) if is_bytes else letters
        codes.append(write(value, Style(prefix, style.quote, style.eol)))
    before, after = "def test():\n    f(1, ", ").x\n"
    code = f"{before}{' '.join(codes)}{after}"
    found = literal(f"{before}|{code[len(before) :]}")
    assert found is not None
    again = f"{code[: found.start]}{found.written(new)}{code[found.end :]}"
    statement = ast.parse(again).body[0]
    assert isinstance(statement, ast.FunctionDef)
    (call,) = [each for each in ast.walk(statement) if isinstance(each, ast.Call)]
    value = ast.literal_eval(call.args[1])
    assert value == (new.encode("utf-8", "surrogateescape") if is_bytes else new)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("x = |'abc'", "abc"),
        ("x = 'a|bc'", "abc"),
        ("x = 'abc'|", "abc"),
        ("x = u'a|'", "a"),
        ("x = r'\\d|'", "\\d"),
        ("x = b'\\xff|'", "\udcff"),
        ("x = '''a\r\nb|'''\r\n", "a\nb"),
        ("x = ('a' # why\n     'b|c')", "abc"),
        ("x = 'a' \\\n 'b|'", "ab"),
        ("f('a', 'b|', c)", "b"),
        ("f(|'a','b')", "a"),
        ("f('a',|'b')", "b"),
        ("def f(:\n    x = 'a|'", "a"),
        ("if x = 1\ny = '|'", ""),
    ],
)
def test_the_literal_at_the_cursor_is_found(code: str, value: str) -> None:
    found = literal(code)
    assert found is not None
    assert found.value == value


@pytest.mark.parametrize("code", ["|", "x = y|", "f(|)", "# 'a|'", "x = 'a|", "x|", "'a' + |b"])
def test_elsewhere_there_is_none(code: str) -> None:
    assert literal(code) is None


@pytest.mark.parametrize(
    ("code", "value", "written"),
    [
        ("f'a|{b}'", "a{b}", "f'x{b}y'"),
        ("f'a{b|}'", "a{b}", "f'x{b}y'"),
        ("'c' f'a{b}|'", "ca{b}", "f'x{b}y'"),
        ("'c|' f'a'", "ca", "f'x{{b}}y'"),
        ("rf'\\d{b!r:>{n}}|'", "\\d{b!r:>{n}}", "rf'x{{b}}y'"),
        ("f'{{}}\\n{b}{c}|'", "{}\n{b}{c}", "f'x{b}y'"),
    ],
)
def test_the_holes_of_an_f_string_stay(code: str, value: str, written: str) -> None:
    found = literal(code)
    assert found is not None
    assert found.value == value
    assert found.written("x{b}y") == written
    again = literal(found.written(value)[:-1] + "|'")
    assert again is not None
    assert again.value == value


@pytest.mark.parametrize("code", ["f'{b}|'", "rf'|'", "f'{{b}}{b}|'"])
def test_an_f_string_without_text_of_its_own_is_declined(code: str) -> None:
    with pytest.raises(Declined, match="f-string"):
        literal(code)


@pytest.mark.parametrize("code", ["'\\x1|'", "b'ä|'", "'a' b'b|'"])
def test_a_literal_that_python_would_not_take_is_declined(code: str) -> None:
    with pytest.raises(Declined, match="not valid Python"):
        literal(code)


@given(
    st.lists(
        st.sampled_from(["x = ", "'a'", '"""b\n"""', "# it's\n", "\n", "r'\\'", "f", '"']),
        max_size=8,
    )
)
def test_the_quick_look_misses_no_literal(parts: list[str]) -> None:
    code = "".join(parts)
    module = Module(code)
    for offset in range(len(code)):
        try:
            node = node_at(module, offset, offset)
        except Declined:
            node = None
        if node is not None and _is_valid(code):
            assert in_string(code, offset)


def _is_valid(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    return True


def test_code_that_is_nested_too_deeply_is_declined() -> None:
    with pytest.raises(Declined, match="too deeply"):
        literal("(" * 5000 + "'a|'" + ")" * 5000)
